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

/// A family of keys: their group, their name, and the data that is kept beside them.
///
/// Keys of two families never mix. The name of the family is hashed into every [`PackageId`] and bound in every
/// session, and [`CODE`](Self::CODE) is in every stored form. Each suite of FROST is a family, and so is
/// threshold ECDSA over one curve.
///
/// [`PackageId`]: crate::PackageId
pub trait Family: Copy + Eq + Debug + Send + Sync + 'static {
    /// The group.
    type Curve: Curve;

    /// The public data of a key besides its shares, the same in all epochs. In threshold ECDSA it is the chain
    /// code and rid, in FROST nothing.
    type Extra: Clone + Eq + Debug + Send + Sync + 'static;

    /// The name, unique to this family. For a suite of FROST it is the context string,
    /// `"FROST-ED25519-SHA512-v1"`.
    const NAME: &'static str;

    /// The byte that stands for the family in stored forms, for a good error. The name is hashed into their
    /// digest.
    const CODE: u8;

    /// The names of the other families to which keys of this one are shifted
    /// ([`SharedKey::shift`](crate::SharedKey::shift)): for Taproot's internal keys, the family of its output
    /// keys. A shift to any other family does not compile.
    ///
    /// Do not name one without a reason. After a shift, two kinds of signatures are made with one secret, or with
    /// two secrets that differ by a public number. A security proof for either kind does not cover that. Each
    /// family answers for its own nonces and records, and cannot see what the other does with the same share.
    const SHIFTS_TO: &'static [&'static str] = &[];

    /// The largest committee.
    const MAX_PARTIES: usize = 65_535;

    /// Appends the stored form of `extra`, which has to mark its own end.
    fn put_extra(extra: &Self::Extra, bytes: &mut Vec<u8>);

    /// Reads what [`put_extra`](Self::put_extra) wrote; `None` if the bytes are something else.
    fn read_extra(reader: &mut Reader<'_>) -> Option<Self::Extra>;

    /// Returns whether the family has keys with this encoding. Those of Taproot have an even y-coordinate.
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
