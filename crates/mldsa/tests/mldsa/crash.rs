//! Sessions that are stopped after every frame and every round, at all parties, and opened again from a store that
//! compares and swaps. They send the same bytes and have the same end, and no older seal returns to the store.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::common::{copy, deal_if_offered};
use quorate_mldsa::session::{
    Outgoing, ParamError, Parties, PartyId, Progress, Protocol, RecordError, SealError, Sealed,
    Session, SessionId, Slot, Step, To,
};
use quorate_mldsa::{
    Dealing, Dkg, DkgParams, Level, MessageRepresentative, Profile, Sign, SignParams,
};
use quorate_runner::store::{BeginOutcome, NewRun, NewStep};
use quorate_runner::{Bounds, Kind, MemoryStore, RunTable};
use quorate_testkit::lockstep::{honest, id, parties, seal_key, sid, start, start_seeded};

/// The messages that parties have sent, by round and recipient.
type Sent = BTreeMap<(PartyId, u8, Option<PartyId>), Vec<u8>>;

/// The parameters of a party; receipts come from its store.
type Params<'p, P> = dyn Fn(PartyId, &mut MemoryStore) -> <P as Protocol>::Params + 'p;

const fn step(after: &Sealed) -> NewStep<'_> {
    NewStep { after, taken: &[], messages: &[], outcome: None, until: u64::MAX }
}

/// A party with a store of its own.
struct Host<'p, P: Protocol> {
    me: PartyId,
    sid: SessionId,
    store: MemoryStore,
    params: &'p Params<'p, P>,
    /// The seals so far, the last of which is in the store.
    seals: Vec<Sealed>,
}

impl<P: Protocol> Host<'_, P> {
    fn begin(&mut self, session: &Session<P>) -> BeginOutcome {
        let sealed = session.seal(&seal_key());
        let new = NewRun {
            kind: Kind::of::<P>(),
            sid: self.sid,
            tag: *self.sid.as_bytes().first_chunk().unwrap(),
            digest: [7; 32],
            job: b"",
            sealed: &sealed,
            deadline: 0,
            longest: 1 << 24,
            messages: &[],
        };
        let outcome = self.store.begin(&new, &Bounds::new(10)).unwrap();
        if matches!(outcome, BeginOutcome::Begun { .. }) {
            self.seals.push(sealed);
        }
        outcome
    }

    fn slot(&self) -> Slot {
        self.seals.last().unwrap().slot()
    }

    /// Checks that no seal before the last one changes the store.
    fn refuses_what_is_old(&mut self, after: &Sealed) {
        for old in 0..self.seals.len() - 1 {
            let before = self.seals[old].slot();
            assert!(before < self.slot());
            assert!(!self.store.swap(before, &step(&self.seals[old + 1])).unwrap());
            assert!(!self.store.swap(before, &step(after)).unwrap());
        }
    }

    /// The process dies after this event, and another one resumes from the store.
    fn crash(&mut self, session: Session<P>) -> Step<P> {
        let sealed = session.seal(&seal_key());
        drop(session);
        if self.slot() != sealed.slot() {
            assert!(self.store.swap(self.slot(), &step(&sealed)).unwrap());
            self.seals.push(sealed.clone());
        }
        self.refuses_what_is_old(&sealed);
        let row = self.store.run(&sealed.slot().session()).unwrap().unwrap();
        let stored = Sealed::from_bytes(&row.sealed).unwrap();
        assert!(stored == sealed);
        Session::open(&stored, (self.params)(self.me, &mut self.store), &seal_key()).unwrap()
    }

    /// The run has ended. No session of it can be opened or started again.
    fn end(&mut self, tombstone: &Sealed, all: &Parties) {
        let end = NewStep { outcome: Some(b""), ..step(tombstone) };
        assert!(self.store.swap(self.slot(), &end).unwrap());
        self.seals.push(tombstone.clone());
        self.refuses_what_is_old(tombstone);
        let params = (self.params)(self.me, &mut self.store);
        let ended = Session::<P>::open(tombstone, params, &seal_key());
        assert_eq!(ended.err(), Some(SealError::Ended));
        // The same session again, with another seed. The table refuses a record that it has. If it has forgotten
        // the record, the store of sessions refuses.
        let params = (self.params)(self.me, &mut self.store);
        let again =
            Session::<P>::start(self.sid, self.me, all, params, &mut quorate_testkit::rng(99));
        let recorded = P::CODE == Sign::CODE;
        assert_eq!(again.err(), recorded.then_some(ParamError::AlreadyRecorded));
        let params = (self.params)(self.me, &mut MemoryStore::new());
        let again = start_seeded::<P>(self.sid, self.me, all, params, 99);
        assert_eq!(self.begin(&again.session), BeginOutcome::Exists);
    }
}

