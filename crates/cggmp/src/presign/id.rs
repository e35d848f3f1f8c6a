//! The name of a presignature.

use core::fmt;

/// The name of a presignature, the same at all of its signers.
///
/// Signing two messages with one presignature gives the key away. Record this under a unique key
/// before a share of a signature is released.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PresignatureId(pub [u8; 32]);

impl fmt::Debug for PresignatureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PresignatureId(")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}
