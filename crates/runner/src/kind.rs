//! The kind of a protocol, by which a store keeps runs apart.

use core::fmt;

use quorate_session::{Protocol, Transcript};

/// The kind of a protocol: a digest of its [name](Protocol::NAME), [family](Protocol::FAMILY) and
/// [code](Protocol::CODE). A store keeps the runs of each kind apart.
///
/// The code alone would not do: all suites of FROST share the code of their key generation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind([u8; 32]);

impl Kind {
    /// The kind of a protocol.
    #[must_use]
    pub fn of<P: Protocol>() -> Self {
        let mut transcript = Transcript::new("runner kind");
        transcript.append("name", P::NAME.as_bytes());
        transcript.append("family", P::FAMILY.as_bytes());
        transcript.append_u64("code", P::CODE.into());
        Self(transcript.finish32())
    }

    /// The kind that a store has as these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes for a store.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kind(")?;
        self.0.iter().take(4).try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str("…)")
    }
}
