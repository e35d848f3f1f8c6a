//! Πfac and Πprm.

use quorate_bignum::{Integer, Natural};
use quorate_paillier::{EncryptionKey, Level, Pedersen, PedersenTrapdoor};
use quorate_zk::testing::{Cheat, prove_cheating};
use quorate_zk::{Error, NoPoints, Own, Proof, ProofFault, pi_fac, pi_prm, prove, verify};

use crate::support::*;

#[test]
fn factors() {
    for level in Level::ALL {
        let [prover, verifier, third] = parties(level);
        let statement = pi_fac::Statement { setup: verifier.setup(), key: prover.public() };
        let proof = made::<NoPoints, _>(&statement, pi_fac::Witness { key: &prover.key }, level, 1);
        assert_eq!(proof.as_bytes().len(), pi_fac::proof_bytes(level));
        assert_eq!(verdict::<NoPoints, _>(&statement, proof.as_bytes(), level), Ok(()));
        if level == FAST {
            hostile::<NoPoints, _>(&statement, &proof, level);
            let others = [
                pi_fac::Statement { key: third.public(), ..statement },
                pi_fac::Statement { setup: third.setup(), ..statement },
                pi_fac::Statement { setup: prover.setup(), ..statement },
            ];
            altered::<NoPoints, _>(&others, &proof, level);
        }
    }
}

/// A party that knows the order can prove anything under its own setup. With `p = q = 0` and `v = λN`, the
/// responses of the factors are their masks. (That of `v` is not; the check is the same one.)
#[test]
fn factor_ranges() {
    let [prover, verifier, _] = parties(FAST);
    let statement = pi_fac::Statement { setup: verifier.setup(), key: prover.public() };
    let lambda = Integer::from(verifier.trapdoor.lambda().declassify());
    let v = lambda.mul(prover.public().exponent());
    let bits = 1024 + 768;
    for (bits, name) in [(bits, "z1"), (bits, "z2"), (768 + 2048, "w1"), (768 + 2048, "w2")] {
        for (value, expected) in [
            (power(false, bits - 1, 0), Ok(())),
            (power(true, bits - 1, 0), Ok(())),
            (power(false, bits - 1, 1), Err(ProofFault::Range(name))),
            (power(true, bits - 1, -1), Err(ProofFault::Range(name))),
        ] {
            let mut witness = vec![("z1", integer(0)), ("z2", integer(0)), ("v", v.clone())];
            if name.starts_with('w') {
                witness.push((name, integer(0)));
            }
            let cheat = Cheat { witness, masks: vec![(name, value)], ..Cheat::default() };
            let both = (context(), Own::default());
            let witness = pi_fac::Witness { key: &prover.key };
            let proof = prove_cheating::<NoPoints, _>(
                &engine(),
                &statement,
                witness,
                both,
                &cheat,
                &mut rng(6),
            )
            .unwrap();
            assert_eq!(
                verdict::<NoPoints, _>(&statement, proof.as_bytes(), FAST),
                expected,
                "{name}"
            );
        }
    }
}

/// `N = 1 · N` and a factor of 64 bits: the other factor is too long.
#[test]
fn small_factors() {
    let [_, verifier, _] = parties(FAST);
    for small in [1u64, 3, 0xffff_ffff_ffff_ffc5] {
        let mut other =
            Natural::power_of_two(2047).div_rem(&small.into()).unwrap().0.add(&1u64.into());
        if !other.is_odd() {
            other = other.add(&1u64.into());
        }
        let n = other.mul(&small.into());
        let key = EncryptionKey::new(FAST, &n).unwrap();
        let statement = pi_fac::Statement { setup: verifier.setup(), key: keep(key) };
        let (p, q) = (Integer::from(Natural::from(small)), Integer::from(other));
        let cheat =
            Cheat { witness: vec![("z1", p), ("z2", q)], masks: vec![], ..Cheat::default() };
        let both = (context(), Own::default());
        let witness = pi_fac::Witness { key: &parties(FAST)[0].key };
        let proof = prove_cheating::<NoPoints, _>(
            &engine(),
            &statement,
            witness,
            both,
            &cheat,
            &mut rng(6),
        )
        .unwrap();
        // A response that long has no encoding.
        assert_eq!(
            verdict::<NoPoints, _>(&statement, proof.as_bytes(), FAST),
            Err(ProofFault::Length)
        );
    }
}

