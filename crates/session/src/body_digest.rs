//! The digest of a message's body, which echoes, the state of a run and the commitment of ML-DSA signing hash in its place.

use crate::Transcript;

/// A digest of the body of a message.
///
/// A body is hashed once. Echoes, commitments and the state of a run hash this digest in its place, and bind context,
/// round, sender and purpose themselves. The digest alone says what the bytes are, and nothing about where they were
/// sent. It has all 64 bytes of SHA-512, so whatever hashes it is as hard to collide as a hash of the body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BodyDigest([u8; 64]);

impl BodyDigest {
    /// The digest of this body.
    #[must_use]
    pub fn of(body: &[u8]) -> Self {
        let mut transcript = Transcript::new("body");
        transcript.append("bytes", body);
        Self(transcript.finish())
    }
}

impl AsRef<[u8]> for BodyDigest {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
