//! Many presignatures of one signer.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use quorate_keys::PackageId;
use quorate_session::stock::{Counters, WaterMarks};
use quorate_session::{Continuity, Parties, PartyId, SealError, SealKey, wire::Reader};
use zeroize::Zeroizing;

use super::id::PresignatureId;
use super::list::{HeldByAll, List, Run};
use super::past::{Known, Past};
use super::presignature::{Presignature, PresignatureInfo};
use crate::sign::rerandomized::Rerandomized;
use crate::wire::{PRESIGNATURES, curve_label, read_party};
use crate::{
    Claim, ClaimError, DecodeError, DerivationPath, EcdsaCurve, HardenedChild, InsertError,
    IntersectError, KeyShare, MessageDigest, PublicKeyPackage, RawDigest,
};

/// The presignatures of one signer that are left, by name.
///
/// The parties may hold different ones: one party may have finished a run that another has aborted.
/// [`Self::intersect`] says which ones all signers hold, and [`Self::to_make`] when it is time for more.
///
/// An inventory can be sealed and stored, and a stored one can be restored twice. So each
/// presignature is spent through a [`Claim`], whose record the caller stores first.
///
/// The inventory remembers which presignatures it had, until [`Self::keep_only`] forgets those of another epoch. So a run
/// that ends a second time cannot add a presignature that was used.
pub struct Presignatures<C: EcdsaCurve> {
    party: PartyId,
    held: BTreeMap<PresignatureId, Presignature<C>>,
    /// The number of presignatures of each package and set of signers. Never zero.
    left: BTreeMap<(PackageId, Vec<PartyId>), usize>,
    past: Past,
    counters: Counters,
    dropped: usize,
}

impl<C: EcdsaCurve> Presignatures<C> {
    /// An empty inventory of this party.
    #[must_use]
    pub const fn new(party: PartyId) -> Self {
        let counters = Counters { made: 0, claimed: 0, expired: 0, refused: 0 };
        Self {
            party,
            held: BTreeMap::new(),
            left: BTreeMap::new(),
            past: Past::new(),
            counters,
            dropped: 0,
        }
    }

