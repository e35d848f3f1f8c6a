//! The form of Πmod, and its challenges.

use alloc::vec::Vec;

use quorate_bignum::Natural;
use quorate_paillier::level::REPETITIONS;
use quorate_paillier::{EncryptionKey, Level};
use quorate_session::Transcript;

use crate::ProofContext;

/// The number of bytes drawn beyond the modulus, so that a residue is uniform up to `2^-128`.
const EXTRA_BYTES: usize = 16;
/// Two bits for each repetition.
pub(super) const FLAG_BYTES: usize = REPETITIONS >> 2;

/// Bytes of a proof.
#[must_use]
pub const fn proof_bytes(level: Level) -> usize {
    level.modulus_bytes() * (1 + 2 * REPETITIONS) + FLAG_BYTES
}

pub(crate) fn bytes(value: &Natural, key: &EncryptionKey) -> Vec<u8> {
    value.to_be_bytes(key.level().modulus_bytes()).unwrap_or_default()
}

/// The bits of a proof, none of them set.
#[cfg(feature = "testing")]
pub(crate) fn no_flags() -> Vec<u8> {
    alloc::vec![0; FLAG_BYTES]
}

/// The numbers `y_i` that belong to `w`.
pub(crate) fn challenges(
    key: &EncryptionKey,
    w: &Natural,
    context: &ProofContext<'_>,
) -> Vec<Natural> {
    let transcript = transcript(key, w, context);
    (0u64..).take(REPETITIONS).map(|index| challenge(key, &transcript, index)).collect()
}

pub(super) fn transcript(
    key: &EncryptionKey,
    w: &Natural,
    context: &ProofContext<'_>,
) -> Transcript {
    let mut transcript = context.transcript("mod");
    transcript.append_u64("level", key.level().modulus_bits().into());
    transcript.append("N", &key.to_bytes());
    transcript.append("w", &bytes(w, key));
    transcript
}

pub(super) fn challenge(key: &EncryptionKey, transcript: &Transcript, index: u64) -> Natural {
    let len = key.level().modulus_bytes() + EXTRA_BYTES;
    let mut wide = Vec::with_capacity(len + 64);
    for block in 0u64.. {
        if wide.len() >= len {
            break;
        }
        let mut transcript = transcript.clone();
        transcript.append_u64("index", index);
        transcript.append_u64("block", block);
        wide.extend(transcript.finish());
    }
    wide.truncate(len);
    key.modulus().reduce(&Natural::from_be_bytes(&wide))
}

/// Sets the two bits of one repetition.
pub(crate) fn set_flags(flags: &mut [u8], index: usize, negated: bool, with_w: bool) {
    if let Some(byte) = flags.get_mut(index >> 2) {
        *byte |= (u8::from(negated) | u8::from(with_w) << 1) << (2 * (index & 3));
    }
}
