//! Fixed-base tables for bases that repeat, in the manner of Lim and Lee (CRYPTO 1994).
//!
//! An exponent of one base is read as `teeth` rows of `blocks * columns` bits. Block `j` of the table holds, for each
//! set of teeth, the product of `base^(2^(tooth * blocks * columns + j * columns))`. One pass over `columns` columns,
//! with a squaring between two columns, multiplies one entry of each block; all bases of a comb share the squarings.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use subtle::Choice;
use zeroize::Zeroizing;

use crate::job::{Job, Power, Words};
use crate::kernel::{Batch, Block, Blocks, Form, Kernel, Shared, leave, pack, words, zeros};
use crate::modulus::Parameters;
use crate::words::{add_assign, bit, select, sub_assign, words_for};
use crate::{Engine, Error, Modulus, Natural};

/// The longest exponents that a table is made for, in bits.
const MAX_EXPONENT: u32 = 1 << 15;
const MAX_TEETH: u32 = 8;

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

impl fmt::Debug for Comb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comb")
            .field("bases", &self.inner.bases.len())
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

/// What a table for some bases looks like.
#[derive(Clone, Debug)]
struct Shape {
    columns: u32,
    /// Teeth and blocks for each base.
    rows: Vec<(u32, u32)>,
    cost: u32,
}

/// The cheapest shape for bases of these exponent lengths within so many table entries.
fn shape(bits: &[u32], entries: usize) -> Option<Shape> {
    let longest = bits.iter().copied().max()?;
    (1..=longest.min(600))
        .filter_map(|columns| shape_of(bits, columns, entries))
        .min_by_key(|s| s.cost)
}

/// The best shape with so many columns: starting from the smallest tables, grows the one whose next step saves the
/// most multiplications for each entry, as long as there is room.
fn shape_of(bits: &[u32], columns: u32, entries: usize) -> Option<Shape> {
    let blocks = |bits: u32, teeth: u32| (bits + 1).div_ceil(teeth * columns);
    let size = |bits: u32, teeth: u32| (blocks(bits, teeth) as usize) << teeth;
    let mut teeth = vec![1u32; bits.len()];
    let mut used: usize = bits.iter().map(|&b| size(b, 1)).sum();
    if used > entries {
        return None;
    }
    loop {
        let candidates =
            bits.iter().zip(&teeth).enumerate().flat_map(|(i, (&b, &now))| {
                (now + 1..=MAX_TEETH).map(move |next| (i, b, now, next))
            });
        let best = candidates
            .filter_map(|(i, b, now, next)| {
                let saved = blocks(b, now).checked_sub(blocks(b, next)).filter(|&s| s > 0)?;
                let grown = size(b, next).saturating_sub(size(b, now));
                (used + grown <= entries).then_some((i, next, saved, grown))
            })
            .max_by(|x, y| {
                (u64::from(x.2) * (y.3 as u64 + 1)).cmp(&(u64::from(y.2) * (x.3 as u64 + 1)))
            });
        let Some((i, next, _, grown)) = best else { break };
        used += grown;
        if let Some(t) = teeth.get_mut(i) {
            *t = next;
        }
    }
    let rows: Vec<(u32, u32)> = bits.iter().zip(&teeth).map(|(&b, &t)| (t, blocks(b, t))).collect();
    // A squaring costs about three quarters of a multiplication.
    let cost = 3 * columns + 4 * columns * rows.iter().map(|&(_, v)| v).sum::<u32>();
    Some(Shape { columns, rows, cost })
}

impl Comb {
    /// Tables for `bases`, each with the length in bits that its exponents' magnitudes stay below, of at most
    /// `max_bytes` in all. `engine` is the one that will use them; with another they are not used, and the powers
    /// are computed without.
    ///
    /// # Errors
    /// [`Error::BaseNotReduced`]; [`Error::NotInvertible`] if a base is no unit; [`Error::Unsupported`] if there is
    /// no base, an exponent longer than 2^15 bits or no table that fits.
    pub fn new(
        engine: &Engine,
        modulus: &Modulus,
        bases: &[(Natural, u32)],
        max_bytes: usize,
    ) -> Result<Self, Error> {
        if bases.is_empty() || bases.iter().any(|&(_, bits)| bits == 0 || bits > MAX_EXPONENT) {
            return Err(Error::Unsupported);
        }
        if bases.iter().any(|(base, _)| base >= modulus.value()) {
            return Err(Error::BaseNotReduced);
        }
        if bases.iter().any(|(base, _)| !modulus.is_unit(base)) {
            return Err(Error::NotInvertible);
        }
        engine.build_comb(modulus, bases, max_bytes)
    }

    /// A comb without tables, for engines that make no use of any.
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

