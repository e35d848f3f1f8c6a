//! Evidence for third parties. Every test of a corrupt party checks that it convicts each blamed party
//! ([`Case::play`], [`repair`]). The tests here check that evidence made up by others convicts no honest party.

use quorate_curve::Curve;
use quorate_keys::session::frame::{self, HEADER, Header, PREFIX};
use quorate_keys::session::{Evidence, Fault, FrameBytes, PartyId, Protocol, Round, SessionId};
use quorate_keys::{Repair, Reshare};

use crate::forge::{complaint, d_of};
use crate::group::{Of, id, sid};
use crate::play::Said;
use crate::repair::{HELPERS, TARGET, repair};
use crate::reshare::{Case, NEW, confirmation, opening, y, zero};

/// A run of a resharing in which party 1 deals 4 a wrong share, and the evidence of party 2.
fn convicting<C: Curve>() -> (Case<C>, Evidence) {
    let case = Case::<C>::new();
    let wrong = |to| C::Scalar::from(u64::from(to == 4));
    let ended = case.play(&[1], |round, _, _, said| match round {
        1 => Some(vec![]),
        2 => Some(case.forged(1, said, &wrong).body()),
        _ => Some(confirmation(said)),
    });
    let blame = ended.all_blames()[0].1.clone();
    (case, blame.evidence.unwrap())
}

fn round_of(frame: &[u8]) -> u8 {
    Header::parse(frame).unwrap().round.get()
}

/// Drops, alters and relabels every frame. Nobody else is ever convicted. A fault in an altered frame convicts
/// only the party in whose name it is.
fn made_up_evidence<C: Curve>() {
    let (case, evidence) = convicting::<C>();
    let judge = |evidence: &Evidence, party: u16| case.plan.convicts(sid(3), evidence, id(party));
    assert_eq!(judge(&evidence, 1), Some(Fault::InvalidShare));
    let innocent = |evidence: &Evidence| NEW.iter().all(|party| judge(evidence, *party).is_none());
    assert!(innocent(&evidence));
    // Another session, another plan, another context.
    assert_eq!(case.plan.convicts(SessionId::new([9; 32]), &evidence, id(1)), None);
    let other = case.key.plan(&[1, 3], &NEW, 3);
    assert_eq!(other.convicts(sid(3), &evidence, id(1)), None);
    assert_eq!(judge(&Evidence { context: [0; 32], ..evidence.clone() }, 1), None);
    for place in 0..evidence.frames.len() {
        let mut less = evidence.clone();
        let (from, _) = less.frames.remove(place);
        assert!(innocent(&less), "without a frame of {from}");
        let mut relabelled = evidence.clone();
        relabelled.frames[place].0 = id(if from == id(2) { 3 } else { 2 });
        assert!(innocent(&relabelled) && judge(&relabelled, 1).is_none());
        let mut short = evidence.clone();
        short.frames[place].1.truncate(HEADER);
        assert!(innocent(&short) && judge(&short, 1).is_none());
        // A frame that occurs twice counts once. Two different frames count as none.
        let mut twice = evidence.clone();
        twice.frames.push(evidence.frames[place].clone());
        assert_eq!(judge(&twice, 1), Some(Fault::InvalidShare));
        let mut differ = twice;
        *differ.frames.last_mut().unwrap().1.first_mut().unwrap() ^= 1;
        assert_eq!(judge(&differ, 1), None);
    }
    // The echo in the dealer's frame tells which opening keys it saw.
    let mut other = evidence.clone();
    let dealt = other
        .frames
        .iter_mut()
        .find(|(from, frame)| *from == id(1) && round_of(frame) == 2)
        .unwrap();
    dealt.1[HEADER] ^= 1;
    assert_eq!(judge(&other, 1), None);
}

