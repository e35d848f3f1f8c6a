//! Dealt shares, key-share files, public key packages: every field, every mutation.

use core::ops::Range;

use quorate::frost::generic::{
    DecodeError, KeyShare, PackageError, PublicKeyPackage, ShareState, SigningPackage,
};

use super::harness::Hostile;
use super::harness::{
    BAD_IDENTIFIER, BAD_STATE, BAD_THRESHOLD, INCONSISTENT, Key, Ledger, MUTATOR, accept,
    decode_error, id, kind,
};
use quorate::frost::generic::curve::Curve;
use quorate_testkit::encodings::{encoded, identity, point_len, scalar_len};
use quorate_testkit::mutation::{Case, Class, Field, Kind, cases, splice};

/// Other lists of parties than 1, 2, 5 with what a form that lists the parties of share 2 says.
fn lists(message: &[u8], at: usize) -> Vec<(&'static str, Vec<u8>, Option<DecodeError>)> {
    use DecodeError::{BadOrder, BadParties, Truncated};
    let lists: [(&str, &[u16], Option<DecodeError>); 7] = [
        ("no parties", &[], Some(BadParties { got: 0 })),
        ("one party", &[MUTATOR], Some(BadParties { got: 1 })),
        ("swapped", &[2, 1, 5], Some(BadOrder)),
        ("repeated", &[1, 2, 2], Some(BadOrder)),
        ("zero", &[0, 2, 5], Some(BAD_IDENTIFIER)),
        ("own missing", &[1, 5], Some(BAD_IDENTIFIER)),
        ("one more", &[1, 2, 5, 6], None),
    ];
    let encode = |list: &[u16]| -> Vec<u8> {
        let count = u16::try_from(list.len()).unwrap();
        core::iter::once(&count).chain(list).flat_map(|number| number.to_be_bytes()).collect()
    };
    let whole = at..at + 8;
    let mut all: Vec<_> = lists
        .into_iter()
        .map(|(name, list, error)| (name, splice(message, whole.clone(), &encode(list)), error))
        .collect();
    all.push(("count without entries", splice(message, at..at + 2, &[255; 2]), Some(Truncated)));
    all
}

fn label(case: &Case) -> String {
    format!("{} / {}", case.field, case.mutation)
}

/// The share that a dealer sends to party 2.
pub fn dealer_share<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "dealer share";
    let (point, scalar) = (point_len::<S::Curve>(), scalar_len::<S::Curve>());
    let (key, other) = (Key::<S>::new(1), Key::<S>::new(2));
    let honest = &key.dealt[1];
    let vector = 15..15 + 2 * point;
    let secret = vector.end..vector.end + scalar;
    let fields = [
        Field { name: "id", class: Class::Id, at: 3..5 },
        Field { name: "constant", class: Class::Point, at: 15..15 + point },
        Field { name: "coefficient", class: Class::Point, at: 15 + point..vector.end },
        Field { name: "share", class: Class::Scalar, at: secret.clone() },
    ];
    // What another party got of this dealer, with the commitment of another one.
    let peer = splice(&Key::<S>::new(3).dealt[0], secret.clone(), &key.dealt[0][secret.clone()]);
    for case in cases::<S::Curve>(&fields, honest, &peer, &other.dealt[1]) {
        ledger.case(MESSAGE, &label(&case), || {
            let expected = match case.kind {
                Kind::Unknown => Some(BAD_IDENTIFIER),
                _ => decode_error(case.class, case.kind),
            };
            assert_eq!(accept::<S>(&case.bytes, 2, &key.public).unwrap_err(), expected);
        });
    }
    for (name, bytes, error) in lists(honest, 5) {
        ledger.case(MESSAGE, name, || match error {
            Some(_) => assert_eq!(accept::<S>(&bytes, 2, &key.public).unwrap_err(), error),
            // Who takes part stands in the package that all have.
            None => assert_eq!(accept::<S>(&bytes, 2, &key.public).unwrap_err(), None),
        });
    }
    let first = &honest[15..15 + point];
    let second = &honest[15 + point..vector.end];
    let generator = encoded::<S::Curve>(&S::Curve::generator());
    let vectors: [(&str, u16, Vec<u8>, Option<DecodeError>); 9] = [
        ("empty", 0, Vec::new(), Some(BAD_THRESHOLD)),
        ("one fewer", 1, first.to_vec(), Some(BAD_THRESHOLD)),
        ("one more", 3, [first, second, &generator].concat(), None),
        (
            "an identity more",
            3,
            [first, second, &identity::<S::Curve>()].concat(),
            Some(DecodeError::BadPoint),
        ),
        ("twice", 4, [first, second, first, second].concat(), Some(BAD_THRESHOLD)),
        ("65535", 65535, [first, second].concat(), Some(BAD_THRESHOLD)),
        ("swapped", 2, [second, first].concat(), None),
        ("constant repeated", 2, [first, first].concat(), None),
        ("coefficient repeated", 2, [second, second].concat(), None),
    ];
    for (name, threshold, points, error) in vectors {
        let bytes = [&honest[..13], &threshold.to_be_bytes(), &points, &honest[secret.clone()]];
        ledger.case(MESSAGE, name, || {
            assert_eq!(accept::<S>(&bytes.concat(), 2, &key.public).unwrap_err(), error);
        });
    }
    ledger.case(MESSAGE, "control", || {
        assert_eq!(accept::<S>(honest, 2, &key.public).unwrap().id(), id(2));
    });
}

