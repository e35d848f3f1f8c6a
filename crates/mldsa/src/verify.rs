//! Verifying keys, and the verification of FIPS 204. All of it is public.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;
use core::fmt;

use crate::error::{DecodeError, InvalidSignature, MessageError};
use crate::hash::{h, shake256};
use crate::level::Level;
use crate::matrix::Matrix;
use crate::message::{MessageRepresentative, PreHash};
use crate::packing::{FULL_LEN, T1_LEN, put_t1, put_w1, t1};
use crate::poly::{Ntt, Poly, transforms, zeros};
use crate::rounding::{D, power2_round, reaches_vartime, use_hint_vartime};
use crate::sample::challenge_vartime;
use crate::signature::Signature;
use shake::XofReader;

/// A verifying key of FIPS 204: ρ and t1.
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyingKey {
    level: Level,
    rho: [u8; 32],
    t1: Vec<Poly>,
    /// The hash of the encoding.
    tr: [u8; 64],
}

impl VerifyingKey {
    /// Reads the encoding of FIPS 204 (pkDecode, Algorithm 23). Every string of the right length is canonical.
    ///
    /// # Errors
    /// [`DecodeError::WrongLength`]
    pub fn from_bytes(level: Level, bytes: &[u8]) -> Result<Self, DecodeError> {
        let (expected, got) = (level.verifying_key_len(), bytes.len());
        let wrong = DecodeError::WrongLength { expected, got };
        let (rho, rest) = bytes.split_first_chunk().ok_or(wrong)?;
        if got != expected {
            return Err(wrong);
        }
        let t1 = rest.chunks(T1_LEN).map(t1).collect();
        Ok(Self { level, rho: *rho, t1, tr: h(&[bytes]) })
    }

    /// The key of t, with coefficients from 0 to q − 1 (FIPS 204, Algorithm 6, lines 6 to 9).
    pub(crate) fn of(level: Level, rho: [u8; 32], t: &[Poly]) -> Self {
        let high = |t: &Poly| Poly(t.0.map(|t| power2_round(t).0));
        let mut key = Self { level, rho, t1: t.iter().map(high).collect(), tr: [0; 64] };
        key.tr = h(&[&key.to_bytes()]);
        key
    }

    /// The encoding of FIPS 204 (pkEncode, Algorithm 22).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.level.verifying_key_len());
        bytes.extend_from_slice(&self.rho);
        self.t1.iter().for_each(|t1| put_t1(&mut bytes, t1));
        bytes
    }

    /// The level.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// The representative of a message under a context of at most 255 bytes (ML-DSA, FIPS 204, §5.2).
    ///
    /// # Errors
    /// [`MessageError::ContextTooLong`]
    pub fn represent(
        &self,
        message: &[u8],
        context: &[u8],
    ) -> Result<MessageRepresentative, MessageError> {
        MessageRepresentative::pure(&self.tr, context, message)
    }

    /// The representative of a message by its digest (HashML-DSA, FIPS 204, §5.4).
    ///
    /// # Errors
    /// [`MessageError`] for a context of more than 255 bytes, or a digest whose length is not that of the function.
    pub fn represent_digest(
        &self,
        hash: PreHash,
        digest: &[u8],
        context: &[u8],
    ) -> Result<MessageRepresentative, MessageError> {
        MessageRepresentative::pre_hash(&self.tr, context, hash, digest)
    }

    /// Verifies a signature of a message under a context (ML-DSA.Verify, Algorithm 3).
    ///
    /// # Errors
    /// [`InvalidSignature`], also for a context of more than 255 bytes.
    pub fn verify(
        &self,
        message: &[u8],
        context: &[u8],
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        let mu = self.represent(message, context).map_err(|_| InvalidSignature)?;
        self.verify_representative(&mu, signature)
    }

    /// Verifies a signature of a message representative (ML-DSA.Verify_internal, Algorithm 8).
    ///
    /// # Errors
    /// [`InvalidSignature`], also for a signature of another level.
    pub fn verify_representative(
        &self,
        mu: &MessageRepresentative,
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        self.verify_by(&Matrix::expand(self.level, &self.rho), mu, signature)
    }

    /// Verifies a signature by the key's A.
    pub(crate) fn verify_by(
        &self,
        a: &Matrix,
        mu: &MessageRepresentative,
        signature: &Signature,
    ) -> Result<(), InvalidSignature> {
        let level = self.level;
        let limit = level.gamma1() - level.beta();
        let long = |z: &Poly| z.iter().any(|z| reaches_vartime(z, limit));
        if signature.level != level || signature.response.iter().any(long) {
            return Err(InvalidSignature);
        }
        let c = challenge_vartime(level, &signature.challenge).ntt();
        let rows = self.commitment(a, &c, &signature.response);
        let w1 = rows.iter().zip(signature.hint.rows()).map(|(row, ones)| {
            let bits = row.iter().zip(ones);
            Poly::of(bits.map(|(a, one)| use_hint_vartime(level, one, a)))
        });
        let w1: Vec<Poly> = w1.collect();
        if commitment_hash(level, mu, &w1) == signature.challenge {
            Ok(())
        } else {
            Err(InvalidSignature)
        }
    }

    /// A·z − c·t1·2^13, with coefficients from 0 to q − 1.
    pub(crate) fn commitment(&self, a: &Matrix, c: &Ntt, z: &[Poly]) -> Vec<Poly> {
        let shifted = |t1: &Poly| Poly(t1.0.map(|t1| t1 << D)).ntt();
        let shifted: Vec<Ntt> = self.t1.iter().map(shifted).collect();
        let z = transforms(z);
        let mut rows = zeros(self.level.k());
        for ((to, row), shifted) in rows.iter_mut().zip(a.rows()).zip(&shifted) {
            to.set_products(row, &z, Some([c, shifted]));
            to.canonicalize();
        }
        rows
    }
}

/// c̃ = H(μ ‖ w1Encode(w1))
pub(crate) fn commitment_hash(level: Level, mu: &MessageRepresentative, w1: &[Poly]) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(w1.len() * FULL_LEN);
    w1.iter().for_each(|row| put_w1(&mut encoded, level, row));
    let mut hash = alloc::vec![0; level.challenge_len()];
    shake256(&[mu.as_bytes(), &encoded]).read(&mut hash);
    hash
}

/// Prints the first sixteen bytes in hexadecimal digits.
impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey({}, ", self.level)?;
        self.rho.iter().take(16).try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str("…)")
    }
}