/// An accuser that shows the judge another opening key than it showed the dealer, and complains with it.
fn two_opening_keys_frame_nobody<C: Curve>() {
    let case = Case::<C>::new();
    // A run in which party 4 is corrupt and complains about nothing. The others see all its frames.
    let mut frames: Vec<(PartyId, FrameBytes)> = vec![];
    let mut made = None;
    let ended = case.play(&[4], |round, _, _, said| match round {
        1 => Some(opening::<C>(4)),
        2 => Some(vec![]),
        _ => {
            // The accusation against 1: under the key of "40", its sealed share is garbage.
            let d = d_of::<C>(said.by(2, 1), 2);
            made =
                Some(complaint::<C>(&said.context, [1, 4], d, &y::<C>(40), &C::Scalar::default()));
            Some([vec![1], made.clone().unwrap()].concat())
        }
    });
    assert_eq!(ended.blames(1), [(4, Fault::InvalidProof)]);
    let evidence = ended.all_blames()[0].1.evidence.clone().unwrap();
    assert_eq!(case.plan.convicts(sid(3), &evidence, id(1)), None);
    // The frame of 4 has the matching opening key, but the echo in the frame of 1 is about another.
    for (from, frame) in &evidence.frames {
        let mut frame = frame.clone();
        if *from == id(4) && round_of(&frame) == 1 {
            frame.truncate(HEADER + PREFIX);
            frame.extend(opening::<C>(40));
        }
        frames.push((*from, frame));
    }
    let framed = Evidence::new(evidence.context, frames);
    for party in [1, 2, 3] {
        assert_eq!(case.plan.convicts(sid(3), &framed, id(party)), None);
    }
}

/// A party that has confirmed what it saw, shown with deals of others that it did not see.
fn another_deal_frames_nobody<C: Curve>() {
    let case = Case::<C>::new();
    let mut other = None;
    let ended = case.play(&[1], |round, _, _, said| match round {
        1 => Some(vec![]),
        2 => {
            let mut forged = case.forged(1, said, &zero::<C>);
            forged.coefficients[1] = C::Scalar::from(8);
            other = Some(forged.body());
            Some(case.forged(1, said, &zero::<C>).body())
        }
        // Party 1 is blamed, so that there is evidence.
        _ => Some(vec![0; 33]),
    });
    let mut evidence = ended.all_blames()[0].1.evidence.clone().unwrap();
    assert_eq!(case.plan.convicts(sid(3), &evidence, id(1)), Some(Fault::InvalidConfirmation));
    for (from, frame) in &mut evidence.frames {
        if *from == id(1) && round_of(frame) == 2 {
            frame.truncate(HEADER + PREFIX);
            frame.extend(other.clone().unwrap());
        }
    }
    for party in [2, 3, 4] {
        assert_eq!(case.plan.convicts(sid(3), &evidence, id(party)), None);
    }
}

/// With another body in a party's frame of a round.
fn swapped(evidence: &Evidence, from: u16, round: u8, body: &[u8]) -> Evidence {
    let mut swapped = evidence.clone();
    let mine = |(sender, frame): &&mut (PartyId, FrameBytes)| {
        *sender == id(from) && round_of(frame) == round
    };
    let (_, frame) = swapped.frames.iter_mut().find(mine).unwrap();
    frame.truncate(HEADER + PREFIX);
    frame.extend(body);
    swapped
}

/// The bodies of corrupt helper 1 in a repair: its right mask and masked share, and another mask.
#[derive(Default)]
struct Good {
    mask: Vec<u8>,
    other: Vec<u8>,
    gift: Vec<u8>,
}

/// A repair in which 1 and perhaps the target are corrupt. Returns the evidence of helper 2, and the bodies that
/// 1 could have sent.
fn repaired<C: Curve>(
    corrupt: &[u16],
    lies: impl Fn(u8, u16, &Said, &Good) -> Option<Vec<u8>>,
) -> (Evidence, Good, impl Fn(&Evidence, u16) -> Option<Fault>) {
    let mut good = Good::default();
    let ended = repair::<C>(corrupt, |round, from, _, said| {
        if round == 1 {
            return Some(opening::<C>(from));
        }
        if round == 2 {
            good.mask = crate::repair::deal::<C>(1, said);
            good.other = crate::repair::other_deal::<C>(1, said);
        } else if round == 3 && said.by(2, 1) == good.mask {
            good.gift = crate::repair::given::<C>(said, 1, 0);
        }
        lies(round, from, said, &good).or(Some(vec![]))
    });
    let evidence =
        ended.all_blames().into_iter().find(|(party, _)| *party == 2).unwrap().1.evidence.clone();
    let plan = crate::repair::key::<C>().repair_plan(&HELPERS, TARGET);
    (evidence.unwrap(), good, move |evidence: &Evidence, party| {
        plan.convicts(sid(3), evidence, id(party))
    })
}

/// The target's accusation against helper 2.
fn accusation<C: Curve>(said: &Said) -> Vec<u8> {
    let d = d_of::<C>(said.by(2, 2), 3);
    let lie = complaint::<C>(&said.context, [2, TARGET], d, &y::<C>(TARGET), &C::Scalar::default());
    [vec![1], lie].concat()
}

