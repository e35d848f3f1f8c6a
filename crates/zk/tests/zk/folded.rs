//! Πenc-elg and Πelog of many statements at once.

use quorate_bignum::{Natural, SecretInteger};
use quorate_curve::Curve;
use quorate_paillier::{Ciphertext, Level};
use quorate_testkit::fixtures;
use quorate_zk::pi_enc_elg_folded::{Item, Statement, Witness, proof_bytes};
use quorate_zk::sigma::{MAX_FOLD, Statement as _, weight_bits};
use quorate_zk::testing::{Cheat, prove_cheating, weights_of};
use quorate_zk::{
    Check, Error, Hiding, Own, Proof, ProofFault, Prover, ReceivedProof, centred, pi_elog,
    pi_elog_folded, prove_many, verify_many,
};

use crate::support::*;

/// Statements and their witnesses, to be altered one by one.
#[derive(Clone)]
pub(crate) struct Case<C: Curve> {
    level: Level,
    a: C::Point,
    pub(crate) items: Vec<Item<'static, C>>,
    pub(crate) witness: Vec<Witness<'static, C>>,
}

impl<C: Curve> Case<C> {
    pub(crate) fn new(level: Level, count: usize, seed: u64) -> Self {
        let [prover, verifier, _] = parties(level);
        let rng = &mut rng(seed);
        let a = C::mul_base(scalar::<C>(rng));
        let (mut items, mut witness) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let (k, b) = (scalar::<C>(rng), scalar::<C>(rng));
            let (x, rho) = (keep(centred::<C>(k)), randomizer(prover.public(), rng));
            let mu = keep(Hiding::draw(rng, verifier.setup()));
            let ciphertext = encrypt(prover.public(), x, rho);
            let point = C::mul(&a, b) + C::mul_base(k);
            items.push(Item { ciphertext, b: C::mul_base(b), x: point });
            witness.push(Witness { x, rho, b, mu });
        }
        Self { level, a, items, witness }
    }

    pub(crate) fn statement(&self) -> Statement<'static, C> {
        let [prover, verifier, _] = parties(self.level);
        let (setup, key, items) = (verifier.setup(), prover.public(), keep(self.items.clone()));
        Statement { setup, key, a: self.a, items }
    }

    pub(crate) fn made(&self, seed: u64) -> Proof {
        let witness: &'static [_] = keep(self.witness.clone());
        made::<C, _>(&self.statement(), witness, self.level, seed)
    }

    pub(crate) fn prove(&self, seed: u64) -> Vec<u8> {
        self.made(seed).into_bytes()
    }

    /// The verdict of the verifier, which is that of an outsider.
    pub(crate) fn verdict(&self, proof: &[u8]) -> Result<(), ProofFault> {
        let statement = self.statement();
        let claim = |own| ReceivedProof::<C>::new(&statement, proof, context(), own);
        let both = [parties(self.level)[1].own(), Own::default()].map(claim);
        let verdicts = verify_many(&engine(), both.into());
        assert_eq!(verdicts[0], verdicts[1]);
        verdicts[0]
    }
}

/// `ω = 1 mod p²` and `-1 mod q²`: a root of one that the prover knows.
pub(crate) fn root_of_one(index: usize) -> Natural {
    let [p, q] =
        fixtures::paillier_primes(TOY, index).map(|p| Natural::from_be_bytes(&p.to_be_bytes()));
    let (p, q) = (p.mul(&p), q.mul(&q));
    let modulus = quorate_bignum::Modulus::new(&q).unwrap();
    let t = modulus.mul(&modulus.neg(&2.into()), &modulus.inverse(&modulus.reduce(&p)).unwrap());
    p.mul(&t).add(&1.into())
}

/// A ciphertext times a number.
pub(crate) fn times(c: &Ciphertext, factor: &Natural) -> &'static Ciphertext {
    keep(Ciphertext::new(c.key(), c.key().square().mul(c.value(), factor)).unwrap())
}

/// A ciphertext with a multiple of `1` more in it.
pub(crate) fn plus(c: &Ciphertext, more: &quorate_bignum::Integer) -> &'static Ciphertext {
    times(c, &c.key().plaintext_vartime(more))
}

/// The places in a fold of this number of statements: each place of one, of two and of three, and all pairs. The
/// images of short folds are not combined before the check's own products.
pub(crate) const PLACES: [(usize, &[usize]); 10] = [
    (1, &[0]),
    (2, &[0]),
    (2, &[1]),
    (2, &[0, 1]),
    (3, &[0]),
    (3, &[1]),
    (3, &[2]),
    (3, &[0, 1]),
    (3, &[0, 2]),
    (3, &[1, 2]),
];

