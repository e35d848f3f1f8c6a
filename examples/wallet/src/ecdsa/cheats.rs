//! A signer that sends a wrong share.

use quorate::PartyId;
use quorate::keys::Family as _;
use quorate::session::container::{DIGEST, Kind};
use quorate_cggmp::{CombineError, Derived, Ecdsa, EcdsaCurve, PresignatureInfo};

use quorate_examples::failure::Failure;

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
        (*from, if cheaters.contains(from) { spoil::<C>(share, *from) } else { share.clone() })
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
fn spoil<C: EcdsaCurve>(share: &[u8], party: PartyId) -> Vec<u8> {
    let mut bytes = share.to_vec();
    bytes.truncate(bytes.len().saturating_sub(DIGEST));
    if let Some(last) = bytes.last_mut() {
        *last ^= 1 << (party.get() & 7);
    }
    let kind = Kind { code: 37, name: "a share of a signature", version: 1 };
    Ecdsa::<C>::label(kind).end(&mut bytes);
    bytes
}
