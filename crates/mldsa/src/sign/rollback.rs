//! Why an older seal of an attempt must never be opened again: two challenges for one mask give the party's part of the key
//! away. A store that compares and swaps keeps it from happening (`tests/crash.rs`); here there is none.

use std::sync::Arc;
use std::vec::Vec;

use quorate_session::{
    Abort, Fault, Parties, PerParty, Progress, Sealed, Session, SpentInMemory, Step,
};
use quorate_testkit::lockstep::{ECHO, HEADER, id, parties, seal_key, sid, start_seeded};

use super::terms::Terms;
use super::view::{Response, View};
use super::{Sign, SignParams};
use crate::dealer::Dealing;
use crate::field::Q;
use crate::level::Level;
use crate::message::MessageRepresentative;
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

/// What party 1 has said in a run: its w, and its responses with the view that they are judged by.
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

    fn params(&self, me: usize) -> SignParams {
        let bytes = self.dealt.shares[me - 1].to_bytes();
        let share = KeyShare::from_bytes(LEVEL, &bytes).unwrap();
        let record = share.attempt(0, sid(self.session), &self.signers, &self.mu).unwrap();
        let receipt = record.store(&mut SpentInMemory::new()).unwrap();
        SignParams::new(Arc::new(share), self.mu, 0, receipt)
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

    /// Party 1 as it is in a seal of round 1, with a party 2 of this seed: the run up to its responses.
    fn play(&self, sealed: &Sealed, seed: u8) -> Said {
        let [first, second] = round([self.open(sealed), self.begin(2, seed)]);
        let opening = body(&first).to_vec();
        let openings: PerParty<Vec<u8>> =
            [(id(1), opening.clone()), (id(2), body(&second).to_vec())].into_iter().collect();
        let [first, _] = round([first, second]);
        let terms = self.terms();
        let view = View::new(&terms, openings).unwrap();
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

/// Both receive what the other has sent, and go on.
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

/// The danger. Party 1 is brought back to its seal of round 1; party 2 commits to another w, and so gets a response to
/// another challenge under the same mask. From the two it computes the other's s1, exactly.
#[test]
fn a_seal_that_is_opened_twice_gives_the_secret_away() {
    let mut solutions = 0;
    for session in 0..8 {
        let table = Table::new(session);
        let sealed = table.begin(1, 1).session.seal(&seal_key());
        let (first, second) = (table.play(&sealed, 2), table.play(&sealed, 3));
        assert!(first.opening == second.opening, "one mask");
        for slot in 0..2 {
            assert!(first.view.slots[slot].hash != second.view.slots[slot].hash, "two challenges");
            let Some(found) = solved(&first, &second, slot) else { continue };
            assert!(found == table.secret());
            solutions += 1;
        }
    }
    assert!(solutions > 0);
}

/// With the same commitments, nothing else can be opened: a seal of round 2 gives no second challenge.
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
