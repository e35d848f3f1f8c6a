//! The trait that each kind of purpose implements.

use alloc::vec::Vec;

use crate::error::Malformed;
use crate::facts::Facts;
use crate::kind::Kind;
use crate::message::{KeyKind, Message, WrongKey};
use crate::watermark::Watermark;

/// A kind of purpose. Each value has one body, and each body that is read writes itself again.
pub(crate) trait Body: Sized {
    const KIND: Kind;

    fn read(body: &[u8]) -> Result<Self, Malformed>;
    fn write(&self, to: &mut Vec<u8>);
    /// `None` if keys of this kind do not sign it.
    fn signed(&self, key: KeyKind) -> Option<Message>;
    fn add_facts(&self, facts: &mut Facts);

    fn watermark(&self) -> Option<Watermark> {
        None
    }

    fn message(&self, key: KeyKind) -> Result<Message, WrongKey> {
        self.signed(key).ok_or(WrongKey { purpose: Self::KIND, key })
    }
}
