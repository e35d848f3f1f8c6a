//! Properties that all figures have from the machine: batches, engines, challenges.

use quorate_bignum::{Engine, Natural};
use quorate_curve::Curve;
use quorate_paillier::{Level, Pedersen};
use quorate_session::SessionId;
use quorate_testkit::fixtures;
use quorate_zk::pi_enc_elg::{Statement, Witness};
use quorate_zk::sigma::{Form, Part, Statement as _};
use quorate_zk::{
    Error, Group, Own, Proof, ProofContext, ProofFault, Prover, ReceivedProof, centred, pi_aff_g,
    pi_elog, pi_fac, pi_mod, pi_prm, pi_sch, prove, prove_many, verify, verify_many,
};

use crate::aff_g::star;
use crate::dec;
use crate::support::*;

/// A sound statement and its witness.
pub(crate) fn encrypted(seed: u64) -> (Statement<'static, K>, impl Fn() -> Witness<'static, K>) {
    let [prover, verifier, _] = parties(FAST);
    let rng = &mut rng(seed);
    let (k, b) = (scalar::<K>(rng), scalar::<K>(rng));
    let (x, a) = (keep(centred::<K>(k)), K::mul_base(scalar::<K>(rng)));
    let rho = randomizer(prover.public(), rng);
    let ciphertext = encrypt(prover.public(), x, rho);
    let x_point = K::mul(&a, b) + K::mul_base(k);
    let statement =
        Statement { setup: verifier.setup(), ciphertext, a, b: K::mul_base(b), x: x_point };
    (statement, move || Witness { x, rho, b })
}

/// A multiplication with everything under the prover's key.
pub(crate) fn multiplied(
    level: Level,
    seed: u64,
) -> (pi_aff_g::Statement<'static, K>, impl Fn() -> pi_aff_g::Witness<'static>) {
    let [prover, verifier, _] = parties(level);
    let rng = &mut rng(seed);
    let (key, k) = (prover.public(), scalar::<K>(rng));
    let x = keep(centred::<K>(k));
    let y = secret(&power(true, level.ell_prime() - 10, 3));
    let (rho, rho_y) = (randomizer(key, rng), randomizer(key, rng));
    let c = encrypt(key, secret(&integer(-9)), randomizer(key, rng));
    let (d, image) = (affine(c, x, y, rho), encrypt(key, y, rho_y));
    let x_point = K::mul_base(k);
    let statement = pi_aff_g::Statement { setup: verifier.setup(), c, d, y: image, x: x_point };
    (statement, move || pi_aff_g::Witness { x, y, rho, rho_y })
}

fn with_setup(
    s: &pi_aff_g::Statement<'static, K>,
    setup: &'static Pedersen,
) -> pi_aff_g::Statement<'static, K> {
    pi_aff_g::Statement { setup, ..*s }
}

/// Statements about x, hidden by y, under one base.
fn logarithms([x, y]: [<K as Curve>::Point; 2]) -> pi_elog::Statement<K> {
    pi_elog::Statement { l: y, m: x + y, x: K::generator(), y: x, h: K::generator() }
}

