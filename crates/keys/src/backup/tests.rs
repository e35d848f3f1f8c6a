//! Attacks on the proof itself, by a sealer that breaks the rules.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails stops")]

use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
use quorate_curve::{Curve, Ed25519, Secret, random_nonzero_scalar};
use quorate_session::PartyId;

use super::cut_and_choose::{Drawn, NUMBERS, Numbers, Proof, Statement};
use crate::wire::Encoded;

type C = Ed25519;
type Scalar = <C as Curve>::Scalar;

/// `C(16, 4) = 1820`.
const SMALL: Numbers = Numbers { all: 16, hidden: 4 };

struct Case {
    statement: Statement<C>,
    share: Secret<Scalar>,
    y: Secret<Scalar>,
}

fn case() -> Case {
    let mut rng = ChaCha20Rng::from_seed([5; 32]);
    let mut draw = || Secret::new(random_nonzero_scalar::<C>(&mut rng).unwrap());
    let (share, y) = (draw(), draw());
    let statement = Statement {
        context: [7; 32],
        party: PartyId::new(3).unwrap(),
        share: C::mul_base(share.expose()),
        recipient: Encoded::new(C::mul_base(y.expose())),
    };
    Case { statement, share, y }
}

impl Case {
    /// Repetitions of which those at `wrong` seal another scalar.
    fn cheated(&self, numbers: Numbers, wrong: &[usize]) -> (Vec<[u8; 32]>, Drawn<C>) {
        let seeds = self.statement.seeds(numbers, &self.share, &[1; 32]).to_vec();
        let numbered: Vec<_> = (0u64..).zip(&seeds).collect();
        let mut drawn = self.statement.draw(numbered.into_iter());
        for k in wrong {
            drawn.repetitions[*k].sealed = drawn.repetitions[*k].sealed + Scalar::from(1);
        }
        (seeds, drawn)
    }

    fn opens(&self, proof: &Proof<C>) -> usize {
        let right = |found: &Secret<Scalar>| *found.expose() == *self.share.expose();
        proof.open(&self.statement, &self.y).filter(right).count()
    }
}

#[test]
fn an_honest_proof_verifies_and_opens_everywhere() {
    let case = case();
    for numbers in [SMALL, NUMBERS] {
        let proof = Proof::make(&case.statement, numbers, &case.share, &[1; 32]).unwrap();
        assert!(proof.verifies(&case.statement));
        assert_eq!(case.opens(&proof), numbers.hidden);
        let mut bytes = Vec::new();
        proof.put(&mut bytes);
        assert_eq!(bytes.len(), numbers.length::<C>());
        let mut reader = quorate_session::wire::Reader::new(&bytes);
        assert!(Proof::<C>::read(&mut reader, numbers).unwrap() == proof);
    }
}

/// Counts for a sealer that makes the repetitions `wrong` bad and hashes again and again: how many of its proofs
/// verify, and how many of those open.
fn ground(case: &Case, wrong: &[usize], tries: u64) -> (u32, u32) {
    let (seeds, mut drawn) = case.cheated(SMALL, wrong);
    let (mut verified, mut opened) = (0, 0);
    for number in 0..tries {
        let bad = &mut drawn.repetitions[wrong[0]].sealed;
        *bad = *bad + Scalar::from(1);
        let proof = case.statement.respond(SMALL, &seeds, &drawn, &case.share).unwrap();
        let hidden = proof.hidden();
        if wrong.iter().all(|k| hidden.contains(k)) {
            assert!(proof.verifies(&case.statement));
            verified += 1;
            opened += u32::from(case.opens(&proof) > 0);
        } else if number < 20 {
            assert!(!proof.verifies(&case.statement));
        }
    }
    (verified, opened)
}