/// The file of party 2's key share.
pub fn key_share_file<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "key-share file";
    let point = point_len::<S::Curve>();
    let (key, other, third) = (Key::<S>::new(1), Key::<S>::new(2), Key::<S>::new(3));
    let honest = key.shares[1].to_bytes();
    // version kind suite, id, threshold, epoch, count, three parties, key, digest of the public key
    // package, state, verifying share, secret
    let mut at = 3 + 2 + 2 + 4 + 2 + 6;
    let fields = [
        Field { name: "id", class: Class::Id, at: 3..5 },
        Field::next("group key", Class::Point, point, &mut at),
        Field::next("package digest", Class::Bytes, 32, &mut at),
        Field::next("state", Class::Bytes, 1, &mut at),
        Field::next("verifying share", Class::Point, point, &mut at),
        Field::next("secret", Class::Scalar, scalar_len::<S::Curve>(), &mut at),
    ];
    let (secret, group) = (fields[5].at.clone(), fields[1].at.start);
    let state = fields[3].at.clone();
    let fields: Vec<_> = fields.into_iter().filter(|field| field.name != "state").collect();
    let peer = key.shares[0].to_bytes();
    let peer = splice(&third.shares[0].to_bytes(), secret.clone(), &peer[secret]);
    let same_length = |case: &Case| case.class != Class::Bytes || case.kind == Kind::Valid;
    let cases = cases::<S::Curve>(&fields, &honest, &peer, &other.shares[1].to_bytes());
    for case in cases.into_iter().filter(same_length) {
        ledger.case(MESSAGE, &label(&case), || {
            let opened = KeyShare::<S>::from_bytes(&case.bytes);
            if let Some(error) = decode_error(case.class, case.kind) {
                return assert_eq!(kind(opened.unwrap_err()), error);
            }
            match case.field {
                "id" if case.kind == Kind::Unknown => {
                    assert_eq!(kind(opened.unwrap_err()), BAD_IDENTIFIER);
                }
                // Nothing in a file ties its share to a number, to the group's key or to the
                // package. Such a share is worth nothing.
                "id" => useless(&key, &opened.unwrap()),
                "package digest" => foreign(&key, &opened.unwrap()),
                "group key" if S::EVEN_Y && case.bytes[group] == 3 => {
                    assert_eq!(kind(opened.unwrap_err()), INCONSISTENT);
                }
                "group key" => foreign(&key, &opened.unwrap()),
                _ => assert_eq!(kind(opened.unwrap_err()), INCONSISTENT),
            }
        });
    }
    key_share_head::<S>(ledger, &honest, state);
}

