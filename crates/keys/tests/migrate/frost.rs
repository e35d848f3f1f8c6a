//! Key packages of the frost-* crates.

use quorate_curve::Curve;
use quorate_keys::CommitteeError;
use quorate_keys::migrate::frost::{FrostCore, key_package, public_key_package};
use quorate_keys::migrate::{MigrateError, Migrated};

use quorate_testkit::hex;

use crate::families::{
    File, Fixture, FrostEd448, FrostEd25519, FrostP256, FrostRistretto255, FrostSecp256k1,
    FrostTaproot, number,
};
use crate::text::{digits, members, object, replaced, rewritten, wrong_members};
use crate::{one_key, same};

/// Both forms of a key, as the parties have it.
fn migrated<F: Fixture + FrostCore>(key: &str) -> Vec<Migrated<F>> {
    let file = F::FILE;
    let public = [file.bytes(&format!("{key}/public")), file.json(&format!("{key}/public")).into()];
    // From frost-core 2: without the threshold, which the key package has.
    let old = [file.bytes(&format!("{key}/public2")), file.json(&format!("{key}/public2")).into()];
    let read = |place: u16| {
        let one = file.bytes(&format!("{key}/{place}"));
        let text = file.json(&format!("{key}/{place}")).into_bytes();
        let first = key_package::<F>(&one, &public[0]).unwrap();
        for public in public.iter().chain(&old) {
            assert!(same(&first, &key_package(&text, public).unwrap()));
            assert!(same(&first, &key_package(&one, public).unwrap()));
        }
        first
    };
    let parts: Vec<_> = (1..=3).map(read).collect();
    for public in &public {
        assert!(public_key_package::<F>(public, None).unwrap() == parts[0].public);
    }
    for old in &old {
        assert!(public_key_package::<F>(old, Some(2)).unwrap() == parts[0].public);
    }
    parts
}

fn every_key<F: Fixture + FrostCore>() {
    for key in ["dealer0", "dealer1", "dkg0", "dkg1", "sparse", "refreshed"] {
        let parts = migrated::<F>(key);
        let shared = one_key(&parts, 2);
        let parties: Vec<_> = shared.parties().iter().map(|party| party.get()).collect();
        assert_eq!(parties, if key == "sparse" { [2, 300, 65_535] } else { [1, 2, 3] });
        let theirs = F::FILE.json(&format!("{key}/public"));
        let ours = hex(F::Curve::encode_point(shared.key()).as_ref());
        let theirs = digits(&theirs, "verifying_key");
        // Taproot's keys change their sign, and have even y.
        let sign = if F::NAME == FrostTaproot::NAME { 2 } else { 0 };
        assert_eq!(ours[sign..], theirs[sign..]);
        assert!(sign == 0 || ours.starts_with("02"));
    }
    let [one, two] = ["dealer0", "refreshed"].map(|key| migrated::<F>(key)[0].public.clone());
    assert!(one.key() == two.key() && one.package_id() != two.package_id());
}

macro_rules! every_suite {
    ($($name:ident: $family:ident;)*) => {
        $(mod $name {
            #[test]
            fn keys_are_taken_from_every_form() {
                super::every_key::<super::$family>();
            }

            #[test]
            fn what_does_not_fit_is_refused_by_name() {
                super::refused::<super::$family>();
            }
        })*

        /// The file of each suite, with its name.
        const FILES: &[(&str, File)] =
            &[$((<$family as FrostCore>::CIPHERSUITE, <$family as Fixture>::FILE)),*];
    };
}

use quorate_keys::Family as _;

every_suite! {
    ed25519: FrostEd25519;
    ristretto255: FrostRistretto255;
    secp256k1: FrostSecp256k1;
    secp256k1_tr: FrostTaproot;
    p256: FrostP256;
    ed448: FrostEd448;
}

