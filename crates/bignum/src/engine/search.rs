//! The work of an engine in the search for primes: the base-2 Fermat tests of many candidates, and powers of
//! several bases to one exponent.

use alloc::vec;
use alloc::vec::Vec;

use super::choice::Engine;
#[cfg(any(feature = "gmp", feature = "openssl"))]
use super::choice::Work;
use crate::error::Error;
use crate::exponent::job::{Job, Power};
use crate::exponent::two::base_two;
#[cfg(feature = "counting")]
use crate::kernel::counting::Filled;
use crate::modular::secret_modulus::SecretModulus;
use crate::number::limbs::Words;

impl Engine {
    /// The number of tests that take no longer together than one of them alone.
    pub(crate) fn fermat_lanes(&self) -> usize {
        self.lanes()
    }

    /// Raises each base to one secret exponent below `2^bits`. The time shows `bits`, the length of the modulus,
    /// and the number of bases. Bases are below the modulus.
    ///
    /// # Errors
    /// [`Error::NoValue`] for a defect of the engine.
    pub(crate) fn powers(
        &self,
        modulus: &SecretModulus,
        bases: &[Words],
        exponent: &Words,
        bits: u32,
    ) -> Result<Vec<Words>, Error> {
        let job = |base: &Words| {
            let power =
                Power { base: base.clone(), exponent: exponent.clone(), bits, public: false };
            Job::new(modulus.parameters(), vec![power])
        };
        self.run::<false>(&bases.iter().map(job).collect::<Vec<_>>()).into_iter().collect()
    }

    /// Returns whether this thread computes as the engine needs. If not, [`Self::fermat`] declares no number prime.
    pub(crate) fn is_ready(&self) -> bool {
        self.kernels().is_none_or(|kernels| kernels.many.is_ready())
    }

    /// For each odd `n` of `bits` or `bits - 1` bits, whether `2^(n - 1) = 1 mod n`. It takes constant time,
    /// except with the engine over GMP, which is for comparison.
    pub(crate) fn fermat(&self, bits: u32, numbers: &[Words]) -> Vec<bool> {
        #[cfg(any(feature = "gmp", feature = "openssl"))]
        if let Work::Library(library) = self.work() {
            return numbers.iter().map(|n| library.fermat(n)).collect();
        }
        // An engine that fails declares no number prime.
        let Some(kernels) = self.kernels() else { return vec![false; numbers.len()] };
        if let [_] = numbers {
            return base_two(kernels.one.kernel(bits), bits, numbers);
        }
        let groups = numbers.chunks(kernels.many.lanes());
        groups
            .flat_map(|group| {
                #[cfg(feature = "counting")]
                let _filled = Filled::by(group.len());
                base_two(kernels.many, bits, group)
            })
            .collect()
    }
}
