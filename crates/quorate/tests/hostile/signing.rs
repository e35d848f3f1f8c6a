//! Commitments, signing packages, signature shares, signatures: every field, every mutation.

use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{
    AggregateError, ClaimError, Commitments, Coordinator, DecodeError, Mismatch, PackageError,
    PointBytes, ShareRejected, SignError, Signature, SignatureShare, SigningPackage,
    SigningSession,
};
use quorate::session::container::HEADER;

use super::fr::with_scalar;
use super::harness::Hostile;
use super::harness::{
    Key, Ledger, MUTATOR, NAME, decode_error, id, package_of, release, rng, sealed_again, sent,
    undigested,
};
use quorate_testkit::encodings::{point_len, scalar_len};
use quorate_testkit::mutation::{Case, Class, Field, Kind, Others, cases, mutations, splice};

const TEXT: &[u8] = b"sixteen bytes...";

fn label(case: &Case) -> String {
    format!("{} / {}", case.field, case.mutation)
}

/// The name of the public key package in a message, from this offset.
fn name(at: &mut usize) -> [Field; 3] {
    [("key id", 32), ("epoch", 4), ("package digest", 32)]
        .map(|(name, length)| Field::next(name, Class::Bytes, length, at))
}

/// The reason why something of another public key package is refused.
fn mismatch(field: &str, epoch: &[u8]) -> Mismatch {
    match field {
        "key id" => Mismatch::WrongKey,
        "package digest" => Mismatch::WrongPackage { epoch: 0 },
        _ => {
            let epoch = u32::from_be_bytes(epoch.try_into().unwrap());
            Mismatch::WrongEpoch { expected: 0, got: epoch }
        }
    }
}

/// Returns whether the case keeps all later bytes in place. The cases "every shorter length" and the like test the rest.
fn same_length(case: &Case) -> bool {
    case.class != Class::Bytes || case.kind == Kind::Valid
}

/// The name of another package: another key's, or the same key's of another epoch.
fn renamed(message: &[u8], other: &[u8], at: core::ops::Range<usize>) -> Vec<u8> {
    let mut name = other[at.clone()].to_vec();
    name[35] = 7;
    splice(message, at, &name)
}

/// Party 2's commitments on their way to the coordinator.
pub fn commitments<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "commitments";
    let key = Key::<S>::new(1);
    let coordinator = Coordinator::new(key.public.clone());
    let (_, sent) = key.commit(&[1, MUTATOR, 5], 10);
    let (_, others) = key.commit(&[MUTATOR], 11);
    let (_, of_another) = Key::<S>::new(2).commit(&[MUTATOR], 11);
    let mut at = HEADER;
    let id_field = Field::next("id", Class::Id, 2, &mut at);
    let mut fields = vec![id_field];
    fields.extend(name(&mut at));
    fields.push(Field::next("hiding", Class::Point, point_len::<S::Curve>(), &mut at));
    fields.push(Field::next("binding", Class::Point, point_len::<S::Curve>(), &mut at));
    let [peer, honest, mut session] = [&sent[0], &sent[1], &others[0]].map(Commitments::to_bytes);
    session = renamed(&session, &of_another[0].to_bytes(), NAME);
    let (right, peer_form) = (honest.clone(), peer.clone());
    let [peer, honest, session] = [&peer, &honest, &session].map(|form| undigested(form));
    let start =
        |bytes: &[u8]| coordinator.start([(id(1), &peer_form[..]), (id(MUTATOR), bytes)], TEXT);
    for case in cases::<S::Curve>(&fields, honest, peer, session).into_iter().filter(same_length) {
        ledger.case(MESSAGE, &label(&case), || {
            let started = start(&sealed_again::<S>(&case.bytes));
            let malformed = |why| PackageError::Malformed(vec![(id(MUTATOR), why)]);
            if let Some(error) = decode_error(case.class, case.kind) {
                let error = malformed(error);
                assert_eq!(error.culprits().collect::<Vec<_>>(), [id(MUTATOR)]);
                assert_eq!(started.unwrap_err(), error);
            } else if case.class == Class::Id {
                // In another's name: the sender is at fault, not the party that it names.
                let named = id(u16::from_be_bytes([case.bytes[HEADER], case.bytes[HEADER + 1]]));
                let theirs = DecodeError::NotTheSenders { sender: id(MUTATOR), named };
                assert_eq!(started.unwrap_err(), malformed(theirs));
            } else if case.class == Class::Bytes {
                let why = mismatch(case.field, &case.bytes[HEADER + 34..HEADER + 38]);
                let error = started.unwrap_err();
                assert_eq!(error, PackageError::Mismatch { party: id(MUTATOR), why });
                assert_eq!(error.culprits().count(), 0);
            } else {
                altered_commitments(&key, started.unwrap().package());
            }
            // The right ones still make a package.
            start(&right).unwrap();
        });
    }
}

