//! The trait that everything above this crate is generic over.

use alloc::vec::Vec;
use core::fmt::Debug;
use core::ops::{Add, Mul, Neg, Sub};

use rand_core::Rng;
use zeroize::Zeroize;

use crate::seal::Seal;

/// A group of prime order with a fixed generator, and the integers modulo its order.
///
/// Implemented by unit structs; never instantiated. Functions are constant time in their scalars
/// and points unless their name says `vartime`. Nothing here panics, whatever the arguments.
///
/// # Sealed
///
/// The trait is sealed: its implementations are the five groups of this crate. There are two reasons.
///
/// 1. Every protocol above relies on a strict [`Self::decode_point`], on constant time, and on batch
///    functions that agree with the functions for one. No compiler checks these. A group that lets one
///    point of low order pass breaks proofs and signatures that other code believes.
/// 2. The functions over several points follow what processors offer. They can change, and new ones
///    can be required, without a breaking release.
///
/// A ciphersuite of your own needs no group of its own: it names one of the five, and states its
/// hashes, its context string and its encoding of signatures. A foreign group does not compile, even
/// if it forwards every function:
///
/// ```compile_fail,E0277
/// use quorate_curve::{Curve, P256};
/// # use core::marker::PhantomData;
/// # use quorate_curve::rand_core::Rng;
///
/// #[derive(Clone, Copy, Debug, PartialEq, Eq)]
/// struct Mine;
///
/// impl Curve for Mine {
///     const NAME: &'static str = "mine";
///     const ORDER: &'static [u64] = P256::ORDER;
///     type Scalar = <P256 as Curve>::Scalar;
///     // The other items are those of P-256.
/// #   type Point = <P256 as Curve>::Point;
/// #   type PointBytes = <P256 as Curve>::PointBytes;
/// #   type ScalarBytes = <P256 as Curve>::ScalarBytes;
/// #   fn identity() -> Self::Point { P256::identity() }
/// #   fn generator() -> Self::Point { P256::generator() }
/// #   fn is_identity(point: &Self::Point) -> bool { P256::is_identity(point) }
/// #   fn mul_base(scalar: &Self::Scalar) -> Self::Point { P256::mul_base(scalar) }
/// #   fn mul(point: &Self::Point, scalar: &Self::Scalar) -> Self::Point { P256::mul(point, scalar) }
/// #   fn double(point: &Self::Point) -> Self::Point { P256::double(point) }
/// #   fn msm_vartime(scalars: &[Self::Scalar], points: &[Self::Point]) -> Self::Point {
/// #       P256::msm_vartime(scalars, points)
/// #   }
/// #   fn mul_small_vartime(point: &Self::Point, by: u64) -> Self::Point {
/// #       P256::mul_small_vartime(point, by)
/// #   }
/// #   fn verify_vartime(key: &Self::Point, r: &Self::Point, s: &Self::Scalar, c: &Self::Scalar) -> bool {
/// #       P256::verify_vartime(key, r, s, c)
/// #   }
/// #   fn invert(scalar: &Self::Scalar) -> Self::Scalar { P256::invert(scalar) }
/// #   fn scalar_from_wide(bytes: &[u8]) -> Self::Scalar { P256::scalar_from_wide(bytes) }
/// #   fn decode_scalar(bytes: &[u8]) -> Option<Self::Scalar> { P256::decode_scalar(bytes) }
/// #   fn encode_scalar(scalar: &Self::Scalar) -> Self::ScalarBytes { P256::encode_scalar(scalar) }
/// #   fn scalar_limbs(scalar: &Self::Scalar) -> [u64; 8] { P256::scalar_limbs(scalar) }
/// #   fn scalar_from_limbs(limbs: &[u64; 8]) -> Self::Scalar { P256::scalar_from_limbs(limbs) }
/// #   fn decode_point(bytes: &[u8]) -> Option<Self::Point> { P256::decode_point(bytes) }
/// #   fn encode_point(point: &Self::Point) -> Self::PointBytes { P256::encode_point(point) }
/// #   fn encode_points(points: &[Self::Point]) -> Vec<Self::PointBytes> { P256::encode_points(points) }
/// }
/// ```
pub trait Curve: Copy + Eq + Debug + Send + Sync + Seal + 'static {
    /// Name of the group, as RFC 9591 and SEC 2 write it: `"Ed25519"`, `"ristretto255"`, `"Ed448"`,
    /// `"P-256"`, `"secp256k1"`.
    const NAME: &'static str;

    /// Order of the group, in little-endian 64-bit limbs: 7 limbs for Ed448, 4 for the others.
    const ORDER: &'static [u64];

    /// An integer modulo [`Self::ORDER`]. All its arithmetic is constant time, comparison
    /// included; its default is zero. It has no `Debug`, since it may be a secret.
    type Scalar: Copy
        + Eq
        + Default
        + Zeroize
        + From<u64>
        + Add<Output = Self::Scalar>
        + Sub<Output = Self::Scalar>
        + Mul<Output = Self::Scalar>
        + Neg<Output = Self::Scalar>
        + Send
        + Sync
        + 'static;

    /// An element of the group. Comparison is constant time; `Debug` prints the encoding.
    type Point: Copy
        + Eq
        + Debug
        + Add<Output = Self::Point>
        + Sub<Output = Self::Point>
        + Neg<Output = Self::Point>
        + Send
        + Sync
        + 'static;

    /// An encoded point: 32 bytes (RFC 8032, RFC 9496), 57 bytes (RFC 8032 for Ed448), or the
    /// 33 bytes of SEC 1's compressed form.
    type PointBytes: Copy
        + Eq
        + Ord
        + AsRef<[u8]>
        + for<'a> TryFrom<&'a [u8]>
        + Debug
        + Send
        + Sync
        + 'static;

    /// An encoded scalar, as RFC 9591 section 6 has it: 32 bytes little-endian for the 25519
    /// groups, 57 bytes little-endian for Ed448, 32 bytes big-endian for P-256 and secp256k1.
    type ScalarBytes: Copy + AsRef<[u8]> + AsMut<[u8]> + Zeroize + Send + Sync + 'static;

    /// The neutral element.
    fn identity() -> Self::Point;

    /// The generator: RFC 8032's base point, RFC 9496's generator, or SEC 2's `G`.
    fn generator() -> Self::Point;

    /// Returns whether `point` is the neutral element.
    fn is_identity(point: &Self::Point) -> bool;

    /// `scalar` times the generator, by a precomputed table.
    fn mul_base(scalar: &Self::Scalar) -> Self::Point;

    /// `scalar` times `point`.
    fn mul(point: &Self::Point, scalar: &Self::Scalar) -> Self::Point;

    /// `scalar` times each point. On the curve of Ed25519, with the instructions for it, this is several times less work
    /// than one by one.
    fn mul_sixteen(points: &[Self::Point; 16], scalar: &Self::Scalar) -> [Self::Point; 16] {
        points.map(|point| Self::mul(&point, scalar))
    }

    /// Twice `point`.
    fn double(point: &Self::Point) -> Self::Point;

    /// The sum of every `scalars[i]` times `points[i]`, in variable time: for public values only.
    ///
    /// Any length is fine and an empty sum is the identity. If the lengths differ, the longer
    /// slice is cut to the shorter one. Scalars that are short, or whose negatives are short, cost
    /// in proportion to their length.
    fn msm_vartime(scalars: &[Self::Scalar], points: &[Self::Point]) -> Self::Point;

    /// A random coefficient of one of the equations that are added up and checked by one sum of
    /// `terms` terms, in variable time. No value has a chance of more than 2^-128, so a wrong
    /// equation passes with no more than that. Cheaper in [`Self::msm_vartime`] than any scalar.
    fn batch_coefficient_vartime(rng: &mut impl Rng, terms: usize) -> Self::Scalar {
        let _ = terms;
        short_coefficient::<Self>(rng)
    }

    /// `multiplier` times `point`, in variable time: for public multipliers, the smaller the
    /// cheaper.
    fn mul_small_vartime(point: &Self::Point, multiplier: u64) -> Self::Point;

    /// Returns whether `s*G == r + c*key`, the equation of a Schnorr signature, in variable time.
    fn verify_vartime(
        key: &Self::Point,
        r: &Self::Point,
        s: &Self::Scalar,
        c: &Self::Scalar,
    ) -> bool;

    /// The inverse of `scalar`, or zero for zero. See [`crate::batch_invert`] for many at once.
    fn invert(scalar: &Self::Scalar) -> Self::Scalar;

    /// `bytes` as an integer, reduced modulo the order; any length.
    ///
    /// The byte order is the one of the curve's scalars: little-endian for the 25519 groups and
    /// Ed448, big-endian for P-256 and secp256k1. The result is as good as uniform for uniform
    /// bytes at least 16 longer than the order. The time depends on the length alone.
    fn scalar_from_wide(bytes: &[u8]) -> Self::Scalar;

    /// Decodes a scalar: the exact length, and a value below the order. Zero is allowed.
    fn decode_scalar(bytes: &[u8]) -> Option<Self::Scalar>;

    /// Encodes a scalar in the form that [`Self::decode_scalar`] takes.
    fn encode_scalar(scalar: &Self::Scalar) -> Self::ScalarBytes;

    /// The value of `scalar`, in little-endian 64-bit limbs, for arithmetic with small
    /// multipliers.
    ///
    /// The limbs of a secret are a secret: the caller wipes them.
    fn scalar_limbs(scalar: &Self::Scalar) -> [u64; 8];

    /// The value of `limbs`, little-endian, reduced modulo the order. Any 512-bit value.
    fn scalar_from_limbs(limbs: &[u64; 8]) -> Self::Scalar;

    /// Decodes a point, strictly.
    ///
    /// `None` unless `bytes` is the one string that [`Self::encode_point`] gives for some element
    /// of the prime-order group other than the identity: the exact length, canonical, on the
    /// curve, in the subgroup. The uncompressed and hybrid forms of SEC 1 are refused.
    fn decode_point(bytes: &[u8]) -> Option<Self::Point>;

    /// Decodes many points whose encodings are one after the other in `bytes`, in variable time: the
    /// points that [`Self::decode_point`] gives for them, or `None` if it refuses any.
    ///
    /// On a curve with a cofactor, many are tested together for being in the subgroup. Points
    /// outside it pass with a chance of 2^-128, if they were chosen before `rng` was seeded. Seed
    /// it with a hash of `bytes`, or in secret.
    fn decode_points_vartime(bytes: &[u8], rng: &mut impl Rng) -> Option<Vec<Self::Point>> {
        let _ = rng;
        decode_each::<Self, _>(bytes, Self::decode_point)
    }

    /// Encodes a point.
    ///
    /// The identity gets its natural encoding (Edwards curves, ristretto255) or zeros (SEC 1
    /// curves); [`Self::decode_point`] takes neither.
    fn encode_point(point: &Self::Point) -> Self::PointBytes;

    /// Encodes many points, sharing one inversion where the group allows it.
    fn encode_points(points: &[Self::Point]) -> Vec<Self::PointBytes>;

    /// Every scalar times the generator, with the encodings: as [`Self::mul_base`] and
    /// [`Self::encode_points`] give them, but faster where encodings come cheaper together.
    fn mul_base_many(scalars: &[Self::Scalar]) -> (Vec<Self::Point>, Vec<Self::PointBytes>) {
        let points: Vec<_> = scalars.iter().map(Self::mul_base).collect();
        let bytes = Self::encode_points(&points);
        (points, bytes)
    }
}

/// Decodes points whose encodings are one after the other, each by itself.
pub(crate) fn decode_each<C: Curve, T>(
    bytes: &[u8],
    decode: impl Fn(&[u8]) -> Option<T>,
) -> Option<Vec<T>> {
    let encodings = bytes.chunks_exact(size_of::<C::PointBytes>());
    encodings.remainder().is_empty().then_some(())?;
    encodings.map(decode).collect()
}

/// A uniform 128-bit scalar.
pub(crate) fn short_coefficient<C: Curve>(rng: &mut impl Rng) -> C::Scalar {
    let mut limbs = [0; 8];
    limbs.iter_mut().take(2).for_each(|limb| *limb = rng.next_u64());
    C::scalar_from_limbs(&limbs)
}
