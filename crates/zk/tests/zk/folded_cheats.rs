//! Provers that cheat about products, at each place and at two at once.

use quorate_bignum::{Engine, Integer, Natural, PublicProduct};
use quorate_curve::Curve;
use quorate_paillier::Ciphertext;
use quorate_zk::sigma::{Relation, Stages, Statement};
use quorate_zk::testing::{Cheat, prove_cheating, weights_of};
use quorate_zk::{ProofFault, verify};

use crate::folded::{PLACES, plus, root_of_one, times};
use crate::folded_products::Case;
use crate::support::*;

type Item = quorate_zk::pi_aff_g_folded::Item<'static, K>;

/// The case with an item altered at each place: the last argument is 1, and -1 at the second of two.
fn altered((count, places): (usize, &[usize]), alter: &dyn Fn(&mut Item, &Integer)) -> Case<K> {
    let mut case = Case::<K>::new(TOY, count, 1);
    for (index, place) in places.iter().enumerate() {
        alter(&mut case.items[*place], &integer(if index == 0 { 1 } else { -1 }));
    }
    case
}

fn refused(case: &Case<K>) {
    assert_eq!(case.verdict(&case.prove(3)), Err(ProofFault::Equation));
}

/// `K^more` in a product: another multiplier than in `S'_m`, or than x.
fn multiplied(d: &Ciphertext, k: &Ciphertext, more: &Integer) -> &'static Ciphertext {
    let power =
        PublicProduct::new(k.key().square()).power(k.value(), more).power(d.value(), integer(1));
    let value = Engine::detect().evaluate_vartime(&[power]).remove(0).unwrap();
    keep(Ciphertext::new(k.key(), value).unwrap())
}

#[test]
fn wrong_multipliers() {
    for places in PLACES {
        for which in [0, 1] {
            refused(&altered(places, &|one, more| {
                one.d[which] = multiplied(one.d[which], one.k, more);
            }));
        }
        // The two of one presignature, exchanged.
        refused(&altered(places, &|one, more| {
            one.d[0] = multiplied(one.d[0], one.k, more);
            one.d[1] = multiplied(one.d[1], one.k, &more.neg());
        }));
        // The same as x modulo q, and another integer.
        let order = K::ORDER.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect::<Vec<_>>();
        let order = Integer::from(Natural::from_be_bytes(&order));
        refused(&altered(places, &|one, more| {
            one.d[1] = multiplied(one.d[1], one.k, &order.mul(more));
        }));
    }
}

/// `y` differs in D and F: by one, by something that cancels at two places, in D alone.
#[test]
fn masks_that_differ() {
    for places in PLACES {
        for which in [0, 1] {
            refused(&altered(places, &|one, more| one.f[which] = plus(one.f[which], more)));
            refused(&altered(places, &|one, more| one.d[which] = plus(one.d[which], more)));
        }
        refused(&altered(places, &|one, more| {
            one.f[0] = plus(one.f[0], more);
            one.f[1] = plus(one.f[1], &more.neg());
        }));
    }
}

/// `S'_m` is not of `γ_m`: errors that cancel between two places, in the value and in its hiding exponent.
#[test]
fn commitments_that_cancel() {
    let setup = parties(TOY)[1].setup();
    for base in [setup.s(), setup.t()] {
        let inverse = setup.modulus().inverse(base).unwrap();
        for places in PLACES {
            refused(&altered(places, &|one, more| {
                let factor = if more.is_negative() { &inverse } else { base };
                one.s = keep(setup.modulus().mul(one.s, factor));
            }));
        }
    }
}

/// The number of `x + q` in all products and in the answer; `S_x` follows when the weights are known.
#[test]
fn a_commitment_after_the_weights() {
    let setup = parties(TOY)[1].setup();
    let order = K::ORDER.iter().rev().flat_map(|limb| limb.to_be_bytes()).collect::<Vec<_>>();
    let order = Integer::from(Natural::from_be_bytes(&order));
    let case = altered((3, &[0, 1, 2]), &|one, _| one.d[1] = multiplied(one.d[1], one.k, &order));
    let power = PublicProduct::new(setup.modulus()).power(setup.s(), &order);
    let factor = Engine::detect().evaluate_vartime(&[power]).remove(0).unwrap();
    let shifts = vec![("zx", order)];
    // Commitment 0 is T, 1 is S_x.
    let late =
        Cheat { late: vec![([1, 0], factor.clone())], shifts: shifts.clone(), ..Cheat::default() };
    assert_eq!(case.verdict(&case.cheat(&late, 3).unwrap()), Err(ProofFault::Equation));
    // T_m: y_m moves by the same number at two places, after the weights.
    for [a, b] in [[0, 1], [0, 4], [3, 5]] {
        let inverse = setup.modulus().inverse(&factor).unwrap();
        let late = vec![([0, a], factor.clone()), ([0, b], inverse)];
        let case = Case::<K>::new(TOY, 3, 1);
        let cheat = Cheat { late, ..Cheat::default() };
        assert_eq!(case.verdict(&case.cheat(&cheat, 3).unwrap()), Err(ProofFault::Equation));
    }
    // The commitment that was hashed: the proof holds, since x + q is then the multiplier.
    let mut honest = Case::<K>::new(TOY, 3, 1);
    let x = honest
        .x
        .declassify()
        .sub(&shifts[0].1.mul(&integer(i64::from(!honest.x.declassify().is_negative()))));
    honest.x = secret(&x);
    for (item, witness) in honest.items.iter_mut().zip(&honest.witness) {
        item.d[1] = affine(item.k, honest.x, witness.masks[1].y, witness.masks[1].rho);
    }
    assert_eq!(honest.verdict(&honest.cheat(&Cheat::default(), 3).unwrap()), Ok(()));
}