#[test]
fn taproot_keys_of_both_signs_are_among_them() {
    let sign = |key: &&str| {
        let json = FrostTaproot::FILE.json(&format!("{key}/public"));
        digits(&json, "verifying_key").starts_with("03")
    };
    for keys in [["dealer0", "sparse"], ["dkg0", "dkg1"]] {
        assert_eq!(keys.iter().filter(|key| sign(key)).count(), 1, "one of {keys:?} has odd y");
    }
}

/// Migrates an altered key package together with the package of its key.
fn own<F: Fixture + FrostCore>(json: &str) -> Option<MigrateError> {
    key_package::<F>(json.as_bytes(), &F::FILE.bytes("dealer0/public")).err()
}

/// Migrates an altered public key package, for a coordinator.
fn public<F: Fixture + FrostCore>(json: &str) -> Option<MigrateError> {
    public_key_package::<F>(json.as_bytes(), None).err()
}

fn refused<F: Fixture + FrostCore>() {
    other_suites::<F>();
    other_packages::<F>();
    altered_values::<F>();
    altered_shares::<F>();
    thresholds::<F>();
}

fn other_suites<F: Fixture + FrostCore>() {
    let wrong = MigrateError::WrongSuite { expected: F::CIPHERSUITE };
    let right = F::FILE.bytes("dealer0/1");
    for (name, file) in FILES.iter().filter(|(name, _)| *name != F::CIPHERSUITE) {
        for part in ["dealer0/public", "dealer0/1"] {
            let (one, text) = (file.bytes(part), file.json(part).into_bytes());
            for other in [one, text] {
                let found = if part.ends_with('1') {
                    key_package::<F>(&other, &other).err()
                } else {
                    assert_eq!(key_package::<F>(&right, &other).err(), Some(wrong));
                    public_key_package::<F>(&other, None).err()
                };
                assert_eq!(found, Some(wrong), "{name} for {}", F::NAME);
            }
        }
    }
}

fn other_packages<F: Fixture + FrostCore>() {
    let read = |own: &str, public: &str| {
        let (own, public) = (F::FILE.bytes(own), F::FILE.bytes(public));
        key_package::<F>(&own, &public).err()
    };
    assert_eq!(read("dealer0/1", "dealer1/public"), Some(MigrateError::OtherKey));
    assert_eq!(read("dealer0/1", "refreshed/public"), Some(MigrateError::OtherShare));
    // A refreshed secret, beside the verifying share from before the refresh.
    assert_eq!(read("refreshed/2", "dealer0/public"), Some(MigrateError::WrongSecret));
    assert_eq!(read("derived/1", "derived/public"), Some(MigrateError::BadIdentifier));
    let derived = F::FILE.json("derived/public");
    assert_eq!(public::<F>(&derived), Some(MigrateError::BadIdentifier));
    let derived = F::FILE.json("derived/1");
    assert_eq!(own::<F>(&derived), Some(MigrateError::BadIdentifier));
}

