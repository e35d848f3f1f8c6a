//! Messages and requests: what is written is read again, and nothing else is.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use ed25519_dalek::SigningKey;
use quorate::runner::Job;
use quorate::{Parties, PartyId, SessionId};
use quorate_custody::orders::{Body, Kind, Name, Order};
use quorate_custody::request::{KeyId, Request, RequestKey, Scheme, SignedRequest};
use quorate_custody::statement::{SignedStatement, Statement};
use quorate_custody::wire::{
    Beat, Holding, Mark, Material, Message, Nonces, Replenish, Shared, SignOrder, Stands, Stated,
    Unreadable, Witness,
};

fn request() -> Request {
    Request {
        key: RequestKey([1; 16]),
        key_id: KeyId([2; 16]),
        scheme: Scheme::Ed25519,
        path: "m/44/0".parse().unwrap(),
        message: b"pay 1 to Alice".to_vec(),
        deadline: 77,
    }
}

fn signed() -> SignedRequest {
    SignedRequest::new(request(), &SigningKey::from_bytes(&[7; 32]))
}

fn party(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

const STANDS: [Stands; 5] =
    [Stands::Made, Stands::Kept, Stands::Promised, Stands::Stored, Stands::Left];

fn holding(stands: Stands) -> Holding {
    Holding { key: KeyId([2; 16]), scheme: Scheme::Ecdsa, stands, public: vec![4; 70] }
}

fn stated(scheme: Scheme) -> SignedStatement {
    let statement = Statement {
        key: KeyId([2; 16]),
        scheme,
        public_key: vec![3; 33],
        chain_code: (scheme == Scheme::Ecdsa).then_some([4; 32]),
        epoch: 1,
        threshold: 2,
        committee: Parties::numbered(3).unwrap(),
    };
    SignedStatement { statement, signature: [5; 64] }
}

fn messages() -> Vec<Message> {
    let (sid, parties) = (SessionId::new([3; 32]), Parties::numbered(3).unwrap());
    let job = Job { sid, parties, body: vec![1, 2], deadline: 5 };
    let sign = |material| Message::Sign(Box::new(SignOrder { request: signed(), material }));
    let mark = Mark { epoch: 1, number: 2, head: [3; 32] };
    let challenge = [6; 16];
    let beat = |refuses| Message::Beat(Beat { mark, challenge, refuses, runs: 3, holds: [8; 32] });
    let witness = Witness { echo: challenge, seen: mark, vouches: true, mark, relies: true };
    let replenish = Replenish { key: KeyId([2; 16]), number: 4, count: 64, done: 3, epoch: 0 };
    let nonces = Nonces { key: KeyId([2; 16]), number: 4, published: vec![9; 70] };
    let shares = [
        Shared::Share(vec![1; 90]),
        Shared::Never("no".into()),
        Shared::Gone("gone".into()),
        Shared::NotYet(String::new()),
    ];
    let mut all = vec![
        Message::Packet(vec![0; 9]),
        Message::Order(Order { kind: Kind::Presign, job }),
        Message::Answer(sid, Ok(vec![1; 65])),
        Message::Answer(sid, Err("why".into())),
        sign(Material::Presignature([5; 32])),
        sign(Material::Commitments(vec![(party(1), [1; 64]), (party(3), [2; 64])])),
        Message::Replenish(replenish),
        Message::Nonces(nonces),
        Message::Greeting("threshold 2\n".into()),
        beat(Some("put back".into())),
        beat(None),
        Message::Witness(witness),
        Message::Witness(Witness { vouches: false, ..witness }),
        Message::Witness(Witness { relies: false, ..witness }),
        Message::Notice("look".into()),
        Message::Begun(sid),
        Message::Tell,
        Message::Holds(vec![]),
        Message::Holds(STANDS.map(holding).to_vec()),
        Message::Stated(Stated { holds: [6; 32], list: vec![] }),
        Message::Stated(Stated {
            holds: [6; 32],
            list: vec![stated(Scheme::Ecdsa), stated(Scheme::Ed25519)],
        }),
    ];
    all.extend(shares.map(|share| Message::Share([4; 32], share)));
    all
}

#[test]
fn what_is_written_is_read_again_and_nothing_shorter_or_longer() {
    for message in messages() {
        let bytes = message.to_bytes();
        assert_eq!(Message::from_bytes(&bytes).as_ref(), Ok(&message));
        for end in 0..bytes.len() {
            let shorter = Message::from_bytes(&bytes[..end]);
            // The message of a request has no length of its own; the field that it stands in does.
            assert_eq!(shorter, Err(Unreadable), "{message:?} cut at {end}");
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert_eq!(Message::from_bytes(&longer), Err(Unreadable), "{message:?}");
        // Another version.
        let other = [&[2], &bytes[1..]].concat();
        assert_eq!(Message::from_bytes(&other), Err(Unreadable));
    }
}

/// Whatever a peer has changed, it is read as something that is written the same, or not at all.
#[test]
fn changed_bytes_are_another_message_or_none() {
    for message in messages() {
        let bytes = message.to_bytes();
        for at in 0..bytes.len().min(300) {
            for flip in [1, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                if let Ok(read) = Message::from_bytes(&changed) {
                    assert_ne!(read, message);
                    assert_eq!(read.to_bytes(), changed, "{read:?}");
                }
            }
        }
    }
    // Lengths that promise more than there is cost nothing.
    assert_eq!(Message::from_bytes(&[1, 1, 255, 255, 255, 255]), Err(Unreadable));
    assert_eq!(Message::from_bytes(&[]), Err(Unreadable));
}

#[test]
fn signers_of_an_order_ascend_and_texts_are_cut() {
    for list in [vec![(party(2), [0; 64]), (party(1), [0; 64])], vec![(party(1), [0; 64]); 2]] {
        let order = SignOrder { request: signed(), material: Material::Commitments(list) };
        assert_eq!(Message::from_bytes(&order.to_bytes()), Err(Unreadable));
    }
    let long = "é".repeat(4000);
    let Ok(Message::Notice(read)) = Message::from_bytes(&Message::Notice(long).to_bytes()) else {
        unreachable!("a notice")
    };
    assert_eq!(read.len(), 4096);
}

#[test]
fn a_request_is_its_requesters_alone() {
    let good = signed();
    assert!(good.verifies());
    assert_eq!(SignedRequest::from_bytes(&good.to_bytes()).as_ref(), Some(&good));
    let changed = [
        Request { key: RequestKey([9; 16]), ..request() },
        Request { key_id: KeyId([9; 16]), ..request() },
        Request { scheme: Scheme::Ecdsa, ..request() },
        Request { path: "m/44/1".parse().unwrap(), ..request() },
        Request { message: b"pay 9 to Alice".to_vec(), ..request() },
        Request { deadline: 78, ..request() },
    ];
    for request in changed {
        assert_ne!(request.digest(), good.request.digest());
        let forged = SignedRequest { request, ..good.clone() };
        assert!(!forged.verifies());
    }
    let other = SigningKey::from_bytes(&[8; 32]).verifying_key().to_bytes();
    assert!(!SignedRequest { requester: other, ..good.clone() }.verifies());
    assert!(!SignedRequest { requester: [0; 32], ..good.clone() }.verifies());
    let long = Request { message: vec![0; 65_537], ..request() };
    assert_eq!(Request::from_bytes(&long.to_bytes()), None);
}

/// A generator of known numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, of: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap().checked_rem(of).unwrap_or(0)
    }

    fn byte(&mut self) -> u8 {
        let edges = [0, 1, 0x7f, 0x80, 0xff];
        let any = u8::try_from(self.below(256)).unwrap();
        edges.get(self.below(10)).copied().unwrap_or(any)
    }
}

