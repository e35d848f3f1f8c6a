//! Round 3: prove that the moduli are sound.

use alloc::sync::Arc;
use alloc::vec::Vec;

use quorate_bignum::Engine;
use quorate_session::{Abort, Inbox, Outbox, PartyId, Run, Transcript};
use quorate_zk::{Error, Proof, Prover, pi_fac, pi_mod, prove_many};

use crate::aux_info::params::AuxInfoParams;
use crate::aux_info::view::{FAC, MOD, View, confirmation};
use crate::proofs::{Faults, internal};
use crate::{AuxInfo, AuxPublic, AuxSecrets};
use quorate_session::rounds::AwaitingConfirmations;

/// The state of P_i when its proofs are sent, until those of all are there.
pub struct AwaitingProofs {
    /// With the reveals of all parties.
    view: View,
    engine: Engine,
    secrets: Arc<AuxSecrets>,
    /// The hash of all reveals.
    revealed: Transcript,
}

impl AwaitingProofs {
    /// Figure 7, round 3: Πmod to all, Πfac to each.
    pub(super) fn new(
        (view, revealed): (View, Transcript),
        params: AuxInfoParams,
        run: &Run,
    ) -> Result<(Self, Outbox), Abort> {
        let AuxInfoParams { engine, secrets, .. } = params;
        let round = Self { view, engine, secrets, revealed };
        if let Some(sent) = run.recalled() {
            return Ok((round, sent));
        }
        let modulus = round.prove_mod(run).map_err(|_| internal(run))?;
        let direct = round.prove_fac(run).map_err(|_| internal(run))?;
        Ok((round, Outbox::new(Some(modulus), direct)))
    }

    fn prove_mod(&self, run: &Run) -> Result<Vec<u8>, Error> {
        let instance = self.view.instance_with_rid(MOD);
        let context = self.view.binding.broadcast(run.party_id(), &instance);
        let rng = &mut run.rng("mod");
        pi_mod::prove(&self.engine, self.secrets.key(), context, rng).map(Proof::into_bytes)
    }

    fn prove_fac(&self, run: &Run) -> Result<Vec<(PartyId, Vec<u8>)>, Error> {
        let (key, own) = (self.secrets.key(), self.secrets.own());
        let instance = self.view.instance_with_rid(FAC);
        let mut provers = Vec::new();
        for to in run.others() {
            let statement = self.view.fac([run.party_id(), to]).ok_or(Error::Relation)?;
            let context = self.view.binding.direct([run.party_id(), to], &instance);
            let rng = &mut run.rng_for("fac", to);
            let witness = pi_fac::Witness { key };
            provers.push(Prover::new(&statement, witness, context, own, rng)?);
        }
        let proofs = prove_many(&self.engine, provers)?;
        Ok(run.others().zip(proofs.into_iter().map(Proof::into_bytes)).collect())
    }

    /// Figure 7, output: verifies all Πmod and Πfac. The result is withheld until all have confirmed it.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingConfirmations<AuxInfo>, Outbox), Abort> {
        if !run.is_verified() {
            self.verify(run, inbox)?;
        }
        let Self { view, secrets, revealed, .. } = self;
        let moduli = inbox.broadcasts_of_all().map(|(_, body)| body);
        let digest = confirmation(revealed, moduli);
        let (level, rid) = (view.level, view.rid());
        let moduli = view.reveals.map(|_, reveal| (reveal.key, reveal.setup));
        let public = AuxPublic::new(level, moduli, rid);
        let info =
            public.and_then(|public| AuxInfo::joined(run.party_id(), secrets, public, false));
        Ok(AwaitingConfirmations::new(info.ok_or_else(|| internal(run))?, &digest))
    }

    /// Πmod and Πfac of every peer.
    pub(super) fn verify(&self, run: &Run, inbox: Inbox<'_>) -> Result<(), Abort> {
        let (mut faults, failed) = (Faults::default(), || internal(run));
        let moduli = inbox.each().map(|message| (message.from, message.broadcast));
        faults.add_refused(self.view.verify_mod(&self.engine, moduli).ok_or_else(failed)?);
        let (engine, own) = (&self.engine, self.secrets.own());
        let factors = inbox.each().map(|message| (message.from, message.direct));
        let factors = self.view.verify_fac(engine, run.party_id(), factors, own);
        faults.add_refused(factors.ok_or_else(failed)?);
        faults.settle(inbox)
    }
}
