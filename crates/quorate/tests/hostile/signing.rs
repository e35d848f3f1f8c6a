//! Commitments, signing packages, signature shares, signatures: every field, every mutation.

use quorate::frost::generic::{
    AggregateError, Commitments, Coordinator, DecodeError, PackageError, ShareRejected, SignError,
    Signature, SignatureShare, SigningPackage,
};

use super::encodings::{Hostile, point_len, scalar_len};
use super::harness::{Key, Ledger, MUTATOR, decode_error, id};
use super::mutate::{Case, Class, Field, Kind, cases, points, splice};

const TEXT: &[u8] = b"sixteen bytes...";

fn label(case: &Case) -> String {
    format!("{} / {}", case.field, case.mutation)
}

/// Party 2's commitments on their way to the coordinator.
pub fn commitments<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "commitments";
    let key = Key::<S>::new(1);
    let coordinator = Coordinator::new(key.public.clone());
    let (_, sent) = key.commit(&[1, MUTATOR, 5], 10);
    let (_, others) = key.commit(&[MUTATOR], 11);
    let mut at = 3;
    let fields = [
        Field::next("id", Class::Id, 2, &mut at),
        Field::next("hiding", Class::Point, point_len::<S>(), &mut at),
        Field::next("binding", Class::Point, point_len::<S>(), &mut at),
    ];
    let [peer, honest, session] = [&sent[0], &sent[1], &others[0]].map(Commitments::to_bytes);
    for case in cases::<S>(&fields, &honest, &peer, &session) {
        ledger.case(MESSAGE, &label(&case), || {
            let read = Commitments::<S>::from_bytes(&case.bytes);
            if let Some(error) = decode_error(case.class, case.kind) {
                return assert_eq!(read.unwrap_err(), error);
            }
            let altered = read.unwrap();
            let started = coordinator.start([sent[0], altered], TEXT);
            match (case.class, case.kind) {
                (Class::Id, Kind::Unknown) => {
                    assert_eq!(started.unwrap_err(), PackageError::UnknownParty(altered.id()));
                }
                (Class::Id, _) => {
                    assert_eq!(started.unwrap_err(), PackageError::DuplicateParty(id(1)));
                }
                _ => altered_commitments(&key, started.unwrap().package()),
            }
            // The right ones still make a package.
            coordinator.start([sent[0], sent[1]], TEXT).unwrap();
        });
    }
}

/// Party 2's commitments in the package are not those that it made: it refuses; and if it signs
/// what it would have signed, it is named, and it alone.
fn altered_commitments<S: Hostile>(key: &Key<S>, package: &SigningPackage<S>) {
    let (mut batches, own) = key.commit(&[1, MUTATOR, 5], 10);
    let honest = SigningPackage::new(own[..2].iter().copied(), TEXT).unwrap();
    let [first, second, _] = &mut batches[..] else { panic!("three batches") };
    assert!(second.claim_for(package).is_none(), "no nonces of that name");
    let nonces = second.claim_for(&honest).unwrap().release();
    let refusal = key.share(MUTATOR).sign(package, nonces).unwrap_err();
    assert_eq!(refusal, SignError::CommitmentMismatch);

    let (mut again, _) = key.commit(&[1, MUTATOR, 5], 10);
    let nonces = again[1].claim_for(&honest).unwrap().release();
    let wrong = key.share(MUTATOR).sign(&honest, nonces).unwrap();
    let nonces = first.claim_for(package).unwrap().release();
    let right = key.share(1).sign(package, nonces).unwrap();
    let error = key.public.aggregate(package, &[right, wrong]).unwrap_err();
    assert_eq!(error, AggregateError::Cheaters(vec![id(MUTATOR)]));
}

