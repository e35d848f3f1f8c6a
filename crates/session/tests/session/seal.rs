//! Sealing: what comes back is what was stored, or nothing.

use crate::toy;

use core::cmp::Ordering;

use quorate_session::container::{ContainerError, DIGEST, HEADER, Kind, Label, NO_CURVE, SEALED};
use quorate_session::{
    ClaimRecord, Evidence, Message, Outbox, Outgoing, Parties, PartyId, Progress, SealError,
    SealKey, Sealed, Session, To, Transcript,
};
use quorate_testkit::hex;
use sha2::{Digest, Sha256};
use toy::{Params, Sum, advance_all, exchange, frame, id, params, round, start, start_all};

fn three() -> Parties {
    Parties::numbered(3).unwrap()
}

fn key() -> SealKey {
    SealKey::new([7; 32])
}

fn reopen(session: Session<Sum>, sent: &[Outgoing]) -> Session<Sum> {
    let sealed = session.seal(&key());
    let (slot, me) = (session.slot(), session.party_id());
    drop(session);
    let stored = Sealed::from_bytes(sealed.as_bytes()).unwrap();
    assert_eq!(stored.slot(), slot);
    let step = Session::<Sum>::open(&stored, params(me), &key()).unwrap();
    assert_eq!(step.outgoing, sent, "the outbox must come back byte for byte");
    // Sealing again gives the same bytes: nothing was lost, nothing added.
    assert_eq!(step.session.seal(&key()), sealed);
    step.session
}

/// One party of the run below.
struct Seat {
    session: Option<Session<Sum>>,
    sent: Vec<Outgoing>,
    result: Option<u64>,
}

#[test]
fn killed_and_restored_after_each_frame() {
    let parties = three();
    for order in 0..6 {
        let mut mail: Vec<(PartyId, PartyId, Vec<u8>)> = Vec::new();
        let mut seats: Vec<Seat> = Vec::new();
        for step in start_all(1, &parties) {
            post(&mut mail, step.session.party_id(), &step.outgoing);
            seats.push(Seat { session: Some(step.session), sent: step.outgoing, result: None });
        }
        let mut random = quorate_testkit::Lcg(order);
        while !mail.is_empty() {
            let (from, to, bytes) = mail.remove(random.below(mail.len()));
            let seat = &mut seats[usize::from(to.get()) - 1];
            let Some(mut session) = seat.session.take() else {
                continue;
            };
            session.receive(from, &bytes).unwrap();
            session = reopen(session, &seat.sent);
            while let Some(before) = seat.session.take().or(Some(session)) {
                match before.advance().unwrap() {
                    Progress::Waiting(waiting) => {
                        seat.session = Some(waiting);
                        break;
                    }
                    Progress::Working(working) => session = working,
                    Progress::Done { output: sum, .. } => {
                        seat.result = Some(sum);
                        break;
                    }
                    Progress::Round(step) => {
                        session = reopen(step.session, &step.outgoing);
                        post(&mut mail, to, &step.outgoing);
                        seat.sent = step.outgoing;
                    }
                    other @ Progress::Unconfirmed(_) => panic!("{other:?}"),
                }
            }
        }
        assert!(seats.iter().all(|seat| seat.result == Some(6000)), "order {order}");
    }
}

fn post(mail: &mut Vec<(PartyId, PartyId, Vec<u8>)>, from: PartyId, outgoing: &[Outgoing]) {
    for message in outgoing {
        for to in three().iter().filter(|to| *to != from) {
            if message.to == To::Everyone || message.to == To::Only(to) {
                mail.push((from, to, message.bytes.clone()));
            }
        }
    }
}

#[test]
fn conflicting_frames_survive_the_seal() {
    let steps = start_all(1, &three());
    let good = frame(&steps[1], id(1), true);
    let mut bad = good.clone();
    *bad.last_mut().unwrap() ^= 1;
    let step = start(1, id(1), &three());
    let mut session = step.session;
    session.receive(id(2), &good).unwrap();
    session.receive(id(2), &bad).unwrap();
    let session = reopen(session, &step.outgoing);
    assert_eq!(toy::aborted(session.advance()).culprits().collect::<Vec<_>>(), [id(2)]);
}

