//! Orders and answers: what is written reads again, and hostile bytes are refused within bounds.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, missing_docs)]

mod common;

use common::{Secret, request};
use custody_core::{
    Accusation, Answer, AnswerMessage, Certificate, EarlierAttempt, Endorsement, KeyId, KeyInfo,
    KeySpec, KeyState, Material, NodeStatus, Order, OrderMessage, Reason, Refusal, RequestId,
    Scheme, SignedCertificate, Stock, Versions, WireError, version_of,
};
use quorate::PartyId;
use quorate_envelope::{Directory, Name};

fn key() -> KeyId {
    KeyId::new([7; 32])
}

fn parties(numbers: &[u16]) -> Vec<PartyId> {
    numbers.iter().map(|number| PartyId::new(*number).unwrap()).collect()
}

fn spec() -> KeySpec {
    KeySpec {
        scheme: Scheme::Taproot,
        threshold: 2,
        members: parties(&[1, 2, 3]),
        purposes: vec![],
        scope: "s".into(),
        labels: [("a".to_owned(), "b".to_owned())].into(),
    }
}

fn certificate() -> Certificate {
    Certificate {
        key: key(),
        spec: spec(),
        public_key: vec![1; 32],
        package: vec![2; 90],
        epoch: 3,
        root: None,
        directory: Directory::first(Name::new("test").unwrap()).finish().unwrap().id(),
    }
}

fn endorsement() -> Endorsement {
    Endorsement { party: parties(&[2])[0], signature: [5; 64] }
}

fn accusation() -> Accusation {
    let fault = "party 2 in round 1: proof does not verify".into();
    Accusation { party: parties(&[2])[0], count: 1, last: 1_800_000_000, run: [4; 32], fault }
}

fn orders() -> Vec<Order> {
    let (key, name) = (key(), [9; 32]);
    let request = request(&Secret::ed25519(1), "POST", "/v1/keys", "{}");
    let approvals = vec![request.clone(); 2];
    let signed = SignedCertificate { certificate: certificate(), signatures: vec![endorsement()] };
    let sign = |material| Order::Sign { request: request.clone(), approvals: vec![], material };
    vec![
        Order::Keys { after: Some(key) },
        Order::Certify { key },
        Order::Generate { request: request.clone(), approvals: approvals.clone() },
        Order::Stock { key, after: None },
        Order::Presign { key, run: name, signers: parties(&[1, 3]), count: 128 },
        Order::Nonces { key, count: 64 },
        sign(Material::Presignature { name }),
        sign(Material::Nonces { package: vec![1; 300] }),
        sign(Material::Attempt { run: name, signers: parties(&[1, 3]) }),
        Order::Cancel { request: request.clone() },
        Order::Change { request: request.clone(), approvals, certificate: Some(Box::new(signed)) },
        Order::Agree { key, statements: vec![vec![1], vec![]] },
        Order::Status,
        Order::Audit { request: request.clone() },
        Order::Accusations,
        Order::Mark { request, approvals: vec![] },
    ]
}

fn recorded() -> EarlierAttempt {
    let material = Material::Nonces { package: vec![1; 300] };
    let request = request(&Secret::ed25519(1), "POST", "/v1/keys", "{}");
    EarlierAttempt { request, material, share: vec![4; 33] }
}

