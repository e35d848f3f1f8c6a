//! Each check of the coordinator and of the signer, by the message that fails it, and it alone.

use quorate::frost::generic::roast::{AnswerOutcome, AnswerRejected, Ask, Refused, SignerFault};
use quorate::frost::generic::{
    Ciphersuite, DecodeError, KeyShare, Mismatch, PublicKeyPackage, RoastCoordinator, RoastSigner,
    SignError,
};
use quorate::session::SpentInMemory;
use quorate_testkit::lockstep::{id, sid};
use quorate_testkit::{rng, rng_of, suite_tests};

use super::world::{Layout, TEXT, dealt, forged, layout, run_id, with_wrong_share};

/// A coordinator, and honest signers with their tables.
pub(crate) struct Bench<S: Ciphersuite> {
    pub(crate) public: PublicKeyPackage<S>,
    pub(crate) coordinator: RoastCoordinator<S>,
    pub(crate) shares: Vec<KeyShare<S>>,
    pub(crate) signers: Vec<RoastSigner<S>>,
    pub(crate) tables: Vec<SpentInMemory>,
    /// The seed of the next generator.
    pub(crate) seed: u64,
}

impl<S: Ciphersuite> Bench<S> {
    pub(crate) fn new(threshold: u16, parties: u16) -> Self {
        let (public, shares) = dealt::<S>(threshold, parties);
        let coordinator = RoastCoordinator::start(public.clone(), run_id(), TEXT).unwrap();
        let start = |share: &KeyShare<S>| {
            RoastSigner::start(share, run_id(), TEXT, &mut rng(share.id().get() as u8)).unwrap()
        };
        let signers: Vec<_> = shares.iter().map(start).collect();
        let tables = shares.iter().map(|_| SpentInMemory::new()).collect();
        Self { public, coordinator, shares, signers, tables, seed: 0 }
    }

    /// The message that signer `at`, from 0, has sent last.
    pub(crate) fn message(&self, at: usize) -> Vec<u8> {
        self.signers[at].message().to_vec()
    }

    pub(crate) fn receive(
        &mut self,
        at: usize,
        bytes: &[u8],
    ) -> Result<AnswerOutcome<S>, AnswerRejected> {
        self.coordinator.receive(id(at as u16 + 1), bytes)
    }

    /// The first messages of these signers, the last of which starts a session: its request.
    pub(crate) fn join(&mut self, who: &[usize]) -> Vec<u8> {
        let mut asked = None;
        for at in who {
            match self.receive(*at, &self.message(*at)).unwrap() {
                AnswerOutcome::Ask(Ask { bytes, .. }) => asked = Some(bytes),
                step => assert!(matches!(step, AnswerOutcome::Waiting)),
            }
        }
        asked.expect("a session")
    }

    pub(crate) fn answer(
        &mut self,
        at: usize,
        request: &[u8],
    ) -> Result<Vec<u8>, Refused<core::convert::Infallible>> {
        self.seed += 1;
        let random = &mut rng_of(self.seed);
        let signer = &mut self.signers[at];
        let answer = signer.answer(&self.shares[at], request, &mut self.tables[at], random);
        answer.map(<[u8]>::to_vec)
    }

    /// The rejection of a message marks its sender, and from then on its messages are not read.
    fn marks(&mut self, at: usize, bytes: &[u8], fault: SignerFault) {
        assert_eq!(self.receive(at, bytes).unwrap_err(), AnswerRejected::Marked(fault));
        let party = id(at as u16 + 1);
        assert_eq!(self.coordinator.marked().collect::<Vec<_>>(), [(party, fault)]);
        let again = self.receive(at, bytes).unwrap_err();
        assert_eq!(again, AnswerRejected::MarkedBefore(fault));
        assert_eq!(again.fault(), Some(fault));
        assert!(self.coordinator.waiting_for().all(|(waited, _)| waited != party));
    }

    fn blameless(&mut self, at: usize, bytes: &[u8], why: AnswerRejected) {
        assert_eq!(self.receive(at, bytes).unwrap_err(), why);
        assert_eq!((why.fault(), self.coordinator.marked().count()), (None, 0));
    }
}

fn a_share_that_does_not_verify<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 3);
    let request = bench.join(&[0, 1]);
    let right = bench.answer(0, &request).unwrap();
    bench.marks(0, &with_wrong_share::<S>(&right), SignerFault::WrongShare { session: 1 });
    // Not even the right message helps it now, and the others continue.
    assert!(matches!(bench.receive(0, &right), Err(AnswerRejected::MarkedBefore(_))));
    let second = bench.answer(1, &request).unwrap();
    assert!(matches!(bench.receive(1, &second), Ok(AnswerOutcome::Waiting)));
    let third = bench.message(2);
    assert!(matches!(bench.receive(2, &third), Ok(AnswerOutcome::Ask(Ask { session: 2, .. }))));
}