#[test]
fn accepts() {
    for (level, count) in [(FAST, 1), (FAST, 3), (TOY, 2), (TOY, 32), (TOY, 65)] {
        let case = Case::<K>::new(level, count, 1);
        let proof = case.prove(2);
        assert_eq!(proof.len(), proof_bytes(level, count));
        assert_eq!(case.verdict(&proof), Ok(()), "{count}");
    }
    assert_eq!([2, 64].map(|count| proof_bytes(Level::Bits128, count)), [1794, 25_602]);
    let case = Case::<P>::new(Level::Bits128, 2, 1);
    assert_eq!(case.verdict(&case.prove(2)), Ok(()));
}

/// Every part at its edges, every other context; other numbers of statements, and the statements in another order.
#[test]
fn refuses() {
    let case = Case::<K>::new(TOY, 3, 1);
    let proof = case.prove(2);
    let own = parties(TOY)[1].own();
    crate::support::Case { statement: case.statement(), proof: &proof, own }.holds::<K>();
    let mut other = case.clone();
    other.items.swap(0, 2);
    assert_eq!(other.verdict(&proof), Err(ProofFault::Equation));
    for count in [1, 2] {
        let other = Case { items: case.items[..count].to_vec(), ..case.clone() };
        assert_eq!(other.verdict(&proof), Err(ProofFault::Length));
    }
    let other = Case { a: K::generator(), ..case.clone() };
    assert_eq!(other.verdict(&proof), Err(ProofFault::Equation));
    let mut other = case.clone();
    other.items[1].x = K::identity();
    assert_eq!(other.verdict(&proof), Err(ProofFault::Identity));
}

/// No statements, too many, or a witness for another number of them.
#[test]
fn numbers_of_statements() {
    let case = Case::<K>::new(TOY, 2, 1);
    let begin = |items: usize, witness: usize| {
        let mut other = case.clone();
        other.items = case.items.iter().copied().cycle().take(items).collect();
        let witness: Vec<_> = case.witness.iter().copied().cycle().take(witness).collect();
        let own = parties(TOY)[0].own();
        let all: &'static [_] = keep(witness);
        let out = Prover::<K>::new(&other.statement(), all, context(), own, &mut rng(1));
        (out.err(), other)
    };
    let (error, none) = begin(0, 0);
    assert_eq!(error, Some(Error::Relation));
    assert_eq!(none.verdict(&[]), Err(ProofFault::Statement));
    let (error, many) = begin(MAX_FOLD + 1, MAX_FOLD + 1);
    assert_eq!(error, Some(Error::Relation));
    assert_eq!(many.verdict(&[]), Err(ProofFault::Statement));
    for (items, witness) in [(2, 1), (1, 2), (2, 0)] {
        assert_eq!(begin(items, witness).0, Some(Error::Witness("z1")));
    }
    assert_eq!([1, 2, 3, 2048].map(weight_bits), [128, 129, 130, 139]);
}

/// A statement that is wrong at each place, and at two in such a way that the sum is right.
#[test]
fn wrong_at_each_place() {
    for (count, places) in PLACES {
        let case = Case::<K>::new(TOY, count, 1);
        let altered = |alter: &dyn Fn(&mut Item<'static, K>, bool)| {
            let mut other = case.clone();
            for (index, place) in places.iter().enumerate() {
                alter(&mut other.items[*place], index == 0);
            }
            other
        };
        let more = |first: bool| integer(if first { 1 } else { -1 });
        let g = |first: bool| if first { K::generator() } else { -K::generator() };
        for other in [
            altered(&|one, first| one.ciphertext = plus(one.ciphertext, &more(first))),
            altered(&|one, first| one.b = one.b + g(first)),
            altered(&|one, first| one.x = one.x + g(first)),
        ] {
            assert_eq!(other.verdict(&other.prove(3)), Err(ProofFault::Equation), "{places:?}");
        }
        // The commitment in the proof hides the same value as the ciphertext.
        let shift =
            Cheat { fractions: places.iter().map(|m| ("z1", *m, 1)).collect(), ..Cheat::default() };
        assert_eq!(case.verdict(&cheating(&case, &shift, 3).unwrap()), Err(ProofFault::Equation));
        // One that is too long.
        let mut other = case.clone();
        let long = secret(&power(false, 256 + 320 + 131, 1));
        for place in places {
            other.witness[*place].x = long;
            let rho = other.witness[*place].rho;
            other.items[*place].ciphertext = encrypt(parties(TOY)[0].public(), long, rho);
        }
        assert_eq!(
            other.verdict(&cheating(&other, &Cheat::default(), 3).unwrap()),
            Err(ProofFault::Length)
        );
    }
}

