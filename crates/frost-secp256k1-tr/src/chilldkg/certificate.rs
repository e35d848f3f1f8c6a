//! CertEq: the transcript that all participants sign, and the list of their signatures.

use alloc::vec::Vec;

use quorate_curve::Secp256k1;
use quorate_frost::session::PartyId;
use quorate_frost::session::rand_core::CryptoRng;
use quorate_sharing::Commitment;

use super::Scalar;
use super::error::Error;
use super::host::{HostKey, HostPublicKey};
use super::params::{Params, id_of};
use super::schnorr::{BIP_340, Signature, sign, verify_vartime};
use super::wire::{SIGNATURE, put_points, put_scalars};
use crate::taproot::x_only;

/// The statements that a host key signs.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// This participant has received this transcript, and a right share by it.
    Certificate,
    /// This participant has stored this recovery data.
    Acknowledgement,
}

impl Purpose {
    /// 33 bytes, as BIP-340 advises.
    fn prefix(self) -> [u8; 33] {
        match self {
            Self::Certificate => *b"BIP DKG/certeq message\0\0\0\0\0\0\0\0\0\0\0",
            Self::Acknowledgement => *b"BIP DKG/recovery acknowledgment\0\0",
        }
    }
}

/// *eq_input*: t ‖ the sum of all commitments ‖ host public keys ‖ public nonces ‖ the sums of the encrypted shares.
pub(super) fn transcript(
    params: &Params,
    sum: &Commitment<Secp256k1>,
    nonces: &[HostPublicKey],
    shares: &[Scalar],
) -> Vec<u8> {
    let mut bytes = Vec::from(u32::from(params.threshold()).to_be_bytes());
    put_points(&mut bytes, sum.points());
    params.host_keys().iter().chain(nonces).for_each(|key| bytes.extend_from_slice(key));
    put_scalars(&mut bytes, shares);
    bytes
}

/// A participant's signature.
///
/// # Errors
/// [`Error::Internal`].
pub(super) fn signed_by(
    host: &HostKey,
    me: PartyId,
    purpose: Purpose,
    text: &[u8],
    rng: &mut impl CryptoRng,
) -> Result<Signature, Error> {
    let mut random = [0; 32];
    rng.fill_bytes(&mut random);
    let (prefix, id) = (purpose.prefix(), id_of(me));
    sign(&BIP_340, host.scalar(), &[&prefix, &id, text], &random).ok_or(Error::Internal)
}

/// Returns whether a participant has signed.
pub(super) fn is_signed_vartime(
    params: &Params,
    by: PartyId,
    purpose: Purpose,
    text: &[u8],
    signature: &[u8],
) -> bool {
    let place = params.parties().position(by);
    let key = place.and_then(|place| params.host_keys().get(place));
    let (Some(key), Ok(signature)) = (key, signature.try_into()) else { return false };
    let (prefix, id) = (purpose.prefix(), id_of(by));
    verify_vartime(&BIP_340, x_only(key), &[&prefix, &id, text], signature)
}

/// The first participant whose signature in a certificate of the right length is wrong.
pub(super) fn unsigned_vartime(
    params: &Params,
    transcript: &[u8],
    certificate: &[u8],
) -> Option<PartyId> {
    let mut signatures = params.parties().iter().zip(certificate.chunks(SIGNATURE));
    let signed =
        |by, signature| is_signed_vartime(params, by, Purpose::Certificate, transcript, signature);
    signatures.find(|(by, signature)| !signed(*by, signature)).map(|(by, _)| by)
}
