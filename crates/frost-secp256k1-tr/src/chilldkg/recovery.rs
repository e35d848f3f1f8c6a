//! Recovery: the output of a run, from the host key and public data.

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_frost::session::PartyId;
use quorate_sharing::Commitment;

use super::Scalar;
use super::certificate::{Purpose, is_signed_vartime, unsigned_vartime};
use super::error::{Error, Malformed};
use super::host::{HostKey, HostPublicKey};
use super::outcome::Outcome;
use super::output::{Output, PublicOutput, made};
use super::pads::received;
use super::params::Params;
use super::wire::{POINT, Parts, SCALAR, SIGNATURE};
use crate::KeyShare;

/// *participant_recover*: the output of a run in which this host key took part. The recovery data may come from
/// anybody. Each participant has signed it, including this one, after it had checked its share.
///
/// A participant that crashed after step 2, or never got a right certificate, recovers in the same way.
///
/// # Errors
/// [`Error::BadRecoveryData`], [`Error::UncertifiedRecoveryData`]; [`Error::NotAParticipant`] if it is not of a run of this
/// host key.
pub fn recover(host: &HostKey, recovery_data: &[u8]) -> Result<Output, Error> {
    let opened = Opened::new(recovery_data, Some(host))?;
    let me = opened.params.me(host)?;
    let secret = opened.secret(host, me)?;
    let (public, share) = opened.into_output(Some((me, &secret)), recovery_data)?;
    Ok(Output { share: share.ok_or(Error::Internal)?, public })
}

/// *coordinator_recover*: the public output of a run, for a party that took no part in it.
///
/// **It does not prove who the participants are**: anybody can run ChillDKG with host keys of its own. Compare
/// [`Params::digest`].
///
/// # Errors
/// The errors of [`recover`].
pub fn recover_public(recovery_data: &[u8]) -> Result<PublicOutput, Error> {
    Ok(Opened::new(recovery_data, None)?.into_output(None, recovery_data)?.0)
}

/// Recovery data that all its participants have signed.
pub(super) struct Opened {
    params: Params,
    outcome: Outcome,
    nonces: Vec<HostPublicKey>,
    shares: Vec<Scalar>,
}

impl Opened {
    /// Reads and verifies recovery data. The signature of this participant, which knows what it signed, is verified
    /// first. So made-up data costs only that one verification.
    pub(super) fn new(data: &[u8], host: Option<&HostKey>) -> Result<Self, Error> {
        let (threshold, count) = shape(data).ok_or(Error::BadRecoveryData)?;
        let bad = |_: Malformed| Error::BadRecoveryData;
        let mut parts = Parts::of(data, data.len()).map_err(bad)?;
        parts.array::<4>().map_err(bad)?;
        let sum = parts.points(usize::from(threshold)).map_err(bad)?;
        let host_keys = parts.arrays(count).map_err(bad)?;
        let params = Params::drafted(host_keys, threshold).map_err(|_| Error::BadRecoveryData)?;
        let nonces = parts.arrays(count).map_err(bad)?;
        let shares = parts.scalars(count).map_err(bad)?;
        let (text, certificate) = data
            .split_at_checked(data.len().saturating_sub(count.saturating_mul(SIGNATURE)))
            .ok_or(Error::BadRecoveryData)?;
        if let Some(of) = host.and_then(|host| params.party_of(host.public())) {
            let place = params.parties().position(of).ok_or(Error::Internal)?;
            let mine = certificate.chunks(SIGNATURE).nth(place).unwrap_or_default();
            if !is_signed_vartime(&params, of, Purpose::Certificate, text, mine) {
                return Err(Error::UncertifiedRecoveryData { of });
            }
        }
        if let Some(of) = unsigned_vartime(&params, text, certificate) {
            return Err(Error::UncertifiedRecoveryData { of });
        }
        let outcome = Outcome::of(&Commitment::from_points(sum), &params)?;
        Ok(Self { params, outcome, nonces, shares })
    }

    /// The participant's share.
    fn secret(&self, host: &HostKey, me: PartyId) -> Result<Secret<Scalar>, Error> {
        let pads = received(host, &self.nonces, &self.params, me)?;
        let place = self.params.parties().position(me).ok_or(Error::Internal)?;
        let encrypted = *self.shares.get(place).ok_or(Error::Internal)?;
        let share = Secret::make(|| pads.expose().iter().fold(encrypted, |sum, pad| sum - *pad));
        Ok(self.outcome.tweaked(&share))
    }

    fn into_output(
        self,
        share: Option<(PartyId, &Secret<Scalar>)>,
        data: &[u8],
    ) -> Result<(PublicOutput, Option<KeyShare>), Error> {
        made(self.params, &self.outcome, share, Vec::from(data))
    }
}

/// The threshold and the number of participants that recovery data of this length has.
fn shape(data: &[u8]) -> Option<(u16, usize)> {
    let (threshold, rest) = data.split_first_chunk::<4>()?;
    let threshold = u16::try_from(u32::from_be_bytes(*threshold)).ok()?;
    // Before any point is decoded.
    (usize::from(threshold) <= Params::MOST_PARTICIPANTS).then_some(())?;
    let rest = rest.get(usize::from(threshold).saturating_mul(POINT)..)?;
    let each = rest.chunks_exact(const { 2 * POINT + SCALAR + SIGNATURE });
    each.remainder().is_empty().then(|| (threshold, each.len()))
}
