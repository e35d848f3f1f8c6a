//! Key shares of cggmp24 and of cggmp21.

use quorate_curve::Curve;
use quorate_keys::migrate::cggmp24::{Cggmp24, Inherited, key_info, key_share};
use quorate_keys::migrate::{MigrateError, Migrated};
use quorate_keys::session::PartyId;
use quorate_keys::{CommitteeError, PackageId};

use quorate_testkit::hex;

use crate::families::{EcdsaP256, EcdsaSecp256k1, Fixture, Pairs, number};
use crate::text::{digits, members, object, replaced, rewritten, wrong_members};
use crate::{one_key, same};

/// A family whose extra data is what the file contained.
trait Ecdsa: Fixture<Extra = Inherited> + Cggmp24 {}

impl<F: Fixture<Extra = Inherited> + Cggmp24> Ecdsa for F {}

fn migrated<F: Ecdsa>(key: &str) -> Vec<Migrated<F>> {
    let read = |place| {
        let json = F::FILE.line(&format!("{key}/{place}"));
        let migrated = key_share::<F>(json.as_bytes()).unwrap();
        assert_eq!(migrated.share.id().get(), place);
        // Their shares are ours, except for the factor of those without a polynomial: 1/3, −1/3 and 1.
        let found = hex(F::Curve::encode_scalar(migrated.share.secret().expose()).as_ref());
        assert_eq!(found == digits(json, "x"), key != "no-polynomial" || place == 3);
        migrated
    };
    (1..=3).map(read).collect()
}

fn every_key<F: Ecdsa>() {
    for (key, threshold, has_code) in [
        ("threshold", 2, true),
        ("no-chain-code", 2, false),
        ("no-polynomial", 3, true),
        ("cggmp21", 2, true),
    ] {
        let parts = migrated::<F>(key);
        let shared = one_key(&parts, threshold);
        let json = F::FILE.line(&format!("{key}/1"));
        let ours = hex(F::Curve::encode_point(shared.key()).as_ref());
        assert_eq!(ours, digits(json, "shared_public_key"));
        let code = shared.extra().chain_code;
        assert_eq!(code.is_some(), has_code);
        assert!(code.is_none_or(|code| hex(&code) == digits(json, "chain_code")));
    }
    let (whole, bare) = (F::FILE.line("whole/1"), F::FILE.line("threshold/1"));
    assert!(whole.starts_with("{\"core\":{") && whole.contains("\"aux\":{"));
    let [whole, bare] = [whole, bare].map(|json| key_share::<F>(json.as_bytes()).unwrap());
    assert!(same(&whole, &bare), "aux-info says nothing about the share");
    for key in ["threshold", "no-polynomial"] {
        let json = F::FILE.line(&format!("{key}/public"));
        let public = key_info::<F>(json.as_bytes()).unwrap();
        assert!(public == migrated::<F>(key)[0].public);
    }
}

/// The common digests of two keys differ, even if one polynomial would do for both.
#[test]
fn what_is_common_is_of_one_key_only() {
    let all = ["threshold", "no-chain-code", "no-polynomial", "cggmp21"];
    let found = all.map(|key| migrated::<EcdsaSecp256k1>(key)[0].public.extra().common);
    let json = EcdsaSecp256k1::FILE.line("threshold/1");
    let without = replaced(json, digits(json, "chain_code"), &"00".repeat(32));
    let other = key_share::<EcdsaSecp256k1>(without.as_bytes()).unwrap();
    let mut found: Vec<_> = found.into_iter().chain([other.public.extra().common]).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), 5);
}

fn refused<F: Ecdsa, Other: Ecdsa>() {
    let text = F::FILE.line("threshold/1");
    let error = |json: &str| key_share::<F>(json.as_bytes()).err();
    let wrong = MigrateError::WrongSuite { expected: F::CURVE };
    for key in ["threshold/1", "no-polynomial/1", "whole/1", "cggmp21/3"] {
        assert_eq!(error(Other::FILE.line(key)), Some(wrong));
    }
    let second = F::FILE.line("threshold/2");
    let with = |name: &str, to: &str| error(&replaced(text, digits(text, name), to));
    let scalar = |value| hex(&number::<F::Curve>(value));
    assert_eq!(with("x", digits(second, "x")), Some(MigrateError::WrongSecret));
    assert_eq!(with("x", &scalar(0)), Some(MigrateError::WrongSecret));
    for wrong in ["ff".repeat(32), "00".repeat(31), scalar(1).replace('0', "O")] {
        assert_eq!(with("x", &wrong), Some(MigrateError::BadScalar("x")));
    }
    for wrong in
        ["00".repeat(33), "02".repeat(32), "04".repeat(65), format!("05{}", "11".repeat(32))]
    {
        assert_eq!(
            with("shared_public_key", &wrong),
            Some(MigrateError::BadPoint("shared_public_key"))
        );
    }
    for wrong in ["", "00", &"00".repeat(33), &"zz".repeat(32)] {
        assert_eq!(with("chain_code", wrong), Some(MigrateError::BadChainCode));
    }
    // Index 1 is the second party's. Index 3 would be a fourth party's.
    assert_eq!(error(&replaced(text, "\"i\":0", "\"i\":1")), Some(MigrateError::WrongSecret));
    assert_eq!(error(&replaced(text, "\"i\":0", "\"i\":3")), Some(MigrateError::NoSuchIndex(3)));
    let key = F::FILE.line("cggmp21/1");
    let other = digits(key, "shared_public_key");
    assert_eq!(with("shared_public_key", other), Some(MigrateError::WrongShares));
    let sum = F::FILE.line("no-polynomial/1");
    let wrong = replaced(sum, digits(sum, "shared_public_key"), other);
    assert_eq!(error(&wrong), Some(MigrateError::WrongShares));
    setups::<F>(text);
    shares::<F>(text);
}

