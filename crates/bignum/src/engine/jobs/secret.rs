//! Products with secrets.

use alloc::vec::Vec;

use super::super::choice::Engine;
use super::halves::Pair;
use super::list::{List, Parts, Results};
use super::{halves, whole};
use crate::error::Error;
use crate::exponent::product::{Ring, SecretProduct};
use crate::number::secret_natural::SecretNatural;

/// The part of a product that is in the first list.
enum First {
    /// The whole product.
    Whole(Result<[Parts; 2], Error>),
    /// The first stage of its N-th powers; for most products there are none.
    Roots(Vec<[Parts; 2]>),
}

/// The work of a product with secrets: under its modulus, or under the two parts of it, in the second list or in the
/// first.
enum Plan {
    Whole(Parts),
    Halves([Parts; 2]),
    First([Parts; 2]),
}

/// The values of products with secrets, using known factors, by two lists. The second list has the products that
/// take the first stage of N-th powers. Work modulo primes is as long as that stage, and fills its lanes. The
/// time depends only on the lengths of moduli and exponents, and on public bases and exponents.
pub(in super::super) fn evaluate(
    engine: &Engine,
    products: &[SecretProduct<'_>],
) -> Vec<Result<SecretNatural, Error>> {
    let mut list = List::default();
    let begun: Vec<First> = products.iter().map(|product| begin(&mut list, product)).collect();
    let first = list.run::<false>(engine);
    let mut list = List::default();
    let plans: Vec<Result<Plan, Error>> = products
        .iter()
        .zip(begun)
        .map(|(product, begun)| plan_secret(engine, &mut list, product, (begun, &first)))
        .collect();
    let second = list.run::<false>(engine);
    plans
        .into_iter()
        .zip(products)
        .map(|(plan, product)| finish(&plan?, product, [&first, &second]))
        .collect()
}

/// The part of a product in the first list.
fn begin<'a>(list: &mut List<'a>, product: &'a SecretProduct<'_>) -> First {
    match product.ring {
        Ring::Factored(factored) if halves::are_primes(factored) => {
            First::Whole(halves::plan(list, product, factored, &mut core::iter::empty()))
        }
        Ring::Factored(factored) => First::Roots(halves::roots(list, product, factored)),
        Ring::Public(_) | Ring::Secret(_) => First::Roots(Vec::new()),
    }
}

fn finish(
    plan: &Plan,
    product: &SecretProduct<'_>,
    [first, second]: [&Results; 2],
) -> Result<SecretNatural, Error> {
    let ([left, right], results) = match plan {
        Plan::Whole(parts) => {
            let value = parts.collect(second)?;
            return Ok(SecretNatural::from_words(&value, parts.modulus.bits()));
        }
        Plan::Halves(parts) => (parts, second),
        Plan::First(parts) => (parts, first),
    };
    let Ring::Factored(factored) = product.ring else { return Err(Error::NoValue) };
    let [p, q] = factored.parts();
    let left = SecretNatural::from_words(&left.collect(results)?, p.bits());
    let right = SecretNatural::from_words(&right.collect(results)?, q.bits());
    Ok(factored.recombine(&left, &right))
}

fn plan_secret<'a>(
    engine: &Engine,
    list: &mut List<'a>,
    product: &'a SecretProduct<'_>,
    (begun, first): (First, &Results),
) -> Result<Plan, Error> {
    let roots = match begun {
        First::Whole(parts) => return Ok(Plan::First(parts?)),
        First::Roots(roots) => roots,
    };
    match product.ring {
        Ring::Public(modulus) => {
            whole::under_public(engine, list, product, modulus).map(Plan::Whole)
        }
        Ring::Secret(modulus) => whole::under_secret(list, product, modulus).map(Plan::Whole),
        Ring::Factored(factored) => {
            let pair = |[left, right]: &[Parts; 2]| -> Pair {
                Ok([left.collect(first)?, right.collect(first)?])
            };
            halves::plan(list, product, factored, &mut roots.iter().map(pair)).map(Plan::Halves)
        }
    }
}
