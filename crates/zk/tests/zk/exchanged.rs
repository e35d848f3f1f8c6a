//! Proofs whose parts stand in each other's places, and relations that name one component twice.

use quorate_bignum::{Integer, Natural, SecretInteger};
use quorate_curve::Curve;
use quorate_paillier::Pedersen;
use quorate_testkit::fixtures;
use quorate_zk::sigma::{ChallengeSet, Form, Relation, Statement};
use quorate_zk::{
    Group, NoPoints, Own, ProofFault, ReceivedProof, pi_elog, pi_fac, pi_prm, verify_many,
};

use crate::machine::{encrypted, multiplied};
use crate::support::*;
use crate::{aff_g::star, dec};

/// The places of all parts, and how many of them stand before the first repetition.
fn places<G: Group>(relation: &Relation<'_, G>) -> (Vec<(&'static str, usize, usize)>, usize) {
    let (mut out, mut start, mut head) = (Vec::new(), 0, 0);
    for part in relation.layout() {
        head += usize::from(matches!(part.form, Form::Challenge(_) | Form::Commitment(_)));
        out.push((part.name, start, part.len));
        start += part.len;
    }
    (out, head)
}

/// Parts of one length, the first repetition and others, change places.
fn exchanged<G: Group, S: Statement<'static, G>>(
    statement: &S,
    proof: &[u8],
    repetitions: usize,
    own: Own<'static>,
) {
    let (places, head) = places::<G>(&statement.relation(None));
    let of_one = (places.len() - head) / repetitions;
    let mut tried = vec![(String::new(), proof.to_vec())];
    let swapped = |[one, other]: [usize; 2], len: usize| {
        let mut bytes = proof.to_vec();
        let (low, high) = bytes.split_at_mut(other);
        low[one..one + len].swap_with_slice(&mut high[..len]);
        bytes
    };
    let first = &places[..head + of_one];
    for (index, (name, start, len)) in first.iter().enumerate() {
        for (other, at, _) in first[index + 1..].iter().filter(|(_, _, other)| other == len) {
            tried.push((format!("{name}, {other}"), swapped([*start, *at], *len)));
        }
    }
    let from = places[head].1;
    let one = (proof.len() - from) / repetitions;
    for other in [1, repetitions - 1].into_iter().filter(|_| repetitions > 1) {
        tried.push((format!("repetition {other}"), swapped([from, from + other * one], one)));
        let (_, start, len) = places[head];
        tried.push((format!("a part of {other}"), swapped([start, start + other * one], len)));
    }
    let claims = tried
        .iter()
        .map(|(_, bytes)| ReceivedProof::<G>::new(statement, bytes, context(), own))
        .collect();
    let verdicts = verify_many(&engine(), claims);
    for ((what, _), verdict) in tried.iter().zip(verdicts) {
        assert_eq!(verdict.is_ok(), what.is_empty(), "{what}");
    }
}

#[test]
fn parts_change_places() {
    let [prover, verifier, _] = parties(FAST);
    let own = verifier.own();
    let (enc, witness) = encrypted(2);
    exchanged::<K, _>(&enc, made::<K, _>(&enc, witness(), FAST, 1).as_bytes(), 1, own);
    let (product, witness) = multiplied(FAST, 3);
    exchanged::<K, _>(&product, made::<K, _>(&product, witness(), FAST, 1).as_bytes(), 1, own);
    let factors = pi_fac::Statement { setup: verifier.setup(), key: prover.public() };
    let proof = made(&factors, pi_fac::Witness { key: &prover.key }, FAST, 1);
    exchanged::<NoPoints, _>(&factors, proof.as_bytes(), 1, own);
    // All of one point, so that nothing but the places tells the two apart.
    let g = K::generator();
    let two = keep(2u64.into());
    let logs = pi_elog::Statement::<K> { l: g + g, m: g + g + g + g, x: g, y: g + g, h: g };
    let proof = made::<K, _>(&logs, pi_elog::Witness { y: two, lambda: two }, FAST, 1);
    exchanged::<K, _>(&logs, proof.as_bytes(), 1, own);
}

#[test]
fn repetitions_change_places() {
    let [prover, verifier, _] = parties(TOY);
    let tables = keep(prover.setup().clone().with_tables(&engine(), 1 << 20).unwrap());
    let setup = pi_prm::Statement { setup: tables };
    let proof = made(&setup, pi_prm::Witness { trapdoor: &prover.trapdoor }, TOY, 1);
    exchanged::<NoPoints, _>(&setup, proof.as_bytes(), 128, verifier.own());
    // Through the prover's own factors, which is faster.
    let (product, witness) = multiplied(TOY, 3);
    let product = star(&product);
    let proof = made::<K, _>(&product, witness(), TOY, 1);
    exchanged::<K, _>(&product, proof.as_bytes(), 128, prover.own());
    let (sum, witness) = dec::case::<K>(TOY, &power(false, dec::Y_BITS, 77), 1);
    let proof = made::<K, _>(&sum, witness(), TOY, 1);
    exchanged::<K, _>(&sum, proof.as_bytes(), 128, prover.own());
}

