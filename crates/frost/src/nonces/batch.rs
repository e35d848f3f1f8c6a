//! Nonces made ahead of time, each spent once.

use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_keys::{Family, PackageId};
use quorate_session::stock::{Counters, Ranges, WaterMarks};
use quorate_session::wire::{Reader, index};
use quorate_session::{Continuity, PartyId, SealError, SealKey};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::claim::Claim;
use super::pair::{Commitments, NonceId, Nonces};
use super::published::PublishedNonces;
use crate::error::{ClaimError, DecodeError, SignError};
use crate::family::Frost;
use crate::key::{KeyShare, PublicKeyPackage};
use crate::package::SigningPackage;
use crate::randomizer::RandomizerSeed;
use crate::suite::{Ciphersuite, point_len, scalar_len};
use crate::wire::{NONCE_BATCH, put_id, read_id, read_scalar};

/// Precomputed nonces of one key share, by slot.
///
/// Slots are numbered from 0 in the order in which pairs are made, and no number is used again. Signers that make
/// the same number of pairs at a time have the same slots, and each signs with slot i:
/// [`PublishedNonces::common`] returns the slots that all have left. The nonces in a slot are each signer's own,
/// as FROST requires, so the record contains their [name](NonceId).
///
/// A batch lives in the caller's store, and three orders keep it safe there:
///
/// 1. **Seal, store, publish.** Store [`NonceBatch::seal`] before the coordinator gets [`NonceBatch::publish`].
///    After a crash in between, open the batch and publish again.
/// 2. **A greater [`NonceBatch::generation`] replaces a smaller one**, compared and swapped, and never the reverse.
///    The published list contains its generation, so the coordinator knows which list is the newest.
/// 3. **Record, release, send, store.** Take a pair with [`NonceBatch::claim_for`], record the [`Claim`], sign and
///    send. After that, store the batch without the pair. After a crash anywhere in between, the stored batch gives
///    the same pair for the same package, and so the same share. For another package the record refuses it.
pub struct NonceBatch<S: Ciphersuite> {
    signer: PartyId,
    package: PackageId,
    generation: u64,
    /// The slot of the next pair.
    next: u32,
    nonces: BTreeMap<u32, Nonces<S>>,
    slots: BTreeMap<NonceId, u32>,
    counters: Counters,
    dropped: usize,
}

impl<S: Ciphersuite> NonceBatch<S> {
    fn new(signer: PartyId, package: PackageId) -> Self {
        Self {
            signer,
            package,
            generation: 0,
            next: 0,
            nonces: BTreeMap::new(),
            slots: BTreeMap::new(),
            counters: Counters::default(),
            dropped: 0,
        }
    }

    /// The party whose nonces they are.
    #[must_use]
    pub fn id(&self) -> PartyId {
        self.signer
    }

    /// The name of the public key package whose share made them. After a refresh they are of no
    /// use any more: [`Self::keep_only`].
    #[must_use]
    pub fn package_id(&self) -> PackageId {
        self.package
    }

