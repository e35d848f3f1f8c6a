//! Messages of an attempt and of a key generation: frames of a run in which all were honest are altered and given to one
//! party.

use std::collections::BTreeSet;

use quorate_mldsa::session::{Blame, Check, PartyId, Protocol};
use quorate_mldsa::{Dkg, Sign};
use quorate_testkit::lockstep::{Frames, HEADER, Outcome, Place, judged};

use super::fixture::{BODY, GENERATED, SID, attempts, generation};
use crate::fixture::{id, parties};
use crate::input::Input;

const MAX_EDITS: usize = 6;

/// The receiver, then edits of frames that it gets: which, how, where.
fn edited(input: &mut Input<'_>, frames: &mut Frames) -> (PartyId, BTreeSet<Place>) {
    let me = id(u16::from(input.byte() % 3) + 1);
    let mine: Vec<Place> = frames.keys().filter(|place| place.3 == me).copied().collect();
    let honest = frames.clone();
    for _ in 0..MAX_EDITS {
        let Some(how) = input.next() else { break };
        let place = mine[input.below(mine.len())];
        let frame = frames.get_mut(&place).expect("a frame of the run");
        match how % 8 {
            0..=3 => *frame = input.tampered(frame).unwrap_or_default(),
            4 => frame.truncate(usize::from(input.pair())),
            5 => {
                // Another body under the same header, or under the same echo.
                frame.truncate(if how & 8 == 0 { BODY } else { HEADER });
                let length = usize::from(input.pair());
                frame.extend_from_slice(input.bytes(length));
            }
            6 => {
                // What another said, or what was said in another round.
                let other = &honest[&mine[input.below(mine.len())]];
                frame.truncate(BODY);
                frame.extend_from_slice(other.get(BODY..).unwrap_or_default());
            }
            _ => {
                // Two pieces of the body exchanged.
                let at = usize::from(input.pair());
                if let Some(body) = frame.get_mut(BODY..).filter(|body| at < body.len()) {
                    let length = usize::from(input.pair()).min((body.len() - at) / 2);
                    let (first, second) = body[at..at + 2 * length].split_at_mut(length);
                    first.swap_with_slice(second);
                }
            }
        }
    }
    let altered = mine.into_iter().filter(|place| frames[place] != honest[place]).collect();
    (me, altered)
}

/// Only those are blamed whose frames were altered, and a check that names nobody is one of `unattributed`.
fn is_explained(outcome: &Outcome, altered: &BTreeSet<Place>, unattributed: &[Check]) {
    match outcome {
        Outcome::Blamed(_, blames) => {
            let sent_other = |party| altered.iter().any(|place| place.0 == party);
            assert!(!blames.is_empty() && blames.iter().all(|(party, _)| sent_other(*party)));
        }
        Outcome::Unattributed(check) => {
            assert!(!altered.is_empty() && unattributed.contains(check), "{check:?}");
        }
        Outcome::Rejected(_) => assert!(!altered.is_empty()),
        Outcome::Done | Outcome::Waiting(_) => {}
    }
}

fn outcome<P: Protocol>(
    me: PartyId,
    params: P::Params,
    frames: &Frames,
    judge: impl Fn(&Blame),
) -> Outcome {
    judged::<P>(me, (&parties(), SID), params, frames, judge)
}

/// Evidence of every blame convinces others.
pub(crate) fn sign(data: &[u8]) -> bool {
    let attempts = attempts();
    let mut frames = attempts.honest.clone();
    let (me, altered) = edited(&mut Input::new(data), &mut frames);
    let run = attempts.run();
    let found = outcome::<Sign>(me, attempts.params(me), &frames, |blame| {
        let evidence = blame.evidence.as_ref().expect("sessions keep the frames");
        assert_eq!(run.verify(blame.party, evidence), Ok(blame.fault));
    });
    is_explained(&found, &altered, &[Check::EchoMismatch]);
    if found == Outcome::Done {
        // A slot that was accepted may be withheld.
        assert!(altered.iter().all(|place| place.1 == 3), "{altered:?}");
    }
    matches!(found, Outcome::Done | Outcome::Blamed(..))
}

pub(crate) fn dkg(data: &[u8]) -> bool {
    let mut frames = generation().clone();
    let (me, altered) = edited(&mut Input::new(data), &mut frames);
    let found = outcome::<Dkg>(me, GENERATED, &frames, |blame| {
        let evidence = blame.evidence.as_ref().expect("sessions keep the frames");
        assert!(evidence.frames.iter().any(|(from, _)| *from == blame.party));
    });
    is_explained(&found, &altered, &[Check::EchoMismatch, Check::Complaint]);
    assert!(found != Outcome::Done || altered.is_empty(), "{altered:?}");
    matches!(found, Outcome::Done | Outcome::Blamed(..) | Outcome::Unattributed(Check::Complaint))
}
