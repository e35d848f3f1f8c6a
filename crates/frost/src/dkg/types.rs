//! The protocol, its parameters and its result.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_keys::checkpoint;
use quorate_session::Record;
use zeroize::Zeroizing;

use crate::family::Frost;
use crate::key::{KeyShare, PublicKeyPackage};
use crate::suite::KeySuite;

/// The distributed key generation of a suite, a protocol for [`quorate_session::Session`].
pub struct Dkg<S>(PhantomData<S>);

/// The parameters of a key generation, on which its parties agree beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DkgParams<S> {
    pub(super) threshold: u16,
    suite: PhantomData<S>,
}

impl<S: KeySuite> DkgParams<S> {
    /// A key of which any `threshold` parties can sign.
    #[must_use]
    pub fn new(threshold: u16) -> Self {
        Self { threshold, suite: PhantomData }
    }
}

/// The result of a key generation for one party.
pub struct DkgOutput<S: KeySuite> {
    /// This party's share. Store it before you publish the key.
    pub share: KeyShare<S>,
    /// The group's public key package, the same for all.
    pub public: PublicKeyPackage<S>,
}

impl<S: KeySuite> DkgOutput<S> {
    /// The key and the share, for the checkpoint of the last round.
    pub(super) fn to_checkpoint(&self) -> Zeroizing<Vec<u8>> {
        checkpoint::to_checkpoint(self.public.shared(), Some(self.share.secret_share()))
    }

    /// Undoes [`to_checkpoint`](Self::to_checkpoint).
    pub(super) fn from_checkpoint(bytes: &[u8]) -> Option<Self> {
        let (public, share) = checkpoint::from_checkpoint::<Frost<S>>(bytes)?;
        let share = KeyShare::from_shared(share?, &public);
        Some(Self { share, public: PublicKeyPackage::from_shared(public) })
    }
}

/// The stored forms of the public key package and of the share, as a pair. They are **secret**.
impl<S: KeySuite> Record for DkgOutput<S> {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        (Zeroizing::new(self.public.to_bytes()), self.share.to_bytes()).to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (public, share) = <(Zeroizing<Vec<u8>>, Zeroizing<Vec<u8>>)>::from_bytes(bytes)?;
        let public = PublicKeyPackage::from_bytes(&public).ok()?;
        let share = KeyShare::from_bytes(&share, &public).ok()?;
        Some(Self { share, public })
    }
}

impl<S: KeySuite> fmt::Debug for DkgOutput<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DkgOutput").field("public", &self.public).finish_non_exhaustive()
    }
}
