//! From products to jobs and back: signs, known factors, combs.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use subtle::Choice;
use zeroize::Zeroizing;

use super::Engine;
use crate::factored::Half;
use crate::job::{Job, Power, Words, mul_mod, one};
use crate::modulus::Parameters;
use crate::power::comb::{CombJob, shifted};
use crate::product::{Base, Exponent, PublicProduct, PublicTerm, Ring, SecretProduct, SecretTerm};
use crate::words::{select, words_for};
use crate::{Comb, Error, Factored, Modulus, Natural, SecretModulus, SecretNatural};

/// The list that all products of a call share.
#[derive(Default)]
struct List<'a> {
    jobs: Vec<Job>,
    combs: Vec<CombJob<'a>>,
}

/// Where the factors of one product are found when the list is done.
struct Parts {
    modulus: Arc<Parameters>,
    job: Option<usize>,
    combs: Vec<usize>,
}

/// The results of a list.
struct Results {
    jobs: Vec<Result<Words, Error>>,
    combs: Vec<Result<Words, Error>>,
}

impl<'a> List<'a> {
    fn push(
        &mut self,
        modulus: &Arc<Parameters>,
        powers: Vec<Power>,
        combs: Vec<CombJob<'a>>,
    ) -> Parts {
        let job = (!powers.is_empty()).then(|| {
            self.jobs.push(Job::new(modulus, powers));
            self.jobs.len() - 1
        });
        let first = self.combs.len();
        self.combs.extend(combs);
        Parts { modulus: Arc::clone(modulus), job, combs: (first..self.combs.len()).collect() }
    }

    fn run<const VARTIME: bool>(&self, engine: &Engine) -> Results {
        Results {
            jobs: engine.run::<VARTIME>(&self.jobs),
            combs: engine.run_combs::<VARTIME>(&self.combs),
        }
    }
}

impl Parts {
    /// The product of the parts.
    fn collect(&self, results: &Results) -> Result<Words, Error> {
        let jobs = self.job.iter().map(|&i| results.jobs.get(i));
        let combs = self.combs.iter().map(|&i| results.combs.get(i));
        let mut product: Option<Words> = None;
        for result in jobs.chain(combs) {
            let factor = result.ok_or(Error::NoValue)?.as_ref().map_err(|error| *error)?;
            product = Some(match product {
                None => factor.clone(),
                Some(product) => mul_mod(&self.modulus, &product, factor),
            });
        }
        Ok(product.unwrap_or_else(|| one(&self.modulus)))
    }
}

/// A public base below its modulus, or its inverse where the exponent is negative.
fn public_base(modulus: &Modulus, base: &Natural, negative: bool) -> Result<Words, Error> {
    if base >= modulus.value() {
        return Err(Error::BaseNotReduced);
    }
    let len = modulus.parameters().words().len();
    let base = if negative { modulus.inverse(base)?.to_words(len) } else { base.to_words(len) };
    Ok(Zeroizing::new(base))
}

fn public_power(
    modulus: &Modulus,
    base: &Natural,
    exponent: &crate::Integer,
) -> Result<Power, Error> {
    let base = public_base(modulus, base, exponent.is_negative())?;
    let bits = exponent.magnitude().bits();
    Ok(Power {
        base,
        exponent: Zeroizing::new(exponent.magnitude().to_words(words_for(bits))),
        bits,
    })
}

/// Public products: jobs with sliding digits, in variable time.
pub(super) fn public(
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
            PublicTerm::Power(base, exponent) => {
                powers.push(public_power(modulus, base, exponent)?)
            }
            PublicTerm::Comb(comb, exponents) => {
                check_comb(comb, modulus, exponents.len())?;
                if engine.reads(comb) {
                    let exponents = comb.bases().zip(exponents).map(|((_, bound), e)| {
                        let bits = e.magnitude().bits();
                        comb_exponent(
                            &e.magnitude().to_words(words_for(bits)),
                            e.is_negative().into(),
                            bits,
                            bound,
                        )
                    });
                    combs.push(CombJob { comb, exponents: exponents.collect::<Result<_, _>>()? });
                } else {
                    for ((base, bound), exponent) in comb.bases().zip(exponents) {
                        fits(exponent.magnitude().bits(), bound)?;
                        powers.push(public_power(modulus, base, exponent)?);
                    }
                }
            }
        }
    }
    Ok(list.push(modulus.parameters(), powers, combs))
}

fn check_comb(comb: &Comb, modulus: &Modulus, exponents: usize) -> Result<(), Error> {
    if comb.modulus() != modulus || comb.bases().count() != exponents {
        return Err(Error::LengthMismatch);
    }
    Ok(())
}

