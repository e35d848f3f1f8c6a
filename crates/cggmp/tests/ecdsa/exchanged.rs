//! Messages and proofs that are sound, but in a place for which they were not made. Each convicts its sender, in the round
//! and before a third party.

use quorate_cggmp::evidence::PublicRun;
use quorate_cggmp::{
    AuxInfoGen, AuxInfoRun, Evidence, Keygen, KeygenParams, KeygenRun, NotShown, Presign,
    Secp256k1, Sign, SignParams, SigningRun,
};
use quorate_session::{Abort, Fault, PartyId, Progress, Protocol, Round, SealKey, Session};
use quorate_testkit::mutation::Class;

use crate::hostile::ciphertext;
use crate::red_alert::{Lie, lying};
use crate::support::*;

type C = Secp256k1;

/// The offset of the body in a frame.
const BODY: usize = HEADER + ECHO;
/// Bytes of a modulus, of a ciphertext, of a point and of a Πelog.
const POINT: usize = 33;
const ELOG: usize = 96;

const VICTIM: u16 = 2;
const CULPRIT: u16 = 7;
const OTHER: u16 = 40;

fn at(from: u16, round: u8, to: Option<u16>) -> Place {
    (id(from), round, to.is_none(), id(to.unwrap_or(VICTIM)))
}

fn body(frames: &Frames, place: Place) -> Vec<u8> {
    frames[&place][BODY..].to_vec()
}

/// These frames, with another body of the culprit's in a place.
fn with(frames: &Frames, place: Place, body: &[u8]) -> Frames {
    let mut frames = frames.clone();
    let frame = frames.get_mut(&place).unwrap();
    frame.truncate(BODY);
    frame.extend_from_slice(body);
    frames
}

/// Swaps two parts of equal length.
fn swap(bytes: &mut [u8], [one, other]: [usize; 2], len: usize) {
    let (head, tail) = bytes.split_at_mut(other);
    head[one..one + len].swap_with_slice(&mut tail[..len]);
}

/// Asserts that only the culprit is blamed, for this fault, and that evidence shows it.
fn blamed<P: Protocol>(
    what: &str,
    (round, fault): (u8, Fault),
    params: P::Params,
    frames: &Frames,
    public: &impl PublicRun,
) {
    let judge = |blame: &quorate_session::Blame| {
        let evidence = Evidence::from_blame(blame).unwrap();
        assert_eq!(evidence.verify(public), Ok(blame.fault), "{what}");
    };
    let run = (&parties(NUMBERS), sid(SESSION));
    let outcome = judged::<P>(id(VICTIM), run, params, frames, judge);
    assert_eq!(outcome, Outcome::Blamed(round, vec![(id(CULPRIT), fault)]), "{what}");
}

fn honest<P: Protocol>(params: impl FnMut(PartyId) -> P::Params) -> Frames {
    let (frames, results) = record::<P>(&parties(NUMBERS), sid(SESSION), params, |_, _, _| {});
    assert!(results.values().all(Result::is_ok));
    frames
}

/// The digest of round 2 for the products in the culprit's message to the victim.
fn digested(frames: &Frames) -> Frames {
    let direct = &frames[&at(CULPRIT, 2, Some(VICTIM))];
    let products = &direct[BODY..][..4 * CIPHERTEXT];
    let digest = products_digest(&context(direct), 0, [CULPRIT, VICTIM], products);
    let mut said = body(frames, at(CULPRIT, 2, None));
    // The digest for party 2 is the first.
    said[POINT + ELOG..][..32].copy_from_slice(&digest);
    with(frames, at(CULPRIT, 2, None), &said)
}

/// Returns whether D and D̂ of D, F, D̂ and F̂ are below the square of the victim's modulus.
fn are_ciphertexts(products: &[u8]) -> bool {
    let Class::Unit { modulus, .. } = ciphertext(0) else { panic!("a modulus") };
    let square = [&vec![0; CIPHERTEXT - modulus.len()], modulus].concat();
    products.chunks(CIPHERTEXT).step_by(2).all(|one| one < square.as_slice())
}