/// A helper sealed its masked share under the masks that it had seen. If others are shown in their place, it is
/// garbage.
fn another_mask_frames_nobody<C: Curve>() {
    let (evidence, good, judge) =
        repaired::<C>(&[1, TARGET], |round, from, said, good| match (round, from) {
            (2, 1) => Some(good.mask.clone()),
            (3, 1) => Some(good.gift.clone()),
            (4, TARGET) => Some(accusation::<C>(said)),
            _ => None,
        });
    assert_eq!(judge(&evidence, TARGET), Some(Fault::FalseComplaint));
    let framed = swapped(&evidence, 1, 2, &good.other);
    for evidence in [&evidence, &framed] {
        assert_eq!((judge(evidence, 2), judge(evidence, 4)), (None, None));
    }
    for place in 0..evidence.frames.len() {
        let mut less = evidence.clone();
        less.frames.remove(place);
        assert_eq!((judge(&less, 2), judge(&less, 4)), (None, None));
    }
}

/// A corrupt helper that shows the judge another opening key than it showed the dealer, and complains with it.
fn another_opening_key_frames_no_helper<C: Curve>() {
    let (evidence, _, judge) = repaired::<C>(&[1], |round, from, said, good| match (round, from) {
        (2, 1) => Some(good.mask.clone()),
        (3, 1) => {
            let d = d_of::<C>(said.by(2, 2), 3);
            let lie = complaint::<C>(&said.context, [2, 1], d, &y::<C>(40), &C::Scalar::default());
            Some([vec![1], lie].concat())
        }
        _ => None,
    });
    assert_eq!(judge(&evidence, 1), Some(Fault::InvalidProof));
    let framed = swapped(&evidence, 1, 1, &opening::<C>(40));
    assert_eq!(judge(&framed, 2), None);
}

/// A helper has complained about a wrong mask. A good one is then shown in its place.
fn a_right_complaint_is_not_turned<C: Curve>() {
    let wrong = |to| C::Scalar::from(u64::from(to == 2));
    let (evidence, good, judge) = repaired::<C>(&[1], |round, _, said, _| match round {
        2 => Some(crate::repair::wrong_deal::<C>(1, said, &wrong)),
        3 => Some(crate::repair::given::<C>(said, 1, 0)),
        _ => None,
    });
    assert_eq!(judge(&evidence, 1), Some(Fault::InvalidShare));
    let framed = swapped(&evidence, 1, 2, &good.mask);
    assert_eq!((judge(&framed, 2), judge(&framed, 4)), (None, None));
}

/// The target has complained about a wrong masked share. A good one is then shown in its place, or none.
fn a_right_complaint_of_the_target_is_not_turned<C: Curve>() {
    let (evidence, good, judge) = repaired::<C>(&[1], |round, _, said, good| match round {
        2 => Some(good.mask.clone()),
        3 => Some(crate::repair::given::<C>(said, 1, 1)),
        _ => None,
    });
    assert_eq!(judge(&evidence, 1), Some(Fault::InvalidShare));
    let framed = swapped(&evidence, 1, 3, &good.gift);
    assert_eq!(judge(&framed, TARGET), None);
    let mut less = evidence;
    less.frames.retain(|(from, frame)| *from != id(1) || round_of(frame) != 3);
    assert_eq!(judge(&less, TARGET), None);
}

every_curve! {
    made_up_evidence two_opening_keys_frame_nobody another_deal_frames_nobody another_mask_frames_nobody
    another_opening_key_frames_no_helper a_right_complaint_is_not_turned
    a_right_complaint_of_the_target_is_not_turned
}

/// Frames of rounds that do not exist, or to one party, are not evidence.
#[test]
fn frames_that_cannot_be() {
    use quorate_curve::Ed25519;
    let (case, evidence) = convicting::<Ed25519>();
    for (round, to, code) in [(0, None, 32), (4, None, 32), (1, Some(id(2)), 32), (1, None, 33)] {
        let header = Header {
            version: frame::VERSION,
            code,
            round: Round(round),
            from: id(3),
            to,
            context: evidence.context,
        };
        let mut more = evidence.clone();
        more.frames.push((id(3), header.frame(Some(&[0; PREFIX]), &[]).into()));
        assert_eq!(case.plan.convicts(sid(3), &more, id(1)), None);
    }
    assert_eq!((Reshare::<Of<Ed25519>>::CODE, Repair::<Of<Ed25519>>::CODE), (32, 33));
}
