//! Many presignatures in one run: names, sizes, cheats at each of them, frames of other runs.

use std::collections::BTreeSet;

use quorate_cggmp::{
    EcdsaCurve, Evidence, InsertError, MAX_PRESIGNATURES, MessageDigest, P256, Presign,
    PresignMany, Presignature, Presignatures, Secp256k1,
};
use quorate_session::sim::{Delivery, Network};
use quorate_session::{
    Abort, Blame, Continuity, Fault, Outgoing, ParamError, PartyId, Progress, Protocol, Rejected,
    SealKey, Session,
};

use crate::confirm::each_round;
use crate::red_alert::{Lie, lying_at};
use crate::support::*;

type C = Secp256k1;

const VICTIM: u16 = 2;
const CULPRIT: u16 = 7;
const OTHER: u16 = 40;
/// Presignatures of a run in which one is wrong: the first, the middle one, the last.
const COUNT: u16 = 3;
/// The most presignatures of a run that does each round in one step, at this level: 32 at the others.
const PIECE: u16 = 4;

/// The offset of the body in a frame.
const BODY: usize = HEADER + ECHO;
const POINT: usize = 33;

pub fn group<C: EcdsaCurve>() -> Group<C> {
    Group::new(3)
}

fn public(group: &Group<C>) -> quorate_cggmp::SigningRun<C> {
    group.public(&parties(NUMBERS), SigningGoal::Presignatures(COUNT))
}

fn honest(group: &Group<C>, session: u8) -> Frames {
    let params = |party| group.params_many(party, COUNT);
    let (frames, results) =
        record::<PresignMany<C>>(&parties(NUMBERS), sid(session), params, |_, _, _| {});
    assert!(results.values().all(Result::is_ok));
    frames
}

/// Every presignature of a run signs a message of its own, under a name that is its place in the run.
fn all_sign<C: Verifier>(count: u16) {
    let group = group::<C>();
    let made = group.presign_many(20, &NUMBERS, count);
    let key = group.keys[0].public().verifying_key();
    let mut names = BTreeSet::new();
    let mut each: Vec<_> = made.into_iter().map(Vec::into_iter).collect();
    for index in 0..count {
        let one: Vec<_> = each.iter_mut().map(|of_one| of_one.next().unwrap()).collect();
        let info = one[0].info().clone();
        assert!(
            one.iter().all(|part| *part.info() == info) && info.id().index() == u32::from(index)
        );
        assert!(names.insert(info.id()));
        let message = index.to_be_bytes();
        let shares = signature_shares(&group, one, &message);
        let signature =
            info.aggregate(&group.itself(), MessageDigest::sha256(&message), shares).unwrap();
        C::verify(key.as_bytes(), &message, &signature);
    }
    assert!(each.iter_mut().all(|of_one| of_one.next().is_none()));
}

#[test]
fn a_run_is_stored_and_opened() {
    let inventory = |(number, made): (u16, Vec<_>)| {
        let mut held = Presignatures::<C>::new(id(number));
        made.into_iter().for_each(|one| held.insert(one).unwrap());
        held
    };
    let made = group::<C>().presign_many(21, &NUMBERS, COUNT);
    let held: Vec<_> = NUMBERS.into_iter().zip(made).map(inventory).collect();
    let seal = SealKey::new([9; 32]);
    let opened =
        Presignatures::<C>::open(&held[0].seal(&seal), &seal, Continuity::StayedUp).unwrap();
    assert_eq!(opened.len(), usize::from(COUNT));
    let all = parties(NUMBERS);
    assert_eq!(opened.list(&all), held[0].list(&all));
    // The lists of the others have the one run, with all that is left of it.
    let lists = [1, 2].map(|place: usize| (id(NUMBERS[place]), held[place].list(&all)));
    assert!(opened.intersect(&all, lists).unwrap().iter().eq(opened.ids()));
}

