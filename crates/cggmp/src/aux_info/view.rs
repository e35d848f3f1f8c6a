//! The public view of the making of auxiliary information. The live round and evidence both judge by it.

use alloc::vec::Vec;

use quorate_bignum::{Engine, PublicProduct};
use quorate_paillier::{Level, Pedersen};
use quorate_session::{Fault, PartyId, PerParty, Transcript};
use quorate_zk::{Own, ReceivedProof, pi_fac, pi_mod, pi_prm};

use super::messages::{DIGEST, Reveal, digest};
use crate::proofs::{RunBinding, Verdicts, verify, xor};

pub(super) const PRM: &str = "aux-info prm";
pub(super) const MOD: &str = "aux-info mod";
pub(super) const FAC: &str = "aux-info fac";

/// The broadcasts of the rounds that are over, with the terms of the run.
pub(crate) struct View {
    pub(crate) binding: RunBinding,
    pub(crate) level: Level,
    /// `V_j`
    pub(crate) digests: PerParty<[u8; DIGEST]>,
    pub(crate) reveals: PerParty<Reveal>,
}

impl View {
    /// The view before the first message.
    pub(crate) const fn new(binding: RunBinding, level: Level) -> Self {
        Self { binding, level, digests: PerParty::new(), reveals: PerParty::new() }
    }

    /// Figure 7, round 3: reads a reveal, which must be the one committed to, with its Πprm.
    pub(crate) fn read_reveal<'m>(
        &self,
        from: PartyId,
        bytes: &'m [u8],
    ) -> Result<(Reveal, &'m [u8]), Fault> {
        if self.digests.get(from) != Some(&digest(self.binding, from, bytes)) {
            return Err(Fault::InvalidDecommitment);
        }
        Reveal::from_bytes(bytes, self.level)
    }

    /// The instance of a proof with the joint randomness, which is known after the reveals.
    pub(super) fn instance_with_rid(&self, role: &'static str) -> Vec<u8> {
        [self.binding.instance(role).as_slice(), &self.rid()].concat()
    }

    /// rid = ⊕rid_j
    pub(super) fn rid(&self) -> [u8; 32] {
        xor(self.reveals.values().map(|reveal| &reveal.rid))
    }

    /// The statement of Πfac: `N_j` of the prover has no small factor, under `N̂_i` of the verifier.
    pub(super) fn fac(&self, [prover, verifier]: [PartyId; 2]) -> Option<pi_fac::Statement<'_>> {
        let (prover, verifier) = (self.reveals.get(prover)?, self.reveals.get(verifier)?);
        Some(pi_fac::Statement { setup: &verifier.setup, key: &prover.key })
    }

    /// Figure 7, round 3: Πprm of these setups, one after the other: the repetitions of one fill an engine's lanes, and
    /// memory does not grow with the number of parties.
    pub(crate) fn verify_prm<'r>(
        &self,
        engine: &Engine,
        setups: impl IntoIterator<Item = (PartyId, (&'r Pedersen, &'r [u8]))>,
        own: Own<'_>,
    ) -> Verdicts {
        let instance = self.binding.instance(PRM);
        let verdicts = setups.into_iter().flat_map(|(from, (setup, proof))| {
            let context = self.binding.broadcast(from, &instance);
            verify(engine, [(from, ReceivedProof::new(&prm(setup), proof, context, own))])
        });
        verdicts.collect()
    }

    /// Figure 7, output: Πmod of these parties, in one call of the engine.
    pub(crate) fn verify_mod<'m>(
        &self,
        engine: &Engine,
        proofs: impl IntoIterator<Item = (PartyId, &'m [u8])>,
    ) -> Option<Verdicts> {
        let instance = self.instance_with_rid(MOD);
        let mut checks = Vec::new();
        for (from, proof) in proofs {
            let context = self.binding.broadcast(from, &instance);
            let key = &self.reveals.get(from)?.key;
            checks.push((from, pi_mod::Check::new(engine, key, proof, context)));
        }
        let good = checks.iter().filter_map(|(_, check)| check.as_ref().ok());
        let products: Vec<PublicProduct<'_>> = good.flat_map(pi_mod::Check::products).collect();
        let mut values = engine.evaluate_vartime(&products).into_iter();
        drop(products);
        let verdict = |(from, check): (_, Result<pi_mod::Check<'_>, _>)| {
            (from, check.and_then(|check| check.verdict(&mut values)))
        };
        Some(checks.into_iter().map(verdict).collect())
    }

    /// Figure 7, output: Πfac that these parties sent to one.
    pub(crate) fn verify_fac<'m>(
        &self,
        engine: &Engine,
        to: PartyId,
        proofs: impl IntoIterator<Item = (PartyId, &'m [u8])>,
        own: Own<'_>,
    ) -> Option<Verdicts> {
        let instance = self.instance_with_rid(FAC);
        let received = proofs.into_iter().map(|(from, proof)| {
            let context = self.binding.direct([from, to], &instance);
            let statement = self.fac([from, to])?;
            Some((from, ReceivedProof::new(&statement, proof, context, own)))
        });
        Some(verify(engine, received.collect::<Option<Vec<_>>>()?))
    }

    /// The hash of the reveals of all parties, as they were broadcast: the first part of what every party confirms.
    pub(crate) fn revealed(&self, reveals: impl IntoIterator<Item: AsRef<[u8]>>) -> Transcript {
        let mut transcript = self.binding.transcript("quorate-cggmp aux-info confirm");
        transcript.append_list("reveals", reveals);
        transcript
    }
}

/// The digest that every party confirms: of all reveals and all Πmod, by ascending party.
pub(crate) fn confirmation(
    mut revealed: Transcript,
    moduli: impl IntoIterator<Item: AsRef<[u8]>>,
) -> [u8; DIGEST] {
    revealed.append_list("mod", moduli);
    revealed.finish32()
}

/// The statement of Πprm: s is a power of t.
pub(super) const fn prm(setup: &Pedersen) -> pi_prm::Statement<'_> {
    pi_prm::Statement { setup }
}
