//! ECDSA signatures and the keys they verify under (SEC 1, section 4.1).

use core::fmt;

use quorate_session::{Transcript, wire::Reader};

use crate::wire::{POINT, SCALAR, truncated};
use crate::{DecodeError, EcdsaCurve, InvalidSignature};

/// Which of the points with a given r the nonce point was, from 0 to 3: bit 0 is the parity of its
/// y-coordinate, bit 1 says that its x-coordinate was not below the order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RecoveryId(u8);

impl RecoveryId {
    /// From its two bits.
    #[must_use]
    pub const fn new(y_is_odd: bool, x_is_reduced: bool) -> Self {
        Self(if x_is_reduced { 2 } else { 0 } | if y_is_odd { 1 } else { 0 })
    }

    /// From the number, `None` above 3.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        if number <= 3 { Some(Self(number)) } else { None }
    }

    /// The number, 0 to 3.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Whether the y-coordinate is odd.
    #[must_use]
    pub const fn y_is_odd(self) -> bool {
        self.0 & 1 == 1
    }

    /// Whether the x-coordinate was not below the order.
    #[must_use]
    pub const fn x_is_reduced(self) -> bool {
        self.0 & 2 == 2
    }

    const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A digest that was made elsewhere: 32 bytes that **this crate has not hashed**.
///
/// Who can choose the digest freely, and not only the message that it is the hash of, can turn a
/// signature on one digest into one on another when the nonce point is known beforehand (Groth and
/// Shoup, eprint 2021/1330). So only verification and interactive signing, where the digest is
/// fixed before the nonce exists, take this type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RawDigest([u8; 32]);

impl RawDigest {
    /// Takes these bytes for the digest of a message that the signers know and have agreed to.
    #[must_use]
    pub const fn assume_hash_of_known_message(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// The digest of a message, SHA-256, as signing makes it.
    #[must_use]
    pub fn of_message<C: EcdsaCurve>(message: &[u8]) -> Self {
        Self(C::hash(message))
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The number that is signed.
    pub(crate) fn scalar<C: EcdsaCurve>(&self) -> C::Scalar {
        C::scalar_from_wide(&self.0)
    }
}

/// A signature: r and s, neither of them zero, s not above half the order, and the recovery id.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature<C: EcdsaCurve> {
    r: C::Scalar,
    s: C::Scalar,
    recovery: RecoveryId,
}

impl<C: EcdsaCurve> Signature<C> {
    /// The signature with this nonce point and this s, which is negated if it is above half the
    /// order. `None` if the point is the identity or r or s is zero.
    #[must_use]
    pub fn from_nonce_point(nonce: &C::Point, s: &C::Scalar) -> Option<Self> {
        let (r, recovery) = C::r_vartime(nonce)?;
        Self::normalised(r, *s, recovery)
    }

    /// The signature with the smaller of s and −s; `None` if r or s is zero.
    pub(crate) fn normalised(r: C::Scalar, s: C::Scalar, recovery: RecoveryId) -> Option<Self> {
        let zero = C::Scalar::default();
        if r == zero || s == zero {
            return None;
        }
        if C::is_high_vartime(&s) {
            return Some(Self { r, s: -s, recovery: recovery.negated() });
        }
        Some(Self { r, s, recovery })
    }

    /// The x-coordinate of the nonce point modulo the order.
    #[must_use]
    pub const fn r(&self) -> &C::Scalar {
        &self.r
    }

    /// The other half, at most half the order.
    #[must_use]
    pub const fn s(&self) -> &C::Scalar {
        &self.s
    }

    /// By which the public key can be found from the signature and the message.
    #[must_use]
    pub const fn recovery_id(&self) -> RecoveryId {
        self.recovery
    }

    /// r ‖ s, 64 bytes, each half big-endian: the form that most verifiers read.
    #[must_use]
    pub fn to_compact(&self) -> [u8; 64] {
        let mut bytes = [0; 64];
        let halves = [C::encode_scalar(&self.r), C::encode_scalar(&self.s)];
        bytes.iter_mut().zip(halves.as_flattened()).for_each(|(to, from)| *to = *from);
        bytes
    }

