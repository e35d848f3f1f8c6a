//! The public side of a batch of nonces, which a signer publishes and a coordinator keeps.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use quorate_keys::{Family, PackageId};
use quorate_session::PartyId;
use quorate_session::stock::{Ranges, WaterMarks};
use quorate_session::wire::Reader;

use super::pair::Commitments;
use crate::error::{DecodeError, PackageError};
use crate::family::Frost;
use crate::key::PublicKeyPackage;
use crate::suite::{Ciphersuite, point_len};
use crate::wire::{PUBLISHED_NONCES, open, put_id, read_id};

/// The commitments of one signer's [`NonceBatch`](crate::NonceBatch) that are left, by slot: sent to a coordinator, and
/// kept there. Not secret.
#[derive(Clone, PartialEq, Eq)]
pub struct PublishedNonces<S: Ciphersuite> {
    signer: PartyId,
    package: PackageId,
    generation: u64,
    pairs: BTreeMap<u32, Commitments<S>>,
}

impl<S: Ciphersuite> PublishedNonces<S> {
    pub(super) const fn new(
        signer: PartyId,
        package: PackageId,
        generation: u64,
        pairs: BTreeMap<u32, Commitments<S>>,
    ) -> Self {
        Self { signer, package, generation, pairs }
    }

    /// The party whose nonces they are.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.signer
    }

    /// The name of the public key package whose share made them.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.package
    }

    /// The [generation](crate::NonceBatch::generation) of the batch: a greater one replaces a smaller one.
    #[must_use]
    pub const fn generation(&self) -> u64 {
        self.generation
    }

    /// The slots that are left.
    #[must_use]
    pub fn slots(&self) -> Ranges {
        self.pairs.keys().copied().collect()
    }

    /// The number of pairs that the signer should make: see [`WaterMarks::to_make`].
    #[must_use]
    pub fn to_make(&self, marks: WaterMarks) -> usize {
        marks.to_make(self.pairs.len())
    }

    /// Takes out the commitments in a slot, for one signing package.
    pub fn take(&mut self, slot: u32) -> Option<Commitments<S>> {
        self.pairs.remove(&slot)
    }

    /// Drops all unless they are of this package, as after a refresh, and says how many they were.
    pub fn keep_only(&mut self, public: &PublicKeyPackage<S>) -> usize {
        if public.package_id() == self.package {
            return 0;
        }
        let dropped = self.pairs.len();
        self.pairs.clear();
        dropped
    }

    /// The slots that all of these signers have left, in a number of steps that is the number of pairs. None for no
    /// signers.
    ///
    /// # Errors
    /// [`PackageError::Mismatch`] for one whose nonces are not for the key and epoch of `public`.
    pub fn common<'s>(
        public: &PublicKeyPackage<S>,
        signers: impl IntoIterator<Item = &'s Self>,
    ) -> Result<Ranges, PackageError> {
        let mut common: Option<Ranges> = None;
        for one in signers {
            let party = one.signer;
            one.package
                .check_belongs_to(&public.package_id())
                .map_err(|why| PackageError::Mismatch { party, why })?;
            let slots = one.slots();
            common = Some(common.map_or(slots.clone(), |before| before.intersect(&slots)));
        }
        Ok(common.unwrap_or_default())
    }

    /// The sent and stored form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.encode_into(&mut bytes);
        bytes
    }

    /// Appends the sent form to a buffer of the caller: none is made while it has room.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        let slots = self.slots();
        let pairs = self.pairs.len() * (point_len::<S>() * 2);
        let head = PackageId::LENGTH + 2 + 8;
        let body = pairs + slots.encoded_len() + head;
        Frost::<S>::label(PUBLISHED_NONCES).encode_into(out, body, |bytes| {
            put_id(bytes, self.signer);
            self.package.put(bytes);
            bytes.extend_from_slice(&self.generation.to_be_bytes());
            slots.put(bytes);
            for pair in self.pairs.values() {
                bytes.extend_from_slice(pair.hiding().as_ref());
                bytes.extend_from_slice(pair.binding().as_ref());
            }
        });
    }

    /// Reads what `sender` sent, strictly. The **authenticated** transport names the sender.
    ///
    /// # Errors
    /// A [`DecodeError`] if the form is not canonical, or if the commitments are in another
    /// party's name. Either is the sender's fault, unless it is another kind of object, of another suite or release.
    pub fn from_bytes(sender: PartyId, bytes: &[u8]) -> Result<Self, DecodeError> {
        let read = open::<S, _>(bytes, PUBLISHED_NONCES, Self::read)?;
        let named = read.signer;
        if named == sender { Ok(read) } else { Err(DecodeError::NotTheSenders { sender, named }) }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (signer, package) = (read_id(reader)?, PackageId::read(reader)?);
        let generation = reader.u64()?;
        let slots = Ranges::read(reader, reader.remaining(), u32::MAX)?;
        let each = point_len::<S>().saturating_mul(2);
        let count = usize::try_from(slots.len()).map_err(|_| DecodeError::Truncated)?;
        reader.expect(count, each)?;
        let encodings = reader.bytes(count.saturating_mul(each))?;
        let pairs = Commitments::from_encodings(signer, package, encodings)?;
        let pairs = slots.iter().zip(pairs).collect();
        Ok(Self { signer, package, generation, pairs })
    }
}

impl<S: Ciphersuite> fmt::Debug for PublishedNonces<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublishedNonces")
            .field("signer", &self.signer)
            .field("generation", &self.generation)
            .field("slots", &self.slots())
            .finish_non_exhaustive()
    }
}