#[test]
fn exchanged_parts_of_presigning_are_wrong_proofs() {
    let group = Group::<C>::new(3);
    let frames = honest::<Presign<C>>(|party| group.params(party));
    let public = group.public(&parties(NUMBERS), SigningGoal::Presignature);
    let (said, sent) = (|round| at(CULPRIT, round, None), |round| at(CULPRIT, round, Some(VICTIM)));
    let wrong = |round| (round, Fault::InvalidProof);
    let mut cases = Vec::new();

    // The commitments to k and to γ, behind the seed.
    let mut proofs = body(&frames, sent(1));
    swap(&mut proofs, [32, 32 + MODULUS], MODULUS);
    cases.push(("commitments of Πenc-elg", wrong(1), with(&frames, sent(1), &proofs)));
    // With what they are about: k for γ.
    let mut opening = body(&frames, said(1));
    swap(&mut opening, [0, CIPHERTEXT], CIPHERTEXT);
    let points = 2 * CIPHERTEXT + POINT;
    swap(&mut opening, [points, points + 2 * POINT], 2 * POINT);
    let both = with(&with(&frames, sent(1), &proofs), said(1), &opening);
    cases.push(("k for γ", wrong(1), both));
    let for_other = body(&frames, at(CULPRIT, 1, Some(OTHER)));
    cases.push(("Πenc-elg for another", wrong(1), with(&frames, sent(1), &for_other)));
    let of_other = body(&frames, at(OTHER, 1, Some(VICTIM)));
    cases.push(("Πenc-elg of another", wrong(1), with(&frames, sent(1), &of_other)));

    // D, F, D̂, F̂, and Πaff-g of both, in which T and T̂ are behind the seed.
    let products = body(&frames, sent(2));
    let mut roles = products.clone();
    let commitments = 4 * CIPHERTEXT + 32;
    swap(&mut roles, [commitments, commitments + MODULUS], MODULUS);
    cases.push(("roles of Πaff-g", wrong(2), with(&frames, sent(2), &roles)));
    roles[..4 * CIPHERTEXT].rotate_left(2 * CIPHERTEXT);
    let mismatch = (2, Fault::InvalidDecommitment);
    cases.push(("γ for x", mismatch, with(&frames, sent(2), &roles)));
    cases.push(("γ for x, announced", wrong(2), digested(&with(&frames, sent(2), &roles))));
    let for_other = body(&frames, at(CULPRIT, 2, Some(OTHER)));
    // Those under the other's key may be no ciphertexts under the victim's.
    let read = are_ciphertexts(&for_other[..4 * CIPHERTEXT]);
    let found = |fault: (u8, Fault)| if read { fault } else { (2, Fault::Malformed) };
    cases.push(("products for another", found(mismatch), with(&frames, sent(2), &for_other)));
    let announced = digested(&with(&frames, sent(2), &for_other));
    cases.push(("products for another, announced", found(wrong(2)), announced));
    // Γ of another, with its proof.
    let mut gamma = body(&frames, said(2));
    let theirs = body(&frames, at(OTHER, 2, None));
    gamma[..POINT + ELOG].copy_from_slice(&theirs[..POINT + ELOG]);
    cases.push(("Γ of another", wrong(2), with(&frames, said(2), &gamma)));
    // The digests for the two peers.
    let mut digests = body(&frames, said(2));
    digests[POINT + ELOG..].rotate_left(32);
    cases.push(("digests of the peers", mismatch, with(&frames, said(2), &digests)));
    for (what, found, frames) in cases {
        blamed::<Presign<C>>(what, found, group.params(id(VICTIM)), &frames, &public);
    }
}

