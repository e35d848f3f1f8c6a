//! Hardened children of FROST and ECDSA keys.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod common;

use common::{Shared, evaluate, id, made, reshared, rng, shared};
use quorate_cggmp::{Ecdsa, HardenedChild, KeyExtra, MessageDigest};
use quorate_curve::{Curve, Secp256k1};
use quorate_frost::{KeySuite, SigningPackage};
use quorate_frost_ed25519::{Ed25519Sha512, KeyShare, PublicKeyPackage};
use quorate_keys::single_point_of_failure::{export, import};
use quorate_keys::{Committee, Mismatch, Secret, SecretShare, SharedKey};
use quorate_prf::session::Parties;
use quorate_prf::{ChildError, ChildTweak, Kdf, Query, Ristretto255Sha512};
use quorate_testkit::ecdsa::{Group, release};

type Prf = Kdf<Ristretto255Sha512>;
type Frost = quorate_frost::Frost<Ed25519Sha512>;

/// The tweak that these parties derive.
fn tweak<F: quorate_keys::Family>(
    prf: &Shared<Prf>,
    parent: &SharedKey<F>,
    path: &[u32],
    parties: &[u16],
) -> ChildTweak<F> {
    let query = Query::hardened(&prf.public, parent, path).unwrap();
    let result = query.aggregate(&prf.public, &evaluate(prf, &query, parties)).unwrap();
    ChildTweak::new(&prf.public, &query, &result, parent, path).unwrap()
}

/// The public value of the child that parties 2 and 3 derive.
fn child(prf: &Shared<Prf>, parent: &Shared<Ed25519Sha512>, path: &[u32]) -> PublicKeyPackage {
    tweak(prf, parent.public.shared(), path, &[2, 3]).public(parent.public.shared(), ()).unwrap()
}

#[test]
fn a_child_of_a_frost_key_signs_as_an_ordinary_key() {
    let (prf, parent) = (shared::<Prf>(2, 3, 1), shared::<Ed25519Sha512>(2, 3, 2));
    let key = parent.public.shared();
    // Any two parties derive the same child.
    let public = child(&prf, &parent, &[44, 0, 7]);
    let other = tweak(&prf, key, &[44, 0, 7], &[2, 3]);
    assert_eq!(other.public(key, ()).unwrap().verifying_key(), public.verifying_key());
    let share =
        |party| -> KeyShare { other.key_share(key, parent.of(party).secret_share(), ()).unwrap() };
    let (one, three) = (share(1), share(3));
    let mut rng = rng(3);
    let (nonces, commitments): (Vec<_>, Vec<_>) =
        [&one, &three].map(|share| share.commit(&mut rng)).into_iter().unzip();
    let package = SigningPackage::new(&public, commitments, b"message").unwrap();
    let signed = [&one, &three].into_iter().zip(nonces);
    let signed: Vec<_> =
        signed.map(|(share, nonces)| share.sign(&package, nonces).unwrap()).collect();
    let signature = public.aggregate(&package, &signed).unwrap();
    assert!(public.verifying_key().verify(b"message", &signature).is_ok());
    assert!(parent.public.verifying_key().verify(b"message", &signature).is_err());
}

#[test]
fn children_differ_by_path_parent_and_prf_key() {
    let (prf, parent) = (shared::<Prf>(2, 3, 1), shared::<Ed25519Sha512>(2, 3, 2));
    let (other_prf, other) = (shared::<Prf>(2, 3, 3), shared::<Ed25519Sha512>(2, 3, 4));
    let difference = |prf, parent: &Shared<Ed25519Sha512>, path: &[u32]| {
        let child = child(prf, parent, path);
        *child.shared().key() - *parent.public.shared().key()
    };
    let all = [
        difference(&prf, &parent, &[]),
        difference(&prf, &parent, &[1]),
        difference(&prf, &parent, &[1, 0]),
        difference(&prf, &parent, &[0, 1]),
        // The same path of another parent: the tweak of one says nothing of the other.
        difference(&prf, &other, &[1]),
        // Another PRF key, as an outsider may have.
        difference(&other_prf, &parent, &[1]),
    ];
    for (at, one) in all.iter().enumerate() {
        assert!(!all[at + 1..].contains(one));
    }
}

#[test]
fn children_stay_when_either_key_is_reshared() {
    fn epochs<K: KeySuite>(seed: u64) -> [Shared<K>; 2] {
        let made = made::<K>(seed);
        let (new, public) = (reshared(&made), made[0].public.clone());
        [Shared { public, shares: made.into_iter().map(|one| one.share).collect() }, new]
    }
    let [prf, new_prf] = epochs::<Prf>(11);
    let [parent, new_parent] = epochs::<Ed25519Sha512>(12);
    let key = |prf, parent| *child(prf, parent, &[1, 2]).verifying_key();
    let expected = key(&prf, &parent);
    assert_eq!(key(&new_prf, &parent), expected);
    assert_eq!(key(&prf, &new_parent), expected);
    assert_eq!(key(&new_prf, &new_parent), expected);
}