fn altered_values<F: Fixture + FrostCore>() {
    let [first, second] = ["dealer0/1", "dealer0/2"].map(|name| F::FILE.json(name));
    let with = |name, digits_of: &str| {
        own::<F>(&replaced(
            &first,
            &format!("\"{name}\":\"{}", digits(&first, name)),
            &format!("\"{name}\":\"{digits_of}"),
        ))
    };
    let scalar = |value| hex(&number::<F::Curve>(value));
    assert_eq!(
        with("signing_share", digits(&second, "signing_share")),
        Some(MigrateError::WrongSecret)
    );
    assert_eq!(with("signing_share", &scalar(0)), Some(MigrateError::WrongSecret));
    assert_eq!(
        with("verifying_share", digits(&second, "verifying_share")),
        None,
        "the public package has the right one"
    );
    assert_eq!(
        with("verifying_key", digits(&second, "verifying_share")),
        Some(MigrateError::OtherKey)
    );
    assert_eq!(with("identifier", &scalar(2)), Some(MigrateError::OtherShare));
    let four = quorate_keys::session::PartyId::new(4).unwrap();
    assert_eq!(with("identifier", &scalar(4)), Some(MigrateError::NotAHolder(four)));
    for value in [0, 65_536, 1 << 32] {
        assert_eq!(with("identifier", &scalar(value)), Some(MigrateError::BadIdentifier));
    }
    for name in ["identifier", "signing_share"] {
        let all = "ff".repeat(digits(&first, name).len() / 2);
        for wrong in
            [all.as_str(), "", "01", &all[1..], &format!("{all}00"), &all.replace("ff", "fg")]
        {
            assert_eq!(with(name, wrong), Some(MigrateError::BadScalar(name)), "{wrong}");
        }
    }
    let neutral = hex(F::Curve::encode_point(&F::Curve::identity()).as_ref());
    for name in ["verifying_share", "verifying_key"] {
        let all = "ff".repeat(digits(&first, name).len() / 2);
        for wrong in [all.as_str(), &neutral, "02", &neutral[2..]] {
            assert_eq!(with(name, wrong), Some(MigrateError::BadPoint(name)), "{wrong}");
        }
    }
}

fn altered_shares<F: Fixture + FrostCore>() {
    let json = F::FILE.json("dealer0/public");
    let other = F::FILE.json("dealer1/public");
    let [key, others] = [&json, &other].map(|json| digits(json, "verifying_key"));
    assert_eq!(public::<F>(&replaced(&json, key, others)), Some(MigrateError::WrongShares));
    let shares =
        members(&json).into_iter().find(|one| one.starts_with("\"verifying_shares")).unwrap();
    let pairs = members(shares.strip_prefix("\"verifying_shares\":").unwrap());
    let with = |pairs: &[&str]| {
        public::<F>(&replaced(&json, shares, &format!("\"verifying_shares\":{}", object(pairs))))
    };
    let [one, two, three] = [pairs[0], pairs[1], pairs[2]];
    // The writer chooses the order.
    assert_eq!(with(&[three, one, two]), None);
    assert_eq!(with(&[one, two]), None, "any t of the shares are a key of t parties");
    let party = quorate_keys::session::PartyId::new(2).unwrap();
    assert_eq!(with(&[one, two, three, two]), Some(MigrateError::RepeatedParty(party)));
    let (one_id, two_id) = (&one[..one.find(':').unwrap()], &two[..two.find(':').unwrap()]);
    let [one_share, two_share] = [&one[one_id.len()..], &two[two_id.len()..]];
    let exchanged = [format!("{one_id}{two_share}"), format!("{two_id}{one_share}")];
    assert_eq!(with(&[&exchanged[0], &exchanged[1], three]), Some(MigrateError::WrongShares));
    let few = |parties| Some(CommitteeError::Threshold { threshold: 2, parties }.into());
    assert_eq!(with(&[one]), few(1));
    assert_eq!(with(&[""][..0]), few(0));
    for value in [0, 65_536] {
        let id = hex(&number::<F::Curve>(value));
        let wrong = format!("\"{id}\"{one_share}");
        assert_eq!(with(&[&wrong, two, three]), Some(MigrateError::BadIdentifier));
    }
    let wrong = format!("{one_id}:\"\"");
    assert_eq!(with(&[&wrong, two, three]), Some(MigrateError::BadPoint("verifying_shares")));
    let wrong = format!("\"\"{one_share}");
    assert_eq!(with(&[&wrong, two, three]), Some(MigrateError::BadScalar("verifying_shares")));
}