    /// Builds the tables with a kernel, and with what computes a public product alone.
    pub(crate) fn build(
        kernel: &dyn Kernel,
        alone: &dyn Fn(&Job) -> Result<Words, Error>,
        modulus: &Modulus,
        bases: &[(Natural, u32)],
        max_bytes: usize,
    ) -> Result<Self, Error> {
        let parameters = modulus.parameters();
        let limbs = kernel.form().limbs(parameters.bits());
        let per_entry = 8 * limbs as usize;
        let bits: Vec<u32> = bases.iter().map(|&(_, bits)| bits).collect();
        let shape = shape(&bits, max_bytes.checked_div(per_entry).unwrap_or(0))
            .ok_or(Error::Unsupported)?;
        let mut builder = Builder::new(kernel, alone, parameters);
        let mut rows = Vec::with_capacity(bases.len());
        let mut shift = builder.batch.one.clone();
        for ((base, bits), &(teeth, blocks)) in bases.iter().zip(&shape.rows) {
            let (powers, top) = builder.powers(base, *bits, teeth * blocks, shape.columns)?;
            let table = builder.table(&powers, blocks);
            shift = builder.mul(&shift, &top);
            rows.push(Row { base: base.clone(), bits: *bits, teeth, blocks, table });
        }
        let correction = builder.inverse(&shift)?;
        let inner = Inner {
            modulus: modulus.clone(),
            bases: rows,
            columns: shape.columns,
            form: Some(kernel.form()),
            correction: words_of(kernel, &correction, builder.batch.limbs),
        };
        Ok(Self { inner: Arc::new(inner) })
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

    /// How the tables are written, if there are any.
    pub(crate) fn form(&self) -> Option<Form> {
        self.inner.form
    }

    /// Whether both share their tables.
    pub(crate) fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

/// Lane 0 of an element, as `limbs` words.
fn words_of(kernel: &dyn Kernel, element: &[Block], limbs: usize) -> Vec<u64> {
    words(element).iter().step_by(kernel.lanes()).take(limbs).copied().collect()
}

/// A kernel making tables, and one that works on a single number.
struct Builder<'a> {
    kernel: &'a dyn Kernel,
    alone: &'a dyn Fn(&Job) -> Result<Words, Error>,
    parameters: Arc<Parameters>,
    batch: Batch,
    scratch: Blocks,
    blocks: usize,
}

impl<'a> Builder<'a> {
    fn new(
        kernel: &'a dyn Kernel,
        alone: &'a dyn Fn(&Job) -> Result<Words, Error>,
        parameters: &Arc<Parameters>,
    ) -> Self {
        let batch = Batch::new(kernel, &vec![&**parameters; kernel.lanes()]);
        let (scratch, blocks) = (zeros(kernel.scratch(batch.limbs)), kernel.blocks(batch.limbs));
        Self { kernel, alone, parameters: Arc::clone(parameters), batch, scratch, blocks }
    }

    fn mul(&mut self, a: &[Block], b: &[Block]) -> Blocks {
        let mut out = zeros(self.blocks);
        self.kernel.mul(&mut out, a, b, &self.batch, &mut self.scratch);
        out
    }

    fn montgomery(&mut self, value: &Natural) -> Blocks {
        let mut raw = zeros(self.blocks);
        let value = value.to_words(words_for(value.bits()));
        for lane in 0..self.kernel.lanes() {
            pack(self.kernel, &mut raw, lane, &value, self.batch.limbs);
        }
        let square = self.batch.square.clone();
        self.mul(&raw, &square)
    }

    /// The table of one base.
    fn table(&mut self, powers: &[Blocks], blocks: u32) -> Vec<u64> {
        let mut table = Vec::new();
        for block in 0..blocks as usize {
            let mut entries: Vec<Blocks> = vec![self.batch.one.clone()];
            for power in powers.iter().skip(block).step_by(blocks as usize) {
                let with_tooth: Vec<Blocks> =
                    entries.iter().map(|entry| self.mul(entry, power)).collect();
                entries.extend(with_tooth);
            }
            table.extend(
                entries.iter().flat_map(|entry| words_of(self.kernel, entry, self.batch.limbs)),
            );
        }
        table
    }

    /// `base^(2^(k columns))` for `k < count`, and `base^(2^bits)`.
    fn powers(
        &mut self,
        base: &Natural,
        bits: u32,
        count: u32,
        columns: u32,
    ) -> Result<(Vec<Blocks>, Blocks), Error> {
        let (mut value, mut top) = (base.clone(), base.clone());
        let mut powers = Vec::new();
        for start in (0..count).map(|k| k * columns) {
            if start > 0 {
                value = self.squared(&value, columns)?;
            }
            powers.push(self.montgomery(&value));
            if (start..start + columns).contains(&bits) {
                top = self.squared(&value, bits - start)?;
            }
        }
        Ok((powers, self.montgomery(&top)))
    }

