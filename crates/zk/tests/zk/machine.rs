//! What all figures have from the machine: batches, engines, challenges.

use quorate_bignum::{Engine, Natural};
use quorate_curve::Curve;
use quorate_paillier::{Level, Pedersen, Randomizer, fixtures};
use quorate_session::SessionId;
use quorate_zk::enc_elg::{Statement, Witness};
use quorate_zk::sigma::{Component, Kind, Statement as _};
use quorate_zk::{
    Claim, Context, Error, Fault, Masks, Own, Proof, Prover, aff_g, blum, centred, elog, fac, prm,
    prove, prove_many, sch, verify, verify_many,
};

use crate::aff_g::star;
use crate::dec;
use crate::support::*;

/// A sound statement and its witness.
fn encrypted(seed: u64) -> (Statement<'static, K>, impl Fn() -> Witness<'static, K>) {
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
    seed: u64,
) -> (aff_g::Statement<'static, K>, impl Fn() -> aff_g::Witness<'static>) {
    let [prover, verifier, _] = parties(FAST);
    let rng = &mut rng(seed);
    let (key, k) = (prover.public(), scalar::<K>(rng));
    let x = keep(centred::<K>(k));
    let y = secret(&power(true, 1270, 3));
    let (rho, rho_y) = (randomizer(key, rng), randomizer(key, rng));
    let c = encrypt(key, secret(&integer(-9)), randomizer(key, rng));
    let (d, image) = (affine(c, x, y, rho), encrypt(key, y, rho_y));
    let x_point = K::mul_base(k);
    let statement = aff_g::Statement { setup: verifier.setup(), c, d, y: image, x: x_point };
    (statement, move || aff_g::Witness { x, y, rho, rho_y })
}

fn with_setup(
    s: &aff_g::Statement<'static, K>,
    setup: &'static Pedersen,
) -> aff_g::Statement<'static, K> {
    aff_g::Statement { setup, ..*s }
}

/// Proofs of different figures in one list; a bad one does not harm the others, whatever is bad about it.
#[test]
fn one_list_for_all() {
    let [prover, verifier, _] = parties(FAST);
    let x = scalar::<K>(&mut rng(1));
    let known = sch::Statement::<K> { x: K::mul_base(x) };
    let factors = fac::Statement { setup: verifier.setup(), key: prover.public() };
    let (enc, witness) = encrypted(2);
    let (own, other) = (prover.own(), Context { instance: b"other", ..context() });
    let rng = &mut rng(3);
    let provers = vec![
        Prover::<K>::new(&known, sch::Witness { x }, context(), own, rng).unwrap(),
        Prover::new(&enc, witness(), context(), own, rng).unwrap(),
        Prover::new(&factors, fac::Witness { key: &prover.key }, context(), own, rng).unwrap(),
        Prover::new(&enc, witness(), other, own, rng).unwrap(),
    ];
    let proofs = prove_many(&engine(), provers).unwrap();
    let claims = |proofs: &[Vec<u8>]| {
        let own = verifier.own();
        let all = vec![
            Claim::<K>::new(&known, &proofs[0], context(), own),
            Claim::new(&enc, &proofs[1], context(), own),
            Claim::new(&factors, &proofs[2], context(), own),
            Claim::new(&enc, &proofs[3], other, own),
        ];
        verify_many(&engine(), all)
    };
    let good: Vec<Vec<u8>> = proofs.into_iter().map(Proof::into_bytes).collect();
    assert_eq!(claims(&good), [Ok(()); 4]);
    // Two proofs of one statement, exchanged.
    let mut swapped = good.clone();
    swapped.swap(1, 3);
    let equation = Err(Fault::Equation);
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
    assert_eq!(claims(&proofs), [Ok(()), Err(Fault::Unit("z2")), Ok(()), Ok(())]);
    // And the commitment, with a factor of N̂, zero, and N̂ itself.
    let hat = Natural::from_be_bytes(&fixtures::pedersen_primes(FAST, 1)[0].to_be_bytes());
    for value in [hat, Natural::zero(), verifier.setup().modulus().value().clone()] {
        let mut proofs = good.clone();
        proofs[1][32..32 + 256].copy_from_slice(&value.to_be_bytes(256).unwrap());
        assert_eq!(claims(&proofs), [Ok(()), Err(Fault::Unit("a commitment")), Ok(()), Ok(())]);
    }
}