/// Bytes that somebody has altered: some set, cut out, doubled or put in from another message.
fn altered(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let (at, byte) = (random.below(bytes.len()), random.byte());
        let end = (at + 1 + random.below(8)).min(bytes.len());
        match random.below(5) {
            0 | 1 => bytes.get_mut(at).into_iter().for_each(|place| *place = byte),
            2 => drop(bytes.drain(at..end)),
            3 => bytes.extend_from_within(at..end),
            _ => {
                let from = random.below(other.len());
                let to = (from + 1 + random.below(40)).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
        }
    }
    bytes
}

/// Whatever is made of the bytes of messages, nothing panics, and what is read is what was written: there is one way to write
/// a message.
#[test]
fn altered_messages_are_refused_or_are_what_they_say() {
    let mut all: Vec<Vec<u8>> = messages().iter().map(Message::to_bytes).collect();
    let members = (1..=3).map(|node| (party(node), 1)).collect();
    let name = Name::new(&[1; 32], Kind::Presign, (1, 2));
    let body = Body { count: 3, ..Body::of_key(KeyId([2; 16]), 0) };
    let order = Order::new((name, Kind::Presign), &members, &body, 9).unwrap();
    all.push(Message::Order(order.clone()).to_bytes());
    let (mut random, mut read) = (Random(5), 0);
    for _ in 0..40_000 {
        let [one, other] = [random.below(all.len()), random.below(all.len())];
        let bytes = altered(&all[one], &all[other], &mut random);
        let Ok(message) = Message::from_bytes(&bytes) else { continue };
        read += 1;
        assert_eq!(message.to_bytes(), bytes, "{message:?}");
        if let Message::Order(other) = message {
            drop(Body::from_bytes(&other.job.body));
            // Under the name of a session stands one epoch of a party.
            let same = other.job.sid == order.job.sid;
            assert!(!same || [None, Some(1)].contains(&other.epoch_of(party(1))), "{other:?}");
        }
    }
    assert!(read > 1000, "{read} of 40000 were messages");
}

