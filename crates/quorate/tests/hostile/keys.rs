//! Dealt shares, key-share files, public key packages: every field, every mutation.

use core::ops::Range;

use quorate::frost::generic::{DecodeError, KeyShare, Mismatch, PublicKeyPackage, ShareState};

use super::harness::Hostile;
use super::harness::{
    BAD_IDENTIFIER, BAD_STATE, BAD_THRESHOLD, INCONSISTENT, Key, Ledger, MUTATOR, accept,
    decode_error, id, kind, sealed_again, undigested,
};
use quorate::frost::generic::curve::Curve;
use quorate::session::container::HEADER;
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
    let honest = undigested(&key.dealt[1]);
    let refused =
        |bytes: &[u8]| accept::<S>(&sealed_again::<S>(bytes), 2, &key.public).unwrap_err();
    // Header, party 2, parties 2 + 6, threshold 2.
    let at = HEADER + 12;
    let vector = at..at + 2 * point;
    let secret = vector.end..vector.end + scalar;
    let fields = [
        Field { name: "id", class: Class::Id, at: HEADER..HEADER + 2 },
        Field { name: "constant", class: Class::Point, at: at..at + point },
        Field { name: "coefficient", class: Class::Point, at: at + point..vector.end },
        Field { name: "share", class: Class::Scalar, at: secret.clone() },
    ];
    // What another party got of this dealer, with the commitment of another one.
    let peer = splice(
        undigested(&Key::<S>::new(3).dealt[0]),
        secret.clone(),
        &key.dealt[0][secret.clone()],
    );
    for case in cases::<S::Curve>(&fields, honest, &peer, undigested(&other.dealt[1])) {
        ledger.case(MESSAGE, &label(&case), || {
            let expected = match case.kind {
                Kind::Unknown => Some(BAD_IDENTIFIER),
                _ => decode_error(case.class, case.kind),
            };
            assert_eq!(refused(&case.bytes), expected);
        });
    }
    for (name, bytes, error) in lists(honest, HEADER + 2) {
        // The package that all have lists the parties.
        ledger.case(MESSAGE, name, || assert_eq!(refused(&bytes), error));
    }
    let first = &honest[at..at + point];
    let second = &honest[at + point..vector.end];
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
        let bytes = [&honest[..at - 2], &threshold.to_be_bytes(), &points, &honest[secret.clone()]];
        ledger.case(MESSAGE, name, || assert_eq!(refused(&bytes.concat()), error));
    }
    ledger.case(MESSAGE, "control", || {
        assert_eq!(accept::<S>(&sealed_again::<S>(honest), 2, &key.public).unwrap().id(), id(2));
    });
}

/// The file of party 2's key share.
pub fn key_share_file<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "key-share file";
    let (key, other, third) = (Key::<S>::new(1), Key::<S>::new(2), Key::<S>::new(3));
    let honest = key.shares[1].to_bytes();
    // The container's header, then
    let mut at = HEADER;
    let fields = [
        Field::next("id", Class::Id, 2, &mut at),
        Field::next("key id", Class::Bytes, 32, &mut at),
        Field::next("epoch", Class::Bytes, 4, &mut at),
        Field::next("package digest", Class::Bytes, 32, &mut at),
        Field::next("state", Class::Bytes, 1, &mut at),
        Field::next("verifying share", Class::Point, point_len::<S::Curve>(), &mut at),
        Field::next("secret", Class::Scalar, scalar_len::<S::Curve>(), &mut at),
    ];
    let (state, secret) = (fields[4].at.clone(), fields[6].at.clone());
    let fields: Vec<_> = fields.into_iter().filter(|field| field.name != "state").collect();
    let peer = key.shares[0].to_bytes();
    let peer = splice(&third.shares[0].to_bytes(), secret.clone(), &peer[secret]);
    let mut others = other.shares[1].to_bytes().to_vec();
    others[fields[2].at.end - 1] = 7;
    let same_length = |case: &Case| case.class != Class::Bytes || case.kind == Kind::Valid;
    let cases =
        cases::<S::Curve>(&fields, undigested(&honest), undigested(&peer), undigested(&others));
    for case in cases.into_iter().filter(same_length) {
        ledger.case(MESSAGE, &label(&case), || {
            let error = key_share_error::<S>(&key, &case.bytes);
            match (case.field, case.kind) {
                ("id", Kind::Invalid) => assert_eq!(error, DecodeError::BadOrder),
                // Nothing in a file ties its share to a number; the package does.
                ("id", _) | ("package digest", _) => {
                    let why = Mismatch::WrongPackage { epoch: 0 };
                    assert_eq!(error, DecodeError::Mismatch(why));
                }
                ("key id", _) => assert_eq!(error, DecodeError::Mismatch(Mismatch::WrongKey)),
                ("epoch", _) => {
                    let got = u32::from_be_bytes(
                        case.bytes[HEADER + 34..HEADER + 38].try_into().unwrap(),
                    );
                    let why = Mismatch::WrongEpoch { expected: 0, got };
                    assert_eq!(error, DecodeError::Mismatch(why));
                }
                ("secret", Kind::Invalid) => assert_eq!(error, DecodeError::BadScalar),
                ("secret", _) => {
                    let zero =
                        case.bytes[HEADER + 71 + point_len::<S::Curve>()..].iter().all(|b| *b == 0);
                    let expected = if zero { DecodeError::BadScalar } else { INCONSISTENT };
                    assert_eq!(kind(error), expected);
                }
                // What follows is read at another place.
                (_, Kind::Longer) => {
                    assert!([INCONSISTENT, DecodeError::BadScalar].contains(&kind(error)));
                }
                _ => assert_eq!(kind(error), INCONSISTENT),
            }
        });
    }
    key_share_state::<S>(ledger, &key, state);
}