/// In pieces: see [`PIECE`].
#[test]
fn thirty_two_sign() {
    all_sign::<Secp256k1>(32);
}

#[test]
fn all_sign_p256() {
    all_sign::<P256>(2);
}

/// Every message has exactly the length that the limits say.
#[test]
fn limits_are_exact() {
    let group = group::<C>();
    for count in [1, COUNT] {
        let params = |party| group.params_many(party, count);
        let report = group.run::<PresignMany<C>>(Network::new(1), &NUMBERS, 21, params);
        for (round, sent) in (1..).map(Round).zip(&report.stats.rounds) {
            let limits = PresignMany::<C>::limits(&params(id(VICTIM)), 3, round);
            let head = BODY as u64;
            // A confirmation is empty, and leaves room for a red alert.
            let broadcast = if round.get() < 4 { limits.broadcast as u64 } else { 0 };
            assert_eq!(sent.broadcast_bytes, 3 * (head + broadcast), "{round:?}");
            let direct = if limits.direct > 0 { head + limits.direct as u64 } else { 0 };
            assert_eq!(sent.direct_bytes, 6 * direct, "{round:?}");
        }
    }
}

#[test]
fn numbers_that_no_run_makes() {
    let group = group::<C>();
    let (me, all) = (id(VICTIM), parties(NUMBERS));
    let refused =
        |params| Session::<PresignMany<C>>::start(sid(1), me, &all, params, &mut seeded(1)).err();
    let none = refused(group.params_many(me, 0));
    assert!(matches!(none, Some(ParamError::Inconsistent(_))), "{none:?}");
    for count in [MAX_PRESIGNATURES + 1, u16::MAX] {
        let refused = refused(group.params_many(me, count).at_most(u16::MAX));
        let most = MAX_PRESIGNATURES.into();
        assert_eq!(refused, Some(ParamError::TooMany { got: count.into(), most }));
    }
}

/// An order may come from a coordinator that is not trusted.
#[test]
fn an_order_beyond_the_bound_of_a_signer_does_not_start() {
    let group = group::<C>();
    let (me, all) = (id(VICTIM), parties(NUMBERS));
    let ordered = |count, most: Option<u16>| {
        let params = group.params_many(me, count);
        let params = most.map_or(params.clone(), |most| params.at_most(most));
        Session::<PresignMany<C>>::start(sid(1), me, &all, params, &mut seeded(1))
    };
    for (count, most, bound) in [(129, None, 128), (1024, None, 128), (2, Some(1), 1)] {
        let refused = ordered(count, most).err();
        assert_eq!(refused, Some(ParamError::TooMany { got: count.into(), most: bound }));
    }
    let refused = ordered(33, Some(32)).err().unwrap().to_string();
    assert!(refused.contains("a run for 33 results, this party makes at most 32"), "{refused}");
    // A run that has begun is not lost when the bound is lowered.
    let sealed = ordered(2, Some(2)).unwrap().session.seal(&seal_key());
    let lower = group.params_many(me, 2).at_most(1);
    assert!(Session::<PresignMany<C>>::open(&sealed, lower, &seal_key()).is_ok());
}

/// The victim's session in this round, with all messages of it.
fn in_round(group: &Group<C>, frames: &Frames, round: u8) -> Session<PresignMany<C>> {
    let (me, all) = (id(VICTIM), parties(NUMBERS));
    let mut step =
        start::<PresignMany<C>>(sid(SESSION), me, &all, group.params_many(me, PIECE + 1));
    loop {
        let mut session = step.session;
        let now = session.round().get();
        for (place, frame) in frames.iter().filter(|(place, _)| place.3 == me && place.1 == now) {
            session.receive(place.0, frame).unwrap();
        }
        if now == round {
            return session;
        }
        let Ok(Progress::Round(next)) = advance(session) else { panic!("round {now}") };
        step = next;
    }
}

