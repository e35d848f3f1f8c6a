//! A curve that counts its multiplications.

use core::cell::Cell;
use core::fmt::Debug;
use core::marker::PhantomData;
use core::ops::AddAssign;

#[cfg(feature = "counting-ecdsa")]
use quorate_cggmp::{EcdsaCurve, Seal, keys::derive};
use quorate_curve::Curve;
use quorate_curve::rand_core::Rng;

/// Multiplications of points, those in sums included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Multiplications {
    /// Of the generator.
    pub fixed: usize,
    /// Of any other point by a scalar of any length.
    pub random: usize,
    /// The part of `random` that is made one by one in constant time, outside of sums.
    pub alone: usize,
    /// Of a point by a number of a few bits, as in Horner's rule over the parties' numbers.
    pub small: usize,
}

impl Multiplications {
    /// The two that are published.
    #[must_use]
    pub fn cell(self) -> String {
        let Self { fixed, random, small, .. } = self;
        if small == 0 {
            format!("{fixed} / {random}")
        } else {
            format!("{fixed} / {random} (+ {small} short)")
        }
    }
}

thread_local! {
    static COUNTED: Cell<Multiplications> = const { Cell::new(Multiplications { fixed: 0, random: 0, alone: 0, small: 0 }) };
}

impl AddAssign for Multiplications {
    fn add_assign(&mut self, more: Self) {
        self.fixed += more.fixed;
        self.random += more.random;
        self.alone += more.alone;
        self.small += more.small;
    }
}

fn add(fixed: usize, random: usize, small: usize) {
    let mut all = COUNTED.get();
    all += Multiplications { fixed, random, alone: 0, small };
    COUNTED.set(all);
}

/// The result of `work`, and the point multiplications that it makes in this thread.
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, Multiplications) {
    COUNTED.set(Multiplications::default());
    let done = work();
    (done, COUNTED.get())
}

/// The group `C`, counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counting<C>(PhantomData<C>);

impl<C: Curve> quorate_curve::seal::Seal for Counting<C> {}

impl<C: Curve> Curve for Counting<C> {
    const NAME: &'static str = C::NAME;
    const ORDER: &'static [u64] = C::ORDER;
    type Scalar = C::Scalar;
    type Point = C::Point;
    type PointBytes = C::PointBytes;
    type ScalarBytes = C::ScalarBytes;

    fn identity() -> Self::Point {
        C::identity()
    }

    fn generator() -> Self::Point {
        C::generator()
    }

    fn is_identity(point: &Self::Point) -> bool {
        C::is_identity(point)
    }

    fn mul_base(scalar: &Self::Scalar) -> Self::Point {
        add(1, 0, 0);
        C::mul_base(scalar)
    }

    fn mul(point: &Self::Point, scalar: &Self::Scalar) -> Self::Point {
        add(0, 1, 0);
        COUNTED.set(Multiplications { alone: COUNTED.get().alone + 1, ..COUNTED.get() });
        C::mul(point, scalar)
    }

    fn mul_sixteen(points: &[Self::Point; 16], scalar: &Self::Scalar) -> [Self::Point; 16] {
        add(0, 16, 0);
        C::mul_sixteen(points, scalar)
    }

    fn double(point: &Self::Point) -> Self::Point {
        C::double(point)
    }

    fn msm_vartime(scalars: &[Self::Scalar], points: &[Self::Point]) -> Self::Point {
        let terms = scalars.len().min(points.len());
        let fixed = points.iter().take(terms).filter(|point| **point == C::generator()).count();
        add(fixed, terms - fixed, 0);
        C::msm_vartime(scalars, points)
    }

    fn batch_coefficient_vartime(rng: &mut impl Rng, terms: usize) -> Self::Scalar {
        C::batch_coefficient_vartime(rng, terms)
    }

    fn mul_small_vartime(point: &Self::Point, multiplier: u64) -> Self::Point {
        add(0, 0, 1);
        C::mul_small_vartime(point, multiplier)
    }

    fn verify_vartime(
        key: &Self::Point,
        r: &Self::Point,
        s: &Self::Scalar,
        c: &Self::Scalar,
    ) -> bool {
        add(1, 1, 0);
        C::verify_vartime(key, r, s, c)
    }

    fn invert(scalar: &Self::Scalar) -> Self::Scalar {
        C::invert(scalar)
    }

    fn scalar_from_wide(bytes: &[u8]) -> Self::Scalar {
        C::scalar_from_wide(bytes)
    }

    fn decode_scalar(bytes: &[u8]) -> Option<Self::Scalar> {
        C::decode_scalar(bytes)
    }

    fn encode_scalar(scalar: &Self::Scalar) -> Self::ScalarBytes {
        C::encode_scalar(scalar)
    }

    fn scalar_limbs(scalar: &Self::Scalar) -> [u64; 8] {
        C::scalar_limbs(scalar)
    }

    fn scalar_from_limbs(limbs: &[u64; 8]) -> Self::Scalar {
        C::scalar_from_limbs(limbs)
    }

    fn decode_point(bytes: &[u8]) -> Option<Self::Point> {
        C::decode_point(bytes)
    }

    fn decode_points_vartime(bytes: &[u8], rng: &mut impl Rng) -> Option<Vec<Self::Point>> {
        C::decode_points_vartime(bytes, rng)
    }

    fn encode_point(point: &Self::Point) -> Self::PointBytes {
        C::encode_point(point)
    }

    fn encode_points(points: &[Self::Point]) -> Vec<Self::PointBytes> {
        C::encode_points(points)
    }

    fn mul_base_many(scalars: &[Self::Scalar]) -> (Vec<Self::Point>, Vec<Self::PointBytes>) {
        add(scalars.len(), 0, 0);
        C::mul_base_many(scalars)
    }
}

#[cfg(feature = "counting-ecdsa")]
impl<C: EcdsaCurve> derive::Derivable for Counting<C> {
    const STANDARD: derive::Standard = C::STANDARD;
}

#[cfg(feature = "counting-ecdsa")]
impl<C: EcdsaCurve> Seal for Counting<C> {}

#[cfg(feature = "counting-ecdsa")]
impl<C: EcdsaCurve> EcdsaCurve for Counting<C> {
    const CODE: u8 = C::CODE;
    const FAMILY: &'static str = C::FAMILY;
    const SEC_2: &'static str = C::SEC_2;
    const SPKI_ALGORITHM: &'static [u8] = C::SPKI_ALGORITHM;

    fn point_to_uncompressed(point: &Self::Point) -> [u8; 65] {
        C::point_to_uncompressed(point)
    }

    fn point_from_uncompressed(bytes: &[u8; 65]) -> Option<Self::Point> {
        C::point_from_uncompressed(bytes)
    }
}
