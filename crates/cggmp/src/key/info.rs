//! The public side of a key.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::{Parties, PartyId, Transcript, wire::Reader};
use quorate_sharing::Commitment;
use zeroize::Zeroizing;

use super::{MAX_PARTIES, threshold_fits};
use crate::hd::{DerivationPath, Derived};
use crate::wire::{self, Kind, POINT, put_parties, read_parties, truncated};
use crate::{DecodeError, DeriveError, EcdsaCurve, VerifyingKey};

/// The public side of a key, equal at all parties: the group key X, who holds shares of it and how
/// many it takes, each party's public share `X_j`, the chain code for derivation, and rid, the
/// randomness that all contributed to, which later proofs are bound to.
///
/// All of the public shares come from one Feldman commitment of exactly t points, so they lie on
/// one polynomial of degree t − 1 with X at zero, whatever was stored.
///
/// The chain code is not a secret, but who has it and X can link all derived keys to each other.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyInfo<C: EcdsaCurve> {
    threshold: u16,
    epoch: u32,
    parties: Parties,
    commitment: Commitment<C>,
    key: VerifyingKey<C>,
    /// `X_j`, in the order of the parties, as are the bytes.
    shares: Vec<C::Point>,
    share_bytes: Vec<C::PointBytes>,
    chain_code: [u8; 32],
    rid: [u8; 32],
}

impl<C: EcdsaCurve> KeyInfo<C> {
    /// Puts a key together from the commitment to its polynomial.
    pub(crate) fn new(
        epoch: u32,
        parties: Parties,
        commitment: Commitment<C>,
        chain_code: [u8; 32],
        rid: [u8; 32],
    ) -> Result<Self, DecodeError> {
        let threshold =
            u16::try_from(commitment.len()).map_err(|_| bad_threshold(usize::MAX, &parties))?;
        if parties.len() > MAX_PARTIES {
            return Err(DecodeError::BadParties { got: parties.len() });
        }
        if !threshold_fits(threshold, &parties) {
            return Err(bad_threshold(threshold.into(), &parties));
        }
        let key = VerifyingKey::new(*commitment.constant()).ok_or(DecodeError::BadPoint)?;
        let shares = commitment.evaluate_all_vartime(parties.as_slice());
        if shares.iter().any(C::is_identity) {
            return Err(DecodeError::Inconsistent("a public share is the identity"));
        }
        let share_bytes = C::encode_points(&shares);
        Ok(Self {
            threshold,
            epoch,
            parties,
            commitment,
            key,
            shares,
            share_bytes,
            chain_code,
            rid,
        })
    }