#[test]
fn an_old_log_is_told_by_its_slot() {
    let steps = start_all(1, &three());
    let step = start(1, id(1), &three());
    let mut session = step.session;
    let mut slots = vec![session.slot()];
    for from in [2, 3] {
        session.receive(id(from), &frame(&steps[usize::from(from) - 1], id(1), true)).unwrap();
        slots.push(session.slot());
    }
    let session = round(session.advance()).session;
    slots.push(session.slot());
    assert!(slots.is_sorted_by(|a, b| a < b));
    assert_eq!(slots.iter().map(|slot| slot.length()).collect::<Vec<_>>(), [0, 1, 2, 3]);

    // The store's rule: write only what is greater than what is there.
    let mut stored = session.seal(&key());
    let old = start(1, id(1), &three()).session.seal(&key());
    for candidate in [old, stored.clone()] {
        if candidate.slot().partial_cmp(&stored.slot()) == Some(Ordering::Greater) {
            stored = candidate;
        }
    }
    assert_eq!(stored.slot(), slots[3]);
    // Slots of other runs and of other parties don't compare at all.
    for other in [start(2, id(1), &three()), start(1, id(2), &three())] {
        assert_eq!(other.session.slot().partial_cmp(&slots[0]), None);
        assert_ne!(other.session.slot(), slots[0]);
    }
}

#[test]
fn each_altered_byte_is_refused() {
    let mut session = start(1, id(1), &three()).session;
    session.receive(id(2), &frame(&start_all(1, &three())[1], id(1), true)).unwrap();
    let sealed = session.seal(&key());
    let bytes = sealed.as_bytes();
    for place in 0..bytes.len() {
        let mut altered = bytes.to_vec();
        altered[place] ^= 1;
        if let Ok(altered) = Sealed::from_bytes(&altered) {
            assert!(Session::<Sum>::open(&altered, params(id(1)), &key()).is_err(), "byte {place}");
        }
    }
    for length in 0..bytes.len() {
        if let Ok(cut) = Sealed::from_bytes(&bytes[..length]) {
            assert!(Session::<Sum>::open(&cut, params(id(1)), &key()).is_err(), "length {length}");
        }
    }
}

/// Every way in which stored bytes can be others than a sealed session has an error of its own.
#[test]
fn every_wrong_container_has_its_own_error() {
    let session = start(1, id(1), &three()).session;
    let (sealed, tombstone) = (session.seal(&key()), session.tombstone());
    let record = ClaimRecord { id: [1; 32], digest: [2; 32] };
    let seal = |bytes: &[u8]| match Sealed::from_bytes(bytes) {
        Err(SealError::Container(why)) => why,
        other => panic!("{other:?}"),
    };
    let bytes = |bytes: &[u8]| match key().open_bytes("a", bytes) {
        Err(SealError::Container(why)) => why,
        other => panic!("{other:?}"),
    };
    let recorded = |bytes: &[u8]| ClaimRecord::from_bytes(bytes).unwrap_err();
    let sealed_bytes = key().seal_bytes("a", b"content");
    let record_bytes = record.to_bytes();
    type Open<'a> = &'a dyn Fn(&[u8]) -> ContainerError;
    let forms: [(&[u8], Open<'_>, Open<'_>); 4] = [
        (sealed.as_bytes(), &seal, &bytes),
        (tombstone.as_bytes(), &seal, &recorded),
        (&sealed_bytes, &bytes, &seal),
        (&record_bytes, &recorded, &seal),
    ];
    for (honest, open, other) in forms {
        let with = |at: usize, value: u8| {
            let mut bytes = honest.to_vec();
            bytes[at] = value;
            open(&bytes)
        };
        assert_eq!(open(b"{}"), ContainerError::NotAContainer);
        assert_eq!(with(0, 0), ContainerError::NotAContainer);
        assert_eq!(with(4, 0), ContainerError::OlderVersion { expected: 1, got: 0 });
        assert_eq!(with(4, 9), ContainerError::NewerVersion { expected: 1, got: 9 });
        assert!(matches!(with(5, 7), ContainerError::WrongKind { got: 7, .. }));
        assert!(matches!(other(honest), ContainerError::WrongKind { .. }));
        assert_eq!(with(6, 5), ContainerError::WrongCurve { expected: "no curve", got: 5 });
        let (expected, got) = (honest.len(), honest.len() + 1);
        let longer = [honest, &[0]].concat();
        assert_eq!(open(&longer), ContainerError::TrailingBytes { expected, got });
        for got in HEADER..honest.len() {
            assert_eq!(open(&honest[..got]), ContainerError::Truncated { expected, got });
        }
        for (at, byte) in honest.iter().enumerate().skip(HEADER) {
            assert_eq!(with(at, byte ^ 0x80), ContainerError::Damaged);
        }
    }
    let mut family = sealed_bytes.clone();
    family[7] = 3;
    let wrong = ContainerError::WrongFamily { expected: "quorate-session", got: 3 };
    assert_eq!(bytes(&family), wrong);
    assert_eq!(ClaimRecord::from_bytes(&record.to_bytes()), Ok(record));
}

