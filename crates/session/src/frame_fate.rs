//! The fate of a frame.

/// The fate of a frame that was not rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FrameFate {
    /// Kept for the current round.
    Accepted,
    /// Kept for the next round.
    Early,
    /// Received before, byte for byte. Nothing has changed.
    Duplicate,
    /// Contradicts a frame kept before from the same sender for the same round, this one or an
    /// earlier one. Both are kept and [`Session::advance`](crate::Session::advance) will blame the sender.
    Conflicting,
}
