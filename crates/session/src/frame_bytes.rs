//! The bytes of a frame, shared by all evidence of a run.

use alloc::{sync::Arc, vec::Vec};
use core::fmt;
use core::ops::{Deref, DerefMut};

/// The bytes of a frame that is evidence.
///
/// Clones share the bytes, so that the broadcasts of a run are in memory once, however many blames contain them. A clone
/// that is changed gets bytes of its own. `Debug` prints the length only.
#[derive(Clone, PartialEq, Eq)]
pub struct FrameBytes(Arc<Vec<u8>>);

impl From<Vec<u8>> for FrameBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(bytes))
    }
}

impl From<&[u8]> for FrameBytes {
    fn from(bytes: &[u8]) -> Self {
        bytes.to_vec().into()
    }
}

impl Deref for FrameBytes {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for FrameBytes {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        Arc::make_mut(&mut self.0)
    }
}

impl fmt::Debug for FrameBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FrameBytes({})", self.0.len())
    }
}