fn cheating(case: &Case<K>, cheat: &Cheat, seed: u64) -> Result<Vec<u8>, Error> {
    let witness: &'static [_] = keep(case.witness.clone());
    let both = (context(), parties(case.level)[0].own());
    let proof =
        prove_cheating::<K, _>(&engine(), &case.statement(), witness, both, cheat, &mut rng(seed))?;
    Ok(proof.into_bytes())
}

/// `x + 1/d` modulo N in a ciphertext. Without the commitment, the proof would hold whenever d divides the
/// weight.
#[test]
fn rationals() {
    for (count, place, d) in [(1, 0, 2), (2, 1, 2), (3, 0, 2), (3, 1, 2), (3, 2, 2), (3, 1, 3)] {
        let mut case = Case::<K>::new(TOY, count, 1);
        let item = &mut case.items[place];
        let fraction = item.ciphertext.key().modulus().inverse(&Natural::from(d)).unwrap();
        item.ciphertext = plus(item.ciphertext, &fraction.into());
        // The point that goes with it.
        let inverse = K::invert(&d.into());
        item.x = item.x + K::mul_base(&inverse);
        let cheat = Cheat { fractions: vec![("z1", place, d)], ..Cheat::default() };
        let proof = (0..64).find_map(|seed| cheating(&case, &cheat, seed).ok()).unwrap();
        assert_eq!(case.verdict(&proof), Err(ProofFault::Equation));
    }
}

/// A sign, or another root of one that the owner of the key knows, is an N-th power: no other plaintext, so nothing that
/// a proof could refuse. A proof whose randomizer does not have it passes for even weights only.
#[test]
fn roots_of_one() {
    let key = parties(TOY)[0].public();
    let minus_one = key.square().neg(&1.into());
    for root in [minus_one, root_of_one(0)] {
        for (count, places) in PLACES {
            let honest = Case::<K>::new(TOY, count, 1);
            let proof = honest.prove(2);
            let mut case = honest.clone();
            for place in places {
                case.items[*place].ciphertext = times(case.items[*place].ciphertext, &root);
            }
            assert_eq!(case.verdict(&proof), Err(ProofFault::Equation));
            let plain = |c: &Ciphertext| {
                parties(TOY)[0].key.decrypt_many(&engine(), &[c]).unwrap().remove(0).declassify()
            };
            for (one, other) in case.items.iter().zip(&honest.items) {
                assert_eq!(plain(one.ciphertext), plain(other.ciphertext));
            }
            let mut seen = [false; 2];
            for seed in 0..64 {
                let proof = case.prove(seed);
                let weights = weights_of::<K, _>(&case.statement(), &proof, context()).unwrap();
                let even =
                    places.iter().filter(|m| weights[**m].magnitude().is_odd()).count() % 2 == 0;
                let expected = if even { Ok(()) } else { Err(ProofFault::Equation) };
                assert_eq!(case.verdict(&proof), expected);
                seen[usize::from(even)] = true;
                if seen == [true; 2] {
                    break;
                }
            }
            assert_eq!(seen, [true; 2]);
        }
    }
}

/// Two statements that a transcript's weights make one: the proof of before is that of another hash.
#[test]
fn replayed_weights() {
    for (count, places) in PLACES {
        let &[a, b] = places else { continue };
        let case = Case::<K>::new(TOY, count, 1);
        let proof = case.prove(2);
        let weights = weights_of::<K, _>(&case.statement(), &proof, context()).unwrap();
        let mut other = case.clone();
        other.items[a].ciphertext = plus(other.items[a].ciphertext, &weights[b]);
        other.items[b].ciphertext = plus(other.items[b].ciphertext, &weights[a].neg());
        // The equations of before hold for it: the products are the same.
        let key = parties(TOY)[0].public();
        let product = |case: &Case<K>| {
            let powers = case.items.iter().zip(&weights);
            let product = powers
                .fold(quorate_bignum::PublicProduct::new(key.square()), |out, (one, e)| {
                    out.power(one.ciphertext.value(), e)
                });
            engine().evaluate_vartime(&[product]).remove(0).unwrap()
        };
        assert_eq!(product(&other), product(&case));
        assert_eq!(other.verdict(&proof), Err(ProofFault::Equation));
    }
}

