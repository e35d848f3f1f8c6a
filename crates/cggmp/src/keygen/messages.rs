//! The messages of a key generation.

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_session::wire::{Reader, joined};
use quorate_session::{Fault, Limits, PartyId, Round};
use quorate_sharing::Commitment;
use zeroize::Zeroizing;

use crate::EcdsaCurve;
use crate::proofs::RunBinding;
use crate::wire::{POINT, SCALAR};

/// Bytes of V_i, and of a confirmation.
pub(super) const DIGEST: usize = 32;
/// Bytes of a proof: A' ‖ z.
pub(crate) const PROOF: usize = POINT + SCALAR;
/// Bytes of the three random strings of a reveal.
const STRINGS: usize = 3 * 32;

/// The limits of the rounds.
pub(crate) fn limits(threshold: u16, round: Round) -> Limits {
    match round {
        Round(2) => Limits { broadcast: reveal_length(threshold.into()), direct: SCALAR },
        Round(3) => Limits { broadcast: PROOF, direct: 0 },
        _ => Limits { broadcast: DIGEST, direct: 0 },
    }
}

/// Bytes of a reveal for a threshold.
fn reveal_length(threshold: usize) -> usize {
    threshold.saturating_add(1).saturating_mul(POINT).saturating_add(STRINGS)
}

/// Round 2, broadcast: the public contribution of a party, to which V_i commits.
#[derive(Clone)]
pub(crate) struct Reveal<C: EcdsaCurve> {
    /// This party's part of rid: rid_i.
    pub(crate) rid: [u8; 32],
    /// This party's part of the chain code: chain_i.
    pub(crate) chain_code: [u8; 32],
    /// The blinding of this party's commitment: u_i.
    pub(super) blinding: [u8; 32],
    /// The commitment of its proof of knowledge, with its encoding: A_i.
    pub(crate) nonce: (C::Point, C::PointBytes),
    /// The Feldman commitment to its polynomial, t points: F_i.
    pub(crate) commitment: Commitment<C>,
}

impl<C: EcdsaCurve> Reveal<C> {
    /// V_i.
    pub(crate) fn digest(&self, binding: impl Into<RunBinding>, party: PartyId) -> [u8; DIGEST] {
        let mut transcript = binding.into().transcript("quorate-cggmp keygen commitment");
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
        let mut bytes = Vec::with_capacity(reveal_length(self.commitment.len()));
        bytes.extend_from_slice(&self.rid);
        bytes.extend_from_slice(&self.chain_code);
        bytes.extend_from_slice(&self.blinding);
        bytes.extend_from_slice(&self.nonce.1);
        self.commitment.encode_into(&mut bytes);
        bytes
    }

    /// Reads a reveal with exactly `threshold` coefficients, strictly.
    pub(crate) fn from_bytes(bytes: &[u8], threshold: usize) -> Result<Self, Fault> {
        if bytes.len() != reveal_length(threshold) {
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

/// A reveal that an opened session has read before: its bytes, and A_i in them.
pub(crate) struct Shown<C: EcdsaCurve> {
    bytes: Vec<u8>,
    nonce: C::PointBytes,
}

impl<C: EcdsaCurve> Shown<C> {
    /// `None` for bytes that are too short.
    pub(super) fn new(bytes: &[u8]) -> Option<Self> {
        let (nonce, _) = bytes.get(STRINGS..)?.split_first_chunk::<POINT>()?;
        Some(Self { bytes: bytes.to_vec(), nonce: *nonce })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A_i, with its encoding.
    pub(super) fn nonce(&self) -> Option<(C::Point, &C::PointBytes)> {
        Some((C::decode_point(&self.nonce)?, &self.nonce))
    }
}

/// Round 2, direct: the shares f_i(j).
pub(super) fn encode_shares<C: EcdsaCurve>(
    to: &[PartyId],
    shares: &[C::Scalar],
) -> Vec<(PartyId, Vec<u8>)> {
    let encode = |share| Zeroizing::new(C::encode_scalar(share)).to_vec();
    to.iter().zip(shares).map(|(to, share)| (*to, encode(share))).collect()
}

/// Reads f_j(i).
pub(crate) fn read_share<C: EcdsaCurve>(bytes: &[u8]) -> Result<Secret<C::Scalar>, Fault> {
    if bytes.len() != SCALAR {
        return Err(Fault::WrongLength);
    }
    Secret::try_make(|| C::decode_scalar(bytes)).ok_or(Fault::InvalidScalar)
}

/// Round 3: A'_i ‖ z_i.
pub(super) fn encode_proof<C: EcdsaCurve>(late: &C::PointBytes, z: &C::Scalar) -> [u8; PROOF] {
    joined(&[late, &C::encode_scalar(z)])
}
