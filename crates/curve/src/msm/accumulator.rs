//! Sums in the making, in coordinates of any kind.

/// A sum in the making.
pub(crate) trait Accumulator: Sized {
    /// The summand.
    type Entry;
    fn zero() -> Self;
    fn double(&mut self);
    /// Adds an entry, or its negative.
    fn add(&mut self, entry: &Self::Entry, negative: bool);
}
