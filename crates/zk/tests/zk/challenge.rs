//! The inputs of challenges.

use quorate_bignum::{Natural, SecretInteger};
use quorate_curve::Curve;
use quorate_paillier::{Ciphertext, Pedersen};
use quorate_zk::sigma::{ChallengeSet, Relation, Statement};
use quorate_zk::testing::{Cheat, prove_cheating};
use quorate_zk::{
    Error, Group, NoPoints, ProofContext, ProofFault, pi_aff_g, pi_elog, pi_fac, pi_prm, pi_sch,
    prove,
};

use crate::machine::multiplied;
use crate::support::*;

/// Bits that were seen set, and those that were seen unset.
fn seen(challenges: impl Iterator<Item = Vec<u8>>) -> Vec<[u8; 2]> {
    let mut seen = Vec::new();
    for challenge in challenges {
        seen.resize(challenge.len(), [0; 2]);
        for ([set, unset], byte) in seen.iter_mut().zip(challenge) {
            *set |= byte;
            *unset |= !byte;
        }
    }
    seen
}

/// Over many transcripts every bit of a challenge is seen set and unset.
#[test]
fn challenge_bits_are_live() {
    let x = scalar::<K>(&mut rng(1));
    let statement = pi_sch::Statement::<K> { x: K::mul_base(x) };
    let scalars: Vec<_> = (0..200)
        .map(|seed| {
            made::<K, _>(&statement, pi_sch::Witness { x }, TOY, seed).as_bytes()[..32].to_vec()
        })
        .collect();
    let ones: u32 = scalars.iter().flatten().map(|byte| byte.count_ones()).sum();
    // 51200 coins: ten standard deviations on either side.
    assert!((24470..26730).contains(&ones), "{ones}");
    assert_eq!(seen(scalars.into_iter()), [[0xff; 2]; 32]);

    let [prover, verifier, _] = parties(TOY);
    let setup = pi_prm::Statement { setup: prover.setup() };
    let bits = (0..24).map(|seed| {
        let witness = pi_prm::Witness { trapdoor: &prover.trapdoor };
        made(&setup, witness, TOY, seed).as_bytes()[..16].to_vec()
    });
    assert_eq!(seen(bits), [[0xff; 2]; 16]);
    let factors = pi_fac::Statement { setup: verifier.setup(), key: prover.public() };
    let integers = (0..24).map(|seed| {
        let witness = pi_fac::Witness { key: &prover.key };
        made(&factors, witness, TOY, seed).as_bytes()[..32].to_vec()
    });
    assert_eq!(seen(integers), [[0xff; 2]; 32]);
}

/// The challenge of a proof that is made with the same masks whatever the statement is, and whether or not it fits.
fn challenge<G: Group, S: Statement<'static, G>>(
    statement: &S,
    witness: S::Witness,
    context: ProofContext<'static>,
) -> Vec<u8> {
    let (both, cheat) = ((context, parties(FAST)[0].own()), Cheat::default());
    let proof = prove_cheating(&engine(), statement, witness, both, &cheat, &mut rng(8)).unwrap();
    proof.as_bytes()[..32].to_vec()
}

fn all_different(mut challenges: Vec<Vec<u8>>) {
    let count = challenges.len();
    challenges.sort_unstable();
    challenges.dedup();
    assert_eq!(challenges.len(), count);
}

/// Every number of a statement is in the challenge by itself, and not by way of the first message alone.
#[test]
fn challenges_depend_on_everything() {
    let (s, witness) = multiplied(FAST, 3);
    let more =
        |c: &Ciphertext| keep(Ciphertext::new(c.key(), c.value().add(&1u64.into())).unwrap()) as &_;
    let n = s.setup.modulus();
    let setup = |s: &Natural, t: &Natural| {
        keep(Pedersen::new(FAST, n.value(), s.clone(), t.clone()).unwrap()) as &_
    };
    let (base_s, base_t) = (s.setup.s(), s.setup.t());
    let (other_s, other_t) = (n.mul(base_s, base_s), n.mul(base_t, base_t));
    let statements = [
        s,
        pi_aff_g::Statement { c: more(s.c), ..s },
        pi_aff_g::Statement { d: more(s.d), ..s },
        pi_aff_g::Statement { y: more(s.y), ..s },
        pi_aff_g::Statement { x: s.x + K::generator(), ..s },
        pi_aff_g::Statement { setup: setup(&other_s, base_t), ..s },
        pi_aff_g::Statement { setup: setup(base_s, &other_t), ..s },
        pi_aff_g::Statement { setup: parties(FAST)[2].setup(), ..s },
    ];
    let mut challenges: Vec<_> =
        statements.iter().map(|s| challenge(s, witness(), context())).collect();
    challenges.extend(elsewhere().map(|context| challenge(&s, witness(), context)));
    all_different(challenges);

    let g = K::generator();
    let s = pi_elog::Statement::<K> { l: g, m: g + g, x: g, y: g, h: g };
    let statements = [
        s,
        pi_elog::Statement { l: g + g, ..s },
        pi_elog::Statement { m: g, ..s },
        pi_elog::Statement { x: g + g, ..s },
        pi_elog::Statement { y: g + g, ..s },
        pi_elog::Statement { h: g + g, ..s },
    ];
    let one = keep(1u64.into());
    let witness = || pi_elog::Witness { y: one, lambda: one };
    all_different(statements.iter().map(|s| challenge(s, witness(), context())).collect());

    let [prover, verifier, third] = parties(FAST);
    let moduli = [prover, verifier, third].map(|party| {
        let s = pi_fac::Statement { setup: verifier.setup(), key: party.public() };
        challenge(&s, pi_fac::Witness { key: &prover.key }, context())
    });
    all_different(moduli.into());
}

