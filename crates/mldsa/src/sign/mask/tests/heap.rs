//! No secret of a dealer, a key generation or an attempt is left behind in memory that was freed.
//!
//! Every block that is freed or moved is searched for seeds, secrets and masks, in each form that they take in a
//! run. A run is a function of its seeds. So it is made once to learn them, and again to be watched.

use core::cell::RefCell;
use std::format;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quorate_session::frame::{HEADER, PREFIX};
use quorate_session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, Outgoing, ParamError, Parties, PartyId, PerParty,
    Progress, Protocol, Round, Run, Session, SpentInMemory, Step, To,
};
use quorate_testkit::heap::{Finding, Summary, WatchingAllocator, Watchlist};
use quorate_testkit::lockstep::{Frames, id, parties, record, seal_key, sid, start};
use quorate_testkit::rng;
use rand_core::Rng;

use super::*;
use crate::dealer::Dealing;
use crate::dkg::{Dkg, DkgParams};
use crate::message::MessageRepresentative;
use crate::packing::all_full;
use crate::sign::view::View;
use crate::sign::{Attempted, Sign, SignParams};

/// The allocator of all tests of this crate, which searches freed blocks while a list is watched.
#[global_allocator]
static ALLOCATOR: WatchingAllocator = WatchingAllocator;

const LEVEL: Level = Level::MlDsa44;
const SESSION: u8 = 201;

/// Polynomials with small coefficients, and their transforms.
fn note_small(list: &mut Watchlist, name: &str, vector: &[Poly]) {
    for poly in vector {
        list.small(name, &poly.0);
        list.memory(format!("{name}, transformed"), &poly.ntt().values());
    }
}

/// Polynomials with large coefficients, and their transforms.
fn note_large(list: &mut Watchlist, name: &str, vector: &[Poly]) {
    for poly in vector {
        list.memory(name, &poly.0);
        list.memory(format!("{name}, transformed"), &poly.ntt().values());
    }
}

/// The seeds of a share, and the secrets that follow from them.
fn note_share(list: &mut Watchlist, share: &KeyShare) {
    for (_, seed) in share.seeds() {
        list.bytes("a seed", seed.expose());
        let (s1, s2) = expand(share.public().level(), seed);
        note_small(list, "s1", &s1);
        note_small(list, "s2", &s2);
    }
}

fn nothing(what: &str, found: &[Finding]) {
    assert!(found.is_empty(), "{what}: {}", Summary(found));
}

/// Gives one test its turn. All tests share the secrets of one dealing, and a test frees them while it makes its list. A test
/// that watches at that moment would find them.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn deal() -> Dealing {
    Dealing::new(LEVEL, 2, &parties([1, 2, 3]), &mut rng(SESSION)).unwrap()
}

/// The control: a secret that is left behind is found.
#[test]
fn what_is_left_behind_is_found() {
    let _turn = alone();
    let dealt = deal();
    let share = &dealt.shares[0];
    let mut list = Watchlist::new();
    note_share(&mut list, share);
    let (_, seed) = share.seeds().next().unwrap();
    let (s1, _) = expand(LEVEL, seed);
    let left: [&dyn Fn(); 4] = [
        &|| drop(seed.expose().to_vec()),
        &|| drop(s1.to_vec()),
        &|| drop(s1[0].0[100..140].to_vec()),
        &|| drop(transforms(&s1)),
    ];
    for (at, work) in left.into_iter().enumerate() {
        assert!(!list.watch(work).1.is_empty(), "{at}");
    }
    let wiped: [&dyn Fn(); 3] = [
        &|| drop(Zeroizing::new(seed.expose().to_vec())),
        &|| drop(Zeroizing::new(transforms(&s1))),
        // A run of small numbers as short as this occurs everywhere.
        &|| drop(s1[0].0[100..108].to_vec()),
    ];
    wiped.into_iter().for_each(|work| nothing("wiped", &list.watch(work).1));
}