/// The number of pieces that a round takes, and the messages after it. From every piece the round can be begun again.
fn pieces(group: &Group<C>, mut session: Session<PresignMany<C>>) -> (usize, Vec<Outgoing>) {
    let mut number = 0;
    loop {
        match session.advance().unwrap() {
            Progress::Working(working) => session = working,
            Progress::Round(step) => return (number, step.outgoing),
            other => panic!("{other:?}"),
        }
        number += 1;
        if number == 4 {
            let (sealed, params) =
                (session.seal(&seal_key()), group.params_many(id(VICTIM), PIECE + 1));
            let again = Session::<PresignMany<C>>::open(&sealed, params, &seal_key()).unwrap();
            assert_eq!(again.session.round(), session.round());
        }
    }
}

/// One advance makes only the products of a piece with one peer, or one peer's proof.
#[test]
fn a_run_for_more_than_a_piece_works_in_pieces() {
    let group = group::<C>();
    let params = |party| group.params_many(party, PIECE + 1);
    let (frames, results) =
        record::<PresignMany<C>>(&parties(NUMBERS), sid(SESSION), params, |_, _, _| {});
    assert!(results.values().all(Result::is_ok));
    // For each of two peers: a proof to verify, two blocks of products, and a proof to make or two blocks to decrypt.
    for (round, expected) in [(1, 1 + 2 + 2 * 3), (2, 1 + 2 + 1 + 2 * 2), (3, 0)] {
        let (number, sent) = pieces(&group, in_round(&group, &frames, round));
        assert_eq!(number, expected, "round {round}");
        for (place, frame) in &frames {
            if (place.0, place.1, place.3) == (id(VICTIM), round + 1, id(OTHER)) {
                assert!(sent.iter().any(|one| one.bytes == *frame), "round {}", round + 1);
            }
        }
    }
    // A liar is named, at the end of the round or when the work on it is given up.
    for (round, to_the_end) in [(1, false), (1, true), (2, false), (2, true)] {
        let mut altered = frames.clone();
        let place = (id(CULPRIT), round, false, id(VICTIM));
        *altered.get_mut(&place).unwrap().last_mut().unwrap() ^= 1;
        let session = in_round(&group, &altered, round);
        let Ok(Progress::Working(working)) = session.advance() else { panic!("round {round}") };
        let Halted { abort, .. } = if to_the_end { halt(working) } else { give_up(working) };
        let Abort::Misbehaviour(blames) = abort else { panic!("{abort}") };
        let [Blame { party, fault, evidence: Some(_), .. }] = &blames[..] else { panic!() };
        assert_eq!((*party, blames[0].round.get()), (id(CULPRIT), round));
        assert_eq!(*fault, Fault::InvalidProof, "round {round}");
    }
}

#[test]
fn a_crash_after_every_frame_changes_nothing() {
    let group = group::<C>();
    let run = |network| {
        let params = |party| group.params_many(party, COUNT);
        all(group.run::<PresignMany<C>>(network, &NUMBERS, 22, params))
    };
    let (whole, again) = (run(Network::new(5)), run(Network::new(5).crash(100)));
    for (one, other) in whole.values().zip(again.values()) {
        assert_eq!((one.len(), other.len()), (COUNT.into(), COUNT.into()));
        assert!(one.iter().zip(other).all(|(one, other)| *one.to_bytes() == *other.to_bytes()));
    }
}

/// A round that is given up is judged.
#[test]
fn a_round_that_is_given_up_is_judged() {
    let group = group::<C>();
    each_round::<PresignMany<C>>(4, |party| group.params_many(party, COUNT), &public(&group));
}

