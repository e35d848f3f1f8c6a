//! Every wrong message that a signer can send. The signer is named with its fault, and the evidence convinces
//! others.

use crate::common::{deal, params};
use quorate_mldsa::session::{
    Abort, BodyDigest, Evidence, Fault, FrameBytes, FrameFate, Parties, PartyId, Progress,
    Rejected, Session, frame,
};
use quorate_mldsa::{Dealing, Level, MessageRepresentative, NotShown, Sign, SigningRun};
use quorate_testkit::lockstep::{
    ECHO, Frames, HEADER, Outcome, Place, advance, context, deliver, id, in_lockstep, judged,
    parties, record, sid, start,
};

const BODY: usize = HEADER + ECHO;

/// A successful run of three signers, whose frames are then altered.
struct Table {
    dealt: Dealing,
    signers: Parties,
    mu: MessageRepresentative,
    frames: Frames,
}

impl Table {
    fn new(level: Level) -> Self {
        let dealt = deal(level, 3, 3);
        let signers = parties([1, 2, 3]);
        let mu = dealt.public.verifying_key().represent(b"message", b"").unwrap();
        let make = |me| params(&dealt, me, &signers, mu, sid(1), 0);
        let (frames, results) = record::<Sign>(&signers, sid(1), make, |_, _, _| {});
        let table = Self { dealt, signers, mu, frames };
        // The number of slots that each signer has accepted is counted.
        let body = table.body(3);
        let bits = body[..shape(level).1].iter().map(|byte| byte.count_ones()).sum::<u32>();
        let counts = results.into_values().map(|result| result.unwrap().accepted);
        let of_two = counts.map(|all| all.get(id(2)).copied().map(u32::from));
        assert_eq!(of_two.collect::<Vec<_>>(), [Some(bits); 3]);
        table
    }

    fn run(&self) -> SigningRun {
        let Self { dealt, signers, mu, .. } = self;
        SigningRun { sid: sid(1), signers: signers.clone(), public: dealt.public.clone(), mu: *mu }
    }

    /// The frame of party 2 to party 1 in a round.
    fn place(round: u8) -> Place {
        (id(2), round, true, id(1))
    }

    fn body(&self, round: u8) -> &[u8] {
        &self.frames[&Self::place(round)][BODY..]
    }

    /// The outcome for party 1 if party 2 sends this body in this round. Evidence is verified.
    fn sends(&self, round: u8, body: &[u8]) -> Outcome {
        let mut frames = self.frames.clone();
        let frame = frames.get_mut(&Self::place(round)).unwrap();
        frame.truncate(BODY);
        frame.extend_from_slice(body);
        let params = params(&self.dealt, id(1), &self.signers, self.mu, sid(1), 0);
        judged::<Sign>(id(1), (&self.signers, sid(1)), params, &frames, |blame| {
            let evidence = blame.evidence.as_ref().unwrap();
            assert_eq!(self.run().verify(blame.party, evidence), Ok(blame.fault));
        })
    }

    /// Checks that party 2 alone is blamed, for this fault.
    fn blamed(&self, round: u8, body: &[u8], fault: Fault) {
        assert_eq!(self.sends(round, body), Outcome::Blamed(round, vec![(id(2), fault)]));
    }
}

fn flipped(body: &[u8], at: usize, bits: u8) -> Vec<u8> {
    let mut body = body.to_vec();
    body[at] ^= bits;
    body
}

#[test]
fn the_run_that_is_altered_is_good() {
    for level in Level::ALL {
        let table = Table::new(level);
        for round in 1..=3 {
            assert_eq!(table.sends(round, table.body(round)), Outcome::Done);
        }
    }
}

#[test]
fn a_commitment_of_another_length_is_named() {
    let table = Table::new(Level::MlDsa44);
    for length in [0, 1, 63] {
        table.blamed(1, &table.body(1)[..length], Fault::WrongLength);
    }
    let long = [table.body(1), &[0]].concat();
    assert!(matches!(table.sends(1, &long), Outcome::Rejected(_)));
}

#[test]
fn openings_that_do_not_fit_their_commitment_are_named() {
    for level in Level::ALL {
        let table = Table::new(level);
        let opening = table.body(2);
        for at in (0..opening.len()).step_by(opening.len() / 7) {
            table.blamed(2, &flipped(opening, at, 1), Fault::InvalidDecommitment);
        }
        table.blamed(2, &opening[1..], Fault::WrongLength);
        table.blamed(2, &[], Fault::WrongLength);
        // The w of another party, under one's own commitment.
        let theirs = table.frames[&(id(3), 2, true, id(1))][BODY..].to_vec();
        table.blamed(2, &theirs, Fault::InvalidDecommitment);
    }
}

