//! Fixed-base tables for bases that repeat, in the manner of Lim and Lee (CRYPTO 1994).
//!
//! An exponent `e` of one base `b` is cut into `teeth * blocks` strips of `columns` bits, `e_(i,j)` for tooth `i` and block
//! `j`, so that
//!
//! ```text
//! b^e = Π_j Π_i b^(e_(i,j) 2^((i blocks + j) columns)).
//! ```
//!
//! The table of block `j` holds `Π_(i in T) b^(2^((i blocks + j) columns))` for each set `T` of teeth. One pass over the
//! columns, highest first, with a squaring between two, multiplies one entry of each block: that of the teeth whose strip
//! has its bit in that column set. All bases of a comb share the squarings. Invariant: after column `c` the accumulator is
//! the product for the strips shifted down by `c`.
//!
//! Exponents have a sign. Each is raised by `2^bits`, and the product by the constant `Π b^(-2^bits)`.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use subtle::Choice;
use zeroize::Zeroizing;

use crate::modular::form::Form;
use crate::modular::modulus::Modulus;
use crate::number::limbs::{Words, add_assign, select, sub_assign, words_for};
use crate::number::natural::Natural;

mod build;
pub(crate) mod run;
mod shape;

/// Tables for bases that are raised to many exponents under one public modulus, such as the `s` and `t` of a
/// ring-Pedersen setup. Copies share the tables.
#[derive(Clone)]
pub struct Comb {
    inner: Arc<Inner>,
}

struct Inner {
    modulus: Modulus,
    bases: Vec<Row>,
    columns: u32,
    form: Option<Form>,
    /// `Π base^(-2^bits)` in Montgomery form, as limbs: exponents are shifted by `2^bits` to have no sign.
    correction: Vec<u64>,
}

/// One base and its table.
struct Row {
    base: Natural,
    /// Exponents are below `2^bits` in magnitude.
    bits: u32,
    teeth: u32,
    blocks: u32,
    table: Vec<u64>,
}

impl Row {
    /// Teeth, blocks and words of the table.
    fn shape(&self) -> (u32, u32, usize) {
        (self.teeth, self.blocks, self.table.len())
    }
}

impl fmt::Debug for Comb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comb")
            .field("bases", &self.inner.bases.len())
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

impl Comb {
    /// A comb without tables, for engines that do not use any.
    pub(crate) fn bare(modulus: &Modulus, bases: &[(Natural, u32)]) -> Self {
        let bases = bases
            .iter()
            .map(|(base, bits)| Row {
                base: base.clone(),
                bits: *bits,
                teeth: 0,
                blocks: 0,
                table: Vec::new(),
            })
            .collect();
        let inner = Inner {
            modulus: modulus.clone(),
            bases,
            columns: 0,
            form: None,
            correction: Vec::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Bytes that the tables take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.inner.bases.iter().map(|row| 8 * row.table.len()).sum()
    }

    /// The modulus.
    #[must_use]
    pub fn modulus(&self) -> &Modulus {
        &self.inner.modulus
    }

    /// The bases, with the bound of each one's exponents.
    pub(crate) fn bases(&self) -> impl Iterator<Item = (&Natural, u32)> {
        self.inner.bases.iter().map(|row| (&row.base, row.bits))
    }

    /// The form in which the tables are written, if there are any.
    pub(crate) fn form(&self) -> Option<Form> {
        self.inner.form
    }

    /// Returns whether lanes over both can go side by side, because their numbers and tables have one shape.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        let (one, other) = (&*self.inner, &*other.inner);
        let shapes = |inner: &Inner| inner.bases.iter().map(Row::shape).collect::<Vec<_>>();
        one.form == other.form
            && one.columns == other.columns
            && one.correction.len() == other.correction.len()
            && shapes(one) == shapes(other)
    }

    /// Returns whether both share their tables.
    pub(crate) fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

/// One product over a comb: an exponent for each base, each already shifted by `2^bits` to have no sign.
pub(crate) struct CombJob<'a> {
    pub(crate) comb: &'a Comb,
    pub(crate) exponents: Vec<Words>,
}

/// `exponent + 2^bits` for a magnitude below `2^bits` and a sign, in constant time.
pub(crate) fn shifted(magnitude: &[u64], negative: Choice, bits: u32) -> Words {
    let len = words_for(bits + 1);
    let mut power = Zeroizing::new(vec![0; len]);
    if let Some(word) = power.get_mut((bits >> 6) as usize) {
        *word = 1 << (bits & 63);
    }
    let (mut sum, mut difference) = (power.clone(), power);
    let fitting = magnitude.get(..len).unwrap_or(magnitude);
    let _ = add_assign(&mut sum, fitting);
    let _ = sub_assign(&mut difference, fitting);
    select(&mut sum, &difference, negative);
    sum
}
