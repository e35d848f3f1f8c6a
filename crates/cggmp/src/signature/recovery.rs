//! The recovery id of a signature.

/// The number, from 0 to 3, that tells the nonce point among the points with a given r: bit 0 is the parity of its
/// y-coordinate, and bit 1 is set if its x-coordinate was not below the order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RecoveryId(u8);

impl RecoveryId {
    /// From its two bits.
    #[must_use]
    pub const fn new(y_is_odd: bool, x_is_reduced: bool) -> Self {
        Self(if x_is_reduced { 2 } else { 0 } | if y_is_odd { 1 } else { 0 })
    }

    /// From the number, `None` above 3.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        if number <= 3 { Some(Self(number)) } else { None }
    }

    /// The number, 0 to 3.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns whether the y-coordinate is odd.
    #[must_use]
    pub const fn y_is_odd(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns whether the x-coordinate was not below the order.
    #[must_use]
    pub const fn x_is_reduced(self) -> bool {
        self.0 & 2 == 2
    }

    pub(super) const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }
}
