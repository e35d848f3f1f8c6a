//! Evidence of a resharing or a repair: whatever is done to frames, nobody is convicted whose frames are as they were sent.

use std::collections::BTreeSet;

use quorate_keys::session::frame::{HEADER, PREFIX};
use quorate_keys::session::{Evidence, Fault, PartyId};

use super::fixture::{Life, Run, SID};
use crate::fixture::id;
use crate::input::Input;

const MAX_EDITS: usize = 8;

/// Edits for a start: none; a bit of a deal, of an echo, of a confirmation; a frame left out, relabelled, doubled; a
/// complaint.
///
/// The frames are three for each round; those of a repair have a gift in round 3, and the target's word in round 4.
pub(crate) const EDITS: [(&str, &[u8]); 10] = [
    ("nothing", &[]),
    ("deal", &[0, 3, 0, 90, 1]),
    ("echo", &[0, 3, 0, 45, 1]),
    ("confirmation", &[0, 6, 0, 75, 1]),
    ("without", &[1, 4]),
    ("relabelled", &[2, 4, 2]),
    ("twice", &[3, 5, 4, 5, 7]),
    ("complaint", &[4, 8, 5, 1, 0, 1, 7, 7, 7]),
    ("gift", &[0, 7, 0, 80, 1]),
    ("accusation", &[4, 11, 5, 1, 0, 1, 7, 7, 7]),
];

pub(crate) fn resharing<C: Life>(data: &[u8]) -> bool {
    let life = C::life();
    frames(data, &life.refresh, |evidence, party| life.plan.convicts(SID, evidence, party))
}

pub(crate) fn repair<C: Life>(data: &[u8]) -> bool {
    let life = C::life();
    frames(data, &life.repair, |evidence, party| life.repair_plan.convicts(SID, evidence, party))
}

/// Edits the frames of a run of parties 1, 2 and 3, and has all three judged.
fn frames(data: &[u8], run: &Run, convicts: impl Fn(&Evidence, PartyId) -> Option<Fault>) -> bool {
    let mut input = Input::new(data);
    let mut frames = run.frames.clone();
    let mut touched = BTreeSet::new();
    for _ in 0..MAX_EDITS {
        let Some(how) = input.next() else { break };
        if frames.is_empty() {
            break;
        }
        let at = input.below(frames.len());
        match how % 5 {
            0 => {
                if let Some(changed) = input.tampered(&frames[at].1) {
                    touched.insert(frames[at].0);
                    frames[at].1 = changed;
                }
            }
            1 => drop(frames.remove(at)),
            2 => frames[at].0 = id(u16::from(input.byte() % 3) + 1),
            3 => frames.push(frames[at].clone()),
            _ => {
                touched.insert(frames[at].0);
                let length = usize::from(input.byte());
                frames[at].1.truncate(HEADER + PREFIX);
                frames[at].1.extend_from_slice(input.bytes(length));
            }
        }
    }
    let evidence = Evidence::new(run.context, frames);
    for party in [1, 2, 3].map(id) {
        let convicted = convicts(&evidence, party);
        let blamed: Option<PartyId> = convicted.map(|_| party);
        assert!(blamed.is_none_or(|party| touched.contains(&party)), "{party}: {convicted:?}");
    }
    true
}
