//! Evidence of an attempt: whatever is done to frames, nobody is convicted whose frames are as they were sent.

use std::collections::BTreeSet;

use quorate_mldsa::SigningRun;
use quorate_mldsa::session::{Evidence, Fault, PartyId};
use quorate_testkit::lockstep::{Frames, HEADER, context};

use super::fixture::{BODY, attempts};
use crate::fixture::id;
use crate::input::Input;

const MAX_EDITS: usize = 8;

/// The frames that party 1 has seen and sent, by round and sender.
fn seen(frames: &Frames) -> Vec<(PartyId, Vec<u8>)> {
    let others = frames.iter().filter(|(place, _)| place.3 == id(1));
    let own = frames.iter().filter(|(place, _)| (place.0, place.3) == (id(1), id(3)));
    let mut list: Vec<_> = others.chain(own).collect();
    list.sort_by_key(|(place, _)| (place.1, place.0));
    list.into_iter().map(|(place, frame)| (place.0, frame.clone())).collect()
}

/// The input: whether party 2 has cheated, and edits.
pub(crate) fn check(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let attempts = attempts();
    let cheated = input.byte() & 1 == 1;
    let run = if cheated { &attempts.cheated } else { &attempts.honest };
    let sent = seen(run);
    let mut frames = sent.clone();
    let mut edits = 0;
    for _ in 0..MAX_EDITS {
        let Some(how) = input.next() else { break };
        if frames.is_empty() {
            break;
        }
        edits += 1;
        edit(how, &mut input, &mut frames);
    }
    // In whose name there is a frame that it has not sent. Signatures of frames, which the transport has, leave nobody else's.
    let others = frames.iter().filter(|frame| !sent.contains(frame)).map(|(from, _)| *from);
    let touched: BTreeSet<PartyId> = others.chain(cheated.then_some(id(2))).collect();
    let evidence = Evidence::new(context(&run[&(id(2), 1, true, id(1))]), frames);
    let run = attempts.run();
    let elsewhere =
        SigningRun { sid: quorate_mldsa::session::SessionId::new([1; 32]), ..run.clone() };
    for party in [1, 2, 3, 4].map(id) {
        let verdict = run.verify(party, &evidence);
        assert!(verdict.is_err() || touched.contains(&party), "{party}: {verdict:?}");
        if edits == 0 {
            let shown = cheated && party == id(2);
            assert_eq!(verdict.ok(), shown.then_some(Fault::InvalidSignatureShare));
        }
        assert!(elsewhere.verify(party, &evidence).is_err());
    }
    true
}

fn edit(how: u8, input: &mut Input<'_>, frames: &mut Vec<(PartyId, Vec<u8>)>) {
    let at = input.below(frames.len());
    match how % 6 {
        0 | 1 => {
            if let Some(changed) = input.tampered(&frames[at].1) {
                frames[at].1 = changed;
            }
        }
        2 => drop(frames.remove(at)),
        3 => frames[at].0 = id(u16::from(input.byte() % 4) + 1),
        4 => {
            // Once more, perhaps changed.
            let mut again = frames[at].clone();
            if how & 8 == 8 {
                again.1 = input.tampered(&again.1).unwrap_or_default();
            }
            frames.push(again);
        }
        _ => {
            let length = usize::from(input.pair());
            frames[at].1.truncate(if how & 8 == 8 { HEADER } else { BODY });
            frames[at].1.extend_from_slice(input.bytes(length));
        }
    }
}