/// Two proofs with numbers that are wrong by a factor and by its inverse, or by one prime of the modulus and by
/// the other. The error of one does not repair the other, wherever the two are.
#[test]
fn two_wrong_proofs_do_not_repair_each_other() {
    let [prover, verifier, _] = parties(FAST);
    let made: Vec<_> = (0..4)
        .map(|seed| {
            let (enc, witness) = encrypted(seed);
            (enc, made::<K, _>(&enc, witness(), FAST, seed).into_bytes())
        })
        .collect();
    let n = prover.public().modulus();
    let (z2, hat) = (32 + 256 + 97, verifier.setup().modulus());
    let [p, q] = fixtures::paillier_primes(FAST, 0)
        .map(|prime| Natural::from_be_bytes(&prime.to_be_bytes()));
    let [p_hat, q_hat] = fixtures::pedersen_primes(FAST, 1)
        .map(|prime| Natural::from_be_bytes(&prime.to_be_bytes()));
    let half = |modulus: &Natural| modulus.add(&1u64.into()).div_rem(&2u64.into()).unwrap().0;
    let read = |bytes: &[u8], at: usize| Natural::from_be_bytes(&bytes[at..at + 256]);
    let unit = |fault: &'static str| Err(ProofFault::Unit(fault));
    let equation = Err(ProofFault::Equation);
    for one in 0..4 {
        for other in (0..4).filter(|other| *other != one) {
            let times = |factor: &Natural, at: usize, modulus: &quorate_bignum::Modulus, which| {
                let (_, bytes): &(_, Vec<u8>) = &made[which];
                modulus.mul(&read(bytes, at), factor)
            };
            let two = Natural::from(2);
            let cases = [
                (z2, times(&two, z2, n, one), times(&half(n.value()), z2, n, other), equation),
                (
                    32,
                    times(&two, 32, hat, one),
                    times(&half(hat.value()), 32, hat, other),
                    equation,
                ),
                (z2, p.clone(), q.clone(), unit("z2")),
                (32, p_hat.clone(), q_hat.clone(), unit("a commitment")),
            ];
            for (at, first, second, expected) in cases {
                let mut proofs: Vec<Vec<u8>> =
                    made.iter().map(|(_, bytes)| bytes.clone()).collect();
                proofs[one][at..at + 256].copy_from_slice(&first.to_be_bytes(256).unwrap());
                proofs[other][at..at + 256].copy_from_slice(&second.to_be_bytes(256).unwrap());
                let claims = made.iter().zip(&proofs).map(|((statement, _), proof)| {
                    ReceivedProof::<K>::new(statement, proof, context(), verifier.own())
                });
                let verdicts = verify_many(&engine(), claims.collect());
                for (index, verdict) in verdicts.into_iter().enumerate() {
                    let wrong = index == one || index == other;
                    assert_eq!(verdict, if wrong { expected } else { Ok(()) }, "{one}, {other}");
                }
            }
        }
    }
}

/// `x` in `Q = s^x t^μ`, in `Q^x t^-μx = s^value` and twice in `xG + xG = X`.
#[derive(Clone, Copy)]
struct Squared {
    setup: &'static Pedersen,
    value: &'static Integer,
    point: <K as Curve>::Point,
    /// The hiding exponent is `x` too, where it has to be `-μx`.
    hiding: bool,
}

impl Statement<'static, K> for Squared {
    type Witness = &'static SecretInteger;

    fn relation(&self, witness: Option<Self::Witness>) -> Relation<'static, K> {
        let mut b = Relation::build("squared", FAST, ChallengeSet::Scalars);
        let x = b.integer("x", 256, witness);
        let q = b.commitment(self.setup, x, "mu");
        let v = b.minus_product("v", 2048 + 512, [q.mu, x]);
        b.product(q, x, if self.hiding { x } else { v }, self.value);
        let g = K::generator();
        b.point([self.point], [(g, x.into()), (g, x.into())]);
        b.finish()
    }
}

#[test]
fn one_component_in_many_places() {
    let [_, verifier, _] = parties(FAST);
    let g = K::generator();
    for (x, point) in [(3, K::mul_base(&6u64.into())), (-3, -K::mul_base(&6u64.into()))] {
        let statement =
            Squared { setup: verifier.setup(), value: keep(integer(9)), point, hiding: false };
        let proof = made::<K, _>(&statement, secret(&integer(x)), FAST, 1);
        assert_eq!(verdict::<K, _>(&statement, proof.as_bytes(), FAST), Ok(()));
        hostile::<K, _>(&statement, &proof, FAST);
        for other in [
            Squared { value: keep(integer(-9)), ..statement },
            Squared { value: keep(integer(10)), ..statement },
            Squared { point: -point, ..statement },
            Squared { point: point + g, ..statement },
            Squared { setup: parties(FAST)[2].setup(), ..statement },
        ] {
            assert!(verdict::<K, _>(&other, proof.as_bytes(), FAST).is_err());
            let proof = made::<K, _>(&other, secret(&integer(x)), FAST, 1);
            if other.setup == statement.setup {
                let out = verdict::<K, _>(&other, proof.as_bytes(), FAST);
                assert_eq!(out, Err(ProofFault::Equation));
            }
        }
        let hiding = Squared { hiding: true, ..statement };
        let proof = made::<K, _>(&hiding, secret(&integer(x)), FAST, 1);
        assert_eq!(verdict::<K, _>(&hiding, proof.as_bytes(), FAST), Err(ProofFault::Equation));
    }
}

/// A point without a curve is the identity, which no statement has.
struct Pointless;

impl Statement<'static, NoPoints> for Pointless {
    type Witness = &'static SecretInteger;

    fn relation(&self, witness: Option<Self::Witness>) -> Relation<'static, NoPoints> {
        let mut b = Relation::build("pointless", FAST, ChallengeSet::Bits);
        let x = b.integer("x", 256, witness);
        b.point([()], [((), x.into())]);
        b.finish()
    }
}

#[test]
fn points_without_a_curve() {
    let proof = made(&Pointless, secret(&integer(5)), FAST, 1);
    let out = verdict::<NoPoints, _>(&Pointless, proof.as_bytes(), FAST);
    assert_eq!(out, Err(ProofFault::Identity));
}