/// Δ of another, all of it; and Πelog of round 2.
#[test]
fn exchanged_parts_of_sums_are_wrong_proofs() {
    let group = Group::<C>::new(3);
    let frames = honest::<Presign<C>>(|party| group.params(party));
    let public = group.public(&parties(NUMBERS), SigningGoal::Presignature);
    let said = |round| at(CULPRIT, round, None);
    let wrong = (3, Fault::InvalidProof);
    let mut cases = Vec::new();
    let sums = body(&frames, at(OTHER, 3, None));
    cases.push(("sums of another", wrong, with(&frames, said(3), &sums)));
    let mut sums = body(&frames, said(3));
    let elog = body(&frames, said(2))[POINT..][..ELOG].to_vec();
    sums[32 + 2 * POINT..].copy_from_slice(&elog);
    cases.push(("Πelog of round 2", wrong, with(&frames, said(3), &sums)));
    for (what, found, frames) in cases {
        blamed::<Presign<C>>(what, found, group.params(id(VICTIM)), &frames, &public);
    }
}

#[test]
fn of_key_generation() {
    let params = |_| KeygenParams::new(3);
    let frames = honest::<Keygen<C>>(params);
    let public = KeygenRun::<C>::new(sid(SESSION), parties(NUMBERS), 3);
    let of_other = |round| body(&frames, at(OTHER, round, None));
    let said = |round| at(CULPRIT, round, None);
    let share = |to| body(&frames, at(OTHER, 2, Some(to)));
    // V, reveal and share of another.
    let mut copied = with(&frames, said(1), &of_other(1));
    copied = with(&copied, said(2), &of_other(2));
    copied = with(&copied, at(CULPRIT, 2, Some(VICTIM)), &share(VICTIM));
    // The echoes of all agree with that V.
    let context = context(&frames[&said(1)]);
    let own = body(&frames, (id(VICTIM), 1, true, id(OTHER)));
    let seen = [own, of_other(1), of_other(1)];
    let seen: Vec<&[u8]> = seen.iter().map(Vec::as_slice).collect();
    let echo = echo(&context, Round(1), &seen);
    for (_, frame) in copied.iter_mut().filter(|(place, _)| place.1 == 2) {
        frame[HEADER..BODY].copy_from_slice(&echo);
    }
    let cases = [
        ("everything of another", (2, Fault::InvalidDecommitment), copied),
        (
            "the share for another",
            (2, Fault::InvalidShare),
            with(
                &frames,
                at(CULPRIT, 2, Some(VICTIM)),
                &body(&frames, at(CULPRIT, 2, Some(OTHER))),
            ),
        ),
        ("the proof of another", (3, Fault::InvalidProof), with(&frames, said(3), &of_other(3))),
    ];
    for (what, found, frames) in cases {
        blamed::<Keygen<C>>(what, found, params(id(VICTIM)), &frames, &public);
    }
}

#[test]
fn of_aux_info() {
    let all = parties(NUMBERS);
    let params = |party| aux_params(FAST, all.position(party).unwrap());
    let frames = honest::<AuxInfoGen>(params);
    let public = AuxInfoRun { sid: sid(SESSION), parties: all.clone(), level: FAST };
    let said = |round| at(CULPRIT, round, None);
    let of_other = |round| body(&frames, at(OTHER, round, None));
    let sent = at(CULPRIT, 3, Some(VICTIM));
    let cases = [
        ("reveal", (2, Fault::InvalidDecommitment), with(&frames, said(2), &of_other(2))),
        ("Πmod", (3, Fault::InvalidProof), with(&frames, said(3), &of_other(3))),
        (
            "Πfac for another",
            (3, Fault::InvalidProof),
            with(&frames, sent, &body(&frames, at(CULPRIT, 3, Some(OTHER)))),
        ),
        (
            "Πfac of another",
            (3, Fault::InvalidProof),
            with(&frames, sent, &body(&frames, at(OTHER, 3, Some(VICTIM)))),
        ),
    ];
    for (what, found, frames) in cases {
        blamed::<AuxInfoGen>(what, found, params(id(VICTIM)), &frames, &public);
    }
}

fn verdict(
    accused: u16,
    frames: Vec<(PartyId, Vec<u8>)>,
    public: &impl PublicRun,
) -> Result<Fault, NotShown> {
    let context = context(&frames[0].1);
    let list = quorate_session::Evidence::new(context, frames);
    let Ok(evidence) = Evidence::new(id(accused), list) else { unreachable!("it fits") };
    evidence.verify(public)
}