/// A child's secret key and its tweak give the parent's secret key, as the documentation warns.
#[test]
fn a_child_and_its_tweak_are_the_parent() {
    let (prf, parent) = (shared::<Prf>(2, 3, 1), shared::<Ed25519Sha512>(2, 3, 2));
    let key = parent.public.shared();
    let tweak = tweak(&prf, key, &[5], &[1, 3]);
    let public = tweak.public(key, ()).unwrap();
    let shares: Vec<KeyShare> = [1, 2]
        .map(|party| tweak.key_share(key, parent.of(party).secret_share(), ()).unwrap())
        .into();
    let child = export(public.shared(), shares.iter().map(KeyShare::secret_share)).unwrap();
    let secrets = parent.shares.iter().map(quorate_frost::KeyShare::secret_share);
    let parents = export(key, secrets).unwrap();
    let difference = *public.shared().key() - *key.key();
    assert!(quorate_curve::Ed25519::mul_base(&(*child.expose() - *parents.expose())) == difference);
}

#[test]
fn a_tweak_is_for_one_parent_in_one_epoch_and_one_path() {
    let (prf, parent) = (shared::<Prf>(2, 3, 1), shared::<Ed25519Sha512>(2, 3, 2));
    let other = shared::<Ed25519Sha512>(2, 3, 4);
    let (key, other) = (parent.public.shared(), other.public.shared());
    let made = tweak(&prf, key, &[5], &[1, 3]);
    assert_eq!(made.public(other, ()).unwrap_err(), ChildError::Mismatch(Mismatch::WrongKey));
    let query = Query::hardened(&prf.public, key, &[5]).unwrap();
    let result = query.aggregate(&prf.public, &evaluate(&prf, &query, &[1, 2])).unwrap();
    let of = |parent: &SharedKey<Frost>, path: &[u32]| {
        ChildTweak::new(&prf.public, &query, &result, parent, path).map(drop)
    };
    assert_eq!(of(key, &[5]), Ok(()));
    assert_eq!(of(key, &[6]), Err(ChildError::OtherQuery));
    assert_eq!(of(other, &[5]), Err(ChildError::OtherQuery));
    assert_eq!(format!("{made:?}"), format!("ChildTweak {{ parent: {:?}, .. }}", key.package_id()));
}

/// The shares of an ECDSA key move as those of FROST: its child is `parent + tweak`, with a chain code of its own.
#[test]
fn a_child_of_an_ecdsa_key_is_shared_as_its_parent() {
    type Family = Ecdsa<Secp256k1>;
    let prf = shared::<Prf>(2, 3, 1);
    let committee = Committee::new(Parties::numbered(3).unwrap(), 2).unwrap();
    let extra = KeyExtra { chain_code: [1; 32], rid: [2; 32] };
    let secret = Secret::new(<Secp256k1 as Curve>::Scalar::from(77));
    let parent = import::<Family>(secret, committee, extra, &mut rng(5)).unwrap();
    let made = tweak(&prf, &parent.public, &[7], &[2, 3]);
    let extra = KeyExtra { chain_code: **made.chain_code(), rid: [2; 32] };
    let public = made.public(&parent.public, extra).unwrap();
    assert_ne!(public.chain_code(), &[1; 32]);
    let share = |share: &SecretShare<Family>| made.key_share(&parent.public, share, extra).unwrap();
    let shares: Vec<_> = parent.shares.iter().map(share).collect();
    assert_eq!(shares.iter().map(|share| share.id()).collect::<Vec<_>>(), [1, 2, 3].map(id));
    let secrets = shares.iter().skip(1).map(|share| share.secret_share());
    let child = export(public.shared(), secrets).unwrap();
    assert!(Secp256k1::mul_base(child.expose()) == *public.shared().key());
    assert!(public.shared().key() != parent.public.key());
}

/// Presignatures of the parent, made before anybody chose a child, sign for the child and its descendants.
#[test]
fn a_hardened_child_signs_with_presignatures_of_an_ecdsa_key() {
    let (prf, group) = (shared::<Prf>(2, 3, 1), Group::<Secp256k1>::of(&[1, 2, 3], 2));
    let presigned = group.presign(7, &[1, 3]);
    let info = presigned[0].info().clone();
    let parent = group.keys[0].public();
    // Each signer derives for itself.
    let child = |parties| {
        let tweak = tweak(&prf, parent.shared(), &[44, 0], parties);
        let extra = KeyExtra { chain_code: **tweak.chain_code(), rid: *parent.rid() };
        let shifted = tweak.shifted(parent.shared(), extra).unwrap();
        HardenedChild::new(&shifted, &"m/5".parse().unwrap()).unwrap()
    };
    let digest = MessageDigest::sha256(b"message");
    let shares = presigned.into_iter().zip([&[1, 2], &[2, 3]]).map(|(one, parties)| {
        let party = one.party_id();
        let claim = one.claim_hardened(group.key_of(party), &child(parties), digest).unwrap();
        (party, release(claim).to_bytes())
    });
    let shares: Vec<_> = shares.collect();
    let child = child(&[1, 3]);
    let signature = info.aggregate(&child, digest, shares).unwrap();
    assert!(child.verifying_key().verify(b"message", &signature).is_ok());
    assert!(parent.verifying_key().verify(b"message", &signature).is_err());
}