fn setup_proof(trapdoor: &'static PedersenTrapdoor, seed: u64) -> Proof {
    let statement = pi_prm::Statement { setup: trapdoor.pedersen() };
    let witness = pi_prm::Witness { trapdoor };
    prove::<NoPoints, _>(&engine(), &statement, witness, context(), Own::default(), &mut rng(seed))
        .unwrap()
}

fn setup_verdict(setup: &'static Pedersen, proof: &[u8]) -> Result<(), ProofFault> {
    let statement = pi_prm::Statement { setup };
    verify::<NoPoints, _>(&engine(), &statement, proof, context(), Own::default())
}

#[test]
fn setups() {
    let [prover, verifier, _] = parties(TOY);
    let tables = prover.setup().clone().with_tables(&engine(), 1 << 20).unwrap();
    let tables = keep(tables);
    let proof = setup_proof(&prover.trapdoor, 1);
    assert_eq!(setup_verdict(prover.setup(), proof.as_bytes()), Ok(()));
    assert_eq!(setup_verdict(tables, proof.as_bytes()), Ok(()));
    let statement = pi_prm::Statement { setup: tables };
    hostile::<NoPoints, _>(&statement, &proof, TOY);
    let minus_s = prover.setup().modulus().neg(prover.setup().s());
    let new = |s: &Natural, t: &Natural| {
        keep(Pedersen::new(TOY, prover.setup().modulus().value(), s.clone(), t.clone()).unwrap())
    };
    let (s, t) = (prover.setup().s(), prover.setup().t());
    for setup in
        [new(&minus_s, t), new(t, s), new(s, &prover.setup().modulus().mul(t, t)), verifier.setup()]
    {
        assert!(setup_verdict(setup, proof.as_bytes()).is_err());
    }
    assert_eq!(proof.as_bytes().len(), pi_prm::proof_bytes(TOY));
    let full = parties(Level::Bits128)[0].setup();
    let proof = setup_proof(&parties(Level::Bits128)[0].trapdoor, 1);
    assert_eq!(proof.as_bytes().len(), pi_prm::proof_bytes(Level::Bits128));
    assert_eq!(setup_verdict(full, proof.as_bytes()), Ok(()));
}

/// A value off by an element of small order survives one repetition in two, so none of 128: that is why challenges are
/// bits. The prover does as well as it can, with the logarithm of what `s` would be without that element.
#[test]
fn cheated_setups() {
    let [prover, _, _] = parties(FAST);
    let (honest, modulus) = (prover.setup(), prover.setup().modulus());
    let square = modulus.mul(honest.t(), honest.t());
    for s in [modulus.neg(honest.s()), modulus.mul(honest.s(), &square), Natural::from(4)] {
        let setup = Pedersen::new(FAST, modulus.value(), s, honest.t().clone()).unwrap();
        let statement = pi_prm::Statement { setup: keep(setup) };
        let witness = || pi_prm::Witness { trapdoor: &prover.trapdoor };
        let both = (context(), Own::default());
        let out =
            prove::<NoPoints, _>(&engine(), &statement, witness(), both.0, both.1, &mut rng(1));
        assert_eq!(out, Err(Error::Witness("z")));
        let cheat = Cheat::default();
        let proof = prove_cheating::<NoPoints, _>(
            &engine(),
            &statement,
            witness(),
            both,
            &cheat,
            &mut rng(1),
        );
        let verdict = setup_verdict(statement.setup, proof.unwrap().as_bytes());
        assert_eq!(verdict, Err(ProofFault::Equation));
    }
}