/// What a coordinator sends to party 1: the signers are 1 and 2.
pub fn signing_package<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "signing package";
    let point = point_len::<S>();
    let key = Key::<S>::new(1);
    let honest = key.sign(&[1, MUTATOR], TEXT, 10);
    let [one, other] = [10, 11].map(|seed| key.sign(&[1, MUTATOR], TEXT, seed).package.to_bytes());
    // version kind suite, count, (id, hiding, binding) twice, length, message
    let mut at = 5;
    let fields: Vec<_> = [["id 1", "hiding 1", "binding 1"], ["id 2", "hiding 2", "binding 2"]]
        .into_iter()
        .flat_map(|[party, hiding, binding]| {
            [
                Field::next(party, Class::Id, 2, &mut at),
                Field::next(hiding, Class::Point, point, &mut at),
                Field::next(binding, Class::Point, point, &mut at),
            ]
        })
        .collect();
    let entry = 2 + 2 * point;
    let (first, second) = (&one[5..5 + entry], &one[5 + entry..5 + 2 * entry]);
    let text = 5 + 2 * entry + 4..one.len();
    let swapped = splice(&one, 5..5 + 2 * entry, &[second, first].concat());
    for case in cases::<S>(&fields, &one, &swapped, &other) {
        ledger.case(MESSAGE, &label(&case), || {
            let expected = match (case.field, case.kind) {
                (_, Kind::Invalid | Kind::Longer) => {
                    Refused::Read(decode_error(case.class, case.kind).unwrap())
                }
                ("id 1", _) | ("id 2", Kind::Valid) => Refused::Read(DecodeError::BadOrder),
                ("id 2", _) => Refused::Unknown,
                ("hiding 1" | "binding 1", _) => Refused::Sign(SignError::CommitmentMismatch),
                _ => Refused::ByCoordinator,
            };
            offer(&key, &honest.package, &case.bytes, &expected);
        });
    }
    let with_text = |text: &[u8]| {
        let length = u32::try_from(text.len()).unwrap().to_be_bytes();
        [&one[..5 + 2 * entry], &length, text].concat()
    };
    let texts: [&[u8]; 5] =
        [b"", b"Sixteen bytes...", b"ixteen bytes...", b"sixteen bytes....", b"another"];
    for altered in texts {
        ledger.case(MESSAGE, "message", || {
            offer(&key, &honest.package, &with_text(altered), &Refused::ByCoordinator);
        });
    }
    let length = text.start - 4..text.start;
    let long = SigningPackage::new([key.commit(&[5], 12).1[0]], b"").unwrap().to_bytes();
    let third = &long[5..5 + entry];
    let list = |count: u16, entries: &[&[u8]]| {
        [&one[..3], &count.to_be_bytes(), &entries.concat(), &one[5 + 2 * entry..]].concat()
    };
    let few = SignError::TooFewSigners { got: 1, need: 2 };
    let others: Vec<(&str, Vec<u8>, Refused)> = vec![
        (
            "length + 1",
            splice(&one, length.clone(), &[0, 0, 0, 17]),
            Refused::Read(DecodeError::Truncated),
        ),
        (
            "length - 1",
            splice(&one, length.clone(), &[0, 0, 0, 15]),
            Refused::Read(DecodeError::TrailingBytes),
        ),
        ("length 2^32 - 1", splice(&one, length, &[255; 4]), Refused::Read(DecodeError::Truncated)),
        ("no signers", list(0, &[]), Refused::Read(DecodeError::BadLength)),
        ("one fewer", list(1, &[first]), Refused::Sign(few)),
        ("own missing", list(1, &[second]), Refused::Sign(SignError::NotASigner)),
        ("one more", list(3, &[first, second, third]), Refused::ByCoordinator),
        ("twice", list(4, &[first, second, first, second]), Refused::Read(DecodeError::BadOrder)),
        ("swapped", list(2, &[second, first]), Refused::Read(DecodeError::BadOrder)),
        ("repeated", list(2, &[first, first]), Refused::Read(DecodeError::BadOrder)),
        ("65535 signers", list(65535, &[first, second]), Refused::Read(DecodeError::Truncated)),
    ];
    for (name, bytes, expected) in others {
        ledger.case(MESSAGE, name, || offer(&key, &honest.package, &bytes, &expected));
    }
}

/// What becomes of a package that was altered on its way to party 1.
enum Refused {
    Read(DecodeError),
    Sign(SignError),
    Unknown,
    /// Party 1 cannot know better; its share is worthless for the coordinator's own package. To
    /// that package the coordinator's blame is relative, as `aggregate` documents.
    ByCoordinator,
}

fn offer<S: Hostile>(key: &Key<S>, honest: &SigningPackage<S>, bytes: &[u8], expected: &Refused) {
    let read = SigningPackage::<S>::from_bytes(bytes);
    if let Refused::Read(error) = expected {
        return assert_eq!(read.unwrap_err(), *error);
    }
    let package = read.unwrap();
    assert_ne!(package, *honest);
    let (mut batches, _) = key.commit(&[1, MUTATOR], 10);
    let nonces = batches[0].claim_for(honest).unwrap().release();
    let signed = key.share(1).sign(&package, nonces);
    match expected {
        Refused::Read(_) => {}
        Refused::Sign(error) => assert_eq!(signed.unwrap_err(), *error),
        Refused::Unknown => {
            assert_eq!(signed.unwrap_err(), SignError::UnknownParty(package.signers()[1]));
        }
        Refused::ByCoordinator => {
            let nonces = batches[1].claim_for(honest).unwrap().release();
            let right = key.share(MUTATOR).sign(honest, nonces).unwrap();
            let error = key.public.aggregate(honest, &[signed.unwrap(), right]).unwrap_err();
            assert_eq!(error, AggregateError::Cheaters(vec![id(1)]));
        }
    }
}

