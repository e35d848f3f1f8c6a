//! Many presignatures of one signer.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use quorate_session::{Parties, PartyId, SealError, SealKey, wire::Reader};
use zeroize::Zeroizing;

use super::id::PresignatureId;
use super::list::List;
use super::presignature::{Presignature, PresignatureInfo};
use crate::wire::{self, Kind, read_party, truncated};
use crate::{
    Claim, ClaimError, DecodeError, DerivationPath, EcdsaCurve, InsertError, IntersectError,
    KeyInfo, KeyShare, MessageDigest,
};

const SEAL: &str = "quorate-cggmp presignatures";

/// The presignatures of one signer that are left, by name.
///
/// The parties may hold different ones: a run that one party finished another may have aborted.
/// [`Self::intersect`] says which ones all signers hold.
///
/// An inventory can be sealed and stored, and a stored one can be restored twice. So each
/// presignature is spent through a [`Claim`], whose record the caller stores first.
pub struct Presignatures<C: EcdsaCurve> {
    party: PartyId,
    held: BTreeMap<PresignatureId, Presignature<C>>,
}

impl<C: EcdsaCurve> Presignatures<C> {
    /// None yet, of this party.
    #[must_use]
    pub const fn new(party: PartyId) -> Self {
        Self { party, held: BTreeMap::new() }
    }

    /// The signer whose presignatures these are.
    #[must_use]
    pub const fn party(&self) -> PartyId {
        self.party
    }

    /// Adds a presignature. One that is here already stays as it is.
    ///
    /// # Errors
    /// [`InsertError`] if it is another party's, or there is another one of its name; nothing has
    /// changed.
    pub fn insert(&mut self, presignature: Presignature<C>) -> Result<(), InsertError> {
        if presignature.party() != self.party {
            return Err(InsertError::OtherParty(presignature.party()));
        }
        match self.held.get(&presignature.id()) {
            Some(held) if held.info().digest() != presignature.info().digest() => {
                Err(InsertError::SecondOfItsName)
            }
            Some(_) => Ok(()),
            None => {
                self.held.insert(presignature.id(), presignature);
                Ok(())
            }
        }
    }

    /// The number of those that are left.
    #[must_use]
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether none is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// The names of those that are left, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = PresignatureId> + '_ {
        self.held.keys().copied()
    }

    /// The public side of one.
    #[must_use]
    pub fn info(&self, id: &PresignatureId) -> Option<&PresignatureInfo<C>> {
        Some(self.held.get(id)?.info())
    }

    /// The list for the other `signers`: the names and digests of those that are left and
    /// take exactly these signers. Not secret.
    #[must_use]
    pub fn list(&self, signers: &Parties) -> Vec<u8> {
        self.list_for(signers).to_bytes::<C>()
    }

    fn list_for(&self, signers: &Parties) -> List {
        let infos = self.held.values().map(Presignature::info);
        let entries = infos.filter(|info| info.signers() == signers);
        let entries = entries.map(|info| (info.id(), *info.digest())).collect();
        List { party: self.party, signers: signers.clone(), entries }
    }

    /// The names of those that all `signers` hold, in ascending order, from the
    /// [lists](Self::list) that the others sent, each with its sender, who the **authenticated**
    /// transport says has sent it. A list of every other signer is needed.
    ///
    /// A signer who tells others different things makes their results differ, which is seen as
    /// [`PartialMismatch`](crate::PartialMismatch) when shares are put together, and proves nothing
    /// about them. A proposal of what to sign names the presignature with it.
    ///
    /// # Errors
    /// [`IntersectError`].
    pub fn intersect<B: AsRef<[u8]>>(
        &self,
        signers: &Parties,
        others: impl IntoIterator<Item = (PartyId, B)>,
    ) -> Result<Vec<PresignatureId>, IntersectError> {
        self.list_for(signers).intersect::<C, B>(others)
    }

    /// Takes a presignature out of the inventory to sign a message with the key at `path`.
    ///
    /// # Errors
    /// [`ClaimError::Unknown`] if it is not here; those of [`Presignature::claim`] otherwise, and
    /// then it stays.
    pub fn claim(
        &mut self,
        id: &PresignatureId,
        key: &KeyShare<C>,
        path: &DerivationPath,
        message: impl Into<MessageDigest>,
    ) -> Result<Claim<C>, ClaimError> {
        let held = self.held.get(id).ok_or(ClaimError::Unknown)?;
        let rerandomized = held.rerandomize(key, path, message.into())?;
        let presignature = self.held.remove(id).ok_or(ClaimError::Unknown)?;
        Ok(Claim::new(presignature, rerandomized))
    }

    /// Drops all that were made with other shares than those of `key`, as after a refresh, and says
    /// how many they were.
    pub fn keep_only(&mut self, key: &KeyInfo<C>) -> usize {
        let before = self.held.len();
        self.held.retain(|_, presignature| presignature.info().is_of(key).is_ok());
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

    /// party ‖ for each its length in four bytes and its stored form.
    fn encode(&self) -> Zeroizing<Vec<u8>> {
        let forms: Vec<_> = self.held.values().map(Presignature::to_bytes).collect();
        let body = forms.iter().map(|form| form.len().saturating_add(4)).sum::<usize>();
        let mut bytes = wire::start::<C>(Kind::Presignatures, body.saturating_add(2));
        bytes.extend_from_slice(&self.party.get().to_be_bytes());
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
        let party = read_party(&mut reader)?;
        let mut held: BTreeMap<_, Presignature<C>> = BTreeMap::new();
        while reader.remaining() > 0 {
            let length = reader.u32().map_err(truncated)?;
            let length = usize::try_from(length).map_err(truncated)?;
            let presignature = Presignature::from_bytes(reader.bytes(length).map_err(truncated)?)?;
            if presignature.party() != party {
                return Err(DecodeError::Inconsistent("a presignature of another party"));
            }
            // In ascending order, as they are written: one encoding for each inventory.
            if held.last_key_value().is_some_and(|(last, _)| *last >= presignature.id()) {
                return Err(DecodeError::BadOrder);
            }
            held.insert(presignature.id(), presignature);
        }
        Ok(Self { party, held })
    }
}

impl<C: EcdsaCurve> fmt::Debug for Presignatures<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Presignatures")
            .field("party", &self.party)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
