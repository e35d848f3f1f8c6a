//! Proofs and outputs (RFC 9381 sections 5.2 to 5.4).

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Curve;
use quorate_frost::{DecodeError, PointBytes, Scalar, VerifyingKey};

use super::VrfSuite;
use crate::hash::SuiteDigest;
use crate::kinds::Vrf;
use crate::wire::{Encoded, point_len, put_scalar, read_scalar, scalar_len, whole};

/// The bytes of a challenge, `cLen`.
const CHALLENGE: usize = 16;

/// The output β of a verifiable random function: 32 bytes for P-256, 64 for Ed25519.
pub type VrfOutput<V> = <<V as VrfSuite>::Digest as SuiteDigest>::Output;

/// A proof π = (Γ, c, s).
pub struct VrfProof<V: VrfSuite> {
    pub(crate) gamma: Encoded<Vrf<V>>,
    pub(crate) c: Scalar<Vrf<V>>,
    pub(crate) s: Scalar<Vrf<V>>,
}

impl<V: VrfSuite> Clone for VrfProof<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: VrfSuite> Copy for VrfProof<V> {}

impl<V: VrfSuite> PartialEq for VrfProof<V> {
    fn eq(&self, other: &Self) -> bool {
        self.gamma == other.gamma && self.c == other.c && self.s == other.s
    }
}

impl<V: VrfSuite> Eq for VrfProof<V> {}

impl<V: VrfSuite> VrfProof<V> {
    /// Reads the RFC's encoding, Γ ‖ c ‖ s (`ECVRF_decode_proof`).
    ///
    /// # Errors
    /// [`DecodeError::BadPoint`] if Γ is not a canonical point of the subgroup, [`DecodeError::BadScalar`] if s is not
    /// below the order, [`DecodeError::Truncated`] or [`DecodeError::TrailingBytes`] if it has another length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        whole(bytes, |reader| {
            let gamma = Encoded::read(reader)?;
            let c = V::Curve::scalar_from_wide(reader.bytes(CHALLENGE)?);
            Ok(Self { gamma, c, s: read_scalar::<Vrf<V>>(reader)? })
        })
    }

    /// The RFC's encoding, Γ ‖ c ‖ s.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let length = point_len::<Vrf<V>>() + CHALLENGE + scalar_len::<Vrf<V>>();
        let mut bytes = Vec::with_capacity(length);
        self.gamma.put(&mut bytes);
        let c = V::Curve::encode_scalar(&self.c);
        // A challenge is a short number. The order of the bytes is that of the curve's scalars.
        let c = c.as_ref();
        let short = if is_big_endian::<V>() { c.last_chunk() } else { c.first_chunk() };
        bytes.extend_from_slice(short.unwrap_or(&[0; CHALLENGE]));
        put_scalar::<Vrf<V>>(&mut bytes, &self.s);
        bytes
    }

    /// Verifies the proof, and returns the output (`ECVRF_verify`). Variable time: everything here is public.
    ///
    /// # Errors
    /// [`InvalidVrf`].
    pub fn verify(
        &self,
        key: &VerifyingKey<Vrf<V>>,
        input: &[u8],
    ) -> Result<VrfOutput<V>, InvalidVrf> {
        let encoded = key.as_bytes();
        let h = V::encode_to_curve(encoded.as_ref(), input).ok_or(InvalidVrf)?;
        let minus = -self.c;
        // U = s·G − c·Y, V = s·H − c·Γ
        let u = V::Curve::msm_vartime(&[self.s, minus], &[V::Curve::generator(), *key.point()]);
        let v = V::Curve::msm_vartime(&[self.s, minus], &[h, self.gamma.point]);
        let points = V::Curve::encode_points(&[h, u, v]);
        let [h, u, v] = points.as_slice() else { return Err(InvalidVrf) };
        let expected = challenge::<V>(&[*encoded, *h, self.gamma.bytes, *u, *v]);
        if expected == self.c { Ok(output::<V>(&self.gamma.point)) } else { Err(InvalidVrf) }
    }
}

/// `ECVRF_challenge_generation` of Y, H, Γ, U and V.
pub(crate) fn challenge<V: VrfSuite>(points: &[PointBytes<Vrf<V>>; 5]) -> Scalar<Vrf<V>> {
    let mut hash = V::Digest::start();
    hash.absorb(&[V::SUITE, 2]);
    points.iter().for_each(|point| hash.absorb(point.as_ref()));
    hash.absorb(&[0]);
    let digest = hash.digest();
    let short: &[u8] = digest.as_ref().first_chunk::<CHALLENGE>().map_or(&[], |short| short);
    V::Curve::scalar_from_wide(short)
}

/// `ECVRF_proof_to_hash`: the output for Γ.
pub(crate) fn output<V: VrfSuite>(gamma: &<V::Curve as Curve>::Point) -> VrfOutput<V> {
    let bytes = V::Curve::encode_point(&V::Curve::mul_small_vartime(gamma, V::COFACTOR));
    V::Digest::of(&[&[V::SUITE, 3], bytes.as_ref(), &[0]])
}

/// Returns whether scalars are written with the highest byte first.
fn is_big_endian<V: VrfSuite>() -> bool {
    let one = V::Curve::encode_scalar(&1.into());
    one.as_ref().first() == Some(&0)
}

impl<V: VrfSuite> fmt::Debug for VrfProof<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VrfProof(")?;
        self.to_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

/// A proof that does not verify.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidVrf;

impl fmt::Display for InvalidVrf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the proof does not verify for this input under this key")
    }
}

impl core::error::Error for InvalidVrf {}

#[cfg(feature = "single-point-of-failure")]
impl<V: VrfSuite> VrfProof<V> {
    /// The proof of a whole key with a given nonce (`ECVRF_prove`): to compare with test vectors. A nonce that is used for two
    /// inputs gives the key away.
    ///
    /// `None` if the key or the nonce is zero, or if the input hashes to no point.
    #[must_use]
    pub fn with_nonce(
        secret: &quorate_curve::Secret<Scalar<Vrf<V>>>,
        nonce: &quorate_curve::Secret<Scalar<Vrf<V>>>,
        input: &[u8],
    ) -> Option<Self> {
        use quorate_declassify::declassify;
        let (x, k) = (secret.expose(), nonce.expose());
        // All of these are published.
        let key = declassify(Encoded::<Vrf<V>>::new(V::Curve::mul_base(x)));
        let h = Encoded::<Vrf<V>>::new(V::encode_to_curve(key.bytes.as_ref(), input)?);
        let gamma = declassify(Encoded::new(V::Curve::mul(&h.point, x)));
        let u = declassify(Encoded::<Vrf<V>>::new(V::Curve::mul_base(k)));
        let v = declassify(Encoded::<Vrf<V>>::new(V::Curve::mul(&h.point, k)));
        if [key, u].iter().any(|one| V::Curve::is_identity(&one.point)) {
            return None;
        }
        let c = challenge::<V>(&[key.bytes, h.bytes, gamma.bytes, u.bytes, v.bytes]);
        Some(Self { gamma, c, s: declassify(*k + c * *x) })
    }
}
