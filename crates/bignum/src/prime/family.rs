//! The two families of primes that are searched for, and how each is searched best.

use alloc::vec;

use zeroize::Zeroizing;

use crate::number::limbs::Words;
use crate::number::word::Carry;

/// The kind of prime that is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// `q = 6 k - 1` and `p = 12 k - 1 = 2 q + 1`.
    Safe = 1,
    /// `p = 4 k - 1`.
    Blum = 2,
}

/// `e` to Euler's constant, of Mertens' theorem.
const MERTENS: f64 = 1.781_072_418;

impl Family {
    /// The distance of two neighbours.
    const fn modulus(self) -> u64 {
        match self {
            Self::Safe => 12,
            Self::Blum => 4,
        }
    }

    /// The smallest prime to sieve with: the candidates have none of the smaller ones.
    pub(super) const fn least(self) -> u32 {
        match self {
            Self::Safe => 5,
            Self::Blum => 3,
        }
    }

    /// A bound on the factors 2 of the tested number minus 1. For a safe prime it limits what the test reveals
    /// about a secret number: one prime in `2^32` is missed.
    pub(super) const fn twos(self) -> u32 {
        match self {
            Self::Safe => 32,
            Self::Blum => 1,
        }
    }

    /// The logarithm of the bound of the sieve and the places of a window, as measured to be good; a window holds
    /// about four primes, so that few searches need a second one.
    pub(super) const fn tuning(self, bits: u32) -> (u32, u32) {
        let bound = match (self, bits) {
            (Self::Safe, 0..192) => 13,
            (Self::Safe, 192..384) => 16,
            (Self::Safe, 384..640) => 19,
            (Self::Safe, 640..896) => 20,
            (Self::Safe, 896..1280) => 22,
            (Self::Safe, 1280..1792) => 23,
            (Self::Safe, _) => 24,
            (Self::Blum, 0..640) => 12,
            (Self::Blum, 640..1280) => 15,
            (Self::Blum, _) => 17,
        };
        let places = match self {
            Self::Safe => (bits * bits) >> 2,
            Self::Blum => 2 * bits,
        };
        (bound, places.next_power_of_two())
    }

    /// The number of tests that a prime takes.
    ///
    /// A random number of `b` bits is prime with probability `1 / (b ln 2)`; one without factors below `2^k` is so
    /// `e^γ k ln 2` times as often (Mertens).
    pub(super) fn expected_tests(self, bits: u32) -> f64 {
        let (bound, _) = self.tuning(bits);
        let density = |bits: u32| MERTENS * f64::from(bound) / f64::from(bits);
        match self {
            Self::Safe => (1.0 + density(bits - 1)) / (density(bits - 1) * density(bits)),
            Self::Blum => 1.0 / density(bits),
        }
    }

    /// The places that `r` rules out in a window whose start is `residue` modulo `r`, as distances from the start.
    #[allow(clippy::integer_division_remainder_used, reason = "the divisors are constants")]
    #[inline(always)]
    pub(super) fn places(self, r: u64, residue: u64) -> [u64; 2] {
        let away = |root: u64| if root >= residue { root - residue } else { root + r - residue };
        match self {
            Self::Safe => {
                // r^2 = 1 mod 12, so r (12 - r mod 12) + 1 is a multiple of 12: the inverse of 12. Twice it is that of 6.
                let twelfth = (r * (12 - r % 12) + 1) / 12;
                let sixth = 2 * twelfth;
                [away(twelfth), away(if sixth >= r { sixth - r } else { sixth })]
            }
            Self::Blum => {
                let quarter = if r & 3 == 3 { (r + 1) >> 2 } else { (3 * r + 1) >> 2 };
                [away(quarter); 2]
            }
        }
    }

    /// `value` divided by the distance of neighbours, rounded down. Constant time, since divisions by constants are.
    #[allow(clippy::integer_division_remainder_used, reason = "the divisors are constants")]
    pub(super) fn divide(self, value: &mut [u64]) {
        let mut rest = 0;
        for word in value.iter_mut().rev() {
            let mut out = 0;
            for half in [*word >> 32, *word & 0xffff_ffff] {
                let part = rest << 32 | half;
                let (quotient, remainder) = match self {
                    Self::Safe => (part / 12, part % 12),
                    Self::Blum => (part >> 2, part & 3),
                };
                out = out << 32 | quotient;
                rest = remainder;
            }
            *word = out;
        }
    }

    /// A candidate of the place `place` after `start`: the `last` one, which will be the prime, or the one
    /// before. `None` if the last one has more than `bits` bits. The time shows the place, and whether there is a
    /// candidate.
    pub(super) fn candidate(
        self,
        start: &[u64],
        place: u32,
        last: bool,
        bits: u32,
    ) -> Option<Words> {
        let number = linear(start, place, self.modulus());
        let above = number.get((bits >> 6) as usize..).unwrap_or_default();
        let shift = bits & 63;
        let overflows =
            above.iter().enumerate().any(|(k, w)| if k == 0 { w >> shift != 0 } else { *w != 0 });
        if overflows {
            return None;
        }
        let mut out = if last { number } else { linear(start, place, self.modulus() >> 1) };
        out.truncate(start.len());
        Some(out)
    }
}

/// `factor (start + place) - 1`, a word longer than `start`.
fn linear(start: &[u64], place: u32, factor: u64) -> Words {
    let mut out = Zeroizing::new(vec![0; start.len() + 1]);
    let (mut add, mut carry, mut borrow) = (u64::from(place), 0, true);
    for (to, word) in out.iter_mut().zip(start.iter().chain(&[0])) {
        let (sum, over) = word.overflowing_add(add);
        add = u64::from(over);
        let low;
        (low, carry) = factor.mul_carry(sum, carry);
        (*to, borrow) = low.sub_borrow(0, borrow);
    }
    out
}
