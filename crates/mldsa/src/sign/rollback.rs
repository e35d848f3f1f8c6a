//! Why an older seal of an attempt must never be opened again, and why no attempt may start twice: two challenges
//! for one mask give away the party's part of the key. A store that compares and swaps prevents the first
//! (`tests/crash.rs`), and a table of attempts prevents the second. The tests here have neither, unless they say
//! so.

use std::sync::Arc;
use std::vec::Vec;

use quorate_session::{
    Abort, Fault, ParamError, Parties, PerParty, Progress, Sealed, Session, SpentInMemory, Step,
};
use quorate_testkit::lockstep::{ECHO, HEADER, id, parties, seal_key, sid, start_seeded};

use super::terms::Terms;
use super::view::{Response, View};
use super::{Sign, SignParams};
use crate::dealer::Dealing;
use crate::field::Q;
use crate::level::Level;
use crate::message::MessageRepresentative;
use crate::packing::all_full;
use crate::poly::{Poly, add_all, multiply, zeros};
use crate::sample::challenge_vartime;
use crate::secret::expand;
use crate::share::KeyShare;

const LEVEL: Level = Level::MlDsa44;
const BODY: usize = HEADER + ECHO;

/// A key of two, of which party 1 is the victim.
struct Table {
    dealt: Dealing,
    signers: Parties,
    mu: MessageRepresentative,
    session: u8,
}

/// The messages of party 1 in a run: its w, and its responses with the view by which they are judged.
struct Said {
    opening: Vec<u8>,
    view: View,
    response: Response,
}

impl Table {
    fn new(session: u8) -> Self {
        let signers = parties([1, 2]);
        let dealt = Dealing::new(LEVEL, 2, &signers, &mut quorate_testkit::rng(1)).unwrap();
        Self { dealt, signers, mu: MessageRepresentative::external([7; 64]), session }
    }

    /// The parameters of a party whose table of attempts is empty.
    fn params(&self, me: usize) -> SignParams {
        self.recorded(me, &mut SpentInMemory::new())
    }

    fn recorded(&self, me: usize, spent: &mut SpentInMemory) -> SignParams {
        let bytes = self.dealt.shares[me - 1].to_bytes();
        let share = KeyShare::from_bytes(LEVEL, &bytes).unwrap();
        let record = share.attempt(0, sid(self.session), &self.signers, &self.mu).unwrap();
        let receipt = record.store(spent).unwrap();
        SignParams::new(Arc::new(share), self.mu, 0, receipt)
    }

    /// Party 1 starts the attempt after recording it in its table of attempts.
    fn start(&self, spent: &mut SpentInMemory, seed: u8) -> Result<Step<Sign>, ParamError> {
        let (params, rng) = (self.recorded(1, spent), &mut quorate_testkit::rng(seed));
        Session::start(sid(self.session), id(1), &self.signers, params, rng)
    }

    fn begin(&self, me: u16, seed: u8) -> Step<Sign> {
        let params = self.params(me.into());
        start_seeded(sid(self.session), id(me), &self.signers, params, seed)
    }

    fn open(&self, sealed: &Sealed) -> Step<Sign> {
        Session::open(sealed, self.params(1), &seal_key()).unwrap()
    }

    fn terms(&self) -> Terms {
        let public = Arc::new(self.dealt.public.clone());
        Terms::new(public, &self.signers, self.mu).unwrap()
    }

    /// Runs party 1 from round 1 with a party 2 of this seed, up to the responses.
    fn play(&self, victim: Step<Sign>, seed: u8) -> Said {
        let [first, second] = round([victim, self.begin(2, seed)]);
        let opening = body(&first).to_vec();
        let openings: PerParty<Vec<u8>> =
            [(id(1), opening.clone()), (id(2), body(&second).to_vec())].into_iter().collect();
        let [first, _] = round([first, second]);
        let terms = self.terms();
        let view = View::new(&terms, openings.map(|_, body| all_full(&body).unwrap())).unwrap();
        let response = view.verify_response(&terms, id(1), body(&first)).unwrap();
        Said { opening, view, response }
    }

    /// s1 of party 1, over the sets that it answers for.
    fn secret(&self) -> Vec<Poly> {
        let terms = self.terms();
        let mut sum = zeros(LEVEL.l());
        for (subset, seed) in self.dealt.shares[0].seeds() {
            if terms.part(id(1)).contains(subset) {
                add_all(&mut sum, &expand(LEVEL, seed).0);
            }
        }
        sum
    }
}

fn body(step: &Step<Sign>) -> &[u8] {
    &step.outgoing[0].bytes[BODY..]
}

/// Both parties receive each other's messages and proceed.
fn round(steps: [Step<Sign>; 2]) -> [Step<Sign>; 2] {
    let [first, second] = steps;
    let (mut one, mut two) = (first.session, second.session);
    one.receive(id(2), &second.outgoing[0].bytes).unwrap();
    two.receive(id(1), &first.outgoing[0].bytes).unwrap();
    [one, two].map(|session| match session.advance() {
        Ok(Progress::Round(step)) => step,
        _ => panic!("a round"),
    })
}