/// The hash that commits a party to its opening.
fn commit(context: &[u8; 32], party: PartyId, opening: &[u8]) -> [u8; 64] {
    let mut transcript = frame::transcript(context, "quorate-mldsa commitment");
    transcript.append_u64("party", party.get().into());
    transcript.append("w", BodyDigest::of(opening).as_ref());
    transcript.finish()
}

/// Party 2 commits to this opening in round 1, and opens it. Returns the aborts of the others.
fn opens(table: &Table, opening: &[u8]) -> Vec<Abort> {
    let commitment = commit(&context(&table.frames[&Table::place(1)]), id(2), opening);
    let make = |me| params(&table.dealt, me, &table.signers, table.mu, sid(1), 0);
    let (_, results) = record::<Sign>(&table.signers, sid(1), make, |place, bytes, frames| {
        if place.0 != id(2) {
            return;
        }
        let body = if place.1 == 1 { &commitment[..] } else { opening };
        bytes.truncate(BODY);
        bytes.extend_from_slice(body);
        if place.1 > 1 {
            // The echo covers what was sent, not what its own session holds.
            let honest = frames.iter().find(|(at, _)| at.0 != id(2) && at.1 == place.1).unwrap();
            bytes[HEADER..BODY].copy_from_slice(&honest.1[HEADER..BODY]);
        }
    });
    let honest = results.into_iter().filter(|(party, _)| *party != id(2));
    honest.map(|(_, result)| result.unwrap_err()).collect()
}

#[test]
fn coefficients_that_are_not_below_q_are_named() {
    let table = Table::new(Level::MlDsa44);
    let mut opening = table.body(2).to_vec();
    // The first coefficient, 23 bits, becomes q.
    opening[..2].copy_from_slice(&8_380_417_u32.to_le_bytes()[..2]);
    opening[2] = opening[2] & 0x80 | 0x7f;
    let aborts = opens(&table, &opening);
    assert_eq!(aborts.len(), 2);
    for abort in aborts {
        let Abort::Misbehaviour(blames) = abort else { panic!("{abort}") };
        assert_eq!(blames.len(), 1);
        assert_eq!((blames[0].party, blames[0].fault), (id(2), Fault::Malformed));
        let evidence = blames[0].evidence.as_ref().unwrap();
        assert_eq!(table.run().verify(id(2), evidence), Ok(Fault::Malformed));
    }
}

/// Party 2 sends these bodies, one in each round, and the others are honest. Returns the aborts of the others.
fn says(table: &Table, bodies: [&[u8]; 3]) -> Vec<Abort> {
    let steps = [1, 3].map(id).map(|me| {
        let given = params(&table.dealt, me, &table.signers, table.mu, sid(1), 0);
        start::<Sign>(sid(1), me, &table.signers, given)
    });
    let results = in_lockstep::<Sign>(steps.into(), |mail, sessions| {
        let round = mail[0].round;
        // The echo of the frames that the others have seen.
        let mut frame = table.frames[&Table::place(round)][..BODY].to_vec();
        let honest = &mail[0].outgoing[0].bytes;
        frame[HEADER..].copy_from_slice(&honest[HEADER..BODY]);
        frame.extend_from_slice(bodies[usize::from(round) - 1]);
        deliver(mail, sessions);
        for session in sessions {
            session.receive(id(2), &frame).unwrap();
        }
    });
    results.into_values().filter_map(Result::err).collect()
}

/// A signer opens its commitment, but the value is not A·y + e of the mask with which it answers.
#[test]
fn an_opening_that_is_not_that_of_the_mask_is_named_by_the_response() {
    for level in Level::ALL {
        let table = with_accepted(level);
        let mut opening = table.body(2).to_vec();
        let context = context(&table.frames[&Table::place(1)]);
        let honest = commit(&context, id(2), &opening);
        assert!(says(&table, [&honest, &opening, table.body(3)]).is_empty());
        let length = opening.len() / shape(level).0;
        // The first coefficient of each slot changes by 2^20.
        opening.chunks_mut(length).for_each(|slot| slot[2] ^= 0x10);
        let aborts = says(&table, [&commit(&context, id(2), &opening), &opening, table.body(3)]);
        assert_eq!(aborts.len(), 2);
        for abort in aborts {
            let Abort::Misbehaviour(blames) = abort else { panic!("{abort}") };
            let found = (blames.len(), blames[0].party, blames[0].fault, blames[0].round.get());
            assert_eq!(found, (1, id(2), Fault::InvalidSignatureShare, 3));
            let evidence = blames[0].evidence.as_ref().unwrap();
            let verdict = table.run().verify(id(2), evidence);
            assert_eq!(verdict, Ok(Fault::InvalidSignatureShare));
        }
    }
}

