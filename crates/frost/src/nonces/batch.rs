//! Nonces made ahead of time, each spent once.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_session::{SealError, SealKey};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::{Commitments, NonceId, Nonces};
use crate::error::DecodeError;
use crate::keys::KeyShare;
use crate::package::SigningPackage;
use crate::suite::{Ciphersuite, point_len, scalar_len};
use crate::wire::{Kind, Reader, start};

const SEAL: &str = "quorate-frost nonce batch";

/// Precomputed nonces of one signer, by name.
///
/// A batch can be sealed and stored, and a stored batch can be restored twice. So each pair is
/// spent through a [`Claim`]: record [`Claim::id`] under a unique key in the same store **before**
/// [`Claim::release`]; where the insert fails, the nonces were spent already.
pub struct NonceBatch<S: Ciphersuite> {
    nonces: BTreeMap<NonceId, Nonces<S>>,
}

impl<S: Ciphersuite> NonceBatch<S> {
    /// How many pairs are left.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nonces.len()
    }

    /// Whether none is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nonces.is_empty()
    }

    /// The names of the pairs that are left, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = NonceId> + '_ {
        self.nonces.keys().copied()
    }

    /// Takes a pair out of the batch.
    #[must_use]
    pub fn claim(&mut self, id: &NonceId) -> Option<Claim<S>> {
        self.nonces.remove(id).map(Claim)
    }

    /// Takes the pair that a signing package asks for out of the batch.
    #[must_use]
    pub fn claim_for(&mut self, package: &SigningPackage<S>) -> Option<Claim<S>> {
        let me = self.nonces.values().next()?.commitments.id;
        self.claim(&package.commitments_of(me)?.nonce_id())
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

    fn encode(&self) -> Zeroizing<Vec<u8>> {
        let each = 2usize
            .saturating_mul(scalar_len::<S>())
            .saturating_add(3usize.saturating_mul(point_len::<S>()))
            .saturating_add(2);
        // Room for all of it at once: a buffer that grew would leave secrets behind.
        let mut bytes =
            Zeroizing::new(start::<S>(Kind::NonceBatch, self.len().saturating_mul(each)));
        for nonces in self.nonces.values() {
            bytes.extend_from_slice(&nonces.commitments.id.get().to_be_bytes());
            bytes.extend_from_slice(nonces.commitments.hiding());
            bytes.extend_from_slice(nonces.commitments.binding());
            bytes.extend_from_slice(nonces.signer.as_ref());
            for secret in [&nonces.hiding, &nonces.binding] {
                let scalar = Zeroizing::new(S::Curve::encode_scalar(secret.expose()));
                bytes.extend_from_slice((*scalar).as_ref());
            }
        }
        bytes
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut body = Reader::open::<S>(bytes, Kind::NonceBatch)?.rest();
        let mut nonces = BTreeMap::new();
        while !body.is_empty() {
            let mut reader = Reader::bare(body);
            let commitments = Commitments::read(&mut reader)?;
            let (_, signer) = reader.point::<S>()?;
            let hiding = Secret::new(reader.scalar::<S>()?);
            let binding = Secret::new(reader.scalar::<S>()?);
            body = reader.rest();
            let pair = Nonces { hiding, binding, commitments, signer };
            // In ascending order, as they are written: one encoding for each batch.
            let id = pair.id();
            if nonces.last_key_value().is_some_and(|(last, _)| *last >= id) {
                return Err(DecodeError::BadOrder);
            }
            nonces.insert(id, pair);
        }
        Ok(Self { nonces })
    }
}

impl<S: Ciphersuite> fmt::Debug for NonceBatch<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NonceBatch").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// A pair of nonces on its way to being spent.
pub struct Claim<S: Ciphersuite>(Nonces<S>);

impl<S: Ciphersuite> Claim<S> {
    /// The name to record under a unique key before the nonces are released.
    #[must_use]
    pub fn id(&self) -> NonceId {
        self.0.id()
    }

    /// The nonces. Call this only after the name has been recorded.
    #[must_use]
    pub fn release(self) -> Nonces<S> {
        self.0
    }
}

impl<S: Ciphersuite> fmt::Debug for Claim<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Claim").field(&self.id()).finish()
    }
}

impl<S: Ciphersuite> KeyShare<S> {
    /// Makes `count` pairs of nonces ahead of time, with the commitments to send to the
    /// coordinator.
    pub fn precompute(
        &self,
        count: usize,
        rng: &mut impl CryptoRng,
    ) -> (NonceBatch<S>, Vec<Commitments<S>>) {
        let secrets: Vec<_> = (0..count).map(|_| (self.nonce(rng), self.nonce(rng))).collect();
        // Room for all of it at once: a vector that grew would leave secrets behind.
        let mut scalars = Zeroizing::new(Vec::with_capacity(count.saturating_mul(2)));
        secrets.iter().for_each(|(d, e)| scalars.extend([*d.expose(), *e.expose()]));
        let (points, bytes) = S::Curve::mul_base_many(&scalars);
        let mut nonces = BTreeMap::new();
        let mut commitments = Vec::with_capacity(count);
        let pairs = points.chunks_exact(2).zip(bytes.chunks_exact(2));
        for ((hiding, binding), (points, bytes)) in secrets.into_iter().zip(pairs) {
            let (pair, public) = self.nonces(hiding, binding, points, bytes);
            nonces.insert(pair.id(), pair);
            commitments.push(public);
        }
        (NonceBatch { nonces }, commitments)
    }
}
