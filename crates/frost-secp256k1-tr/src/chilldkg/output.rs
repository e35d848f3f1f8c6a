//! The result of a run.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Secret;
use quorate_frost::session::PartyId;
use quorate_frost::session::rand_core::CryptoRng;

use super::Scalar;
use super::certificate::{Purpose, is_signed_vartime, signed_by};
use super::error::{Error, Malformed};
use super::host::HostKey;
use super::outcome::Outcome;
use super::params::Params;
use super::wire::SIGNATURE;
use crate::{KeyShare, PublicKeyPackage};

/// The result of a run that all participants and the coordinator have.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicOutput {
    params: Params,
    package: PublicKeyPackage,
    threshold_key: [u8; 33],
    public_shares: Vec<[u8; 33]>,
    recovery_data: Vec<u8>,
}

impl PublicOutput {
    /// The group's public key package. Its key has an even y-coordinate, as BIP-340 has it, and commits to no script.
    #[must_use]
    pub const fn package(&self) -> &PublicKeyPackage {
        &self.package
    }

    /// The parameters of the run.
    #[must_use]
    pub const fn params(&self) -> &Params {
        &self.params
    }

    /// The key as the draft gives it out, with a y-coordinate of either kind. It matters for BIP-445's plain tweaks alone:
    /// take the module `bip445`'s signers for this key (`Signers::for_key`) where another implementation has it so.
    #[must_use]
    pub const fn threshold_key(&self) -> &[u8; 33] {
        &self.threshold_key
    }

    /// The public shares of [`threshold_key`](Self::threshold_key), in the order of the parties.
    #[must_use]
    pub fn public_shares(&self) -> &[[u8; 33]] {
        &self.public_shares
    }

    /// The recovery data: 4 + 33·t + 162·n bytes. It is the same for all participants and the coordinator, and not
    /// secret, though it shows the keys. **Keep it** in more than one place. Only with it does a [`HostKey`] restore
    /// the share ([`recover`](super::recover)).
    #[must_use]
    pub fn recovery_data(&self) -> &[u8] {
        &self.recovery_data
    }

    /// Verifies the acknowledgements of all participants, in the order of the parties: the draft's
    /// *participant_recovery_acks_verify*. After that the key may be used, since everybody has the recovery data.
    ///
    /// # Errors
    /// [`Error::WrongCount`]; [`Error::BadMessage`] and [`Error::WrongAcknowledgement`] with the sender. The key is made
    /// in either case: ask again.
    pub fn verify_acknowledgements(
        &self,
        acknowledgements: &[impl AsRef<[u8]>],
    ) -> Result<(), Error> {
        let (got, expected) = (acknowledgements.len(), self.params.count());
        if got != expected {
            return Err(Error::WrongCount { got, expected });
        }
        for (from, signature) in self.params.parties().iter().zip(acknowledgements) {
            let signature = signature.as_ref();
            if signature.len() != SIGNATURE {
                let why = Malformed::Length { got: signature.len(), expected: SIGNATURE };
                return Err(Error::BadMessage { from, why });
            }
            let (purpose, data) = (Purpose::Acknowledgement, &self.recovery_data);
            if !is_signed_vartime(&self.params, from, purpose, data, signature) {
                return Err(Error::WrongAcknowledgement { from });
            }
        }
        Ok(())
    }
}

impl fmt::Debug for PublicOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublicOutput").field("package", &self.package).finish_non_exhaustive()
    }
}

/// The result of a run for one participant.
#[derive(Debug)]
pub struct Output {
    /// This participant's share: it signs, by BIP-445.
    pub share: KeyShare,
    /// The part of the result that all have.
    pub public: PublicOutput,
}

impl Output {
    /// This participant's signed word that it has stored the recovery data, 64 bytes, for all others: the draft's
    /// *participant_recovery_ack_sign*. Store it first.
    ///
    /// # Errors
    /// [`Error::OtherHostKey`] for another key than this participant's, [`Error::Internal`].
    pub fn acknowledge(&self, host: &HostKey, rng: &mut impl CryptoRng) -> Result<[u8; 64], Error> {
        let me = self.share.id();
        if self.public.params.party_of(host.public()) != Some(me) {
            return Err(Error::OtherHostKey);
        }
        signed_by(host, me, Purpose::Acknowledgement, &self.public.recovery_data, rng)
    }
}

/// The output of a certified transcript, with a share for a party that has one.
pub(super) fn made(
    params: Params,
    outcome: &Outcome,
    share: Option<(PartyId, &Secret<Scalar>)>,
    recovery_data: Vec<u8>,
) -> Result<(PublicOutput, Option<KeyShare>), Error> {
    let (package, share) = outcome.keys(&params, share)?;
    let (threshold_key, public_shares) = outcome.encoded();
    let public = PublicOutput { params, package, threshold_key, public_shares, recovery_data };
    Ok((public, share))
}
