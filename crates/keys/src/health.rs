//! Share health: a party shows that the share in its store still belongs to the key, without signing.
//!
//! The verifier draws a [`HealthChallenge`], and the party answers with a Schnorr proof that it knows `s_i` with
//! `s_i·G = S_i`. The proof hashes the family, the package, the party, `S_i` and the challenge under a domain of
//! its own. So it cannot serve as a signature, as another proof of this library, or as an answer to another
//! challenge.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, RandomnessError};
use quorate_session::rand_core::CryptoRng;
use quorate_session::{PartyId, Transcript, wire::Reader};

use crate::error::{DecodeError, Mismatch};
use crate::schnorr::Schnorr;
use crate::wire::{self, SHARE_HEALTH, decoded, put_party, read_party};
use crate::{Family, PackageId, SecretShare, SharedKey};

/// The question that a [`ShareHealth`] or a [`Drill`](crate::Drill) answers: 32 random bytes, drawn by the
/// verifier for one answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HealthChallenge([u8; 32]);

impl HealthChallenge {
    /// Draws a fresh challenge. An old one proves only that the prover had the share when the challenge was first
    /// used.
    ///
    /// # Errors
    /// [`RandomnessError`] if the generator gives zeros only.
    pub fn new(rng: &mut (impl CryptoRng + ?Sized)) -> Result<Self, RandomnessError> {
        let mut bytes = [0; 32];
        rng.fill_bytes(&mut bytes);
        if bytes == [0; 32] { Err(RandomnessError) } else { Ok(Self(bytes)) }
    }

    /// The challenge that the verifier has sent.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes to send to the prover.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 32] {
        self.0
    }
}

/// The reason why an answer to a [`HealthChallenge`] shows nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HealthError {
    /// An answer to another challenge, perhaps an old one.
    OtherChallenge,
    /// An answer about another party's share.
    OtherParty {
        /// The party that was asked.
        expected: PartyId,
        /// The party in the answer.
        got: PartyId,
    },
    /// The party holds no share of the key, according to the public value.
    NotAHolder(PartyId),
    /// The share is not of this key, epoch or package.
    Mismatch(Mismatch),
    /// An answer about another backup, or about one to another recipient. Only for a [`Drill`](crate::Drill).
    OtherBackup,
    /// The equation does not hold, so the author of the answer does not know the share.
    Invalid,
}

impl fmt::Display for HealthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherChallenge => f.write_str("it answers another challenge: ask again"),
            Self::OtherParty { expected, got } => {
                write!(f, "expected an answer of party {expected}, got one of party {got}")
            }
            Self::NotAHolder(party) => write!(f, "party {party} holds no share of the key"),
            Self::Mismatch(why) => write!(f, "the share is not one of this public value: {why}"),
            Self::OtherBackup => f.write_str("it is about another backup"),
            Self::Invalid => f.write_str("the proof does not verify: the share is not known there"),
        }
    }
}

impl core::error::Error for HealthError {}

impl From<Mismatch> for HealthError {
    fn from(error: Mismatch) -> Self {
        Self::Mismatch(error)
    }
}

/// A proof that a party has its share of a key, for one [`HealthChallenge`].
#[derive(Clone, PartialEq, Eq)]
pub struct ShareHealth<F: Family> {
    party: PartyId,
    package: PackageId,
    challenge: HealthChallenge,
    proof: Schnorr<F::Curve>,
}

impl<F: Family> SecretShare<F> {
    /// Answers a challenge. Read the share back from the store first, since the challenge is about the stored
    /// share.
    ///
    /// The state of the share is not checked, because an unconfirmed share belongs to its package too.
    #[must_use]
    pub fn prove_health(
        &self,
        challenge: &HealthChallenge,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> ShareHealth<F> {
        let (party, package) = (self.id(), self.package_id());
        let statement = statement::<F>(party, &package, self.verifying_share().as_ref(), challenge);
        let proof = Schnorr::prove_hedged(statement, self.secret().expose(), rng);
        ShareHealth { party, package, challenge: *challenge, proof }
    }
}

impl<F: Family> ShareHealth<F> {
    /// The party that answered.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.party
    }

    /// The package to which its share belongs.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.package
    }

    /// Verifies that `party` has its share of `shared`, and had it after `challenge` was drawn.
    ///
    /// # Errors
    /// The [`HealthError`], which names the reason.
    pub fn verify(
        &self,
        shared: &SharedKey<F>,
        party: PartyId,
        challenge: &HealthChallenge,
    ) -> Result<(), HealthError> {
        if self.challenge != *challenge {
            return Err(HealthError::OtherChallenge);
        }
        if self.party != party {
            return Err(HealthError::OtherParty { expected: party, got: self.party });
        }
        self.package.check_belongs_to(&shared.package_id())?;
        let key = shared.share_point(party).ok_or(HealthError::NotAHolder(party))?;
        let encoded = F::Curve::encode_point(key);
        let statement = statement::<F>(party, &self.package, encoded.as_ref(), challenge);
        if self.proof.verifies(statement, key) { Ok(()) } else { Err(HealthError::Invalid) }
    }

    /// The form that is sent.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = F::label(SHARE_HEALTH);
        let mut bytes = label.start(256);
        put_party(&mut bytes, self.party);
        self.package.put(&mut bytes);
        bytes.extend_from_slice(&self.challenge.0);
        self.proof.put(&mut bytes);
        label.end_public(bytes)
    }

    /// Reads the form that is sent, strictly.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        wire::open::<F, _>(bytes, SHARE_HEALTH, |reader: &mut Reader<'_>| {
            let party = read_party(reader)?;
            let package = PackageId::read(reader)?;
            let challenge = HealthChallenge(reader.array()?);
            Ok(Self { party, package, challenge, proof: decoded(Schnorr::read(reader))? })
        })
    }
}

impl<F: Family> fmt::Debug for ShareHealth<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShareHealth")
            .field("party", &self.party)
            .field("package", &self.package)
            .finish_non_exhaustive()
    }
}

/// The statement of the proof.
fn statement<F: Family>(
    party: PartyId,
    package: &PackageId,
    share: &[u8],
    challenge: &HealthChallenge,
) -> Transcript {
    let mut transcript = Transcript::new("quorate-keys share health");
    transcript.append("family", F::NAME.as_bytes());
    transcript.append("curve", F::Curve::NAME.as_bytes());
    package.append_to(&mut transcript);
    transcript.append_u64("party", party.get().into());
    transcript.append("S", share);
    transcript.append("challenge", &challenge.0);
    transcript
}
