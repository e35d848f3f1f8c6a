//! The coordinator's side of many signing sessions.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::PartyId;

use crate::aggregate::{belongs, complete, sum};
use crate::batch::{Item, all_hold};
use crate::binding::SigningContext;
use crate::error::{AggregateError, PackageError, ShareRejected};
use crate::key::PublicKeyPackage;
use crate::nonces::Commitments;
use crate::package::SigningPackage;
use crate::sign::SignatureShare;
use crate::signature::Signature;
use crate::suite::{Ciphersuite, Scalar};

/// Makes signing packages for one key and turns the shares that come back into signatures.
///
/// A coordinator holds no secret. It can refuse to aggregate, and it sees every message; it cannot
/// sign, and cannot make a signer sign another message than the one that it shows.
#[derive(Clone, Debug)]
pub struct Coordinator<S: Ciphersuite> {
    public: PublicKeyPackage<S>,
}

impl<S: Ciphersuite> Coordinator<S> {
    /// A coordinator for a group's key.
    #[must_use]
    pub fn new(public: PublicKeyPackage<S>) -> Self {
        Self { public }
    }

    /// The group's public key package.
    #[must_use]
    pub fn public(&self) -> &PublicKeyPackage<S> {
        &self.public
    }

    /// Starts a session: fixes the signers and the message. The values that follow from them are computed here,
    /// once, so that finishing costs one verification for any number of signers.
    ///
    /// `commitments` are the messages of the signers, each with its sender as authenticated by the transport.
    ///
    /// # Errors
    /// A [`PackageError`]: [`PackageError::Malformed`] names all parties whose commitments cannot be read or are
    /// in another party's name. The other variants blame nobody.
    pub fn start<B: AsRef<[u8]>>(
        &self,
        commitments: impl IntoIterator<Item = (PartyId, B)>,
        message: &[u8],
    ) -> Result<SigningSession<S>, PackageError> {
        let (mut good, mut malformed) = (Vec::new(), Vec::new());
        for (from, bytes) in commitments {
            match Commitments::from_bytes(from, bytes.as_ref()) {
                Ok(one) => good.push(one),
                Err(why) => malformed.push((from, why)),
            }
        }
        if !malformed.is_empty() {
            return Err(PackageError::Malformed(malformed));
        }
        self.start_with(good, message)
    }

    /// Starts a session, as [`Self::start`], with commitments that were read before, for a coordinator
    /// that keeps a stock of them.
    ///
    /// # Errors
    /// A [`PackageError`] that is not [`PackageError::Malformed`].
    pub fn start_with(
        &self,
        commitments: impl IntoIterator<Item = Commitments<S>>,
        message: &[u8],
    ) -> Result<SigningSession<S>, PackageError> {
        let package = SigningPackage::new(&self.public, commitments, message)?;
        let binding = SigningContext::new(&package, &self.public.key)
            .ok_or(PackageError::IdentityCommitment)?;
        let digest = package.digest(None);
        let mut shares = Vec::new();
        shares.resize(package.ids.len(), None);
        Ok(SigningSession { package, digest, binding, shares })
    }

    /// Verifies the share that a session has received from a signer, for protocols that replace a
    /// bad signer at once (ROAST). Without this, shares are verified together when they are
    /// aggregated.
    ///
    /// # Errors
    /// [`AggregateError::Cheaters`] if it is wrong. [`AggregateError::MissingShares`] if none has arrived.
    /// [`AggregateError::UnexpectedShare`] if the party is not one of the signers. [`AggregateError::Mismatch`]
    /// if the session was started for another key or epoch.
    pub fn verify_share(
        &self,
        session: &SigningSession<S>,
        from: PartyId,
    ) -> Result<(), AggregateError> {
        self.public.aggregator().check(&session.package)?;
        let at = session.package.position(from).ok_or(AggregateError::UnexpectedShare(from))?;
        let kept = session.shares.get(at).copied().flatten();
        let z = kept.ok_or_else(|| AggregateError::MissingShares(alloc::vec![from]))?;
        self.verify_scalar(session, from, z)
    }

    /// The share equation of one signer of a session.
    pub(crate) fn verify_scalar(
        &self,
        session: &SigningSession<S>,
        from: PartyId,
        z: Scalar<S>,
    ) -> Result<(), AggregateError> {
        self.public.aggregator().verify_one(&session.package, &session.binding, from, z)
    }

