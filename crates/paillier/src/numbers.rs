//! Small operations on secret numbers, in constant time.

use alloc::vec;
use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretModulus, SecretNatural};
use quorate_declassify::declassify;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::Error;

/// Bits drawn beyond the modulus, so that the residue is uniform but for `2^-128`.
const EXTRA_BYTES: usize = 16;

/// Draws of a number other than zero before a generator counts as broken.
const TRIES: u32 = 4;

/// Zero.
pub(crate) fn zero() -> SecretNatural {
    SecretNatural::from_be_bytes(&[0])
}

/// One.
pub(crate) fn one() -> SecretNatural {
    SecretNatural::from_be_bytes(&[1])
}

/// One, as an exponent.
pub(crate) fn once() -> Integer {
    Integer::from(Natural::one())
}

/// The number with a bound of exactly `bytes` bytes, or nothing if it is longer.
pub(crate) fn sized(value: &SecretNatural, bytes: usize) -> Option<SecretNatural> {
    let all = value.to_be_bytes();
    let Some(excess) = all.len().checked_sub(bytes) else {
        let mut out = Zeroizing::new(vec![0; bytes]);
        out.get_mut(bytes.checked_sub(all.len())?..)?.copy_from_slice(&all);
        return Some(SecretNatural::from_be_bytes(&out));
    };
    let (high, low) = all.split_at_checked(excess)?;
    let any = high.iter().fold(0, |any, byte| any | byte);
    // The result shows only that the value is too long.
    declassify(any == 0).then(|| SecretNatural::from_be_bytes(low))
}

/// `(p - 1) / 2` for an odd `p`.
pub(crate) fn half(p: &SecretNatural) -> SecretNatural {
    let mut bytes = p.to_be_bytes();
    let mut carry = 0;
    for byte in bytes.iter_mut() {
        let low = *byte & 1;
        *byte = (*byte >> 1) | (carry << 7);
        carry = low;
    }
    SecretNatural::from_be_bytes(&bytes)
}

/// `p - 1` for an odd `p`.
pub(crate) fn minus_one(p: &SecretNatural) -> SecretNatural {
    let mut bytes = p.to_be_bytes();
    if let Some(last) = bytes.last_mut() {
        *last &= 0xfe;
    }
    SecretNatural::from_be_bytes(&bytes)
}

/// A uniform number below a secret bound, other than zero. The bound being secret, it is the residue of a longer one.
///
/// # Errors
/// [`Error::Number`] if the generator gives zeros only.
pub(crate) fn random_below(
    rng: &mut (impl CryptoRng + ?Sized),
    modulus: &SecretModulus,
) -> Result<SecretNatural, Error> {
    let len = modulus.bits().div_ceil(8) as usize + EXTRA_BYTES;
    for _ in 0..TRIES {
        let mut bytes = Zeroizing::new(vec![0; len]);
        rng.fill_bytes(&mut bytes);
        let residue = modulus.reduce(&SecretNatural::from_be_bytes(&bytes));
        // Zero is discarded.
        if !declassify(bool::from(residue.is_zero())) {
            return Ok(residue);
        }
    }
    Err(quorate_bignum::Error::Randomness.into())
}

/// Takes `N` parts of `len` bytes off the front, and nothing may be left over.
pub(crate) fn split<const N: usize>(bytes: &[u8], len: usize) -> Result<[&[u8]; N], Error> {
    if bytes.len() != len * N {
        return Err(Error::Length);
    }
    let parts: Vec<&[u8]> = bytes.chunks_exact(len).collect();
    parts.try_into().map_err(|_| Error::Length)
}

/// A public number of a fixed length, not zero and below the modulus.
pub(crate) fn below(modulus: &Natural, bytes: &[u8]) -> Result<Natural, Error> {
    let value = Natural::from_be_bytes(bytes);
    if value.is_zero() || value >= *modulus {
        return Err(Error::OutOfRange);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use quorate_testkit::Stuck;

    use super::*;

    #[test]
    fn a_generator_of_zeros_comes_to_an_end() {
        let modulus = SecretModulus::new(&SecretNatural::from_be_bytes(&[1, 0, 1])).unwrap();
        let broken = Error::Number(quorate_bignum::Error::Randomness);
        assert_eq!(random_below(&mut Stuck::at(0), &modulus).err(), Some(broken));
        let late = |draws: usize| random_below(&mut Stuck::for_bytes(0, 19 * draws), &modulus);
        assert!(late(3).is_ok());
        assert_eq!(late(4).err(), Some(broken));
    }
}
