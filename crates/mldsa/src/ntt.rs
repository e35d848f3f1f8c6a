//! The number theoretic transform (FIPS 204, §7.5), in a form with the same steps in every layer.
//!
//! Each layer of the transform takes the numbers at i and 128 + i, and puts the two results at 2i and 2i + 1. The
//! inverse goes the other way. So each layer rotates the bits of a place by one, and after eight layers the order
//! is that of the standard. Place i belongs to block number i mod 2^j of layer j of the standard.

use crate::field::{Q, Q_INVERSE, product, product_by, reduced};

/// The degree of X^256 + 1.
pub(crate) const N: usize = 256;
/// A primitive 512th root of unity modulo q.
const ZETA: i64 = 1753;
/// 2^64/256 modulo q, the factor of the inverse transform. With it the product of two transforms loses its 2^-32.
const SCALE: i32 = 41_978;

/// The powers of ζ of a layer for i = 0 to P − 1. They repeat after that.
struct Layer<const P: usize> {
    /// 2^32 times the powers, modulo q.
    zetas: [i32; P],
    /// The powers times q^-1, modulo 2^32.
    quotients: [i32; P],
}

/// The powers of ζ of all layers.
struct Layers {
    short: [Layer<32>; 6],
    seventh: Layer<64>,
    eighth: Layer<128>,
}

static FORWARD: Layers = Layers::new(false);
static INVERSE: Layers = Layers::new(true);

impl Layers {
    const fn new(inverse: bool) -> Self {
        Self {
            short: [
                Layer::new(0, inverse),
                Layer::new(1, inverse),
                Layer::new(2, inverse),
                Layer::new(3, inverse),
                Layer::new(4, inverse),
                Layer::new(5, inverse),
            ],
            seventh: Layer::new(6, inverse),
            eighth: Layer::new(7, inverse),
        }
    }
}

impl<const P: usize> Layer<P> {
    /// The powers of layer j: that of block b has the place 2^j + b. The inverse of a power is minus the power of
    /// the block at the same distance from the end.
    #[allow(clippy::indexing_slicing, reason = "at compile time")]
    const fn new(j: u32, inverse: bool) -> Self {
        let powers = powers();
        let blocks = 1 << j;
        let (mut zetas, mut quotients) = ([0; P], [0; P]);
        let mut i = 0;
        while i < P {
            let block = i & (blocks - 1);
            let power = powers[if inverse { 2 * blocks - 1 - block } else { blocks + block }];
            zetas[i] = power;
            quotients[i] = power.wrapping_mul(Q_INVERSE);
            i += 1;
        }
        Self { zetas, quotients }
    }

    /// The powers, each with its quotient.
    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (&i32, &i32)> {
        self.zetas.iter().zip(&self.quotients)
    }

    #[inline(always)]
    fn forward(&self, from: &[i32; N], to: &mut [i32; N]) {
        let (low, high) = from.split_at(N >> 1);
        let from = low.chunks_exact(P).zip(high.chunks_exact(P));
        for (to, (low, high)) in to.chunks_exact_mut(2 * P).zip(from) {
            let pairs = to.as_chunks_mut().0.iter_mut().zip(low.iter().zip(high));
            for (([sum, difference], (low, high)), (zeta, quotient)) in pairs.zip(self.iter()) {
                let turned = product_by(*high, *zeta, *quotient);
                *sum = low + turned;
                *difference = low - turned;
            }
        }
    }

    #[inline(always)]
    fn inverse(&self, from: &[i32; N], to: &mut [i32; N]) {
        let (low, high) = to.split_at_mut(N >> 1);
        let to = low.chunks_exact_mut(P).zip(high.chunks_exact_mut(P));
        for (from, (low, high)) in from.chunks_exact(2 * P).zip(to) {
            let pairs = from.as_chunks().0.iter().zip(low.iter_mut().zip(high));
            for (([a, b], (low, high)), (zeta, quotient)) in pairs.zip(self.iter()) {
                *low = a + b;
                *high = product_by(b - a, *zeta, *quotient);
            }
        }
    }
}

/// 2^32 times the powers of ζ modulo q, by the reversed bits of their exponent.
#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "at compile time")]
#[allow(clippy::integer_division_remainder_used, reason = "at compile time")]
const fn powers() -> [i32; N] {
    let q = Q as i64;
    let mut powers = [0; N];
    let mut power = (1_i64 << 32) % q;
    let mut exponent = 0_u8;
    loop {
        powers[exponent.reverse_bits() as usize] = power as i32;
        power = power * ZETA % q;
        match exponent.checked_add(1) {
            Some(next) => exponent = next,
            None => return powers,
        }
    }
}

/// The transform (Algorithm 41) of coefficients between −q and q, reduced. A layer adds less than q.
#[inline(always)]
pub(crate) fn forward(a: &mut [i32; N]) {
    let mut b = [0; N];
    let Layers { short: [first, second, third, fourth, fifth, sixth], seventh, eighth } = &FORWARD;
    first.forward(a, &mut b);
    second.forward(&b, a);
    third.forward(a, &mut b);
    fourth.forward(&b, a);
    fifth.forward(a, &mut b);
    sixth.forward(&b, a);
    seventh.forward(a, &mut b);
    eighth.forward(&b, a);
    a.iter_mut().for_each(|a| *a = reduced(*a));
}

/// The inverse transform (Algorithm 42), times 2^32, of values between −q and q. A layer at most doubles the
/// values, and 256·q is below 2^31.
#[inline(always)]
pub(crate) fn inverse(a: &mut [i32; N]) {
    let mut b = [0; N];
    let Layers { short: [first, second, third, fourth, fifth, sixth], seventh, eighth } = &INVERSE;
    eighth.inverse(a, &mut b);
    seventh.inverse(&b, a);
    sixth.inverse(a, &mut b);
    fifth.inverse(&b, a);
    fourth.inverse(a, &mut b);
    third.inverse(&b, a);
    second.inverse(a, &mut b);
    first.inverse(&b, a);
    a.iter_mut().for_each(|a| *a = product(SCALE, *a));
}
