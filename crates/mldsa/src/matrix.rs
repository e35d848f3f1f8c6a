//! The public matrix A (FIPS 204, Algorithm 32).

use alloc::vec::Vec;

use crate::level::Level;
use crate::poly::{Ntt, Poly, zeros};
use crate::sample::uniform;

/// The k rows of ℓ transformed polynomials.
#[derive(PartialEq, Eq)]
pub(crate) struct Matrix(Vec<Vec<Ntt>>);

impl Matrix {
    /// ExpandA
    pub(crate) fn expand(level: Level, rho: &[u8; 32]) -> Self {
        let row = |r| (0_u8..).take(level.l()).map(|s| uniform(rho, s, r)).collect();
        Self((0_u8..).take(level.k()).map(row).collect())
    }

    /// The rows.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[Ntt]> {
        self.0.iter().map(Vec::as_slice)
    }

    /// A times a transformed vector.
    pub(crate) fn apply(&self, vector: &[Ntt]) -> Vec<Poly> {
        let mut product = zeros(self.0.len());
        for (to, row) in product.iter_mut().zip(self.rows()) {
            to.set_products(row, vector, None);
        }
        product
    }
}