fn thresholds<F: Fixture + FrostCore>() {
    let three =
        |name: &str| replaced(&F::FILE.json(name), "\"min_signers\":2", "\"min_signers\":3");
    let differ = |public, other| Some(MigrateError::Threshold { public, other });
    assert_eq!(own::<F>(&three("dealer0/1")), differ(2, 3));
    // Two packages agree on a threshold that is not that of the shares.
    assert_eq!(public::<F>(&three("dealer0/public")), Some(MigrateError::WrongShares));
    let both = key_package::<F>(three("dealer0/1").as_bytes(), three("dealer0/public").as_bytes());
    assert_eq!(both.err(), Some(MigrateError::WrongShares));
    let (new, old) = (F::FILE.bytes("dealer0/public"), F::FILE.bytes("dealer0/public2"));
    let say = |package: &[u8], threshold| public_key_package::<F>(package, threshold).err();
    assert_eq!(say(&new, Some(3)), differ(2, 3));
    assert_eq!(say(&old, None), Some(MigrateError::NoThreshold));
    assert_eq!(say(&old, Some(3)), Some(MigrateError::WrongShares));
    for threshold in [0, 1, 4] {
        let none = CommitteeError::Threshold { threshold, parties: 3 }.into();
        assert_eq!(say(&old, Some(threshold)), Some(none));
    }
}

/// Every prefix, and every extra byte, is refused, in both forms.
#[test]
fn every_byte_counts() {
    every_byte::<FrostEd25519>();
    every_byte::<FrostP256>();
}

fn every_byte<F: Fixture + FrostCore>() {
    let public = F::FILE.bytes("dealer0/public");
    let right = key_package::<F>(&F::FILE.bytes("dealer0/1"), &public).unwrap();
    for stored in [F::FILE.bytes("dealer0/1"), F::FILE.json("dealer0/1").into()] {
        for length in 0..stored.len() {
            let found = key_package::<F>(&stored[..length], &public).err();
            assert_eq!(found, Some(MigrateError::Truncated), "{length}");
        }
        let more = [stored.as_slice(), b"}"].concat();
        assert_eq!(key_package::<F>(&more, &public).err(), Some(MigrateError::TrailingBytes));
        for at in 0..stored.len() {
            let mut altered = stored.clone();
            altered[at] ^= if stored[0] == b'{' { 1 << (at % 8) } else { 1 };
            // Digits may change their case. The share that the public package also has may differ.
            let found = key_package::<F>(&altered, &public);
            assert!(found.is_err() || same(&found.unwrap(), &right), "byte {at}");
        }
    }
    let text = F::FILE.json("dealer0/public").into_bytes();
    for stored in [&public, &text] {
        for length in 0..stored.len() {
            let found = public_key_package::<F>(&stored[..length], None).err();
            // Without its last two bytes a package is one of frost-core 2.
            let old = *stored == public && length == stored.len() - 2;
            let expected = if old { MigrateError::NoThreshold } else { MigrateError::Truncated };
            assert_eq!(found, Some(expected), "{length}");
        }
        let more = [stored.as_slice(), b"\0"].concat();
        let found = public_key_package::<F>(&more, None).err();
        assert!(matches!(found, Some(MigrateError::TrailingBytes)), "{found:?}");
    }
}

/// Numbers, versions and lengths in postcard's form.
#[test]
fn bytes_are_read_strictly() {
    type F = FrostSecp256k1;
    let (own, public) = (F::FILE.bytes("dealer0/1"), F::FILE.bytes("dealer0/public"));
    let read = |own: &[u8], public: &[u8]| key_package::<F>(own, public).err();
    let end = |bytes: &[u8], end: &[u8]| [&bytes[..bytes.len() - 1], end].concat();
    for number in
        [&[0x82, 0x00][..], &[0x82, 0x80, 0x00], &[0x80, 0x80, 0x04], &[0x80, 0x80, 0x80, 0x01]]
    {
        let bad = Some(MigrateError::BadNumber("min_signers"));
        assert_eq!(read(&end(&own, number), &public), bad);
        assert_eq!(read(&own, &end(&public, number)), bad);
    }
    assert_eq!(
        read(&end(&own, &[0xff, 0xff, 0x03]), &public),
        Some(MigrateError::Threshold { public: 2, other: 65_535 })
    );
    let mut wrong = own.clone();
    wrong[0] = 1;
    assert_eq!(read(&wrong, &public), Some(MigrateError::UnknownVersion(1)));
    let mut wrong = public.clone();
    let tag = wrong.len() - 2;
    wrong[tag] = 2;
    assert_eq!(read(&own, &wrong), Some(MigrateError::BadNumber("min_signers")));
    // `None`, encoded explicitly: the key package has the threshold.
    wrong.truncate(tag + 1);
    wrong[tag] = 0;
    assert_eq!(read(&own, &wrong), None);
    // The number of parties is larger than the bytes allow.
    let mut wrong = public.clone();
    wrong[5] = 0x7f;
    assert_eq!(read(&own, &wrong), Some(MigrateError::Truncated));
    assert!(read(&own, &own).is_some() && read(&public, &public).is_some(), "the other kind");
}