/// The session of party 1 after the rounds before this one.
fn at_round(table: &Table, round: u8) -> Session<Sign> {
    let given = params(&table.dealt, id(1), &table.signers, table.mu, sid(1), 0);
    let mut session = start::<Sign>(sid(1), id(1), &table.signers, given).session;
    while session.round().get() < round {
        let now = session.round().get();
        receive_all(table, &mut session, now);
        let Ok(Progress::Round(step)) = advance(session) else { panic!("round {now}") };
        session = step.session;
    }
    session
}

fn receive_all(table: &Table, session: &mut Session<Sign>, round: u8) {
    for (place, frame) in table.frames.iter().filter(|(at, _)| (at.1, at.3) == (round, id(1))) {
        session.receive(place.0, frame).unwrap();
    }
}

#[test]
fn frames_of_other_runs_are_not_taken() {
    let table = Table::new(Level::MlDsa44);
    let mu = MessageRepresentative::external([1; 64]);
    let other_key = Table { dealt: deal(Level::MlDsa65, 3, 3), ..Table::new(Level::MlDsa44) };
    let frames_of = |table: &Table, session, mu| {
        let make = |me| params(&table.dealt, me, &table.signers, mu, session, 0);
        record::<Sign>(&table.signers, session, make, |_, _, _| {}).0
    };
    // Another session id, message, and key.
    let others = [
        frames_of(&table, sid(2), table.mu),
        frames_of(&table, sid(1), mu),
        frames_of(&other_key, sid(1), table.mu),
    ];
    for round in 1..=3 {
        let mut session = at_round(&table, round);
        let before = session.slot();
        for frames in &others {
            for (place, frame) in frames.iter().filter(|(place, _)| place.3 == id(1)) {
                let refused = session.receive(place.0, frame).unwrap_err();
                let other = matches!(
                    refused,
                    Rejected::OtherSession
                        | Rejected::OtherParameters { .. }
                        | Rejected::Oversized { .. }
                );
                assert!(other, "{refused}");
            }
        }
        // Under the name of another party, and from a party that does not sign.
        let frame = &table.frames[&Table::place(round)];
        assert!(matches!(session.receive(id(3), frame), Err(Rejected::OtherSender { .. })));
        assert_eq!(session.receive(id(4), frame), Err(Rejected::UnknownSender(id(4))));
        assert!(session.slot() == before, "nothing is kept");
        receive_all(&table, &mut session, round);
        assert!(advance(session).is_ok());
    }
}

#[test]
fn a_late_frame_is_nothing_new_or_names_its_sender() {
    let table = Table::new(Level::MlDsa44);
    for (late, now) in [(1, 2), (1, 3), (2, 3)] {
        let mut session = at_round(&table, now);
        let frame = &table.frames[&Table::place(late)];
        assert_eq!(session.receive(id(2), frame), Ok(FrameFate::Duplicate));
        let mut other = frame.clone();
        other[BODY] ^= 1;
        assert_eq!(session.receive(id(2), &other), Ok(FrameFate::Conflicting));
        receive_all(&table, &mut session, now);
        let Err(stopped) = advance(session) else { panic!("goes on") };
        let Abort::Misbehaviour(blames) = stopped.abort else { panic!("{}", stopped.abort) };
        assert_eq!((blames.len(), blames[0].party), (1, id(2)));
        assert_eq!(blames[0].fault, Fault::Equivocation);
        let evidence = blames[0].evidence.as_ref().unwrap();
        assert_eq!(table.run().verify(id(2), evidence), Ok(Fault::Equivocation));
    }
    // A frame that is early waits for its round.
    let mut session = at_round(&table, 1);
    for round in [3, 2, 1] {
        for from in [2, 3].map(id) {
            let taken = session.receive(from, &table.frames[&(from, round, true, id(1))]);
            let early = if round == 1 { FrameFate::Accepted } else { FrameFate::Early };
            // A party that has received this party's frames never sends a frame two rounds ahead.
            assert!(taken == Ok(early) || (round == 3 && taken.is_err()), "{taken:?}");
        }
    }
}