/// Fields of a key share's file that are neither scalars nor points.
fn key_share_head<S: Hostile>(ledger: &mut Ledger, honest: &[u8], state: Range<usize>) {
    const MESSAGE: &str = "key-share file";
    for (name, bytes, error) in lists(honest, 11) {
        ledger.case(MESSAGE, name, || match (KeyShare::<S>::from_bytes(&bytes), error) {
            (opened, Some(error)) => assert_eq!(kind(opened.unwrap_err()), error),
            (opened, None) => assert_eq!(opened.unwrap().parties().len(), 4),
        });
    }
    for threshold in [0, 1, 3, 4, 65535u16] {
        let bytes = splice(honest, 5..7, &threshold.to_be_bytes());
        ledger.case(MESSAGE, &format!("threshold {threshold}"), || {
            match (KeyShare::<S>::from_bytes(&bytes), threshold) {
                (opened, 3) => assert_eq!(opened.unwrap().threshold(), 3),
                (opened, _) => assert_eq!(kind(opened.unwrap_err()), BAD_THRESHOLD),
            }
        });
    }
    for value in [1, 2, 3, 255] {
        let bytes = splice(honest, state.clone(), &[value]);
        ledger.case(MESSAGE, &format!("state {value}"), || {
            let opened = KeyShare::<S>::from_bytes(&bytes).map(|share| share.state()).map_err(kind);
            assert_eq!(
                opened,
                match value {
                    // The key is new, and only a refresh leaves a share pending.
                    1 => Err(INCONSISTENT),
                    2 => Ok(ShareState::Unconfirmed),
                    _ => Err(BAD_STATE),
                }
            );
        });
    }
    for epoch in [1, u32::MAX] {
        let bytes = splice(honest, 7..11, &epoch.to_be_bytes());
        ledger.case(MESSAGE, &format!("epoch {epoch}"), || {
            assert_eq!(KeyShare::<S>::from_bytes(&bytes).unwrap().epoch(), epoch);
        });
    }
}

/// That a share makes no signature share that the group's package takes.
fn useless<S: Hostile>(key: &Key<S>, share: &KeyShare<S>) {
    let mut rng = super::harness::rng(7);
    let (nonces, commitments) = share.commit(&mut rng);
    let (_, partners) = key.share(5).commit(&mut rng);
    let package = SigningPackage::new(&key.public, [commitments, partners], b"m").unwrap();
    let signed = share.sign(&package, nonces).unwrap();
    assert_eq!(key.public.verify_share(&package, &signed).unwrap_err().culprits(), [share.id()]);
}

/// That a share says that it is of another package, and nobody is blamed.
fn foreign<S: Hostile>(key: &Key<S>, share: &KeyShare<S>) {
    let mut rng = super::harness::rng(7);
    let (_, commitments) = share.commit(&mut rng);
    let (_, partners) = key.share(5).commit(&mut rng);
    let error = SigningPackage::new(&key.public, [commitments, partners], b"m").unwrap_err();
    let named = |party| party == share.id();
    assert!(matches!(error, PackageError::Mismatch { party, .. } if named(party)), "{error:?}");
    assert_eq!(error.culprits().count(), 0);
}