/// The bytes with another header or clear part, and the digest that fits: what only the cipher notices.
#[test]
fn what_stands_in_clear_is_authenticated() {
    let sealed = start(1, id(1), &three()).session.seal(&key());
    for at in [7].into_iter().chain(HEADER..HEADER + 38) {
        let mut bytes = sealed.as_bytes().to_vec();
        bytes[at] ^= 2;
        let bytes = with_digest(&bytes);
        let Ok(stored) = Sealed::from_bytes(&bytes) else { panic!("byte {at}") };
        let opened = Session::<Sum>::open(&stored, params(id(1)), &key()).map(drop);
        let other = ContainerError::WrongFamily { expected: "toy sum", got: 202 };
        let why = if at == 7 { SealError::Container(other) } else { SealError::Unauthentic };
        assert_eq!(opened, Err(why), "byte {at}");
    }
    // Version, kind, curve and family of a kind with two versions, two of each.
    let kind = |code, version| Kind { code: code | SEALED, name: "a test", version };
    let label = |kind, curve, family, family_code| Label { kind, curve, family, family_code };
    let right = label(kind(112, 2), "P-256", "a", 1);
    let bytes = right.seal(&key(), b"content");
    assert_eq!(*right.unseal(&key(), &bytes).unwrap().1, *b"content");
    for (at, value, wrong) in [
        (4, 1, right),
        (5, 113 | SEALED, label(kind(113, 2), "P-256", "a", 1)),
        (6, 5, label(kind(112, 2), "secp256k1", "a", 1)),
        (7, 2, label(kind(112, 2), "P-256", "a", 2)),
        (7, 1, label(kind(112, 2), "P-256", "b", 1)),
    ] {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        let bytes = with_digest_of(&bytes, wrong.curve, wrong.family);
        assert_eq!(wrong.unseal(&key(), &bytes).map(drop), Err(SealError::Unauthentic), "{at}");
    }
}

/// The bytes with the digest that fits.
fn with_digest(bytes: &[u8]) -> Vec<u8> {
    with_digest_of(bytes, NO_CURVE, "quorate-session")
}

fn with_digest_of(bytes: &[u8], curve: &str, family: &str) -> Vec<u8> {
    let content = &bytes[..bytes.len() - DIGEST];
    let mut transcript = Transcript::new("quorate stored form");
    transcript.append("curve", curve.as_bytes());
    transcript.append("family", family.as_bytes());
    transcript.append("bytes", content);
    [content, &transcript.finish32()].concat()
}

#[test]
fn other_keys_and_other_parameters_are_refused() {
    let sealed = start(1, id(1), &three()).session.seal(&key());
    let open = |params, key: &SealKey| Session::<Sum>::open(&sealed, params, key).map(|_| ());
    let good = params(id(1));
    assert_eq!(open(good.clone(), &key()), Ok(()));
    assert_eq!(open(good.clone(), &SealKey::new([8; 32])), Err(SealError::Unauthentic));
    // What all must agree on is in the context; what is private shows in what was sent.
    let threshold = Params { threshold: 3, ..good.clone() };
    assert_eq!(open(threshold, &key()), Err(SealError::OtherParams));
    let number = Params { number: 1, ..good };
    assert_eq!(open(number, &key()), Err(SealError::Diverged));
}