/// The reason why an altered share's file is not opened. Its digest is first as it was, and then made to fit.
fn key_share_error<S: Hostile>(key: &Key<S>, altered: &[u8]) -> DecodeError {
    let open = |form: &[u8]| KeyShare::<S>::from_bytes(form, &key.public);
    let stale = key.shares[1].to_bytes();
    let stale = [altered, &stale[stale.len() - 32..]].concat();
    assert!(matches!(open(&stale).unwrap_err(), DecodeError::Container(_)));
    open(&sealed_again::<S>(altered)).unwrap_err()
}

fn key_share_state<S: Hostile>(ledger: &mut Ledger, key: &Key<S>, state: Range<usize>) {
    const MESSAGE: &str = "key-share file";
    let honest = key.shares[1].to_bytes();
    for value in [1, 2, 3, 255] {
        let bytes = splice(undigested(&honest), state.clone(), &[value]);
        ledger.case(MESSAGE, &format!("state {value}"), || {
            let opened = KeyShare::<S>::from_bytes(&sealed_again::<S>(&bytes), &key.public);
            let opened = opened.map(|share| share.state()).map_err(kind);
            // The key is new, and only a resharing leaves a share pending.
            let unconfirmed = Ok(ShareState::Unconfirmed);
            assert_eq!(opened, if value == 2 { unconfirmed } else { Err(BAD_STATE) });
        });
    }
    // A share is opened by its own package and no other.
    for (name, public) in
        [("another key", Key::<S>::new(2).public), ("control", key.public.clone())]
    {
        ledger.case(MESSAGE, name, || {
            let opened = KeyShare::<S>::from_bytes(&honest, &public).map(drop);
            let mismatch = DecodeError::Mismatch(Mismatch::WrongKey);
            assert_eq!(opened, if name == "control" { Ok(()) } else { Err(mismatch) });
        });
    }
}

