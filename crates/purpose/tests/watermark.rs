//! Watermarks: what follows what, and marks that other signers report.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use quorate_purpose::comet::VoteStep;
use quorate_purpose::*;

fn mark(order: [u64; 3], value: u8) -> Mark {
    Mark { order: Order(order), value: [value; 32] }
}

#[test]
fn the_first_mark_and_each_later_one_rises() {
    let last = mark([5, 1, 2], 1);
    assert_eq!(last.check_follows(None), Ok(Allowed::Rises));
    for order in [[5, 1, 3], [5, 2, 0], [6, 0, 0], [u64::MAX; 3]] {
        assert_eq!(mark(order, 2).check_follows(Some(&last)), Ok(Allowed::Rises));
    }
}

#[test]
fn the_same_value_is_allowed_again_and_another_conflicts() {
    let last = mark([5, 1, 2], 1);
    assert_eq!(last.check_follows(Some(&last)), Ok(Allowed::Again));
    let refused = mark([5, 1, 2], 2).check_follows(Some(&last)).unwrap_err();
    assert_eq!(refused, Refused::Conflicts { order: last.order });
    assert_eq!(refused.to_string(), "another value was signed at 5/1/2");
}

#[test]
fn an_earlier_order_is_refused_even_with_the_same_value() {
    let last = mark([5, 1, 2], 1);
    for order in [[5, 1, 1], [5, 0, 9], [4, 9, 9]] {
        let refused = mark(order, 1).check_follows(Some(&last)).unwrap_err();
        assert_eq!(refused, Refused::Falls { asked: Order(order), last: last.order });
    }
    let refused = mark([4, 0, 3], 1).check_follows(Some(&last)).unwrap_err();
    assert_eq!(refused.to_string(), "4/0/3 comes before 5/1/2, which was signed");
}

#[test]
fn slots_do_not_touch_each_other_and_refusals_change_nothing() {
    let watermark = |chain: &str, round, block| {
        let place = comet::Place::new(chain, 5, round).unwrap();
        let vote = comet::Vote::new(VoteStep::Prevote, place, block, TIME).unwrap();
        Purpose::from(vote).watermark().unwrap()
    };
    let mut marks = Watermarks::new();
    assert_eq!(marks.admit(&watermark("a", 1, None)), Ok(Allowed::Rises));
    assert_eq!(marks.admit(&watermark("b", 0, None)), Ok(Allowed::Rises));
    let before = marks.clone();
    assert!(marks.admit(&watermark("a", 0, None)).is_err());
    assert!(marks.admit(&watermark("a", 1, Some(BLOCK()))).is_err());
    assert_eq!(marks.admit(&watermark("a", 1, None)), Ok(Allowed::Again));
    assert_eq!(marks, before);
    assert_eq!(marks.last("cometbft/a"), Some(&watermark("a", 1, None).mark()));
    assert_eq!(marks.last("cometbft/c"), None);
}

#[test]
fn marks_of_other_signers_raise_and_never_lower() {
    let mut marks = Watermarks::new();
    marks.learn("s", mark([5, 0, 1], 1)).unwrap();
    marks.learn("s", mark([4, 0, 1], 9)).unwrap();
    assert_eq!(marks.last("s"), Some(&mark([5, 0, 1], 1)));
    assert_eq!(
        marks.learn("s", mark([5, 0, 1], 2)),
        Err(Refused::Conflicts { order: Order([5, 0, 1]) })
    );
    assert_eq!(marks.last("s"), Some(&mark([5, 0, 1], 1)));
    marks.learn("s", mark([6, 0, 1], 2)).unwrap();
    assert_eq!(marks.last("s"), Some(&mark([6, 0, 1], 2)));
}

#[test]
fn stored_marks_come_back_and_other_lengths_do_not() {
    let stored = mark([1, u64::MAX, 3], 7);
    assert_eq!(Mark::from_bytes(&stored.to_bytes()), Some(stored));
    for length in [0, 32, 55, 57, 64] {
        assert_eq!(Mark::from_bytes(&vec![0; length]), None);
    }
    let later = mark([2, 0, 0], 0);
    assert!(later.to_bytes() > stored.to_bytes() && later.order > stored.order);
}

fn prevote(height: u64, block: Option<comet::BlockId>) -> Watermark {
    let vote = comet::Vote::new(VoteStep::Prevote, place(height, 0), block, TIME).unwrap();
    Purpose::from(vote).watermark().unwrap()
}

/// Any two of three signers sign. Both have to allow it.
fn sign(signers: &mut [Watermarks; 3], quorum: [usize; 2], watermark: &Watermark) -> bool {
    quorum.into_iter().all(|signer| signers[signer].admit(watermark).is_ok())
}

/// Tells a signer, before it signs again, what others know of the slot.
fn ask(signers: &mut [Watermarks; 3], who: usize, others: &[usize]) {
    for other in others {
        if let Some(mark) = signers[*other].last("cometbft/test_chain_id").copied() {
            signers[who].learn("cometbft/test_chain_id", mark).unwrap();
        }
    }
}

#[test]
fn a_validator_with_a_restored_disk_signs_two_blocks_unless_it_asks_the_others() {
    let other = comet::BlockId { parts: 7, ..BLOCK() };
    let (first, second) = (prevote(10, Some(BLOCK())), prevote(10, Some(other)));
    let mut signers: [Watermarks; 3] = Default::default();
    assert!(sign(&mut signers, [0, 1], &prevote(9, None)));
    let backup = signers[1].clone();
    assert!(sign(&mut signers, [0, 1], &first));
    // Marks that are not restored forbid it to every quorum that has one of the first signers.
    for quorum in [[0, 1], [1, 2], [2, 0]] {
        assert!(!sign(&mut signers.clone(), quorum, &second), "{quorum:?}");
    }

    signers[1] = backup;
    assert!(sign(&mut signers.clone(), [1, 2], &second), "two blocks are signed at height 10");
    // The only one that it asks may not have been there. n - t + 1 = 2 others have one of each quorum.
    let mut asked = signers.clone();
    ask(&mut asked, 1, &[2]);
    assert!(sign(&mut asked, [1, 2], &second));
    ask(&mut signers, 1, &[0, 2]);
    assert!(!sign(&mut signers, [1, 2], &second));
    assert!(sign(&mut signers, [1, 2], &first), "what was signed may be given again");
}

#[test]
fn a_vote_far_ahead_or_a_signer_that_lies_uses_up_all_heights_before_it() {
    let mut marks = Watermarks::new();
    let far = prevote(u64::MAX >> 1, None);
    assert_eq!(marks.admit(&far), Ok(Allowed::Rises));
    assert!(matches!(marks.admit(&prevote(11, None)), Err(Refused::Falls { .. })));
    let mut marks = Watermarks::new();
    marks.learn(far.slot(), mark([u64::MAX; 3], 0)).unwrap();
    assert!(matches!(marks.admit(&far), Err(Refused::Falls { .. })));
    // The height is a fact: a policy compares it with that of its own node of the chain.
    let facts = Purpose::from(vote(VoteStep::Prevote, None)).facts();
    assert_eq!(facts.integer("height"), Some(&12_345_u64.into()));
}