/// The victim's presignatures of one run that ended twice, with other results under the same names: its seed was the same,
/// and that of a peer another one.
fn two_ends(group: &Group<C>) -> [Vec<Presignature<C>>; 2] {
    [CULPRIT as u8, 99].map(|other| {
        let seed = |party: PartyId| if party == id(CULPRIT) { other } else { party.get() as u8 };
        let params = |party| group.params_many(party, COUNT);
        let all = parties(NUMBERS);
        let run = record_seeded::<PresignMany<C>>((&all, seed), sid(SESSION), params, |_, _, _| {});
        let found = run.1.into_iter().find(|(party, _)| *party == id(VICTIM));
        found.unwrap().1.unwrap()
    })
}

#[test]
fn another_end_of_a_run_that_is_used_up_is_refused() {
    let group = group::<C>();
    let [first, second] = two_ends(&group);
    let again = |made: &[Presignature<C>]| -> Vec<_> {
        made.iter().map(|one| Presignature::<C>::from_bytes(&one.to_bytes()).unwrap()).collect()
    };
    let (same, key, seal) = (again(&first), group.key_of(id(VICTIM)), SealKey::new([9; 32]));
    let mut held = Presignatures::<C>::new(id(VICTIM));
    first.into_iter().for_each(|one| held.insert(one).unwrap());
    let names: Vec<_> = held.ids().collect();
    for used in 0..=names.len() {
        let opened =
            Presignatures::<C>::open(&held.seal(&seal), &seal, Continuity::StayedUp).unwrap();
        assert!(held.ids().eq(opened.ids()) && held.counters() == opened.counters());
        let mut both = vec![held, opened];
        for one in &mut both {
            for other in again(&second) {
                assert_eq!(one.insert(other), Err(InsertError::SecondOfItsName), "{used} used");
            }
            // The same end once more, as after a crash before the tombstone was stored, brings nothing back.
            again(&same).into_iter().for_each(|other| one.insert(other).unwrap());
            assert!(one.ids().eq(names[used..].iter().copied()));
            assert_eq!(one.counters().made, u64::from(COUNT));
        }
        held = both.pop().unwrap();
        if let Some(name) = names.get(used) {
            drop(held.claim(name, key, &no_path(), MessageDigest::sha256(b"message")).unwrap());
        }
    }
    // With the epoch of the shares the memory ends.
    let other = keys::<C>(&NUMBERS, 2);
    held.keep_only(other[0].public());
    assert_eq!(held.insert(again(&second).remove(0)), Ok(()));
}

/// From the seal of round 1 with another peer come other points under the same names. Of round 2 only the points Γ of the
/// victim are the same.
#[test]
fn a_second_run_from_one_seed() {
    let group = group::<C>();
    let run = |other: u8| {
        let seed = |party: PartyId| if party == id(CULPRIT) { other } else { party.get() as u8 };
        let params = |party| group.params_many(party, COUNT);
        let all = parties(NUMBERS);
        record_seeded::<PresignMany<C>>((&all, seed), sid(SESSION), params, |_, _, _| {})
    };
    let [(first, made), (second, again)] = [CULPRIT as u8, 99].map(run);
    let of = |results: Results<PresignMany<C>>| {
        let found = results.into_iter().find(|(party, _)| *party == id(VICTIM));
        found.unwrap().1.unwrap().iter().map(|one| one.info().clone()).collect::<Vec<_>>()
    };
    for (one, other) in of(made).iter().zip(&of(again)) {
        assert!(one.id() == other.id() && one.digest() != other.digest());
    }
    let said = |frames: &Frames, round, to: Option<u16>| {
        let place = (id(VICTIM), round, to.is_none(), id(to.unwrap_or(CULPRIT)));
        frames[&place][BODY..].to_vec()
    };
    assert_eq!(said(&first, 1, None), said(&second, 1, None));
    let points = POINT * usize::from(COUNT);
    let [one, other] = [&first, &second].map(|frames| said(frames, 2, None));
    assert_eq!(one[..points], other[..points]);
    let mut seen = BTreeSet::new();
    let of_both = [said(&first, 2, Some(CULPRIT)), said(&second, 2, Some(CULPRIT))];
    for ciphertext in of_both.iter().flat_map(|all| all[..12 * CIPHERTEXT].chunks(CIPHERTEXT)) {
        assert!(seen.insert(ciphertext));
    }
}

