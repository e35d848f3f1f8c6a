//! The work as the strategies see it: reduced bases, exponents without a sign, one modulus.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::kernel::portable::Portable;
use crate::kernel::{Batch, Kernel, pack, unpack, zeros};
use crate::modulus::Parameters;
use crate::words::{reduce_once, words_for};

/// 64-bit words that are wiped when dropped.
pub(crate) type Words = Zeroizing<Vec<u64>>;

/// `base^exponent`, the exponent below `2^bits`.
pub(crate) struct Power {
    pub(crate) base: Words,
    pub(crate) exponent: Words,
    pub(crate) bits: u32,
}

/// A product of powers under one modulus.
pub(crate) struct Job {
    pub(crate) modulus: Arc<Parameters>,
    pub(crate) powers: Vec<Power>,
}

impl Job {
    /// A job whose longest exponent comes first, so that jobs side by side in lanes waste little.
    pub(crate) fn new(modulus: &Arc<Parameters>, mut powers: Vec<Power>) -> Self {
        powers.sort_by_key(|p| core::cmp::Reverse(p.bits));
        Self { modulus: Arc::clone(modulus), powers }
    }

    /// Bits of the longest exponent: the squarings that the job needs.
    pub(crate) fn longest(&self) -> u32 {
        self.powers.first().map_or(0, |p| p.bits)
    }
}

/// The residue of a number below twice the modulus, given with a word more than the modulus has.
pub(crate) fn below(mut words: Words, modulus: &Parameters) -> Words {
    let len = words.len();
    // Made with room for all of it: a vector that grew would leave a copy behind.
    let mut n = Zeroizing::new(vec![0; len]);
    n.iter_mut().zip(modulus.words()).for_each(|(to, from)| *to = *from);
    reduce_once(&mut words, &n, &mut Zeroizing::new(vec![0; len]));
    words.truncate(modulus.words().len());
    words
}

/// `a b mod n` of two residues.
pub(crate) fn mul_mod(modulus: &Parameters, a: &[u64], b: &[u64]) -> Words {
    let batch = Batch::new(&Portable, &[modulus]);
    let blocks = Portable.blocks(batch.limbs);
    let (mut x, mut y, mut product) = (zeros(blocks), zeros(blocks), zeros(blocks));
    pack(&Portable, &mut x, 0, a, batch.limbs);
    pack(&Portable, &mut y, 0, b, batch.limbs);
    let mut scratch = zeros(Portable.scratch(batch.limbs));
    // a b / R, then times R; this kernel's products are below the modulus.
    Portable.mul(&mut product, &x, &y, &batch, &mut scratch);
    Portable.mul(&mut x, &product, &batch.square, &batch, &mut scratch);
    let mut out = Zeroizing::new(vec![0; modulus.words().len()]);
    unpack(&Portable, &x, 0, &mut out, batch.limbs);
    out
}

/// One, as the residue of a modulus.
pub(crate) fn one(modulus: &Parameters) -> Words {
    let mut out = Zeroizing::new(vec![0; words_for(modulus.bits())]);
    if let Some(low) = out.first_mut() {
        *low = 1;
    }
    out
}
