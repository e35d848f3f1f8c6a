//! A signer that sends a wrong share.

use quorate::PartyId;
use quorate::session::Transcript;
use quorate_cggmp::{CombineError, Derived, EcdsaCurve, PresignatureInfo};

use quorate_examples::failure::Failure;

/// Bytes of the digest at the end of a share, behind the number that it consists of.
const DIGEST: usize = 32;

/// Puts shares together of which those of the `cheaters` are wrong: what comes of it.
///
/// # Errors
/// A [`Failure`] if nothing is noticed, or others are blamed.
pub(crate) fn in_signing<C: EcdsaCurve>(
    (info, key): (&PresignatureInfo<C>, &Derived<C>),
    shares: &[(PartyId, Vec<u8>)],
    message: &[u8],
    cheaters: &[PartyId],
) -> Result<CombineError, Failure> {
    let received = shares.iter().map(|(from, share)| {
        (*from, if cheaters.contains(from) { spoil(share, *from) } else { share.clone() })
    });
    match info.combine(key, message, received) {
        Ok(_) => Err(Failure::new("nobody noticed")),
        Err(error) if error.culprits().eq(cheaters.iter().copied()) => Ok(error),
        Err(error) => Err(Failure::new(format!("the wrong parties are blamed: {error}"))),
    }
}

/// Another number in the share, with a digest to match: the digest is against accidents, and a
/// cheater computes it like everybody else. Another bit for each party, so that two of them don't
/// make up for each other.
fn spoil(share: &[u8], party: PartyId) -> Vec<u8> {
    let mut bytes = share.to_vec();
    bytes.truncate(bytes.len().saturating_sub(DIGEST));
    if let Some(last) = bytes.last_mut() {
        *last ^= 1 << (party.get() & 7);
    }
    let mut transcript = Transcript::new("quorate-cggmp stored form");
    transcript.append("bytes", &bytes);
    bytes.extend_from_slice(&transcript.finish32());
    bytes
}
