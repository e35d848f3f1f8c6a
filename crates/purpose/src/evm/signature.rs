//! The signature of a transaction.

use alloc::vec::Vec;

use super::rlp;
use crate::integer::Integer;

/// The signature of a transaction, as the chain takes it: the lower of the two values of s (EIP-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The parity of the second coordinate of the point whose first one is `r`.
    pub is_y_odd: bool,
    /// The first number, big-endian.
    pub r: [u8; 32],
    /// The second number, big-endian.
    pub s: [u8; 32],
}

impl Signature {
    /// The fields behind those of a transaction with a type.
    pub(super) fn typed(&self) -> Vec<u8> {
        self.fields(u64::from(self.is_y_odd))
    }

    /// The fields behind those of a transaction without a type: `v` has the chain (EIP-155).
    pub(super) fn legacy(&self, chain: u64) -> Vec<u8> {
        let doubled = u128::from(chain).saturating_mul(2); // below 2⁶⁵
        self.fields(doubled.saturating_add(35).saturating_add(self.is_y_odd.into()))
    }

    fn fields(&self, first: impl Into<Integer>) -> Vec<u8> {
        let mut fields = Vec::new();
        rlp::put_integer(&mut fields, first);
        for number in [&self.r, &self.s] {
            rlp::put_string(&mut fields, rlp::trimmed(number));
        }
        fields
    }
}
