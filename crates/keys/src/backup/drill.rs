//! A drill: the proof that the offline key opens a backup.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_session::rand_core::CryptoRng;
use quorate_session::{PartyId, Transcript, wire::Reader};

use super::Backup;
use crate::error::DecodeError;
use crate::health::{HealthChallenge, HealthError};
use crate::schnorr::Schnorr;
use crate::wire::{self, DRILL, decoded, put_party, read_party};
use crate::{Family, Scalar, SecretShare, SharedKey};

/// The proof that, after a [`HealthChallenge`] was drawn, one machine knew both the share in a backup and the key
/// to which the backup is sealed. The party that holds the share online cannot make it, since it does not have
/// that key.
#[derive(Clone, PartialEq, Eq)]
pub struct Drill<F: Family> {
    party: PartyId,
    backup: [u8; 32],
    challenge: HealthChallenge,
    share: Schnorr<F::Curve>,
    key: Schnorr<F::Curve>,
}

impl<F: Family> Drill<F> {
    pub(super) fn prove(
        backup: &Backup<F>,
        share: &SecretShare<F>,
        key: &Secret<Scalar<F>>,
        challenge: &HealthChallenge,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Self {
        let digest = backup.digest();
        let statement =
            |what| statement::<F>(what, &digest, share.verifying_share().as_ref(), challenge);
        Self {
            party: backup.party,
            share: Schnorr::prove_hedged(statement(SHARE), share.secret().expose(), rng),
            key: Schnorr::prove_hedged(statement(KEY), key.expose(), rng),
            backup: digest,
            challenge: *challenge,
        }
    }

    /// The party whose share is in the backup.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.party
    }

    /// Verifies that the owner of its recipient's key could open `backup`, after `challenge` was drawn. An honest
    /// recipient has [verified](Backup::verify) the backup; a corrupt one can make the same proof for an altered
    /// backup.
    ///
    /// # Errors
    /// The [`HealthError`], which names the reason.
    pub fn verify(
        &self,
        backup: &Backup<F>,
        shared: &SharedKey<F>,
        challenge: &HealthChallenge,
    ) -> Result<(), HealthError> {
        if self.challenge != *challenge {
            return Err(HealthError::OtherChallenge);
        }
        if self.party != backup.party {
            return Err(HealthError::OtherParty { expected: backup.party, got: self.party });
        }
        if self.backup != backup.digest() {
            return Err(HealthError::OtherBackup);
        }
        backup.package.check_belongs_to(&shared.package_id())?;
        let party = backup.party;
        let point = shared.share_point(party).ok_or(HealthError::NotAHolder(party))?;
        let encoded = F::Curve::encode_point(point);
        let statement = |what| statement::<F>(what, &self.backup, encoded.as_ref(), challenge);
        let verified = self.share.verifies(statement(SHARE), point)
            && self.key.verifies(statement(KEY), &backup.recipient.key.point);
        if verified { Ok(()) } else { Err(HealthError::Invalid) }
    }

    /// The form that is sent.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = F::label(DRILL);
        let mut bytes = label.start(512);
        put_party(&mut bytes, self.party);
        bytes.extend_from_slice(&self.backup);
        bytes.extend_from_slice(&self.challenge.to_bytes());
        self.share.put(&mut bytes);
        self.key.put(&mut bytes);
        label.end_public(bytes)
    }

    /// Reads the form that is sent, strictly.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        wire::open::<F, _>(bytes, DRILL, |reader: &mut Reader<'_>| {
            Ok(Self {
                party: read_party(reader)?,
                backup: reader.array()?,
                challenge: HealthChallenge::from_bytes(reader.array()?),
                share: decoded(Schnorr::read(reader))?,
                key: decoded(Schnorr::read(reader))?,
            })
        })
    }
}

impl<F: Family> fmt::Debug for Drill<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drill").field("party", &self.party).finish_non_exhaustive()
    }
}

/// The two proofs.
const SHARE: &str = "knowledge of the share";
const KEY: &str = "knowledge of the recipient's key";

/// The statement of one of the proofs. The digest of the backup hashes family, package, party and recipient.
fn statement<F: Family>(
    what: &'static str,
    backup: &[u8; 32],
    share: &[u8],
    challenge: &HealthChallenge,
) -> Transcript {
    let mut transcript = Transcript::new("quorate-keys drill");
    transcript.append("family", F::NAME.as_bytes());
    transcript.append("proof", what.as_bytes());
    transcript.append("backup", backup);
    transcript.append("S", share);
    transcript.append("challenge", &challenge.to_bytes());
    transcript
}
