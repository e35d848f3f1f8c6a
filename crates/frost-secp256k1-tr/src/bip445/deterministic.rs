//! *DeterministicSign*: the last signer of a session, without state.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_frost::{KeyShare, KeySuite};
use zeroize::Zeroizing;

use super::Scalar;
use super::error::Error;
use super::nonce::{AggregateNonce, PublicNonce, SecretNonce, decode, encoded_length, masked};
use super::session::{Session, SignatureShare};
use super::signers::Signers;
use super::tweak::{Tweak, TweakedKey};
use crate::taproot::tagged_bytes;

/// *DeterministicSign*: the public nonce and the share of the one signer that knows the sum of all other nonces. It
/// keeps no state, and needs no generator.
///
/// `others` is the sum of the public nonces of all other signers, or none for a sole signer; it may come from anybody. The
/// nonce is a hash of the share and of all that the session is made of, so that another session has another nonce. The
/// draft's hash leaves out the public shares, the signs of key and tweaks, and the threshold; they go into its *rand*, which
/// the draft leaves to the signer. `random` is mixed in where there is a generator.
///
/// # Errors
/// [`Error::BadSumOfOthers`], and as [`Session::new`] and [`Session::sign`].
pub fn sign_deterministically<S: KeySuite<Curve = Secp256k1>>(
    share: &KeyShare<S>,
    signers: &Signers,
    others: Option<&PublicNonce>,
    tweaks: &[Tweak],
    message: &[u8],
    random: Option<&[u8; 32]>,
) -> Result<(PublicNonce, SignatureShare), Error> {
    let (id, secret) = signers.own(share)?;
    let key = TweakedKey::of(signers.key).apply_all(tweaks)?;
    let random = left_out(signers, tweaks, random);
    let session = |sum: &AggregateNonce| Session::new(signers, sum, tweaks, message);
    sign_with((&secret, id), signers, others, &key, message, Some(&random), session)
}

/// A hash of all that the draft's hash leaves out and of the generator's bytes, if any: 32 bytes for the draft's *rand*.
fn left_out(signers: &Signers, tweaks: &[Tweak], random: Option<&[u8; 32]>) -> [u8; 32] {
    let drawn = [u8::from(random.is_some())];
    let random = random.map_or(&[][..], <[u8; 32]>::as_slice);
    let parts = [drawn.as_slice(), random, &signers.encoded(tweaks)];
    tagged_bytes("quorate/bip445/deterministic", parts)
}

/// *DeterministicSign*, with a share that may be of any origin.
pub(super) fn sign_with(
    (secret, id): (&Secret<Scalar>, u32),
    signers: &Signers,
    others: Option<&PublicNonce>,
    key: &TweakedKey,
    message: &[u8],
    random: Option<&[u8; 32]>,
    session: impl FnOnce(&AggregateNonce) -> Result<Session, Error>,
) -> Result<(PublicNonce, SignatureShare), Error> {
    let secret_input = match random {
        Some(random) => masked(secret, random),
        None => Zeroizing::new(Secp256k1::encode_scalar(secret.expose())),
    };
    let mut input = Vec::from(id.to_be_bytes());
    input.extend_from_slice(&signers.encoded_count());
    input.extend_from_slice(&signers.encoded_ids());
    input.extend_from_slice(others.map_or(&[], <[u8; 66]>::as_slice));
    input.extend_from_slice(key.x_only());
    input.extend_from_slice(&encoded_length(message));
    input.extend_from_slice(message);
    let nonce = SecretNonce::hashed("BIP0445/deterministic/nonce", &secret_input, &input);
    let public = *nonce.public();
    let sum = match others {
        None => AggregateNonce::sum(&[public])?,
        Some(others) => {
            if decode(others, false).contains(&None) {
                return Err(Error::BadSumOfOthers);
            }
            AggregateNonce::sum(&[public, *others])?
        }
    };
    Ok((public, session(&sum)?.sign_with(secret, id, nonce)?))
}
