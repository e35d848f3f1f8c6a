//! Evidence: frames of runs, some of them altered, against any party.

mod runs;

use quorate_cggmp::{DecodeError, Evidence, NotShown};
use quorate_frost::session::container::ContainerError;
use quorate_frost::session::frame::{ECHO, HEADER};
use quorate_frost::session::{Evidence as Frames, PartyId};

use self::runs::{Base, base};
use super::forms::strict;
use crate::ecdsa::fixture::{DIGEST, ended};
use crate::fixture::id;
use crate::input::Input;

const MAX_EDITS: usize = 8;
/// Judged as another run.
const ELSEWHERE: u8 = 0x80;

/// The first byte: bytes as they are, bytes that lack the digest at the end, or else frames of a
/// run with something altered.
pub(crate) fn check(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    match input.byte() % 8 {
        0 => stored(input.bytes(usize::MAX)),
        1 => stored(&ended(input.bytes(usize::MAX).to_vec())),
        _ => frames(&mut input),
    }
}

fn stored(bytes: &[u8]) -> bool {
    let decode = |bytes: &[u8]| Evidence::from_bytes(bytes);
    let Some(evidence) = strict(bytes, decode, Evidence::to_bytes) else { return false };
    judge(base(0), &evidence, false);
    true
}

/// Run, accused, whose frames these are and up to which round, edits.
fn frames(input: &mut Input<'_>) -> bool {
    let which = input.byte();
    let base = base(which);
    let accused = id(u16::from(input.byte() % 4) + 1);
    let (viewer, rounds) = (id(u16::from(input.byte() % 3) + 1), 1 + input.byte() % 4);
    let mut list = base.seen(viewer, rounds);
    let mut untouched = true;
    for _ in 0..MAX_EDITS {
        let Some(how) = input.next() else { break };
        edit(base, how, input, &mut list);
        untouched = false;
    }
    let frames = Frames::new(base.context, list);
    let evidence = Evidence::new(accused, frames).unwrap();
    let bytes = evidence.to_bytes();
    assert!(Evidence::from_bytes(&bytes).as_ref() == Ok(&evidence));
    let cut = bytes.len() - 1 - usize::from(which) % DIGEST;
    let (expected, got) = (bytes.len(), cut);
    let truncated = DecodeError::Container(ContainerError::Truncated { expected, got });
    assert_eq!(Evidence::from_bytes(&bytes[..cut]).err(), Some(truncated));
    let fault = judge(base, &evidence, which & ELSEWHERE != 0);
    if untouched && rounds == 4 && Some(accused) == base.guilty && which & ELSEWHERE == 0 {
        assert!(fault || viewer == accused, "what was seen is not shown");
    }
    true
}

/// The first frames of a run, against one who did no wrong.
pub(super) fn stored_evidence() -> Vec<u8> {
    let base = base(0);
    let mut frames = base.seen(id(1), 1);
    frames.retain(|(from, _)| *from == id(2));
    Evidence::new(id(2), Frames::new(base.context, frames)).unwrap().to_bytes()
}

/// Returns whether the evidence shows a fault. It must show none if the accused did send, in this
/// order, all that it is said to have sent.
fn judge(base: &Base, evidence: &Evidence, elsewhere: bool) -> bool {
    let verdict = base.verify(evidence, elsewhere);
    let accused = evidence.culprit();
    let mut own = evidence.frames().frames.iter().filter(|(from, _)| *from == accused);
    let innocent = Some(accused) != base.guilty && own.all(|frame| base.has_sent(frame));
    if innocent || elsewhere {
        assert!(verdict.is_err(), "{accused} is accused of what it did not do");
    }
    assert_ne!(verdict, Err(NotShown::Unclear), "the verifier does not fail");
    verdict.is_ok()
}

/// Alters a list of frames.
fn edit(base: &Base, how: u8, input: &mut Input<'_>, list: &mut Vec<(PartyId, Vec<u8>)>) {
    let at = input.below(list.len().max(1));
    let Some((from, frame)) = list.get(at).cloned() else { return };
    match how % 8 {
        0 => drop(list.remove(at)),
        1 => list.swap(at, 0),
        2 | 3 => list[at].1 = input.tampered(&frame).unwrap_or_default(),
        4 => list[at].0 = id(u16::from(input.byte() % 4) + 1),
        5 => {
            // Another body under the same header.
            let header = frame.get(..HEADER + if how & 8 == 0 { 0 } else { ECHO });
            let length = usize::from(input.pair());
            let body = input.bytes(length);
            list[at].1 = [header.unwrap_or_default(), body].concat();
        }
        6 => list.push((from, input.tampered(&frame).unwrap_or_default())),
        _ => {
            // Frames that another party has seen, of this run or of another one.
            let other = self::base(if how & 8 == 0 { base.number } else { input.byte() });
            let others = other.seen(id(u16::from(input.byte() % 3) + 1), 4);
            list.push(others[input.below(others.len())].clone());
        }
    }
}