#[test]
fn equal_states_seal_equally_and_different_ones_under_different_nonces() {
    let nonce = |sealed: &Sealed| sealed.as_bytes()[HEADER + 38..HEADER + 38 + 24].to_vec();
    let one = start(1, id(1), &three()).session.seal(&key());
    assert_eq!(one, start(1, id(1), &three()).session.seal(&key()));
    let two = start(2, id(1), &three()).session.seal(&key());
    let three_ = start(1, id(2), &three()).session.seal(&key());
    assert!(nonce(&one) != nonce(&two) && nonce(&one) != nonce(&three_));
}

#[test]
fn bytes_are_sealed_for_one_purpose() {
    let key = key();
    for length in [0, 1, 100] {
        let plain = vec![5; length];
        let sealed = key.seal_bytes("nonces", &plain);
        assert_eq!(sealed.len(), length + 84);
        assert_eq!(*key.open_bytes("nonces", &sealed).unwrap(), plain);
        assert_eq!(key.open_bytes("shares", &sealed).unwrap_err(), SealError::Unauthentic);
        for place in HEADER..sealed.len() - DIGEST {
            let mut altered = sealed.clone();
            altered[place] ^= 0x80;
            let damaged = SealError::Container(ContainerError::Damaged);
            assert_eq!(key.open_bytes("nonces", &altered).unwrap_err(), damaged);
            let altered = with_digest(&altered);
            assert_eq!(key.open_bytes("nonces", &altered).unwrap_err(), SealError::Unauthentic);
        }
        for cut in 0..sealed.len() {
            assert!(key.open_bytes("nonces", &sealed[..cut]).is_err());
        }
    }
    let nonce = HEADER..HEADER + 24;
    assert_ne!(key.seal_bytes("a", b"x")[nonce.clone()], key.seal_bytes("b", b"x")[nonce]);
    let empty = ContainerError::Truncated { expected: HEADER + DIGEST, got: 0 };
    assert_eq!(key.open_bytes("a", &[]).unwrap_err(), SealError::Container(empty));
}

#[test]
fn a_sealed_session_is_not_sealed_bytes() {
    let sealed = start(1, id(1), &three()).session.seal(&key());
    assert!(key().open_bytes("session", sealed.as_bytes()).is_err());
}

#[test]
fn debug_prints_no_secret() {
    let step = advance_all(exchange(start_all(1, &three()))).remove(0);
    let sealed = step.session.seal(&key());
    let run = format!(
        "Session {{ protocol: \"toy sum\", run: Run {{ me: 1, sid: SessionId({}), round: 2, .. }}, .. }}",
        "01".repeat(32)
    );
    let outgoing = "[Outgoing { to: Everyone, bytes: 111 }, \
        Outgoing { to: Only(2), bytes: 135 }, \
        Outgoing { to: Only(3), bytes: 135 }]";
    assert_eq!(format!("{step:?}"), format!("Step {{ session: {run}, outgoing: {outgoing} }}"));
    assert_eq!(format!("{:?}", step.session.advance()), format!("Ok(Waiting({run}))"));
    assert_eq!(format!("{:?}", key()), "SealKey(..)");
    let slot = format!("{:?}", sealed.slot());
    assert_eq!(format!("{sealed:?}"), format!("Sealed {{ slot: {slot}, .. }}"));
    let outbox = Outbox::new(Some(vec![1, 2]), vec![(id(2), vec![3])]);
    assert_eq!(format!("{outbox:?}"), "Outbox { broadcast: Some(2), direct: 1 }");
    let message = Message { from: id(2), broadcast: &[1], direct: &[2, 3] };
    assert_eq!(format!("{message:?}"), "Message { from: 2, broadcast: 1, direct: 2 }");
    let evidence = Evidence::new([1; 32], vec![(id(2), vec![9; 7])]);
    assert_eq!(format!("{evidence:?}"), "Evidence [(2, 7)]");
}

