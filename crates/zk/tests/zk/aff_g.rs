//! Πaff-g and Πaff-g*.

use quorate_bignum::Integer;
use quorate_curve::Curve;
use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, Level};
use quorate_zk::pi_aff_g::{Statement, Witness};
use quorate_zk::testing::{Cheat, prove_cheating};
use quorate_zk::{
    Error, Proof, ProofFault, Prover, ReceivedProof, centred, pi_aff_g_star, prove, prove_many,
    verify,
};

use crate::support::*;

/// A case with a chosen multiplier and mask.
fn with<C: Curve>(
    level: Level,
    x: &'static quorate_bignum::SecretInteger,
    y: &Integer,
    seed: u64,
) -> (Statement<'static, C>, impl Fn() -> Witness<'static> + use<C>) {
    let [prover, verifier, _] = parties(level);
    let rng = &mut rng(seed);
    let (rho, rho_y) = (randomizer(verifier.public(), rng), randomizer(prover.public(), rng));
    let y = secret(y);
    let k = centred::<C>(scalar::<C>(rng));
    let c = encrypt(verifier.public(), &k, randomizer(verifier.public(), rng));
    let statement = Statement {
        setup: verifier.setup(),
        c,
        d: affine(c, x, y, rho),
        y: encrypt(prover.public(), y, rho_y),
        x: C::mul_base(&quorate_zk::scalar::<C>(x)),
    };
    (statement, move || Witness { x, y, rho, rho_y })
}

fn case<C: Curve>(
    level: Level,
    seed: u64,
) -> (Statement<'static, C>, impl Fn() -> Witness<'static> + use<C>) {
    let x = keep(centred::<C>(scalar::<C>(&mut rng(seed + 100))));
    with::<C>(level, x, &power(seed % 2 == 1, level.ell_prime() - 2, 12345), seed)
}