fn note(sent: &mut Sent, from: PartyId, round: u8, outgoing: &[Outgoing]) {
    for message in outgoing {
        let to = match message.to {
            To::Everyone => None,
            To::Only(to) => Some(to),
        };
        let place = (from, round, to);
        let before = sent.insert(place, message.bytes.clone());
        assert!(before.is_none_or(|before| before == message.bytes), "{place:?}");
    }
}

/// An undisturbed run.
fn whole<P: Protocol>(
    all: &Parties,
    sid: SessionId,
    params: &Params<'_, P>,
) -> (Sent, Vec<P::Output>) {
    let mut store = MemoryStore::new();
    let steps = all.iter().map(|me| start(sid, me, all, params(me, &mut store))).collect();
    let mut sent = Sent::new();
    let outputs = honest::<P>(steps, |mail| {
        mail.iter().for_each(|one| note(&mut sent, one.from, one.round, &one.outgoing));
    });
    (sent, outputs)
}

/// A run with a crash after every frame and every round, at all parties.
fn crashing<P: Protocol>(
    all: &Parties,
    sid: SessionId,
    params: &Params<'_, P>,
) -> (Sent, Vec<P::Output>) {
    let (mut hosts, mut steps) = (Vec::new(), Vec::new());
    for me in all.iter() {
        let mut host = Host { me, sid, store: MemoryStore::new(), params, seals: Vec::new() };
        let first = start::<P>(sid, me, all, params(me, &mut host.store));
        assert_eq!(host.begin(&first.session), BeginOutcome::Begun { parked: false });
        steps.push(host.crash(first.session));
        hosts.push(host);
    }
    let (mut sent, mut outputs) = (Sent::new(), Vec::new());
    while !steps.is_empty() {
        for step in &steps {
            let session = &step.session;
            note(&mut sent, session.party_id(), session.round().get(), &step.outgoing);
        }
        let mail: Vec<_> =
            steps.iter().map(|step| (step.session.party_id(), step.outgoing.clone())).collect();
        let mut next = Vec::new();
        for (host, mut step) in hosts.iter_mut().zip(steps) {
            let me = host.me;
            for (from, outgoing) in mail.iter().filter(|(from, _)| *from != me) {
                let mine = |to: &To| *to == To::Everyone || *to == To::Only(me);
                for message in outgoing.iter().filter(|message| mine(&message.to)) {
                    step.session.receive(*from, &message.bytes).unwrap();
                    step = host.crash(step.session);
                    // It would send again whatever it has sent in this round.
                    note(&mut sent, me, step.session.round().get(), &step.outgoing);
                }
            }
            match step.session.advance().unwrap() {
                Progress::Round(step) => next.push(host.crash(step.session)),
                Progress::Done { output, tombstone } => {
                    host.end(&tombstone, all);
                    outputs.push(output);
                }
                _ => panic!("one call advances a round"),
            }
        }
        steps = next;
    }
    (sent, outputs)
}

fn sign_params(
    dealt: &Dealing,
    signers: &Parties,
    mu: MessageRepresentative,
    session: SessionId,
    number: u64,
) -> impl Fn(PartyId, &mut MemoryStore) -> SignParams {
    move |me, store| {
        let at = dealt.public.parties().position(me).unwrap();
        let share = Arc::new(copy(&dealt.shares[at]));
        let record = share.attempt(number, session, signers, &mu).unwrap();
        SignParams::new(share, mu, number, record.store(store).unwrap())
    }
}

