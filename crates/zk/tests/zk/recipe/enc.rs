//! Πenc.

use quorate_paillier::Ciphertext;
use quorate_zk::testing::{Cheat, prove_cheating};
use quorate_zk::{NoPoints, ProofFault};

use super::pi_enc::{Statement, Witness};

use crate::support::*;

/// A statement about this plaintext, with its witness.
fn case(
    x: &'static quorate_bignum::SecretInteger,
) -> (Statement<'static>, impl Fn() -> Witness<'static>) {
    let [prover, verifier, _] = parties(FAST);
    let rho = randomizer(prover.public(), &mut rng(1));
    let ciphertext = encrypt(prover.public(), x, rho);
    (Statement { setup: verifier.setup(), ciphertext }, move || Witness { x, rho })
}

#[test]
fn accepts_and_refuses() {
    let (statement, witness) = case(secret(&power(true, 255, 7)));
    let proof = made::<NoPoints, _>(&statement, witness(), FAST, 2);
    // As it is; each part altered, at each edge of its form; in other contexts.
    hostile::<NoPoints, _>(&statement, &proof, FAST);
    // Every other statement that differs in one place.
    let [prover, _, third] = parties(FAST);
    let value = statement.ciphertext.value().add(&1u64.into());
    let other = keep(Ciphertext::new(prover.public(), value).unwrap());
    altered::<NoPoints, _>(
        &[
            Statement { setup: prover.setup(), ..statement },
            Statement { setup: third.setup(), ..statement },
            Statement { ciphertext: other, ..statement },
        ],
        &proof,
        FAST,
    );
}

/// A response at its bound and one past it, on both sides. With the witness zero it is its mask.
#[test]
fn ranges() {
    let (statement, witness) = case(secret(&integer(0)));
    // ℓ + ε, and that with |N̂|.
    for (bits, name) in [(768, "z1"), (768 + 2048, "z3")] {
        for (value, expected) in [
            (power(false, bits - 1, 0), Ok(())),
            (power(true, bits - 1, 0), Ok(())),
            (power(false, bits - 1, 1), Err(ProofFault::Range(name))),
            (power(true, bits - 1, -1), Err(ProofFault::Range(name))),
        ] {
            let (witness_of, masks) = (vec![(name, integer(0))], vec![(name, value)]);
            let cheat = Cheat { witness: witness_of, masks, ..Cheat::default() };
            let both = (context(), parties(FAST)[0].own());
            let (engine, rng) = (engine(), &mut rng(3));
            let proof =
                prove_cheating::<NoPoints, _>(&engine, &statement, witness(), both, &cheat, rng);
            let verdict = verdict::<NoPoints, _>(&statement, proof.unwrap().as_bytes(), FAST);
            assert_eq!(verdict, expected);
        }
    }
}
