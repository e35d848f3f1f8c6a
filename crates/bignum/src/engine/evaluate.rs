//! Lists of products, evaluated.

use alloc::vec::Vec;

use super::choice::Engine;
use super::jobs::{public, secret};
use crate::error::Error;
use crate::exponent::product::{PublicProduct, SecretProduct};
use crate::number::natural::Natural;
use crate::number::secret_natural::SecretNatural;

impl Engine {
    /// The values of public products, in their order. An error in one product does not affect the values of the
    /// others. Variable time.
    #[must_use]
    pub fn evaluate_vartime(&self, products: &[PublicProduct<'_>]) -> Vec<Result<Natural, Error>> {
        #[cfg(feature = "tracing")]
        let _span = tracing::trace_span!("evaluate_vartime", products = products.len()).entered();
        public::evaluate_vartime(self, products)
    }

    /// The values of products with secrets, in their order, each below its modulus. The time depends only on the
    /// lengths of moduli and exponents, and on public bases and exponents.
    #[must_use]
    pub fn evaluate(&self, products: &[SecretProduct<'_>]) -> Vec<Result<SecretNatural, Error>> {
        #[cfg(feature = "tracing")]
        let _span = tracing::trace_span!("evaluate", products = products.len()).entered();
        secret::evaluate(self, products)
    }
}
