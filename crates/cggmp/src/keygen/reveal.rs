//! What a party commits to in round 1 and reveals in round 2.

use alloc::vec::Vec;

use quorate_session::{Fault, PartyId, wire::Reader};
use quorate_sharing::Commitment;

use crate::EcdsaCurve;
use crate::proofs::RunBinding;
use crate::wire::POINT;

/// Bytes of the three random strings.
const STRINGS: usize = 3 * 32;

/// Bytes of a reveal for a threshold.
pub(super) fn length(threshold: usize) -> usize {
    threshold.saturating_add(1).saturating_mul(POINT).saturating_add(STRINGS)
}

/// Everything public that a party contributes.
#[derive(Clone)]
pub(crate) struct Reveal<C: EcdsaCurve> {
    /// This party's part of rid: rid_i.
    pub(crate) rid: [u8; 32],
    /// Its part of the chain code: chain_i.
    pub(crate) chain_code: [u8; 32],
    /// The blinding of its commitment: u_i.
    pub(super) blinding: [u8; 32],
    /// The commitment of its proof of knowledge, with its encoding: A_i.
    pub(crate) nonce: (C::Point, C::PointBytes),
    /// The Feldman commitment to its polynomial, t points: F_i.
    pub(crate) commitment: Commitment<C>,
}

impl<C: EcdsaCurve> Reveal<C> {
    /// V_i.
    pub(crate) fn digest(&self, names: impl Into<RunBinding>, party: PartyId) -> [u8; 32] {
        let mut transcript = names.into().transcript("quorate-cggmp keygen commitment");
        transcript.append_u64("party", party.get().into());
        transcript.append("rid", &self.rid);
        transcript.append_list("F", self.commitment.bytes());
        transcript.append("A", &self.nonce.1);
        transcript.append("chain code", &self.chain_code);
        transcript.append("u", &self.blinding);
        transcript.finish32()
    }

    /// rid_i ‖ chain_i ‖ u_i ‖ A_i ‖ F_i.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length(self.commitment.len()));
        bytes.extend_from_slice(&self.rid);
        bytes.extend_from_slice(&self.chain_code);
        bytes.extend_from_slice(&self.blinding);
        bytes.extend_from_slice(&self.nonce.1);
        self.commitment.encode_into(&mut bytes);
        bytes
    }

    /// Reads a reveal with exactly `threshold` coefficients, strictly.
    pub(crate) fn from_bytes(bytes: &[u8], threshold: usize) -> Result<Self, Fault> {
        if bytes.len() != length(threshold) {
            return Err(Fault::WrongLength);
        }
        let mut reader = Reader::new(bytes);
        let (rid, chain_code, blinding) = (reader.array()?, reader.array()?, reader.array()?);
        let points = reader.bytes(reader.remaining())?;
        let identity = C::encode_point(&C::identity());
        if points.chunks_exact(POINT).any(|point| *point == identity) {
            return Err(Fault::IdentityCommitment);
        }
        let (nonce_bytes, commitment) =
            points.split_first_chunk::<POINT>().ok_or(Fault::WrongLength)?;
        let nonce = C::decode_point(nonce_bytes).ok_or(Fault::InvalidPoint)?;
        let commitment =
            Commitment::decode(commitment, threshold).map_err(|_| Fault::InvalidPoint)?;
        Ok(Self { rid, chain_code, blinding, nonce: (nonce, *nonce_bytes), commitment })
    }
}
