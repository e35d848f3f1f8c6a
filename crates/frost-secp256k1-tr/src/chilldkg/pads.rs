//! Encryption of EncPedPop: a share plus a pad, which its sender and its recipient alone can make.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secp256k1, Secret};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::error::Error;
use super::host::{HostKey, HostPublicKey};
use super::params::{Params, id_of};
use super::{Point, Scalar};
use crate::taproot::tagged_hash;
use quorate_frost::session::PartyId;

/// The pads that a participant adds to its shares, in the order of the recipients: by Diffie-Hellman of its nonce and
/// each one's host key, and for itself by a hash of its own host key.
pub(super) fn sent(
    host: &HostKey,
    (nonce, public): (&Secret<Scalar>, &HostPublicKey),
    params: &Params,
    me: PartyId,
) -> Secret<Vec<Scalar>> {
    let context = params.context();
    let recipients = params.points().zip(params.host_keys());
    let pads = recipients.map(|((to, point), key)| {
        if to == me {
            own(host, public, me, &context)
        } else {
            shared(point, nonce, [public, key], to, &context)
        }
    });
    collect(params.count(), pads)
}

/// The pads that a participant takes off, in the order of the senders.
///
/// # Errors
/// [`Error::BadNonce`] of the first other participant whose nonce is no point.
pub(super) fn received(
    host: &HostKey,
    nonces: &[HostPublicKey],
    params: &Params,
    me: PartyId,
) -> Result<Secret<Vec<Scalar>>, Error> {
    let context = params.context();
    let senders = || params.parties().iter().zip(nonces);
    let mut points = Vec::with_capacity(params.count());
    for (of, nonce) in senders() {
        // A party's own nonce is compared with what it sent, and never decoded.
        let point = Secp256k1::decode_point(nonce);
        let own = (of == me).then(Secp256k1::identity);
        points.push(own.or(point).ok_or(Error::BadNonce { of })?);
    }
    let pads = senders().zip(&points).map(|((from, nonce), point)| {
        if from == me {
            own(host, nonce, me, &context)
        } else {
            shared(point, host.scalar(), [nonce, host.public()], me, &context)
        }
    });
    Ok(collect(params.count(), pads))
}

/// A list in one block, made before there is anything in it.
fn collect(count: usize, pads: impl Iterator<Item = Secret<Scalar>>) -> Secret<Vec<Scalar>> {
    let mut list = Secret::new(Vec::with_capacity(count));
    pads.for_each(|pad| list.expose_mut().push(*pad.expose()));
    list
}

/// The pad of two participants. It is a hash of the Diffie-Hellman point of one's secret and the other's public
/// key, the sender's nonce, the recipient's host key, the recipient and the context.
fn shared(
    point: &Point,
    secret: &Secret<Scalar>,
    [nonce, key]: [&HostPublicKey; 2],
    to: PartyId,
    context: &[u8],
) -> Secret<Scalar> {
    Secret::make(|| {
        let point = Secp256k1::mul(point, secret.expose());
        let point = Zeroizing::new(Secp256k1::encode_point(&point));
        let point: Zeroizing<[u8; 32]> = Zeroizing::new(Sha256::digest(point.as_slice()).into());
        let to = id_of(to);
        tagged_hash("BIP DKG/encpedpop ecdh", [point.as_slice(), nonce, key, &to, context])
    })
}

/// The pad of a participant for itself.
fn own(host: &HostKey, nonce: &HostPublicKey, me: PartyId, context: &[u8]) -> Secret<Scalar> {
    Secret::make(|| {
        let to = id_of(me);
        let tag = "BIP DKG/encaps_multi self_pad";
        tagged_hash(tag, [host.seed().as_slice(), nonce, &to, context])
    })
}