/// Thresholds and places.
fn setups<F: Ecdsa>(text: &str) {
    let error = |json: &str| key_share::<F>(json.as_bytes()).err();
    for (threshold, expected) in [
        (0, CommitteeError::Threshold { threshold: 0, parties: 3 }.into()),
        (1, CommitteeError::Threshold { threshold: 1, parties: 3 }.into()),
        (3, MigrateError::WrongShares),
        (4, CommitteeError::Threshold { threshold: 4, parties: 3 }.into()),
    ] {
        let wrong = replaced(text, "\"min_signers\":2", &format!("\"min_signers\":{threshold}"));
        assert_eq!(error(&wrong), Some(expected));
    }
    let place = |value| format!("\"{}\"", hex(&number::<F::Curve>(value)));
    let three = format!("[{},{},{}]", place(1), place(2), place(3));
    let with =
        |places: &[String]| error(&replaced(text, &three, &format!("[{}]", places.join(","))));
    let second = PartyId::new(2).unwrap();
    assert_eq!(with(&[place(1), place(2), place(2)]), Some(MigrateError::RepeatedParty(second)));
    assert_eq!(with(&[place(2), place(1), place(3)]), Some(MigrateError::WrongShares));
    let count = |places| Some(MigrateError::Count { shares: 3, places });
    assert_eq!(with(&[place(1), place(2)]), count(2));
    assert_eq!(with(&[]), count(0));
    assert_eq!(with(&[place(1), place(2), place(3), place(4)]), count(4));
    for value in [0, 65_536] {
        assert_eq!(with(&[place(value), place(2), place(3)]), Some(MigrateError::BadIdentifier));
    }
    let all = format!("\"{}\"", "ff".repeat(32));
    assert_eq!(with(&[all, place(2), place(3)]), Some(MigrateError::BadScalar("I")));
    // As older releases wrote it.
    let long =
        |curve: &str, value| format!("{{\"curve\":\"{curve}\",\"scalar\":{}}}", place(value));
    assert_eq!(with(&[long(F::CURVE, 1), place(2), long(F::CURVE, 3)]), None);
    let wrong = Some(MigrateError::WrongSuite { expected: F::CURVE });
    assert_eq!(with(&[long("ed25519", 1), place(2), place(3)]), wrong);
    for (name, short) in
        [("curve", "{\"scalar\":\"01\"}"), ("scalar", &format!("{{\"curve\":\"{}\"}}", F::CURVE))]
    {
        assert_eq!(with(&[short.to_owned()]), Some(MigrateError::MissingField(name)));
    }
}

/// Verifying shares.
fn shares<F: Ecdsa>(text: &str) {
    let error = |json: &str| key_share::<F>(json.as_bytes()).err();
    let all = members(text).into_iter().find(|one| one.starts_with("\"public_shares\"")).unwrap();
    let list: Vec<_> = all.split('"').filter(|part| part.len() == 66).collect();
    let with = |list: &[&str]| {
        let list = list.iter().map(|one| format!("\"{one}\"")).collect::<Vec<_>>().join(",");
        error(&replaced(text, all, &format!("\"public_shares\":[{list}]")))
    };
    let [one, two, three] = [list[0], list[1], list[2]];
    assert_eq!(with(&[one, two, three]), None);
    assert_eq!(with(&[one, three, two]), Some(MigrateError::WrongShares));
    assert_eq!(with(&[one, two, one]), Some(MigrateError::WrongShares));
    assert_eq!(with(&[one, two]), Some(MigrateError::Count { shares: 2, places: 3 }));
    let neutral = "00".repeat(33);
    assert_eq!(with(&[one, two, &neutral]), Some(MigrateError::BadPoint("public_shares")));
    // Two of three places determine the same key, so the share of the third is not used.
    let (places, sum) = (members(text), F::FILE.line("no-polynomial/1"));
    let no_setup: Vec<_> = places.into_iter().filter(|one| !one.starts_with("\"vss")).collect();
    assert_eq!(error(&object(&no_setup)), Some(MigrateError::WrongShares), "these do not add up");
    let setup = members(text).into_iter().find(|one| one.starts_with("\"vss")).unwrap();
    let with_setup = replaced(sum, "\"public_shares\"", &format!("{setup},\"public_shares\""));
    assert_eq!(error(&with_setup), Some(MigrateError::WrongShares), "these are on no line");
}