pub(crate) fn star<C: Curve>(s: &Statement<'static, C>) -> pi_aff_g_star::Statement<'static, C> {
    pi_aff_g_star::Statement { c: s.c, d: s.d, y: s.y, x: s.x }
}

#[test]
fn accepts() {
    for seed in 0..4 {
        let (statement, witness) = case::<K>(FAST, seed);
        let proof = made::<K, _>(&statement, witness(), FAST, seed);
        assert_eq!(verdict::<K, _>(&statement, proof.as_bytes(), FAST), Ok(()));
    }
    let (statement, witness) = case::<P>(Level::Bits128, 1);
    let proof = made::<P, _>(&statement, witness(), Level::Bits128, 2);
    assert_eq!(verdict::<P, _>(&statement, proof.as_bytes(), Level::Bits128), Ok(()));
}

/// Every other statement that differs in one place.
fn others(level: Level, s: Statement<'static, K>) -> Vec<Statement<'static, K>> {
    let [prover, verifier, third] = parties(level);
    let more =
        |c: &Ciphertext| keep(Ciphertext::new(c.key(), c.value().add(&1u64.into())).unwrap()) as &_;
    let other = |c: &Ciphertext| {
        let key = third.public();
        keep(Ciphertext::new(key, key.square().reduce(c.value())).unwrap()) as &_
    };
    vec![
        Statement { setup: prover.setup(), ..s },
        Statement { setup: third.setup(), ..s },
        Statement { c: more(s.c), ..s },
        Statement { d: more(s.d), ..s },
        Statement { y: more(s.y), ..s },
        Statement { c: other(s.c), ..s },
        Statement { d: other(s.d), ..s },
        Statement { y: other(s.y), ..s },
        Statement { c: other(s.c), d: other(s.d), ..s },
        Statement { x: s.x + K::generator(), ..s },
        Statement { x: K::identity(), ..s },
        Statement { d: keep(s.d.add(s.c).unwrap()), x: s.x, ..s },
        Statement { setup: verifier.setup(), c: s.d, d: s.c, ..s },
    ]
}

#[test]
fn refuses() {
    let (statement, witness) = case::<K>(FAST, 1);
    let proof = made::<K, _>(&statement, witness(), FAST, 2);
    hostile::<K, _>(&statement, &proof, FAST);
    altered::<K, _>(&others(FAST, statement), &proof, FAST);
}

/// A response at its bound, and one past it, on both sides. With zeros as witness the responses are the masks. (The
/// multiplier is not zero, since X would be O; its range is tried below, where challenges are bits.)
#[test]
fn ranges() {
    let zero = secret(&integer(0));
    for (bits, name) in [(1792, "z2"), (768 + 2048, "z3"), (768 + 2048, "z4")] {
        let one = secret(&integer(1));
        let (statement, witness) = with::<K>(FAST, one, &integer(0), 5);
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
            let both = (context(), parties(FAST)[0].own());
            let witness = Witness { y: zero, ..witness() };
            let proof =
                prove_cheating::<K, _>(&engine(), &statement, witness, both, &cheat, &mut rng(6))
                    .unwrap();
            assert_eq!(verdict::<K, _>(&statement, proof.as_bytes(), FAST), expected);
        }
    }
}

/// A multiplier and a mask that are too long, with everything else in order.
#[test]
fn long_witnesses() {
    let one = secret(&integer(1));
    for (x, y) in [(power(false, 769, 0), integer(1)), (power(true, 769, 0), integer(1))]
        .map(|(x, y)| (secret(&x), y))
        .into_iter()
        .chain([(one, power(false, 1793, 0)), (one, power(true, 1793, 0))])
    {
        let (statement, witness) = with::<K>(FAST, x, &y, 5);
        let both = (context(), parties(FAST)[0].own());
        let proof = prove_cheating::<K, _>(
            &engine(),
            &statement,
            witness(),
            both,
            &Cheat::default(),
            &mut rng(6),
        );
        // A response that long has no encoding.
        let verdict = verdict::<K, _>(&statement, proof.unwrap().as_bytes(), FAST);
        assert_eq!(verdict, Err(ProofFault::Length));
    }
}

fn star_proof<C: Curve>(
    statement: &pi_aff_g_star::Statement<'static, C>,
    witness: Witness<'static>,
    level: Level,
) -> Proof {
    let own = parties(level)[0].own();
    prove::<C, _>(&engine(), statement, witness, context(), own, &mut rng(2)).unwrap()
}

#[test]
fn star_accepts_and_refuses() {
    let (statement, witness) = case::<K>(TOY, 1);
    let starred = star(&statement);
    let proof = star_proof(&starred, witness(), TOY);
    let own = parties(TOY)[1].own();
    Case { statement: starred, proof: proof.as_bytes(), own }.holds::<K>();
    // The setup is of no interest here.
    for statement in others(TOY, statement).iter().skip(3) {
        let case = Case { statement: star(statement), proof: proof.as_bytes(), own };
        assert_ne!(case.verdicts::<K>(&[(proof.as_bytes().to_vec(), context())], own), [Ok(())]);
    }
    // One repetition less.
    let cut = proof.as_bytes().len() - (proof.as_bytes().len() - 16) / 128;
    let claim = ReceivedProof::<K>::new(&starred, &proof.as_bytes()[..cut], context(), own);
    assert_eq!(claim.err(), Some(ProofFault::Length));
}

#[test]
#[ignore = "long: .ci/run long"]
fn star_accepts_at_the_full_level() {
    let (statement, witness) = case::<P>(Level::Bits128, 1);
    let statement = star(&statement);
    let proof = star_proof(&statement, witness(), Level::Bits128);
    let own = parties(Level::Bits128)[1].own();
    assert_eq!(verify(&engine(), &statement, proof.as_bytes(), context(), own), Ok(()));
}

/// With `x = 1` and `y = 1` the responses are the mask and one more, each of them for some repetition.
#[test]
fn star_ranges() {
    let (statement, witness) = with::<K>(TOY, secret(&integer(1)), &integer(1), 5);
    let starred = star(&statement);
    for (witness_bits, name) in [(ELL, "z1"), (TOY.ell_prime(), "z2")] {
        let bits = witness_bits + TOY.epsilon();
        for (value, expected) in [
            (power(false, bits - 1, -1), Ok(())),
            (power(true, bits - 1, 0), Ok(())),
            (power(false, bits - 1, 0), Err(ProofFault::Range(name))),
            (power(true, bits - 1, -1), Err(ProofFault::Range(name))),
        ] {
            let cheat = Cheat { witness: vec![], masks: vec![(name, value)], ..Cheat::default() };
            let both = (context(), parties(TOY)[0].own());
            let proof =
                prove_cheating::<K, _>(&engine(), &starred, witness(), both, &cheat, &mut rng(6))
                    .unwrap();
            let verdict = verify::<K, _>(
                &engine(),
                &starred,
                proof.as_bytes(),
                context(),
                parties(TOY)[1].own(),
            );
            assert_eq!(verdict, expected);
        }
    }
}

/// A statement on which two accomplices could agree: D and Y encrypt unrelated numbers, and everything else is
/// valid. A prover that knows both cannot answer for them with one response, neither to the verifier nor to
/// everybody.
#[test]
fn unrelated_numbers() {
    let [prover, verifier, _] = parties(TOY);
    let (y, other) = (
        secret(&power(false, TOY.ell_prime() - 2, 77)),
        secret(&power(true, TOY.ell_prime() - 2, 5)),
    );
    let x = keep(centred::<K>(scalar::<K>(&mut rng(8))));
    let (statement, witness) = with::<K>(TOY, x, &power(false, TOY.ell_prime() - 2, 77), 5);
    let rho_y = randomizer(prover.public(), &mut rng(9));
    let unrelated = Statement { y: encrypt(prover.public(), other, rho_y), ..statement };
    let cheat = Cheat::default();
    let prove = |y, rho_y| {
        let witness = || Witness { y, rho_y, ..witness() };
        let (both, rng) = ((context(), prover.own()), &mut rng(6));
        let engine = engine();
        let short = prove_cheating::<K, _>(&engine, &unrelated, witness(), both, &cheat, rng);
        let starred = star(&unrelated);
        let long = prove_cheating::<K, _>(&engine, &starred, witness(), both, &cheat, rng);
        [
            verdict::<K, _>(&unrelated, short.unwrap().as_bytes(), TOY),
            verify(&engine, &starred, long.unwrap().as_bytes(), context(), verifier.own()),
        ]
    };
    // The number in D, and that in Y with the randomizer of either.
    for (y, rho_y) in [(y, rho_y), (other, rho_y), (y, witness().rho_y)] {
        assert_eq!(prove(y, rho_y), [Err(ProofFault::Equation); 2]);
    }
}

/// The first message does not depend on D and Y: others under the same keys stand for them until they are known.
#[test]
fn begun_before_its_images_are_known() {
    let (statement, witness) = case::<K>(FAST, 1);
    let [prover, _, third] = parties(FAST);
    let twice = keep(statement.y.add(statement.y).unwrap());
    let unknown = Statement { d: statement.c, y: twice, ..statement };
    let begin = || Prover::new(&unknown, witness(), context(), prover.own(), &mut rng(5)).unwrap();
    let about = begin().with_images(&statement).unwrap();
    let proof = prove_many(&engine(), vec![about]).unwrap().remove(0);
    assert_eq!(verdict::<K, _>(&statement, proof.as_bytes(), FAST), Ok(()));
    assert_eq!(proof, made::<K, _>(&statement, witness(), FAST, 5));
    // As it was begun, it is about the others.
    let proof = prove_many(&engine(), vec![begin()]).unwrap().remove(0);
    assert!(verdict::<K, _>(&statement, proof.as_bytes(), FAST).is_err());
    // Whatever the first message was made of stays.
    let key = third.public();
    let elsewhere = keep(Ciphertext::new(key, key.square().reduce(statement.d.value())).unwrap());
    for other in [
        Statement { setup: third.setup(), ..statement },
        Statement { c: statement.d, ..statement },
        Statement { d: elsewhere, ..statement },
        Statement { y: elsewhere, ..statement },
    ] {
        assert_eq!(begin().with_images(&other).err(), Some(Error::Relation));
    }
    let star = star(&statement);
    assert_eq!(begin().with_images(&star).err(), Some(Error::Relation));
}
