//! BIP-340's tagged hashes, and its halves of points.

use quorate_curve::{Curve, Secp256k1};
use sha2::{Digest, Sha256};

type Scalar = <Secp256k1 as Curve>::Scalar;
#[cfg(any(feature = "bip445-draft", feature = "chilldkg-draft"))]
type Point = <Secp256k1 as Curve>::Point;

/// A BIP-340 tagged hash.
pub(crate) fn tagged_bytes<'a>(tag: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let tag = Sha256::digest(tag);
    let mut hash = Sha256::new().chain_update(tag).chain_update(tag);
    parts.into_iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

/// A BIP-340 tagged hash, reduced modulo the order.
pub(crate) fn tagged_hash<'a>(tag: &str, parts: impl IntoIterator<Item = &'a [u8]>) -> Scalar {
    Secp256k1::scalar_from_wide(&tagged_bytes(tag, parts))
}

/// The x-coordinate of a compressed point.
pub(crate) const fn x_only(point: &[u8; 33]) -> &[u8; 32] {
    let [_, x @ ..] = point;
    x
}

/// A factor of 1 or −1. BIP-340 takes a point and all scalars behind it times the sign of its y-coordinate.
#[cfg(any(feature = "bip445-draft", feature = "chilldkg-draft"))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

#[cfg(any(feature = "bip445-draft", feature = "chilldkg-draft"))]
impl Sign {
    /// The sign of a y-coordinate, by the point's compressed form: an even one is positive.
    pub(crate) const fn of_y(point: &[u8; 33]) -> Self {
        let [tag, ..] = point;
        if *tag == 2 { Self::Plus } else { Self::Minus }
    }

    /// The scalar times this sign.
    pub(crate) fn scalar(self, scalar: Scalar) -> Scalar {
        match self {
            Self::Plus => scalar,
            Self::Minus => -scalar,
        }
    }

    /// The point times this sign.
    pub(crate) fn point(self, point: Point) -> Point {
        match self {
            Self::Plus => point,
            Self::Minus => -point,
        }
    }
}

#[cfg(feature = "bip445-draft")]
impl Sign {
    /// The product of two signs.
    pub(crate) const fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Plus, Self::Plus) | (Self::Minus, Self::Minus) => Self::Plus,
            (Self::Plus, Self::Minus) | (Self::Minus, Self::Plus) => Self::Minus,
        }
    }

    /// The sign that makes `to` of `from`, if one does.
    pub(crate) fn between(from: &Point, to: &Point) -> Option<Self> {
        [Self::Plus, Self::Minus].into_iter().find(|sign| sign.point(*from) == *to)
    }
}
