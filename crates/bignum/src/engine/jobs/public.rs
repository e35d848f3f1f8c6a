//! Public products, in variable time.

use alloc::vec::Vec;

use super::super::choice::Engine;
use super::list::{List, Parts, check_comb};
use super::signed::Signed;
use crate::error::Error;
use crate::exponent::comb::CombJob;
use crate::exponent::job::Power;
use crate::exponent::product::{PublicProduct, PublicTerm};
use crate::modular::modulus::Modulus;
use crate::number::integer::Integer;
use crate::number::limbs::Words;
use crate::number::natural::Natural;

/// The values of public products. Variable time.
pub(in super::super) fn evaluate_vartime(
    engine: &Engine,
    products: &[PublicProduct<'_>],
) -> Vec<Result<Natural, Error>> {
    let mut list = List::default();
    let parts: Vec<Result<Parts, Error>> =
        products.iter().map(|product| plan_public(engine, &mut list, product)).collect();
    let results = list.run::<true>(engine);
    parts.into_iter().map(|parts| Ok(Natural::from_words(&parts?.collect(&results)?))).collect()
}

fn plan_public<'a>(
    engine: &Engine,
    list: &mut List<'a>,
    product: &'a PublicProduct<'_>,
) -> Result<Parts, Error> {
    let modulus = product.modulus;
    let (mut powers, mut combs) = (Vec::new(), Vec::new());
    for term in &product.terms {
        match term {
            PublicTerm::Power(base, exponent) => powers.push(power(modulus, base, exponent)?),
            PublicTerm::Comb(comb, exponents) => {
                check_comb(comb, modulus, exponents.len())?;
                if engine.reads(comb) {
                    let exponents = comb.bases().zip(exponents);
                    let exponents =
                        exponents.map(|((_, bound), e)| Signed::from_public(e).for_comb(bound));
                    combs.push(CombJob { comb, exponents: exponents.collect::<Result<_, _>>()? });
                } else {
                    for ((base, bound), exponent) in comb.bases().zip(exponents) {
                        Signed::from_public(exponent).fits(bound)?;
                        powers.push(power(modulus, base, exponent)?);
                    }
                }
            }
        }
    }
    Ok(list.push(modulus.parameters(), powers, combs))
}

/// A public base below its modulus, or its inverse where the exponent is negative.
pub(super) fn public_base(
    modulus: &Modulus,
    base: &Natural,
    negative: bool,
) -> Result<Words, Error> {
    if base >= modulus.value() {
        return Err(Error::BaseNotReduced);
    }
    let len = modulus.parameters().words().len();
    let base = if negative { modulus.inverse(base)?.to_words(len) } else { base.to_words(len) };
    Ok(Words::new(base))
}

fn power(modulus: &Modulus, base: &Natural, exponent: &Integer) -> Result<Power, Error> {
    let base = public_base(modulus, base, exponent.is_negative())?;
    let Signed { magnitude, bits, .. } = Signed::from_public(exponent);
    Ok(Power { base, exponent: magnitude, bits, public: true })
}
