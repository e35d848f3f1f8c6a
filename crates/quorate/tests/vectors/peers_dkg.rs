//! A key generation of another implementation: the same polynomials give the same commitments,
//! shares and key here, and its keys can be imported and signed with.

use core::ops::Neg;

use quorate::frost as suites;
use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{Ciphersuite, DecodeError, KeyShare, PublicKeyPackage, Scalar};
use quorate::{Parties, PartyId};
use quorate_sharing::{Commitment, Polynomial};

use crate::bip341::tagged;
use crate::data::{Record, hex, id, records};
use crate::group::{Group, rng, sign};
use crate::outside::Outside;

fn algebra<S: Ciphersuite>(group: &Record<'_>, parties: &[Record<'_>]) {
    let scalar = |bytes: &[u8]| S::Curve::decode_scalar(bytes).unwrap();
    let polynomials: Vec<(PartyId, Polynomial<S::Curve>)> = parties
        .iter()
        .map(|record| {
            let coefficients = ["constant", "coefficient"].map(|name| scalar(&record.bytes(name)));
            (record.id(), Polynomial::from_coefficients(coefficients.to_vec()))
        })
        .collect();
    let commitments: Vec<Commitment<S::Curve>> =
        polynomials.iter().map(|(_, polynomial)| polynomial.commit()).collect();
    for (record, commitment) in parties.iter().zip(&commitments) {
        let mut bytes = Vec::new();
        commitment.encode_into(&mut bytes);
        assert_eq!(hex(&bytes), record.text("commitment"));
        assert!(Commitment::<S::Curve>::decode(&bytes, 2).unwrap() == *commitment);
    }

    let sum = Commitment::sum(&commitments).unwrap();
    let (negated, tweak) = default_tweak::<S>(sum.bytes()[0].as_ref());
    let key = signed(*sum.constant(), negated) + S::Curve::mul_base(&tweak);
    assert_eq!(hex(S::Curve::encode_point(&key).as_ref()), group.text("group_public_key"));
    for record in parties {
        let me = record.id();
        let mut share = scalar(&vec![0; record.bytes("signing_share").len()]);
        for ((from, polynomial), commitment) in polynomials.iter().zip(&commitments) {
            let part = polynomial.evaluate(me);
            assert!(commitment.verify_share_vartime(me, &part));
            if *from != me {
                let name = format!("from_{}", from.get());
                assert_eq!(hex(S::Curve::encode_scalar(&part).as_ref()), record.text(&name));
            }
            share = share + part;
        }
        assert!(sum.verify_share_vartime(me, &share));
        let share = signed(share, negated) + tweak;
        assert_eq!(hex(S::Curve::encode_scalar(&share).as_ref()), record.text("signing_share"));
        let point = signed(sum.evaluate_vartime(me), negated) + S::Curve::mul_base(&tweak);
        assert_eq!(hex(S::Curve::encode_point(&point).as_ref()), record.text("verifying_share"));
    }
}

/// For Taproot, whose keys that implementation tweaks as we do: whether the sign changes before
/// the tweak, and the tweak. Else nothing.
fn default_tweak<S: Ciphersuite>(key: &[u8]) -> (bool, Scalar<S>) {
    if !S::EVEN_Y {
        return (false, Scalar::<S>::default());
    }
    let tweak = S::Curve::decode_scalar(&tagged("TapTweak", &key[1..])).unwrap();
    (key[0] == 3, tweak)
}

fn signed<T: Neg<Output = T>>(value: T, negated: bool) -> T {
    if negated { -value } else { value }
}

fn check<S: Outside>(text: &str) {
    let all = records(text);
    let (group, parties) = all.split_first().unwrap();
    algebra::<S>(group, parties);

    let public_shares: Vec<Vec<u8>> =
        parties.iter().map(|record| record.bytes("verifying_share")).collect();
    let key = group.bytes("group_public_key");
    let set = || Parties::new(parties.iter().map(Record::id)).unwrap();
    let public = PublicKeyPackage::<S>::from_parts(2, 0, set(), &key, &public_shares).unwrap();
    let import = |who: PartyId, from: &Record<'_>| {
        KeyShare::import(who, &from.bytes("signing_share"), &public)
    };
    let error = import(id(1), &parties[1]).unwrap_err();
    assert!(matches!(error, DecodeError::Inconsistent(_)), "{error}");
    let of_threshold_3 = PublicKeyPackage::<S>::from_parts(3, 0, set(), &key, &public_shares);
    assert_eq!(of_threshold_3.unwrap_err(), DecodeError::BadPoint, "a line is no parabola");
    let swapped = [&public_shares[1], &public_shares[0], &public_shares[2]];
    let error = PublicKeyPackage::<S>::from_parts(2, 0, set(), &key, &swapped).unwrap_err();
    assert!(matches!(error, DecodeError::Inconsistent(_)), "{error}");

    let shares = parties.iter().map(|record| import(record.id(), record).unwrap()).collect();
    let group = Group { shares, public };
    for signers in [[1, 2], [1, 3], [2, 3]] {
        let signers = signers.map(id);
        let signature = sign(&group, &signers, b"imported", &mut rng(signers.len() as u8));
        let key = group.public.verifying_key().as_bytes().as_ref();
        assert!(S::holds(key, b"imported", signature.to_bytes().as_ref()));
    }
}

macro_rules! vectors {
    ($($name:ident, $suite:ty;)*) => {
        $(
            #[test]
            fn $name() {
                check::<$suite>(include_str!(concat!("data/dkg_", stringify!($name), ".txt")));
            }
        )*
    };
}

vectors! {
    ed25519, suites::ed25519::Ed25519Sha512;
    ed448, suites::ed448::Ed448Shake256;
    ristretto255, suites::ristretto255::Ristretto255Sha512;
    p256, suites::p256::P256Sha256;
    secp256k1, suites::secp256k1::Secp256k1Sha256;
    secp256k1_tr, suites::secp256k1_tr::Secp256k1Taproot;
}