    /// The signer whose presignatures these are.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.party
    }

    /// Adds a presignature. One that is here already stays as it is, and one that was used or dropped is not added again.
    ///
    /// # Errors
    /// [`InsertError`] if it is another party's, there is another one of its name, or there is or was one of its run from
    /// another result of the run; nothing has changed.
    pub fn insert(&mut self, presignature: Presignature<C>) -> Result<(), InsertError> {
        if presignature.party_id() != self.party {
            return Err(InsertError::OtherParty(presignature.party_id()));
        }
        match self.past.of(&presignature) {
            Known::OtherResults => return Err(InsertError::SecondOfItsName),
            Known::Gone => return Ok(()),
            Known::No => {}
        }
        let id = presignature.id();
        let first = PresignatureId::new(*id.run(), 0);
        // The first presignature of this run that is here: the digest of its run's results is that of all of them.
        let same_run = self.held.range(first..).next().filter(|(other, _)| other.run() == id.run());
        if same_run.is_some_and(|(_, other)| other.results() != presignature.results()) {
            return Err(InsertError::SecondOfItsName);
        }
        match self.held.get(&id) {
            Some(held) if held.info().digest() != presignature.info().digest() => {
                Err(InsertError::SecondOfItsName)
            }
            Some(_) => Ok(()),
            None => {
                Counters::add(&mut self.counters.made, 1);
                self.hold(presignature);
                Ok(())
            }
        }
    }

    fn hold(&mut self, presignature: Presignature<C>) {
        let left = self.left.entry(stock_of(presignature.info())).or_default();
        *left = left.saturating_add(1);
        self.held.insert(presignature.id(), presignature);
    }

    fn take(&mut self, id: &PresignatureId) -> Option<Presignature<C>> {
        let presignature = self.held.remove(id)?;
        self.past.add(&presignature);
        let stock = stock_of(presignature.info());
        if let Some(left) = self.left.get_mut(&stock) {
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.left.remove(&stock);
            }
        }
        Some(presignature)
    }

    /// The number of those that are left.
    #[must_use]
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Returns whether none is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// The number of those that are left for this key, in this epoch, and exactly these signers.
    #[must_use]
    pub fn left(&self, key: &PublicKeyPackage<C>, signers: &Parties) -> usize {
        let stock = (key.package_id(), signers.as_slice().to_vec());
        self.left.get(&stock).copied().unwrap_or_default()
    }

    /// The number of presignatures to make for this key and these signers, so that their stock is at the high mark
    /// again: none until it has fallen below the low one.
    #[must_use]
    pub fn to_make(
        &self,
        marks: WaterMarks,
        key: &PublicKeyPackage<C>,
        signers: &Parties,
    ) -> usize {
        marks.to_make(self.left(key, signers))
    }

    /// Counts of the presignatures that were ever added, by their fate. Stored with the inventory.
    #[must_use]
    pub const fn counters(&self) -> Counters {
        self.counters
    }

    /// The names of those that are left, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = PresignatureId> + '_ {
        self.held.keys().copied()
    }

    /// The public sides of those that are left, in the order of their names.
    pub fn infos(&self) -> impl Iterator<Item = &PresignatureInfo<C>> + '_ {
        self.held.values().map(Presignature::info)
    }

    /// The public side of one.
    #[must_use]
    pub fn info(&self, id: &PresignatureId) -> Option<&PresignatureInfo<C>> {
        Some(self.held.get(id)?.info())
    }

    /// The list for the other `signers`: the runs and indices of those that are left and take exactly these signers, as
    /// ranges, of which there are 65 536 at most. Not secret.
    #[must_use]
    pub fn list(&self, signers: &Parties) -> Vec<u8> {
        self.list_for(signers).to_bytes::<C>()
    }

    fn list_for(&self, signers: &Parties) -> List {
        let mut runs: Vec<Run> = Vec::new();
        for one in self.held.values().filter(|one| one.info().signers() == signers) {
            let (id, results) = (one.id(), *one.results());
            match runs.last_mut() {
                Some(last) if last.run == *id.run() => last.left.push(id.index()),
                _ => {
                    let left = [id.index()].into_iter().collect();
                    runs.push(Run { run: *id.run(), results, left });
                }
            }
        }
        List { party: self.party, signers: signers.clone(), runs }
    }

    /// The names of the presignatures that all `signers` hold, in ascending order, from the
    /// [lists](Self::list) that the others sent. Each list comes with its sender, as the **authenticated**
    /// transport names it. A list of every other signer is needed.
    ///
    /// The number of steps is the number of ranges in all lists. Runs that this party does not know, or
    /// with other results, are ignored: they prove nothing about any party.
    ///
    /// A signer that sends others different lists makes their results differ. This is seen as
    /// [`ShareMismatch`](crate::ShareMismatch) when shares are aggregated, and proves nothing
    /// about them. A proposal of a message to sign also names the presignature.
    ///
    /// # Errors
    /// [`IntersectError`], which names the senders of lists that are wrong.
    pub fn intersect<B: AsRef<[u8]>>(
        &self,
        signers: &Parties,
        others: impl IntoIterator<Item = (PartyId, B)>,
    ) -> Result<HeldByAll, IntersectError> {
        self.list_for(signers).intersect::<C, B>(others)
    }

    /// Takes a presignature out of the inventory to sign a message with the key at `path`.
    ///
    /// # Errors
    /// [`ClaimError::Unknown`] if it is not here; otherwise the errors of [`Presignature::claim`], and
    /// then it stays. Either is counted as refused.
    pub fn claim(
        &mut self,
        id: &PresignatureId,
        key: &KeyShare<C>,
        path: &DerivationPath,
        digest: MessageDigest,
    ) -> Result<Claim<C>, ClaimError> {
        self.claim_raw_digest(id, key, path, digest.into())
    }

    /// Takes a presignature out of the inventory to sign a digest that was made elsewhere, with the key at `path`.
    ///
    /// # Errors
    /// Those of [`Self::claim`], with those of [`Presignature::claim_raw_digest`].
    pub fn claim_raw_digest(
        &mut self,
        id: &PresignatureId,
        key: &KeyShare<C>,
        path: &DerivationPath,
        digest: RawDigest,
    ) -> Result<Claim<C>, ClaimError> {
        self.counted(id, |held| held.rerandomize(key, path, digest))
    }

    /// Takes a presignature out of the inventory to sign a message with a hardened child.
    ///
    /// # Errors
    /// Those of [`Self::claim`], with those of [`Presignature::claim_hardened`].
    pub fn claim_hardened(
        &mut self,
        id: &PresignatureId,
        key: &KeyShare<C>,
        child: &HardenedChild<C>,
        digest: MessageDigest,
    ) -> Result<Claim<C>, ClaimError> {
        self.counted(id, |held| held.rerandomize_hardened(key, child, digest.into()))
    }

    fn counted(
        &mut self,
        id: &PresignatureId,
        rerandomize: impl FnOnce(&Presignature<C>) -> Result<Rerandomized<C>, ClaimError>,
    ) -> Result<Claim<C>, ClaimError> {
        let claim = self.claimed(id, rerandomize);
        let Counters { claimed, refused, .. } = &mut self.counters;
        Counters::add(if claim.is_ok() { claimed } else { refused }, 1);
        claim
    }

    fn claimed(
        &mut self,
        id: &PresignatureId,
        rerandomize: impl FnOnce(&Presignature<C>) -> Result<Rerandomized<C>, ClaimError>,
    ) -> Result<Claim<C>, ClaimError> {
        let held = self.held.get(id).ok_or(ClaimError::Unknown)?;
        let rerandomized = rerandomize(held)?;
        let presignature = self.take(id).ok_or(ClaimError::Unknown)?;
        Ok(Claim::new(presignature, rerandomized))
    }

    /// Drops all presignatures that were made with other shares than those of `key`, as after a refresh, and
    /// returns their number.
    pub fn keep_only(&mut self, key: &PublicKeyPackage<C>) -> usize {
        let before = self.held.len();
        self.held.retain(|_, presignature| presignature.info().check_belongs_to(key).is_ok());
        self.left.retain(|(package, _), _| *package == key.package_id());
        self.past.keep_only(&key.package_id());
        let dropped = before.saturating_sub(self.held.len());
        Counters::add(&mut self.counters.expired, dropped);
        dropped
    }

    /// Drops the presignatures for which `keeps` returns `false`, and returns their number: those that another signer does not
    /// have any more, say. They count as expired, and cannot be added again.
    pub fn retain(&mut self, mut keeps: impl FnMut(&PresignatureInfo<C>) -> bool) -> usize {
        let drops: Vec<_> =
            self.held.values().filter(|held| !keeps(held.info())).map(Presignature::id).collect();
        let dropped = drops.iter().filter_map(|id| self.take(id)).count();
        Counters::add(&mut self.counters.expired, dropped);
        dropped
    }

    /// The inventory, encrypted under the caller's key.
    #[must_use]
    pub fn seal(&self, key: &SealKey) -> Vec<u8> {
        curve_label::<C>(PRESIGNATURES).seal(key, &self.encode())
    }

    /// Opens a sealed inventory. The [`Continuity`] is the reason why it is known that nothing of it was used meanwhile.
    ///
    /// Unless it [keeps stock](Continuity::keeps_stock), nothing is left to use: its presignatures count as expired, and [`Self::dropped`] gives
    /// their number. The inventory still remembers which presignatures it had.
    ///
    /// # Errors
    /// [`SealError::Container`] if the bytes are no sealed inventory over this curve or were altered,
    /// [`SealError::Unauthentic`] for another key.
    pub fn open(sealed: &[u8], key: &SealKey, continuity: Continuity) -> Result<Self, SealError> {
        let (version, bytes) = curve_label::<C>(PRESIGNATURES).unseal(key, sealed)?;
        let mut all = Self::decode(version, &bytes).map_err(|_| SealError::Malformed)?;
        if !continuity.keeps_stock() {
            all.drop_all();
        }
        Ok(all)
    }

    /// The number of presignatures that [opening](Self::open) has dropped.
    #[must_use]
    pub const fn dropped(&self) -> usize {
        self.dropped
    }

    fn drop_all(&mut self) {
        let held = core::mem::take(&mut self.held);
        held.values().for_each(|presignature| self.past.add(presignature));
        self.left.clear();
        self.dropped = held.len();
        Counters::add(&mut self.counters.expired, held.len());
    }

    /// party ‖ counters ‖ those that are gone ‖ the body of each.
    fn encode(&self) -> Zeroizing<Vec<u8>> {
        let body = self.held.values().map(Presignature::encoded_len).sum::<usize>();
        // Room for everything at once: a buffer that grew would leave secrets behind.
        let head = self.past.encoded_len() + 2 + Counters::LENGTH;
        let mut bytes = Zeroizing::new(Vec::with_capacity(body.saturating_add(head)));
        bytes.extend_from_slice(&self.party.get().to_be_bytes());
        self.counters.put(&mut bytes);
        self.past.put(&mut bytes);
        self.held.values().for_each(|presignature| presignature.encode_into(&mut bytes));
        bytes
    }

    fn decode(version: u8, bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let mut all = Self::new(read_party(&mut reader)?);
        all.counters = Counters::read(&mut reader)?;
        if version > 1 {
            all.past = Past::read(&mut reader)?;
        }
        while reader.remaining() > 0 {
            let presignature = Presignature::read(&mut reader)?;
            let id = presignature.id();
            if presignature.party_id() != all.party {
                return Err(DecodeError::Inconsistent("a presignature of another party"));
            }
            if let Some((last, other)) = all.held.last_key_value() {
                // In ascending order, as they are written: one encoding for each inventory.
                if *last >= id {
                    return Err(DecodeError::BadOrder);
                }
                if last.run() == id.run() && other.results() != presignature.results() {
                    return Err(DecodeError::Inconsistent("one run with two results"));
                }
            }
            match all.past.of(&presignature) {
                Known::OtherResults => {
                    return Err(DecodeError::Inconsistent("one run with two results"));
                }
                Known::Gone => return Err(DecodeError::Inconsistent("one that is here and gone")),
                Known::No => {}
            }
            all.hold(presignature);
        }
        Ok(all)
    }
}

/// The stock that a presignature counts in: its package and its signers.
fn stock_of<C: EcdsaCurve>(info: &PresignatureInfo<C>) -> (PackageId, Vec<PartyId>) {
    (info.package_id(), info.signers().as_slice().to_vec())
}

impl<C: EcdsaCurve> fmt::Debug for Presignatures<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Presignatures")
            .field("party", &self.party)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
