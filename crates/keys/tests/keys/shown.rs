//! The places of the parts of a backup's proof, written a second time.

use quorate_curve::Curve;
use quorate_keys::session::Transcript;

/// The hidden set of a challenge.
fn hidden(e: &[u8]) -> Vec<bool> {
    let mut hidden = vec![false; 256];
    for block in 0.. {
        let mut transcript = Transcript::new("quorate-keys backup hidden");
        transcript.append("e", e);
        transcript.append_u64("block", block);
        for byte in transcript.finish() {
            hidden[usize::from(byte)] = true;
            if hidden.iter().filter(|one| **one).count() == 64 {
                return hidden;
            }
        }
    }
    unreachable!("the blocks do not end")
}

/// The place of each repetition in the body of a backup whose label has `label` bytes, and whether the repetition
/// is hidden.
pub fn repetitions<C: Curve>(body: &[u8], label: usize) -> Vec<(bool, usize)> {
    let (point, scalar) = (size_of::<C::PointBytes>(), size_of::<C::ScalarBytes>());
    let mut at = 71 + point + label;
    let hidden = hidden(&body[at..at + 32]);
    at += 32;
    let mut place = |hidden| {
        let here = at;
        at += if hidden { point + 2 * scalar } else { 32 };
        (hidden, here)
    };
    let all = hidden.into_iter().map(&mut place).collect();
    assert_eq!(at, body.len());
    all
}