/// The frames of some rounds that an honest party has seen, its own broadcasts included.
fn seen(frames: &Frames, by: u16, rounds: u8) -> Vec<(PartyId, Vec<u8>)> {
    let hers = |place: &Place| {
        let own = place.0 == id(by) && place.2 && place.3 != id(CULPRIT);
        (place.3 == id(by) || own) && place.1 <= rounds
    };
    let seen = frames.iter().filter(|(place, _)| hers(place));
    seen.map(|(place, frame)| (place.0, frame.clone())).collect()
}

/// An alarm convicts the party that made it necessary, and no other: whichever of its frames are shown, in any order.
#[test]
#[ignore = "long: .ci/run long"]
fn alarms_frame_nobody() {
    let group = Group::<C>::new(3);
    let all = parties(NUMBERS);
    let digest = digest::<C>(b"message");
    let presigned = group.public(&all, SigningGoal::Presignature);
    let signed = group.public(&all, SigningGoal::Signature(digest));
    let liars = [(CULPRIT, Lie::Delta)];
    let (frames, _) = lying::<C, Presign<C>>(&liars, |party| group.params(party), &presigned);
    let shown = seen(&frames, VICTIM, 4);
    assert_eq!(verdict(CULPRIT, shown.clone(), &presigned), Ok(Fault::InvalidProof));
    for accused in [VICTIM, OTHER] {
        let innocent = |frames: Vec<_>, what: &str| {
            let verdict = verdict(accused, frames, &presigned);
            assert!(matches!(verdict, Err(why) if why != NotShown::Unclear), "{what}");
        };
        for round in 1..=4 {
            innocent(seen(&frames, VICTIM, round), "all");
        }
        let mut reversed = shown.clone();
        reversed.reverse();
        innocent(reversed, "reversed");
        innocent([shown.clone(), shown.clone()].concat(), "twice");
        for left_out in (0..shown.len()).step_by(3) {
            let mut some = shown.clone();
            some.remove(left_out);
            innocent(some, "left out");
        }
        // The liar's alarm as a message of another round.
        for round in [1, 3, 5] {
            let mut frame = frames[&at(CULPRIT, 4, None)].clone();
            frame[2] = round;
            innocent([shown.clone(), vec![(id(CULPRIT), frame)]].concat(), "another round");
        }
        // To both receivers, whose products are others.
        let direct = frames.iter().filter(|(place, _)| place.0 == id(accused) && !place.2);
        let direct = direct.map(|(place, frame)| (place.0, frame.clone()));
        for round in [1, 2] {
            let mut more = seen(&frames, VICTIM, round);
            more.extend(direct.clone().filter(|(_, frame)| frame[2] == round));
            innocent(more, "two receivers");
        }
    }
    // In a run that signs, too.
    let liars = [(CULPRIT, Lie::Chi)];
    let params = |party| SignParams::new(group.params(party), digest);
    let (frames, _) = lying::<C, Sign<C>>(&liars, params, &signed);
    let shown = seen(&frames, VICTIM, 4);
    assert_eq!(verdict(CULPRIT, shown.clone(), &signed), Ok(Fault::InvalidProof));
    for accused in [VICTIM, OTHER] {
        assert_eq!(verdict(accused, shown.clone(), &signed), Err(NotShown::InOrder));
        assert_eq!(verdict(accused, shown.clone(), &presigned), Err(NotShown::OtherRun));
    }
}

