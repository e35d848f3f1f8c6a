//! Nonces made ahead of time, each spent once.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_keys::PackageId;
use quorate_session::{PartyId, SealError, SealKey};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::claim::Claim;
use super::pair::{Commitments, NonceId, Nonces};
use crate::error::DecodeError;
use crate::key::KeyShare;
use crate::package::SigningPackage;
use crate::randomizer::RandomizerSeed;
use crate::suite::{Ciphersuite, point_len, scalar_len};
use crate::wire::{Kind, open, put_id, read_id, read_scalar, start};

const SEAL: &str = "quorate-frost nonce batch";

/// Precomputed nonces of one key share, by name.
///
/// A batch lives in the caller's store, and three orders keep it safe there:
///
/// 1. **Seal, store, publish.** Store [`NonceBatch::seal`] before the coordinator gets
///    [`NonceBatch::commitments`]. After a crash in between, open the batch and publish again.
/// 2. **A greater [`NonceBatch::generation`] replaces a smaller one**, compared and swapped, and
///    never the reverse. Publish the generation beside the commitments, and the coordinator
///    knows which list is the newest.
/// 3. **Record, release, send, store.** Take a pair with [`NonceBatch::claim_for`], record the
///    [`Claim`], sign and send, and store the batch without the pair after that. After a crash
///    anywhere in between, the stored batch gives the same pair for the same package, and the
///    same share again; for another package the record refuses it.
pub struct NonceBatch<S: Ciphersuite> {
    signer: PartyId,
    package: PackageId,
    generation: u64,
    nonces: BTreeMap<NonceId, Nonces<S>>,
}

impl<S: Ciphersuite> NonceBatch<S> {
    /// The party whose nonces they are.
    #[must_use]
    pub fn signer(&self) -> PartyId {
        self.signer
    }

    /// The name of the public key package whose share made them. After a refresh they are of no
    /// use any more.
    #[must_use]
    pub fn package_id(&self) -> PackageId {
        self.package
    }

    /// The number of changes of the batch: one more each time that pairs were added, claimed or
    /// discarded. Batches of one share with equal generations hold the same pairs, unless one was
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

    /// The commitments to all pairs that are left, for the coordinator, by ascending name.
    pub fn commitments(&self) -> impl Iterator<Item = Commitments<S>> + '_ {
        self.nonces.values().map(|pair| pair.commitments)
    }

    /// The names of the pairs that are left, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = NonceId> + '_ {
        self.nonces.keys().copied()
    }

    /// Takes the pair that a signing package asks for out of the batch, to sign that package and
    /// no other with it. `None` if the batch has no such pair.
    #[must_use]
    pub fn claim_for(&mut self, package: &SigningPackage<S>) -> Option<Claim<S>> {
        self.take(package, None)
    }

    /// As [`Self::claim_for`], for [`KeyShare::sign_randomized`] with this seed and no other.
    #[must_use]
    pub fn claim_randomized(
        &mut self,
        package: &SigningPackage<S>,
        seed: &RandomizerSeed,
    ) -> Option<Claim<S>> {
        self.take(package, Some(seed))
    }

    fn take(
        &mut self,
        package: &SigningPackage<S>,
        seed: Option<&RandomizerSeed>,
    ) -> Option<Claim<S>> {
        let id = package.commitments_of(self.signer)?.nonce_id();
        let nonces = self.nonces.remove(&id)?;
        self.generation = self.generation.saturating_add(1);
        Some(Claim::new(nonces, package.digest(seed)))
    }

    /// Drops a pair, as when a coordinator has given it up. Whether it was there.
    pub fn discard(&mut self, id: &NonceId) -> bool {
        let found = self.nonces.remove(id).is_some();
        self.generation = self.generation.saturating_add(u64::from(found));
        found
    }

    /// The batch, encrypted under the caller's key.
    #[must_use]
    pub fn seal(&self, key: &SealKey) -> Vec<u8> {
        key.seal_bytes(SEAL, &self.encode())
    }

    /// Opens a sealed batch.
    ///
    /// # Errors
    /// [`SealError`] if the key is wrong or the bytes were altered, or what they hold is no batch
    /// of this suite.
    pub fn open(sealed: &[u8], key: &SealKey) -> Result<Self, SealError> {
        let bytes = key.open_bytes(SEAL, sealed)?;
        Self::decode(&bytes).map_err(|_| SealError::Malformed)
    }

    /// Bytes of a pair: D ‖ E ‖ d ‖ e.
    const fn pair_len() -> usize {
        point_len::<S>().saturating_add(scalar_len::<S>()).saturating_mul(2)
    }

    fn encode(&self) -> Zeroizing<Vec<u8>> {
        let body = self.len().saturating_mul(Self::pair_len()).saturating_add(PackageId::LENGTH);
        // Room for all of it at once: a buffer that grew would leave secrets behind.
        let mut bytes = Zeroizing::new(start::<S>(Kind::NonceBatch, body.saturating_add(10)));
        put_id(&mut bytes, self.signer);
        self.package.put(&mut bytes);
        bytes.extend_from_slice(&self.generation.to_be_bytes());
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

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = open::<S>(bytes, Kind::NonceBatch)?;
        let signer = read_id(&mut reader)?;
        let package = PackageId::read(&mut reader)?;
        let generation = reader.u64()?;
        let mut nonces = BTreeMap::new();
        while reader.remaining() > 0 {
            let commitments = Commitments::read(signer, package, &mut reader)?;
            let hiding = Secret::new(read_scalar::<S>(&mut reader)?);
            let binding = Secret::new(read_scalar::<S>(&mut reader)?);
            let pair = Nonces { hiding, binding, commitments, released_for: None };
            // In ascending order, as they are written: one encoding for each batch.
            let id = pair.id();
            if nonces.last_key_value().is_some_and(|(last, _)| *last >= id) {
                return Err(DecodeError::BadOrder);
            }
            nonces.insert(id, pair);
        }
        Ok(Self { signer, package, generation, nonces })
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
    /// Makes `count` pairs of nonces ahead of time.
    pub fn precompute(&self, count: usize, rng: &mut impl CryptoRng) -> NonceBatch<S> {
        let (signer, package) = (self.id(), self.package_id());
        let mut batch = NonceBatch { signer, package, generation: 0, nonces: BTreeMap::new() };
        self.fill(&mut batch, count, rng);
        batch
    }

    /// Adds `count` pairs of nonces to a batch of this share. Whether it is one: those of another
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
        let secrets: Vec<_> = (0..count).map(|_| (self.nonce(rng), self.nonce(rng))).collect();
        // Room for all of it at once: a vector that grew would leave secrets behind.
        let mut scalars = Zeroizing::new(Vec::with_capacity(count.saturating_mul(2)));
        secrets.iter().for_each(|(d, e)| scalars.extend([*d.expose(), *e.expose()]));
        let (points, bytes) = S::Curve::mul_base_many(&scalars);
        let pairs = points.chunks_exact(2).zip(bytes.chunks_exact(2));
        for ((hiding, binding), (points, bytes)) in secrets.into_iter().zip(pairs) {
            let (pair, _) = self.nonces(hiding, binding, points, bytes);
            batch.nonces.insert(pair.id(), pair);
        }
        batch.generation = batch.generation.saturating_add(1);
    }
}
