//! Tables for the kernel of an engine.

use super::choice::Engine;
use super::run::alone;
use crate::error::Error;
use crate::exponent::comb::Comb;
use crate::exponent::job::Job;
#[cfg(feature = "counting")]
use crate::kernel::counting::Filled;
use crate::modular::modulus::Modulus;
use crate::number::natural::Natural;

/// The longest exponents that a table is made for, in bits.
const MAX_EXPONENT: u32 = 1 << 15;

impl Comb {
    /// Tables for `bases`, of at most `max_bytes` in all. Each base comes with a length in bits, below which the
    /// magnitudes of its exponents stay. `engine` is the one that will use them. Another engine does not use
    /// them, and computes the powers without.
    ///
    /// # Errors
    /// [`Error::BaseNotReduced`]; [`Error::NotInvertible`] if a base is not a unit; [`Error::Unsupported`] if
    /// there is no base, an exponent longer than 2^15 bits, or no table that fits.
    pub fn new(
        engine: &Engine,
        modulus: &Modulus,
        bases: &[(Natural, u32)],
        max_bytes: usize,
    ) -> Result<Self, Error> {
        #[cfg(feature = "tracing")]
        let _span = tracing::trace_span!("comb", bases = bases.len()).entered();
        if bases.is_empty() || bases.iter().any(|&(_, bits)| bits == 0 || bits > MAX_EXPONENT) {
            return Err(Error::Unsupported);
        }
        if bases.iter().any(|(base, _)| base >= modulus.value()) {
            return Err(Error::BaseNotReduced);
        }
        if bases.iter().any(|(base, _)| !modulus.is_unit(base)) {
            return Err(Error::NotInvertible);
        }
        let Some(kernels) = engine.kernels() else {
            return Ok(Self::bare(modulus, bases));
        };
        // The tables are made in all lanes, for one that is read.
        #[cfg(feature = "counting")]
        let _filled = Filled::by(1);
        let one = |job: &Job| alone::<true>(kernels.one.kernel(modulus.bits()), job);
        Self::build(kernels.many, &one, modulus, bases, max_bytes)
    }
}