fn answers() -> Vec<Answer> {
    let key = key();
    let info = KeyInfo {
        key,
        request: RequestId::of("k", "n"),
        spec: spec(),
        public_key: vec![1; 32],
        package: vec![2; 90],
        epoch: 3,
        state: KeyState::DeletionScheduled { at: 5 },
        stock: 7,
    };
    let status = NodeStatus {
        release: "0.1.0".into(),
        policy: [1; 32],
        refuses: Some(Refusal::new(Reason::NotVouched, "no peer has answered")),
        keys: 1,
        runs: 2,
        audit: 3,
    };
    vec![
        Answer::Share { bytes: vec![3; 64] },
        Answer::Keys(vec![info]),
        Answer::Certificate { certificate: Box::new(certificate()), endorsement: endorsement() },
        Answer::Stock(Stock { key, epoch: 0, material: vec![vec![1; 99]; 3], next: Some([1; 32]) }),
        Answer::Done,
        Answer::Made { key },
        Answer::Pending,
        Answer::Agreement { statements: vec![vec![1; 70]], epoch: 4, done: true },
        Answer::Status(status),
        Answer::Audit(vec!["{}".into()]),
        Answer::Accusations(vec![accusation()]),
        Answer::Earlier(Box::new(recorded())),
        Answer::Refused(Refusal::new(Reason::PolicyDenied, "no").by_policy("p")),
    ]
}

fn order_bytes(order: Order) -> Vec<u8> {
    OrderMessage { number: 1 << 40, order }.to_bytes().unwrap()
}

fn answer_bytes(answer: Answer) -> Vec<u8> {
    AnswerMessage { number: 3, answer }.to_bytes().unwrap()
}

#[test]
fn order_reads_as_it_was_written() {
    for order in orders() {
        let message = OrderMessage { number: 1 << 40, order };
        let bytes = message.to_bytes().unwrap();
        assert_eq!(
            OrderMessage::from_bytes(&bytes),
            Ok(message.clone()),
            "{}",
            message.order.name()
        );
    }
}

#[test]
fn answer_reads_as_it_was_written() {
    for answer in answers() {
        let message = AnswerMessage { number: u64::MAX, answer };
        assert_eq!(AnswerMessage::from_bytes(&message.to_bytes().unwrap()), Ok(message));
    }
}

#[test]
fn cut_or_longer_message_is_refused() {
    fn refuses<T>(read: impl Fn(&[u8]) -> Result<T, WireError>, bytes: &[u8]) {
        assert!((0..bytes.len()).all(|length| read(&bytes[..length]).is_err()));
        assert!(matches!(read(&[bytes, &[0]].concat()), Err(WireError::Trailing(1))));
    }
    orders().into_iter().for_each(|one| refuses(OrderMessage::from_bytes, &order_bytes(one)));
    answers().into_iter().for_each(|one| refuses(AnswerMessage::from_bytes, &answer_bytes(one)));
    let status = order_bytes(Order::Status);
    assert_eq!(
        OrderMessage::from_bytes(&[status.as_slice(), &[0, 0]].concat()),
        Err(WireError::Trailing(2))
    );
}

#[test]
fn message_of_another_version_is_refused_by_its_number() {
    let mut bytes = order_bytes(Order::Status);
    for version in [0, 3, 255] {
        bytes[0] = version;
        assert_eq!(OrderMessage::from_bytes(&bytes), Err(WireError::Version(version)));
    }
    assert!(WireError::Version(3).to_string().contains("version 1 to 2"));
}

#[test]
fn message_is_written_in_the_version_that_the_other_side_reads() {
    for order in orders() {
        let message = OrderMessage { number: 5, order };
        let bytes = message.to_bytes_in(1);
        if message.order.since() > 1 {
            assert_eq!(bytes, Err(WireError::Newer { since: 2, version: 1 }));
            let mut bytes = message.to_bytes().unwrap();
            bytes[0] = 1;
            assert_eq!(OrderMessage::from_bytes(&bytes), Err(WireError::Malformed));
            continue;
        }
        let (old, new) = (bytes.unwrap(), message.to_bytes().unwrap());
        assert_eq!((version_of(&old), version_of(&new)), (Some(1), Some(2)));
        assert_eq!(old[1..], new[1..], "a version changes nothing that an earlier one has");
        assert_eq!(OrderMessage::from_bytes(&old), Ok(message));
    }
    let answer = AnswerMessage { number: 1, answer: Answer::Accusations(vec![]) };
    assert_eq!(answer.to_bytes_in(1), Err(WireError::Newer { since: 2, version: 1 }));
}

