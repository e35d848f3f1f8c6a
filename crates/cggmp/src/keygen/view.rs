//! The public view of a key generation. The live round and evidence both judge by it.

use quorate_keys::{Committee, SharedKey};
use quorate_session::{Fault, Parties, PartyId, PerParty, Round, Run};
use quorate_sharing::Commitment;

use super::messages::{DIGEST, PROOF, Reveal, Shown};
use crate::proofs::{RunBinding, exactly, xor};
use crate::schnorr;
use crate::wire::POINT;
use crate::{EcdsaCurve, KeyExtra, KeyShare, PublicKeyPackage};

/// The round of the proofs, whose checkpoint has the share.
pub(super) const PROOFS: Round = Round(3);

/// The share in the checkpoint of the proof.
pub(super) fn checkpoint<C: EcdsaCurve>(run: &Run) -> Option<KeyShare<C>> {
    KeyShare::from_checkpoint(run.checkpoint(PROOFS)?)
}

/// The broadcasts of the rounds that are over, with the terms of the run.
pub(crate) struct View<C: EcdsaCurve> {
    pub(crate) binding: RunBinding,
    pub(crate) parties: Parties,
    pub(crate) threshold: u16,
    /// V_j
    pub(crate) digests: PerParty<[u8; DIGEST]>,
    pub(crate) reveals: PerParty<Reveal<C>>,
    /// The reveals in an opened session that is past the round in which they are checked. Then there are no others.
    pub(crate) known: PerParty<Shown<C>>,
}

impl<C: EcdsaCurve> View<C> {
    /// The view before the first message.
    pub(crate) fn new(binding: RunBinding, parties: &Parties, threshold: u16) -> Self {
        let (digests, reveals, known) = (PerParty::new(), PerParty::new(), PerParty::new());
        Self { binding, parties: parties.clone(), threshold, digests, reveals, known }
    }

    /// A_i of a party that has revealed it, with its encoding.
    fn nonce(&self, party: PartyId) -> Option<(C::Point, &C::PointBytes)> {
        match self.reveals.get(party) {
            Some(reveal) => Some((reveal.nonce.0, &reveal.nonce.1)),
            None => self.known.get(party)?.nonce(),
        }
    }

    /// Figure 6, round 3: reads a reveal, which must be the one committed to.
    pub(crate) fn read_reveal(&self, from: PartyId, bytes: &[u8]) -> Result<Reveal<C>, Fault> {
        let reveal = Reveal::from_bytes(bytes, self.threshold.into())?;
        if self.digests.get(from) != Some(&reveal.digest(self.binding, from)) {
            return Err(Fault::InvalidDecommitment);
        }
        Ok(reveal)
    }

    /// The key that the reveals give: F = ΣF_j, rid = ⊕rid_j, and the chain code. `None` if the key or a party's share
    /// of it is zero, which one party alone cannot cause.
    pub(crate) fn key(&self) -> Option<PublicKeyPackage<C>> {
        let total = Commitment::sum(self.reveals.values().map(|reveal| &reveal.commitment))?;
        let extra = KeyExtra {
            chain_code: xor(self.reveals.values().map(|reveal| &reveal.chain_code)),
            rid: xor(self.reveals.values().map(|reveal| &reveal.rid)),
        };
        let committee = Committee::new(self.parties.clone(), self.threshold).ok()?;
        Some(SharedKey::new(committee, 0, total, extra).ok()?.into())
    }

    /// e = H(sid, i, rid, X_i, A_i, A'_i); the session id is in the run's context.
    pub(super) fn challenge(
        &self,
        key: &PublicKeyPackage<C>,
        party: PartyId,
        late: &C::PointBytes,
    ) -> Option<C::Scalar> {
        let (x, (_, nonce)) = (key.verifying_share(party)?, self.nonce(party)?);
        let mut context = self.binding.transcript("quorate-cggmp keygen proof of knowledge");
        context.append_u64("party", party.get().into());
        context.append("rid", key.rid());
        Some(schnorr::challenge::<C>(context, x, [nonce, late]))
    }

    /// Figure 6, output: zG = A_i + A'_i + eX_i, of `A'_i ‖ z_i`.
    pub(crate) fn verify_proof(
        &self,
        key: &PublicKeyPackage<C>,
        from: PartyId,
        proof: &[u8],
    ) -> Result<[u8; PROOF], Fault> {
        let proof: [u8; PROOF] = exactly(proof)?;
        let (late_bytes, z) = proof.split_first_chunk::<POINT>().ok_or(Fault::WrongLength)?;
        let late = C::decode_point(late_bytes).ok_or(Fault::InvalidPoint)?;
        let z = C::decode_scalar(z).ok_or(Fault::InvalidScalar)?;
        let (nonce, _) = self.nonce(from).ok_or(Fault::InvalidProof)?;
        let x = key.share_point(from).ok_or(Fault::InvalidProof)?;
        let e = self.challenge(key, from, late_bytes).ok_or(Fault::InvalidProof)?;
        if schnorr::verifies::<C>(x, &(nonce + late), &z, &e) {
            Ok(proof)
        } else {
            Err(Fault::InvalidProof)
        }
    }

    /// The digest that every party confirms: of all reveals, all proofs, and the key.
    pub(crate) fn confirmation(
        &self,
        key: &PublicKeyPackage<C>,
        proofs: &PerParty<[u8; PROOF]>,
    ) -> [u8; DIGEST] {
        let mut transcript = self.binding.transcript("quorate-cggmp keygen confirm");
        let known = self.known.values().map(|known| known.bytes().to_vec());
        let reveals = self.reveals.values().map(Reveal::to_bytes);
        transcript.append_list("reveals", reveals.chain(known));
        transcript.append_list("proofs", proofs.values());
        transcript.append("key", &key.to_bytes());
        transcript.finish32()
    }
}

/// Returns whether f_j(i) lies on the polynomial that F_j commits to.
pub(crate) fn check_share<C: EcdsaCurve>(
    reveal: &Reveal<C>,
    to: PartyId,
    share: &C::Scalar,
) -> Result<(), Fault> {
    if reveal.commitment.verify_share_vartime(to, share) {
        Ok(())
    } else {
        Err(Fault::InvalidShare)
    }
}