/// The inverse of a polynomial of which no value is 0: all of its values to the power q − 2.
fn inverse(a: &Poly) -> Poly {
    let one = {
        let mut one = Poly::ZERO;
        one.0[0] = 1;
        one
    };
    let product = |a: &Poly, b: &Poly| multiply(&a.ntt(), &b.ntt());
    let bits = (0..23).rev().map(|bit| (Q - 2) >> bit & 1);
    bits.fold(one, |power, bit| {
        let square = product(&power, &power);
        if bit == 1 { product(&square, a) } else { square }
    })
}

/// s1 from two responses to two challenges under one mask: (z1 − z1′)/(c − c′).
fn solved(first: &Said, second: &Said, slot: usize) -> Option<Vec<Poly>> {
    let [one, two] = [first, second].map(|said| said.response.0[slot].as_ref());
    let challenge = |said: &Said| challenge_vartime(LEVEL, &said.view.slots[slot].hash);
    let mut difference = challenge(first);
    difference.sub(&challenge(second));
    let inverse = inverse(&difference).ntt();
    let quotient = |(one, two): (&Poly, &Poly)| {
        let mut difference = one.clone();
        difference.sub(two);
        let mut quotient = multiply(&difference.ntt(), &inverse);
        quotient.center();
        quotient
    };
    Some(one?.iter().zip(two?).map(quotient).collect())
}

/// The number of slots of two runs of party 1 from which its s1 follows exactly.
fn solutions(table: &Table, first: &Said, second: &Said) -> usize {
    assert!(first.opening == second.opening, "one mask");
    let found = (0..2).filter_map(|slot| {
        assert!(first.view.slots[slot].hash != second.view.slots[slot].hash, "two challenges");
        solved(first, second, slot)
    });
    found.inspect(|found| assert!(*found == table.secret())).count()
}

/// The danger. Party 1 is restored to its seal of round 1. Party 2 commits to another w, and so gets a response to
/// another challenge under the same mask. From the two responses it computes the s1 of party 1, exactly.
#[test]
fn a_seal_that_is_opened_twice_gives_the_secret_away() {
    let found = (0..8).map(|session| {
        let table = Table::new(session);
        let sealed = table.begin(1, 1).session.seal(&seal_key());
        let [first, second] = [2, 3].map(|seed| table.play(table.open(&sealed), seed));
        solutions(&table, &first, &second)
    });
    assert!(found.sum::<usize>() > 0);
}

/// A second start instead of a seal. A machine was copied or restored, its generator repeats itself, and its table
/// of attempts was restored too. The attempt starts a second time, with the same mask.
#[test]
fn a_table_of_attempts_that_forgets_gives_the_secret_away() {
    let found = (0..8).map(|session| {
        let table = Table::new(session);
        let start = || table.start(&mut SpentInMemory::new(), 1).unwrap();
        let [first, second] = [2, 3].map(|seed| table.play(start(), seed));
        solutions(&table, &first, &second)
    });
    assert!(found.sum::<usize>() > 0);
}

/// The table has the record, so nothing starts again, whatever the generator gives. Only the sealed session
/// continues.
#[test]
fn a_second_start_of_a_recorded_attempt_is_refused() {
    let (table, mut spent) = (Table::new(0), SpentInMemory::new());
    let first = table.start(&mut spent, 1).unwrap();
    for seed in [1, 2] {
        let again = table.start(&mut spent, seed);
        assert_eq!(again.err(), Some(ParamError::AlreadyRecorded));
    }
    let sealed = first.session.seal(&seal_key());
    for reopen in [Session::<Sign>::open, Session::audit] {
        let opened = reopen(&sealed, table.recorded(1, &mut spent), &seal_key());
        assert_eq!(opened.unwrap().outgoing, first.outgoing);
    }
}

/// With the same commitments, nothing else can be opened, so a seal of round 2 gives no second challenge.
#[test]
fn a_seal_of_round_two_takes_no_other_opening() {
    let table = Table::new(1);
    let [victim, honest] = round([table.begin(1, 1), table.begin(2, 2)]);
    let [_, other] = round([table.begin(1, 1), table.begin(2, 3)]);
    let sealed = victim.session.seal(&seal_key());
    for (opened, fault) in [(&honest, None), (&other, Some(Fault::InvalidDecommitment))] {
        let mut frame = honest.outgoing[0].bytes[..BODY].to_vec();
        frame.extend_from_slice(body(opened));
        let mut session = table.open(&sealed).session;
        session.receive(id(2), &frame).unwrap();
        let found = match session.advance() {
            Ok(Progress::Round(_)) => None,
            Err(stopped) => match stopped.abort {
                Abort::Misbehaviour(blames) => Some(blames[0].fault),
                other => panic!("{other}"),
            },
            Ok(_) => panic!("a round"),
        };
        assert_eq!(found, fault);
    }
}