#[test]
fn json_is_read_strictly() {
    type F = FrostRistretto255;
    let text = F::FILE.json("dealer0/1");
    let package = F::FILE.json("dealer0/public");
    assert_eq!(own::<F>(&rewritten(&text)), None);
    assert_eq!(public::<F>(&rewritten(&package)), None);
    let secret = digits(&text, "signing_share");
    assert_eq!(own::<F>(&replaced(&text, secret, &secret.to_ascii_uppercase())), None);
    for (json, read) in [(&text, own::<F> as fn(&str) -> _), (&package, public::<F>)] {
        for (name, wrong, twice) in wrong_members(json) {
            let expected = match (name.as_str(), twice) {
                // A package of frost-core 2.
                ("min_signers", false) if json == &package => MigrateError::NoThreshold,
                (_, true) => MigrateError::RepeatedField(name.leak()),
                (_, false) => MigrateError::MissingField(name.leak()),
            };
            assert_eq!(read(&wrong), Some(expected));
        }
        let unknown = replaced(json, "{", "{\"one\":1,");
        assert_eq!(read(&unknown), Some(MigrateError::UnknownField { at: 7 }));
        let unknown = replaced(json, "\"version\"", "\"size\":1,\"version\"");
        assert!(matches!(read(&unknown), Some(MigrateError::UnknownField { .. })));
        let other = replaced(json, "\"version\":0", "\"version\":1");
        assert_eq!(read(&other), Some(MigrateError::UnknownVersion(1)));
        for number in ["02", "65538", "99999999999999999999"] {
            let wrong = replaced(json, "\"min_signers\":2", &format!("\"min_signers\":{number}"));
            assert_eq!(read(&wrong), Some(MigrateError::BadNumber("min_signers")));
        }
        for other in ["-2", "2.0", "2e0", "\"2\"", "true", "[2]", "2 2", ""] {
            let wrong = replaced(json, "\"min_signers\":2", &format!("\"min_signers\":{other}"));
            assert!(matches!(read(&wrong), Some(MigrateError::Syntax { .. })), "{other}");
        }
        for (from, to) in
            [("v1", "v\\u0031"), ("v1", "v\n1"), (":", ""), (",", ";"), (",", ",,"), ("}", ",}")]
        {
            let wrong = replaced(json, from, to);
            assert!(matches!(read(&wrong), Some(MigrateError::Syntax { .. })), "{from} {to}");
        }
    }
    // The text that serde writes for a package without a threshold, and other texts with the same meaning.
    let none = replaced(&package, "\"min_signers\":2", "\"min_signers\":null");
    assert_eq!(public::<F>(&none), Some(MigrateError::NoThreshold));
}

#[test]
fn the_other_kind_of_file_is_refused() {
    type F = FrostEd448;
    let (text, package) = (F::FILE.json("dealer0/1"), F::FILE.json("dealer0/public"));
    assert!(matches!(own::<F>(&package), Some(MigrateError::UnknownField { .. })));
    assert!(matches!(public::<F>(&text), Some(MigrateError::UnknownField { .. })));
}