    /// `value^(2^times)`: one long chain of squarings, which is the better part of the work.
    fn squared(&self, value: &Natural, times: u32) -> Result<Natural, Error> {
        let mut exponent = Zeroizing::new(vec![0; words_for(times + 1)]);
        if let Some(word) = exponent.get_mut((times >> 6) as usize) {
            *word = 1 << (times & 63);
        }
        let base = Zeroizing::new(value.to_words(words_for(self.parameters.bits())));
        let power = Power { base, exponent, bits: times + 1 };
        let value = (self.alone)(&Job::new(&self.parameters, [power].into()))?;
        Ok(Natural::from_words(&value))
    }

    /// The Montgomery form of the inverse of an element of lane 0.
    fn inverse(&mut self, value: &[Block]) -> Result<Blocks, Error> {
        let modulus = Natural::from_words(self.parameters.words());
        let residues = leave(self.kernel, value, &self.batch, &[&self.parameters])?;
        let residue = Natural::from_words(residues.first().ok_or(Error::NoValue)?);
        let inverse =
            crate::euclid::inverse_vartime(&residue, &modulus).ok_or(Error::NotInvertible)?;
        Ok(self.montgomery(&inverse))
    }
}

/// One product over a comb: an exponent for each base, each already shifted by `2^bits` to have no sign.
pub(crate) struct CombJob<'a> {
    pub(crate) comb: &'a Comb,
    pub(crate) exponents: Vec<Words>,
}

/// The products of up to [`Kernel::lanes`] jobs over one comb.
///
/// With `VARTIME` the digits show in the time; without it nothing does.
///
/// # Errors
/// [`Error::LengthMismatch`] for a job that has not one exponent for each base, [`Error::NoValue`] for no job at all or a
/// defect of the kernel.
pub(crate) fn run<const VARTIME: bool>(
    kernel: &dyn Shared,
    jobs: &[&CombJob<'_>],
) -> Result<Vec<Words>, Error> {
    let (Some(first), Some(last)) = (jobs.first(), jobs.last()) else { return Err(Error::NoValue) };
    let inner = &*first.comb.inner;
    if jobs.iter().any(|job| job.exponents.len() != inner.bases.len()) {
        return Err(Error::LengthMismatch);
    }
    // Each lane's job; lanes that are left over do the last one once more.
    let lanes: Vec<&CombJob<'_>> =
        (0..kernel.lanes()).map(|lane| *jobs.get(lane).unwrap_or(last)).collect();
    let parameters = inner.modulus.parameters();
    let batch = Batch::new(kernel, &vec![&**parameters; kernel.lanes()]);
    let blocks = kernel.blocks(batch.limbs);
    let mut scratch = zeros(kernel.scratch(batch.limbs));
    let (mut acc, mut next, mut factor) = (zeros(blocks), zeros(blocks), zeros(blocks));
    kernel.select_shared_vartime(&mut acc, &inner.correction, batch.limbs, &Block::default());
    // The correction is to enter unsquared, so it comes last; until then the sum of squarings starts from one.
    let correction = acc.clone();
    acc.copy_from_slice(&batch.one);
    for column in (0..inner.columns).rev() {
        if column + 1 < inner.columns {
            kernel.sqr(&mut next, &acc, &batch, &mut scratch);
            core::mem::swap(&mut acc, &mut next);
        }
        for (slot, row) in inner.bases.iter().enumerate() {
            let exponents: Vec<&[u64]> = lanes
                .iter()
                .filter_map(|job| job.exponents.get(slot))
                .map(|e| e.as_slice())
                .collect();
            let size = batch.limbs << row.teeth;
            for (block, table) in (0u32..).zip(row.table.chunks_exact(size)) {
                let index = row.index(&exponents, block, column, inner.columns);
                if VARTIME {
                    kernel.select_shared_vartime(&mut factor, table, batch.limbs, &index);
                } else {
                    kernel.select_shared(&mut factor, table, batch.limbs, &index);
                }
                kernel.mul(&mut next, &acc, &factor, &batch, &mut scratch);
                core::mem::swap(&mut acc, &mut next);
            }
        }
    }
    kernel.mul(&mut next, &acc, &correction, &batch, &mut scratch);
    leave(kernel, &next, &batch, &vec![&**parameters; jobs.len()])
}

impl Row {
    /// Each lane's entry of one block at one column.
    fn index(&self, exponents: &[&[u64]], block: u32, column: u32, columns: u32) -> Block {
        let mut index = Block::default();
        for (digit, exponent) in index.0.iter_mut().zip(exponents) {
            for tooth in 0..self.teeth {
                *digit |= bit(exponent, (tooth * self.blocks + block) * columns + column) << tooth;
            }
        }
        index
    }
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
