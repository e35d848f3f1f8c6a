//! Nonces: hashes of a secret, of everything that the nonce is for, and of random bytes.

use quorate_curve::{Curve, Secret};
use quorate_frost::{KeySuite, Scalar};
use quorate_session::Transcript;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// A nonce for one purpose, which no other purpose has even if the generator repeats itself.
pub(crate) fn hedged<K: KeySuite>(
    mut purpose: Transcript,
    name: &'static str,
    secret: &Secret<Scalar<K>>,
    rng: &mut impl CryptoRng,
) -> Secret<Scalar<K>> {
    let mut random = Zeroizing::new([0; 32]);
    rng.fill_bytes(random.as_mut_slice());
    let key = Zeroizing::new(K::Curve::encode_scalar(secret.expose()));
    purpose.append("nonce", name.as_bytes());
    purpose.append("secret", (*key).as_ref());
    purpose.append("random", random.as_slice());
    // 128 bytes are far more than any order has, so the scalar is uniform.
    let mut wide = Zeroizing::new([0u8; 128]);
    for (block, to) in (0u64..).zip(wide.chunks_mut(64)) {
        let mut purpose = purpose.clone();
        purpose.append_u64("block", block);
        to.copy_from_slice(Zeroizing::new(purpose.finish()).as_slice());
    }
    Secret::make(|| K::Curve::scalar_from_wide(wide.as_slice()))
}
