//! The coordinator's memory is bounded, whatever is sent to it.

use alloc::vec::Vec;

use quorate_curve::Ristretto255;
use quorate_session::{Parties, PartyId, SessionId, SpentInMemory};
use quorate_testkit::{Lcg, rng_of};

use super::{AnswerOutcome, AnswerRejected, RoastCoordinator, RoastSigner};
use crate::hash::WideSha512;
use crate::key::{KeyShare, PublicKeyPackage};
use crate::suite::{Ciphersuite, KeySuite, PointBytes, ScalarBytes, signature_bytes};
use crate::{Dealing, SignError};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Suite;

impl KeySuite for Suite {
    type Curve = Ristretto255;
    type Hash = WideSha512;

    const CONTEXT: &'static str = "a suite for tests";
    const CODE: u8 = 255;
}

impl Ciphersuite for Suite {
    type SignatureBytes = [u8; 64];

    fn encode_signature(r: &PointBytes<Self>, z: &ScalarBytes<Self>) -> [u8; 64] {
        signature_bytes(r, z)
    }
}

const TEXT: &[u8] = b"pay 5 to Carol";

fn run(number: u8) -> SessionId {
    SessionId::new([number; 32])
}

fn party(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

fn dealt(seed: u64) -> (PublicKeyPackage<Suite>, Vec<KeyShare<Suite>>) {
    let parties = Parties::numbered(5).unwrap();
    let Dealing { shares, public } = Dealing::new(2, &parties, &mut rng_of(seed)).unwrap();
    let shares = shares.into_iter().map(|share| share.accept(2, &public).unwrap());
    let shares = shares.collect();
    (public, shares)
}

fn started(
    share: &KeyShare<Suite>,
    number: u8,
    seed: u64,
) -> Result<RoastSigner<Suite>, SignError> {
    RoastSigner::start(share, run(number), TEXT, &mut rng_of(seed))
}

/// Messages that are not taken, from all parties and a stranger: none of them leaves anything behind.
fn flood(coordinator: &mut RoastCoordinator<Suite>, noise: &[u8], random: &mut Lcg) {
    let before = coordinator.kept();
    for number in 1..=6 {
        let refused = coordinator.receive(party(number), noise).unwrap_err();
        assert!(
            !matches!(refused, AnswerRejected::Internal | AnswerRejected::Marked(_)),
            "{refused}"
        );
    }
    // Party 5 was marked, so its messages no longer matter.
    for _ in 0..40 {
        let length = random.below(300);
        let refused = coordinator.receive(party(5), &random.bytes(length)).unwrap_err();
        assert!(matches!(refused, AnswerRejected::MarkedBefore(_)), "{refused}");
    }
    assert_eq!(coordinator.kept(), before);
}

#[test]
fn a_coordinator_keeps_no_more_than_its_sessions() {
    let (public, shares) = dealt(1);
    let mut coordinator = RoastCoordinator::start(public, run(1), TEXT).unwrap();
    let mut random = Lcg(2);
    let start = |(share, seed): (&KeyShare<Suite>, u64)| started(share, 1, seed).unwrap();
    let mut signers: Vec<_> = shares.iter().zip(10..).map(start).collect();
    let other_run = started(&shares[0], 2, 3).unwrap().message().to_vec();
    let other_key = started(&dealt(2).1[0], 1, 4).unwrap().message().to_vec();
    let noise = random.bytes(200);
    // Party 5 sends a message of another party.
    let malformed = signers[0].message().to_vec();
    assert!(matches!(coordinator.receive(party(5), &malformed), Err(AnswerRejected::Marked(_))));
    for bytes in [other_run, other_key] {
        for _ in 0..20 {
            let refused = coordinator.receive(party(1), &bytes).unwrap_err();
            assert!(
                matches!(refused, AnswerRejected::OtherRun | AnswerRejected::Mismatch(_)),
                "{refused}"
            );
        }
    }
    assert_eq!(coordinator.kept(), [0, 0, 0]);
    // Parties 2, 3 and 4 join party 1 one after the other; only the last one answers.
    let mut tables: Vec<_> = shares.iter().map(|_| SpentInMemory::new()).collect();
    let mut done = false;
    let first = signers[0].message().to_vec();
    assert!(matches!(coordinator.receive(party(1), &first), Ok(AnswerOutcome::Waiting)));
    for joins in 1..4 {
        flood(&mut coordinator, &noise, &mut random);
        let from = signers[joins].id();
        let message = signers[joins].message().to_vec();
        let Ok(AnswerOutcome::Ask(ask)) = coordinator.receive(from, &message) else {
            panic!("no session")
        };
        let answering = if joins == 3 { [0, 3].as_slice() } else { &[0] };
        for at in answering.iter().copied() {
            let signer = &mut signers[at];
            let random = &mut rng_of(500 + u64::from(ask.session));
            let answer = signer.answer(&shares[at], &ask.bytes, &mut tables[at], random).unwrap();
            let step = coordinator.receive(shares[at].id(), answer).unwrap();
            done |= matches!(step, AnswerOutcome::Done(_));
            let again = coordinator.receive(shares[at].id(), answer).unwrap_err();
            assert!(matches!(again, AnswerRejected::Duplicate | AnswerRejected::Over), "{again}");
        }
    }
    assert!(done);
    // Four first messages, and the answers of three sessions: 1, 1 and 2. Party 1 is free.
    assert_eq!(coordinator.kept(), [4 + 4, 1, 3]);
    assert_eq!(coordinator.most_sessions(), 4);
}
