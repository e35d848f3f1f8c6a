//! Lehmer's step: many quotients of Euclid's algorithm from the leading 128 bits alone, gathered in a matrix of words.

/// The map of a pair that a run of quotients comes to: `a' = u0 a - v0 b`, `b' = v1 b - u1 a`. Its determinant is 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix {
    pub(super) u0: u64,
    pub(super) v0: u64,
    pub(super) u1: u64,
    pub(super) v1: u64,
}

impl Matrix {
    const ONE: Self = Self { u0: 1, v0: 0, u1: 0, v1: 1 };

    pub(super) fn is_one(&self) -> bool {
        self.v0 == 0 && self.u1 == 0
    }
}

/// A Jacobi symbol in progress: the effect of Euclid's steps on `(a, b)` on the symbol of one over the other.
///
/// Only the low three bits of `a` and `b` and which of the two is the denominator matter. The denominator is odd.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    /// `a mod 8`.
    pub(super) a: u64,
    /// `b mod 8`.
    pub(super) b: u64,
    /// `true` if the symbol is `(b / a)` rather than `(a / b)`.
    pub(super) a_below: bool,
    /// `true` if the sign has changed.
    pub(super) negative: bool,
}

/// Returns whether `(2 / n) = -1`, from `n mod 8`.
fn two_flips(n: u64) -> bool {
    n & 7 == 3 || n & 7 == 5
}

impl Symbol {
    /// `a` and `b` change their names.
    pub(super) fn swap(&mut self) {
        core::mem::swap(&mut self.a, &mut self.b);
        self.a_below = !self.a_below;
    }

    /// The step `a -= q b`; the low three bits of `q` suffice.
    pub(super) fn subtract(&mut self, q: u64) {
        let next = self.a.wrapping_sub(q.wrapping_mul(self.b)) & 7;
        if self.a_below {
            if self.b & 1 == 1 {
                // Both are odd: reciprocity makes `b` the denominator, under which `a` counts by its residue alone.
                self.negative ^= self.a & self.b & 2 != 0;
                self.a_below = false;
            } else if self.b & 3 == 2 {
                // (2 c / a) for an odd c: (2 / a) by residue mod 8, (c / a) = (a / c) by reciprocity, and a mod c stays.
                let flips = |a: u64| two_flips(a) ^ (a & 2 != 0 && self.half_is_three());
                self.negative ^= flips(self.a) ^ flips(next);
            }
            // For b = 0 mod 4 the symbol (b / a) has period b in a.
        }
        self.a = next;
    }

    /// Returns whether `b / 2 = 3 mod 4`.
    fn half_is_three(&self) -> bool {
        self.b & 7 == 6
    }
}

/// Euclid's algorithm on the leading bits `x` and `y` of two numbers, as long as both stay at least `2^64`.
///
/// The matrix then has entries below `2^64`, and its results on the whole numbers are positive: the bits that `x`
/// and `y` lack change the results by less than `2^64` units of their lowest bit.
pub(super) fn double(mut x: u128, mut y: u128, symbol: Option<&mut Symbol>) -> Matrix {
    const LEAST: u128 = 1 << 64;
    let mut m = Matrix::ONE;
    let mut track = symbol;
    loop {
        let q = match quotient(x, y, LEAST) {
            Some((q, rest)) => {
                x = rest;
                q
            }
            None => return m,
        };
        m.u0 = m.u0.wrapping_add(q.wrapping_mul(m.u1));
        m.v0 = m.v0.wrapping_add(q.wrapping_mul(m.v1));
        if let Some(s) = track.as_deref_mut() {
            s.subtract(q);
        }
        let q = match quotient(y, x, LEAST) {
            Some((q, rest)) => {
                y = rest;
                q
            }
            None => return m,
        };
        m.u1 = m.u1.wrapping_add(q.wrapping_mul(m.u0));
        m.v1 = m.v1.wrapping_add(q.wrapping_mul(m.v0));
        if let Some(s) = track.as_deref_mut() {
            s.swap();
            s.subtract(q);
            s.swap();
        }
    }
}

/// `x` divided by `y`, if `y` and the rest are at least `least`. A quotient of zero is fine: the first step may be one.
#[inline(always)]
fn quotient(x: u128, y: u128, least: u128) -> Option<(u64, u128)> {
    if y < least {
        return None;
    }
    let (mut rest, mut q) = (x, 0);
    // Most quotients are small.
    while rest >= y {
        if q == 4 {
            let more = divide(rest, y);
            rest -= u128::from(more) * y;
            q += more;
            break;
        }
        rest -= y;
        q += 1;
    }
    (rest >= least).then_some((q, rest))
}

/// `x / y` for `y >= 2^64`.
#[allow(
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "the divisor is at least 2^64"
)]
fn divide(x: u128, y: u128) -> u64 {
    (x / y) as u64
}

/// Euclid's algorithm to its end on two words: the matrix, and the greatest common divisor, which `a'` has become.
///
/// # Errors
/// The one of the two that came to zero is told by the flag: true if it is `a'`, and the divisor is `b'`.
#[allow(clippy::integer_division_remainder_used, reason = "the divisors are not zero")]
pub(super) fn single(
    mut x: u64,
    mut y: u64,
    mut symbol: Option<&mut Symbol>,
) -> (Matrix, u64, bool) {
    let mut m = Matrix::ONE;
    loop {
        if y == 0 {
            return (m, x, false);
        }
        let q = x / y;
        x -= q * y;
        m.u0 = m.u0.wrapping_add(q.wrapping_mul(m.u1));
        m.v0 = m.v0.wrapping_add(q.wrapping_mul(m.v1));
        if let Some(s) = symbol.as_deref_mut() {
            s.subtract(q);
        }
        if x == 0 {
            return (m, y, true);
        }
        let q = y / x;
        y -= q * x;
        m.u1 = m.u1.wrapping_add(q.wrapping_mul(m.u0));
        m.v1 = m.v1.wrapping_add(q.wrapping_mul(m.v0));
        if let Some(s) = symbol.as_deref_mut() {
            s.swap();
            s.subtract(q);
            s.swap();
        }
    }
}
