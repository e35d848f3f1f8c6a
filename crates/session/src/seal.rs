//! Sealed bytes, sealed sessions, and the slot of a sealed session.

use alloc::{boxed::Box, vec::Vec};
use core::{cmp::Ordering, fmt};

use zeroize::Zeroizing;

use crate::container::{ContainerError, Kind, Label, NO_CURVE, SEALED, family_code};
use crate::wire::joined;
use crate::{PartyId, SealError, SealKey};

const SESSION: Kind = Kind { code: 98 | SEALED, name: "a sealed session", version: 1 };
const SEALED_BYTES: Kind = Kind { code: 99 | SEALED, name: "sealed bytes", version: 1 };
/// Of what a caller has sealed.
const BYTES: Label =
    Label { kind: SEALED_BYTES, curve: NO_CURVE, family: "quorate-session", family_code: 0 };

/// Of a sealed session of the protocol with this code.
const fn label(code: u8) -> Label {
    Label { kind: SESSION, curve: NO_CURVE, family: "quorate-session", family_code: code }
}

impl SealKey {
    /// Encrypts and authenticates bytes for one purpose: a [sealed container](Label::seal), 84 bytes longer.
    ///
    /// Equal contents give equal results, for one purpose and under one key.
    #[must_use]
    pub fn seal_bytes(&self, domain: &'static str, plaintext: &[u8]) -> Vec<u8> {
        BYTES.seal_behind(self, domain.as_bytes(), &[], plaintext)
    }

    /// Undoes [`seal_bytes`](Self::seal_bytes).
    ///
    /// # Errors
    /// [`SealError`] for another key, another domain, or altered bytes.
    pub fn open_bytes(
        &self,
        domain: &'static str,
        sealed: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let (_, plaintext) = BYTES.unseal_behind(self, domain.as_bytes(), 0, sealed)?;
        Ok(plaintext)
    }
}

/// The slot of a sealed session in a store: the run, the party, and the number of events so far.
///
/// Of two slots of one run and party the longer is the later (`partial_cmp`); slots of different
/// runs are not comparable. A store that writes a sealed session only if its slot is greater than
/// the one present (compare and swap), and reads back only the greatest, keeps a run from being
/// continued twice from the same point.
///
/// The greatest of all is the [tombstone](crate::Session::tombstone)'s. It is written when the run
/// has ended, well or badly, and kept for ever. Then the store refuses an old seal of the run, and also a
/// second start of the same session, whose slot is the least.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot {
    session: [u8; 32],
    party: PartyId,
    length: u32,
}

impl Slot {
    /// The length of the [tombstone](crate::Session::tombstone) of a run.
    pub(crate) const LAST: u32 = u32::MAX;

    pub(crate) const fn new(session: [u8; 32], party: PartyId, length: u32) -> Self {
        Self { session, party, length }
    }

    /// The [context](crate::Run::context) of the run.
    #[must_use]
    pub const fn session(&self) -> [u8; 32] {
        self.session
    }

    /// The party whose session it is.
    #[must_use]
    pub const fn party_id(&self) -> PartyId {
        self.party
    }

    /// The number of events so far: frames received and rounds completed.
    #[must_use]
    pub const fn length(&self) -> u32 {
        self.length
    }

    fn to_bytes(self) -> [u8; SLOT] {
        joined(&[&self.session, &self.party.get().to_be_bytes(), &self.length.to_be_bytes()])
    }
}

impl PartialOrd for Slot {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let same = self.session == other.session && self.party == other.party;
        same.then(|| self.length.cmp(&other.length))
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Slot(")?;
        self.session.iter().take(8).try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, "…, {}, {})", self.party, self.length)
    }
}

/// A sealed session: its slot in clear, everything else encrypted, all of it authenticated.
///
/// A [container](crate::container) with the [code](crate::Protocol::CODE) of the protocol for the family's, and a body
/// of context (32) ‖ party (2) ‖ length (4) ‖ nonce (24) ‖ ciphertext ‖ tag (16).
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed {
    bytes: Vec<u8>,
    /// Apart, so that an error with a tombstone in it is small.
    slot: Box<Slot>,
}

/// Context, party, length.
const SLOT: usize = 32 + 2 + 4;

impl Sealed {
    /// Reads stored bytes. Only opening them shows whether they are authentic.
    ///
    /// # Errors
    /// [`SealError::Container`], or [`SealError::Malformed`] for a slot that none of this crate has.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SealError> {
        let (_, mut reader) = label(family_code(bytes)?).open(bytes)?;
        let session = reader.array()?;
        let party = PartyId::new(reader.u16()?).ok_or(SealError::Malformed)?;
        let length = reader.u32()?;
        Ok(Self { bytes: bytes.to_vec(), slot: Box::new(Slot { session, party, length }) })
    }

    /// The bytes to store.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The slot to store them under.
    #[must_use]
    pub fn slot(&self) -> Slot {
        *self.slot
    }

    /// The tombstone of a run by the [code](crate::Protocol::CODE) of its protocol, its [context](crate::Run::context) and
    /// the party: see [`Session::tombstone`](crate::Session::tombstone). Its body is the slot alone.
    #[must_use]
    pub fn tombstone(code: u8, session: [u8; 32], party: PartyId) -> Self {
        let slot = Slot { session, party, length: Slot::LAST };
        let label = label(code);
        let mut bytes = label.start(SLOT);
        bytes.extend_from_slice(&slot.to_bytes());
        Self { bytes: label.end_public(bytes), slot: Box::new(slot) }
    }

    /// Returns whether this stands for a run that has ended; it does not open.
    #[must_use]
    pub fn is_tombstone(&self) -> bool {
        self.slot.length == Slot::LAST
    }

    /// Seals the same session under another key, for a store whose key is replaced. A tombstone, which is under no key,
    /// stays as it is.
    ///
    /// # Errors
    /// [`SealError`] if it does not open under `from`.
    pub fn reseal(&self, from: &SealKey, to: &SealKey) -> Result<Self, SealError> {
        if self.is_tombstone() {
            return Ok(self.clone());
        }
        let label = label(family_code(&self.bytes)?);
        let (_, content) = label.unseal_behind(from, &[], SLOT, &self.bytes)?;
        let bytes = label.seal_behind(to, &[], &self.slot.to_bytes(), &content);
        Ok(Self { bytes, slot: self.slot.clone() })
    }

    pub(crate) fn seal(key: &SealKey, code: u8, slot: Slot, content: &[u8]) -> Self {
        let bytes = label(code).seal_behind(key, &[], &slot.to_bytes(), content);
        Self { bytes, slot: Box::new(slot) }
    }

    /// The content, if a session of the protocol with this name and code was sealed.
    pub(crate) fn unseal(
        &self,
        key: &SealKey,
        (name, code): (&'static str, u8),
    ) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let got = family_code(&self.bytes)?;
        if got != code {
            return Err(ContainerError::WrongFamily { expected: name, got }.into());
        }
        // Bytes that were made here, or whose digest `from_bytes` has compared.
        label(code).unseal_intact(key, SLOT, &self.bytes)
    }
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealed").field("slot", &self.slot).finish_non_exhaustive()
    }
}