fn a_share_for_something_else<S: Ciphersuite>() {
    let Layout { session, digest, .. } = layout::<S>();
    let mut bench = Bench::<S>::new(2, 3);
    let request = bench.join(&[0, 1]);
    let right = bench.answer(0, &request).unwrap();
    let wrong = forged::<S>(&right, |bytes| bytes[digest + 31] ^= 1);
    bench.marks(0, &wrong, SignerFault::OtherPackage { session: 1 });

    let mut bench = Bench::<S>::new(2, 3);
    bench.join(&[0, 1]);
    let wrong = forged::<S>(&right, |bytes| bytes[session + 1] = 2);
    bench.marks(0, &wrong, SignerFault::Unsolicited { got: 2, expected: 1 });

    // From a signer that is in no session, or has sent nothing yet.
    let mut bench = Bench::<S>::new(2, 3);
    bench.marks(0, &right, SignerFault::Unsolicited { got: 1, expected: 0 });
    let mut bench = Bench::<S>::new(2, 3);
    let first = bench.message(0);
    assert!(matches!(bench.receive(0, &first), Ok(AnswerOutcome::Waiting)));
    bench.marks(0, &right, SignerFault::Unsolicited { got: 1, expected: 0 });
    // Its commitments went with it: the two others make the session.
    let request = bench.join(&[1, 2]);
    let second = bench.answer(1, &request).unwrap();
    let third = bench.answer(2, &request).unwrap();
    assert!(matches!(bench.receive(1, &second), Ok(AnswerOutcome::Waiting)));
    assert!(matches!(bench.receive(2, &third), Ok(AnswerOutcome::Done(_))));
    let late = bench.receive(2, &third).unwrap_err();
    assert_eq!((late, late.fault()), (AnswerRejected::Over, None));
}

fn a_second_first_message<S: Ciphersuite>() {
    let other = |bench: &Bench<S>| {
        RoastSigner::start(&bench.shares[0], run_id(), TEXT, &mut rng(77)).unwrap()
    };
    let mut bench = Bench::<S>::new(2, 3);
    let (first, again) = (bench.message(0), other(&bench));
    assert!(matches!(bench.receive(0, &first), Ok(AnswerOutcome::Waiting)));
    bench.blameless(0, &first, AnswerRejected::Duplicate);
    bench.marks(0, again.message(), SignerFault::Unsolicited { got: 0, expected: 0 });
    let mut bench = Bench::<S>::new(2, 3);
    bench.join(&[0, 1]);
    bench.blameless(0, &first, AnswerRejected::Duplicate);
    bench.marks(0, again.message(), SignerFault::Unsolicited { got: 0, expected: 1 });
}

fn what_cannot_be_read<S: Ciphersuite>() {
    let Layout { party, .. } = layout::<S>();
    let mut bench = Bench::<S>::new(2, 3);
    let first = bench.message(0);
    let named = DecodeError::NotTheSenders { sender: id(1), named: id(2) };
    let forged = forged::<S>(&first, |bytes| bytes[party + 1] = 2);
    bench.marks(0, &forged, SignerFault::Malformed(named));
    // The party that was named can still take part.
    bench.join(&[1, 2]);
}

fn what_went_astray<S: Ciphersuite>() {
    let Layout { package, .. } = layout::<S>();
    let mut bench = Bench::<S>::new(2, 3);
    let stranger = bench.coordinator.receive(id(4), &bench.message(0)).unwrap_err();
    assert_eq!((stranger, stranger.fault()), (AnswerRejected::UnknownParty(id(4)), None));
    let start = |run| RoastSigner::start(&bench.shares[0], sid(run), TEXT, &mut rng(1)).unwrap();
    let other_run = start(super::world::RUN + 1).message().to_vec();
    bench.blameless(0, &other_run, AnswerRejected::OtherRun);
    let first = bench.message(0);
    let other_key = forged::<S>(&first, |bytes| bytes[package] ^= 1);
    bench.blameless(0, &other_key, AnswerRejected::Mismatch(Mismatch::WrongKey));
    let commitments = bench.shares[0].commit(&mut rng(5)).1.to_bytes();
    for stray in [commitments, Vec::from(*b"GET / HTTP/1.1")] {
        let why = bench.receive(0, &stray).unwrap_err();
        assert!(matches!(why, AnswerRejected::AnotherFormat(_)), "{why}");
        assert_eq!((why.fault(), bench.coordinator.marked().count()), (None, 0));
    }
    // It is still asked.
    bench.join(&[0, 1]);
}

