//! Maps from bytes that look random to points of which nobody knows the logarithm (RFC 9380, RFC 9496).

mod elligator;
mod ristretto;
mod swu;

use crate::Curve;

/// A group with a map from field elements to points: the part of hashing to a curve that knows the curve.
///
/// A hash expands a message to `ELEMENT` bytes for each field element, and the map turns them into a point. With two
/// elements, the result is that of `hash_to_curve` of RFC 9380 section 3, which is as good as a random oracle. With one, it
/// is that of `encode_to_curve`, whose results cover a part of the group.
///
/// Constant time in the bytes.
pub trait MapToCurve: Curve {
    /// The bytes of one field element, L of RFC 9380 section 5: 48 for the curves of 256 bits. For ristretto255, the
    /// 64 bytes of the one-way map of RFC 9496 section 4.3.4, which takes one element only.
    const ELEMENT: usize;

    /// The point of one or two elements, with the cofactor cleared; `None` for bytes of another length.
    ///
    /// For bytes that are the output of a hash, the result is the neutral element with a negligible chance.
    fn map_to_curve(uniform: &[u8]) -> Option<Self::Point>;
}

/// The sum of the points of one or two elements.
fn sum_of<C: MapToCurve>(uniform: &[u8], map: impl Fn(&[u8]) -> C::Point) -> Option<C::Point> {
    let elements = uniform.chunks_exact(C::ELEMENT);
    if !elements.remainder().is_empty() || !matches!(elements.len(), 1 | 2) {
        return None;
    }
    Some(elements.map(map).fold(C::identity(), |sum, point| sum + point))
}
