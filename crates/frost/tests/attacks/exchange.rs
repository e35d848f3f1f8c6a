//! The exchange of shares: equivocation, replays, an own share that was damaged.

use std::sync::Arc;

use quorate_frost::session::{Check, Fault, PartyId, SessionId};
use quorate_frost::{Ciphersuite, Scalar, ShareExchange, ShareExchangeParams, SignatureShare};
use quorate_testkit::lockstep::{ECHO, Frames, HEADER, Outcome, Place, play, record, sid};

use super::bench::{Cheap, Even, Key, MESSAGE, Signed, id};

/// The run of a package, in which each party has a share that may be wrong.
struct Run<S: Ciphersuite> {
    key: Key<S>,
    signed: Signed<S>,
    own: Vec<SignatureShare<S>>,
}

impl<S: Ciphersuite> Run<S> {
    fn new(errors: &[Scalar<S>]) -> Self {
        let key = Key::<S>::new(4, 1);
        let signed = key.sign(MESSAGE, 2);
        let own = signed.wrong(errors);
        Self { key, signed, own }
    }

    fn params(&self, me: PartyId, own: &[SignatureShare<S>]) -> ShareExchangeParams<S> {
        let own = *own.iter().find(|share| share.id() == me).unwrap();
        let (public, package) = (self.key.public.clone(), self.signed.package.clone());
        ShareExchangeParams::new(Arc::new(public), Arc::new(package), own)
    }

    /// The frames of the run with the wrong shares.
    fn frames(&self, sid: SessionId, alter: impl FnMut(Place, &mut Vec<u8>, &Frames)) -> Frames {
        let all = self.key.public.parties();
        record::<ShareExchange<S>>(all, sid, |me| self.params(me, &self.own), alter).0
    }

    /// The end for a party that has its honest share.
    fn honest(&self, me: u16, sid: SessionId, frames: &Frames) -> Outcome {
        let (all, params) = (self.key.public.parties(), self.params(id(me), &self.signed.shares));
        play::<ShareExchange<S>>(id(me), all, sid, params, frames)
    }
}

fn numbers<S: Ciphersuite>(errors: [i8; 4]) -> Vec<Scalar<S>> {
    let scalar = |error: i8| {
        let size = Scalar::<S>::from(u64::from(error.unsigned_abs()));
        if error < 0 { -size } else { size }
    };
    errors.map(scalar).to_vec()
}

fn blamed(parties: &[u16]) -> Outcome {
    let faults = parties.iter().map(|party| (id(*party), Fault::InvalidSignatureShare));
    Outcome::Blamed(1, faults.collect())
}

/// Every honest party names exactly those whose shares are wrong; errors that cancel are none.
fn shares_with_errors<S: Ciphersuite>() {
    for (errors, expected) in [
        ([0, 3, -3, 0], Outcome::Done),
        ([0, 1, 2, 0], blamed(&[2, 3])),
        ([0, 1, -1, 5], blamed(&[2, 3, 4])),
        ([0, 2, 2, -5], blamed(&[2, 3, 4])),
        ([0, 0, 0, 1], blamed(&[4])),
        ([0, 1, 0, 0], blamed(&[2])),
    ] {
        let run = Run::<S>::new(&numbers::<S>(errors));
        let frames = run.frames(sid(1), |_, _, _| {});
        let honest = (1..=4u16).zip(errors).filter(|(_, error)| *error == 0);
        for (me, _) in honest {
            assert_eq!(run.honest(me, sid(1), &frames), expected, "{errors:?}, party {me}");
        }
    }
}

#[test]
fn errors_in_an_exchange_name_exactly_the_cheaters() {
    shares_with_errors::<Cheap>();
    shares_with_errors::<Even>();
}

/// A party whose own share is damaged names nobody. The others name it.
#[test]
fn an_own_share_that_is_damaged_gets_nobody_else_named() {
    let run = Run::<Cheap>::new(&numbers::<Cheap>([0, 1, 0, 0]));
    let frames = run.frames(sid(1), |_, _, _| {});
    let all = run.key.public.parties();
    let params = run.params(id(2), &run.own);
    let own = play::<ShareExchange<Cheap>>(id(2), all, sid(1), params, &frames);
    assert_eq!(own, Outcome::Unattributed(Check::Internal));
    assert_eq!(run.honest(1, sid(1), &frames), blamed(&[2]));
    // With a cheater beside it, the cheater alone is named.
    let run = Run::<Cheap>::new(&numbers::<Cheap>([0, 1, -1, 7]));
    let frames = run.frames(sid(1), |_, _, _| {});
    let params = run.params(id(2), &run.own);
    let own = play::<ShareExchange<Cheap>>(id(2), all, sid(1), params, &frames);
    assert_eq!(own, blamed(&[3, 4]));
}

/// One share for some, another for others: a party that got the wrong one names its sender, the rest have the signature.
#[test]
fn a_signer_that_equivocates_is_named_by_whom_it_lied_to() {
    let run = Run::<Cheap>::new(&numbers::<Cheap>([0; 4]));
    let wrong = run.signed.wrong(&numbers::<Cheap>([0, 1, 0, 0]))[1].scalar();
    let frames = run.frames(sid(1), |(from, _, _, to), frame, _| {
        if (from, to) == (id(2), id(4)) {
            frame.truncate(HEADER + ECHO);
            frame.extend_from_slice(wrong.as_ref());
        }
    });
    assert_eq!(run.honest(1, sid(1), &frames), Outcome::Done);
    assert_eq!(run.honest(3, sid(1), &frames), Outcome::Done);
    assert_eq!(run.honest(4, sid(1), &frames), blamed(&[2]));
}

/// Frames of another run of the same package, and frames in another's name: not taken, or their sender's fault.
#[test]
fn frames_of_another_run_or_signer_get_no_honest_signer_named() {
    let run = Run::<Cheap>::new(&numbers::<Cheap>([0; 4]));
    let honest = run.frames(sid(1), |_, _, _| {});
    let other = run.frames(sid(2), |_, _, _| {});
    for place in honest.keys().filter(|place| place.3 == id(1)) {
        let mut frames = honest.clone();
        frames.insert(*place, other[place].clone());
        assert!(matches!(run.honest(1, sid(1), &frames), Outcome::Rejected(_)));
    }
    // Party 2 sends the share of party 3 as its own.
    let third = run.signed.shares[2].scalar();
    let frames = run.frames(sid(1), |(from, ..), frame, _| {
        if from == id(2) {
            frame.truncate(HEADER + ECHO);
            frame.extend_from_slice(third.as_ref());
        }
    });
    assert_eq!(run.honest(1, sid(1), &frames), blamed(&[2]));
}