    /// Adds up the shares of a session and verifies the signature once. A session that another coordinator started
    /// for another key or epoch, as before a refresh, is refused.
    ///
    /// # Errors
    /// The errors of [`PublicKeyPackage::aggregate`]. Missing shares are named, and the session is consumed, so
    /// ask [`SigningSession::waiting_for`] first.
    pub fn aggregate(&self, session: SigningSession<S>) -> Result<Signature<S>, AggregateError> {
        self.sign(&session)
    }

    /// The signature of a session that stays.
    pub(crate) fn sign(&self, session: &SigningSession<S>) -> Result<Signature<S>, AggregateError> {
        let z = self.shares(session)?;
        self.public.aggregator().sum(&session.package, &session.binding, &z)
    }

    /// The shares of a session of this key and epoch, if all have come.
    fn shares(&self, session: &SigningSession<S>) -> Result<Vec<Scalar<S>>, AggregateError> {
        // With the verifying shares of another epoch, honest signers would look like cheaters.
        self.public.aggregator().check(&session.package)?;
        complete(&session.package, &session.shares)
    }

    /// Aggregates many sessions, and verifies all their signatures in one batch equation. Only if it fails, each
    /// is verified alone. The results are in the order of the sessions.
    pub fn aggregate_all(
        &self,
        sessions: Vec<SigningSession<S>>,
    ) -> Vec<Result<Signature<S>, AggregateError>> {
        let summed: Vec<_> = sessions
            .iter()
            .map(|session| {
                let z = self.shares(session)?;
                Ok((sum(&session.binding, &z), session.binding.challenge))
            })
            .collect();
        let items: Vec<_> = summed
            .iter()
            .flatten()
            .map(|(signature, challenge)| Item {
                key: self.public.key,
                signature: *signature,
                challenge: *challenge,
            })
            .collect();
        if all_hold(&items) {
            return summed.into_iter().map(|one| one.map(|(signature, _)| signature)).collect();
        }
        sessions.into_iter().map(|session| self.aggregate(session)).collect()
    }
}

/// One signature in the making.
pub struct SigningSession<S: Ciphersuite> {
    package: SigningPackage<S>,
    digest: [u8; 32],
    binding: SigningContext<S>,
    shares: Vec<Option<Scalar<S>>>,
}

impl<S: Ciphersuite> SigningSession<S> {
    /// The package to send to every signer.
    #[must_use]
    pub fn package(&self) -> &SigningPackage<S> {
        &self.package
    }

    /// Takes a signer's share. `from` is the sender as the transport authenticated it.
    ///
    /// # Errors
    /// [`ShareRejected`]. The session continues unharmed, and the first share stays.
    pub fn receive(&mut self, from: PartyId, bytes: &[u8]) -> Result<(), ShareRejected> {
        let at = self.package.position(from).ok_or(ShareRejected::NotASigner)?;
        let share = SignatureShare::from_bytes(from, bytes).map_err(ShareRejected::Malformed)?;
        belongs(&self.package, &self.digest, &share)?;
        match self.shares.get_mut(at) {
            None => Err(ShareRejected::NotASigner),
            Some(Some(kept)) if *kept == share.z => Ok(()),
            Some(Some(_)) => Err(ShareRejected::Conflicting),
            Some(slot) => {
                *slot = Some(share.z);
                Ok(())
            }
        }
    }

    /// The digest of the package.
    pub(crate) const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Takes a share that has been verified, and returns whether it was the last one.
    pub(crate) fn take(&mut self, from: PartyId, z: Scalar<S>) -> bool {
        let slot = self.package.position(from).and_then(|at| self.shares.get_mut(at));
        slot.into_iter().for_each(|slot| *slot = Some(z));
        self.shares.iter().all(Option::is_some)
    }

    /// The signers whose shares have not arrived.
    pub fn waiting_for(&self) -> impl Iterator<Item = PartyId> + '_ {
        let signers = self.package.ids.iter().zip(&self.shares);
        signers.filter_map(|(id, share)| share.is_none().then_some(*id))
    }
}

impl<S: Ciphersuite> fmt::Debug for SigningSession<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningSession")
            .field("package", &self.package)
            .field("waiting_for", &self.waiting_for().count())
            .finish_non_exhaustive()
    }
}