/// Party 2's commitments in the package are not those that it made, so it refuses. If it signs with its own
/// all the same, it is named, and it alone.
fn altered_commitments<S: Hostile>(key: &Key<S>, package: &SigningPackage<S>) {
    let (mut batches, own) = key.commit(&[1, MUTATOR, 5], 10);
    let honest = SigningPackage::new(&key.public, own[..2].iter().copied(), TEXT).unwrap();
    let [first, second, _] = &mut batches[..] else { panic!("three batches") };
    let own = key.share(MUTATOR);
    let refused = second.claim_for(own, package).unwrap_err();
    assert_eq!(refused, ClaimError::NoNonces, "no nonces of that name");
    // Nonces that were released for the right package, and fresh ones, sign no other.
    let nonces = release(second.claim_for(own, &honest).unwrap());
    let refusal = key.share(MUTATOR).sign(package, nonces).unwrap_err();
    assert_eq!(refusal, SignError::CommitmentMismatch);
    let (nonces, _) = key.share(MUTATOR).commit(&mut rng(3));
    let refusal = key.share(MUTATOR).sign(package, nonces).unwrap_err();
    assert_eq!(refusal, SignError::CommitmentMismatch);

    let (mut again, _) = key.commit(&[1, MUTATOR, 5], 10);
    let nonces = release(again[1].claim_for(own, &honest).unwrap());
    let wrong = key.share(MUTATOR).sign(&honest, nonces).unwrap();
    let nonces = release(first.claim_for(key.share(1), package).unwrap());
    let right = key.share(1).sign(package, nonces).unwrap();
    // Its share is for another package and names that package: nobody is blamed.
    let error = key.public.aggregate(package, &[right, wrong]).unwrap_err();
    assert_eq!(error, AggregateError::OtherPackage(id(MUTATOR)));
    // If the share names this package instead, the party is lying.
    let z = S::Curve::decode_scalar(wrong.scalar().as_ref()).unwrap();
    let wrong = with_scalar(&right, MUTATOR, &z);
    let error = key.public.aggregate(package, &[right, wrong]).unwrap_err();
    assert_eq!(error, AggregateError::Cheaters(vec![id(MUTATOR)]));
}