/// The formats, byte for byte: whoever changes these numbers breaks runs in progress and must
/// raise the version.
#[test]
fn wire_and_storage_are_pinned() {
    let mut steps = start_all(1, &three());
    let mut sent = Sha256::new();
    for _ in 0..2 {
        for message in steps.iter().flat_map(|step| &step.outgoing) {
            sent.update(&message.bytes);
        }
        steps = advance_all(exchange(steps));
    }
    for message in steps.iter().flat_map(|step| &step.outgoing) {
        sent.update(&message.bytes);
    }
    let sealed = exchange(steps)[0].seal(&key());
    let context = hex(&start(1, id(1), &three()).session.slot().session());
    let first = hex(&frame(&start(1, id(1), &three()), id(2), true)[..39]);
    assert_eq!(context, "1c9858468e13d43d7c94f518e77f3e89faf600a632226ed0b25fc7fa594f5e82");
    assert_eq!(first, ["01c801", "0001", "0000", &context].concat());
    assert_eq!(
        hex(&sent.finalize()),
        "cc6996efd69e4f82d568f72625b6e4dafdf75e159656592ae9769025aea072e3"
    );
    let clear = ["51525445", "01", "e2", "00", "c8", "00000676", &context, "0001", "0000000a"];
    assert_eq!(hex(&sealed.as_bytes()[..HEADER + 38]), clear.concat());
    assert_eq!(
        hex(&Sha256::digest(sealed.as_bytes())),
        "ba570ed997391c52031b0ce47fc96ff7fb9915fdba190adfbf531a2548d1d3e2"
    );
    assert_eq!(
        hex(&key().seal_bytes("test", b"abc")),
        "5152544501e300000000002b98ae4009b0e35259452f34d8e3e59814d71d493bbc15a3dfc0a36f8f69b2\
         d901354a5a5a64710f2abff73cfa72cd8befe16304132601aa8a8639924416ee71d67866ad09652fc4e4783a41"
    );
}

/// A store whose key is replaced: the session is the same, opens under the new key and under that alone.
#[test]
fn a_session_under_another_key_is_the_same_session() {
    let (old, new) = (key(), SealKey::new([8; 32]));
    let session = exchange(start_all(1, &three())).remove(0);
    let sealed = session.seal(&old);
    let moved = sealed.reseal(&old, &new).unwrap();
    assert_eq!(moved, session.seal(&new));
    assert_eq!((moved.slot(), moved.reseal(&new, &old).as_ref()), (sealed.slot(), Ok(&sealed)));
    let open = |sealed: &Sealed, key| Session::<Sum>::open(sealed, params(id(1)), key).map(drop);
    assert_eq!(open(&moved, &new).map_err(|why| why.to_string()), Ok(()));
    assert_eq!(open(&moved, &old), Err(SealError::Unauthentic));
    assert_eq!(moved.reseal(&old, &new), Err(SealError::Unauthentic));
    let tombstone = session.tombstone();
    assert_eq!(tombstone.reseal(&old, &new), Ok(tombstone.clone()));
}

/// A container and a frame are appended to what a buffer has already, and are the same as alone.
#[test]
fn forms_are_appended_to_a_buffer() {
    use quorate_session::Round;
    use quorate_session::frame::{Header, VERSION};

    let kind = Kind { code: 126, name: "a test", version: 1 };
    let label = Label { kind, curve: NO_CURVE, family: "tests", family_code: 9 };
    let mut alone = label.start(4);
    alone.extend_from_slice(b"body");
    let alone = label.end_public(alone);
    let mut bytes = b"before".to_vec();
    label.encode_into(&mut bytes, 4, |bytes| bytes.extend_from_slice(b"body"));
    assert_eq!(bytes.strip_prefix(b"before"), Some(&*alone));
    assert_eq!(label.open(&alone).unwrap().1.remaining(), 4);
    let header = Header {
        version: VERSION,
        code: 9,
        round: Round::FIRST,
        from: id(1),
        to: None,
        context: [7; 32],
    };
    for prefix in [None, Some(&[3; 32])] {
        let mut bytes = b"before".to_vec();
        header.frame_into(&mut bytes, prefix, b"body");
        assert_eq!(bytes.strip_prefix(b"before"), Some(&*header.frame(prefix, b"body")));
    }
}
