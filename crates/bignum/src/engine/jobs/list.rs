//! The jobs of a call, and the way back from their results to products.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::super::choice::Engine;
use crate::error::Error;
use crate::exponent::comb::{Comb, CombJob};
use crate::exponent::job::{Job, Power};
use crate::modular::modulus::Modulus;
use crate::modular::parameters::Parameters;
use crate::number::limbs::Words;

/// The list that all products of a call share.
#[derive(Default)]
pub(super) struct List<'a> {
    jobs: Vec<Job>,
    combs: Vec<CombJob<'a>>,
}

/// The places of the factors of one product, when the list is done.
pub(super) struct Parts {
    pub(super) modulus: Arc<Parameters>,
    job: Option<usize>,
    combs: Vec<usize>,
}

/// The results of a list.
pub(super) struct Results {
    jobs: Vec<Result<Words, Error>>,
    combs: Vec<Result<Words, Error>>,
}

impl<'a> List<'a> {
    /// Adds a product of powers and combs under one modulus.
    pub(super) fn push(
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

    /// Runs the list. With `VARTIME` the time shows everything, otherwise only lengths.
    pub(super) fn run<const VARTIME: bool>(&self, engine: &Engine) -> Results {
        Results {
            jobs: engine.run::<VARTIME>(&self.jobs),
            combs: engine.run_combs::<VARTIME>(&self.combs),
        }
    }
}

impl Parts {
    /// The product of the parts.
    pub(super) fn collect(&self, results: &Results) -> Result<Words, Error> {
        let jobs = self.job.iter().map(|&i| results.jobs.get(i));
        let combs = self.combs.iter().map(|&i| results.combs.get(i));
        let mut product: Option<Words> = None;
        for result in jobs.chain(combs) {
            let factor = result.ok_or(Error::NoValue)?.as_ref().map_err(|error| *error)?;
            product = Some(match product {
                None => factor.clone(),
                Some(product) => self.modulus.mul(&product, factor),
            });
        }
        Ok(product.unwrap_or_else(|| self.modulus.one()))
    }
}

/// Refuses a comb that is not for this modulus and this number of exponents.
pub(super) fn check_comb(comb: &Comb, modulus: &Modulus, exponents: usize) -> Result<(), Error> {
    if comb.modulus() != modulus || comb.bases().count() != exponents {
        return Err(Error::LengthMismatch);
    }
    Ok(())
}
