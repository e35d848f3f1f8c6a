//! The coordinator's steps. It has no secrets, and nobody has to trust it.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Secp256k1;
use quorate_sharing::Commitment;

use super::Scalar;
use super::certificate::{transcript, unsigned_vartime};
use super::error::{Error, Malformed};
use super::messages::{Contribution, SharesForOne, Sums};
#[cfg(test)]
use super::outcome::Raw;
use super::outcome::{Outcome, sum};
use super::output::{PublicOutput, made};
use super::params::Params;
use super::wire::{SIGNATURE, add_to, sum_of};

/// The coordinator, which has sent its sums and waits for the participants' signatures.
pub struct Coordinator {
    params: Params,
    sum: Commitment<Secp256k1>,
    transcript: Vec<u8>,
}

impl Coordinator {
    /// *coordinator_step1*: adds up the messages of the participants' first step. They are in the order of the
    /// parties, each under the sender that the transport names. The result, 162·n + 33·(t − 1) bytes, is for all
    /// participants.
    ///
    /// # Errors
    /// [`Error::WrongCount`], and [`Error::BadMessage`] with the sender. Proofs, nonces and shares are for the participants
    /// to check, as the draft has it.
    pub fn start(params: &Params, messages: &[impl AsRef<[u8]>]) -> Result<(Self, Vec<u8>), Error> {
        let contributions = read(params, messages)?;
        let others = (1..params.coefficients())
            .map(|place| sum_of(contributions.iter().filter_map(|one| one.commitment.get(place))));
        let mut shares = alloc::vec![Scalar::default(); params.count()];
        contributions.iter().for_each(|one| add_to(&mut shares, &one.shares));
        let constants = contributions.iter().filter_map(|one| one.commitment.first().copied());
        let sums = Sums {
            constants: constants.collect(),
            others: others.collect(),
            proofs: contributions.iter().map(|one| one.proof).collect(),
            nonces: contributions.iter().map(|one| one.nonce).collect(),
            shares,
        };
        let sum = sum(&sums.constants, &sums.others);
        let transcript = transcript(params, &sum, &sums.nonces, &sums.shares);
        Ok((Self { params: params.clone(), sum, transcript }, sums.to_bytes()))
    }

    /// *coordinator_finalize*: collects the signatures of step 2, in the order of the parties. The certificate of 64·n bytes
    /// is for all participants.
    ///
    /// # Errors
    /// [`Error::WrongCount`]; [`Error::BadMessage`] and [`Error::WrongSignature`] with the sender.
    pub fn finalize(
        self,
        signatures: &[impl AsRef<[u8]>],
    ) -> Result<(Vec<u8>, PublicOutput), Error> {
        let (certificate, recovery_data) = self.certify(signatures)?;
        let outcome = Outcome::of(&self.sum, &self.params)?;
        let (public, _) = made(self.params, &outcome, None, recovery_data)?;
        Ok((certificate, public))
    }

    /// The certificate, and the recovery data.
    fn certify(&self, signatures: &[impl AsRef<[u8]>]) -> Result<(Vec<u8>, Vec<u8>), Error> {
        let (got, expected) = (signatures.len(), self.params.count());
        if got != expected {
            return Err(Error::WrongCount { got, expected });
        }
        let mut certificate = Vec::new();
        for (from, signature) in self.params.parties().iter().zip(signatures) {
            let (signature, expected) = (signature.as_ref(), SIGNATURE);
            if signature.len() != expected {
                let why = Malformed::Length { got: signature.len(), expected };
                return Err(Error::BadMessage { from, why });
            }
            certificate.extend_from_slice(signature);
        }
        if let Some(from) = unsigned_vartime(&self.params, &self.transcript, &certificate) {
            return Err(Error::WrongSignature { from });
        }
        let recovery_data = [self.transcript.as_slice(), &certificate].concat();
        Ok((certificate, recovery_data))
    }

    /// *coordinator_investigate*: a message for each participant, in the order of the parties, 65·n bytes each. They are made
    /// of the participants' first messages; none of them is secret.
    ///
    /// # Errors
    /// The errors of [`Self::start`].
    pub fn investigate(
        params: &Params,
        messages: &[impl AsRef<[u8]>],
    ) -> Result<Vec<Vec<u8>>, Error> {
        let contributions = read(params, messages)?;
        let parties = params.parties().as_slice();
        let public = |one: &Contribution| {
            Commitment::<Secp256k1>::from_points(one.commitment.clone())
                .evaluate_all_vartime(parties)
        };
        let public: Vec<_> = contributions.iter().map(public).collect();
        let message = |place: usize| {
            let shares = contributions.iter().filter_map(|one| one.shares.get(place).copied());
            let public = public.iter().filter_map(|all| all.get(place).copied());
            SharesForOne { shares: shares.collect(), public_shares: public.collect() }.to_bytes()
        };
        Ok((0..params.count()).map(message).collect())
    }

    /// Finalizes as [`Self::finalize`], for any threshold, in the draft's form.
    #[cfg(test)]
    pub(super) fn raw(&self, signatures: &[impl AsRef<[u8]>]) -> Result<(Vec<u8>, Raw), Error> {
        let (certificate, data) = self.certify(signatures)?;
        let (key, shares) = Outcome::of(&self.sum, &self.params)?.encoded();
        Ok((certificate, Raw { secret: None, key, shares, data }))
    }
}

/// The participants' first messages.
fn read(params: &Params, messages: &[impl AsRef<[u8]>]) -> Result<Vec<Contribution>, Error> {
    let (got, expected) = (messages.len(), params.count());
    if got != expected {
        return Err(Error::WrongCount { got, expected });
    }
    let read = |(from, bytes): (_, &[u8])| {
        Contribution::read(bytes, params).map_err(|why| Error::BadMessage { from, why })
    };
    params.parties().iter().zip(messages.iter().map(AsRef::as_ref)).map(read).collect()
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coordinator").field("params", &self.params).finish_non_exhaustive()
    }
}