/// Party 2's share on its way to the coordinator; all three parties sign.
pub fn signature_share<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "signature share";
    let key = Key::<S>::new(1);
    let coordinator = Coordinator::new(key.public.clone());
    let signed = key.sign(&[1, MUTATOR, 5], TEXT, 10);
    let other = key.sign(&[1, MUTATOR, 5], TEXT, 11);
    let mut at = 3;
    let fields = [
        Field::next("id", Class::Id, 2, &mut at),
        Field::next("scalar", Class::Scalar, scalar_len::<S>(), &mut at),
    ];
    let [peer, honest, session] =
        [&signed.shares[0], &signed.shares[1], &other.shares[1]].map(SignatureShare::to_bytes);
    for case in cases::<S>(&fields, &honest, &peer, &session) {
        ledger.case(MESSAGE, &label(&case), || {
            let read = SignatureShare::<S>::from_bytes(&case.bytes);
            let (_, sent) = key.commit(&[1, MUTATOR, 5], 10);
            let mut session = coordinator.start(sent, TEXT).unwrap();
            for share in [signed.shares[0], signed.shares[2]] {
                session.receive(share.id(), share).unwrap();
            }
            if let Some(error) = decode_error(case.class, case.kind) {
                assert_eq!(read.unwrap_err(), error);
            } else if case.class == Class::Id {
                let altered = read.unwrap();
                let refused = session.receive(id(MUTATOR), altered).unwrap_err();
                assert_eq!(refused, ShareRejected::NotTheSenders);
                let all = [signed.shares[0], altered, signed.shares[2]];
                let error = match case.kind {
                    Kind::Unknown => AggregateError::UnexpectedShare(altered.id()),
                    _ => AggregateError::DuplicateShare(id(1)),
                };
                assert_eq!(key.public.aggregate(&signed.package, &all).unwrap_err(), error);
            } else {
                return wrong_share(&key, &signed, session, read.unwrap(), &coordinator);
            }
            // Nothing was harmed: the right share finishes.
            session.receive(id(MUTATOR), signed.shares[1]).unwrap();
            coordinator.finish(session).unwrap();
        });
    }
}

fn wrong_share<S: Hostile>(
    key: &Key<S>,
    signed: &super::harness::Signed<S>,
    mut session: quorate::frost::generic::SigningSession<S>,
    wrong: SignatureShare<S>,
    coordinator: &Coordinator<S>,
) {
    let named = AggregateError::Cheaters(vec![id(MUTATOR)]);
    assert_eq!(key.public.verify_share(&signed.package, &wrong).unwrap_err(), named);
    let all = [signed.shares[0], wrong, signed.shares[2]];
    assert_eq!(key.public.aggregate(&signed.package, &all).unwrap_err(), named);
    session.receive(id(MUTATOR), wrong).unwrap();
    // The first counts: a change of mind is refused, and the session stays as it was.
    let second = session.receive(id(MUTATOR), signed.shares[1]).unwrap_err();
    assert_eq!(second, ShareRejected::Conflicting);
    assert_eq!(coordinator.finish(session).unwrap_err(), named);
}

/// A signature on its way to a verifier.
pub fn signature<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "aggregated signature";
    let key = Key::<S>::new(1);
    let sign = |seed| {
        let signed = key.sign(&[1, MUTATOR], TEXT, seed);
        key.public.aggregate(&signed.package, &signed.shares).unwrap().to_bytes()
    };
    let [honest, peer, session] = [10, 11, 12].map(sign);
    let verifying_key = key.public.verifying_key();
    let check = |bytes: &[u8], decodes: bool| {
        let read = Signature::<S>::from_bytes(bytes);
        assert_eq!(read.is_ok(), decodes);
        assert!(read.map_or(true, |read| verifying_key.verify(TEXT, &read).is_err()));
    };
    let split = honest.len() - scalar_len::<S>();
    let scalar = [Field { name: "z", class: Class::Scalar, at: split..honest.len() }];
    for case in cases::<S>(&scalar, &honest, &peer, &session) {
        ledger.case(MESSAGE, &label(&case), || check(&case.bytes, case.kind == Kind::Valid));
    }
    // BIP-340 writes x alone: R with even y, and no tag that could be wrong.
    let x_only = split < point_len::<S>();
    let whole = |signature: &[u8]| {
        let r = &signature[..split];
        if x_only { [&[2], r].concat() } else { r.to_vec() }
    };
    let others = [whole(&peer), whole(&session)];
    for one in points::<S>(&whole(&honest), [&others[0], &others[1]]) {
        if x_only && ["negated", "bad tag"].contains(&one.name) {
            continue;
        }
        let r = if x_only { &one.bytes[1..] } else { &one.bytes[..] };
        let bytes = splice(&honest, 0..split, r);
        // An x with y behind it is a valid R and a scalar that is too long.
        ledger
            .case(MESSAGE, &format!("R / {}", one.name), || check(&bytes, one.kind == Kind::Valid));
    }
    let texts: [&[u8]; 4] = [b"", b"Sixteen bytes...", b"sixteen bytes..", b"sixteen bytes...\0"];
    for text in texts {
        ledger.case(MESSAGE, "message", || {
            let read = Signature::<S>::from_bytes(&honest).unwrap();
            assert!(verifying_key.verify(TEXT, &read).is_ok());
            assert!(verifying_key.verify(text, &read).is_err());
        });
    }
    ledger.case(MESSAGE, "every shorter length", || {
        (0..honest.len()).for_each(|length| check(&honest[..length], false));
    });
    ledger.case(MESSAGE, "one byte more", || check(&[&honest[..], &[0]].concat(), false));
}