#[test]
fn nothing_of_a_dealing_is_left() {
    let _turn = alone();
    let dealt = deal();
    let mut list = Watchlist::new();
    dealt.shares.iter().for_each(|share| note_share(&mut list, share));
    let mut rng = rng(SESSION);
    let mut key = [0; 32];
    rng.fill_bytes(&mut key);
    for _ in 0..3 {
        rng.fill_bytes(&mut key);
        list.bytes("K_S", &key);
    }
    let ((), found) = list.watch(|| {
        for share in deal().shares {
            drop(KeyShare::from_bytes(LEVEL, &share.to_bytes()).unwrap());
        }
    });
    nothing("dealing", &found);
}

/// Runs a protocol. Every session is sealed and opened after it has received. Sessions are moved through the heap,
/// which keeps the content of their unused bytes.
fn run<P: Protocol>(all: &Parties, params: &dyn Fn(PartyId) -> P::Params) -> Vec<P::Output> {
    let begin = |me| start::<P>(sid(SESSION), me, all, params(me));
    let mut steps: Vec<Step<P>> = all.iter().map(begin).collect();
    let mut outputs = Vec::new();
    while !steps.is_empty() {
        let mail = steps.iter().map(|step| (step.session.party_id(), step.outgoing.clone()));
        let mail: Vec<(PartyId, Vec<Outgoing>)> = mail.collect();
        let mut next = Vec::new();
        for Step { mut session, .. } in steps {
            let me = session.party_id();
            for (from, outgoing) in mail.iter().filter(|(from, _)| *from != me) {
                let mine = |to: &To| *to == To::Everyone || *to == To::Only(me);
                for message in outgoing.iter().filter(|message| mine(&message.to)) {
                    session.receive(*from, &message.bytes).unwrap();
                }
            }
            let sealed = session.seal(&seal_key());
            drop(session);
            let opened = Session::<P>::open(&sealed, params(me), &seal_key()).unwrap();
            match opened.session.advance().unwrap() {
                Progress::Round(step) => next.push(step),
                Progress::Done { output, .. } => outputs.push(output),
                _ => panic!("all go on together"),
            }
        }
        steps = next;
    }
    outputs
}

#[test]
fn nothing_of_a_key_generation_is_left() {
    let _turn = alone();
    let all = parties([1, 2, 3]);
    let params = |_| DkgParams::new(LEVEL, 2);
    let (frames, results) = record::<Dkg>(&all, sid(SESSION), params, |_, _, _| {});
    let mut list = Watchlist::new();
    results.into_values().for_each(|share| note_share(&mut list, &share.unwrap()));
    // Each of the three sets has two members: its key went from one to the other.
    let direct = frames.iter().filter(|(place, _)| place.1 == 1 && !place.2);
    let keys: Vec<&[u8]> = direct.map(|(_, frame)| &frame[HEADER + PREFIX..]).collect();
    let keys: Vec<&[u8]> = keys.into_iter().flat_map(|body| body.chunks(32)).collect();
    assert_eq!(keys.len(), 3);
    keys.into_iter().for_each(|key| list.bytes("K_S", key));
    let ((), found) = list.watch(|| {
        for share in run::<Dkg>(&all, &params) {
            drop(KeyShare::from_bytes(LEVEL, &share.to_bytes()).unwrap());
        }
    });
    nothing("key generation", &found);
}

std::thread_local! {
    /// The seed of the masks of the attempt that was begun last.
    static MASKS: RefCell<[u8; 64]> = const { RefCell::new([0; 64]) };
}

/// The first round of an attempt, which reports the seed of its masks. It has the name and the parameters of the
/// real one, and so its generator.
struct Spy;

impl Protocol for Spy {
    const NAME: &'static str = Sign::NAME;
    const CODE: u8 = Sign::CODE;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = Sign::ROUNDS;

    type Params = SignParams;
    type State = ();
    type Output = ();

    fn bind(params: &SignParams, binding: &mut Binding) {
        Sign::bind(params, binding);
    }

    fn limits(params: &SignParams, parties: usize, round: Round) -> Limits {
        Sign::limits(params, parties, round)
    }

    fn hedge(params: &SignParams) -> Option<Zeroizing<Vec<u8>>> {
        Sign::hedge(params)
    }

    fn start(_: SignParams, run: &Run) -> Result<((), Outbox), ParamError> {
        MASKS.with_borrow_mut(|seed| run.rng("masks").fill_bytes(seed));
        Ok(((), Outbox::default()))
    }