#[test]
fn json_is_read_strictly() {
    type F = EcdsaSecp256k1;
    let error = |json: &str| key_share::<F>(json.as_bytes()).err();
    let info = |json: &str| key_info::<F>(json.as_bytes()).err();
    let (share, public) = (F::FILE.line("threshold/1"), F::FILE.line("threshold/public"));
    let whole = F::FILE.line("whole/1");
    for json in [share, whole] {
        assert_eq!(error(&rewritten(json)), None);
    }
    assert_eq!(info(&rewritten(public)), None);
    assert!(
        matches!(info(share), Some(MigrateError::UnknownField { .. })),
        "a share is not public"
    );
    assert!(matches!(info(whole), Some(MigrateError::UnknownField { .. })));
    assert_eq!(error(public), Some(MigrateError::MissingField("i")));
    for (name, json, twice) in wrong_members(share) {
        let expected = match (name.as_str(), twice) {
            ("chain_code", false) => None,
            ("vss_setup", false) => Some(MigrateError::WrongShares),
            (_, true) => Some(MigrateError::RepeatedField(name.leak())),
            (_, false) => Some(MigrateError::MissingField(name.leak())),
        };
        assert_eq!(error(&json), expected);
    }
    for (name, json, twice) in wrong_members(whole) {
        let name: &'static str = name.leak();
        let expected = if twice {
            MigrateError::RepeatedField(name)
        } else {
            MigrateError::MissingField(name)
        };
        assert_eq!(error(&json), Some(expected));
    }
    let mixed = replaced(whole, "\"aux\"", "\"i\":0,\"aux\"");
    assert_eq!(error(&mixed), Some(MigrateError::RepeatedField("core")));
    let unknown = replaced(share, "{", "{\"one\":1,");
    assert_eq!(error(&unknown), Some(MigrateError::UnknownField { at: 7 }));
    let null = replaced(share, &format!("\"{}\"", digits(share, "chain_code")), "null");
    assert_eq!(error(&null), None);
    for length in 0..share.len() {
        assert_eq!(error(&share[..length]), Some(MigrateError::Truncated));
    }
    assert_eq!(error(&format!("{share} {{}}")), Some(MigrateError::TrailingBytes));
}

/// Only the brackets matter in a skipped value.
#[test]
fn aux_info_is_passed_over() {
    type F = EcdsaP256;
    let core = F::FILE.line("threshold/2");
    let error =
        |aux: &str| key_share::<F>(format!("{{\"aux\":{aux},\"core\":{core}}}").as_bytes()).err();
    for aux in
        ["{}", "[]", "null", "true", "false", "-1.5e+3", "\"\"", "{\"a\":[{\"b\":[1,\"c\"]}]}"]
    {
        assert_eq!(error(aux), None, "{aux}");
    }
    for aux in ["", "nul", "truefalse", "{1:2}", "[1 2]", "'a'", "[1,]", "{\"a\":}", "]"] {
        assert!(matches!(error(aux), Some(MigrateError::Syntax { .. })), "{aux}");
    }
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(error(&nested(16)), None);
    assert!(matches!(error(&nested(17)), Some(MigrateError::Syntax { .. })));
    assert!(matches!(error(&"[".repeat(1 << 20)), Some(MigrateError::Syntax { .. })));
}

#[test]
fn a_family_may_have_fewer_parties() {
    for key in ["threshold/1", "no-polynomial/1"] {
        let found = key_share::<Pairs>(Pairs::FILE.line(key).as_bytes()).err();
        assert_eq!(found, Some(CommitteeError::TooMany { most: 2, got: 3 }.into()));
    }
}

/// A changed byte is refused, or changes only the case of digits, the chain code, or spaces.
#[test]
fn every_byte_counts() {
    type F = EcdsaSecp256k1;
    let share = F::FILE.line("threshold/1").as_bytes();
    let right = key_share::<F>(share).unwrap();
    let id = |one: &Migrated<F>| -> PackageId { one.public.package_id() };
    for at in 0..share.len() {
        let mut altered = share.to_vec();
        altered[at] ^= 1;
        if let Ok(found) = key_share::<F>(&altered) {
            assert!(found.share.verifying_share() == right.share.verifying_share());
            assert!(id(&found) != id(&right), "byte {at}");
            assert!(found.public.extra().chain_code != right.public.extra().chain_code);
        }
    }
}

macro_rules! curves {
    ($($name:ident: $family:ty, $other:ty;)*) => {
        $(mod $name {
            #[test]
            fn keys_are_taken_from_every_form() {
                super::every_key::<$family>();
            }

            #[test]
            fn what_does_not_fit_is_refused_by_name() {
                super::refused::<$family, $other>();
            }
        })*
    };
}

curves! {
    secp256k1: crate::families::EcdsaSecp256k1, crate::families::EcdsaP256;
    p256: crate::families::EcdsaP256, crate::families::EcdsaSecp256k1;
}