    /// The number of changes of the batch: one more each time that pairs were added, claimed or
    /// dropped. Batches of one share with equal generations hold the same pairs, unless one was
    /// restored from a backup and changed again.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The number of pairs that are left.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nonces.len()
    }

    /// Returns whether no pair is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nonces.is_empty()
    }

    /// The number of pairs to make, so that the stock is at the high mark again: none until it has fallen below the low
    /// one. [`KeyShare::replenish`] makes them.
    #[must_use]
    pub fn to_make(&self, marks: WaterMarks) -> usize {
        marks.to_make(self.len())
    }

    /// Counts of the pairs that were ever made, by their fate. Stored with the batch.
    #[must_use]
    pub const fn counters(&self) -> Counters {
        self.counters
    }

    /// Each pair in a batch of its own, in slot 0: for a store that has a row for each pair.
    pub fn split(self) -> impl Iterator<Item = Self> {
        let (signer, package) = (self.signer, self.package);
        self.nonces.into_values().map(move |pair| {
            let mut one = Self::new(signer, package);
            one.generation = 1;
            one.add(pair);
            one
        })
    }

    /// The slots that are left.
    #[must_use]
    pub fn slots(&self) -> Ranges {
        self.nonces.keys().copied().collect()
    }

    /// The commitments to all pairs that are left, by ascending slot.
    pub fn commitments(&self) -> impl Iterator<Item = Commitments<S>> + '_ {
        self.nonces.values().map(|pair| pair.commitments)
    }

    /// The names of the pairs that are left, by ascending slot.
    pub fn ids(&self) -> impl Iterator<Item = NonceId> + '_ {
        self.commitments().map(|pair| pair.nonce_id())
    }

    /// Slots and commitments of all pairs that are left, for the coordinator.
    #[must_use]
    pub fn publish(&self) -> PublishedNonces<S> {
        let pairs = self.nonces.iter().map(|(slot, pair)| (*slot, pair.commitments)).collect();
        PublishedNonces::new(self.signer, self.package, self.generation, pairs)
    }

    /// Takes the pair for which a signing package asks out of the batch, to sign only that package with it. `share` is the one
    /// that made the batch, and that will sign. Before the pair is taken, the package has to pass the checks of
    /// [`KeyShare::sign`], so a coordinator cannot use up pairs by packages that nobody signs.
    ///
    /// # Errors
    /// [`ClaimError`] if the batch has no such pair, or the share does not sign the package. The batch keeps all its pairs, and
    /// counts a refusal.
    pub fn claim_for(
        &mut self,
        share: &KeyShare<S>,
        package: &SigningPackage<S>,
    ) -> Result<Claim<S>, ClaimError> {
        self.claim(share, package, None, Ok(self.package))
    }

    /// Takes a pair as [`Self::claim_for`], only for [`KeyShare::sign_randomized`] with this seed.
    ///
    /// # Errors
    /// Those of [`Self::claim_for`], and [`SignError::Tweak`] for a seed that [`KeyShare::sign_randomized`] refuses.
    pub fn claim_randomized(
        &mut self,
        share: &KeyShare<S>,
        package: &SigningPackage<S>,
        seed: &RandomizerSeed,
    ) -> Result<Claim<S>, ClaimError> {
        let fits = share.check_seed(package, seed);
        self.claim(share, package, Some(seed), fits.map(|()| self.package))
    }

    /// `name` is that of the key for which the pair is taken, or the reason why it is not.
    pub(crate) fn claim(
        &mut self,
        share: &KeyShare<S>,
        package: &SigningPackage<S>,
        seed: Option<&RandomizerSeed>,
        name: Result<PackageId, SignError>,
    ) -> Result<Claim<S>, ClaimError> {
        let taken = self.checked(share, package, name).and_then(|mine| {
            let pair = self.take(&mine.nonce_id()).ok_or(ClaimError::NoNonces)?;
            Ok(Nonces { commitments: mine, ..pair })
        });
        let counters = &mut self.counters;
        let fate = if taken.is_ok() { &mut counters.claimed } else { &mut counters.refused };
        Counters::add(fate, 1);
        Ok(Claim::new(taken?, package.digest(seed)))
    }

    /// The commitments to the pair for which a package asks, under the name of the key for which it is taken, if the share signs
    /// the package with it.
    fn checked(
        &self,
        share: &KeyShare<S>,
        package: &SigningPackage<S>,
        name: Result<PackageId, SignError>,
    ) -> Result<Commitments<S>, ClaimError> {
        let asked = package.commitments_of(self.signer).map(|pair| pair.nonce_id());
        let slot = asked.and_then(|id| self.slots.get(&id)).ok_or(ClaimError::NoNonces)?;
        let pair = self.nonces.get(slot).ok_or(ClaimError::NoNonces)?;
        let mine = Commitments { package: name?, ..pair.commitments };
        share.check(package, &mine)?;
        Ok(mine)
    }

    /// Puts a pair in the next slot, unless the batch has it. A restored generator repeats itself, and a pair in
    /// two slots would still be there after it was claimed.
    fn add(&mut self, pair: Nonces<S>) {
        if let Entry::Vacant(slot) = self.slots.entry(pair.id()) {
            slot.insert(self.next);
            self.nonces.insert(self.next, pair);
            self.next = self.next.saturating_add(1);
            Counters::add(&mut self.counters.made, 1);
        }
    }

    /// Takes a pair out.
    fn take(&mut self, id: &NonceId) -> Option<Nonces<S>> {
        let slot = self.slots.remove(id)?;
        self.generation = self.generation.saturating_add(1);
        self.nonces.remove(&slot)
    }

    /// Drops a pair, as when a coordinator has given it up. Whether it was there.
    pub fn discard(&mut self, id: &NonceId) -> bool {
        let found = self.take(id).is_some();
        Counters::add(&mut self.counters.expired, usize::from(found));
        found
    }

    /// Drops all pairs unless the share that made them is one of `public`, as after a refresh, and says how many they
    /// were.
    pub fn keep_only(&mut self, public: &PublicKeyPackage<S>) -> usize {
        if public.package_id() == self.package || self.is_empty() {
            return 0;
        }
        self.drop_all()
    }

    /// Drops all pairs, and says how many they were.
    fn drop_all(&mut self) -> usize {
        let dropped = self.len();
        self.nonces.clear();
        self.slots.clear();
        self.generation = self.generation.saturating_add(1);
        Counters::add(&mut self.counters.expired, dropped);
        dropped
    }

    /// The batch, encrypted under the caller's key.
    #[must_use]
    pub fn seal(&self, key: &SealKey) -> Vec<u8> {
        Frost::<S>::label(NONCE_BATCH).seal(key, &self.encode())
    }

    /// Opens a sealed batch, and says how it is known that nothing of it was used meanwhile.
    ///
    /// Unless it [keeps stock](Continuity::keeps_stock), no usable pair is left. The pairs that were there count as expired, and
    /// [`Self::dropped`] returns their number.
    ///
    /// # Errors
    /// [`SealError::Container`] if the bytes are no sealed batch of this suite or were altered,
    /// [`SealError::Unauthentic`] for another key.
    pub fn open(sealed: &[u8], key: &SealKey, continuity: Continuity) -> Result<Self, SealError> {
        let (_, bytes) = Frost::<S>::label(NONCE_BATCH).unseal(key, sealed)?;
        let mut batch = Self::decode(&bytes).map_err(|_| SealError::Malformed)?;
        if !continuity.keeps_stock() {
            batch.dropped = batch.drop_all();
        }
        Ok(batch)
    }

    /// The number of pairs that [opening](Self::open) has dropped.
    #[must_use]
    pub const fn dropped(&self) -> usize {
        self.dropped
    }

    /// Bytes of a pair: D ‖ E ‖ d ‖ e.
    const fn pair_len() -> usize {
        point_len::<S>().saturating_add(scalar_len::<S>()).saturating_mul(2)
    }

    /// signer ‖ package ‖ generation ‖ next slot ‖ counters ‖ slots ‖ for each D ‖ E ‖ d ‖ e.
    pub(crate) fn encode(&self) -> Zeroizing<Vec<u8>> {
        let slots = self.slots();
        let pairs = self.len() * Self::pair_len();
        let head = PackageId::LENGTH + Counters::LENGTH + 2 + 8 + 4;
        // Room for all of it at once: a buffer that grew would leave secrets behind.
        let room = pairs + slots.encoded_len() + head;
        let mut bytes = Zeroizing::new(Vec::with_capacity(room));
        put_id(&mut bytes, self.signer);
        self.package.put(&mut bytes);
        bytes.extend_from_slice(&self.generation.to_be_bytes());
        bytes.extend_from_slice(&self.next.to_be_bytes());
        self.counters.put(&mut bytes);
        slots.put(&mut bytes);
        for nonces in self.nonces.values() {
            bytes.extend_from_slice(nonces.commitments.hiding().as_ref());
            bytes.extend_from_slice(nonces.commitments.binding().as_ref());
            for secret in [&nonces.hiding, &nonces.binding] {
                let scalar = Zeroizing::new(S::Curve::encode_scalar(secret.expose()));
                bytes.extend_from_slice((*scalar).as_ref());
            }
        }
        bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let signer = read_id(&mut reader)?;
        let mut batch = Self::new(signer, PackageId::read(&mut reader)?);
        batch.generation = reader.u64()?;
        batch.next = reader.u32()?;
        batch.counters = Counters::read(&mut reader)?;
        // None at or above the next one.
        let most = batch.next.saturating_sub(1);
        let slots = Ranges::read(&mut reader, bytes.len(), most)?;
        if batch.next == 0 && !slots.is_empty() {
            return Err(DecodeError::BadOrder);
        }
        let count = usize::try_from(slots.len()).map_err(|_| DecodeError::Truncated)?;
        reader.expect(count, Self::pair_len())?;
        for slot in slots.iter() {
            let commitments = Commitments::read(signer, batch.package, &mut reader)?;
            let hiding = Secret::new(read_scalar::<S>(&mut reader)?);
            let binding = Secret::new(read_scalar::<S>(&mut reader)?);
            let pair = Nonces { hiding, binding, commitments, released_for: None };
            // One pair in two slots would be spent twice.
            if batch.slots.insert(pair.id(), slot).is_some() {
                return Err(DecodeError::BadOrder);
            }
            batch.nonces.insert(slot, pair);
        }
        reader.finish()?;
        Ok(batch)
    }
}

