//! What the search for primes asks of an engine: the base-2 Fermat tests of many candidates, and powers of several
//! bases to one exponent.

use alloc::vec;
use alloc::vec::Vec;

use super::{Engine, Kind};
use crate::job::{Job, Power, Words};
use crate::kernel::Shift;
use crate::kernel::portable::Portable;
use crate::prime::fermat;
use crate::{Error, SecretModulus};

impl Engine {
    /// Tests that take no longer together than one of them alone.
    pub(crate) fn fermat_lanes(&self) -> usize {
        self.lanes()
    }

    /// Each base to the same secret exponent below `2^bits`, in constant time. Bases are below the modulus.
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
            let power = Power { base: base.clone(), exponent: exponent.clone(), bits };
            Job::new(modulus.parameters(), vec![power])
        };
        self.run::<false>(&bases.iter().map(job).collect::<Vec<_>>()).into_iter().collect()
    }

    /// Whether `2^(n - 1) = 1 mod n`, for each odd `n` of `bits` or `bits - 1` bits. Constant time, but with the engine
    /// over GMP, which is there to be compared with.
    pub(crate) fn fermat(&self, bits: u32, numbers: &[Words]) -> Vec<bool> {
        match &self.kind {
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(_, four) if numbers.len() > 1 => in_lanes(four, bits, numbers),
            #[cfg(target_arch = "x86_64")]
            Kind::X86_64(one, _) => in_lanes(one, bits, numbers),
            #[cfg(target_arch = "x86_64")]
            Kind::Ifma(_, eight) => in_lanes(eight, bits, numbers),
            #[cfg(feature = "gmp")]
            Kind::Gmp => numbers.iter().map(|n| gmp(n)).collect(),
            _ => in_lanes(&Portable, bits, numbers),
        }
    }
}

fn in_lanes(kernel: &dyn Shift, bits: u32, numbers: &[Words]) -> Vec<bool> {
    let groups = numbers.chunks(kernel.lanes());
    groups.flat_map(|group| fermat::base_two(kernel, bits, group)).collect()
}

/// The test with `mpz_powm`.
#[cfg(feature = "gmp")]
fn gmp(n: &[u64]) -> bool {
    use rug::Integer;
    let n = Integer::from_digits(n, rug::integer::Order::Lsf);
    let exponent = Integer::from(&n - 1u32);
    Integer::from(2u32).pow_mod(&exponent, &n).is_ok_and(|power| power == 1u32)
}