/// The epochs of an order's parties, and its gateway, are in the name of its session, but for what gateways share.
#[test]
fn a_session_is_of_the_epochs_of_its_parties() {
    let sid = |kind, gateway, epoch: u32| {
        let members = [(party(1), 1), (party(2), epoch)].into();
        let name = Name::new(&[1; 32], kind, (gateway, 2));
        let body = Body::of_key(KeyId([2; 16]), 0);
        let order = Order::new((name, kind), &members, &body, 9).unwrap();
        assert_eq!(order.epoch_of(party(2)), Some(epoch));
        assert_eq!(order.epoch_of(party(3)), None);
        *order.job.sid.as_bytes()
    };
    assert_ne!(sid(Kind::Presign, 1, 1), sid(Kind::Presign, 1, 2));
    assert_ne!(sid(Kind::Presign, 1, 1), sid(Kind::Presign, 2, 1));
    assert_ne!(sid(Kind::Keygen, 1, 1), sid(Kind::Dkg, 1, 1));
    for kind in [Kind::Keygen, Kind::Dkg, Kind::AuxInfo] {
        assert_eq!(sid(kind, 1, 1), sid(kind, 2, 1));
    }
}

/// Whoever knows the name of an order cannot put another one in its place.
#[test]
fn a_session_is_of_all_that_is_ordered() {
    let order = |count| {
        let name = Name::new(&[1; 32], Kind::Presign, (1, 2));
        let body = Body { count, ..Body::of_key(KeyId([2; 16]), 0) };
        Order::new((name, Kind::Presign), &[(party(1), 1), (party(2), 1)].into(), &body, 9).unwrap()
    };
    let (mut one, other) = (order(8), order(9));
    assert_ne!(one.job.sid, other.job.sid);
    one.job.body = other.job.body;
    assert_eq!(one.epoch_of(party(1)), None);
}
