//! Sealing: XChaCha20-Poly1305 with a nonce made from the content, and the slot of a sealed session.

use alloc::vec::Vec;
use core::{cmp::Ordering, fmt};

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::{
    ParamError, PartyId, SealError, Transcript,
    wire::{Reader, SEAL_VERSION as VERSION},
};

const NONCE: usize = 24;
/// Version, protocol, context, party, length.
const HEADER: usize = 1 + 1 + 32 + 2 + 4;
pub(crate) const SESSION: &str = "session";

/// The key under which a party seals the data that it stores. Keep it apart from that data.
pub struct SealKey {
    bytes: Zeroizing<[u8; 32]>,
    cipher: XChaCha20Poly1305,
    nonce: Zeroizing<[u8; 32]>,
}

impl SealKey {
    /// A key from 32 secret, uniformly random bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        let bytes = Zeroizing::new(bytes);
        let derive = |domain| {
            let mut transcript = Transcript::new(domain);
            transcript.append("key", bytes.as_slice());
            Zeroizing::new(transcript.finish32())
        };
        let cipher = XChaCha20Poly1305::new((&*derive("seal: encryption")).into());
        Self { cipher, nonce: derive("seal: nonce"), bytes }
    }

    /// A fresh key; [`Self::to_secret_bytes`] is what to keep of it.
    ///
    /// # Errors
    /// [`ParamError::Randomness`] if the generator gives zeros only.
    pub fn generate(rng: &mut (impl CryptoRng + ?Sized)) -> Result<Self, ParamError> {
        let mut bytes = Zeroizing::new([0; 32]);
        rng.fill_bytes(bytes.as_mut_slice());
        if *bytes == [0; 32] {
            return Err(ParamError::Randomness);
        }
        Ok(Self::new(*bytes))
    }

    /// The 32 bytes that [`Self::new`] takes. Secret: for the place where keys are kept.
    #[must_use]
    pub fn to_secret_bytes(&self) -> Zeroizing<[u8; 32]> {
        self.bytes.clone()
    }

    /// Encrypts and authenticates bytes for one purpose. The result is 41 bytes longer.
    ///
    /// The nonce is a keyed hash of the content: equal contents give equal results, different
    /// ones different nonces, and no random generator is needed.
    #[must_use]
    pub fn seal_bytes(&self, domain: &'static str, plaintext: &[u8]) -> Vec<u8> {
        let mut sealed = Vec::from([VERSION]);
        sealed.extend(self.encrypt(domain, &[VERSION], plaintext));
        sealed
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
        match sealed.split_first() {
            Some((&VERSION, content)) => self.decrypt(domain, &[VERSION], content),
            Some((&other, _)) => Err(SealError::Version(other)),
            None => Err(SealError::Malformed),
        }
    }

    /// Nonce and ciphertext with tag; the header is authenticated only.
    pub(crate) fn encrypt(&self, domain: &'static str, header: &[u8], plaintext: &[u8]) -> Vec<u8> {
        let mut transcript = Transcript::new("seal: synthetic nonce");
        transcript.append("key", self.nonce.as_slice());
        transcript.append("domain", domain.as_bytes());
        transcript.append("header", header);
        transcript.append("plaintext", plaintext);
        let digest = transcript.finish();
        let nonce: [u8; NONCE] = digest.first_chunk().copied().unwrap_or_default();
        let aad = associated(domain, header);
        let payload = Payload { msg: plaintext, aad: &aad };
        let encrypted = self.cipher.encrypt(&XNonce::from(nonce), payload);
        // The cipher refuses only what is longer than 256 GiB; the empty result never opens.
        let mut out = nonce.to_vec();
        out.extend(encrypted.unwrap_or_default());
        out
    }

    pub(crate) fn decrypt(
        &self,
        domain: &'static str,
        header: &[u8],
        content: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let (nonce, msg) = content.split_first_chunk::<NONCE>().ok_or(SealError::Malformed)?;
        let aad = associated(domain, header);
        let plaintext = self.cipher.decrypt(&XNonce::from(*nonce), Payload { msg, aad: &aad });
        plaintext.map(Zeroizing::new).map_err(|_| SealError::Unauthentic)
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealKey(..)")
    }
}

/// Domain and header as one string of fixed length.
fn associated(domain: &'static str, header: &[u8]) -> [u8; 32] {
    let mut transcript = Transcript::new("seal: associated data");
    transcript.append("domain", domain.as_bytes());
    transcript.append("header", header);
    transcript.finish32()
}

/// The slot of a sealed session in a store: the run, the party, and the number of events so far.
///
/// Of two slots of one run and party the longer is the later (`partial_cmp`); slots of different
/// runs are not comparable. A store that writes a sealed session only if its slot is greater than
/// the one present (compare and swap), and reads back only the greatest, keeps a run from being
/// continued twice from the same point.
///
/// The greatest of all is the [tombstone](crate::Session::tombstone)'s. It is written when the run
/// has ended, well or badly, and kept for ever: then neither an old seal of the run, nor a start of
/// the same session once more (its slot is the least), finds a place in the store.
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
    pub const fn party(&self) -> PartyId {
        self.party
    }

    /// The number of events so far: frames received and rounds completed.
    #[must_use]
    pub const fn length(&self) -> u32 {
        self.length
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
/// Bytes: version (1), protocol (1), context (32), party (2), length (4), nonce (24), ciphertext.
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed {
    bytes: Vec<u8>,
    slot: Slot,
}

impl Sealed {
    /// Reads stored bytes. Only opening them shows whether they are authentic.
    ///
    /// # Errors
    /// [`SealError::Malformed`] or [`SealError::Version`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SealError> {
        let mut reader = Reader::new(bytes);
        let version = reader.u8()?;
        if version != VERSION {
            return Err(SealError::Version(version));
        }
        let _code = reader.u8()?;
        let session = reader.array()?;
        let party = PartyId::new(reader.u16()?).ok_or(SealError::Malformed)?;
        let length = reader.u32()?;
        Ok(Self { bytes: bytes.to_vec(), slot: Slot { session, party, length } })
    }

    /// The bytes to store.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The slot to store them under.
    #[must_use]
    pub const fn slot(&self) -> Slot {
        self.slot
    }

    /// See [`Session::tombstone`](crate::Session::tombstone). Bytes: the header alone.
    pub(crate) fn tombstone(code: u8, session: [u8; 32], party: PartyId) -> Self {
        let slot = Slot { session, party, length: Slot::LAST };
        Self { bytes: header(code, &slot).to_vec(), slot }
    }

    /// Whether this stands for a run that has ended; it does not open.
    #[must_use]
    pub const fn is_tombstone(&self) -> bool {
        self.slot.length == Slot::LAST
    }

    pub(crate) fn join(header: [u8; HEADER], content: &[u8], slot: Slot) -> Self {
        let mut bytes = header.to_vec();
        bytes.extend_from_slice(content);
        Self { bytes, slot }
    }

    pub(crate) fn parts(&self) -> (&[u8], &[u8]) {
        self.bytes.split_at_checked(HEADER).unwrap_or_default()
    }
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealed").field("slot", &self.slot).finish_non_exhaustive()
    }
}

/// The part of a sealed session that stays in clear.
pub(crate) fn header(code: u8, slot: &Slot) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    let fields = [VERSION, code]
        .into_iter()
        .chain(slot.session)
        .chain(slot.party.get().to_be_bytes())
        .chain(slot.length.to_be_bytes());
    header.iter_mut().zip(fields).for_each(|(to, from)| *to = from);
    header
}
