//! One number in radix 2^64: Montgomery multiplication with `mulx` and the two carry chains of `adcx` and `adox`.
//!
//! A number is a little-endian slice of L limbs, L a multiple of eight and at least eight. The product is made
//! first, eight limbs of one factor against the whole other factor at a time, then reduced eight limbs at a
//! time. Which instructions run and which addresses are read depend on L alone.

use super::code;

/// Limbs of a tile: the kernels work on eight by eight limbs.
const TILE: usize = 8;

/// The right to run these kernels: made only where the processor has BMI2 and ADX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tiles(());

impl Tiles {
    /// Looks whether this processor has `mulx`, `adcx` and `adox`.
    pub(crate) fn detect() -> Option<Self> {
        #[cfg(feature = "std")]
        {
            // Valgrind runs `adcx` and `adox` but does not say that the processor has them.
            let adx = cfg!(quorate_watch) || std::arch::is_x86_feature_detected!("adx");
            if adx && std::arch::is_x86_feature_detected!("bmi2") {
                return Some(Self(()));
            }
        }
        None
    }

    /// Words of scratch space that [`Self::mul`] and [`Self::sqr`] need for numbers of `limbs` limbs.
    pub(crate) const fn scratch_len(limbs: usize) -> usize {
        2 * limbs + TILE + 1
    }

    /// Montgomery product: `out` = `a` `b` / 2^(64 L) modulo `n`, almost reduced.
    ///
    /// `k0` is -1/n modulo 2^64. For any `a` and `b` of L limbs the result is below 2^(64 L), though not always
    /// below `n`; where `a b` < 2^(64 L) `n`, as for `b` = 1, it is below 2 `n`. Constant time.
    ///
    /// # Panics
    /// If the slices differ in length, if L is zero or no multiple of eight, or if `scratch` is shorter than
    /// [`Self::scratch_len`].
    pub(crate) fn mul(
        self,
        out: &mut [u64],
        a: &[u64],
        b: &[u64],
        n: &[u64],
        k0: u64,
        scratch: &mut [u64],
    ) {
        let tiles = check(out, a, n, scratch);
        assert!(b.len() == a.len(), "numbers of one length");
        let (t, q) = scratch.split_at_mut(2 * a.len());
        let (low, _) = t.split_at_mut(a.len());
        low.fill(0);
        for (k, multiplier) in b.chunks_exact(TILE).enumerate() {
            // SAFETY: the token proves BMI2 and ADX. `t` has 2 L words and the kernel touches L + 8 of them
            // from 8 k, where k < L / 8; `a` has `tiles` times eight limbs and `multiplier` eight.
            unsafe {
                code::addmul(t.as_mut_ptr().add(k * TILE), a.as_ptr(), multiplier.as_ptr(), tiles)
            }
        }
        reduce(out, t, n, k0, q, tiles);
    }

    /// Montgomery square: `out` = `a`^2 / 2^(64 L) modulo `n`; all else as in [`Self::mul`].
    ///
    /// # Panics
    /// As [`Self::mul`].
    pub(crate) fn sqr(self, out: &mut [u64], a: &[u64], n: &[u64], k0: u64, scratch: &mut [u64]) {
        let tiles = check(out, a, n, scratch);
        let (t, q) = scratch.split_at_mut(2 * a.len());
        let (low, _) = t.split_at_mut(a.len());
        low.fill(0);
        for k in 0..tiles {
            // SAFETY: the token proves BMI2 and ADX. `a` has `tiles` - k times eight limbs from 8 k, and the
            // kernel touches as many words of `t`, and eight more, from 16 k: up to 8 k + L + 8 <= 2 L.
            unsafe {
                code::addsqr(t.as_mut_ptr().add(2 * k * TILE), a.as_ptr().add(k * TILE), tiles - k)
            }
        }
        // SAFETY: the token proves BMI2 and ADX; `t` has twice the limbs of `a`, which has `tiles` times eight.
        unsafe { code::double_add_squares(t.as_mut_ptr(), a.as_ptr(), tiles) }
        reduce(out, t, n, k0, q, tiles);
    }
}

/// Checks the lengths that the kernels rely on, and gives the number of tiles, L / 8.
fn check(out: &[u64], a: &[u64], n: &[u64], scratch: &[u64]) -> usize {
    assert!(!a.is_empty() && a.len().is_multiple_of(TILE), "limbs in eights");
    assert!(out.len() == a.len() && n.len() == a.len(), "numbers of one length");
    assert!(scratch.len() >= Tiles::scratch_len(a.len()), "enough scratch space");
    a.len() >> TILE.trailing_zeros()
}

/// Montgomery reduction of the 2 L words `t` into `out`; `q` has room for nine words. Called behind a token only.
fn reduce(out: &mut [u64], t: &mut [u64], n: &[u64], k0: u64, q: &mut [u64], tiles: usize) {
    if let Some(word) = q.get_mut(TILE) {
        *word = k0;
    }
    let mut carry = 0;
    for k in 0..tiles {
        // SAFETY: the callers hold a token. `t` has 2 L words and the kernel touches L + 8 of them from 8 k,
        // where k < L / 8; `n` has `tiles` times eight limbs; `check` saw that `q` has nine words.
        carry = unsafe {
            code::reduce(t.as_mut_ptr().add(k * TILE), n.as_ptr(), q.as_mut_ptr(), tiles, carry)
        };
    }
    // SAFETY: the callers hold a token; `out` and `n` have `tiles` times eight limbs, and so has the upper half
    // of `t`.
    unsafe {
        code::sub_carried(out.as_mut_ptr(), t.as_ptr().add(n.len()), n.as_ptr(), tiles, carry)
    }
}

#[cfg(test)]
mod tests;
