//! Public keys, and the ids that envelopes name them by.

use core::fmt;

use curve25519_dalek::MontgomeryPoint;
use ed25519_dalek::{Signature, VerifyingKey};
use quorate_session::Transcript;
use quorate_session::wire::joined;

use crate::malformed::Malformed;

/// The public keys of a member or an administrator: one verifies its signatures (Ed25519), messages are sealed to the other (X25519).
///
/// Both are points of prime order in their one encoding. A key of small order, for which anybody could sign or open, is
/// not a `PublicIdentity`.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicIdentity {
    verifying: VerifyingKey,
    sealing: [u8; 32],
}

const LENGTH: Malformed = Malformed("64 bytes, an Ed25519 key and an X25519 key");

/// The id of a [`PublicIdentity`]: 16 bytes of a digest of both keys.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyId([u8; 16]);

impl PublicIdentity {
    /// The length of its bytes.
    pub const LENGTH: usize = 64;

    /// Reads the Ed25519 key (32) ‖ the X25519 key (32).
    ///
    /// # Errors
    /// [`Malformed`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let (verifying, rest) = bytes.split_first_chunk().ok_or(LENGTH)?;
        let sealing: &[u8; 32] = rest.try_into().map_err(|_| LENGTH)?;
        let verifying = verifying_key(verifying)
            .ok_or(Malformed("an Ed25519 key of prime order in its canonical encoding"))?;
        if !is_sealing_key(sealing) {
            return Err(Malformed("an X25519 key of prime order in its canonical encoding"));
        }
        Ok(Self { verifying, sealing: *sealing })
    }

    /// The public side of keys that were made here.
    pub(crate) const fn of_own(verifying: VerifyingKey, sealing: [u8; 32]) -> Self {
        Self { verifying, sealing }
    }

    /// The bytes that [`from_bytes`](Self::from_bytes) reads.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LENGTH] {
        joined(&[self.verifying.as_bytes(), &self.sealing])
    }

    /// The id that envelopes name these keys by.
    #[must_use]
    pub fn id(&self) -> KeyId {
        let mut transcript = Transcript::new("envelope key");
        transcript.append("ed25519", self.verifying.as_bytes());
        transcript.append("x25519", &self.sealing);
        KeyId(transcript.finish32().first_chunk().copied().unwrap_or_default())
    }

    /// Returns whether this is the signature of a transcript, strictly.
    pub(crate) fn verifies(&self, signed: Transcript, signature: &[u8; 64]) -> bool {
        let signature = Signature::from_bytes(signature);
        self.verifying.verify_strict(&signed.finish(), &signature).is_ok()
    }

    pub(crate) const fn sealing(&self) -> &[u8; 32] {
        &self.sealing
    }

    /// Each of the two keys.
    pub(crate) fn each(&self) -> [[u8; 32]; 2] {
        [self.verifying.to_bytes(), self.sealing]
    }
}

/// An Ed25519 key of prime order in its canonical encoding.
fn verifying_key(bytes: &[u8; 32]) -> Option<VerifyingKey> {
    let key = VerifyingKey::from_bytes(bytes).ok()?;
    let point = key.to_edwards();
    let canonical = point.compress().as_bytes() == bytes;
    (canonical && point.is_torsion_free() && !key.is_weak()).then_some(key)
}

/// Returns whether this is an X25519 key of prime order, on the curve and not its twist, in its canonical encoding.
fn is_sealing_key(bytes: &[u8; 32]) -> bool {
    let point = MontgomeryPoint(*bytes).to_edwards(0);
    // The points of u = 0 and of u = -1 are of small order, or on the twist.
    point.is_some_and(|point| point.is_torsion_free() && point.to_montgomery().0 == *bytes)
}

impl KeyId {
    /// The length of its bytes.
    pub(crate) const LENGTH: usize = 16;

    pub(crate) const fn new(bytes: [u8; Self::LENGTH]) -> Self {
        Self(bytes)
    }

    /// The 16 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Debug for PublicIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicIdentity({})", self.id())
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// As it is displayed.
impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