/// Alarms whose numbers are all sound, and stand in another place.
#[test]
#[ignore = "long: .ci/run long"]
fn of_products_in_alarms() {
    let alarms = Alarms::new();
    let products = Alarms::PRODUCTS;
    let x = &alarms.of_x;
    alarms.judge(&[
        // Some of them are not below the square of the other's modulus.
        ("sent for received", Fault::Malformed, &|bytes| {
            for peer in 0..2 {
                let of_peer = &mut bytes[peer * products / 2..];
                swap(of_peer, [0, 2].map(|at| at * CIPHERTEXT), 2 * CIPHERTEXT);
                swap(of_peer, [4 * CIPHERTEXT, 4 * CIPHERTEXT + 32], 32);
            }
        }),
        ("sent for received under the same key", Fault::InvalidDecommitment, &|bytes| {
            for peer in 0..2 {
                let of_peer = &mut bytes[peer * products / 2..];
                swap(of_peer, [0, 3].map(|at| at * CIPHERTEXT), CIPHERTEXT);
                swap(of_peer, [1, 2].map(|at| at * CIPHERTEXT), CIPHERTEXT);
                swap(of_peer, [4 * CIPHERTEXT, 4 * CIPHERTEXT + 32], 32);
            }
        }),
        ("digests of those not shown", Fault::InvalidDecommitment, &|bytes| {
            swap(bytes, [4 * CIPHERTEXT, 4 * CIPHERTEXT + 32], 32);
        }),
        ("products of the other peer", Fault::InvalidDecommitment, &|bytes| {
            bytes[..products].rotate_left(products / 2);
        }),
        ("those of one peer twice", Fault::InvalidDecommitment, &|bytes| {
            let (one, rest) = bytes.split_at_mut(products / 2);
            rest[..products / 2].copy_from_slice(one);
        }),
        ("products of x", Fault::InvalidDecommitment, &|bytes| {
            bytes[..products].copy_from_slice(&x[..products]);
        }),
        ("all of x", Fault::InvalidDecommitment, &|bytes| bytes.copy_from_slice(x)),
        ("a confirmation", Fault::Malformed, &|bytes| bytes.clear()),
        ("of another", Fault::InvalidDecommitment, &|bytes| {
            *bytes = body(&alarms.frames, at(CULPRIT, 4, None));
        }),
    ]);
}

#[test]
#[ignore = "long: .ci/run long"]
fn of_proofs_in_alarms() {
    let alarms = Alarms::new();
    let products = Alarms::PRODUCTS;
    let one = (alarms.alarm.len() - products - 16) / 128;
    alarms.judge(&[
        ("Πdec of x", Fault::InvalidProof, &|bytes| {
            bytes[products..].copy_from_slice(&alarms.of_x[products..]);
        }),
        ("the first repetition last", Fault::InvalidProof, &|bytes| {
            bytes[products + 16..].rotate_left(one);
        }),
        ("e reversed with its repetitions", Fault::InvalidProof, &|bytes| {
            let e = &mut bytes[products..products + 16];
            e.reverse();
            e.iter_mut().for_each(|byte| *byte = byte.reverse_bits());
            let turned: Vec<u8> =
                bytes[products + 16..].chunks(one).rev().flatten().copied().collect();
            bytes[products + 16..].copy_from_slice(&turned);
        }),
    ]);
}

/// A change of an alarm, and the fault that it is.
type Case<'c> = (&'c str, Fault, &'c dyn Fn(&mut Vec<u8>));

/// A run in which one party lies about δ, with the alarm of an honest one.
struct Alarms {
    group: Group<C>,
    public: SigningRun<C>,
    frames: Frames,
    alarm: Vec<u8>,
    /// The alarm of the same party where the lie is about χ.
    of_x: Vec<u8>,
}

impl Alarms {
    /// Bytes of the products with two peers.
    const PRODUCTS: usize = 2 * (4 * CIPHERTEXT + 64);

    fn new() -> Self {
        let group = Group::<C>::new(3);
        let public = group.public(&parties(NUMBERS), SigningGoal::Presignature);
        let run =
            |lie| lying::<C, Presign<C>>(&[(CULPRIT, lie)], |party| group.params(party), &public).0;
        let [frames, other] = [run(Lie::Delta), run(Lie::Chi)];
        let [alarm, of_x] = [&frames, &other].map(|frames| body(frames, at(OTHER, 4, None)));
        assert_eq!(of_x.len(), alarm.len());
        assert_ne!(of_x[..Self::PRODUCTS], alarm[..Self::PRODUCTS]);
        Self { group, public, frames, alarm, of_x }
    }