/// Proofs of different figures in one list; a bad one does not harm the others, whatever is bad about it.
#[test]
fn one_list_for_all() {
    let [prover, verifier, _] = parties(FAST);
    let x = scalar::<K>(&mut rng(1));
    let known = pi_sch::Statement::<K> { x: K::mul_base(x) };
    let y = scalar::<K>(&mut rng(4));
    let logs = logarithms([x, y].map(K::mul_base));
    let (enc, witness) = encrypted(2);
    let (own, other) = (prover.own(), ProofContext { instance: b"other", ..context() });
    let rng = &mut rng(3);
    let provers = vec![
        Prover::<K>::new(&known, pi_sch::Witness { x }, context(), own, rng).unwrap(),
        Prover::new(&enc, witness(), context(), own, rng).unwrap(),
        Prover::new(&logs, pi_elog::Witness { y: x, lambda: y }, context(), own, rng).unwrap(),
        Prover::new(&enc, witness(), other, own, rng).unwrap(),
    ];
    let proofs = prove_many(&engine(), provers).unwrap();
    let claims = |proofs: &[Vec<u8>]| {
        let own = verifier.own();
        let all = vec![
            ReceivedProof::<K>::new(&known, &proofs[0], context(), own),
            ReceivedProof::new(&enc, &proofs[1], context(), own),
            ReceivedProof::new(&logs, &proofs[2], context(), own),
            ReceivedProof::new(&enc, &proofs[3], other, own),
        ];
        verify_many(&engine(), all)
    };
    let good: Vec<Vec<u8>> = proofs.into_iter().map(Proof::into_bytes).collect();
    assert_eq!(claims(&good), [Ok(()); 4]);
    // Two proofs of one statement, exchanged.
    let mut swapped = good.clone();
    swapped.swap(1, 3);
    let equation = Err(ProofFault::Equation);
    assert_eq!(claims(&swapped), [Ok(()), equation, Ok(()), equation]);
    for bad in 0..4 {
        for change in [|proof: &mut Vec<u8>| proof.truncate(9), |proof: &mut Vec<u8>| proof[5] ^= 1]
        {
            let mut proofs = good.clone();
            change(&mut proofs[bad]);
            let verdicts = claims(&proofs);
            assert!((0..4).all(|i| verdicts[i].is_err() == (i == bad)), "{bad}: {verdicts:?}");
        }
    }
    // A response that shares a factor with N: the third number of the proof of the ciphertext.
    let mut proofs = good.clone();
    let at = 32 + 256 + 97;
    let p = Natural::from_be_bytes(&fixtures::paillier_primes(FAST, 0)[0].to_be_bytes());
    proofs[1][at..at + 256].copy_from_slice(&p.to_be_bytes(256).unwrap());
    assert_eq!(claims(&proofs), [Ok(()), Err(ProofFault::Unit("z2")), Ok(()), Ok(())]);
    // And the commitment, with a factor of N̂, zero, and N̂ itself.
    let hat = Natural::from_be_bytes(&fixtures::pedersen_primes(FAST, 1)[0].to_be_bytes());
    for value in [hat, Natural::zero(), verifier.setup().modulus().value().clone()] {
        let mut proofs = good.clone();
        proofs[1][32..32 + 256].copy_from_slice(&value.to_be_bytes(256).unwrap());
        assert_eq!(
            claims(&proofs),
            [Ok(()), Err(ProofFault::Unit("a commitment")), Ok(()), Ok(())]
        );
    }
}

/// Checks that every engine, with and without tables, with and without one's own factors, makes the same bytes.
#[test]
fn the_same_bytes() {
    let [prover, verifier, _] = parties(FAST);
    let (enc, witness) = encrypted(2);
    let factors = pi_fac::Statement { setup: verifier.setup(), key: prover.public() };
    let setup = pi_prm::Statement { setup: prover.setup() };
    let (multiplied, aff_g_witness) = multiplied(FAST, 3);
    let multiplied = &multiplied;
    let all = |engine: &Engine, enc: &Statement<'static, K>, own: Own<'static>| {
        let rng = &mut rng(4);
        let factor = pi_fac::Witness { key: &prover.key };
        let trapdoor = pi_prm::Witness { trapdoor: &prover.trapdoor };
        let multiplied = with_setup(multiplied, enc.setup);
        [
            prove::<K, _>(engine, enc, witness(), context(), own, rng).unwrap(),
            prove::<K, _>(engine, &multiplied, aff_g_witness(), context(), own, rng).unwrap(),
            prove(engine, &factors, factor, context(), own, rng).unwrap(),
            prove(engine, &setup, trapdoor, context(), own, rng).unwrap(),
            pi_mod::prove(engine, &prover.key, context(), rng).unwrap(),
        ]
    };
    let expected = all(&Engine::portable(), &enc, prover.own());
    for engine in Engine::available() {
        assert!(all(&engine, &enc, prover.own()) == expected, "{engine}");
        let tables = keep(verifier.setup().clone().with_tables(&engine, 1 << 19).unwrap());
        let enc = Statement { setup: tables, ..enc };
        assert!(all(&engine, &enc, Own::default()) == expected, "{engine}, tables");
        let claim =
            ReceivedProof::<K>::new(&enc, expected[0].as_bytes(), context(), Own::default());
        assert_eq!(verify_many(&engine, vec![claim]), [Ok(())]);
    }
}