/// A check whose images are not combined, and one that gets too few values for them.
#[test]
fn missing_values() {
    let case = Case::<K>::new(TOY, 3, 1);
    let (proof, statement) = (case.prove(2), case.statement());
    let check = || {
        let received = ReceivedProof::<K>::new(&statement, &proof, context(), Own::default());
        received.unwrap().check().unwrap()
    };
    assert!(check().has_images());
    let values = |check: &Check<'_, K>| engine().evaluate_vartime(&check.products().unwrap());
    let unfinished = check();
    let mut made = values(&unfinished).into_iter();
    assert_eq!(unfinished.verdict(&mut made, &mut [].into_iter()), Err(ProofFault::Values));
    let mut check = check();
    let none = &mut [].into_iter();
    assert_eq!(check.combine(none, &mut [].into_iter()), Err(ProofFault::Values));
    let mut made = engine().evaluate_vartime(&check.image_products().0).into_iter();
    assert_eq!(check.combine(&mut made, &mut [].into_iter()), Ok(()));
    assert!(!check.has_images());
    let mut made = values(&check).into_iter();
    assert_eq!(check.verdict(&mut made, &mut [].into_iter()), Ok(()));
}

/// The commitments are those of a verified proof, one for each statement.
#[test]
fn commitments() {
    let case = Case::<K>::new(TOY, 3, 1);
    let (proof, statement) = (case.prove(2), case.statement());
    let values = statement.commitments(&proof).unwrap();
    let list: Vec<SecretInteger> = case.witness.iter().map(|w| w.x.neg().neg()).collect();
    assert_eq!((values.len(), list.len()), (3, 3));
    // A prover that draws the same μ again makes the same.
    assert_eq!(values, statement.commitments(&case.prove(7)).unwrap());
    assert_ne!(values[0], values[1]);
    assert_eq!(statement.commitments(&proof[..32 + 3 * 96 - 1]), None);
    assert_eq!(format!("{:?}", case.witness[0].mu), "Hiding");
}

type Logs<C> = (pi_elog_folded::Statement<'static, C>, &'static [pi_elog::Witness<'static, C>]);

/// Statements with their witnesses, each altered when it is made.
pub(crate) fn logs<C: Curve>(
    count: usize,
    alter: impl Fn(usize, &mut pi_elog_folded::Item<C>),
) -> Logs<C> {
    let rng = &mut rng(1);
    let x = C::mul_base(scalar::<C>(rng));
    let (mut items, mut witness) = (Vec::new(), Vec::new());
    for m in 0..count {
        let (y, lambda) = (scalar::<C>(rng), scalar::<C>(rng));
        let mut item = pi_elog_folded::Item {
            l: C::mul_base(lambda),
            m: C::mul_base(y) + C::mul(&x, lambda),
            y: C::mul_base(y),
        };
        alter(m, &mut item);
        items.push(item);
        witness.push(pi_elog::Witness { y, lambda });
    }
    (pi_elog_folded::Statement { x, h: C::generator(), items: keep(items) }, keep(witness))
}

#[test]
fn logarithms() {
    let own = parties(FAST)[0].own();
    let proof = |(statement, witness): &Logs<K>| {
        let begun = Prover::<K>::new(statement, *witness, context(), own, &mut rng(2)).unwrap();
        prove_many(&engine(), vec![begun]).unwrap().remove(0).into_bytes()
    };
    for count in [1, 2, 3, 32, 130] {
        let case = logs::<K>(count, |_, _| {});
        let proof = proof(&case);
        assert_eq!(proof.len(), pi_elog_folded::PROOF_BYTES);
        assert_eq!(verdict::<K, _>(&case.0, &proof, FAST), Ok(()));
        // Another number of statements, with a proof of the same length.
        let others = logs::<K>(count + 1, |_, _| {});
        assert_eq!(verdict::<K, _>(&others.0, &proof, FAST), Err(ProofFault::Equation));
    }
    let case = logs::<K>(3, |_, _| {});
    crate::support::Case { statement: case.0, proof: &proof(&case), own }.holds::<K>();
    let g = |m: usize, places: &[usize]| match places.iter().position(|place| *place == m) {
        None => K::identity(),
        Some(0) => K::generator(),
        Some(_) => -K::generator(),
    };
    for (count, places) in PLACES {
        for wrong in [
            logs(count, |m, one| one.l = one.l + g(m, places)),
            logs(count, |m, one| one.m = one.m + g(m, places)),
            logs(count, |m, one| one.y = one.y + g(m, places)),
        ] {
            assert_eq!(verdict::<K, _>(&wrong.0, &proof(&wrong), FAST), Err(ProofFault::Equation));
        }
    }
    assert_eq!(case.0.relation(None).proof_bytes(), 96);
}
