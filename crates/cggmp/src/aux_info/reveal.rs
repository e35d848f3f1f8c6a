//! What a party commits to in round 1 and reveals in round 2.

use alloc::vec::Vec;

use quorate_paillier::{EncryptionKey, Level, Pedersen};
use quorate_session::{Fault, PartyId, wire::Reader};
use quorate_zk::pi_prm;

use crate::proofs::{RunBinding, number};

/// Bytes of the two random strings.
const STRINGS: usize = 2 * 32;

/// Bytes of a reveal.
pub(super) fn length(level: Level) -> usize {
    let numbers = level.modulus_bytes().saturating_mul(4);
    numbers.saturating_add(pi_prm::proof_bytes(level)).saturating_add(STRINGS)
}

/// Everything public that a party contributes.
#[derive(Clone)]
pub(crate) struct Reveal {
    /// `rid_i`
    pub(crate) rid: [u8; 32],
    /// The blinding of the commitment: `u_i`.
    pub(super) blinding: [u8; 32],
    /// `N_i`
    pub(crate) key: EncryptionKey,
    /// `(N̂_i, s_i, t_i)`
    pub(crate) setup: Pedersen,
    /// Πprm of the setup.
    pub(crate) prm: Vec<u8>,
}

impl Reveal {
    /// `rid_i ‖ u_i ‖ N_i ‖ N̂_i ‖ s_i ‖ t_i ‖ Πprm_i`
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&self.rid);
        bytes.extend_from_slice(&self.blinding);
        bytes.extend(self.key.to_bytes());
        bytes.extend(self.setup.to_bytes());
        bytes.extend_from_slice(&self.prm);
        bytes
    }

    /// Figure 7, round 3: sizes and membership. N and N̂ are odd and of exactly the level's length,
    /// s and t units other than 1 and −1 and not equal.
    pub(crate) fn from_bytes(bytes: &[u8], level: Level) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let (rid, blinding) = (reader.array()?, reader.array()?);
        let len = level.modulus_bytes();
        let key = EncryptionKey::from_bytes(level, reader.bytes(len)?).map_err(number)?;
        let setup = reader.bytes(len.saturating_mul(3))?;
        // Whatever is wrong with a setup, it is the setup.
        let setup = Pedersen::from_bytes(level, setup).map_err(|_| Fault::InvalidModulus)?;
        let prm = reader.bytes(pi_prm::proof_bytes(level))?.to_vec();
        reader.finish()?;
        Ok(Self { rid, blinding, key, setup, prm })
    }
}

/// `V_i` of the bytes of a reveal.
pub(crate) fn digest(names: impl Into<RunBinding>, party: PartyId, reveal: &[u8]) -> [u8; 32] {
    let mut transcript = names.into().transcript("quorate-cggmp aux-info commitment");
    transcript.append_u64("party", party.get().into());
    transcript.append("reveal", reveal);
    transcript.finish32()
}