/// A sealer whose guess is the whole hidden set is accepted once in `C(16, 4)` hashes, and never otherwise. Then
/// nothing opens. With one bad repetition less, or one more, it gains nothing.
#[test]
fn a_cheat_has_to_guess_the_hidden_set() {
    let case = case();
    let (verified, opened) = ground(&case, &[2, 7, 8, 13], 10_000);
    assert!((1..=14).contains(&verified), "{verified} of 10000, expected 5");
    assert_eq!(opened, 0);
    let (verified, opened) = ground(&case, &[2, 7, 8], 2_000);
    // C(13, 1) / C(16, 4) = 1 / 140
    assert!((5..=27).contains(&verified), "{verified} of 2000, expected 14");
    assert_eq!(opened, verified);
    let (verified, _) = ground(&case, &[1, 2, 7, 8, 13], 500);
    assert_eq!(verified, 0);
}

/// The real numbers. A sealer with as many bad repetitions as stay hidden is refused. So is one with a single bad
/// repetition that is opened. A single bad one that stays hidden is accepted, and does no harm.
#[test]
fn bad_repetitions_are_refused_with_the_numbers_that_are_used() {
    let case = case();
    let make = |wrong: &[usize]| {
        let (seeds, drawn) = case.cheated(NUMBERS, wrong);
        case.statement.respond(NUMBERS, &seeds, &drawn, &case.share).unwrap()
    };
    let guess: Vec<usize> = (0..NUMBERS.hidden).map(|k| 4 * k).collect();
    assert!(!make(&guess).verifies(&case.statement));
    let (mut refused, mut accepted) = (false, false);
    for k in 0..24 {
        let proof = make(&[k]);
        if proof.hidden().contains(&k) {
            if !accepted {
                assert!(proof.verifies(&case.statement));
                assert_eq!(case.opens(&proof), NUMBERS.hidden - 1);
            }
            accepted = true;
        } else {
            assert!(refused || !proof.verifies(&case.statement));
            refused = true;
        }
        if refused && accepted {
            return;
        }
    }
    unreachable!("one of four is hidden");
}

/// A proof is refused if it is sealed to another key than that of the statement, or holds another secret.
#[test]
fn another_recipient_and_another_secret_are_refused() {
    let case = case();
    let other = Statement {
        context: case.statement.context,
        party: case.statement.party,
        share: case.statement.share,
        recipient: Encoded::new(C::generator()),
    };
    let proof = Proof::make(&other, SMALL, &case.share, &[1; 32]).unwrap();
    assert!(proof.verifies(&other) && !proof.verifies(&case.statement));
    let secret = Secret::new(Scalar::from(5));
    let proof = Proof::make(&case.statement, SMALL, &secret, &[1; 32]).unwrap();
    assert!(!proof.verifies(&case.statement));
    for context in [[8; 32], [0; 32]] {
        let elsewhere = Statement { context, ..other_of(&case) };
        let proof = Proof::make(&case.statement, SMALL, &case.share, &[1; 32]).unwrap();
        assert!(!proof.verifies(&elsewhere));
    }
}

fn other_of(case: &Case) -> Statement<C> {
    let Statement { context, party, share, recipient } = case.statement;
    Statement { context, party, share, recipient }
}

/// Every hidden set of a small choice occurs, about equally often.
#[test]
fn the_hidden_set_is_uniform() {
    let numbers = Numbers { all: 4, hidden: 2 };
    let mut counts = std::collections::BTreeMap::new();
    for number in 0u32..1200 {
        let mut e = [0; 32];
        e[..4].copy_from_slice(&number.to_be_bytes());
        *counts.entry(numbers.choose(&e).unwrap()).or_insert(0u32) += 1;
    }
    // Six sets, 200 each expected.
    assert_eq!(counts.len(), 6);
    assert!(counts.values().all(|count| (150..=250).contains(count)), "{counts:?}");
    let hidden = NUMBERS.choose(&[3; 32]).unwrap();
    assert_eq!((hidden.len(), hidden.iter().filter(|one| **one).count()), (256, 64));
}