    /// The group's public key.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey<C> {
        &self.key
    }

    /// The number of signers that it takes: t of t-of-n, at least 2.
    #[must_use]
    pub const fn threshold(&self) -> u16 {
        self.threshold
    }

    /// The number of refreshes of the shares so far; 0 for a new key.
    #[must_use]
    pub const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// All parties that hold a share.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        &self.parties
    }

    /// A party's public share `X_j` in compressed form.
    #[must_use]
    pub fn verifying_share(&self, party: PartyId) -> Option<&C::PointBytes> {
        self.share_bytes.get(self.parties.position(party)?)
    }

    /// A party's public share `X_j`.
    #[must_use]
    pub fn share_point(&self, party: PartyId) -> Option<&C::Point> {
        self.shares.get(self.parties.position(party)?)
    }

    /// The commitment to the polynomial of the key: t points, the group key first.
    #[must_use]
    pub const fn commitment(&self) -> &Commitment<C> {
        &self.commitment
    }

    /// The chain code for derivation (BIP-32, SLIP-10), contributed to by all parties.
    #[must_use]
    pub const fn chain_code(&self) -> &[u8; 32] {
        &self.chain_code
    }

    /// rid: the random string that all parties contributed to when the shares were made.
    #[must_use]
    pub const fn rid(&self) -> &[u8; 32] {
        &self.rid
    }

    /// A name for the key, equal at all its parties and over all epochs.
    #[must_use]
    pub fn key_id(&self) -> [u8; 32] {
        self.key.key_id()
    }

    /// The shares of these parties of the key `X + shift·G`, with another chain code.
    ///
    /// # Errors
    /// [`DeriveError::Identity`] if the new key, or a party's share of it, is the identity.
    pub fn shift(&self, shift: &C::Scalar, chain_code: [u8; 32]) -> Result<Self, DeriveError> {
        let mut points = self.commitment.points().to_vec();
        if let Some(constant) = points.first_mut() {
            *constant = *constant + C::mul_base(shift);
        }
        let commitment = Commitment::from_points(points);
        Self::new(self.epoch, self.parties.clone(), commitment, chain_code, self.rid)
            .map_err(|_| DeriveError::Identity)
    }

    /// The descendant of this key at `path`.
    ///
    /// # Errors
    /// [`DeriveError`] if there is none.
    pub fn derive(&self, path: &DerivationPath) -> Result<Self, DeriveError> {
        let Derived { tweak, chain_code, .. } = self.derivation(path)?;
        self.shift(&tweak, chain_code)
    }

    /// The shift of the secret key to a descendant, with the descendant's public values.
    ///
    /// # Errors
    /// [`DeriveError`] if there is no such descendant.
    pub fn derivation(&self, path: &DerivationPath) -> Result<Derived<C>, DeriveError> {
        Derived::at(&self.key, &self.chain_code, path)
    }

    /// The stored form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = wire::start::<C>(Kind::KeyInfo, self.encoded_len());
        self.encode_into(&mut bytes);
        wire::end_public(bytes)
    }

    /// Opens a stored form, strictly.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        wire::read(wire::open::<C>(bytes, Kind::KeyInfo)?, Self::read)
    }

    /// A digest of all of it.
    pub(crate) fn digest(&self) -> [u8; 32] {
        let mut transcript = Transcript::new("quorate-cggmp key info");
        transcript.append("info", &self.to_bytes());
        transcript.finish32()
    }

    pub(super) fn encoded_len(&self) -> usize {
        let points = self.commitment.len().saturating_mul(POINT);
        let ids = self.parties.len().saturating_mul(2);
        points.saturating_add(ids).saturating_add(2 + 4 + 2 + 32 + 32)
    }

    /// threshold ‖ epoch ‖ parties ‖ t points ‖ chain code ‖ rid.
    pub(super) fn encode_into(&self, bytes: &mut Zeroizing<Vec<u8>>) {
        bytes.extend_from_slice(&self.threshold.to_be_bytes());
        bytes.extend_from_slice(&self.epoch.to_be_bytes());
        put_parties(bytes, &self.parties);
        self.commitment.bytes().iter().for_each(|point| bytes.extend_from_slice(point));
        bytes.extend_from_slice(&self.chain_code);
        bytes.extend_from_slice(&self.rid);
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let threshold = reader.u16().map_err(truncated)?;
        let epoch = reader.u32().map_err(truncated)?;
        let parties = read_parties(reader)?;
        if !threshold_fits(threshold, &parties) {
            return Err(bad_threshold(threshold.into(), &parties));
        }
        let length = usize::from(threshold);
        let points = reader.bytes(length.saturating_mul(POINT)).map_err(truncated)?;
        let commitment = Commitment::decode(points, length).map_err(|_| DecodeError::BadPoint)?;
        let chain_code = reader.array().map_err(truncated)?;
        let rid = reader.array().map_err(truncated)?;
        Self::new(epoch, parties, commitment, chain_code, rid)
    }
}

fn bad_threshold(threshold: usize, parties: &Parties) -> DecodeError {
    DecodeError::BadThreshold { threshold, parties: parties.len() }
}

impl<C: EcdsaCurve> fmt::Debug for KeyInfo<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyInfo")
            .field("curve", &C::NAME)
            .field("key", &self.key)
            .field("threshold", &self.threshold)
            .field("parties", &self.parties.len())
            .field("epoch", &self.epoch)
            .finish_non_exhaustive()
    }
}