impl<S: Ciphersuite> fmt::Debug for NonceBatch<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NonceBatch")
            .field("signer", &self.signer)
            .field("generation", &self.generation)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

impl<S: Ciphersuite> NonceBatch<S> {
    /// The most pairs of a batch. Each takes at most 4·57 bytes, and 8 for its slot: together they are shorter than the
    /// 2^32 bytes that a sealed batch can hold.
    pub const MAX: usize = 1 << 24;
}

impl<S: Ciphersuite> KeyShare<S> {
    /// Makes `count` pairs of nonces ahead of time, in slots from 0. Fewer only if `count` is above [`NonceBatch::MAX`], or
    /// the generator repeats itself: no pair is there twice. [`NonceBatch::len`] is the number made.
    pub fn precompute(&self, count: usize, rng: &mut impl CryptoRng) -> NonceBatch<S> {
        let mut batch = NonceBatch::new(self.id(), self.package_id());
        self.fill(&mut batch, count, rng);
        batch
    }

    /// Adds `count` pairs of nonces to a batch of this share, in the next slots. Whether it is one: those of another
    /// share or epoch stay as they are.
    #[must_use]
    pub fn replenish(
        &self,
        batch: &mut NonceBatch<S>,
        count: usize,
        rng: &mut impl CryptoRng,
    ) -> bool {
        let own = batch.signer == self.id() && batch.package == self.package_id();
        if own {
            self.fill(batch, count, rng);
        }
        own
    }

    fn fill(&self, batch: &mut NonceBatch<S>, count: usize, rng: &mut impl CryptoRng) {
        // A batch has 2^32 − 1 slots.
        let slots = index(u32::MAX.saturating_sub(batch.next));
        let count = count.min(slots).min(NonceBatch::<S>::MAX.saturating_sub(batch.len()));
        let secrets: Vec<_> = (0..count).map(|_| (self.nonce(rng), self.nonce(rng))).collect();
        // Room for all of it at once: a vector that grew would leave secrets behind.
        let mut scalars = Zeroizing::new(Vec::with_capacity(count.saturating_mul(2)));
        secrets.iter().for_each(|(d, e)| scalars.extend([*d.expose(), *e.expose()]));
        let (points, bytes) = S::Curve::mul_base_many(&scalars);
        let pairs = points.chunks_exact(2).zip(bytes.chunks_exact(2));
        for ((hiding, binding), (points, bytes)) in secrets.into_iter().zip(pairs) {
            let (pair, _) = self.nonces(hiding, binding, points, bytes);
            batch.add(pair);
        }
        batch.generation = batch.generation.saturating_add(1);
    }
}
