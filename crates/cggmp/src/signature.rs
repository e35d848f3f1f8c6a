//! ECDSA signatures and the keys they verify under (SEC 1, section 4.1).

mod der;
mod key;
mod recover;
mod recovery;
mod spki;

pub use key::VerifyingKey;
pub use recovery::RecoveryId;

use core::fmt;

use quorate_session::wire::joined;

use crate::{DecodeError, EcdsaCurve};

/// A digest that was made elsewhere: 32 bytes that **this crate has not hashed**.
///
/// Whoever signs it trusts somebody else to have looked at the message. So what takes it says so in its name or its type:
/// [`Presignature::claim_raw_digest`](crate::Presignature::claim_raw_digest), [`SignParams`](crate::SignParams), and verification.
///
/// Somebody who can choose the digest when the nonce point is known turns a signature on one digest into one on another (Groth and
/// Shoup, eprint 2021/1330). Here the digest goes into the nonce of the signature, so the nonce is not known before.
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

    /// Returns whether it is zero modulo the order of the curve. No message is known with such a hash, and no claim takes it.
    #[must_use]
    pub fn is_zero<C: EcdsaCurve>(&self) -> bool {
        self.scalar::<C>() == C::Scalar::default()
    }

    /// The number that is signed.
    pub(crate) fn scalar<C: EcdsaCurve>(&self) -> C::Scalar {
        C::scalar_from_wide(&self.0)
    }
}

/// A signature: r and s, neither of them zero, s not above half the order.
///
/// A signature that was made here knows its recovery id, by which the public key can be found. One
/// that was read from DER or from 64 bytes does not, until [`Self::with_recovery_id`] finds it;
/// verification never looks at it. Two signatures are equal if they have the same r, s and recovery
/// id.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature<C: EcdsaCurve> {
    r: C::Scalar,
    s: C::Scalar,
    recovery: Option<RecoveryId>,
}

/// The values of s that are read.
#[derive(Clone, Copy)]
enum S {
    /// Only the smaller of s and −s.
    Low,
    /// Either; the smaller is kept.
    Either,
}

impl<C: EcdsaCurve> Signature<C> {
    /// The signature with this nonce point and this s, which is negated if it is above half the
    /// order. `None` if the point is the identity or r or s is zero.
    #[must_use]
    pub fn from_nonce_point(nonce: &C::Point, s: &C::Scalar) -> Option<Self> {
        let (r, recovery) = C::r_vartime(nonce)?;
        Self::normalised(r, *s, Some(recovery))
    }

    /// The signature with the smaller of s and −s; `None` if r or s is zero.
    pub(crate) fn normalised(
        r: C::Scalar,
        s: C::Scalar,
        recovery: Option<RecoveryId>,
    ) -> Option<Self> {
        let zero = C::Scalar::default();
        if r == zero || s == zero {
            return None;
        }
        if C::is_high_vartime(&s) {
            return Some(Self { r, s: -s, recovery: recovery.map(RecoveryId::negated) });
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

    /// The id by which the public key can be found from the signature and the message. `Some` for every
    /// signature that was made here.
    #[must_use]
    pub const fn recovery_id(&self) -> Option<RecoveryId> {
        self.recovery
    }

    /// r ‖ s, 64 bytes, each half big-endian: the form of JSON Web Signatures and of most ledgers.
    #[must_use]
    pub fn to_compact(&self) -> [u8; 64] {
        joined(&[&C::encode_scalar(&self.r), &C::encode_scalar(&self.s)])
    }

    /// Reads r ‖ s. The recovery id is not known afterwards.
    ///
    /// # Errors
    /// [`DecodeError::BadScalar`] for a number that is zero or not below the order,
    /// [`DecodeError::HighS`] for an s above half the order.
    pub fn from_compact(bytes: &[u8; 64]) -> Result<Self, DecodeError> {
        Self::of_halves(bytes, S::Low)
    }

    /// Reads r ‖ s as verifiers without a rule about s do: an s above half the order is replaced by
    /// −s, which is valid for the same message and key.
    ///
    /// # Errors
    /// [`DecodeError::BadScalar`] for a number that is zero or not below the order.
    pub fn from_compact_either_s(bytes: &[u8; 64]) -> Result<Self, DecodeError> {
        Self::of_halves(bytes, S::Either)
    }

    /// The form r ‖ s ‖ recovery id, 65 bytes; `None` if the recovery id is not known.
    #[must_use]
    pub fn to_recoverable(&self) -> Option<[u8; 65]> {
        Some(joined(&[&self.to_compact(), &[self.recovery?.get()]]))
    }

    /// Reads r ‖ s ‖ recovery id. These bytes do not show whether the recovery id is the right one;
    /// [`VerifyingKey::verify`] does not look at it.
    ///
    /// # Errors
    /// The errors of [`Self::from_compact`], and [`DecodeError::BadRecoveryId`] for a recovery id above
    /// 3.
    pub fn from_recoverable(bytes: &[u8; 65]) -> Result<Self, DecodeError> {
        let [halves @ .., id] = bytes;
        let signature = Self::from_compact(halves)?;
        let recovery = RecoveryId::from_number(*id);
        Ok(Self { recovery: Some(recovery.ok_or(DecodeError::BadRecoveryId(*id))?), ..signature })
    }

    fn of_halves(bytes: &[u8; 64], which: S) -> Result<Self, DecodeError> {
        let (r, s) = bytes.split_at(32);
        Self::of_numbers(r, s, which)
    }

    /// Of two numbers of 32 bytes each.
    fn of_numbers(r: &[u8], s: &[u8], which: S) -> Result<Self, DecodeError> {
        let number = |bytes| C::decode_scalar(bytes).ok_or(DecodeError::BadScalar);
        let (r, s) = (number(r)?, number(s)?);
        let signature = Self::normalised(r, s, None).ok_or(DecodeError::BadScalar)?;
        match which {
            S::Low if signature.s != s => Err(DecodeError::HighS),
            _ => Ok(signature),
        }
    }
}

impl<C: EcdsaCurve> fmt::Debug for Signature<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signature(")?;
        self.to_compact().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}
