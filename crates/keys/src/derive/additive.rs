//! Quorate additive derivation, version 1.

use quorate_session::Transcript;

use super::Derivable;
use super::hash::halves;

/// The shift of the child `index`, statistically close to uniform, and the child's chain code.
pub(super) fn step<C: Derivable>(
    chain_code: &[u8; 32],
    key: &C::PointBytes,
    index: u32,
) -> (C::Scalar, [u8; 32]) {
    let hash = |part: u64| {
        let mut transcript = Transcript::new("quorate-keys additive derivation v1");
        transcript.append("curve", C::NAME.as_bytes());
        transcript.append("chain code", chain_code);
        transcript.append("key", key.as_ref());
        transcript.append_u64("index", index.into());
        transcript.append_u64("part", part);
        transcript.finish()
    };
    let (code, _) = halves(&hash(0));
    (C::scalar_from_wide([hash(1), hash(2)].as_flattened()), code)
}
