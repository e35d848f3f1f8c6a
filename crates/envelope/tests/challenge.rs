//! Challenges: a message that does harm when it comes twice is accepted once.
#![allow(clippy::unwrap_used, clippy::unwrap_in_result, reason = "tests")]
#![allow(clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use quorate_envelope::*;
use quorate_testkit::{Stuck, rng};

const BOUNDS: ChallengeBounds = ChallengeBounds { lifetime: 100, total: 5, each: 2 };

/// n2 issues challenges for orders of the gateway.
struct Orders {
    world: World,
    challenges: Challenges,
    rng: chacha20::ChaCha20Rng,
}

impl Orders {
    fn new() -> Self {
        Self { world: World::new(), challenges: Challenges::new(BOUNDS), rng: rng(3) }
    }

    fn issue(&mut self, to: &str, kind: u16, now: u64) -> Challenge {
        let bytes = self.challenges.issue(&name(to), kind, now, &mut self.rng).unwrap();
        Challenge::from_bytes(&name("n2"), &bytes).unwrap()
    }

    fn answer(&self, from: &Identity, challenge: Challenge) -> Vec<u8> {
        let envelope = Envelope::answer(challenge).message(b"pay");
        envelope.seal(from, &self.world.directory, &mut rng(4)).unwrap()
    }

    fn fresh(&mut self, envelope: &[u8], now: u64) -> Result<Messages, Stale> {
        self.world.open(&self.world.n2, envelope).unwrap().fresh(&mut self.challenges, now)
    }
}

#[test]
fn an_answer_is_accepted_once() {
    let mut orders = Orders::new();
    let challenge = orders.issue("gw", ORDER, 10);
    assert_eq!((&challenge.issuer, &challenge.addressee), (&name("n2"), &name("gw")));
    let order = orders.answer(&orders.world.gw, challenge);
    assert_eq!(Header::peek(&order).unwrap().kind, ORDER);
    assert_eq!(plain(&orders.fresh(&order, 11).unwrap()), [b"pay"]);
    assert_eq!(orders.fresh(&order, 11), Err(Stale::NotOpen));
}

#[test]
fn an_envelope_that_answers_nothing_is_not_fresh() {
    let mut orders = Orders::new();
    drop(orders.issue("n1", FRAME, 0));
    let envelope = orders.world.seal(&orders.world.n1, "n2", &[b"x"]);
    assert_eq!(orders.fresh(&envelope, 0), Err(Stale::NoAnswer));
}

#[test]
fn answers_after_a_restart_of_the_challenger_are_refused() {
    let mut orders = Orders::new();
    let challenge = orders.issue("gw", ORDER, 0);
    let order = orders.answer(&orders.world.gw, challenge);
    orders.challenges = Challenges::new(BOUNDS);
    let error = orders.fresh(&order, 0).unwrap_err();
    assert_eq!(error, Stale::NotOpen);
    assert!(error.to_string().contains("before this process started: send another"));
}

#[test]
fn an_expired_challenge_is_refused_and_closed() {
    let mut orders = Orders::new();
    let challenge = orders.issue("gw", ORDER, 10);
    let order = orders.answer(&orders.world.gw, challenge);
    assert_eq!(orders.fresh(&order, 110), Err(Stale::Expired));
    // A clock that goes back does not open it again.
    assert_eq!(orders.fresh(&order, 10), Err(Stale::NotOpen));
    let challenge = orders.issue("gw", ORDER, 10);
    let order = orders.answer(&orders.world.gw, challenge);
    assert!(orders.fresh(&order, 109).is_ok());
}

