//! Threshold ML-DSA: a dealer's secrets, key generation, and an attempt to sign, with party 1's secrets marked.
//!
//! Two of two at levels 44 and 65, by the published profile and the vectors that valgrind knows. Nothing here speaks for level 87,
//! strict sets, signers that answer for several sets, slots that are drawn again, sessions and shares that are opened from
//! bytes, AVX-512, or code without vectors.

use std::sync::Arc;

use quorate_mldsa::session::{Parties, PartyId, Protocol, Session, SessionId, SpentInMemory, Step};
use quorate_mldsa::{
    Dealing, Dkg, DkgParams, KeyShare, Level, MessageRepresentative, Sign, SignParams,
};
use quorate_testkit::lockstep::honest;

use super::Case;
use crate::random::{self, Secrets};

pub(super) const ALL: &[Case] = &[
    ("ML-DSA-44, dealer", |_| dealer(Level::MlDsa44)),
    ("ML-DSA-65, dealer", |_| dealer(Level::MlDsa65)),
    ("ML-DSA-44, key generation and signing", |_| life(Level::MlDsa44)),
    ("ML-DSA-65, key generation and signing", |_| life(Level::MlDsa65)),
];

fn parties() -> Parties {
    Parties::numbered(2).expect("two")
}

fn dealer(level: Level) {
    let dealt = Dealing::new(level, 2, &parties(), &mut Secrets::new(40)).expect("two of two");
    assert!(dealt.shares.len() == 2);
}

/// A party's step, with marked randomness for party 1.
fn start<P: Protocol>(sid: SessionId, me: PartyId, params: P::Params) -> Step<P> {
    let parties = parties();
    let step = if me.get() == 1 {
        Session::start(sid, me, &parties, params, &mut Secrets::new(41))
    } else {
        Session::start(sid, me, &parties, params, &mut random::public(42))
    };
    step.expect("parameters that fit")
}

/// Runs two parties to their end.
fn run<P: Protocol>(
    sid: SessionId,
    mut params: impl FnMut(PartyId) -> P::Params,
) -> Vec<P::Output> {
    honest::<P>(parties().iter().map(|me| start(sid, me, params(me))).collect(), |_| ())
}

fn life(level: Level) {
    let shares = run::<Dkg>(SessionId::new([1; 32]), |_| DkgParams::new(level, 2));
    let shares: Vec<Arc<KeyShare>> = shares.into_iter().map(Arc::new).collect();
    let key = shares[0].public().verifying_key().clone();
    let mu: MessageRepresentative = key.represent(b"watched", b"").expect("no context");
    // Attempts until one has luck.
    let signature = (0..20).find_map(|number| {
        let sid = SessionId::new([number; 32]);
        let results = run::<Sign>(sid, |me| {
            let share = &shares[usize::from(me.get()) - 1];
            let record = share.attempt(number.into(), sid, &parties(), &mu).expect("not used up");
            let receipt = record.store(&mut SpentInMemory::new()).expect("a new table");
            SignParams::new(Arc::clone(share), mu, number.into(), receipt)
        });
        results.into_iter().next()?.signature
    });
    assert!(key.verify(b"watched", b"", &signature.expect("luck")).is_ok());
}
