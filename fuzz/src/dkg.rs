//! Sequences of operations on a key generation of three parties.

use std::collections::BTreeSet;

use quorate_frost::Dkg;
use quorate_frost::session::{
    Abort, FrameFate, PartyId, Progress, SealKey, Sealed, Session, Step, To,
};

use crate::fixture::{KEY, Suite, id};
use crate::generation::{Generation, is_broadcast, is_for, may_finish, start};
use crate::input::Input;
use crate::sessions::check_evidence;

const MAX_OPERATIONS: usize = 64;

/// A frame on its way. What is altered counts as sent by its sender all the same.
#[derive(Clone, PartialEq, Eq)]
struct Frame {
    from: PartyId,
    to: To,
    bytes: Vec<u8>,
}

/// Round, sender, whether it is a broadcast.
type Place = (u8, PartyId, bool);

impl Frame {
    /// The place that the frame claims.
    fn place(&self) -> Place {
        let round = self.bytes.get(2).copied().unwrap_or(0);
        (round, self.from, is_broadcast(&self.bytes))
    }
}

struct Party<P: Generation> {
    /// `None` when the run is over, one way or the other, or the party is gone.
    step: Option<Step<P>>,
    /// Stored when the round began, before its messages were sent.
    stored: Sealed,
    /// Where frames belong that were kept although nobody sent them; and those that were kept
    /// when the round began.
    altered: BTreeSet<Place>,
    altered_before: BTreeSet<Place>,
    /// The frames that were delivered here and not rejected.
    delivered: BTreeSet<(PartyId, Vec<u8>)>,
    output: Option<P::Output>,
}

struct World<P: Generation> {
    key: SealKey,
    parties: Vec<Party<P>>,
    honest: Vec<Frame>,
    altered: Vec<Frame>,
    /// Parties in whose name something was taken that they never sent.
    guilty: BTreeSet<PartyId>,
    /// Set if a party is gone for good.
    lost: bool,
}

pub(crate) fn dkg_operations<S: Suite>(data: &[u8]) -> bool {
    operations::<Dkg<S>>(data)
}

/// Whatever the order of the operations: while only honest frames are delivered, nobody aborts
/// and everybody who is there finishes; else only those whose frames were altered are blamed; and
/// all who finish have the same key.
pub(crate) fn operations<P: Generation>(data: &[u8]) -> bool {
    let mut world = World::<P>::new();
    let mut input = Input::new(data);
    for _ in 0..MAX_OPERATIONS {
        let Some(operation) = input.next() else { break };
        world.operate(operation, &mut input);
    }
    world.finish()
}

impl<P: Generation> World<P> {
    fn new() -> Self {
        let key = SealKey::new(KEY);
        let mut honest = Vec::new();
        let parties = (1..=3)
            .map(|number| {
                let step = start::<P>(id(number));
                let stored = step.session.seal(&key);
                honest.extend(frames(&step));
                Party {
                    step: Some(step),
                    stored,
                    altered: BTreeSet::new(),
                    altered_before: BTreeSet::new(),
                    delivered: BTreeSet::new(),
                    output: None,
                }
            })
            .collect();
        let (altered, guilty) = (Vec::new(), BTreeSet::new());
        Self { key, parties, honest, altered, guilty, lost: false }
    }

    fn operate(&mut self, operation: u8, input: &mut Input<'_>) {
        let at = usize::from(operation >> 4) % 3;
        match operation & 15 {
            0..=3 => {
                let frame = self.honest[input.below(self.honest.len())].clone();
                self.deliver(at, &frame);
            }
            4 => self.deliver_all(at),
            5..=7 => self.advance(at),
            8 => self.restart(at),
            9 => self.crash(at),
            10 => self.misroute(at, input),
            11 => self.break_seal(at, input),
            12 | 13 => self.alter(input),
            14 if !self.altered.is_empty() => {
                let frame = self.altered[input.below(self.altered.len())].clone();
                self.deliver(at, &frame);
            }
            15 if input.byte() > 200 => {
                self.parties[at].step = None;
                self.lost = true;
            }
            _ => {
                // A frame made from nothing.
                let from = id(u16::from(operation >> 6) + 1);
                let length = input.below(160);
                let bytes = input.bytes(length).to_vec();
                self.deliver(at, &Frame { from, to: To::Everyone, bytes });
            }
        }
    }

    fn deliver(&mut self, at: usize, frame: &Frame) {
        let party = &mut self.parties[at];
        let Some(step) = &mut party.step else { return };
        let before = step.session.slot();
        let fate = step.session.receive(frame.from, &frame.bytes);
        let kept =
            matches!(fate, Ok(FrameFate::Accepted | FrameFate::Early | FrameFate::Conflicting));
        assert!(kept || step.session.slot() == before, "stored: {fate:?}");
        let is_new = fate.is_ok() && party.delivered.insert((frame.from, frame.bytes.clone()));
        assert!(!is_new || kept, "a duplicate of nothing");
        if self.honest.contains(frame) {
            let is_mine = is_for(step.session.party_id(), frame.from, frame.to);
            assert!(is_mine || fate.is_err(), "took a frame for somebody else");
            if self.guilty.is_empty() {
                assert!(!is_mine || fate.is_ok(), "rejected an honest frame: {fate:?}");
                assert!(fate != Ok(FrameFate::Conflicting));
            }
        } else if kept {
            self.guilty.insert(frame.from);
            party.altered.insert(frame.place());
        }
    }

