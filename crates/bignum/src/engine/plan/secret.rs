//! Products with secrets.

use alloc::vec::Vec;

use super::super::choice::Engine;
use super::halves::Pair;
use super::list::{List, Parts, Results};
use super::{halves, whole};
use crate::error::Error;
use crate::exponent::product::{Ring, SecretProduct};
use crate::number::secret_natural::SecretNatural;

/// The work of a product with secrets: under its modulus, or under the two parts of it.
enum Plan {
    Whole(Parts),
    Halves([Parts; 2]),
}

/// The values of products with secrets, known factors used. The time depends on the lengths of moduli and exponents, on
/// public bases and exponents, and on nothing else.
pub(in super::super) fn evaluate(
    engine: &Engine,
    products: &[SecretProduct<'_>],
) -> Vec<Result<SecretNatural, Error>> {
    let roots = halves::roots(engine, products);
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

fn plan_secret<'a>(
    engine: &Engine,
    list: &mut List<'a>,
    product: &'a SecretProduct<'_>,
    roots: &mut impl Iterator<Item = Pair>,
) -> Result<Plan, Error> {
    match product.ring {
        Ring::Public(modulus) => {
            whole::under_public(engine, list, product, modulus).map(Plan::Whole)
        }
        Ring::Secret(modulus) => whole::under_secret(list, product, modulus).map(Plan::Whole),
        Ring::Factored(factored) => halves::plan(list, product, factored, roots).map(Plan::Halves),
    }
}