    fn next((): (), _: &Run, _: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(Next::Done(()))
    }
}

/// Two parties of three, and the message that they sign.
struct Table {
    dealt: Dealing,
    signers: Parties,
    mu: MessageRepresentative,
}

impl Table {
    fn params(&self, me: PartyId) -> SignParams {
        let at = self.dealt.public.parties().position(me).unwrap();
        let share = KeyShare::from_bytes(LEVEL, &self.dealt.shares[at].to_bytes()).unwrap();
        let record = share.attempt(0, sid(SESSION), &self.signers, &self.mu).unwrap();
        let receipt = record.store(&mut SpentInMemory::new()).unwrap();
        SignParams::new(Arc::new(share), self.mu, 0, receipt)
    }

    /// The slots of a run, and the slots that each signer has accepted.
    fn view(&self, frames: &Frames) -> (Terms, View) {
        let terms =
            Terms::new(Arc::new(self.dealt.public.clone()), &self.signers, self.mu).unwrap();
        let opening = |from: PartyId| {
            let sent = frames.iter().find(|(place, _)| place.0 == from && place.1 == 2);
            (from, sent.unwrap().1[HEADER + PREFIX..].to_vec())
        };
        let openings: PerParty<Vec<u8>> = self.signers.iter().map(opening).collect();
        let view = View::new(&terms, openings.map(|_, body| all_full(&body).unwrap())).unwrap();
        (terms, view)
    }

    /// The masks of a signer, the sums of its secrets, alone and times the challenges, and the values that it has
    /// not sent.
    fn note(&self, list: &mut Watchlist, me: PartyId, (terms, view): &(Terms, View)) {
        drop(start::<Spy>(sid(SESSION), me, &self.signers, self.params(me)));
        let seed = MASKS.with_borrow(|seed| *seed);
        list.bytes("the seed of the masks", &seed);
        let at = self.dealt.public.parties().position(me).unwrap();
        let part = Part::new(&self.dealt.shares[at], terms);
        for transform in part.s1.iter().chain(&*part.s2) {
            list.memory("a sum of secrets, transformed", &transform.values());
        }
        let cut = Cut::new(terms.set());
        for (index, slot) in (0..).zip(&view.slots) {
            let point = cut.point(&seed, index);
            let bits = point.coordinates().iter().flat_map(|x| x.to_ne_bytes());
            list.bytes("a point", &bits.collect::<Vec<u8>>());
            let (y, e) = cut.mask(&point);
            note_large(list, "y", &y);
            note_large(list, "e", &e);
            let (u1, u2) = (times(&slot.c, &part.s1), times(&slot.c, &part.s2));
            u1.iter().chain(&*u2).for_each(|u| list.small("c·s", &u.0));
            let (z1, accepted) = cut.cut(&point, &u1, &u2);
            if !accepted {
                z1.iter().for_each(|z| list.memory("z1 of a rejected slot", &z.0));
            }
        }
    }
}

#[test]
fn nothing_of_an_attempt_is_left() {
    let _turn = alone();
    let dealt = deal();
    let (signers, mu) = (parties([1, 3]), MessageRepresentative::external([9; 64]));
    let table = Table { dealt, signers, mu };
    let params = |me| table.params(me);
    let (frames, first) = record::<Sign>(&table.signers, sid(SESSION), params, |_, _, _| {});
    let view = table.view(&frames);
    let mut list = Watchlist::new();
    table.dealt.shares.iter().for_each(|share| note_share(&mut list, share));
    for me in [1, 3] {
        table.note(&mut list, id(me), &view);
    }
    // The seeds that were learned are those of the run.
    let first: Vec<Attempted> = first.into_values().map(Result::unwrap).collect();
    let (again, found) = list.watch(|| run::<Sign>(&table.signers, &params));
    assert!(again == *first);
    nothing("an attempt", &found);
    let seed = Seed::filled(|seed| *seed = MASKS.with_borrow(|masks| *masks));
    let learned = Masks::new(view.0.set(), seed).commitments(&view.0.a);
    let place = (id(3), 2, true, id(1));
    assert!(frames[&place][HEADER + PREFIX..] == learned);
}