/// Batches of proofs with many repetitions: the portable engine and the best one.
#[test]
fn the_same_bytes_of_many_repetitions() {
    let own = parties(TOY)[0].own();
    let (multiplied, of_product) = multiplied(TOY, 3);
    let starred = star(&multiplied);
    let (sum, of_sum) = dec::case::<K>(TOY, &power(false, dec::Y_BITS, 77), 1);
    let proofs = |engine: Engine| {
        let rng = &mut rng(4);
        [
            prove::<K, _>(&engine, &starred, of_product(), context(), own, rng).unwrap(),
            prove::<K, _>(&engine, &sum, of_sum(), context(), own, rng).unwrap(),
        ]
    };
    let [of_product, of_sum] = proofs(engine());
    assert!(proofs(Engine::portable()) == [of_product.clone(), of_sum.clone()]);
    let verdict = verify::<K, _>(&engine(), &starred, of_product.as_bytes(), context(), own);
    assert_eq!(verdict, Ok(()));
    assert_eq!(verify::<K, _>(&engine(), &sum, of_sum.as_bytes(), context(), own), Ok(()));
}

/// The intervals of all responses, as numbers: `ℓ = 256`, `ε = 512`, `ℓ' = 1280`, and the lengths of moduli.
#[test]
fn intervals() {
    fn integers<G: Group, S: quorate_zk::sigma::Statement<'static, G>>(
        statement: &S,
    ) -> Vec<(&'static str, u32)> {
        let bits = |part: Part<'static>| match part.form {
            Form::Integer { bits } => Some((part.name, bits)),
            _ => None,
        };
        let mut all = Vec::new();
        for one in statement.relation(None).layout().into_iter().filter_map(bits) {
            if !all.contains(&one) {
                all.push(one);
            }
        }
        all
    }
    for (level, n) in [(Level::Bits112, 2048), (Level::Bits128, 3072)] {
        let [prover, verifier, _] = parties(level);
        let (setup, key, g) = (verifier.setup(), prover.public(), K::generator());
        let c = encrypt(key, secret(&integer(1)), randomizer(key, &mut rng(1)));
        let enc = Statement::<K> { setup, ciphertext: c, a: g, b: g, x: g };
        assert_eq!(integers(&enc), [("z1", 768), ("z3", n + 768)]);
        let multiplied = pi_aff_g::Statement::<K> { setup, c, d: c, y: c, x: g };
        assert_eq!(
            integers(&multiplied),
            [("z1", 768), ("z2", 1792), ("z3", n + 768), ("z4", n + 768)]
        );
        assert_eq!(integers(&star(&multiplied)), [("z1", 768), ("z2", 1792)]);
        let factors = [n / 2 + 768, n / 2 + 768, n + 768, n + 768, 2 * n + 768];
        assert_eq!(
            integers(&pi_fac::Statement { setup, key }),
            ["z1", "z2", "w1", "w2", "v"].into_iter().zip(factors).collect::<Vec<_>>()
        );
        let sum = quorate_zk::pi_dec::Statement::<K> { k: c, d: c, x: g, s: g, h: g };
        assert_eq!(integers(&sum), [("z", 768), ("w", 1976)]);
    }
}

#[test]
fn wrong_kinds_of_witness() {
    let (enc, witness) = encrypted(2);
    let [prover, verifier, _] = parties(FAST);
    let other = randomizer(verifier.public(), &mut rng(1));
    let bad = Witness { rho: other, ..witness() };
    let out = Prover::<K>::new(&enc, bad, context(), prover.own(), &mut rng(1));
    assert_eq!(out.err(), Some(Error::Witness("z2")));
    let setup = pi_prm::Statement { setup: prover.setup() };
    let bad = pi_prm::Witness { trapdoor: &verifier.trapdoor };
    assert!(Prover::new(&setup, bad, context(), prover.own(), &mut rng(1)).is_err());
    // A ciphertext of another key within one map.
    let one = secret(&integer(1));
    let c = encrypt(verifier.public(), one, other);
    let y = encrypt(prover.public(), one, randomizer(prover.public(), &mut rng(1)));
    let mixed = pi_aff_g::Statement::<K> { setup: verifier.setup(), c, d: y, y, x: K::generator() };
    let zeros = vec![0; mixed.relation(None).proof_bytes()];
    assert!(verdict::<K, _>(&mixed, &zeros, FAST).is_err());
}