fn fits(bits: u32, bound: u32) -> Result<(), Error> {
    if bits > bound { Err(Error::ExponentTooLong) } else { Ok(()) }
}

fn comb_exponent(
    magnitude: &[u64],
    negative: SignBit,
    bits: u32,
    bound: u32,
) -> Result<Words, Error> {
    fits(bits, bound)?;
    Ok(shifted(magnitude, negative.0, bound))
}

/// A sign as a choice.
struct SignBit(Choice);

impl From<bool> for SignBit {
    fn from(negative: bool) -> Self {
        Self(Choice::from(u8::from(negative)))
    }
}

/// What a product with secrets becomes.
enum Plan {
    Whole(Parts),
    Halves([Parts; 2]),
}

/// Products with secrets: constant time, known factors used.
pub(super) fn secret(
    engine: &Engine,
    products: &[SecretProduct<'_>],
) -> Vec<Result<SecretNatural, Error>> {
    let roots = roots(engine, products);
    let mut list = List::default();
    let plans: Vec<Result<Plan, Error>> = products
        .iter()
        .zip(roots)
        .map(|(product, roots)| plan_secret(engine, &mut list, product, &mut roots.into_iter()))
        .collect();
    let results = list.run::<false>(engine);
    plans
        .into_iter()
        .zip(products)
        .map(|(plan, product)| finish(&plan?, product, &results))
        .collect()
}

fn finish(
    plan: &Plan,
    product: &SecretProduct<'_>,
    results: &Results,
) -> Result<SecretNatural, Error> {
    Ok(match (plan, product.ring) {
        (Plan::Halves([left, right]), Ring::Factored(factored)) => {
            let [p, q] = factored.parts();
            let left = SecretNatural::from_words(&left.collect(results)?, p.bits());
            let right = SecretNatural::from_words(&right.collect(results)?, q.bits());
            factored.recombine(&left, &right)
        }
        (Plan::Halves([parts, _]) | Plan::Whole(parts), _) => {
            SecretNatural::from_words(&parts.collect(results)?, parts.modulus.bits())
        }
    })
}

/// A root's two halves.
type Pair = Result<[Words; 2], Error>;

/// The first stage of `r^N mod p^2`: `r^q mod p`, left and right, for every such term of each product in its order.
/// Each product has its own, so that one that is refused takes nothing from the next.
fn roots(engine: &Engine, products: &[SecretProduct<'_>]) -> Vec<Vec<Pair>> {
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

/// The residue of a base under a part of the modulus.
fn reduced(modulus: &SecretModulus, base: &Base<'_>) -> Words {
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

fn plan_secret<'a>(
    engine: &Engine,
    list: &mut List<'a>,
    product: &'a SecretProduct<'_>,
    roots: &mut impl Iterator<Item = Pair>,
) -> Result<Plan, Error> {
    match product.ring {
        Ring::Public(modulus) => plan_whole(engine, list, product, modulus),
        Ring::Secret(modulus) => {
            let powers = secret_powers(product, modulus)?;
            Ok(Plan::Whole(list.push(modulus.parameters(), powers, Vec::new())))
        }
        Ring::Factored(factored) => plan_halves(list, product, factored, roots),
    }
}

/// Under a public modulus: signs choose between a base and its inverse, in constant time.
fn plan_whole<'a>(
    engine: &Engine,
    list: &mut List<'a>,
    product: &'a SecretProduct<'_>,
    modulus: &Modulus,
) -> Result<Plan, Error> {
    let (mut powers, mut combs) = (Vec::new(), Vec::new());
    for term in &product.terms {
        match term {
            SecretTerm::Power(base, exponent) => powers.push(whole_power(modulus, base, exponent)?),
            SecretTerm::NthPower(_) => return Err(Error::Unsupported),
            SecretTerm::Comb(comb, exponents) => {
                check_comb(comb, modulus, exponents.len())?;
                if engine.reads(comb) {
                    let exponents = comb.bases().zip(exponents).map(|((_, bound), e)| {
                        let Sign { negative, magnitude, bits } = Sign::of(e);
                        comb_exponent(&magnitude, SignBit(negative), bits, bound)
                    });
                    combs.push(CombJob { comb, exponents: exponents.collect::<Result<_, _>>()? });
                } else {
                    for ((base, bound), exponent) in comb.bases().zip(exponents) {
                        fits(Sign::of(exponent).bits, bound)?;
                        powers.push(whole_power(modulus, &Base::from(base), exponent)?);
                    }
                }
            }
        }
    }
    Ok(Plan::Whole(list.push(modulus.parameters(), powers, combs)))
}

/// An exponent taken apart.
struct Sign {
    negative: Choice,
    magnitude: Words,
    bits: u32,
}

impl Sign {
    fn of(exponent: &Exponent<'_>) -> Self {
        match exponent {
            Exponent::Public(e) => {
                let bits = e.magnitude().bits();
                let magnitude = Zeroizing::new(e.magnitude().to_words(words_for(bits)));
                Self { negative: SignBit::from(e.is_negative()).0, magnitude, bits }
            }
            Exponent::Secret(e) => {
                let bits = e.bits();
                Self {
                    negative: e.is_negative(),
                    magnitude: e.magnitude().to_words(words_for(bits)),
                    bits,
                }
            }
            Exponent::SecretNatural(e) => Self {
                negative: Choice::from(0),
                magnitude: e.to_words(words_for(e.bits())),
                bits: e.bits(),
            },
        }
    }
}

fn whole_power(
    modulus: &Modulus,
    base: &Base<'_>,
    exponent: &Exponent<'_>,
) -> Result<Power, Error> {
    let Sign { negative, magnitude, bits } = Sign::of(exponent);
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
    Ok(Power { base, exponent: magnitude, bits })
}

/// Under a secret modulus of unknown order: exponents that may be negative take the inverse, in constant time.
fn secret_powers(
    product: &SecretProduct<'_>,
    modulus: &SecretModulus,
) -> Result<Vec<Power>, Error> {
    let mut powers = Vec::new();
    for term in &product.terms {
        let SecretTerm::Power(base, exponent) = term else { return Err(Error::Unsupported) };
        let Sign { negative, magnitude, bits } = Sign::of(exponent);
        let mut chosen = reduced(modulus, base);
        if !exponent.has_no_sign() {
            let inverse = modulus.inverse(&SecretNatural::from_words(&chosen, modulus.bits()))?;
            let len = chosen.len();
            select(&mut chosen, &inverse.to_words(len), negative);
        }
        powers.push(Power { base: chosen, exponent: magnitude, bits });
    }
    Ok(powers)
}

/// Under known factors: two products of half the size, exponents reduced by the order, where signs vanish.
fn plan_halves<'a>(
    list: &mut List<'a>,
    product: &'a SecretProduct<'_>,
    factored: &Factored,
    roots: &mut impl Iterator<Item = Pair>,
) -> Result<Plan, Error> {
    let [left, right] = factored.halves();
    let (mut powers_left, mut powers_right) = (Vec::new(), Vec::new());
    for term in &product.terms {
        match term {
            SecretTerm::Power(base, exponent) => {
                check_base(base, factored.modulus())?;
                powers_left.push(half_power(left, base, exponent)?);
                powers_right.push(half_power(right, base, exponent)?);
            }
            SecretTerm::NthPower(_) => {
                let [x, y] = roots.next().ok_or(Error::Unsupported)??;
                powers_left.push(nth_power(left, x)?);
                powers_right.push(nth_power(right, y)?);
            }
            SecretTerm::Comb(comb, exponents) => {
                check_comb(comb, factored.modulus(), exponents.len())?;
                for ((base, bound), exponent) in comb.bases().zip(exponents) {
                    fits(Sign::of(exponent).bits, bound)?;
                    powers_left.push(half_power(left, &Base::from(base), exponent)?);
                    powers_right.push(half_power(right, &Base::from(base), exponent)?);
                }
            }
        }
    }
    let left = list.push(left.modulus.parameters(), powers_left, Vec::new());
    let right = list.push(right.modulus.parameters(), powers_right, Vec::new());
    Ok(Plan::Halves([left, right]))
}

fn check_base(base: &Base<'_>, modulus: &Modulus) -> Result<(), Error> {
    match base {
        Base::Public(base) if &**base >= modulus.value() => Err(Error::BaseNotReduced),
        _ => Ok(()),
    }
}

fn half_power(half: &Half, base: &Base<'_>, exponent: &Exponent<'_>) -> Result<Power, Error> {
    let Sign { negative, magnitude, bits } = Sign::of(exponent);
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
    let mut base = Zeroizing::new(vec![0; half.modulus.parameters().words().len()]);
    base.iter_mut().zip(root.iter()).for_each(|(to, from)| *to = *from);
    Ok(Power {
        base,
        exponent: Zeroizing::new(prime.parameters().words().to_vec()),
        bits: prime.bits(),
    })
}
