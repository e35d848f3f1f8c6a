//! Πenc-elg.

use quorate_curve::Curve;
use quorate_paillier::{Ciphertext, Level};
use quorate_zk::pi_enc_elg::{Statement, Witness};
use quorate_zk::testing::{Cheat, prove_cheating};
use quorate_zk::{ProofFault, centred};

use crate::support::*;

fn case<C: Curve>(
    level: Level,
    seed: u64,
) -> (Statement<'static, C>, impl Fn() -> Witness<'static, C> + use<C>) {
    let [prover, verifier, _] = parties(level);
    let rng = &mut rng(seed);
    let (k, b, y) = (scalar::<C>(rng), scalar::<C>(rng), scalar::<C>(rng));
    let x = keep(centred::<C>(k));
    let rho = randomizer(prover.public(), rng);
    let a = C::mul_base(y);
    let statement = Statement {
        setup: verifier.setup(),
        ciphertext: encrypt(prover.public(), x, rho),
        a,
        b: C::mul_base(b),
        x: C::mul(&a, b) + C::mul_base(k),
    };
    (statement, move || Witness { x, rho, b })
}

#[test]
fn accepts() {
    for seed in 0..8 {
        let (statement, witness) = case::<K>(FAST, seed);
        assert_eq!(
            verdict::<K, _>(
                &statement,
                made::<K, _>(&statement, witness(), FAST, seed).as_bytes(),
                FAST
            ),
            Ok(())
        );
    }
    let (statement, witness) = case::<P>(Level::Bits128, 1);
    let proof = made::<P, _>(&statement, witness(), Level::Bits128, 2);
    assert_eq!(verdict::<P, _>(&statement, proof.as_bytes(), Level::Bits128), Ok(()));
}

#[test]
fn refuses() {
    let (statement, witness) = case::<K>(FAST, 1);
    let proof = made::<K, _>(&statement, witness(), FAST, 2);
    hostile::<K, _>(&statement, &proof, FAST);
    let g = K::generator();
    let [prover, verifier, third] = parties(FAST);
    let other =
        Ciphertext::new(prover.public(), statement.ciphertext.value().add(&1u64.into())).unwrap();
    let other_key = Ciphertext::new(
        verifier.public(),
        verifier.public().square().reduce(statement.ciphertext.value()),
    );
    altered::<K, _>(
        &[
            Statement { setup: third.setup(), ..statement },
            Statement { setup: prover.setup(), ..statement },
            Statement { ciphertext: keep(other), ..statement },
            Statement { ciphertext: keep(other_key.unwrap()), ..statement },
            Statement { a: statement.a + g, ..statement },
            Statement { b: statement.b + g, ..statement },
            Statement { x: statement.x + g, ..statement },
            Statement { a: -statement.a, ..statement },
        ],
        &proof,
        FAST,
    );
    for statement in [
        Statement { a: K::identity(), ..statement },
        Statement { b: K::identity(), ..statement },
        Statement { x: K::identity(), ..statement },
    ] {
        assert_eq!(verdict::<K, _>(&statement, proof.as_bytes(), FAST), Err(ProofFault::Identity));
    }
}

/// With the witness zero, a response is its mask, so a cheat can choose it freely.
#[test]
fn ranges() {
    let [prover, verifier, _] = parties(FAST);
    let rng = &mut rng(3);
    let b = scalar::<K>(rng);
    let rho = randomizer(prover.public(), rng);
    let zero = secret(&integer(0));
    let a = K::mul_base(scalar::<K>(rng));
    let statement = Statement::<K> {
        setup: verifier.setup(),
        ciphertext: encrypt(prover.public(), zero, rho),
        a,
        b: K::mul_base(b),
        x: K::mul(&a, b),
    };
    // ℓ + ε, and that with |N̂|.
    for (bits, name) in [(768, "z1"), (768 + 2048, "z3")] {
        for (value, expected) in [
            (power(false, bits - 1, 0), Ok(())),
            (power(true, bits - 1, 0), Ok(())),
            (power(false, bits - 1, 1), Err(ProofFault::Range(name))),
            (power(true, bits - 1, -1), Err(ProofFault::Range(name))),
        ] {
            let cheat = Cheat {
                witness: vec![(name, integer(0))],
                masks: vec![(name, value)],
                ..Cheat::default()
            };
            let both = (context(), prover.own());
            let witness = Witness { x: zero, rho, b };
            let proof =
                prove_cheating::<K, _>(&engine(), &statement, witness, both, &cheat, rng).unwrap();
            assert_eq!(verdict::<K, _>(&statement, proof.as_bytes(), FAST), expected);
        }
    }
}

#[test]
fn witness_out_of_range() {
    let (statement, witness) = case::<K>(FAST, 1);
    let long = secret(&power(false, 256, 0));
    let out = quorate_zk::prove::<K, _>(
        &engine(),
        &statement,
        Witness { x: long, ..witness() },
        context(),
        parties(FAST)[0].own(),
        &mut rng(1),
    );
    assert_eq!(out, Err(quorate_zk::Error::Range("z1")));
    // A number of 2^(ℓ+ε+1) that the rest of the statement fits: the response is too long.
    let long = secret(&power(false, 769, 0));
    let rho = randomizer(parties(FAST)[0].public(), &mut rng(2));
    let b = witness().b;
    let statement = Statement {
        ciphertext: encrypt(parties(FAST)[0].public(), long, rho),
        x: K::mul(&statement.a, b) + K::mul_base(&quorate_zk::scalar::<K>(long)),
        ..statement
    };
    let both = (context(), parties(FAST)[0].own());
    let witness = Witness { x: long, rho, b };
    let proof = prove_cheating::<K, _>(
        &engine(),
        &statement,
        witness,
        both,
        &Cheat::default(),
        &mut rng(3),
    )
    .unwrap();
    // A response that long has no encoding.
    assert_eq!(verdict::<K, _>(&statement, proof.as_bytes(), FAST), Err(ProofFault::Length));
}
