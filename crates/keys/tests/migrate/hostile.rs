//! Files of more parties than can be checked in reasonable time. They are refused by their numbers, before a
//! point of them is decoded.

use core::fmt::Write;

use quorate_curve::Curve;
use quorate_keys::migrate::MigrateError;
use quorate_keys::migrate::cggmp24::{key_info, key_share};
use quorate_keys::migrate::frost::{FrostCore, key_package, public_key_package};
use quorate_keys::{Committee, CommitteeError, Family};
use quorate_testkit::hex;

use crate::families::{EcdsaSecp256k1, EcdsaWide, Fixture, FrostEd25519, FrostSecp256k1, number};
use crate::text::replaced;

/// Parties, threshold, the bound that the file exceeds, and the number that exceeds it.
const CASES: [(u16, u16, u64, u64); 2] = [
    // n·(n − t)
    (2100, 40, Committee::MOST_CHECKS, 2100 * 2060),
    // t²
    (725, 725, Committee::MOST_TERMS, 725 * 725),
];

fn too_large(most: u64, got: u64) -> Option<MigrateError> {
    Some(CommitteeError::TooLarge { most, got }.into())
}

/// The point that is used for every share: the generator, so that every encoding is right.
fn point<C: Curve>() -> String {
    hex(C::encode_point(&C::generator()).as_ref())
}

/// A public key package in JSON, whose parties are 1 to n.
fn package<F: FrostCore>(parties: u16, threshold: u16) -> String {
    let share = point::<F::Curve>();
    let mut shares = String::new();
    for party in 1..=parties {
        let comma = if party > 1 { "," } else { "" };
        let identifier = hex(&number::<F::Curve>(party.into()));
        write!(shares, "{comma}\"{identifier}\":\"{share}\"").unwrap();
    }
    let suite = F::CIPHERSUITE;
    format!(
        "{{\"header\":{{\"version\":0,\"ciphersuite\":\"{suite}\"}},\"verifying_shares\":{{{shares}}},\
         \"verifying_key\":\"{share}\",\"min_signers\":{threshold}}}"
    )
}

/// The package in postcard's form, with the header of an honest one.
fn binary<F: Fixture + FrostCore>(parties: u16, threshold: u16) -> Vec<u8> {
    let varint = |number: u16| {
        let seven = |shift: u16| (number >> shift & 0x7f) as u8;
        [seven(0) | 0x80, seven(7) | 0x80, seven(14)]
    };
    // The shortest form has no zero at its end.
    let short = |number: u16| match varint(number) {
        [low, _, 0] if number < 128 => vec![low & 0x7f],
        [low, high, 0] => vec![low, high & 0x7f],
        all => all.to_vec(),
    };
    let share = F::Curve::encode_point(&F::Curve::generator());
    let mut bytes = [&F::FILE.bytes("dealer0/public")[..5], &short(parties)].concat();
    for party in 1..=parties {
        bytes.extend(number::<F::Curve>(party.into()));
        bytes.extend_from_slice(share.as_ref());
    }
    [&bytes, share.as_ref(), &[1], &short(threshold)].concat()
}

#[test]
fn packages_of_many_parties_are_refused_before_they_are_checked() {
    type F = FrostSecp256k1;
    for (parties, threshold, most, got) in CASES {
        let json = package::<F>(parties, threshold);
        let found = public_key_package::<F>(json.as_bytes(), None);
        assert_eq!(found.err(), too_large(most, got), "{parties} {threshold}");
        let own = F::FILE.json("dealer0/1");
        let own = own.replace("\"min_signers\":2", &format!("\"min_signers\":{threshold}"));
        let found = key_package::<F>(own.as_bytes(), json.as_bytes());
        assert_eq!(found.err(), too_large(most, got), "{parties} {threshold}");
    }
    let found = public_key_package::<FrostEd25519>(&binary::<FrostEd25519>(8000, 2), Some(2));
    assert_eq!(found.err(), too_large(Committee::MOST_CHECKS, 8000 * 7998));
}

/// The largest numbers that are accepted: the shares are then checked, and are wrong.
#[test]
fn packages_within_the_bounds_are_checked() {
    type F = FrostEd25519;
    let right = format!("\"verifying_key\":\"{}", point::<<F as Family>::Curve>());
    let other = <F as Family>::Curve::mul_base(&2.into());
    let other = hex(<F as Family>::Curve::encode_point(&other).as_ref());
    let json = replaced(&package::<F>(512, 512), &right, &format!("\"verifying_key\":\"{other}"));
    assert_eq!(
        public_key_package::<F>(json.as_bytes(), None).err(),
        Some(MigrateError::WrongShares)
    );
}

/// A key of cggmp24 in JSON. Without a threshold it has no polynomial.
fn info(parties: u16, threshold: Option<u16>, more: &str) -> String {
    let share = point::<quorate_curve::Secp256k1>();
    let shares = vec![format!("\"{share}\""); parties.into()].join(",");
    let setup = match threshold {
        None => "null".to_owned(),
        Some(threshold) => {
            let place = |party: u16| {
                format!("\"{}\"", hex(&number::<quorate_curve::Secp256k1>(party.into())))
            };
            let places: Vec<_> = (1..=parties).map(place).collect();
            format!("{{\"min_signers\":{threshold},\"I\":[{}]}}", places.join(","))
        }
    };
    format!(
        "{{\"curve\":\"secp256k1\",{more}\"shared_public_key\":\"{share}\",\"public_shares\":[{shares}],\
         \"vss_setup\":{setup},\"chain_code\":null}}"
    )
}

#[test]
fn cggmp_keys_of_many_parties_are_refused_before_they_are_checked() {
    for (parties, threshold, most, got) in CASES {
        let all = threshold == parties;
        for setup in [Some(threshold), None].into_iter().take(1 + usize::from(all)) {
            let found = key_info::<EcdsaWide>(info(parties, setup, "").as_bytes());
            assert_eq!(found.err(), too_large(most, got), "{parties} {setup:?}");
            let x = hex(&number::<quorate_curve::Secp256k1>(1));
            let share = info(parties, setup, &format!("\"i\":0,\"x\":\"{x}\","));
            let found = key_share::<EcdsaWide>(share.as_bytes());
            assert_eq!(found.err(), too_large(most, got), "{parties} {setup:?}");
        }
    }
    let wrong = info(17, None, "").replace(",\"02", ",\"05");
    let found = key_info::<EcdsaSecp256k1>(wrong.as_bytes());
    assert_eq!(found.err(), Some(CommitteeError::TooMany { most: 16, got: 17 }.into()));
}
