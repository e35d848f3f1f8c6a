//! Products with secrets under a modulus whose factors are known: two products of half the length.

use alloc::vec;
use alloc::vec::Vec;

use super::list::{List, Parts, check_comb};
use super::signed::Signed;
use super::whole::reduced;
use crate::error::Error;
use crate::exponent::job::Power;
use crate::exponent::product::{Base, Exponent, SecretProduct, SecretTerm};
use crate::modular::factored::{Factored, Half};
use crate::modular::modulus::Modulus;
use crate::modular::parameters::padded;
use crate::number::limbs::{Words, select, words_for};
use crate::number::secret_natural::SecretNatural;

/// A root's two halves.
pub(super) type Pair = Result<[Words; 2], Error>;

/// The first stage of `r^N mod p^2`: `r^q mod p`, left and right, for every such term of a product.
pub(super) fn roots(
    list: &mut List<'_>,
    product: &SecretProduct<'_>,
    factored: &Factored,
) -> Vec<[Parts; 2]> {
    let [left, right] = factored.halves();
    let root = |term: &SecretTerm<'_>| {
        let SecretTerm::NthPower(base) = term else { return None };
        Some([root_job(list, left, base)?, root_job(list, right, base)?])
    };
    product.terms.iter().filter_map(root).collect()
}

/// The first stage under one part. The time shows the length of the other factor.
fn root_job(list: &mut List<'_>, half: &Half, base: &Base<'_>) -> Option<Parts> {
    let root = half.root.as_ref()?;
    let modulus = &root.prime.modulus;
    let bits = root.other.bits();
    let power = Power {
        base: reduced(modulus, base),
        exponent: root.other.to_words(words_for(bits)),
        bits,
        public: false,
    };
    Some(list.push(modulus.parameters(), vec![power], Vec::new()))
}

/// Returns whether the parts are primes, and not squares of primes.
pub(super) fn are_primes(factored: &Factored) -> bool {
    factored.halves().iter().all(|half| half.root.is_none())
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
        return Ok(Power { base, exponent: magnitude, bits, public: false });
    }
    let order = &half.order;
    let (_, residue) =
        SecretNatural::from_words(&magnitude, bits).div_rem(order).ok_or(Error::BadFactors)?;
    let (negated, _) = order.abs_diff(&residue);
    let len = words_for(order.bits());
    let mut chosen = residue.to_words(len);
    select(&mut chosen, &negated.to_words(len), negative);
    Ok(Power { base, exponent: chosen, bits: order.bits(), public: false })
}

/// The second stage of `r^N mod p^2`.
fn nth_power(half: &Half, root: Words) -> Result<Power, Error> {
    let prime = &half.root.as_ref().ok_or(Error::Unsupported)?.prime.modulus;
    Ok(Power {
        base: padded(&root, half.modulus.parameters().words().len()),
        exponent: Words::new(prime.parameters().words().to_vec()),
        bits: prime.bits(),
        public: false,
    })
}
