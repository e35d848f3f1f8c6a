//! The public matrix A (FIPS 204, Algorithm 32).

use alloc::vec::Vec;

use crate::level::Level;
use crate::poly::{Ntt, Poly};
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

    /// A times a transformed vector.
    pub(crate) fn apply(&self, vector: &[Ntt]) -> Vec<Poly> {
        self.0.iter().map(|row| Ntt::sum(row, vector, None).inverse()).collect()
    }

    /// A times a transformed vector, less c times another vector.
    pub(crate) fn apply_less<'a>(
        &'a self,
        vector: &'a [Ntt],
        c: &'a Ntt,
        less: impl IntoIterator<Item = &'a Ntt>,
    ) -> impl Iterator<Item = Poly> {
        let rows = self.0.iter().zip(less);
        rows.map(move |(row, less)| Ntt::sum(row, vector, Some([c, less])).inverse())
    }
}