/// Asserts that the victim blames only the culprit, for this fault, and that evidence shows it.
fn blamed(group: &Group<C>, what: &str, (round, fault): (u8, Fault), frames: &Frames) {
    all_blamed(group, what, (round, vec![(id(CULPRIT), fault)]), frames);
}

/// Asserts that the victim blames these parties, and that evidence shows each fault.
fn all_blamed(
    group: &Group<C>,
    what: &str,
    (round, found): (u8, Vec<(PartyId, Fault)>),
    frames: &Frames,
) {
    let public = public(group);
    let judge = |blame: &Blame| {
        let evidence = Evidence::from_blame(blame).unwrap();
        assert_eq!(evidence.verify(&public), Ok(blame.fault), "{what}");
    };
    let run = (&parties(NUMBERS), sid(SESSION));
    let params = group.params_many(id(VICTIM), COUNT);
    let outcome = judged::<PresignMany<C>>(id(VICTIM), run, params, frames, judge);
    assert_eq!(outcome, Outcome::Blamed(round, found), "{what}");
}

/// These frames, with a part of a message of the culprit's as it is in others.
fn exchanged(
    frames: &Frames,
    other: &Frames,
    (round, to): (u8, Option<u16>),
    parts: &[(usize, usize)],
) -> Frames {
    let place = (id(CULPRIT), round, to.is_none(), id(to.unwrap_or(VICTIM)));
    let mut frames = frames.clone();
    let frame = frames.get_mut(&place).unwrap();
    for (at, len) in parts {
        let at = BODY + at;
        frame[at..at + len].copy_from_slice(&other[&place][at..at + len]);
    }
    frames
}

/// The digests of round 2 for the products in the culprit's message to the victim.
fn digested(mut frames: Frames) -> Frames {
    let direct = frames[&(id(CULPRIT), 2, false, id(VICTIM))].clone();
    let broadcast = frames.get_mut(&(id(CULPRIT), 2, true, id(VICTIM))).unwrap();
    let start = BODY + POINT * usize::from(COUNT) + 96;
    for index in 0..usize::from(COUNT) {
        let products = &direct[BODY + 4 * CIPHERTEXT * index..][..4 * CIPHERTEXT];
        let between = [CULPRIT, VICTIM];
        let digest = products_digest(&context(&direct), index as u64, between, products);
        // The digests for party 2 are the first.
        broadcast[start + 32 * index..][..32].copy_from_slice(&digest);
    }
    frames
}