/// All engines, with and without tables, with and without one's own factors, make the same bytes.
#[test]
fn the_same_bytes() {
    let [prover, verifier, _] = parties(FAST);
    let (enc, witness) = encrypted(2);
    let factors = fac::Statement { setup: verifier.setup(), key: prover.public() };
    let setup = prm::Statement { setup: prover.setup() };
    let (multiplied, aff_g_witness) = multiplied(3);
    let multiplied = &multiplied;
    let all = |engine: &Engine, enc: &Statement<'static, K>, own: Own<'static>| {
        let rng = &mut rng(4);
        let factor = fac::Witness { key: &prover.key };
        let trapdoor = prm::Witness { trapdoor: &prover.trapdoor };
        let multiplied = with_setup(multiplied, enc.setup);
        [
            prove::<K, _>(engine, enc, witness(), context(), own, rng).unwrap(),
            prove::<K, _>(engine, &multiplied, aff_g_witness(), context(), own, rng).unwrap(),
            prove::<K, _>(engine, &factors, factor, context(), own, rng).unwrap(),
            prove::<K, _>(engine, &setup, trapdoor, context(), own, rng).unwrap(),
            blum::prove(engine, &prover.key, context(), rng).unwrap(),
        ]
    };
    let expected = all(&Engine::portable(), &enc, prover.own());
    for engine in Engine::available() {
        assert!(all(&engine, &enc, prover.own()) == expected, "{engine}");
        let tables = keep(verifier.setup().clone().with_tables(&engine, 1 << 19).unwrap());
        let enc = Statement { setup: tables, ..enc };
        assert!(all(&engine, &enc, Own::default()) == expected, "{engine}, tables");
        let claim = Claim::<K>::new(&enc, expected[0].as_bytes(), context(), Own::default());
        assert_eq!(verify_many(&engine, vec![claim]), [Ok(())]);
    }
}

/// The same where there are many repetitions: the portable engine and the best one.
#[test]
fn the_same_bytes_of_many_repetitions() {
    let own = parties(FAST)[0].own();
    let (multiplied, of_product) = multiplied(3);
    let starred = star(&multiplied);
    let (sum, of_sum) = dec::case::<K>(FAST, &power(false, 1791, 77), 1);
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

/// Masks drawn before the images are known, with what could be worked out of the first message, give the same proof,
/// and only for what they were drawn for.
#[test]
fn masks_drawn_before() {
    let [prover, verifier, other] = parties(FAST);
    let one = secret(&integer(1));
    let keys = [verifier.public(), prover.public()];
    let [rho, rho_y] = keys.map(|key| randomizer(key, &mut rng(5)));
    let [c, unknown] = [8, 9]
        .map(|seed| encrypt(verifier.public(), one, randomizer(verifier.public(), &mut rng(seed))));
    let y = encrypt(prover.public(), one, rho_y);
    let (setup, x) = (verifier.setup(), K::generator());
    let statement = aff_g::Statement::<K> { setup, c, d: affine(c, one, one, rho), y, x };
    let blank = aff_g::Statement::<K> { c: unknown, d: unknown, ..statement };
    let witness = || aff_g::Witness { x: one, y: one, rho, rho_y };
    let with = |masks, statement: &aff_g::Statement<'static, K>| {
        Prover::<K>::with_masks(masks, statement, witness(), context(), prover.own())
    };
    let masks = || Masks::<K>::new(&blank, witness(), &mut rng(6)).unwrap();
    let kept = || {
        let mut masks = masks();
        assert_eq!(masks.randomizers().count(), 2);
        let mut list: Vec<_> = masks.randomizers().collect();
        Randomizer::raise_many(&engine(), &mut list, Some(&prover.key)).unwrap();
        assert!(masks.randomizers().all(|one| one.power().is_some()));
        let begun = with(masks, &blank).unwrap();
        let products = begun.commitments().unwrap();
        assert_eq!(products.len(), 4);
        let mut values = engine().evaluate(&products).into_iter();
        drop(products);
        begun.keep(&mut values).unwrap()
    };
    let products = |begun: &Prover<'_, K>| begun.products().unwrap().len();
    let at_once =
        Prover::<K>::new(&statement, witness(), context(), prover.own(), &mut rng(6)).unwrap();
    let before = with(masks(), &statement).unwrap();
    let ahead = with(kept(), &statement).unwrap();
    // D and Y are left.
    assert_eq!([&at_once, &before, &ahead].map(products), [6, 6, 2]);
    let proofs = prove_many(&engine(), vec![at_once, before, ahead]).unwrap();
    assert!(proofs[0] == proofs[1] && proofs[0] == proofs[2]);
    assert_eq!(verdict::<K, _>(&statement, proofs[0].as_bytes(), FAST), Ok(()));

    let refused = |masks, statement| with(masks, &statement).err();
    let elsewhere = aff_g::Statement { setup: other.setup(), ..statement };
    // What they hide is the same under any setup, commitments are not.
    assert_eq!(refused(masks(), elsewhere), None);
    assert_eq!(refused(kept(), elsewhere), Some(Error::Relation));
    let d = affine(y, one, one, rho_y);
    let own_key = aff_g::Statement { c: y, d, ..statement };
    assert_eq!(refused(masks(), own_key), Some(Error::Relation));
    let enc = Statement::<K> { setup, ciphertext: y, a: x, b: x, x };
    let opened = Witness { x: one, rho: rho_y, b: scalar::<K>(&mut rng(7)) };
    let of_another_figure = Masks::<K>::new(&enc, opened, &mut rng(7)).unwrap();
    assert_eq!(refused(of_another_figure, statement), Some(Error::Relation));

    // Commitments that are another witness's give a proof that is refused.
    let two = secret(&integer(2));
    let doubled =
        aff_g::Statement { d: affine(c, two, one, rho), x: K::mul_base(&2.into()), ..statement };
    let witness = aff_g::Witness { x: two, y: one, rho, rho_y };
    let begun =
        Prover::<K>::with_masks(kept(), &doubled, witness, context(), prover.own()).unwrap();
    let proof = prove_many(&engine(), vec![begun]).unwrap().remove(0);
    assert!(verdict::<K, _>(&doubled, proof.as_bytes(), FAST).is_err());
}

