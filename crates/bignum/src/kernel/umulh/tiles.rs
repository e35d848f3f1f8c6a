//! One number in radix 2^64: products, squares and Montgomery's reduction with `mul`, `umulh` and chains of `adcs`.
//!
//! Which instructions run and which addresses are read depend on the number of limbs alone. Numbers of a multiple of eight
//! limbs go through the code of this kernel, and others through the portable one.

use super::code;
use crate::modular::montgomery;

/// Limbs of a tile: the code works on eight by eight limbs.
const TILE: usize = 8;

/// The tiles of a number of `limbs` limbs, unless it is not made of tiles.
const fn tiles(limbs: usize) -> Option<usize> {
    if limbs > 0 && limbs.is_multiple_of(TILE) {
        Some(limbs >> TILE.trailing_zeros())
    } else {
        None
    }
}

/// `out` = `a` `b`; `out` has twice the limbs of each.
///
/// # Panics
/// If the lengths do not fit each other.
pub(super) fn multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    assert!(b.len() == a.len() && out.len() == 2 * a.len(), "numbers of one length");
    let Some(tiles) = tiles(a.len()) else { return montgomery::multiply(out, a, b) };
    let (low, _) = out.split_at_mut(a.len());
    low.fill(0);
    for (k, multiplier) in b.chunks_exact(TILE).enumerate() {
        // SAFETY: `out` has 2 L words and the code touches L + 8 of them from 8 k, where k < L / 8; `a` has `tiles`
        // times eight limbs and `multiplier` eight.
        unsafe {
            code::addmul(out.as_mut_ptr().add(k * TILE), a.as_ptr(), multiplier.as_ptr(), tiles)
        }
    }
}

/// `out` = `a`^2; `out` has twice the limbs of `a`.
///
/// # Panics
/// If the lengths do not fit each other.
pub(super) fn square(out: &mut [u64], a: &[u64]) {
    assert!(out.len() == 2 * a.len(), "room for the square");
    let Some(tiles) = tiles(a.len()) else { return montgomery::square(out, a) };
    let (low, _) = out.split_at_mut(a.len());
    low.fill(0);
    for k in 0..tiles {
        // SAFETY: `a` has `tiles` - k times eight limbs from 8 k, and the code touches as many words of `out`, and
        // eight more, from 16 k: up to 8 k + L + 8 <= 2 L.
        unsafe {
            code::addsqr(out.as_mut_ptr().add(2 * k * TILE), a.as_ptr().add(k * TILE), tiles - k)
        }
    }
    // SAFETY: `out` has twice the limbs of `a`, which has `tiles` times eight.
    unsafe { code::double_add_squares(out.as_mut_ptr(), a.as_ptr(), tiles) }
}

/// `out` = `product` / 2^(64 L) modulo `n`, below `n` if the product is below 2^(64 L) `n`. The product is spent. `k0` is
/// -1/n modulo 2^64.
///
/// # Panics
/// If the lengths do not fit each other.
pub(super) fn reduce(out: &mut [u64], product: &mut [u64], n: &[u64], k0: u64) {
    assert!(out.len() == n.len() && product.len() == 2 * n.len(), "numbers of one length");
    let Some(tiles) = tiles(n.len()) else { return montgomery::reduce(out, product, n, k0) };
    let mut carry = 0;
    for k in 0..tiles {
        // SAFETY: `product` has 2 L words and the code touches L + 8 of them from 8 k, where k < L / 8; `n` has `tiles`
        // times eight limbs.
        carry = unsafe {
            code::reduce(product.as_mut_ptr().add(k * TILE), n.as_ptr(), k0, tiles, carry)
        };
    }
    let (_, high) = product.split_at(n.len());
    montgomery::subtract_if_large(out, high, n, carry != 0);
}

#[cfg(test)]
mod tests;
