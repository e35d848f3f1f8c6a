//! The name of a presignature.

use core::fmt;

use quorate_session::Transcript;

/// The name of a presignature, equal at all of its signers.
///
/// It depends on the run alone: protocol, session id, signers, key, auxiliary information. Nothing
/// that a signer sends goes into it. A run that was restored from an old state and ends a second
/// time, with any result, gives it the name of the first, so that the table of spent names refuses
/// it. What tells two such results apart is their
/// [digest](crate::PresignatureInfo::digest).
///
/// Signing two messages with one presignature gives the key away. Record this under a unique key
/// before a share of a signature is released ([`Claim::record`](crate::Claim::record)).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PresignatureId(pub [u8; 32]);

impl PresignatureId {
    /// The name of the presignature that a run makes, by its index among those of the run; today
    /// there is one, with index 0.
    pub(super) fn new(context: &[u8; 32], index: u32) -> Self {
        let mut transcript = Transcript::new("quorate-cggmp presignature name");
        transcript.append("context", context);
        transcript.append_u64("index", index.into());
        Self(transcript.finish32())
    }
}

impl fmt::Debug for PresignatureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PresignatureId(")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}