    /// r ‖ s ‖ recovery id, 65 bytes.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 65] {
        let mut bytes = [self.recovery.get(); 65];
        bytes.iter_mut().zip(self.to_compact()).for_each(|(to, from)| *to = from);
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote. That the recovery id is the right one cannot
    /// be seen from these bytes; [`VerifyingKey::verify`] does not look at it.
    ///
    /// # Errors
    /// [`DecodeError`] for another length, a number not below the order or zero, an s above half
    /// the order, a recovery id above 3.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let mut number = || {
            let bytes = reader.array::<SCALAR>().map_err(truncated)?;
            let nonzero = |number: &C::Scalar| *number != C::Scalar::default();
            C::decode_scalar(&bytes).filter(nonzero).ok_or(DecodeError::BadScalar)
        };
        let (r, s) = (number()?, number()?);
        let recovery = RecoveryId::from_number(reader.u8().map_err(truncated)?);
        reader.finish().map_err(|_| DecodeError::TrailingBytes)?;
        if C::is_high_vartime(&s) {
            return Err(DecodeError::HighS);
        }
        Ok(Self { r, s, recovery: recovery.ok_or(DecodeError::Inconsistent)? })
    }

    /// The key under which this is a signature of `digest`, by the recovery id (SEC 1, section
    /// 4.1.6); `None` if there is none.
    #[must_use]
    pub fn recover(&self, digest: &RawDigest) -> Option<VerifyingKey<C>> {
        let nonce = self.nonce_point()?;
        let inverse = C::invert(&self.r);
        let scalars = [inverse * self.s, -(inverse * digest.scalar::<C>())];
        let key = VerifyingKey::new(C::msm_vartime(&scalars, &[nonce, C::generator()]))?;
        // Holds for every nonce point found; a defect in finding it would show here.
        key.verify_raw_digest(digest, self).ok()?;
        Some(key)
    }

    fn nonce_point(&self) -> Option<C::Point> {
        let mut limbs = C::scalar_limbs(&self.r);
        if self.recovery.x_is_reduced() {
            let mut carry = false;
            for (limb, order) in limbs.iter_mut().zip(C::ORDER) {
                let (sum, first) = limb.overflowing_add(*order);
                let (sum, second) = sum.overflowing_add(u64::from(carry));
                (*limb, carry) = (sum, first | second);
            }
            if carry {
                return None;
            }
        }
        let x = limbs.iter().take(4).rev().flat_map(|limb| limb.to_be_bytes());
        let mut bytes = [2 | u8::from(self.recovery.y_is_odd()); POINT];
        bytes.iter_mut().skip(1).zip(x).for_each(|(to, from)| *to = from);
        C::decode_point(&bytes)
    }
}

impl<C: EcdsaCurve> fmt::Debug for Signature<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signature(")?;
        self.to_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

/// A public key: a point that is not the identity.
#[derive(Clone, Copy)]
pub struct VerifyingKey<C: EcdsaCurve> {
    point: C::Point,
    bytes: C::PointBytes,
}

impl<C: EcdsaCurve> VerifyingKey<C> {
    /// The key that is this point; `None` for the identity.
    #[must_use]
    pub fn new(point: C::Point) -> Option<Self> {
        (!C::is_identity(&point)).then(|| Self { point, bytes: C::encode_point(&point) })
    }

    /// Reads the compressed form of SEC 1, 33 bytes.
    ///
    /// # Errors
    /// [`DecodeError::BadPoint`] for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        C::decode_point(bytes).and_then(Self::new).ok_or(DecodeError::BadPoint)
    }

    /// The compressed form of SEC 1, 33 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &C::PointBytes {
        &self.bytes
    }

    /// The point.
    #[must_use]
    pub const fn point(&self) -> &C::Point {
        &self.point
    }

    /// A name for the key, the same at all its parties and over all epochs.
    #[must_use]
    pub fn key_id(&self) -> [u8; 32] {
        let mut transcript = Transcript::new("quorate-cggmp key id");
        transcript.append("curve", C::NAME.as_bytes());
        transcript.append("key", &self.bytes);
        transcript.finish32()
    }

    /// Verifies a signature of `message`, which is hashed with SHA-256.
    ///
    /// # Errors
    /// [`InvalidSignature`].
    pub fn verify(&self, message: &[u8], signature: &Signature<C>) -> Result<(), InvalidSignature> {
        self.verify_raw_digest(&RawDigest::of_message::<C>(message), signature)
    }

    /// Verifies a signature of a digest made elsewhere.
    ///
    /// # Errors
    /// [`InvalidSignature`].
    pub fn verify_raw_digest(
        &self,
        digest: &RawDigest,
        signature: &Signature<C>,
    ) -> Result<(), InvalidSignature> {
        let inverse = C::invert(&signature.s);
        let scalars = [inverse * digest.scalar::<C>(), inverse * signature.r];
        let nonce = C::msm_vartime(&scalars, &[C::generator(), self.point]);
        match C::r_vartime(&nonce) {
            Some((r, _)) if r == signature.r => Ok(()),
            _ => Err(InvalidSignature),
        }
    }
}

impl<C: EcdsaCurve> PartialEq for VerifyingKey<C> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<C: EcdsaCurve> Eq for VerifyingKey<C> {}

impl<C: EcdsaCurve> fmt::Debug for VerifyingKey<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("VerifyingKey").field(&self.point).finish()
    }
}