/// Slots, bytes of the bitmap, and bytes of z1 of a slot for three of three.
const fn shape(level: Level) -> (usize, usize, usize) {
    match level {
        Level::MlDsa44 => (4, 1, 4 * 576),
        Level::MlDsa65 => (9, 2, 5 * 640),
        Level::MlDsa87 => (6, 1, 7 * 640),
    }
}

/// A run of a level in which party 2 has accepted some slots, but not all.
fn with_accepted(level: Level) -> Table {
    let table = Table::new(level);
    let (_, bitmap, z1) = shape(level);
    assert!(table.body(3).len() >= bitmap + z1, "a slot to alter");
    table
}

#[test]
fn responses_that_do_not_fit_are_named() {
    for level in Level::ALL {
        let table = with_accepted(level);
        let (slots, bitmap, z1) = shape(level);
        let body = table.body(3);
        // A coefficient that is off by one, in any place.
        for at in (bitmap..body.len()).step_by((body.len() - bitmap) / 6) {
            table.blamed(3, &flipped(body, at, 1), Fault::InvalidSignatureShare);
        }
        // All zero.
        let mut zero = body.to_vec();
        zero[bitmap..].fill(0);
        table.blamed(3, &zero, Fault::InvalidSignatureShare);
        // Slots that do not exist, and lengths that do not fit the slots.
        let unused = bitmap * 8 - slots;
        if unused > 0 {
            table.blamed(3, &flipped(body, bitmap - 1, 0x80), Fault::Malformed);
        }
        table.blamed(3, &body[..body.len() - 1], Fault::WrongLength);
        table.blamed(3, &body[..body.len() - z1], Fault::WrongLength);
        table.blamed(3, &[], Fault::WrongLength);
        table.blamed(3, &body[..bitmap], Fault::WrongLength);
    }
}

/// Round 3 is the last, so no later echo compares the frames that two parties received. A party that received the
/// bad response names its sender. A party that received the good one has the result.
#[test]
fn a_response_that_one_party_is_told_is_named_by_that_one_alone() {
    let table = with_accepted(Level::MlDsa44);
    let mut frames = table.frames.clone();
    frames.get_mut(&Table::place(3)).unwrap()[BODY + shape(Level::MlDsa44).1] ^= 1;
    let ends = [1, 3].map(|me| {
        let params = params(&table.dealt, id(me), &table.signers, table.mu, sid(1), 0);
        judged::<Sign>(id(me), (&table.signers, sid(1)), params, &frames, |_| {})
    });
    let named = Outcome::Blamed(3, vec![(id(2), Fault::InvalidSignatureShare)]);
    assert_eq!(ends, [named, Outcome::Done]);
}

#[test]
fn responses_of_another_slot_are_named() {
    let mut swapped = 0;
    for level in Level::ALL {
        let table = with_accepted(level);
        let (slots, bitmap, z1) = shape(level);
        let body = table.body(3);
        let accepted: Vec<bool> = (0..slots).map(|at| body[at / 8] >> (at % 8) & 1 == 1).collect();
        assert_eq!(body.len() - bitmap, accepted.iter().filter(|one| **one).count() * z1);
        // The bit of a slot that is accepted moves to one that is not.
        let from = accepted.iter().position(|one| *one);
        let to = accepted.iter().position(|one| !*one);
        let (Some(from), Some(to)) = (from, to) else { continue };
        let mut moved = flipped(body, from / 8, 1 << (from % 8));
        moved[to / 8] |= 1 << (to % 8);
        table.blamed(3, &moved, Fault::InvalidSignatureShare);
        swapped += 1;
        // A rejected slot is claimed to be accepted, with a z1 that is 0.
        let claimed = [&flipped(body, to / 8, 1 << (to % 8)), &vec![0; z1][..]].concat();
        table.blamed(3, &claimed, Fault::InvalidSignatureShare);
        // More bytes than the slots need, within the limit of the round.
        table.blamed(3, &[body, &[0]].concat(), Fault::WrongLength);
        table.blamed(3, &[body, &vec![0; z1][..]].concat(), Fault::WrongLength);
        // Rejecting an acceptable slot is not a fault, and does not give a wrong signature.
        if from == 0 {
            let withheld = flipped(body, 0, 1);
            let withheld = [&withheld[..bitmap], &withheld[bitmap + z1..]].concat();
            assert_eq!(table.sends(3, &withheld), Outcome::Done);
        }
    }
    assert!(swapped > 0);
}