/// The file of the public key package.
pub fn public_package_file<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "public key package file";
    let point = point_len::<S::Curve>();
    let (key, other) = (Key::<S>::new(1), Key::<S>::new(2));
    let honest = key.public.to_bytes();
    // version kind suite, threshold, epoch, count, three parties, key, three verifying shares
    let start = 3 + 2 + 4 + 2 + 6;
    let mut at = start;
    let fields = ["group key", "share 1", "share 2", "share 5"]
        .map(|name| Field::next(name, Class::Point, point, &mut at));
    let points: Vec<_> = fields.iter().map(|field| &honest[field.at.clone()]).collect();
    let with = |points: &[&[u8]]| splice(&honest, start..honest.len(), &points.concat());
    let rotated = with(&[points[2], points[3], points[1], points[2]]);
    for case in cases::<S::Curve>(&fields, &honest, &rotated, &other.public.to_bytes()) {
        ledger.case(MESSAGE, &label(&case), || {
            let expected = match case.kind {
                // The length is checked before any point is decoded.
                Kind::Longer => DecodeError::TrailingBytes,
                kind => decode_error(case.class, kind).unwrap_or(INCONSISTENT),
            };
            let opened = PublicKeyPackage::<S>::from_bytes(&case.bytes);
            assert_eq!(kind(opened.unwrap_err()), expected);
        });
    }
    let negate = |bytes: &&[u8]| encoded::<S::Curve>(&-S::Curve::decode_point(bytes).unwrap());
    let negated: Vec<_> = points.iter().map(negate).collect();
    let negated: Vec<_> = negated.iter().map(Vec::as_slice).collect();
    let even = S::EVEN_Y.then_some(INCONSISTENT);
    let vectors: [(&str, Vec<u8>, Option<DecodeError>); 6] = [
        ("one fewer", with(&points[..3]), Some(DecodeError::Truncated)),
        ("one more", with(&[&points[..], &points[3..]].concat()), Some(DecodeError::TrailingBytes)),
        ("none", with(&points[..1]), Some(DecodeError::Truncated)),
        ("swapped", with(&[points[0], points[2], points[1], points[3]]), Some(INCONSISTENT)),
        ("repeated", with(&[points[0], points[1], points[1], points[3]]), Some(INCONSISTENT)),
        // The package of another key; where keys have even y there is no such key.
        ("all negated", with(&negated), even),
    ];
    for (name, bytes, error) in vectors {
        ledger.case(MESSAGE, name, || match (PublicKeyPackage::<S>::from_bytes(&bytes), error) {
            (opened, Some(error)) => assert_eq!(kind(opened.unwrap_err()), error),
            (opened, None) => assert_ne!(opened.unwrap().key_id(), key.public.key_id()),
        });
    }
    public_package_head::<S>(ledger, &honest);
}

/// Parties and threshold of a public key package's file.
fn public_package_head<S: Hostile>(ledger: &mut Ledger, honest: &[u8]) {
    const MESSAGE: &str = "public key package file";
    for (name, bytes, error) in lists(honest, 9) {
        ledger.case(MESSAGE, name, || {
            let expected = match (name, error) {
                ("own missing", _) => DecodeError::TrailingBytes,
                (_, Some(error)) => error,
                (_, None) => DecodeError::Truncated,
            };
            assert_eq!(kind(PublicKeyPackage::<S>::from_bytes(&bytes).unwrap_err()), expected);
        });
    }
    for threshold in [0, 1, 3, 4, 65535u16] {
        let bytes = splice(honest, 3..5, &threshold.to_be_bytes());
        ledger.case(MESSAGE, &format!("threshold {threshold}"), || {
            match (PublicKeyPackage::<S>::from_bytes(&bytes), threshold) {
                // Three points on a line also lie on a parabola: more signers, no other key.
                (opened, 3) => assert_eq!(opened.unwrap().threshold(), 3),
                (opened, _) => assert_eq!(kind(opened.unwrap_err()), BAD_THRESHOLD),
            }
        });
    }
    ledger.case(MESSAGE, "threshold too low", || {
        let mut bytes =
            Key::<S>::among(3, &super::harness::parties([1, 2, 5]), 4).public.to_bytes();
        bytes[4] = 2;
        let error = kind(PublicKeyPackage::<S>::from_bytes(&bytes).unwrap_err());
        assert_eq!(error, INCONSISTENT);
    });
}