/// No secret is printed.
#[test]
fn debug_prints_types() {
    let (enc, witness) = encrypted(2);
    let prover =
        Prover::<K>::new(&enc, witness(), context(), parties(FAST)[0].own(), &mut rng(1)).unwrap();
    assert_eq!(format!("{prover:?}"), "Prover");
    let mut values = engine().evaluate(&prover.products().unwrap()).into_iter();
    let weighed = prover.weigh(&mut values).unwrap();
    assert_eq!(format!("{weighed:?}"), "Weighed");
    assert!(weighed.products().is_empty());
    assert_eq!(format!("{:?}", weighed.respond(&mut values).unwrap()), "Responder");
    let prover = Prover::<K>::new(&enc, witness(), context(), Own::default(), &mut rng(1)).unwrap();
    let proof = prove_many(&engine(), vec![prover]).unwrap().remove(0);
    let claim = ReceivedProof::<K>::new(&enc, proof.as_bytes(), context(), Own::default()).unwrap();
    assert_eq!(format!("{claim:?}"), "ReceivedProof { figure: \"enc-elg\", .. }");
    assert_eq!(format!("{:?}", claim.check().unwrap()), "Check { figure: \"enc-elg\", .. }");
    let relation = enc.relation(None);
    assert_eq!(format!("{relation:?}"), "Relation { figure: \"enc-elg\", .. }");
    let key = &parties(FAST)[0].key;
    assert_eq!(
        format!("{:?}", pi_mod::Prover::new(key, context(), &mut rng(1)).unwrap()),
        "Prover"
    );
}

/// A verifier for which the proof was not made gives the same verdict as everybody, whatever secrets it has.
#[test]
fn secrets_of_a_third_party_change_nothing() {
    let (statement, witness) = encrypted(2);
    let proof = made::<K, _>(&statement, witness(), FAST, 1);
    let third = parties(FAST)[2].own();
    let verdict = verify::<K, _>(&engine(), &statement, proof.as_bytes(), context(), third);
    assert_eq!(verdict, Ok(()));
}

/// Too few values are an error and no panic.
#[test]
fn missing_values() {
    let (enc, witness) = encrypted(2);
    let begin =
        || Prover::<K>::new(&enc, witness(), context(), Own::default(), &mut rng(1)).unwrap();
    let values = engine().evaluate(&begin().products().unwrap());
    let count = values.len();
    let out = begin().weigh(&mut values.into_iter().take(count - 1));
    assert_eq!(out.err(), Some(Error::Values));
    let proof = prove_many(&engine(), vec![begin()]).unwrap().remove(0);
    let check = ReceivedProof::<K>::new(&enc, proof.as_bytes(), context(), Own::default())
        .unwrap()
        .check()
        .unwrap();
    assert_eq!(check.verdict(&mut [].into_iter(), &mut [].into_iter()), Err(ProofFault::Values));
}

/// A fault that the prover can cause is the prover's. A fault that only the caller can cause is blamed on no
/// party.
#[test]
fn who_is_to_blame() {
    use quorate_session::Fault as Blamed;
    for (fault, blamed) in [
        (ProofFault::Length, Some(Blamed::Malformed)),
        (ProofFault::Encoding("e"), Some(Blamed::Malformed)),
        (ProofFault::Range("z1"), Some(Blamed::InvalidProof)),
        (ProofFault::Unit("S"), Some(Blamed::InvalidProof)),
        (ProofFault::Identity, Some(Blamed::IdentityCommitment)),
        (ProofFault::Equation, Some(Blamed::InvalidProof)),
        (ProofFault::Prime, Some(Blamed::InvalidModulus)),
        (ProofFault::SmallFactor, Some(Blamed::InvalidModulus)),
        (ProofFault::Jacobi, Some(Blamed::InvalidProof)),
        (ProofFault::Statement, None),
        (ProofFault::Values, None),
    ] {
        assert_eq!(fault.blame(), blamed, "{fault}");
    }
}

/// The statements of two curves are different ones, even where the bytes agree.
#[test]
fn curves_are_told_apart() {
    let (session, me) = (SessionId::new([1; 32]), party(1));
    let context = ProofContext::new(session, me, b"");
    let y = scalar::<K>(&mut rng(1));
    let base = K::generator();
    let s = pi_elog::Statement::<K> {
        l: base,
        m: base + K::mul_base(y),
        x: base,
        y: K::mul_base(y),
        h: base,
    };
    let one = keep(1u64.into());
    let witness = pi_elog::Witness { y, lambda: one };
    let proof =
        prove::<K, _>(&engine(), &s, witness, context, Own::default(), &mut rng(2)).unwrap();
    assert_eq!(proof.as_bytes().len(), 96);
    let g = <P as Curve>::generator();
    let other = pi_elog::Statement::<P> { l: g, m: g + g, x: g, y: g, h: g };
    let claim = ReceivedProof::<P>::new(&other, proof.as_bytes(), context, Own::default());
    assert!(verify_many(&engine(), vec![claim])[0].is_err());
}