/// An exponent's mask is below the order of the setup that it was drawn for.
#[test]
fn masks_of_another_setup() {
    let [one, other, _] = parties(FAST);
    let begun = |drawn: &'static Party, used: &'static Party| {
        let of = |party: &'static Party| {
            let statement = prm::Statement { setup: party.setup() };
            (statement, prm::Witness { trapdoor: &party.trapdoor })
        };
        let ((drawn, witness), (statement, opened)) = (of(drawn), of(used));
        let masks = Masks::<K>::new(&drawn, witness, &mut rng(1)).unwrap();
        Prover::<K>::with_masks(masks, &statement, opened, context(), used.own()).err()
    };
    assert_eq!(begun(one, one), None);
    assert_eq!(begun(one, other), Some(Error::Relation));
}

/// The intervals of all responses, as numbers: `ℓ = 256`, `ε = 512`, `ℓ' = 1280`, and the lengths of moduli.
#[test]
fn intervals() {
    fn of<S: quorate_zk::sigma::Statement<'static, K>>(statement: &S) -> Vec<(&'static str, u32)> {
        let components = statement.relation().components;
        let bits = |c: &Component<'_>| match c.kind {
            Kind::Integer { bits, slack } => Some((c.name, bits + slack)),
            _ => None,
        };
        components.iter().filter_map(bits).collect()
    }
    for (level, n) in [(Level::Bits112, 2048), (Level::Bits128, 3072)] {
        let [prover, verifier, _] = parties(level);
        let (setup, key, g) = (verifier.setup(), prover.public(), K::generator());
        let c = encrypt(key, secret(&integer(1)), randomizer(key, &mut rng(1)));
        let enc = Statement::<K> { setup, ciphertext: c, a: g, b: g, x: g };
        assert_eq!(of(&enc), [("z1", 768), ("z3", n + 768)]);
        let multiplied = aff_g::Statement::<K> { setup, c, d: c, y: c, x: g };
        assert_eq!(of(&multiplied), [("z1", 768), ("z2", 1792), ("z3", n + 768), ("z4", n + 768)]);
        assert_eq!(of(&star(&multiplied)), [("z1", 768), ("z2", 1792)]);
        let factors = [n / 2 + 768, n / 2 + 768, n + 768, n + 768, 2 * n + 768];
        assert_eq!(
            of(&fac::Statement { setup, key }),
            ["z1", "z2", "w1", "w2", "v"].into_iter().zip(factors).collect::<Vec<_>>()
        );
        let sum = quorate_zk::dec::Statement::<K> { k: c, d: c, x: g, s: g, h: g };
        assert_eq!(of(&sum), [("z", 768), ("w", 1976)]);
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
    let setup = prm::Statement { setup: prover.setup() };
    let bad = prm::Witness { trapdoor: &verifier.trapdoor };
    assert!(Prover::<K>::new(&setup, bad, context(), prover.own(), &mut rng(1)).is_err());
    // A ciphertext of another key within one map.
    let one = secret(&integer(1));
    let c = encrypt(verifier.public(), one, other);
    let y = encrypt(prover.public(), one, randomizer(prover.public(), &mut rng(1)));
    let mixed = aff_g::Statement::<K> { setup: verifier.setup(), c, d: y, y, x: K::generator() };
    let zeros = vec![0; mixed.relation().proof_bytes()];
    assert!(verdict::<K, _>(&mixed, &zeros, FAST).is_err());
}

