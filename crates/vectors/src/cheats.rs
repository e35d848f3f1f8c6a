//! The cheats of every protocol.

pub(crate) mod aux_info;
pub(crate) mod ecdsa;
pub(crate) mod frost;
pub(crate) mod life;
pub(crate) mod presign;

use core::ops::Range;

use quorate::Fault;
use quorate::session::Protocol;
use quorate_curve::Curve;

use crate::cheat::Stage;
use crate::json::Json;
use crate::lies::{Cheat, Edit, Lie, Of};
use crate::record::Detail;
use crate::run::{Course, Frames, Script};
use crate::shapes::{SHAPES, Shape};

/// The ceremony that makes the key of three.
const OF_THREE: &str = "key generation of three";
/// The group of key generations and signatures.
const PAIR: Shape = SHAPES[0];
/// The group of refreshes and repairs, and of runs without a blame.
const TRIO: Shape = SHAPES[1];

/// An altered broadcast, whose fault is found in the same round.
fn broadcast<'a>(round: u8, what: &'static str, edit: Edit<'a>, fault: Fault) -> Cheat<'a> {
    Cheat::new(what, Lie { round, of: Of::Broadcast, edit }, fault)
}

/// An altered message to one party, whose fault is found in the same round.
fn direct<'a>(round: u8, what: &'static str, edit: Edit<'a>, fault: Fault) -> Cheat<'a> {
    Cheat::new(what, Lie { round, of: Of::Direct, edit }, fault)
}

/// Another body than an honest one.
fn forged<'a>(body: impl Fn(&Course) -> Vec<u8> + 'a) -> Edit<'a> {
    Edit::Forged(Box::new(body))
}

/// A run of which a file has all messages, and which a third party judges only by two messages in one place.
fn unjudged<'s, P: Protocol>(base: &'s Frames, script: &'s dyn Fn() -> Script<P>) -> Stage<'s, P> {
    Stage { base, script, details: [Detail::Full; 2], verdict: &|_| (None, None) }
}

/// Runs of three that end without a blame: the second one tells the last one another story, or is silent.
fn unblamed<C: Curve, P: Protocol>(stage: &Stage<'_, P>) -> [Json; 2] {
    let mut other = (stage.script)();
    let [_, culprit, last] = *other.terms.parties.as_slice() else { panic!("three parties") };
    other.players[1].fresh = [0xff; 32];
    let story = other.honest().course.body(1, culprit, None).to_vec();
    let story = Lie { round: 1, of: Of::To(last), edit: forged(move |_| story.clone()) };
    let silence = Lie { round: 2, of: Of::Any, edit: Edit::Nothing };
    [("another first message for one party", story), ("no second message", silence)]
        .map(|row| stage.unblamed::<C>(culprit, row))
}

/// The bytes of a field of this length.
fn field(at: usize, length: usize) -> Range<usize> {
    at..at + length
}
