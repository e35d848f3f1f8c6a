//! Products with secrets under a modulus as a whole.

use alloc::vec::Vec;

use super::super::choice::Engine;
use super::list::{List, Parts, check_comb};
use super::public::public_base;
use super::signed::Signed;
use crate::error::Error;
use crate::exponent::comb::CombJob;
use crate::exponent::job::Power;
use crate::exponent::product::{Base, Exponent, SecretProduct, SecretTerm};
use crate::modular::modulus::Modulus;
use crate::modular::secret_modulus::SecretModulus;
use crate::number::limbs::{Words, select, words_for};
use crate::number::secret_natural::SecretNatural;

/// Plans a product under a public modulus. Secret signs choose between a base and its inverse, in constant time.
/// The time shows the bounds of exponents, and whether they are known to have no sign.
pub(super) fn under_public<'a>(
    engine: &Engine,
    list: &mut List<'a>,
    product: &'a SecretProduct<'_>,
    modulus: &Modulus,
) -> Result<Parts, Error> {
    let (mut powers, mut combs) = (Vec::new(), Vec::new());
    for term in &product.terms {
        match term {
            SecretTerm::Power(base, exponent) => powers.push(power(modulus, base, exponent)?),
            SecretTerm::NthPower(_) => return Err(Error::Unsupported),
            SecretTerm::Comb(comb, exponents) => {
                check_comb(comb, modulus, exponents.len())?;
                if engine.reads(comb) {
                    let exponents = comb.bases().zip(exponents);
                    let exponents =
                        exponents.map(|((_, bound), e)| Signed::from_exponent(e).for_comb(bound));
                    combs.push(CombJob { comb, exponents: exponents.collect::<Result<_, _>>()? });
                } else {
                    for ((base, bound), exponent) in comb.bases().zip(exponents) {
                        Signed::from_exponent(exponent).fits(bound)?;
                        powers.push(power(modulus, &Base::from(base), exponent)?);
                    }
                }
            }
        }
    }
    Ok(list.push(modulus.parameters(), powers, combs))
}

/// A power whose base is inverted where its exponent is negative. Constant time in the sign and the base, where secret; the
/// length of the exponent, or its bound, shows.
fn power(modulus: &Modulus, base: &Base<'_>, exponent: &Exponent<'_>) -> Result<Power, Error> {
    let Signed { negative, magnitude, bits } = Signed::from_exponent(exponent);
    let len = modulus.parameters().words().len();
    let base = match (base, exponent) {
        (Base::Public(base), Exponent::Public(e)) => public_base(modulus, base, e.is_negative())?,
        (Base::Public(base), Exponent::SecretNatural(_)) => public_base(modulus, base, false)?,
        (Base::Public(base), Exponent::Secret(_)) => {
            let mut chosen = public_base(modulus, base, false)?;
            select(&mut chosen, &public_base(modulus, base, true)?, negative);
            chosen
        }
        (Base::Secret(base), _) => {
            let secret = modulus.for_secrets();
            let mut chosen = secret.reduce(base).to_words(len);
            if !exponent.has_no_sign() {
                select(&mut chosen, &secret.inverse(base)?.to_words(len), negative);
            }
            chosen
        }
    };
    let public = matches!(exponent, Exponent::Public(_));
    Ok(Power { base, exponent: magnitude, bits, public })
}

/// Plans a product under a secret modulus of unknown order. Exponents that may be negative take the inverse, in
/// constant time. The time shows the bounds of exponents, and whether they are known to have no sign.
pub(super) fn under_secret(
    list: &mut List<'_>,
    product: &SecretProduct<'_>,
    modulus: &SecretModulus,
) -> Result<Parts, Error> {
    let mut powers = Vec::new();
    for term in &product.terms {
        let SecretTerm::Power(base, exponent) = term else { return Err(Error::Unsupported) };
        let Signed { negative, magnitude, bits } = Signed::from_exponent(exponent);
        let mut chosen = reduced(modulus, base);
        if !exponent.has_no_sign() {
            let inverse = modulus.inverse(&SecretNatural::from_words(&chosen, modulus.bits()))?;
            let len = chosen.len();
            select(&mut chosen, &inverse.to_words(len), negative);
        }
        let public = matches!(exponent, Exponent::Public(_));
        powers.push(Power { base: chosen, exponent: magnitude, bits, public });
    }
    Ok(list.push(modulus.parameters(), powers, Vec::new()))
}

/// The residue of a base under a secret modulus, in constant time.
pub(super) fn reduced(modulus: &SecretModulus, base: &Base<'_>) -> Words {
    let len = modulus.parameters().words().len();
    let secret = match base {
        Base::Public(base) => modulus.reduce(&SecretNatural::from_words(
            &base.to_words(words_for(base.bits())),
            base.bits(),
        )),
        Base::Secret(base) => modulus.reduce(base),
    };
    secret.to_words(len)
}