/// `y + 1/d` modulo both N in D and F, whenever d divides the weight: the commitment T stands against it.
#[test]
fn rationals() {
    for (count, place) in
        [1, 3].into_iter().flat_map(|count| (0..2 * count).map(move |m| (count, m)))
    {
        for d in [2, 3] {
            let case = altered((count, &[place / 2]), &|one, _| {
                for c in [&mut one.d[place % 2], &mut one.f[place % 2]] {
                    let fraction = c.key().modulus().inverse(&Natural::from(d)).unwrap();
                    *c = plus(c, &fraction.into());
                }
            });
            let cheat = Cheat { fractions: vec![("zy", place, d)], ..Cheat::default() };
            let proof = (0..64).find_map(|seed| case.cheat(&cheat, seed).ok()).unwrap();
            assert_eq!(case.verdict(&proof), Err(ProofFault::Equation));
        }
    }
}

/// The statement without `T`.
struct Weak(quorate_zk::pi_aff_g_folded::Statement<'static, K>);

impl Statement<'static, K> for Weak {
    type Witness = quorate_zk::pi_aff_g_folded::Witness<'static>;

    fn relation(&self, witness: Option<Self::Witness>) -> Relation<'static, K> {
        let (one, items) = (&self.0.items[0], witness.map_or(&[][..], |w| w.items));
        let mut b = Relation::fold("weak", TOY, (Stages::Two, 1));
        let mask = items.iter().map(|w| w.masks[0]);
        let (y, rho, rho_y) = b.folded(|b| {
            let y = b.integer("zy", 256, mask.clone().map(|mask| mask.y));
            let rho = b.unit("w", self.0.theirs, mask.clone().map(|mask| mask.rho));
            (y, rho, b.unit("w_y", self.0.ours, mask.map(|mask| mask.rho_y)))
        });
        let gamma = b.integer("z", 256, items.iter().map(|w| w.gamma));
        b.paillier([one.d[0]], y, rho).weighted([(one.k, [gamma])]);
        b.paillier([one.f[0]], y, rho_y);
        b.opened((self.0.setup, one.s), gamma, "z'", items.first().map(|w| w.mu));
        b.finish()
    }
}

/// Without `T` the same cheat passes. This is the purpose of the commitment, and what the tests above try.
#[test]
fn rationals_pass_without_the_commitment() {
    let cheat = Cheat { fractions: vec![("zy", 0, 2)], ..Cheat::default() };
    let both = || (context(), parties(TOY)[0].own());
    // Without commitments the weight depends on the statement alone.
    let prove = |seed| {
        let mut case = Case::<K>::new(TOY, 1, seed);
        let one = &mut case.items[0];
        for c in [&mut one.d[0], &mut one.f[0]] {
            let fraction = c.key().modulus().inverse(&Natural::from(2)).unwrap();
            *c = plus(c, &fraction.into());
        }
        let weak = Weak(case.statement());
        let proof =
            prove_cheating::<K, _>(&engine(), &weak, case.opened(), both(), &cheat, &mut rng(seed));
        Some((proof.ok()?, weak))
    };
    let (proof, weak) = (0..64).find_map(prove).unwrap();
    let own = parties(TOY)[1].own();
    assert_eq!(verify::<K, _>(&engine(), &weak, proof.as_bytes(), context(), own), Ok(()));
}

