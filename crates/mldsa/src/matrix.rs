//! The public matrix A (FIPS 204, Algorithm 32).

use alloc::vec::Vec;

use crate::level::Level;
use crate::poly::{Ntt, Poly};
use crate::sample::uniform;

/// The k rows of ℓ transformed polynomials.
pub(crate) struct Matrix(Vec<Vec<Ntt>>);

impl Matrix {
    /// ExpandA
    pub(crate) fn expand(level: Level, rho: &[u8; 32]) -> Self {
        let row = |r| (0_u8..).take(level.l()).map(|s| uniform(rho, s, r)).collect();
        Self((0_u8..).take(level.k()).map(row).collect())
    }

    /// The transform of A times a transformed vector, with a factor 2^-32.
    pub(crate) fn times<'a>(&'a self, vector: &'a [Ntt]) -> impl Iterator<Item = Ntt> + 'a {
        self.0.iter().map(move |row| {
            let mut sum = Ntt::ZERO;
            row.iter().zip(vector).for_each(|(a, b)| sum.add_product(a, b));
            sum
        })
    }

    /// A times a transformed vector.
    pub(crate) fn apply(&self, vector: &[Ntt]) -> Vec<Poly> {
        self.times(vector).map(Ntt::inverse).collect()
    }
}