#[test]
fn several_cheaters_are_all_named() {
    let table = with_accepted(Level::MlDsa44);
    let mut frames = table.frames.clone();
    for from in [2, 3] {
        let frame = frames.get_mut(&(id(from), 2, true, id(1))).unwrap();
        frame[BODY] ^= 1;
    }
    let given = params(&table.dealt, id(1), &table.signers, table.mu, sid(1), 0);
    let outcome = judged::<Sign>(id(1), (&table.signers, sid(1)), given, &frames, |_| {});
    let faults = [2, 3].map(|party| (id(party), Fault::InvalidDecommitment));
    assert_eq!(outcome, Outcome::Blamed(2, faults.to_vec()));
}

#[test]
fn evidence_shows_no_more_than_it_shows() {
    let table = with_accepted(Level::MlDsa44);
    let run = table.run();
    // All frames of an honest run, once each.
    let mut all =
        Evidence { context: context(&table.frames[&Table::place(1)]), frames: Vec::new() };
    for ((from, _, _, to), frame) in &table.frames {
        if *to == id(if from.get() == 1 { 2 } else { 1 }) {
            all.frames.push((*from, frame.clone().into()));
        }
    }
    assert_eq!(all.frames.len(), 9);
    for party in [1, 2, 3] {
        assert_eq!(run.verify(id(party), &all), Err(NotShown::InOrder));
    }
    // A cheat of round 3.
    let mut evidence = all.clone();
    let last = |frames: &[(PartyId, FrameBytes)]| {
        frames.iter().position(|(from, frame)| *from == id(2) && frame[2] == 3).unwrap()
    };
    let at = last(&evidence.frames);
    evidence.frames[at].1[BODY + 5] ^= 1;
    assert_eq!(run.verify(id(2), &evidence), Ok(Fault::InvalidSignatureShare));
    assert_eq!(run.verify(id(1), &evidence), Err(NotShown::InOrder));
    assert_eq!(run.verify(id(4), &evidence), Err(NotShown::OtherRun));
    for other in [
        SigningRun { sid: sid(2), ..run.clone() },
        SigningRun { mu: MessageRepresentative::external([1; 64]), ..run.clone() },
        SigningRun { public: deal(Level::MlDsa44, 3, 4).public, ..run.clone() },
    ] {
        assert_eq!(other.verify(id(2), &evidence), Err(NotShown::OtherRun));
    }
    // Every frame on which the verdict rests has to be there, as the accused has seen it.
    for at in 0..evidence.frames.len() {
        let mut less = evidence.clone();
        let (from, frame) = less.frames.remove(at);
        let verdict = run.verify(id(2), &less);
        let expected = match (from == id(2), frame[2]) {
            (_, 1 | 2) => Err(NotShown::Incomplete),
            (true, _) => Err(NotShown::InOrder),
            (false, _) => Ok(Fault::InvalidSignatureShare),
        };
        assert_eq!(verdict, expected, "{from} {}", frame[2]);
        let mut other = evidence.clone();
        other.frames[at].1[BODY] ^= 1;
        if from != id(2) && frame[2] < 3 {
            assert_eq!(run.verify(id(2), &other), Err(NotShown::Incomplete));
        }
        // Two messages in one place.
        other.frames.push(evidence.frames[at].clone());
        assert_eq!(run.verify(from, &other), Ok(Fault::Equivocation));
    }
    // A message of party 3 under the name of party 2, in place of its own or beside it.
    let mut others = all.clone();
    let theirs = others.frames.iter().find(|(from, frame)| *from == id(3) && frame[2] == 3);
    let theirs = theirs.unwrap().1.clone();
    others.frames.retain(|(from, frame)| *from != id(2) || frame[2] != 3);
    others.frames.push((id(2), theirs));
    assert_eq!(run.verify(id(2), &others), Err(NotShown::InOrder));
    let mut many = evidence.clone();
    (0..3).for_each(|_| many.frames.extend(evidence.frames.clone()));
    assert_eq!(run.verify(id(2), &many), Err(NotShown::TooLarge));
    let junk = [vec![], vec![0; 10], vec![1; 100]].map(|bytes| (id(2), bytes.into()));
    evidence.frames.extend(junk);
    assert_eq!(run.verify(id(2), &evidence), Ok(Fault::InvalidSignatureShare));
}
