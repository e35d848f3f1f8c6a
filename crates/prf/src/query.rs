//! Queries: the points that the parties multiply by their shares.

use alloc::vec::Vec;
use core::fmt;

use quorate_frost::{PublicKeyPackage, VerifyingKey};
use quorate_keys::PackageId;
use quorate_session::{Transcript, wire::bounded};

use crate::error::QueryError;
use crate::kinds::{Kdf, KeyKind, Mode, Oprf, Voprf, Vrf};
use crate::oprf::{BlindedElement, MOST_ELEMENTS};
use crate::suite::{PrfSuite, hash_to_group};
use crate::vrf::VrfSuite;
use crate::wire::{Encoded, append_package};

/// The points of an evaluation, for a key in one epoch.
///
/// A party evaluates queries that it has made itself, from an input or from blinded elements that it was sent. A key whose
/// inputs are hashed evaluates nothing else: with a point of its own choice, an asker would turn the parties into a
/// Diffie-Hellman oracle. Only keys of the kinds [`Oprf`] and [`Voprf`] take points from outside, and they have no other use.
#[derive(Clone, PartialEq, Eq)]
pub struct Query<K: KeyKind> {
    pub(crate) of: PackageId,
    pub(crate) key: VerifyingKey<K>,
    /// In the group, and none of them the identity.
    pub(crate) bases: Vec<Encoded<K>>,
    pub(crate) digest: [u8; 32],
}

impl<K: KeyKind> Query<K> {
    fn new(public: &PublicKeyPackage<K>, bases: Vec<Encoded<K>>) -> Self {
        let mut transcript = Transcript::new("quorate-prf query");
        transcript.append("kind", K::CONTEXT.as_bytes());
        append_package(&mut transcript, &public.package_id());
        transcript.append_list("bases", bases.iter().map(|base| base.bytes));
        let digest = transcript.finish32();
        Self { of: public.package_id(), key: *public.verifying_key(), bases, digest }
    }

    /// The name of the public key package: the key, its parties and its epoch.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.of
    }

    /// A digest of the kind of key, the public key package and the points. Parties with equal digests evaluate the same.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The number of points.
    #[must_use]
    pub fn elements(&self) -> usize {
        self.bases.len()
    }
}

/// A kind of keys that evaluates the blinded elements of clients.
pub trait Blinded: Mode + sealed::Sealed {}

impl<S: PrfSuite> Blinded for Oprf<S> {}
impl<S: PrfSuite> Blinded for Voprf<S> {}

mod sealed {
    use crate::kinds::{Oprf, Voprf};

    /// The seal of [`Blinded`](super::Blinded).
    pub trait Sealed {}

    impl<S> Sealed for Oprf<S> {}
    impl<S> Sealed for Voprf<S> {}
}

impl<M: Blinded> Query<M> {
    /// The query for the blinded elements of a client.
    ///
    /// # Errors
    /// [`QueryError::Elements`] for none, or for more than [`MOST_ELEMENTS`].
    pub fn blinded(
        public: &PublicKeyPackage<M>,
        elements: &[BlindedElement<M>],
    ) -> Result<Self, QueryError> {
        if elements.is_empty() || elements.len() > MOST_ELEMENTS {
            return Err(QueryError::Elements { got: elements.len() });
        }
        // Elements are read strictly: in the group, and not the identity.
        Ok(Self::new(public, elements.iter().map(|element| element.0).collect()))
    }
}

impl<S: PrfSuite> Query<Kdf<S>> {
    /// The query for an input, for one purpose. Both are hashed: the results of two purposes are independent.
    ///
    /// # Errors
    /// [`QueryError::PurposeTooLong`] for a purpose of more than 65 535 bytes, [`QueryError::NoPoint`] if the input hashes
    /// to no point, which has a negligible chance.
    pub fn derive(
        public: &PublicKeyPackage<Kdf<S>>,
        purpose: &[u8],
        input: &[u8],
    ) -> Result<Self, QueryError> {
        if u16::try_from(purpose.len()).is_err() {
            return Err(QueryError::PurposeTooLong { got: purpose.len() });
        }
        let length: u16 = bounded(purpose.len());
        let message: [&[u8]; 3] = [&length.to_be_bytes(), purpose, input];
        let tag: [&[u8]; 2] = [b"quorate-prf KDF v1-", S::IDENTIFIER.as_bytes()];
        let point = hash_to_group::<S>(&message, &tag).ok_or(QueryError::NoPoint)?;
        Ok(Self::new(public, alloc::vec![Encoded::new(point)]))
    }
}

impl<V: VrfSuite> Query<Vrf<V>> {
    /// The query for an input α of the verifiable random function.
    ///
    /// # Errors
    /// [`QueryError::NoPoint`] if the input hashes to no point, which has a negligible chance.
    pub fn vrf(public: &PublicKeyPackage<Vrf<V>>, input: &[u8]) -> Result<Self, QueryError> {
        let key = public.verifying_key().as_bytes();
        let point = V::encode_to_curve(key.as_ref(), input).ok_or(QueryError::NoPoint)?;
        Ok(Self::new(public, alloc::vec![Encoded::new(point)]))
    }
}

impl<K: KeyKind> fmt::Debug for Query<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query")
            .field("kind", &K::CONTEXT)
            .field("elements", &self.bases.len())
            .finish_non_exhaustive()
    }
}
