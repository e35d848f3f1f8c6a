//! Nonces made ahead of time, each spent once.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_keys::{Family, PackageId};
use quorate_session::stock::{Counters, Ranges, WaterMarks};
use quorate_session::wire::Reader;
use quorate_session::{PartyId, SealError, SealKey};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::claim::Claim;
use super::pair::{Commitments, NonceId, Nonces};
use super::published::PublishedNonces;
use crate::error::DecodeError;
use crate::family::Frost;
use crate::key::{KeyShare, PublicKeyPackage};
use crate::package::SigningPackage;
use crate::randomizer::RandomizerSeed;
use crate::suite::{Ciphersuite, point_len, scalar_len};
use crate::wire::{NONCE_BATCH, put_id, read_id, read_scalar};

/// Precomputed nonces of one key share, by slot.
///
/// Slots are numbered from 0 in the order in which pairs are made, and never given again. Signers that make as many at a
/// time have the same slots, and sign with slot i each: [`PublishedNonces::common`] says which ones all have left. The
/// nonces in a slot are each signer's own, as FROST wants it, so what is recorded is their [name](NonceId).
///
/// A batch lives in the caller's store, and three orders keep it safe there:
///
/// 1. **Seal, store, publish.** Store [`NonceBatch::seal`] before the coordinator gets
///    [`NonceBatch::publish`]. After a crash in between, open the batch and publish again.
/// 2. **A greater [`NonceBatch::generation`] replaces a smaller one**, compared and swapped, and
///    never the reverse. What is published says its generation, so the coordinator
///    knows which list is the newest.
/// 3. **Record, release, send, store.** Take a pair with [`NonceBatch::claim_for`], record the
///    [`Claim`], sign and send, and store the batch without the pair after that. After a crash
///    anywhere in between, the stored batch gives the same pair for the same package, and the
///    same share again; for another package the record refuses it.
pub struct NonceBatch<S: Ciphersuite> {
    signer: PartyId,
    package: PackageId,
    generation: u64,
    /// The slot of the next pair.
    next: u32,
    nonces: BTreeMap<u32, Nonces<S>>,
    slots: BTreeMap<NonceId, u32>,
    counters: Counters,
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
        }
    }

    /// The party whose nonces they are.
    #[must_use]
    pub fn signer(&self) -> PartyId {
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

    /// Whether no pair is left.
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

    /// Takes the pair that a signing package asks for out of the batch, to sign that package and
    /// no other with it. `None` if the batch has no such pair, which is counted as refused.
    #[must_use]
    pub fn claim_for(&mut self, package: &SigningPackage<S>) -> Option<Claim<S>> {
        self.claim(package, None)
    }

    /// As [`Self::claim_for`], for [`KeyShare::sign_randomized`] with this seed and no other.
    #[must_use]
    pub fn claim_randomized(
        &mut self,
        package: &SigningPackage<S>,
        seed: &RandomizerSeed,
    ) -> Option<Claim<S>> {
        self.claim(package, Some(seed))
    }

    fn claim(
        &mut self,
        package: &SigningPackage<S>,
        seed: Option<&RandomizerSeed>,
    ) -> Option<Claim<S>> {
        let asked = package.commitments_of(self.signer).map(|pair| pair.nonce_id());
        let Some(nonces) = asked.and_then(|id| self.take(&id)) else {
            Counters::add(&mut self.counters.refused, 1);
            return None;
        };
        Counters::add(&mut self.counters.claimed, 1);
        Some(Claim::new(nonces, package.digest(seed)))
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

    /// Opens a sealed batch.
    ///
    /// # Errors
    /// [`SealError::Container`] if the bytes are no sealed batch of this suite or were altered,
    /// [`SealError::Unauthentic`] for another key.
    pub fn open(sealed: &[u8], key: &SealKey) -> Result<Self, SealError> {
        let (_, bytes) = Frost::<S>::label(NONCE_BATCH).unseal(key, sealed)?;
        Self::decode(&bytes).map_err(|_| SealError::Malformed)
    }

    /// Bytes of a pair: D ‖ E ‖ d ‖ e.
    const fn pair_len() -> usize {
        point_len::<S>().saturating_add(scalar_len::<S>()).saturating_mul(2)
    }

    /// signer ‖ package ‖ generation ‖ next slot ‖ counters ‖ slots ‖ for each D ‖ E ‖ d ‖ e.
    pub(crate) fn encode(&self) -> Zeroizing<Vec<u8>> {
        let slots = self.slots();
        let pairs = self.len().saturating_mul(Self::pair_len());
        let head = PackageId::LENGTH + Counters::LENGTH + 2 + 8 + 4;
        // Room for all of it at once: a buffer that grew would leave secrets behind.
        let room = pairs.saturating_add(slots.encoded_len()).saturating_add(head);
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
        let count = usize::try_from(slots.len()).unwrap_or(usize::MAX);
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

impl<S: Ciphersuite> KeyShare<S> {
    /// Makes `count` pairs of nonces ahead of time, in slots from 0.
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
        let room = usize::try_from(u32::MAX.saturating_sub(batch.next)).unwrap_or(usize::MAX);
        let count = count.min(room);
        let secrets: Vec<_> = (0..count).map(|_| (self.nonce(rng), self.nonce(rng))).collect();
        // Room for all of it at once: a vector that grew would leave secrets behind.
        let mut scalars = Zeroizing::new(Vec::with_capacity(count.saturating_mul(2)));
        secrets.iter().for_each(|(d, e)| scalars.extend([*d.expose(), *e.expose()]));
        let (points, bytes) = S::Curve::mul_base_many(&scalars);
        let pairs = points.chunks_exact(2).zip(bytes.chunks_exact(2));
        for ((hiding, binding), (points, bytes)) in secrets.into_iter().zip(pairs) {
            let (pair, _) = self.nonces(hiding, binding, points, bytes);
            batch.slots.insert(pair.id(), batch.next);
            batch.nonces.insert(batch.next, pair);
            batch.next = batch.next.saturating_add(1);
        }
        Counters::add(&mut batch.counters.made, count);
        batch.generation = batch.generation.saturating_add(1);
    }
}