#[test]
fn members_use_the_highest_version_that_both_have() {
    let versions = |oldest, newest| Versions { oldest, newest };
    for (own, other, common) in [
        (versions(1, 2), versions(1, 1), Some(1)),
        (versions(1, 2), versions(2, 3), Some(2)),
        (versions(2, 3), versions(1, 9), Some(3)),
        (versions(3, 4), versions(1, 2), None),
    ] {
        assert_eq!((own.common(other), other.common(own)), (common, common));
    }
    let own = Versions::OWN;
    assert_eq!(Versions::from_bytes(&own.to_bytes()), Ok(own));
    assert_eq!(Versions::from_bytes(&[1, 2, 9, 9]), Ok(versions(1, 2)), "of a later release");
    assert_eq!(Versions::from_bytes(&[2, 1]), Err(WireError::Malformed));
    assert!(matches!(Versions::from_bytes(&[1]), Err(WireError::Length { got: 1, .. })));
    assert!(matches!(Versions::from_bytes(&[1; 65]), Err(WireError::Length { got: 65, .. })));
}

#[test]
fn altered_message_never_panics_and_stays_what_it_can_write() {
    for bytes in orders().into_iter().map(order_bytes) {
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut altered = bytes.clone();
                altered[place] ^= 1 << bit;
                if let Ok(message) = OrderMessage::from_bytes(&altered) {
                    assert!(message.to_bytes().is_ok());
                }
            }
        }
    }
    for bytes in answers().into_iter().map(answer_bytes) {
        for place in 0..bytes.len() {
            let mut altered = bytes.clone();
            altered[place] = 0xff;
            AnswerMessage::from_bytes(&altered).ok();
        }
    }
}

#[test]
fn lists_beyond_their_bounds_are_refused() {
    let request = request(&Secret::ed25519(1), "POST", "/v1/keys", "{}");
    let key = key();
    let many = [
        Order::Generate { request: request.clone(), approvals: vec![request; 17] },
        Order::Presign { key, run: [1; 32], signers: parties(&[1, 2]), count: 129 },
        Order::Presign {
            key,
            run: [1; 32],
            signers: parties(&(1..66).collect::<Vec<_>>()),
            count: 1,
        },
        Order::Nonces { key, count: 1025 },
        Order::Agree { key, statements: vec![vec![]; 257] },
    ];
    for order in many {
        assert_eq!(OrderMessage::from_bytes(&order_bytes(order)), Err(WireError::Malformed));
    }
    let stock = Stock { key, epoch: 0, material: vec![vec![]; 257], next: None };
    let accused = Answer::Accusations(vec![accusation(); 65]);
    for answer in [accused, Answer::Stock(stock), Answer::Audit(vec![String::new(); 1001])] {
        assert_eq!(AnswerMessage::from_bytes(&answer_bytes(answer)), Err(WireError::Malformed));
    }
}

#[test]
fn message_longer_than_its_bound_is_neither_written_nor_read() {
    let order = Order::Sign {
        request: request(&Secret::ed25519(1), "POST", "/v1/keys", "{}"),
        approvals: vec![],
        material: Material::Nonces { package: vec![0; OrderMessage::MAX_BYTES] },
    };
    assert!(matches!(OrderMessage { number: 1, order }.to_bytes(), Err(WireError::Length { .. })));
    let long = vec![1; OrderMessage::MAX_BYTES + 1];
    assert!(matches!(OrderMessage::from_bytes(&long), Err(WireError::Length { .. })));
    assert!(matches!(OrderMessage::from_bytes(&[]), Err(WireError::Length { got: 0, .. })));
}

#[test]
fn list_that_claims_a_length_of_billions_takes_no_memory() {
    // Agree: a key, and a list whose length is 2^35 - 1.
    let bytes = [[1, 5, 9].as_slice(), &[7; 32], &[0xff, 0xff, 0xff, 0xff, 0x7f]].concat();
    assert_eq!(OrderMessage::from_bytes(&bytes), Err(WireError::Malformed));
}