/// The commitments of the prover are in the challenge, though they are in no first message: else they could be chosen
/// after it.
#[test]
fn challenges_depend_on_commitments() {
    let (statement, witness) = multiplied(FAST, 3);
    let challenges = [("z3", "z4", 5), ("z3", "z4", 6), ("z4", "z3", 5), ("z4", "z3", 6)];
    let challenges = challenges.map(|(one, other, value)| {
        // The other one is given too, so that the same masks are drawn.
        let fixed = vec![(one, integer(value)), (other, integer(7))];
        let cheat = Cheat { witness: fixed, masks: vec![], ..Cheat::default() };
        let both = (context(), parties(FAST)[0].own());
        let proof =
            prove_cheating::<K, _>(&engine(), &statement, witness(), both, &cheat, &mut rng(8));
        let proof = proof.unwrap().into_bytes();
        assert_eq!(verdict::<K, _>(&statement, &proof, FAST), Ok(()));
        proof[..32].to_vec()
    });
    all_different(challenges.into());
}

/// An integer in a commitment, and nothing else.
struct Committed {
    setup: &'static Pedersen,
    challenges: ChallengeSet,
}

impl<G: Group> Statement<'static, G> for Committed {
    type Witness = &'static SecretInteger;

    fn relation(&self, witness: Option<Self::Witness>) -> Relation<'static, G> {
        let mut b = Relation::build("committed", FAST, self.challenges);
        let z1 = b.integer("z1", 256, witness);
        b.commitment(self.setup, z1, "z2");
        b.finish()
    }
}

/// If the statement has no point, the curve is in the challenge all the same. Without a curve there is none.
#[test]
fn curves_without_points() {
    let statement =
        Committed { setup: parties(FAST)[1].setup(), challenges: ChallengeSet::Integers };
    let witness = secret(&integer(5));
    let proof = made::<K, _>(&statement, witness, FAST, 1);
    assert_eq!(verdict::<K, _>(&statement, proof.as_bytes(), FAST), Ok(()));
    assert_eq!(verdict::<P, _>(&statement, proof.as_bytes(), FAST), Err(ProofFault::Equation));
    assert_eq!(
        verdict::<NoPoints, _>(&statement, proof.as_bytes(), FAST),
        Err(ProofFault::Equation)
    );
    let proof = made::<NoPoints, _>(&statement, witness, FAST, 1);
    assert_eq!(verdict::<NoPoints, _>(&statement, proof.as_bytes(), FAST), Ok(()));
    assert_eq!(verdict::<K, _>(&statement, proof.as_bytes(), FAST), Err(ProofFault::Equation));
}

/// Without a curve there are no scalars to draw a challenge from: neither side takes such a relation.
#[test]
fn scalar_challenges_without_a_curve() {
    let statement =
        Committed { setup: parties(FAST)[1].setup(), challenges: ChallengeSet::Scalars };
    let own = parties(FAST)[0].own();
    let witness = secret(&integer(5));
    let out = prove::<NoPoints, _>(&engine(), &statement, witness, context(), own, &mut rng(1));
    assert_eq!(out.err(), Some(Error::Relation));
    let len = Statement::<NoPoints>::relation(&statement, None).proof_bytes();
    let out = verdict::<NoPoints, _>(&statement, &vec![0; len], FAST);
    assert_eq!(out, Err(ProofFault::Encoding("e")));
}