/// Nothing secret is printed.
#[test]
fn debug_prints_types() {
    let (enc, witness) = encrypted(2);
    let prover =
        Prover::<K>::new(&enc, witness(), context(), parties(FAST)[0].own(), &mut rng(1)).unwrap();
    assert_eq!(format!("{prover:?}"), "Prover");
    let mut values = engine().evaluate(&prover.products().unwrap()).into_iter();
    assert_eq!(format!("{:?}", prover.respond(&mut values).unwrap()), "Responder");
    let prover = Prover::<K>::new(&enc, witness(), context(), Own::default(), &mut rng(1)).unwrap();
    let proof = prove_many(&engine(), vec![prover]).unwrap().remove(0);
    let claim = Claim::<K>::new(&enc, proof.as_bytes(), context(), Own::default()).unwrap();
    assert_eq!(format!("{:?}", claim.check().unwrap()), "Check { figure: \"enc-elg\", .. }");
    let key = &parties(FAST)[0].key;
    assert_eq!(format!("{:?}", blum::Prover::new(key, context(), &mut rng(1)).unwrap()), "Prover");
}

/// Too few values are an error and no panic.
#[test]
fn missing_values() {
    let (enc, witness) = encrypted(2);
    let begin =
        || Prover::<K>::new(&enc, witness(), context(), Own::default(), &mut rng(1)).unwrap();
    let values = engine().evaluate(&begin().products().unwrap());
    let count = values.len();
    let out = begin().respond(&mut values.into_iter().take(count - 1));
    assert_eq!(out.err(), Some(Error::Values));
    let proof = prove_many(&engine(), vec![begin()]).unwrap().remove(0);
    let check = Claim::<K>::new(&enc, proof.as_bytes(), context(), Own::default())
        .unwrap()
        .check()
        .unwrap();
    assert_eq!(check.verdict(&mut [].into_iter(), &mut [].into_iter()), Err(Fault::Values));
}

/// What the prover can bring about is its fault; what only the caller can, is nobody's.
#[test]
fn who_is_to_blame() {
    use quorate_session::Fault as Blamed;
    for (fault, blamed) in [
        (Fault::Length, Some(Blamed::Malformed)),
        (Fault::Encoding("e"), Some(Blamed::Malformed)),
        (Fault::Range("z1"), Some(Blamed::InvalidProof)),
        (Fault::Unit("S"), Some(Blamed::InvalidProof)),
        (Fault::Identity, Some(Blamed::IdentityCommitment)),
        (Fault::Equation, Some(Blamed::InvalidProof)),
        (Fault::Prime, Some(Blamed::InvalidModulus)),
        (Fault::Jacobi, Some(Blamed::InvalidProof)),
        (Fault::Statement, None),
        (Fault::Values, None),
    ] {
        assert_eq!(fault.blame(), blamed, "{fault}");
    }
}

/// The statements of two curves are different ones, even where the bytes agree.
#[test]
fn curves_are_told_apart() {
    let (session, me) = (SessionId::new([1; 32]), party(1));
    let context = Context::new(session, me, b"");
    let y = scalar::<K>(&mut rng(1));
    let base = K::generator();
    let s = elog::Statement::<K> {
        l: base,
        m: base + K::mul_base(y),
        x: base,
        y: K::mul_base(y),
        h: base,
    };
    let one = keep(1u64.into());
    let witness = elog::Witness { y, lambda: one };
    let proof =
        prove::<K, _>(&engine(), &s, witness, context, Own::default(), &mut rng(2)).unwrap();
    assert_eq!(proof.as_bytes().len(), 96);
    let g = <P as Curve>::generator();
    let other = elog::Statement::<P> { l: g, m: g + g, x: g, y: g, h: g };
    let claim = Claim::<P>::new(&other, proof.as_bytes(), context, Own::default());
    assert!(verify_many(&engine(), vec![claim])[0].is_err());
}
