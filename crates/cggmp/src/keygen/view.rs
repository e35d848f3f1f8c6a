//! The public view of a key generation once everything is revealed: by it the live round and
//! evidence judge alike.

use quorate_session::{Fault, Parties, PartyId, PerParty};
use quorate_sharing::Commitment;

use super::reveal::Reveal;
use super::round3::PROOF;
use crate::proofs::{RunBinding, xor};
use crate::schnorr;
use crate::wire::POINT;
use crate::{EcdsaCurve, KeyInfo};

/// The key that these reveals give, by ascending party: F = ΣF_j, rid = ⊕rid_j, and the chain code.
/// `None` if the key or a party's share of it is zero, which no party alone can bring about.
pub(crate) fn key_of<C: EcdsaCurve>(
    parties: &Parties,
    reveals: &PerParty<Reveal<C>>,
) -> Option<KeyInfo<C>> {
    let total = Commitment::sum(reveals.values().map(|reveal| &reveal.commitment))?;
    let joined = |part: fn(&Reveal<C>) -> &[u8; 32]| {
        reveals.values().fold([0; 32], |sum, reveal| xor(sum, part(reveal)))
    };
    let (chain_code, rid) = (joined(|reveal| &reveal.chain_code), joined(|reveal| &reveal.rid));
    KeyInfo::new(0, parties.clone(), total, chain_code, rid).ok()
}

/// The reveals of a run and the key that they give.
pub(crate) struct View<'v, C: EcdsaCurve> {
    pub(crate) names: RunBinding,
    pub(crate) key: &'v KeyInfo<C>,
    /// By ascending party.
    pub(crate) reveals: &'v PerParty<Reveal<C>>,
}

impl<C: EcdsaCurve> View<'_, C> {
    /// e = H(sid, i, rid, X_i, A_i, A'_i); the session id is in the run's context.
    pub(crate) fn challenge(
        &self,
        party: PartyId,
        commitments: [&C::PointBytes; 2],
    ) -> Option<C::Scalar> {
        let x = self.key.verifying_share(party)?;
        let mut context = self.names.transcript("quorate-cggmp keygen proof of knowledge");
        context.append_u64("party", party.get().into());
        context.append("rid", self.key.rid());
        Some(schnorr::challenge::<C>(context, x, commitments))
    }

    /// Figure 6, output: zG = A_i + A'_i + eX_i, of `A'_i ‖ z_i`.
    pub(crate) fn verify(&self, from: PartyId, proof: &[u8]) -> Result<[u8; PROOF], Fault> {
        let proof = <[u8; PROOF]>::try_from(proof).map_err(|_| Fault::WrongLength)?;
        let (late_bytes, z) = proof.split_first_chunk::<POINT>().ok_or(Fault::WrongLength)?;
        let late = C::decode_point(late_bytes).ok_or(Fault::InvalidPoint)?;
        let z = C::decode_scalar(z).ok_or(Fault::InvalidScalar)?;
        let reveal = self.reveals.get(from).ok_or(Fault::InvalidProof)?;
        let x = self.key.share_point(from).ok_or(Fault::InvalidProof)?;
        let e = self.challenge(from, [&reveal.nonce.1, late_bytes]).ok_or(Fault::InvalidProof)?;
        if schnorr::verifies::<C>(x, &(reveal.nonce.0 + late), &z, &e) {
            Ok(proof)
        } else {
            Err(Fault::InvalidProof)
        }
    }

    /// The digest that every party confirms: of all reveals, all proofs by ascending party, and the
    /// key.
    pub(crate) fn confirmation(&self, proofs: &PerParty<[u8; PROOF]>) -> [u8; 32] {
        let mut transcript = self.names.transcript("quorate-cggmp keygen confirm");
        transcript.append_list("reveals", self.reveals.values().map(Reveal::to_bytes));
        transcript.append_list("proofs", proofs.values());
        transcript.append("key", &self.key.to_bytes());
        transcript.finish32()
    }
}

/// Everything that is broadcast, as evidence holds it: all reveals, by ascending party.
pub(crate) fn read_reveals<C: EcdsaCurve>(
    bodies: &[(PartyId, &[u8])],
    threshold: u16,
) -> Option<PerParty<Reveal<C>>> {
    let read = |(party, bytes): &(PartyId, &[u8])| {
        Some((*party, Reveal::from_bytes(bytes, threshold.into()).ok()?))
    };
    bodies.iter().map(read).collect()
}
