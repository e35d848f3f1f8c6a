//! Schnorr's proof of knowledge of a discrete logarithm, and the scalars that are hashes.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_session::{Fault, Transcript, rand_core::CryptoRng, wire::Reader};
use zeroize::Zeroizing;

use crate::wire::{Encoded, put_scalar, read_scalar};

/// A proof of knowledge of x: `R = r·G` and `z = r + e·x`. The challenge e hashes R and a transcript, which names
/// the purpose of the proof.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Schnorr<C: Curve> {
    commit: Encoded<C>,
    z: C::Scalar,
}

impl<C: Curve> Schnorr<C> {
    /// Makes the proof with a nonce that no other proof uses.
    pub(crate) fn prove(transcript: Transcript, x: &C::Scalar, nonce: &C::Scalar) -> Self {
        let commit = Encoded::new(C::mul_base(nonce));
        let e = challenge::<C>(transcript, &commit);
        Self { commit, z: *nonce + e * *x }
    }

    /// Makes the proof with a nonce that hashes the secret, the transcript and 32 random bytes. Even with a
    /// broken generator, no other transcript has that nonce.
    pub(crate) fn prove_hedged(
        transcript: Transcript,
        x: &C::Scalar,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Self {
        let mut random = Zeroizing::new([0; 32]);
        rng.fill_bytes(random.as_mut_slice());
        let secret = Zeroizing::new(C::encode_scalar(x));
        let mut of_nonce = transcript.clone();
        of_nonce.append("secret", (*secret).as_ref());
        of_nonce.append("random", random.as_slice());
        Self::prove(transcript, x, uniform::<C>(&of_nonce).expose())
    }

    /// The proof (R, z).
    pub(crate) const fn new(commit: Encoded<C>, z: C::Scalar) -> Self {
        Self { commit, z }
    }

    /// Returns whether it proves knowledge of the logarithm of `key`: `z·G = R + e·key`.
    pub(crate) fn verifies(&self, transcript: Transcript, key: &C::Point) -> bool {
        let e = challenge::<C>(transcript, &self.commit);
        C::verify_vartime(key, &self.commit.point, &self.z, &e)
    }

    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        self.commit.put(bytes);
        put_scalar::<C>(bytes, &self.z);
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        Ok(Self { commit: Encoded::read(reader)?, z: read_scalar::<C>(reader)? })
    }
}

fn challenge<C: Curve>(mut transcript: Transcript, commit: &Encoded<C>) -> C::Scalar {
    transcript.append("R", commit.bytes.as_ref());
    C::scalar_from_wide(&transcript.finish())
}

/// A secret scalar that is a hash. It is uniform, since 128 bytes are far more than any order has.
pub(crate) fn uniform<C: Curve>(transcript: &Transcript) -> Secret<C::Scalar> {
    let mut wide = Zeroizing::new([0u8; 128]);
    for (block, to) in (0u64..).zip(wide.chunks_mut(64)) {
        let mut transcript = transcript.clone();
        transcript.append_u64("block", block);
        let digest = Zeroizing::new(transcript.finish());
        to.copy_from_slice(digest.as_slice());
    }
    Secret::make(|| C::scalar_from_wide(wide.as_slice()))
}