/// A coordinator's package for party 1: the signers are 1 and 2.
pub fn signing_package<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "signing package";
    let point = point_len::<S::Curve>();
    let key = Key::<S>::new(1);
    let honest = key.sign(&[1, MUTATOR], TEXT, 10);
    let [one, mut other] =
        [10, 11].map(|seed| key.sign(&[1, MUTATOR], TEXT, seed).package.to_bytes());
    let of_another = Key::<S>::new(2).sign(&[1, MUTATOR], TEXT, 10).package.to_bytes();
    other = renamed(&other, &of_another, HEADER..HEADER + 68);
    let [one, other] = [&one, &other].map(|form| undigested(form));
    // header, name of the public key package, count, (id, hiding, binding) twice,
    // length, message
    let mut at = HEADER;
    let name = name(&mut at);
    at += 2;
    let list = at;
    let points: Vec<_> = [["id 1", "hiding 1", "binding 1"], ["id 2", "hiding 2", "binding 2"]]
        .into_iter()
        .flat_map(|[party, hiding, binding]| {
            [
                Field::next(party, Class::Id, 2, &mut at),
                Field::next(hiding, Class::Point, point, &mut at),
                Field::next(binding, Class::Point, point, &mut at),
            ]
        })
        .collect();
    let fields = [name.to_vec(), points].concat();
    let entry = 2 + 2 * point;
    let (first, second) = (&one[list..list + entry], &one[list + entry..list + 2 * entry]);
    let swapped = splice(one, list..list + 2 * entry, &[second, first].concat());
    for case in cases::<S::Curve>(&fields, one, &swapped, other).into_iter().filter(same_length) {
        ledger.case(MESSAGE, &label(&case), || {
            let expected = match (case.field, case.kind) {
                _ if case.class == Class::Bytes => {
                    let why = mismatch(case.field, &case.bytes[HEADER + 32..HEADER + 36]);
                    Refused::Sign(SignError::Mismatch(why))
                }
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
    let package = Sent { key: &key, honest: &honest.package, bytes: one, list };
    package.texts(ledger);
    package.lists(ledger);
}

/// A package as it is sent to party 1, and where its list of signers begins.
struct Sent<'s, S: Hostile> {
    key: &'s Key<S>,
    honest: &'s SigningPackage<S>,
    bytes: &'s [u8],
    list: usize,
}

impl<S: Hostile> Sent<'_, S> {
    /// Bytes of a signer in the list.
    const ENTRY: usize = 2 + 2 * size_of::<PointBytes<S>>();

    /// Other messages.
    fn texts(&self, ledger: &mut Ledger) {
        let head = &self.bytes[..self.list + 2 * Self::ENTRY];
        let texts: [&[u8]; 5] =
            [b"", b"Sixteen bytes...", b"ixteen bytes...", b"sixteen bytes....", b"another"];
        for text in texts {
            let length = u32::try_from(text.len()).unwrap().to_be_bytes();
            let bytes = [head, &length, text].concat();
            ledger.case("signing package", "message", || {
                offer(self.key, self.honest, &bytes, &Refused::ByCoordinator);
            });
        }
    }

    /// Other lengths of the message, and other lists of signers.
    fn lists(&self, ledger: &mut Ledger) {
        use DecodeError::{BadOrder, NoSigners, TrailingBytes, Truncated};
        let (one, start) = (self.bytes, self.list);
        let end = start + 2 * Self::ENTRY;
        let (first, second) = one[start..end].split_at(Self::ENTRY);
        let long = package_of(&self.key.public, &self.key.commit(&[5], 12).1, b"").to_bytes();
        let third = &long[start..start + Self::ENTRY];
        let list = |count: u16, entries: &[&[u8]]| {
            [&one[..start - 2], &count.to_be_bytes(), &entries.concat(), &one[end..]].concat()
        };
        let length = |bytes: [u8; 4]| splice(one, end..end + 4, &bytes);
        let few = SignError::TooFewSigners { got: 1, need: 2 };
        let others: Vec<(&str, Vec<u8>, Refused)> = vec![
            ("length + 1", length([0, 0, 0, 17]), Refused::Read(Truncated)),
            ("length - 1", length([0, 0, 0, 15]), Refused::Read(TrailingBytes)),
            ("length 2^32 - 1", length([255; 4]), Refused::Read(Truncated)),
            ("no signers", list(0, &[]), Refused::Read(NoSigners)),
            ("one fewer", list(1, &[first]), Refused::Sign(few)),
            ("own missing", list(1, &[second]), Refused::Sign(SignError::NotASigner)),
            ("one more", list(3, &[first, second, third]), Refused::ByCoordinator),
            ("twice", list(4, &[first, second, first, second]), Refused::Read(BadOrder)),
            ("swapped", list(2, &[second, first]), Refused::Read(BadOrder)),
            ("repeated", list(2, &[first, first]), Refused::Read(BadOrder)),
            ("65535 signers", list(65535, &[first, second]), Refused::Read(Truncated)),
        ];
        for (name, bytes, expected) in others {
            let offered = || offer(self.key, self.honest, &bytes, &expected);
            ledger.case("signing package", name, offered);
        }
    }
}

/// The fate of a package that was altered on its way to party 1.
enum Refused {
    Read(DecodeError),
    Sign(SignError),
    Unknown,
    /// Party 1 cannot detect the change. Its share is worthless for the coordinator's own package, and
    /// names the altered one.
    ByCoordinator,
}

fn offer<S: Hostile>(key: &Key<S>, honest: &SigningPackage<S>, bytes: &[u8], expected: &Refused) {
    let bytes = &sealed_again::<S>(bytes);
    let read = SigningPackage::<S>::from_bytes(bytes);
    if let Refused::Read(error) = expected {
        return assert_eq!(read.unwrap_err(), *error);
    }
    let package = read.unwrap();
    assert_ne!(package, *honest);
    let fresh = || key.share(1).commit(&mut rng(10)).0;
    // Fresh nonces, and those of a batch that were released for the honest package.
    let (mut batches, _) = key.commit(&[1, MUTATOR], 10);
    let released = release(batches[0].claim_for(key.share(1), honest).unwrap());
    let signed = key.share(1).sign(&package, fresh());
    match expected {
        Refused::Read(_) => {}
        Refused::Sign(error) => assert_eq!(signed.unwrap_err(), *error),
        Refused::Unknown => {
            let unknown = package.signers()[1];
            assert_eq!(signed.unwrap_err(), SignError::UnknownParty(unknown));
        }
        Refused::ByCoordinator => {
            assert_eq!(key.share(1).sign(&package, released).unwrap_err(), SignError::OtherPackage);
            let nonces = release(batches[1].claim_for(key.share(MUTATOR), honest).unwrap());
            let second = key.share(MUTATOR).sign(honest, nonces).unwrap();
            let error = key.public.aggregate(honest, &[signed.unwrap(), second]).unwrap_err();
            assert_eq!(error, AggregateError::OtherPackage(id(1)));
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
    let of_another = Key::<S>::new(2).sign(&[1, MUTATOR], TEXT, 11).shares[1].to_bytes();
    let mut at = HEADER;
    let mut fields = vec![Field::next("id", Class::Id, 2, &mut at)];
    fields.extend(name(&mut at));
    fields.push(Field::next("signing package", Class::Bytes, 32, &mut at));
    fields.push(Field::next("scalar", Class::Scalar, scalar_len::<S::Curve>(), &mut at));
    let [peer, honest, session] =
        [&signed.shares[0], &signed.shares[1], &other.shares[1]].map(SignatureShare::to_bytes);
    let session = renamed(&session, &of_another, NAME);
    let right = honest.clone();
    let [peer, honest, session] = [&peer, &honest, &session].map(|form| undigested(form));
    for case in cases::<S::Curve>(&fields, honest, peer, session).into_iter().filter(same_length) {
        ledger.case(MESSAGE, &label(&case), || {
            let sent_form = sealed_again::<S>(&case.bytes);
            let (_, commitments) = key.commit(&[1, MUTATOR, 5], 10);
            let mut session = coordinator.start(sent(&commitments), TEXT).unwrap();
            for share in [signed.shares[0], signed.shares[2]] {
                session.receive(share.id(), &share.to_bytes()).unwrap();
            }
            if case.class == Class::Scalar && case.kind == Kind::Valid {
                return wrong_share(&key, &signed, session, &sent_form, &coordinator);
            }
            let why = match (decode_error(case.class, case.kind), case.class, case.field) {
                (Some(error), ..) => ShareRejected::Malformed(error),
                (None, Class::Id, _) => {
                    let named =
                        id(u16::from_be_bytes([case.bytes[HEADER], case.bytes[HEADER + 1]]));
                    let theirs = DecodeError::NotTheSenders { sender: id(MUTATOR), named };
                    ShareRejected::Malformed(theirs)
                }
                (None, _, "signing package") => ShareRejected::OtherPackage,
                (None, _, field) => {
                    ShareRejected::Mismatch(mismatch(field, &case.bytes[HEADER + 34..HEADER + 38]))
                }
            };
            let fault = matches!(why, ShareRejected::Malformed(_));
            assert_eq!(
                (session.receive(id(MUTATOR), &sent_form), fault),
                (Err(why), why.is_senders_fault())
            );
            if !fault {
                foreign_share(&key, &signed, &sent_form, why);
            }
            // Nothing was harmed: the right share finishes.
            session.receive(id(MUTATOR), &right).unwrap();
            coordinator.aggregate(session).unwrap();
        });
    }
}

/// A share that is for something else: nobody is blamed when it is aggregated with others.
fn foreign_share<S: Hostile>(
    key: &Key<S>,
    signed: &super::harness::Signed<S>,
    bytes: &[u8],
    why: ShareRejected,
) {
    let foreign = SignatureShare::<S>::from_bytes(id(MUTATOR), bytes).unwrap();
    let all = [signed.shares[0], foreign, signed.shares[2]];
    let expected = match why {
        ShareRejected::Mismatch(why) => AggregateError::Mismatch { party: Some(id(MUTATOR)), why },
        _ => AggregateError::OtherPackage(id(MUTATOR)),
    };
    assert!(expected.culprits().is_empty());
    assert_eq!(key.public.aggregate(&signed.package, &all).unwrap_err(), expected);
    assert_eq!(key.public.verify_share(&signed.package, &foreign).unwrap_err(), expected);
}

fn wrong_share<S: Hostile>(
    key: &Key<S>,
    signed: &super::harness::Signed<S>,
    mut session: SigningSession<S>,
    bytes: &[u8],
    coordinator: &Coordinator<S>,
) {
    let named = AggregateError::Cheaters(vec![id(MUTATOR)]);
    let wrong = SignatureShare::<S>::from_bytes(id(MUTATOR), bytes).unwrap();
    assert_eq!(key.public.verify_share(&signed.package, &wrong).unwrap_err(), named);
    let all = [signed.shares[0], wrong, signed.shares[2]];
    assert_eq!(key.public.aggregate(&signed.package, &all).unwrap_err(), named);
    assert_eq!(session.waiting_for().collect::<Vec<_>>(), [id(MUTATOR)]);
    // A message of another kind went astray, which proves nothing.
    let astray = session.receive(id(MUTATOR), &signed.package.to_bytes()).unwrap_err();
    assert!(matches!(astray, ShareRejected::Malformed(_)) && !astray.is_senders_fault());
    // The network may deliver a share twice.
    session.receive(id(MUTATOR), bytes).unwrap();
    session.receive(id(MUTATOR), bytes).unwrap();
    assert_eq!(session.waiting_for().count(), 0);
    assert_eq!(coordinator.verify_share(&session, id(MUTATOR)).unwrap_err(), named);
    assert_eq!(coordinator.verify_share(&session, id(1)), Ok(()));
    // The first counts: a change of mind is refused, and the session stays as it was.
    let second = session.receive(id(MUTATOR), &signed.shares[1].to_bytes()).unwrap_err();
    assert_eq!(second, ShareRejected::Conflicting);
    assert!(second.is_senders_fault());
    assert_eq!(coordinator.aggregate(session).unwrap_err(), named);
}

/// A signature on its way to a verifier.
pub fn signature<S: Hostile>(ledger: &mut Ledger) {
    const MESSAGE: &str = "aggregated signature";
    let key = Key::<S>::new(1);
    let sign = |seed| {
        let signed = key.sign(&[1, MUTATOR], TEXT, seed);
        key.public.aggregate(&signed.package, &signed.shares).unwrap().to_bytes().as_ref().to_vec()
    };
    let [honest, peer, session] = [10, 11, 12].map(sign);
    let verifying_key = key.public.verifying_key();
    let check = |bytes: &[u8], decodes: bool| {
        let read = Signature::<S>::from_bytes(bytes);
        assert_eq!(read.is_ok(), decodes);
        assert!(read.map_or(true, |read| verifying_key.verify(TEXT, &read).is_err()));
    };
    let split = honest.len() - scalar_len::<S::Curve>();
    let scalar = [Field { name: "z", class: Class::Scalar, at: split..honest.len() }];
    for case in cases::<S::Curve>(&scalar, &honest, &peer, &session) {
        ledger.case(MESSAGE, &label(&case), || check(&case.bytes, case.kind == Kind::Valid));
    }
    // BIP-340 writes x alone: R with even y, and no tag that could be wrong.
    let x_only = split < point_len::<S::Curve>();
    let whole = |signature: &[u8]| {
        let r = &signature[..split];
        if x_only { [&[2], r].concat() } else { r.to_vec() }
    };
    let others = [whole(&peer), whole(&session)];
    let others = Others { party: Some(&others[0]), session: Some(&others[1]) };
    for one in mutations::<S::Curve>(Class::Point, &whole(&honest), others) {
        if x_only && ["negative", "bad tag"].contains(&one.name) {
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