/// Values of another run, sound in themselves, at each place: the first, the middle one, the last. Each convicts its
/// sender, in the round in which it comes.
#[test]
fn cheats_at_each_place() {
    let group = group::<C>();
    let [frames, other] = [SESSION, 61].map(|session| honest(&group, session));
    let k = usize::from(COUNT);
    let wrong = |round| (round, Fault::InvalidProof);
    for m in 0..k {
        let swap = |message, parts: &[(usize, usize)]| exchanged(&frames, &other, message, parts);
        let ciphertext = |at| (at * CIPHERTEXT, CIPHERTEXT);
        let points = |at| (2 * k * CIPHERTEXT + POINT * (1 + 4 * m + at), 2 * POINT);
        let said = (1, None);
        blamed(&group, "K", wrong(1), &swap(said, &[ciphertext(2 * m)]));
        blamed(&group, "G", wrong(1), &swap(said, &[ciphertext(2 * m + 1)]));
        blamed(&group, "K and A", wrong(1), &swap(said, &[ciphertext(2 * m), points(0)]));
        blamed(&group, "B", wrong(1), &swap(said, &[points(2)]));
        let commitment = (32 + (2 * m + 1) * CIPHERTEXT / 2, CIPHERTEXT / 2);
        blamed(&group, "S'", wrong(1), &swap((1, Some(VICTIM)), &[commitment]));
        blamed(&group, "Γ", wrong(2), &swap((2, None), &[(POINT * m, POINT)]));
        let digest = (POINT * k + 96 + 32 * m, 32);
        let undone = (2, Fault::InvalidDecommitment);
        blamed(&group, "digest", undone, &swap((2, None), &[digest]));
        for (at, name) in ["D", "F", "D̂", "F̂"].into_iter().enumerate() {
            // Below the modulus of the other run, which is the same.
            let altered = swap((2, Some(VICTIM)), &[ciphertext(4 * m + at)]);
            blamed(&group, name, undone, &altered);
            blamed(&group, name, wrong(2), &digested(altered));
        }
        let big_delta = (194 * m + 32 + POINT, POINT);
        blamed(&group, "Δ", wrong(3), &swap((3, None), &[big_delta]));
        blamed(&group, "Δ, Πelog", wrong(3), &swap((3, None), &[(194 * m + 32 + POINT, 129)]));
    }
    for (at, name) in [(0, "T"), (2 * k, "S_x")] {
        let place = (4 * k * CIPHERTEXT + 32 + at * CIPHERTEXT / 2, CIPHERTEXT / 2);
        let altered = exchanged(&frames, &other, (2, Some(VICTIM)), &[place]);
        blamed(&group, name, wrong(2), &altered);
    }
}

/// A message that cannot be read ends round 1. Its sender is named together with every party whose proof is wrong.
#[test]
fn a_wrong_proof_beside_an_unreadable_message() {
    let group = group::<C>();
    let [frames, other] = [SESSION, 61].map(|session| honest(&group, session));
    let mut frames = exchanged(&frames, &other, (1, None), &[(0, CIPHERTEXT)]);
    let unreadable = frames.get_mut(&(id(OTHER), 1, false, id(VICTIM))).unwrap();
    unreadable.truncate(unreadable.len() - 1);
    let found = vec![(id(CULPRIT), Fault::InvalidProof), (id(OTHER), Fault::Malformed)];
    all_blamed(&group, "both", (1, found), &frames);
}

#[test]
fn a_lie_about_one_presignature() {
    lies(&[(1, Lie::Delta)]);
}

#[test]
#[ignore = "long: .ci/run long"]
fn lies_at_each_place() {
    lies(&[(0, Lie::Chi), (1, Lie::Delta), (2, Lie::Chi)]);
}

/// A lie about δ or S of one presignature: its sender is named, and no party has a presignature.
fn lies(places: &[(usize, Lie)]) {
    let group = group::<C>();
    let public = public(&group);
    for &(m, lie) in places {
        let params = |party| group.params_many(party, COUNT);
        let (_, outcomes) = lying_at::<C, PresignMany<C>>(m, &[(CULPRIT, lie)], params, &public);
        let named = Outcome::Blamed(4, vec![(id(CULPRIT), Fault::InvalidProof)]);
        assert_eq!(outcomes.len(), 2);
        assert!(outcomes.iter().all(|(_, one)| *one == named), "{m}: {outcomes:?}");
    }
}