#[test]
fn a_challenge_of_another_sender_is_refused_and_stays_open() {
    let mut orders = Orders::new();
    let bytes = orders.challenges.issue(&name("gw"), ORDER, 0, &mut orders.rng).unwrap();
    let challenge = || Challenge::from_bytes(&name("n2"), &bytes).unwrap();
    // The library does not seal an answer to what another member was asked.
    let envelope = Envelope::answer(challenge()).message(b"pay");
    let sealed = envelope.seal(&orders.world.n1, &orders.world.directory, &mut rng(1));
    assert_eq!(sealed, Err(Unsealable::OtherAddressee(name("gw"))));
    // A member with its own library does: it takes the nonce into a challenge for itself.
    let stolen = [&bytes[..35], b"\x02n1"].concat();
    let stolen = Challenge::from_bytes(&name("n2"), &stolen).unwrap();
    let order = orders.answer(&orders.world.n1, stolen);
    assert_eq!(orders.fresh(&order, 0), Err(Stale::OtherSender));
    let order = orders.answer(&orders.world.gw, challenge());
    assert!(orders.fresh(&order, 0).is_ok());
}

#[test]
fn a_challenge_for_another_kind_is_refused_and_stays_open() {
    let mut orders = Orders::new();
    let mut challenge = orders.issue("gw", FRAME, 0);
    challenge.kind = ORDER;
    let order = orders.answer(&orders.world.gw, challenge);
    assert_eq!(orders.fresh(&order, 0), Err(Stale::OtherKind { expected: FRAME, got: ORDER }));
    assert_eq!(orders.challenges.issue(&name("gw"), FRAME, 0, &mut rng(9)).map(|_| ()), Ok(()));
    let full = orders.challenges.issue(&name("gw"), FRAME, 0, &mut rng(10));
    assert_eq!(full, Err(IssueError::TooManyOfOne));
}

#[test]
fn a_challenge_that_another_member_passes_on_goes_back_to_that_member() {
    let orders = {
        let mut orders = Orders::new();
        drop(orders.issue("gw", ORDER, 0));
        orders
    };
    // n3 relays n2's challenge in its own envelope: gw takes n3 for its issuer, whoever made it.
    let mut challenges = Challenges::new(BOUNDS);
    let bytes = challenges.issue(&name("gw"), ORDER, 0, &mut rng(3)).unwrap();
    let relayed = Challenge::from_bytes(&name("n3"), &bytes).unwrap();
    let order = orders.answer(&orders.world.gw, relayed);
    assert_eq!(orders.world.check(&orders.world.n2, &order), Check::Recipient(name("n3")));
}

#[test]
fn the_table_is_bounded_in_all_and_for_each_member() {
    let mut orders = Orders::new();
    for sender in ["n1", "n1", "n3", "n3", "gw"] {
        drop(orders.issue(sender, ORDER, 0));
    }
    let mut issue =
        |to: &str, now| orders.challenges.issue(&name(to), ORDER, now, &mut orders.rng).map(|_| ());
    assert_eq!(issue("gw", 99), Err(IssueError::Full));
    // Expired ones make room.
    assert_eq!([issue("n1", 100), issue("n1", 100)], [Ok(()), Ok(())]);
    assert_eq!(issue("n1", 100), Err(IssueError::TooManyOfOne));
    assert_eq!(issue("n3", 100), Ok(()));
}

#[test]
fn a_broken_generator_issues_nothing() {
    let mut challenges = Challenges::new(BOUNDS);
    let mut issue = |byte| {
        let issued = challenges.issue(&name("gw"), ORDER, 0, &mut Stuck::at(byte));
        issued.map(|_| ())
    };
    let broken = Err(IssueError::Randomness);
    assert_eq!([issue(0), issue(7), issue(7)], [broken, Ok(()), broken]);
}

#[test]
fn bytes_that_are_no_challenge_are_refused() {
    let bytes = Challenges::new(BOUNDS).issue(&name("gw"), ORDER, 0, &mut rng(1)).unwrap();
    let read = |bytes: &[u8]| Challenge::from_bytes(&name("n2"), bytes);
    assert!(read(&bytes).is_ok());
    for length in 0..bytes.len() {
        assert!(read(&bytes[..length]).is_err(), "{length}");
    }
    let version = [&[2], &bytes[1..]].concat();
    let capital = [&bytes[..36], b"GW"].concat();
    for bad in [[bytes.as_slice(), &[0]].concat(), version, capital] {
        assert_eq!(read(&bad).unwrap_err().to_string(), "expected a challenge");
    }
}