#[test]
fn attempts_that_crash_at_every_frame_end_alike() {
    let (mut good, mut none) = (0, 0);
    for (profile, level) in
        [(Profile::Published, Level::MlDsa44), (Profile::Strict, Level::MlDsa65)]
    {
        let dealt = deal_if_offered(profile, level, 3, 4).unwrap();
        let signers = parties([1, 2, 4]);
        let mu = dealt.public.verifying_key().represent(b"message", b"").unwrap();
        let attempts = if level == Level::MlDsa44 { 6 } else { 1 };
        for number in 0..attempts {
            let params = sign_params(&dealt, &signers, mu, sid(number), number.into());
            let (sent, ends) = whole::<Sign>(&signers, sid(number), &params);
            let (again, ends_again) = crashing::<Sign>(&signers, sid(number), &params);
            assert!(sent == again && ends == ends_again, "{level}");
            // Nine broadcasts.
            assert_eq!((sent.len(), ends.len()), (9, 3));
            assert!(ends.windows(2).all(|two| two[0] == two[1]));
            *(if ends[0].signature.is_some() { &mut good } else { &mut none }) += 1;
        }
    }
    assert!(good > 0 && none > 0, "{good} good, {none} without luck");
}

#[test]
fn key_generations_that_crash_at_every_frame_end_alike() {
    for (profile, level) in
        [(Profile::Published, Level::MlDsa44), (Profile::Strict, Level::MlDsa87)]
    {
        let all = parties([2, 3, 7]);
        let params =
            move |_: PartyId, _: &mut MemoryStore| DkgParams::with_profile(profile, level, 2);
        let (sent, shares) = whole::<Dkg>(&all, sid(1), &params);
        let (again, shares_again) = crashing::<Dkg>(&all, sid(1), &params);
        assert!(sent == again);
        // Fifteen broadcasts, and three keys to one member each, from the two leaders.
        assert_eq!((sent.len(), shares.len()), (18 + 3, 3));
        for (share, again) in shares.iter().zip(&shares_again) {
            assert!(share.is_confirmed() && share.to_bytes() == again.to_bytes());
        }
    }
}

/// The store keeps the count of attempts, which never goes back, whatever is opened again.
#[test]
fn the_count_of_attempts_never_goes_back() {
    let dealt = deal_if_offered(Profile::Published, Level::MlDsa44, 2, 3).unwrap();
    let (share, signers) = (&dealt.shares[0], parties([1, 3]));
    let mu = MessageRepresentative::external([4; 64]);
    let mut store = MemoryStore::new();
    let attempt =
        |number: u64, session: u8| share.attempt(number, sid(session), &signers, &mu).unwrap();
    for number in 0..5 {
        assert!(attempt(number.into(), number).store(&mut store).is_ok());
    }
    // A caller that has lost its count asks from the beginning. Every number before the next one is reported as
    // spent.
    let next = (0..9).find(|number| {
        let stored = attempt(*number, 100).store(&mut store);
        let spent = matches!(stored, Err(RecordError::Spent { .. }));
        assert!(spent || stored.is_ok());
        !spent
    });
    assert_eq!(next, Some(5));
    // A sealed session asks again for the receipt of its own number, and for no other number.
    let params = sign_params(&dealt, &signers, mu, sid(6), 6);
    let session = start::<Sign>(sid(6), id(1), &signers, params(id(1), &mut store)).session;
    let sealed = session.seal(&seal_key());
    assert!(Session::<Sign>::open(&sealed, params(id(1), &mut store), &seal_key()).is_ok());
    let receipt = attempt(3, 3).store(&mut store).unwrap();
    let other = SignParams::new(Arc::new(copy(share)), mu, 6, receipt);
    let refused = Session::<Sign>::open(&sealed, other, &seal_key());
    assert!(matches!(refused.err(), Some(SealError::Params(_))));
    // The last number is the last in the table of every store.
    let last = dealt.public.attempts();
    assert!(attempt(last - 1, 101).store(&mut store).is_ok());
    assert!(share.attempt(last, sid(101), &signers, &mu).is_err());
    assert!(share.attempt(u64::MAX, sid(101), &signers, &mu).is_err());
}