/// Messages of another session, with another number of presignatures, from another verifier's proof, or in another order.
#[test]
fn replayed_messages_name_their_sender() {
    let group = group::<C>();
    let [frames, other] = [SESSION, 61].map(|session| honest(&group, session));
    let k = usize::from(COUNT);
    let place =
        |round, to: Option<u16>| (id(CULPRIT), round, to.is_none(), id(to.unwrap_or(VICTIM)));
    let with = |at: Place, body: &[u8]| {
        let mut frames = frames.clone();
        let frame = frames.get_mut(&at).unwrap();
        frame.truncate(BODY);
        frame.extend_from_slice(body);
        frames
    };
    let (round_1, round_2) = (place(1, Some(VICTIM)), place(2, Some(VICTIM)));
    let wrong = |round| (round, Fault::InvalidProof);
    // Everything that the culprit sends in round 1 of another session.
    let whole = with(place(1, None), &other[&place(1, None)][BODY..]);
    let proof = other[&round_1][BODY..].to_vec();
    let mut both = whole.clone();
    both.get_mut(&round_1).unwrap()[BODY..].copy_from_slice(&proof);
    blamed(&group, "another session", wrong(1), &both);
    let to_other = frames[&place(1, Some(OTHER))][BODY..].to_vec();
    blamed(&group, "another verifier", wrong(1), &with(round_1, &to_other));
    let proof_of = |frames: &Frames, to| frames[&place(2, Some(to))][BODY..].to_vec();
    let mut products = proof_of(&frames, VICTIM);
    let at = 4 * k * CIPHERTEXT;
    products[at..].copy_from_slice(&proof_of(&frames, OTHER)[at..]);
    blamed(&group, "Πaff-g for another", wrong(2), &with(round_2, &products));
    // The first two products change places, with their digests.
    let mut products = proof_of(&frames, VICTIM);
    products[..8 * CIPHERTEXT].rotate_left(4 * CIPHERTEXT);
    blamed(&group, "another order", wrong(2), &digested(with(round_2, &products)));
    let mut sums = frames[&place(3, None)][BODY..].to_vec();
    sums.rotate_left(194);
    blamed(&group, "another order of sums", wrong(3), &with(place(3, None), &sums));

    // A run with another number is another run, and so is one of `Presign`.
    let rejected = |results: Vec<Abort>, rejections: Vec<Rejected>, why: Rejected| {
        assert!(!rejections.is_empty() && rejections.iter().all(|one| *one == why), "{why:?}");
        assert!(results.iter().all(|abort| matches!(abort, Abort::Missing { .. })));
    };
    let count = |party| group.params_many(party, if party == id(VICTIM) { 1 } else { 2 });
    let report = group.run::<PresignMany<C>>(Network::new(1), &NUMBERS, 23, count);
    let why = report.stats.rejected.iter().map(|(_, _, why)| *why).collect();
    let ends = report.results.into_values().map(|result| result.err().unwrap()).collect();
    rejected(ends, why, Rejected::OtherParameters { which: "presignatures" });
    let (single, _) = record::<Presign<C>>(
        &parties(NUMBERS),
        sid(SESSION),
        |party| group.params(party),
        |_, _, _| {},
    );
    let params = group.params_many(id(VICTIM), 1);
    let mut session =
        start::<PresignMany<C>>(sid(SESSION), id(VICTIM), &parties(NUMBERS), params).session;
    assert!(session.receive(id(CULPRIT), &single[&place(1, None)]).is_err());
}

/// One party gets other values than the third, for one presignature of three: no honest party is blamed.
#[test]
fn an_equivocation_blames_no_honest_party() {
    let group = group::<C>();
    for (round, byte) in [(1, 0), (2, 3), (2, 100), (3, 194)] {
        let network = Network::new(1).tamper(move |mut delivery: Delivery| {
            let hit =
                delivery.from == id(CULPRIT) && delivery.to == id(OTHER) && delivery.broadcast;
            if hit && delivery.round.get() == round {
                let at = delivery.bytes.len() - 1 - byte;
                delivery.bytes[at] ^= 1;
            }
            vec![delivery]
        });
        let params = |party| group.params_many(party, COUNT);
        let report = group.run::<PresignMany<C>>(network, &NUMBERS, 24, params);
        for (party, result) in report.results {
            match result {
                Ok(_) => assert!(round == 3 && party != id(OTHER)),
                Err(abort) => assert!(abort.culprits().all(|one| one == id(CULPRIT)), "{abort}"),
            }
        }
    }
}
