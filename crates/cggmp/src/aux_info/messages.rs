//! The messages of the making of auxiliary information.

use alloc::vec::Vec;

use quorate_paillier::{EncryptionKey, Level, Pedersen};
use quorate_session::{Fault, Limits, PartyId, Round, wire::Reader};
use quorate_zk::{pi_fac, pi_mod, pi_prm};

use crate::proofs::{RunBinding, number};

/// Bytes of V_i, and of a confirmation.
pub(crate) const DIGEST: usize = 32;
/// Bytes of the two random strings of a reveal.
const STRINGS: usize = 2 * 32;

/// The limits of the rounds.
pub(crate) fn limits(level: Level, round: Round) -> Limits {
    match round {
        Round(2) => Limits { broadcast: reveal_length(level), direct: 0 },
        Round(3) => {
            let (broadcast, direct) = (pi_mod::proof_bytes(level), pi_fac::proof_bytes(level));
            Limits { broadcast, direct }
        }
        _ => Limits { broadcast: DIGEST, direct: 0 },
    }
}

/// Bytes of a reveal.
fn reveal_length(level: Level) -> usize {
    let numbers = level.modulus_bytes().saturating_mul(4);
    numbers.saturating_add(pi_prm::proof_bytes(level)).saturating_add(STRINGS)
}

/// Round 1: `V_i`, by the bytes of the reveal.
pub(crate) fn digest(
    binding: impl Into<RunBinding>,
    party: PartyId,
    reveal: &[u8],
) -> [u8; DIGEST] {
    let mut transcript = binding.into().transcript("quorate-cggmp aux-info commitment");
    transcript.append_u64("party", party.get().into());
    transcript.append("reveal", reveal);
    transcript.finish32()
}

/// Round 2: the public contribution of a party, to which `V_i` commits. Πprm is read beside it, since it is not needed once
/// it is verified.
#[derive(Clone)]
pub(crate) struct Reveal {
    /// `rid_i`
    pub(crate) rid: [u8; 32],
    /// `N_i`
    pub(crate) key: EncryptionKey,
    /// `(N̂_i, s_i, t_i)`
    pub(crate) setup: Pedersen,
}

impl Reveal {
    /// `rid_i ‖ u_i ‖ N_i ‖ N̂_i ‖ s_i ‖ t_i ‖ Πprm_i`, where `u_i` is the blinding of the commitment.
    pub(super) fn encode(&self, blinding: &[u8; 32], prm: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(reveal_length(self.key.level()));
        bytes.extend_from_slice(&self.rid);
        bytes.extend_from_slice(blinding);
        bytes.extend(self.key.to_bytes());
        bytes.extend(self.setup.to_bytes());
        bytes.extend_from_slice(prm);
        bytes
    }

    /// Figure 7, round 3: sizes and membership. N and N̂ are odd and of exactly the level's length,
    /// s and t units other than 1 and −1 and not equal. With Πprm, which is not verified.
    pub(crate) fn from_bytes(bytes: &[u8], level: Level) -> Result<(Self, &[u8]), Fault> {
        let mut reader = Reader::new(bytes);
        let (rid, _blinding): ([u8; 32], [u8; 32]) = (reader.array()?, reader.array()?);
        let len = level.modulus_bytes();
        let key = EncryptionKey::from_bytes(level, reader.bytes(len)?).map_err(number)?;
        let setup = reader.bytes(len.saturating_mul(3))?;
        // Any fault of a setup is one of its modulus.
        let setup = Pedersen::from_bytes(level, setup).map_err(|_| Fault::InvalidModulus)?;
        let prm = reader.bytes(pi_prm::proof_bytes(level))?;
        reader.finish()?;
        Ok((Self { rid, key, setup }, prm))
    }
}
