//! Families of keys: the curve, the name, and the types of one kind of signature.

use alloc::vec::Vec;
use core::fmt::Debug;

use quorate_curve::Curve;
use quorate_session::container::{Kind, Label};
use quorate_session::wire::Reader;

/// A scalar of the family's curve.
pub type Scalar<F> = <<F as Family>::Curve as Curve>::Scalar;
/// A point of the family's curve.
pub type Point<F> = <<F as Family>::Curve as Curve>::Point;
/// An encoded point of the family's curve.
pub type PointBytes<F> = <<F as Family>::Curve as Curve>::PointBytes;

/// A family of keys: which group they are in, what they are called, and what is kept beside them.
///
/// Keys of two families never mix: the name of the family is hashed into every [`PackageId`] and
/// bound in every session, and [`CODE`](Self::CODE) stands in every stored form. A suite of FROST is a
/// family of its own, and so is threshold ECDSA over one curve.
///
/// [`PackageId`]: crate::PackageId
pub trait Family: Copy + Eq + Debug + Send + Sync + 'static {
    /// The group.
    type Curve: Curve;

    /// The public data of a key besides its shares, the same in all epochs: chain code and rid in
    /// threshold ECDSA, nothing in FROST.
    type Extra: Clone + Eq + Debug + Send + Sync + 'static;

    /// The name, which no other family has: for a suite of FROST its context string, `"FROST-ED25519-SHA512-v1"`.
    const NAME: &'static str;

    /// The byte that stands for the family in stored forms, for a good error; the name is hashed into their digest.
    const CODE: u8;

    /// The largest committee.
    const MAX_PARTIES: usize = 65_535;

    /// Appends the stored form of `extra`, which has to say itself where it ends.
    fn put_extra(extra: &Self::Extra, bytes: &mut Vec<u8>);

    /// Reads what [`put_extra`](Self::put_extra) wrote; `None` if that is not what is there.
    fn read_extra(reader: &mut Reader<'_>) -> Option<Self::Extra>;

    /// Whether the family has keys with this encoding. Taproot's have an even y-coordinate.
    #[must_use]
    fn accepts(_key: &PointBytes<Self>) -> bool {
        true
    }

    /// The label of the family's containers of a kind.
    #[must_use]
    fn label(kind: Kind) -> Label {
        Label { kind, curve: Self::Curve::NAME, family: Self::NAME, family_code: Self::CODE }
    }
}