/// Numbers that are too long, with everything else in order.
#[test]
fn long_witnesses() {
    // ℓ + ε, ℓ' + ε, and the bits that the challenge and the weights add to a witness.
    let long = secret(&power(false, 256 + 320 + 1, 1));
    for place in 0..3 {
        let mut gamma = Case::<K>::new(TOY, 3, 1);
        gamma.witness[place].gamma = long;
        let witness = gamma.witness[place];
        gamma.items[place].d[0] =
            affine(gamma.items[place].k, long, witness.masks[0].y, witness.masks[0].rho);
        gamma.items[place].s =
            keep(witness.mu.commit(&engine(), parties(TOY)[1].setup(), long).unwrap());
        for which in [0, 1] {
            let mut mask = Case::<K>::new(TOY, 3, 1);
            mask.witness[place].masks[which].y = long;
            let (w, item) = (mask.witness[place].masks[which], &mut mask.items[place]);
            let by = [mask.witness[place].gamma, mask.x][which];
            item.d[which] = affine(item.k, by, long, w.rho);
            item.f[which] = encrypt(parties(TOY)[0].public(), long, w.rho_y);
            assert_eq!(
                mask.verdict(&mask.cheat(&Cheat::default(), 3).unwrap()),
                Err(ProofFault::Length)
            );
        }
        assert_eq!(
            gamma.verdict(&gamma.cheat(&Cheat::default(), 3).unwrap()),
            Err(ProofFault::Length)
        );
    }
}

/// The masks of responses moved to the bounds of their intervals, and past them.
#[test]
fn ranges() {
    let case = Case::<K>::new(TOY, 3, 1);
    for (bits, name) in
        [(576, "zx"), (576, "zy"), (576, "z"), (1344, "z'"), (1344, "zν"), (1344, "zμ")]
    {
        for value in [power(false, bits, 0), power(true, bits, 0)] {
            let cheat = Cheat { masks: vec![(name, value)], ..Cheat::default() };
            let verdict = case.verdict(&case.cheat(&cheat, 3).unwrap());
            // A response of more bytes has no encoding.
            assert!(
                [Err(ProofFault::Range(name)), Err(ProofFault::Length)].contains(&verdict),
                "{name}"
            );
        }
    }
}

/// A sign, or another root of one under a key: the plaintexts are the same, so the statements that are proved are true. A
/// proof of before is one of another statement.
#[test]
fn roots_of_one() {
    let [prover, verifier, _] = parties(TOY);
    let plain = |c: &Ciphertext, party: &Party| {
        party.key.decrypt_many(&engine(), &[c]).unwrap().remove(0).declassify()
    };
    for places in PLACES {
        let honest = Case::<K>::new(TOY, places.0, 1);
        let proof = honest.prove(2);
        for which in [0, 1] {
            let minus_one = |c: &Ciphertext| c.key().square().neg(&1.into());
            let signed = altered(places, &|one, _| {
                one.d[which] = times(one.d[which], &minus_one(one.d[which]));
            });
            let rooted =
                altered(places, &|one, _| one.f[which] = times(one.f[which], &root_of_one(0)));
            for case in [signed, rooted] {
                assert_eq!(case.verdict(&proof), Err(ProofFault::Equation));
                for (one, other) in case.items.iter().zip(&honest.items) {
                    assert_eq!(plain(one.d[which], verifier), plain(other.d[which], verifier));
                    assert_eq!(plain(one.f[which], prover), plain(other.f[which], prover));
                }
                // It passes if the weights at these places, two for each presignature, are even in all.
                for seed in 0..4 {
                    let proof = case.prove(seed);
                    let weights = weights_of::<K, _>(&case.statement(), &proof, context()).unwrap();
                    let odd = |m: &&usize| weights[2 * **m + which].magnitude().is_odd();
                    let odd = places.1.iter().filter(odd).count() % 2 == 1;
                    // Or if the challenge is.
                    assert!(odd || case.verdict(&proof) == Ok(()));
                }
            }
        }
    }
}

/// Errors that the weights of a transcript cancel: they are hashed with the products, so other ones come out.
#[test]
fn replayed_weights() {
    let case = Case::<K>::new(TOY, 3, 1);
    let proof = case.prove(2);
    let weights = weights_of::<K, _>(&case.statement(), &proof, context()).unwrap();
    for [a, b] in [[0, 1], [0, 5], [2, 4], [4, 5]] {
        let mut other = case.clone();
        let shift = |c: &mut &'static Ciphertext, by: &Integer| *c = plus(c, by);
        shift(&mut other.items[a / 2].d[a % 2], &weights[b]);
        shift(&mut other.items[b / 2].d[b % 2], &weights[a].neg());
        let product = |case: &Case<K>| {
            let key = parties(TOY)[1].public();
            let images = case.items.iter().flat_map(|one| one.d).zip(&weights);
            let product = images
                .fold(PublicProduct::new(key.square()), |out, (one, e)| out.power(one.value(), e));
            engine().evaluate_vartime(&[product]).remove(0).unwrap()
        };
        assert_eq!(product(&other), product(&case));
        assert_eq!(other.verdict(&proof), Err(ProofFault::Equation));
    }
}