/// The file of the public key package.
pub fn public_package_file<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "public key package file";
    let (key, other) = (Key::<S>::new(1), Key::<S>::new(2));
    let honest = key.public.to_bytes();
    let honest = undigested(&honest);
    // The container's header, epoch, threshold, count, three parties, then the commitment
    let start = HEADER + 4 + 2 + 2 + 6;
    let mut at = start;
    let fields = ["group key", "coefficient"]
        .map(|name| Field::next(name, Class::Point, point_len::<S::Curve>(), &mut at));
    let points: Vec<_> = fields.iter().map(|field| &honest[field.at.clone()]).collect();
    let with = |points: &[&[u8]]| splice(honest, start..honest.len(), &points.concat());
    let rotated = with(&[points[1], points[0]]);
    let others = other.public.to_bytes();
    for case in cases::<S::Curve>(&fields, honest, &rotated, undigested(&others)) {
        ledger.case(MESSAGE, &label(&case), || {
            match (public_package(&key, &case.bytes), case.kind) {
                (opened, Kind::Longer) => {
                    let refused = [DecodeError::BadPoint, DecodeError::TrailingBytes];
                    assert!(refused.contains(&opened.unwrap_err()));
                }
                (opened, Kind::Invalid) => assert_eq!(opened.unwrap_err(), DecodeError::BadPoint),
                (opened, _) => another::<S>(opened, case.bytes[start]),
            }
        });
    }
    let [x, a] = [0, 1].map(|at| S::Curve::decode_point(points[at]).unwrap());
    let [minus_x, minus_a] = [-x, -a].map(|point| encoded::<S::Curve>(&point));
    type Vector<'a> = (&'static str, Vec<&'a [u8]>, Option<DecodeError>);
    let vectors: [Vector<'_>; 7] = [
        ("one fewer", vec![points[0]], Some(DecodeError::Truncated)),
        ("one more", vec![points[0], points[1], points[1]], Some(DecodeError::TrailingBytes)),
        ("none", vec![], Some(DecodeError::Truncated)),
        ("swapped", vec![points[1], points[0]], None),
        ("repeated", vec![points[1], points[1]], None),
        ("all negated", vec![&minus_x, &minus_a], None),
        // The first party's verifying share would be the neutral element.
        ("a neutral share", vec![&minus_a, points[1]], Some(INCONSISTENT)),
    ];
    for (name, points, error) in vectors {
        let first = points.first().map_or(0, |point| point[0]);
        ledger.case(MESSAGE, name, || match (public_package(&key, &with(&points)), error) {
            (opened, Some(error)) => assert_eq!(opened.unwrap_err(), error),
            (opened, None) => another::<S>(opened, first),
        });
    }
    public_package_head::<S>(ledger, &key);
}

/// Opens an altered package, whose digest is first as it was and then made to fit. A package that opens has
/// another name, so the parties notice.
fn public_package<S: Hostile>(key: &Key<S>, altered: &[u8]) -> Result<(), DecodeError> {
    let honest = key.public.to_bytes();
    let stale = [altered, &honest[honest.len() - 32..]].concat();
    let opened = PublicKeyPackage::<S>::from_bytes(&stale);
    assert!(matches!(opened.unwrap_err(), DecodeError::Container(_)));
    let opened = PublicKeyPackage::<S>::from_bytes(&sealed_again::<S>(altered)).map_err(kind)?;
    assert_ne!(opened.package_id(), key.public.package_id());
    Ok(())
}

/// Where keys have even y there is none with this tag.
fn another<S: Hostile>(opened: Result<(), DecodeError>, tag: u8) {
    let odd = S::EVEN_Y && tag == 3;
    assert_eq!(opened, if odd { Err(INCONSISTENT) } else { Ok(()) });
}

/// Parties and threshold of a public key package's file.
fn public_package_head<S: Hostile>(ledger: &mut Ledger, key: &Key<S>) {
    const MESSAGE: &str = "public key package file";
    let honest = key.public.to_bytes();
    let honest = undigested(&honest);
    for (name, bytes, error) in lists(honest, HEADER + 6) {
        ledger.case(MESSAGE, name, || {
            let expected = match (name, error) {
                ("no parties" | "one party", _) => Err(BAD_THRESHOLD),
                ("zero", _) => Err(DecodeError::BadOrder),
                // Other parties of the same polynomial: another package.
                ("own missing" | "one more", _) => Ok(()),
                (_, error) => Err(error.unwrap()),
            };
            assert_eq!(public_package(key, &bytes), expected);
        });
    }
    for threshold in [0, 1, 3, 4, 65535u16] {
        let bytes = splice(honest, HEADER + 4..HEADER + 6, &threshold.to_be_bytes());
        ledger.case(MESSAGE, &format!("threshold {threshold}"), || {
            let expected = if threshold == 3 { DecodeError::Truncated } else { BAD_THRESHOLD };
            assert_eq!(public_package(key, &bytes), Err(expected));
        });
    }
    ledger.case(MESSAGE, "threshold too low", || {
        let higher = Key::<S>::among(3, &super::harness::parties([1, 2, 5]), 4);
        let form = higher.public.to_bytes();
        let bytes = splice(undigested(&form), HEADER + 4..HEADER + 6, &[0, 2]);
        assert_eq!(public_package(&higher, &bytes), Err(DecodeError::TrailingBytes));
    });
    ledger.case(MESSAGE, "epoch", || {
        assert_eq!(public_package(key, &splice(honest, HEADER..HEADER + 4, &[0, 0, 0, 1])), Ok(()));
    });
}
