//! Opening a sealed session makes no proof and verifies none, which an audit does. The spans of the proofs count, and in the
//! protocols of signing those of the engine. (Auxiliary information makes the tables of its result again.)
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use core::cell::Cell;
use std::sync::Arc;

use quorate_cggmp::{
    AuxInfoGen, AuxInfoParams, Presign, PresignMany, PresignManyParams, RawDigest, Secp256k1, Sign,
    SignParams,
};
use quorate_session::{PartyId, Progress, Protocol, Session};
use quorate_testkit::ecdsa::{FAST, Group, NUMBERS, secrets};
use quorate_testkit::lockstep::{advance, id, parties, record, seal_key, sid, start};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::with_default;
use tracing::{Event, Metadata, Subscriber};

thread_local! {
    static PROOFS: Cell<usize> = const { Cell::new(0) };
    static WORK: Cell<usize> = const { Cell::new(0) };
}

/// Counts the spans of the engine and of the proofs in this thread.
struct Counting;

impl Subscriber for Counting {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let name = span.metadata().name();
        if ["check_many", "prove_many", "respond_many", "verify_many"].contains(&name) {
            PROOFS.set(PROOFS.get() + 1);
        } else if name.starts_with("evaluate") || name == "comb" {
            WORK.set(WORK.get() + 1);
        }
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The outcome, the proofs made and verified, and what the engine evaluated.
fn counted<T>(work: impl FnOnce() -> T) -> (T, [usize; 2]) {
    PROOFS.set(0);
    WORK.set(0);
    let done = with_default(Counting, work);
    (done, [PROOFS.get(), WORK.get()])
}

/// Opens every seal of one party both ways.
fn opens_for_nothing<P: Protocol>(tables: bool, params: impl Fn(PartyId) -> P::Params) {
    let (all, me) = (parties(NUMBERS), id(NUMBERS[0]));
    let (frames, _) = record::<P>(&all, sid(5), &params, |_, _, _| {});
    let mut session = start::<P>(sid(5), me, &all, params(me)).session;
    loop {
        let (sealed, round) = (session.seal(&seal_key()), session.round().get());
        let (given, again) = (params(me), params(me));
        let (opened, open) = counted(|| Session::<P>::open(&sealed, given, &seal_key()));
        let (_, audit) = counted(|| Session::<P>::audit(&sealed, again, &seal_key()));
        assert!(open[0] == 0 && (tables || open[1] == 0), "{} in round {round}: {open:?}", P::NAME);
        assert!(audit.iter().all(|count| *count > 0), "{} in round {round}: {audit:?}", P::NAME);
        session = opened.unwrap().session;
        for (place, frame) in frames.iter().filter(|(place, _)| (place.3, place.1) == (me, round)) {
            session.receive(place.0, frame).unwrap();
        }
        match advance(session) {
            Ok(Progress::Round(step)) => session = step.session,
            Ok(Progress::Done { .. }) => return,
            _ => panic!("an honest run"),
        }
    }
}

#[test]
fn opening_neither_proves_nor_verifies() {
    type C = Secp256k1;
    let group = Group::<C>::new(3);
    opens_for_nothing::<Presign<C>>(false, |me| group.params(me));
    opens_for_nothing::<PresignMany<C>>(false, |me| PresignManyParams::new(group.params(me), 2));
    let digest = RawDigest::of_message::<C>(b"message");
    opens_for_nothing::<Sign<C>>(false, |me| SignParams::new(group.params(me), digest));
    let secrets: Vec<_> = (0..NUMBERS.len()).map(|place| secrets(FAST, place)).collect();
    opens_for_nothing::<AuxInfoGen>(true, |me| {
        let place = NUMBERS.iter().position(|number| id(*number) == me).unwrap();
        AuxInfoParams::new(Arc::clone(&secrets[place]))
    });
}