    /// The party with the changed alarm is blamed beside the liar, and evidence agrees.
    fn judge(&self, cases: &[Case<'_>]) {
        let all = parties(NUMBERS);
        for (what, fault, change) in cases {
            let mut alarm = self.alarm.clone();
            change(&mut alarm);
            let frames = with(&self.frames, at(OTHER, 4, None), &alarm);
            let judge = |blame: &quorate_session::Blame| {
                let evidence = Evidence::from_blame(blame).unwrap();
                let verdict = evidence.verify(&self.public);
                assert_eq!(verdict, Ok(blame.fault), "{what}");
            };
            let (params, run) = (self.group.params(id(VICTIM)), (&all, sid(SESSION)));
            let outcome = judged::<Presign<C>>(id(VICTIM), run, params, &frames, judge);
            let expected = vec![(id(CULPRIT), Fault::InvalidProof), (id(OTHER), *fault)];
            assert_eq!(outcome, Outcome::Blamed(4, expected), "{what}");
        }
    }
}

/// Plays the victim up to `steps` steps of work on its alarm.
fn working(group: &Group<C>, frames: &Frames, steps: usize) -> Session<Presign<C>> {
    let all = parties(NUMBERS);
    let mut step = start::<Presign<C>>(sid(SESSION), id(VICTIM), &all, group.params(id(VICTIM)));
    loop {
        let mut session = step.session;
        let round = session.round().get();
        for (place, frame) in frames.iter().filter(|(place, _)| place.3 == id(VICTIM)) {
            if place.1 == round {
                session.receive(place.0, frame).unwrap();
            }
        }
        if round == 4 {
            for _ in 0..steps {
                let Ok(Progress::Working(next)) = session.advance() else { panic!() };
                session = next;
            }
            return session;
        }
        let Ok(Progress::Round(next)) = advance(session) else { panic!() };
        step = next;
    }
}

/// In the middle of the work on an alarm: the end is the same after a crash, and when it is given up; a contradiction
/// that comes late is named; and nothing else that comes late changes anything.
#[test]
#[ignore = "long: .ci/run long"]
fn in_the_middle_of_an_alarm() {
    let group = Group::<C>::new(3);
    let public = group.public(&parties(NUMBERS), SigningGoal::Presignature);
    let liars = [(CULPRIT, Lie::Delta)];
    let (frames, _) = lying::<C, Presign<C>>(&liars, |party| group.params(party), &public);
    let liar = vec![(id(CULPRIT), Fault::InvalidProof)];
    let shown = |abort: &Abort, what: &str| {
        let Abort::Misbehaviour(blames) = abort else { panic!("{what}") };
        for blame in blames {
            let evidence = Evidence::from_blame(blame).unwrap();
            assert_eq!(evidence.verify(&public), Ok(blame.fault), "{what}");
        }
        blames.iter().map(|blame| (blame.party, blame.fault)).collect::<Vec<_>>()
    };
    let alarm = &frames[&at(OTHER, 4, None)];
    let key = SealKey::new([8; 32]);
    for steps in [0, 1] {
        let begun = || working(&group, &frames, steps);
        assert_eq!(shown(&begun().give_up().unwrap_err().abort, "given up"), liar);
        let mut late = begun();
        assert_eq!(late.receive(id(OTHER), alarm), Ok(quorate_session::FrameFate::Duplicate));
        let mut early = alarm.clone();
        early[2] = 5;
        assert_eq!(late.receive(id(OTHER), &early), Ok(quorate_session::FrameFate::Early));
        assert!(late.receive(id(CULPRIT), &early).is_err());
        let sealed = late.seal(&key);
        assert_eq!(shown(&advance(late).unwrap_err().abort, "late"), liar);
        let again =
            Session::<Presign<C>>::open(&sealed, group.params(id(VICTIM)), &key).unwrap().session;
        assert_eq!(shown(&advance(again).unwrap_err().abort, "opened"), liar);
        let mut contradicted = begun();
        let mut other = alarm.clone();
        *other.last_mut().unwrap() ^= 1;
        let fate = contradicted.receive(id(OTHER), &other);
        assert_eq!(fate, Ok(quorate_session::FrameFate::Conflicting));
        let found = shown(&contradicted.advance().unwrap_err().abort, "contradicted");
        assert_eq!(found, [(id(OTHER), Fault::Equivocation)]);
    }
}
