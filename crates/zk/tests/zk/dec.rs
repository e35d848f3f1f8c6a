//! Πdec.

use quorate_bignum::Integer;
use quorate_curve::Curve;
use quorate_paillier::{Ciphertext, Level};
use quorate_zk::pi_dec::{SUM_SLACK, Statement, Witness, sum_bits};
use quorate_zk::testing::{Cheat, prove_cheating};
use quorate_zk::{Own, Proof, ProofFault, centred, prove, verify};

use crate::support::*;

/// Bits of the sum of two products, at the level of most of these tests.
pub(crate) const Y_BITS: u32 = TOY.ell_prime() + TOY.epsilon() - 1;

/// `x·K ⊕ D = enc(y)`; the prover learns `y` and the randomizer by decryption.
pub(crate) fn case<C: Curve>(
    level: Level,
    y: &Integer,
    seed: u64,
) -> (Statement<'static, C>, impl Fn() -> Witness<'static> + use<C>) {
    let [prover, _, _] = parties(level);
    let rng = &mut rng(seed);
    let key = prover.public();
    let (x, k, h) =
        (scalar::<C>(rng), centred::<C>(scalar::<C>(rng)), C::mul_base(scalar::<C>(rng)));
    let k = encrypt(key, &k, randomizer(key, rng));
    let sum = encrypt(key, secret(y), randomizer(key, rng));
    let x_integer = keep(centred::<C>(x));
    let product = quorate_bignum::SecretProduct::new(key.square()).power(k.value(), x_integer);
    let product = key.publish(engine().evaluate(&[product])[0].as_ref().unwrap()).unwrap();
    let d = keep(sum.sub_vartime(&product).unwrap());
    let y = keep(prover.key.decrypt_many(&engine(), &[sum]).unwrap().remove(0));
    let rho = keep(prover.key.randomizers(&engine(), &[sum]).unwrap().remove(0));
    let s = C::mul(&h, &quorate_zk::scalar::<C>(y));
    (Statement { k, d, x: C::mul_base(x), s, h }, move || Witness { x: x_integer, y, rho })
}

fn proof_of<C: Curve>(
    statement: &Statement<'static, C>,
    witness: Witness<'static>,
    level: Level,
) -> Proof {
    prove(&engine(), statement, witness, context(), parties(level)[0].own(), &mut rng(9)).unwrap()
}

fn check<C: Curve>(statement: &Statement<'static, C>, proof: &[u8]) -> Result<(), ProofFault> {
    verify(&engine(), statement, proof, context(), Own::default())
}

#[test]
fn accepts() {
    for d in [power(false, Y_BITS, 77), power(true, Y_BITS + 4, 5)] {
        let (statement, witness) = case::<K>(TOY, &d, 1);
        assert_eq!(check(&statement, proof_of(&statement, witness(), TOY).as_bytes()), Ok(()));
    }
}

#[test]
#[ignore = "long: .ci/run long"]
fn accepts_at_the_full_level() {
    let (statement, witness) = case::<P>(Level::Bits128, &power(true, 1791, 77), 1);
    assert_eq!(
        check(&statement, proof_of(&statement, witness(), Level::Bits128).as_bytes()),
        Ok(())
    );
}

#[test]
fn refuses() {
    let (s, witness) = case::<K>(TOY, &power(true, Y_BITS, 77), 1);
    let proof = proof_of(&s, witness(), TOY).into_bytes();
    let g = K::generator();
    let more =
        |c: &Ciphertext| keep(Ciphertext::new(c.key(), c.value().add(&1u64.into())).unwrap()) as &_;
    for statement in [
        Statement { k: more(s.k), ..s },
        Statement { d: more(s.d), ..s },
        Statement { x: s.x + g, ..s },
        Statement { s: s.s + g, ..s },
        Statement { h: s.h + g, ..s },
        Statement { s: K::identity(), ..s },
        Statement {
            k: parties(TOY)[1]
                .key
                .encryption_key()
                .encrypt_many(
                    &engine(),
                    &[(secret(&integer(1)), randomizer(parties(TOY)[1].public(), &mut rng(1)))],
                )
                .map(|mut list| keep(list.remove(0)))
                .unwrap(),
            ..s
        },
    ] {
        assert!(check(&statement, &proof).is_err());
    }
    let own = parties(TOY)[0].own();
    Case { statement: s, proof: &proof, own }.holds::<K>();
    let one = (proof.len() - 16) / 128;
    assert_eq!(check(&s, &proof[..proof.len() - one]), Err(ProofFault::Length));
    assert_eq!(check(&s, &[&proof[..], &proof[16..16 + one]].concat()), Err(ProofFault::Length));
}

/// With `y = 1` the responses are the mask and one more, each of them for some repetition.
#[test]
fn ranges() {
    let (s, witness) = case::<K>(TOY, &integer(1), 4);
    assert_eq!(Level::ALL.map(sum_bits), [1816; 2]);
    let bits = sum_bits(TOY) + SUM_SLACK;
    for (value, expected) in [
        (power(false, bits - 1, -1), Ok(())),
        (power(true, bits - 1, 0), Ok(())),
        (power(false, bits - 1, 0), Err(ProofFault::Range("w"))),
        (power(true, bits - 1, -1), Err(ProofFault::Range("w"))),
    ] {
        let cheat = Cheat { witness: vec![], masks: vec![("w", value)], ..Cheat::default() };
        let both = (context(), parties(TOY)[0].own());
        let proof =
            prove_cheating::<K, _>(&engine(), &s, witness(), both, &cheat, &mut rng(6)).unwrap();
        assert_eq!(check(&s, proof.as_bytes()), expected);
    }
}
