//! The wallet test vectors of BIP-341: output keys, and spending by the key path.

use quorate::Parties;
use quorate::frost::generic::curve::{Curve, Secp256k1};
use quorate::frost::generic::{Dealing, KeyShare, KeySuite};
use quorate::frost::secp256k1_tr::{Secp256k1Taproot, Signature, TaprootInternal, XOnly};
use sha2::{Digest, Sha256};

use crate::data::{Record, hex, records};
use crate::group::{Group, rng, sign};
use crate::outside;

/// BIP-340's tagged hash.
pub(crate) fn tagged(tag: &str, message: &[u8]) -> [u8; 32] {
    let tag = Sha256::digest(tag);
    Sha256::digest([tag.as_slice(), tag.as_slice(), message].concat()).into()
}

fn vectors() -> Vec<Record<'static>> {
    let all = records(include_str!("data/bip341.txt"));
    assert_eq!(all.len(), 7);
    all
}

fn merkle_root(record: &Record<'_>) -> Option<[u8; 32]> {
    (!record.text("merkle_root").is_empty()).then(|| record.array("merkle_root"))
}

fn dealt<S: KeySuite>(record: &Record<'_>, secret: &str) -> Group<S> {
    let parties = Parties::numbered(3).unwrap();
    Group::of(Dealing::import(&record.bytes(secret), 2, &parties, &mut rng(5)).unwrap())
}

pub(crate) fn tweaked(
    group: &Group<TaprootInternal>,
    root: Option<[u8; 32]>,
) -> Group<Secp256k1Taproot> {
    let tweak = |share: &KeyShare<TaprootInternal>| share.tweak(&group.public, root).unwrap();
    let shares = group.shares.iter().map(tweak).collect();
    Group { shares, public: group.public.tweak(root).unwrap() }
}

#[test]
fn output_keys() {
    for record in vectors() {
        let group = dealt::<TaprootInternal>(&record, "internal_secret_key");
        assert_eq!(hex(&group.public.x_only()), record.text("internal_public_key"));
        let preimage = [record.bytes("internal_public_key"), record.bytes("merkle_root")].concat();
        assert_eq!(hex(&tagged("TapTweak", &preimage)), record.text("tweak"));
        let tweak = Secp256k1::decode_scalar(&record.bytes("tweak")).unwrap();
        let internal = group.public.verifying_key();
        let by_hand =
            Secp256k1::decode_point(internal.as_bytes()).unwrap() + Secp256k1::mul_base(&tweak);

        let group = tweaked(&group, merkle_root(&record));
        let by_hand = Secp256k1::encode_point(&by_hand);
        assert_eq!(group.public.verifying_key().as_bytes()[1..], by_hand[1..]);
        assert_eq!(hex(&group.public.x_only()), record.text("output_key"));
        assert_eq!(group.public.verifying_key().as_bytes()[0], 2);
        for share in &group.shares {
            assert_eq!(share.x_only(), group.public.x_only());
            assert_eq!(Some(share.verifying_share()), group.public.verifying_share(share.id()));
            let stored = share.to_bytes();
            let stored = KeyShare::<Secp256k1Taproot>::from_bytes(&stored, &group.public).unwrap();
            assert_eq!(*stored.to_bytes(), *share.to_bytes());
        }
    }
}

/// 2·f(1) − f(2) = f(0): the shares hold BIP-341's tweaked secret key, or its negative.
#[test]
fn tweaked_secret_keys() {
    for record in vectors() {
        let group = tweaked(&dealt(&record, "internal_secret_key"), merkle_root(&record));
        let secret = |at: usize| *group.shares[at].secret_share().secret().expose();
        let found = secret(0) + secret(0) - secret(1);
        let expected = Secp256k1::decode_scalar(&record.bytes("tweaked_secret_key")).unwrap();
        assert!(found == expected || found == -expected);
        let imported = dealt::<Secp256k1Taproot>(&record, "tweaked_secret_key");
        assert_eq!(imported.public.verifying_key(), group.public.verifying_key());
    }
}

#[test]
fn key_path_spending() {
    for record in vectors() {
        let group = tweaked(&dealt(&record, "internal_secret_key"), merkle_root(&record));
        let (output_key, sighash) = (record.bytes("output_key"), record.bytes("sighash"));
        // The wallet's own signature, and one of each pair of signers.
        let theirs = Signature::from_bytes(&record.bytes("signature")).unwrap();
        group.public.verifying_key().verify(&sighash, &theirs).unwrap();
        let ids = group.ids();
        for signers in [[ids[0], ids[1]], [ids[0], ids[2]], [ids[1], ids[2]]] {
            let signature = sign(&group, &signers, &sighash, &mut rng(6)).to_bytes();
            assert_eq!(outside::bip340(&output_key, &sighash, &signature), (true, true));
        }
    }
}
