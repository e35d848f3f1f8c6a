//! A signer written out from RFC 9591, to compare with and to attack with. It shares only the hashes and
//! the group with the crates.

use quorate::PartyId;
use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::hash::SuiteHash;
use quorate::frost::generic::{Ciphersuite, KeyShare, NonceBatch, Point, Scalar, SigningPackage};

use super::cheat::scalar_bytes;
use super::harness::{seal_key, unsealed_batch};
use quorate_testkit::encodings::{encoded, point_len, scalar_len};

/// The pair of secret nonces in a batch of one.
pub fn nonces<S: Ciphersuite>(batch: &NonceBatch<S>) -> [Scalar<S>; 2] {
    let plain = unsealed_batch::<S>(&batch.seal(&seal_key()));
    let scalars = &plain[plain.len() - 2 * scalar_len::<S::Curve>()..];
    let (d, e) = scalars.split_at(scalar_len::<S::Curve>());
    [d, e].map(|bytes| S::Curve::decode_scalar(bytes).unwrap())
}

/// The signing share of a key share.
pub fn secret<S: Ciphersuite>(share: &KeyShare<S>) -> Scalar<S> {
    *share.secret_share().secret().expose()
}

/// The values that a package and a key fix.
pub struct Terms<S: Ciphersuite> {
    /// ρ of each signer.
    pub factors: Vec<Scalar<S>>,
    /// `true` if the group commitment is odd where it must be even.
    pub negated: bool,
    pub challenge: Scalar<S>,
}

/// The list that binding factors hash: (i, D, E) of each signer.
type Entry = (PartyId, Vec<u8>, Vec<u8>);

pub fn entries<S: Ciphersuite>(package: &SigningPackage<S>) -> Vec<Entry> {
    let entry = |party: &PartyId| {
        let one = package.commitments_of(*party).unwrap();
        (*party, one.hiding().as_ref().to_vec(), one.binding().as_ref().to_vec())
    };
    package.signers().iter().map(entry).collect()
}

fn place<S: Ciphersuite>(party: PartyId) -> Scalar<S> {
    u64::from(party.get()).into()
}

/// ρ_i (§4.4).
pub fn factors<S: Ciphersuite>(key: &[u8], message: &[u8], list: &[Entry]) -> Vec<Scalar<S>> {
    let encoded: Vec<u8> = list
        .iter()
        .flat_map(|(party, d, e)| [scalar_bytes::<S>(&place::<S>(*party)), d.clone(), e.clone()])
        .flatten()
        .collect();
    let factor = |(party, ..): &Entry| {
        let mut hash = S::h1();
        hash.update(key);
        hash.update(S::h4(message).as_ref());
        hash.update(S::h5([&encoded[..]]).as_ref());
        hash.update(&scalar_bytes::<S>(&place::<S>(*party)));
        hash.finish::<S::Curve>()
    };
    list.iter().map(factor).collect()
}

/// Computes the terms (§4.4 to §4.6).
pub fn terms<S: Ciphersuite>(key: &[u8], package: &SigningPackage<S>) -> Terms<S> {
    let list = entries(package);
    let factors = factors::<S>(key, package.message(), &list);
    let decode = |bytes: &[u8]| S::Curve::decode_point(bytes).unwrap();
    let r: Point<S> =
        list.iter().zip(&factors).fold(S::Curve::identity(), |sum, ((_, d, e), rho)| {
            sum + decode(d) + S::Curve::mul(&decode(e), rho)
        });
    let negated = S::EVEN_Y && encoded::<S::Curve>(&r)[0] == 3;
    let r = S::Curve::encode_point(&if negated { -r } else { r });
    let key = <[u8]>::as_ref(key).try_into().map_err(|_| point_len::<S::Curve>()).unwrap();
    let challenge = S::challenge(&r, &key, package.message());
    Terms { factors, negated, challenge }
}

/// λ_i (§4.2).
pub fn lambda<S: Ciphersuite>(signers: &[PartyId], me: PartyId) -> Scalar<S> {
    let others = signers.iter().filter(|other| **other != me).map(|other| place::<S>(*other));
    let (top, bottom) = others
        .fold((Scalar::<S>::from(1), Scalar::<S>::from(1)), |(top, bottom), x| {
            (top * x, bottom * (x - place::<S>(me)))
        });
    top * S::Curve::invert(&bottom)
}

/// z_i (§5.2).
pub fn share<S: Ciphersuite>(
    key: &KeyShare<S>,
    package: &SigningPackage<S>,
    [d, e]: [Scalar<S>; 2],
) -> Scalar<S> {
    let terms = terms::<S>(key.verifying_key().as_bytes().as_ref(), package);
    let at = package.signers().iter().position(|party| *party == key.id()).unwrap();
    let nonce = d + terms.factors[at] * e;
    let nonce = if terms.negated { -nonce } else { nonce };
    nonce + lambda::<S>(package.signers(), key.id()) * secret(key) * terms.challenge
}
