//! The coordinator's side of many signing sessions.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::PartyId;

use crate::aggregate::{complete, sum};
use crate::batch::{Item, all_hold};
use crate::binding::Binding;
use crate::error::{AggregateError, PackageError};
use crate::keys::PublicKeyPackage;
use crate::nonces::Commitments;
use crate::package::SigningPackage;
use crate::sign::{SignatureShare, unknown};
use crate::signature::Signature;
use crate::suite::{Ciphersuite, Scalar};

/// Makes signing packages for one key and turns the shares that come back into signatures.
///
/// A coordinator holds no secret. It can refuse to finish, and it sees every message; it cannot
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

    /// Starts a session: fixes the signers and the message. What follows from them is computed
    /// here, once, so that finishing costs one verification whatever the number of signers.
    ///
    /// # Errors
    /// A [`PackageError`]: fewer signers than the threshold, a signer unknown or twice, a message
    /// too long, or commitments that cancel each other.
    pub fn start(
        &self,
        commitments: impl IntoIterator<Item = Commitments<S>>,
        message: &[u8],
    ) -> Result<SigningSession<S>, PackageError> {
        let package = SigningPackage::new(commitments, message)?;
        if let Some(party) = unknown(&package, &self.public.parties) {
            return Err(PackageError::UnknownParty(party));
        }
        let need = usize::from(self.public.threshold);
        if package.ids.len() < need {
            return Err(PackageError::TooFewSigners { got: package.ids.len(), need });
        }
        let binding =
            Binding::new(&package, &self.public.key).ok_or(PackageError::IdentityCommitment)?;
        let mut shares = Vec::new();
        shares.resize(package.ids.len(), None);
        Ok(SigningSession { package, binding, shares })
    }

    /// Verifies one share of a session as it comes in, for protocols that replace a bad signer at
    /// once (ROAST). Without this, shares are verified together when the session is finished.
    ///
    /// # Errors
    /// [`AggregateError::Cheaters`] if it is wrong, [`AggregateError::UnexpectedShare`] if its
    /// party is none of the signers.
    pub fn verify_share(
        &self,
        session: &SigningSession<S>,
        share: &SignatureShare<S>,
    ) -> Result<(), AggregateError> {
        self.public.verify_one(&session.package, &session.binding, share)
    }

    /// Finishes a session: adds up and verifies once.
    ///
    /// # Errors
    /// As [`PublicKeyPackage::aggregate`]; missing shares are named and the session is gone, so
    /// ask [`SigningSession::waiting_for`] first.
    pub fn finish(&self, session: SigningSession<S>) -> Result<Signature<S>, AggregateError> {
        let z = complete(&session.package, &session.shares)?;
        self.public.finish(&session.package, &session.binding, &z)
    }

    /// Finishes many sessions, verifying all their signatures in one batch equation; only if it
    /// fails is each verified alone. The results are in the order of the sessions.
    pub fn finish_all(
        &self,
        sessions: Vec<SigningSession<S>>,
    ) -> Vec<Result<Signature<S>, AggregateError>> {
        let summed: Vec<_> = sessions
            .iter()
            .map(|session| {
                let z = complete(&session.package, &session.shares)?;
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
        sessions.into_iter().map(|session| self.finish(session)).collect()
    }
}

/// One signature in the making.
pub struct SigningSession<S: Ciphersuite> {
    package: SigningPackage<S>,
    binding: Binding<S>,
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
    /// [`ShareRejected`]; the session goes on unharmed, and the share that was there first stays.
    pub fn receive(
        &mut self,
        from: PartyId,
        share: SignatureShare<S>,
    ) -> Result<(), ShareRejected> {
        if from != share.id {
            return Err(ShareRejected::NotTheSenders);
        }
        let slot = self.package.position(share.id).and_then(|at| self.shares.get_mut(at));
        match slot {
            None => Err(ShareRejected::NotASigner),
            Some(Some(kept)) if *kept == share.z => Ok(()),
            Some(Some(_)) => Err(ShareRejected::Conflicting),
            Some(slot) => {
                *slot = Some(share.z);
                Ok(())
            }
        }
    }

    /// The signers whose shares have not come.
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

/// Why a share is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ShareRejected {
    /// The share names another party than the one that sent it.
    NotTheSenders,
    /// The party is none of the signers.
    NotASigner,
    /// The party has sent another share before.
    Conflicting,
}

impl fmt::Display for ShareRejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotTheSenders => "the share names another party than its sender",
            Self::NotASigner => "the party is none of the signers",
            Self::Conflicting => "the party has sent another share before",
        })
    }
}

impl core::error::Error for ShareRejected {}
