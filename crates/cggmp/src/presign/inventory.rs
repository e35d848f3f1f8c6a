//! Many presignatures of one signer.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use quorate_session::{SealError, SealKey, wire::Reader};
use zeroize::Zeroizing;

use super::{Presignature, PresignatureId, PresignatureInfo};
use crate::wire::{self, Kind, truncated};
use crate::{Claim, ClaimError, DecodeError, EcdsaCurve, KeyInfo, MessageDigest};

const SEAL: &str = "quorate-cggmp presignatures";

/// The presignatures of one signer that are left, by name.
///
/// The parties may hold different ones: a run that one party finished another may have aborted.
/// [`Self::intersect`] says which ones all of them hold.
///
/// An inventory can be sealed and stored, and a stored one can be restored twice. So each
/// presignature is spent through a [`Claim`], whose record the caller stores first.
pub struct Presignatures<C: EcdsaCurve> {
    held: BTreeMap<PresignatureId, Presignature<C>>,
}

impl<C: EcdsaCurve> Default for Presignatures<C> {
    fn default() -> Self {
        Self { held: BTreeMap::new() }
    }
}

impl<C: EcdsaCurve> Presignatures<C> {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a presignature. One of the same name, which is the same, stays as it is.
    pub fn insert(&mut self, presignature: Presignature<C>) {
        self.held.entry(presignature.id()).or_insert(presignature);
    }

    /// How many are left.
    #[must_use]
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether none is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// The names of those that are left, in ascending order: what a signer tells the others.
    pub fn ids(&self) -> impl Iterator<Item = PresignatureId> + '_ {
        self.held.keys().copied()
    }

    /// What is public of one.
    #[must_use]
    pub fn info(&self, id: &PresignatureId) -> Option<&PresignatureInfo<C>> {
        Some(self.held.get(id)?.info())
    }

    /// The names that this signer and all others hold, in ascending order, from the lists that the
    /// others sent. Who takes the first of them takes the same as the others.
    pub fn intersect<'a>(
        &self,
        others: impl IntoIterator<Item = &'a [PresignatureId]>,
    ) -> Vec<PresignatureId> {
        let mut common: Vec<_> = self.ids().collect();
        for theirs in others {
            common.retain(|id| theirs.contains(id));
        }
        common
    }

    /// Takes a presignature out of the inventory to sign a message.
    ///
    /// # Errors
    /// [`ClaimError::Unknown`] if it is not here; those of [`Presignature::claim`] otherwise, and
    /// then it stays.
    pub fn claim(
        &mut self,
        id: &PresignatureId,
        key: &KeyInfo<C>,
        message: impl Into<MessageDigest>,
    ) -> Result<Claim<C>, ClaimError> {
        self.held.get(id).ok_or(ClaimError::Unknown)?.info().fits(key)?;
        self.held.remove(id).ok_or(ClaimError::Unknown)?.claim(key, message)
    }

    /// Drops all that were made with other shares than those of `key`, as after a refresh, and says
    /// how many they were.
    pub fn keep_only(&mut self, key: &KeyInfo<C>) -> usize {
        let before = self.held.len();
        self.held.retain(|_, presignature| presignature.info().is_of(key));
        before.saturating_sub(self.held.len())
    }

    /// The inventory, encrypted under the caller's key.
    #[must_use]
    pub fn seal(&self, key: &SealKey) -> Vec<u8> {
        key.seal_bytes(SEAL, &self.encode())
    }

    /// Opens a sealed inventory.
    ///
    /// # Errors
    /// [`SealError`] if the key is wrong or the bytes were altered, or what they hold are no
    /// presignatures over this curve.
    pub fn open(sealed: &[u8], key: &SealKey) -> Result<Self, SealError> {
        let bytes = key.open_bytes(SEAL, sealed)?;
        Self::decode(&bytes).map_err(|_| SealError::Malformed)
    }

    /// For each its length in four bytes and its stored form.
    fn encode(&self) -> Zeroizing<Vec<u8>> {
        let forms: Vec<_> = self.held.values().map(Presignature::to_bytes).collect();
        let body = forms.iter().map(|form| form.len().saturating_add(4)).sum();
        let mut bytes = wire::start::<C>(Kind::Presignatures, body);
        for form in &forms {
            // A few kilobytes each.
            let length = u32::try_from(form.len()).unwrap_or(u32::MAX);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(form);
        }
        wire::end(&mut bytes);
        bytes
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader: Reader<'_> = wire::open::<C>(bytes, Kind::Presignatures)?;
        let mut held: BTreeMap<_, Presignature<C>> = BTreeMap::new();
        while reader.remaining() > 0 {
            let length = reader.u32().map_err(truncated)?;
            let length = usize::try_from(length).map_err(truncated)?;
            let presignature = Presignature::from_bytes(reader.bytes(length).map_err(truncated)?)?;
            // In ascending order, as they are written: one encoding for each inventory.
            if held.last_key_value().is_some_and(|(last, _)| *last >= presignature.id()) {
                return Err(DecodeError::BadOrder);
            }
            held.insert(presignature.id(), presignature);
        }
        Ok(Self { held })
    }
}

impl<C: EcdsaCurve> fmt::Debug for Presignatures<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Presignatures").field("len", &self.len()).finish_non_exhaustive()
    }
}