fn what_a_signer_refuses<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 3);
    let other_text =
        RoastCoordinator::start(bench.public.clone(), run_id(), b"pay 500 to Carol").unwrap();
    let request = bench.join(&[0, 1]);
    assert!(matches!(bench.answer(0, b"no request"), Err(Refused::Malformed(_))));
    let numbered = |number: u16| {
        let number = number.to_be_bytes();
        forged::<S>(&request, |bytes| bytes[44..46].copy_from_slice(&number))
    };
    assert!(matches!(bench.answer(0, &numbered(0)), Err(Refused::Malformed(_))));
    let too_many = Refused::TooManySessions { got: 3, most: 2 };
    assert_eq!(bench.answer(0, &numbered(3)).unwrap_err(), too_many);
    let run = forged::<S>(&request, |bytes| bytes[12..44].copy_from_slice(&[1; 32]));
    assert_eq!(bench.answer(0, &run).unwrap_err(), Refused::OtherRun);
    let text = joined(&bench, other_text);
    assert_eq!(bench.answer(0, &text).unwrap_err(), Refused::OtherMessage);
    // A package without it, and with other commitments of its.
    let not_a_signer = joined_by(&bench, &[1, 2], 60);
    assert_eq!(bench.answer(0, &not_a_signer).unwrap_err(), Refused::Sign(SignError::NotASigner));
    let others = joined_by(&bench, &[0, 1], 60);
    let mismatch = Refused::Sign(SignError::CommitmentMismatch);
    assert_eq!(bench.answer(0, &others).unwrap_err(), mismatch);
    // Another's share.
    let (one, two) = (&mut bench.signers[0], &bench.shares[1]);
    let refused = one.answer(two, &request, &mut bench.tables[0], &mut rng(1)).unwrap_err();
    assert_eq!(refused, mismatch);
    assert!(bench.tables[0].is_empty(), "nothing is spent");
    let answer = bench.answer(0, &request).unwrap();
    assert_eq!(bench.answer(0, &request).unwrap(), answer, "the very same again");
    assert_eq!(bench.tables[0].len(), 1);
    // Another package of the session that it has answered.
    let other = joined_by(&bench, &[0, 1], 60);
    assert_eq!(bench.answer(0, &other).unwrap_err(), Refused::NotNext { got: 1, answered: 1 });
}

/// The request of a coordinator that has got the first messages of the first two.
fn joined<S: Ciphersuite>(bench: &Bench<S>, mut other: RoastCoordinator<S>) -> Vec<u8> {
    assert!(matches!(other.receive(id(1), bench.signers[0].message()), Ok(AnswerOutcome::Waiting)));
    match other.receive(id(2), bench.signers[1].message()).unwrap() {
        AnswerOutcome::Ask(ask) => ask.bytes,
        step => panic!("{step:?}"),
    }
}

/// The request of a session of other nonces of these signers.
fn joined_by<S: Ciphersuite>(bench: &Bench<S>, who: &[usize], seed: u8) -> Vec<u8> {
    let mut other = RoastCoordinator::start(bench.public.clone(), run_id(), TEXT).unwrap();
    for at in who {
        let random = &mut rng(seed + *at as u8);
        let signer = RoastSigner::start(&bench.shares[*at], run_id(), TEXT, random).unwrap();
        if let AnswerOutcome::Ask(ask) = other.receive(signer.id(), signer.message()).unwrap() {
            return ask.bytes;
        }
    }
    panic!("no session")
}

fn what_a_signer_says_of_itself<S: Ciphersuite>() {
    let mut bench = Bench::<S>::new(2, 3);
    let request = bench.join(&[0, 1]);
    let signer = &bench.signers[0];
    assert_eq!((signer.run(), signer.id(), signer.generation()), (run_id(), id(1), 1));
    bench.answer(0, &request).unwrap();
    // One pair was taken out, one was made.
    assert_eq!(bench.signers[0].generation(), 3);
    let waited: Vec<_> = bench.coordinator.waiting_for().collect();
    assert_eq!(waited, [(id(1), 1), (id(2), 1)]);
    assert_eq!(bench.coordinator.request(1).unwrap(), request);
    assert!(bench.coordinator.request(0).is_none() && bench.coordinator.request(2).is_none());
}

suite_tests!(
    a_share_that_does_not_verify,
    a_share_for_something_else,
    a_second_first_message,
    what_cannot_be_read,
    what_went_astray,
    what_a_signer_refuses,
    what_a_signer_says_of_itself,
);