    /// Delivers everything honest that a party is to have, again or for the first time, except
    /// where it has something else already.
    fn deliver_all(&mut self, at: usize) {
        let me = id(u16::try_from(at).expect("small") + 1);
        for frame in self.honest.clone() {
            let is_replaced = self.parties[at].altered.contains(&frame.place());
            if is_for(me, frame.from, frame.to) && !is_replaced {
                self.deliver(at, &frame);
            }
        }
    }

    fn advance(&mut self, at: usize) {
        let party = &mut self.parties[at];
        let Some(Step { session, outgoing }) = party.step.take() else { return };
        let waits = session.waiting_for().next().is_some();
        match session.advance() {
            Ok(Progress::Waiting(session) | Progress::Working(session)) => {
                assert!(waits);
                party.step = Some(Step { session, outgoing });
            }
            Ok(Progress::Round(step)) => {
                assert!(!waits);
                party.stored = step.session.seal(&self.key);
                party.altered_before = party.altered.clone();
                self.honest.extend(frames(&step));
                party.step = Some(step);
            }
            Ok(Progress::Done { output, .. }) => {
                assert!(!waits);
                let senders = party.altered.iter().map(|(_, from, _)| *from).collect();
                assert!(may_finish(&senders), "finished with an altered frame of {senders:?}");
                party.output = Some(output);
            }
            Ok(Progress::Unconfirmed(unconfirmed)) => self.check(&unconfirmed.abort),
            Err(stopped) => self.check(&stopped.abort),
        }
    }

    fn check(&self, abort: &Abort) {
        assert!(!self.guilty.is_empty(), "aborted without a reason: {abort}");
        assert!(abort.culprits().all(|party| self.guilty.contains(&party)), "{abort}");
        check_evidence(abort, &self.guilty);
    }

    /// Seals the session as it is, opens it, and continues with the opened one.
    fn restart(&mut self, at: usize) {
        let Some(step) = &mut self.parties[at].step else { return };
        let sealed = step.session.seal(&self.key);
        let again = Sealed::from_bytes(sealed.as_bytes()).expect("just sealed");
        let params = P::params(step.session.party_id());
        let again = Session::open(&again, params, &self.key).expect("just sealed");
        assert!(again.outgoing == step.outgoing, "other messages after a restart");
        assert!(again.session.seal(&self.key) == sealed);
        *step = again;
    }

    /// Goes back to what was stored when the round began.
    fn crash(&mut self, at: usize) {
        let party = &mut self.parties[at];
        let Some(step) = &mut party.step else { return };
        let params = P::params(step.session.party_id());
        let again = Session::open(&party.stored, params, &self.key).expect("stored");
        assert!(again.outgoing == step.outgoing, "other messages after a crash");
        assert!(again.session.slot() <= step.session.slot());
        *step = again;
        party.altered = party.altered_before.clone();
    }

    /// Delivers a frame under a wrong name.
    fn misroute(&mut self, at: usize, input: &mut Input<'_>) {
        let frame = &self.honest[input.below(self.honest.len())];
        let from = id(u16::from(input.byte() % 5) + 1);
        let Some(step) = &mut self.parties[at].step else { return };
        if from != frame.from {
            let fate = step.session.receive(from, &frame.bytes);
            assert!(fate.is_err(), "took a frame of {:?} from {from}", frame.from);
        }
    }

    fn break_seal(&self, at: usize, input: &mut Input<'_>) {
        let sealed = &self.parties[at].stored;
        let bytes = input.tampered(sealed.as_bytes()).expect("a seal is not empty");
        let party = id(u16::try_from(at).expect("three parties") + 1);
        if let Ok(sealed) = Sealed::from_bytes(&bytes) {
            assert!(Session::<P>::open(&sealed, P::params(party), &self.key).is_err());
        }
    }

    fn alter(&mut self, input: &mut Input<'_>) {
        let frame = &self.honest[input.below(self.honest.len())];
        let bytes = input.tampered(&frame.bytes).expect("a frame is not empty");
        self.altered.push(Frame { bytes, ..*frame });
    }

    /// Delivers everything that is honest until nothing changes any more, and compares.
    fn finish(mut self) -> bool {
        for _ in 0..P::ROUNDS {
            (0..3).for_each(|at| self.deliver_all(at));
            (0..3).for_each(|at| self.advance(at));
        }
        let outputs: Vec<_> = (1..=3)
            .zip(&self.parties)
            .filter_map(|(number, party)| Some((id(number), party.output.as_ref()?)))
            .collect();
        if self.guilty.is_empty() && !self.lost {
            assert_eq!(outputs.len(), 3, "honest parties did not finish");
        }
        let keys: Vec<_> = outputs.iter().map(|(me, key)| (*me, P::public(*me, key))).collect();
        for (_, public) in &keys {
            assert!(*public == P::run().public || !self.guilty.is_empty());
        }
        let honest: Vec<_> = keys.iter().filter(|(me, _)| !self.guilty.contains(me)).collect();
        for pair in honest.windows(2) {
            assert!(pair[0].1 == pair[1].1, "two parties with different keys");
        }
        outputs.len() == 3 || !self.guilty.is_empty()
    }
}

fn frames<P: Generation>(step: &Step<P>) -> impl Iterator<Item = Frame> {
    let from = step.session.party_id();
    step.outgoing.iter().map(move |message| Frame {
        from,
        to: message.to,
        bytes: message.bytes.clone(),
    })
}
