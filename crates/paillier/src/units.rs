//! The check that numbers are units, with one greatest common divisor for a whole list of them.

use alloc::vec::Vec;

use quorate_bignum::{Modulus, Natural};

/// For each number whether it is in `[1, n)` and has no factor in common with `n`. Variable time.
///
/// The numbers are multiplied under `n`, and one greatest common divisor is taken of the product. Only if that
/// shows a factor are the numbers checked one by one.
#[must_use]
pub fn are_units_vartime(modulus: &Modulus, values: &[Natural]) -> Vec<bool> {
    residues_are_units_vartime(modulus, values, modulus.value())
}

/// For each number below `bound`, a multiple of the modulus, whether it is a unit. It is for ciphertexts, which
/// are below `n^2`.
pub(crate) fn residues_are_units_vartime(
    modulus: &Modulus,
    values: &[Natural],
    bound: &Natural,
) -> Vec<bool> {
    let residues: Vec<Option<Natural>> = values
        .iter()
        .map(|value| {
            Some(modulus.reduce(value)).filter(|residue| value < bound && !residue.is_zero())
        })
        .collect();
    let product = residues
        .iter()
        .flatten()
        .fold(Natural::one(), |product, residue| modulus.mul(&product, residue));
    // A product under n of units is a unit. A product with a factor that is not a unit is not.
    let all = is_unit(modulus, &product);
    residues
        .iter()
        .map(|residue| residue.as_ref().is_some_and(|residue| all || is_unit(modulus, residue)))
        .collect()
}

/// Returns whether one residue is a unit.
pub(crate) fn is_unit(modulus: &Modulus, residue: &Natural) -> bool {
    modulus.is_unit(residue)
}

/// For each modulus whether it has a factor in common with another of the list, or is equal to it. Variable time.
///
/// Two parties that share a prime have shown it to everybody who computes this.
#[must_use]
pub fn share_factors_vartime(moduli: &[&Modulus]) -> Vec<bool> {
    (0..moduli.len())
        .map(|i| {
            let others = moduli.iter().enumerate().filter(|&(j, _)| j != i);
            moduli.get(i).is_some_and(|own| {
                let product = others
                    .fold(Natural::one(), |product, (_, other)| own.mul(&product, other.value()));
                !is_unit(own, &product)
            })
        })
        .collect()
}
