//! Products with secrets under a modulus whose factors are known: two products of half the length.

use alloc::vec;
use alloc::vec::Vec;

use super::super::choice::Engine;
use super::list::{List, Parts, check_comb};
use super::signed::Signed;
use super::whole::reduced;
use crate::error::Error;
use crate::exponent::job::{Job, Power};
use crate::exponent::product::{Base, Exponent, Ring, SecretProduct, SecretTerm};
use crate::modular::factored::{Factored, Half};
use crate::modular::modulus::Modulus;
use crate::number::secret_natural::SecretNatural;
use crate::number::words::{Words, select, words_for};

/// A root's two halves.
pub(super) type Pair = Result<[Words; 2], Error>;

/// The first stage of `r^N mod p^2`: `r^q mod p`, left and right, for every such term of each product in its order.
/// Each product has its own, so that one that is refused takes nothing from the next.
pub(super) fn roots(engine: &Engine, products: &[SecretProduct<'_>]) -> Vec<Vec<Pair>> {
    let mut jobs = Vec::new();
    let mut counts = Vec::with_capacity(products.len());
    for product in products {
        let before = jobs.len();
        if let Ring::Factored(factored) = product.ring {
            for term in &product.terms {
                let SecretTerm::NthPower(base) = term else { continue };
                jobs.extend(factored.halves().iter().filter_map(|half| root_job(half, base)));
            }
        }
        counts.push((jobs.len() - before) >> 1);
    }
    let mut results = engine.run::<false>(&jobs).into_iter();
    let mut pair = || {
        let (left, right) = (results.next()?, results.next()?);
        Some(left.and_then(|left| Ok([left, right?])))
    };
    counts.into_iter().map(|count| (0..count).map_while(|_| pair()).collect()).collect()
}

/// The first stage under one part. The time shows the length of the other factor.
fn root_job(half: &Half, base: &Base<'_>) -> Option<Job> {
    let root = half.root.as_ref()?;
    let modulus = &root.prime.modulus;
    let bits = root.other.bits();
    let power = Power {
        base: reduced(modulus, base),
        exponent: root.other.to_words(words_for(bits)),
        bits,
    };
    Some(Job::new(modulus.parameters(), vec![power]))
}

/// Under known factors: two products of half the size, exponents reduced by the order, where signs vanish.
pub(super) fn plan<'a>(
    list: &mut List<'a>,
    product: &'a SecretProduct<'_>,
    factored: &Factored,
    roots: &mut impl Iterator<Item = Pair>,
) -> Result<[Parts; 2], Error> {
    let [left, right] = factored.halves();
    let (mut powers_left, mut powers_right) = (Vec::new(), Vec::new());
    for term in &product.terms {
        match term {
            SecretTerm::Power(base, exponent) => {
                check_base(base, factored.modulus())?;
                powers_left.push(power(left, base, exponent)?);
                powers_right.push(power(right, base, exponent)?);
            }
            SecretTerm::NthPower(_) => {
                let [x, y] = roots.next().ok_or(Error::Unsupported)??;
                powers_left.push(nth_power(left, x)?);
                powers_right.push(nth_power(right, y)?);
            }
            SecretTerm::Comb(comb, exponents) => {
                check_comb(comb, factored.modulus(), exponents.len())?;
                for ((base, bound), exponent) in comb.bases().zip(exponents) {
                    Signed::from_exponent(exponent).fits(bound)?;
                    powers_left.push(power(left, &Base::from(base), exponent)?);
                    powers_right.push(power(right, &Base::from(base), exponent)?);
                }
            }
        }
    }
    let left = list.push(left.modulus.parameters(), powers_left, Vec::new());
    let right = list.push(right.modulus.parameters(), powers_right, Vec::new());
    Ok([left, right])
}

fn check_base(base: &Base<'_>, modulus: &Modulus) -> Result<(), Error> {
    match base {
        Base::Public(base) if &**base >= modulus.value() => Err(Error::BaseNotReduced),
        _ => Ok(()),
    }
}

/// A power under one part, its exponent reduced by the order, where signs vanish. The time shows the bound of the exponent
/// and whether it is known to have no sign.
fn power(half: &Half, base: &Base<'_>, exponent: &Exponent<'_>) -> Result<Power, Error> {
    let Signed { negative, magnitude, bits } = Signed::from_exponent(exponent);
    let base = reduced(&half.modulus, base);
    if exponent.has_no_sign() && bits <= half.order.bits() {
        return Ok(Power { base, exponent: magnitude, bits });
    }
    let order = &half.order;
    let (_, residue) =
        SecretNatural::from_words(&magnitude, bits).div_rem(order).ok_or(Error::BadFactors)?;
    let (negated, _) = order.abs_diff(&residue);
    let len = words_for(order.bits());
    let mut chosen = residue.to_words(len);
    select(&mut chosen, &negated.to_words(len), negative);
    Ok(Power { base, exponent: chosen, bits: order.bits() })
}

/// The second stage of `r^N mod p^2`.
fn nth_power(half: &Half, root: Words) -> Result<Power, Error> {
    let prime = &half.root.as_ref().ok_or(Error::Unsupported)?.prime.modulus;
    // Made with room for all of it: a vector that grew would leave a copy behind.
    let mut base = Words::new(vec![0; half.modulus.parameters().words().len()]);
    base.iter_mut().zip(root.iter()).for_each(|(to, from)| *to = *from);
    Ok(Power {
        base,
        exponent: Words::new(prime.parameters().words().to_vec()),
        bits: prime.bits(),
    })
}
