//! Round 1: commit.

use alloc::vec::Vec;

use quorate_session::{Abort, Inbox, Outbox, ParamError, Run};
use quorate_zk::{Error, Proof, Prover, pi_prm, prove_many};
use zeroize::Zeroizing;

use super::reveals::AwaitingReveals;
use crate::aux_info::messages::{Reveal, digest};
use crate::aux_info::params::AuxInfoParams;
use crate::aux_info::view::{PRM, View, prm};
use crate::proofs::{digests, random_string};

/// The state of P_i when V_i is sent, until all V_j are there.
pub struct AwaitingDigests {
    view: View,
    params: AuxInfoParams,
    reveal: Reveal,
    /// As it is sent, with Πprm.
    encoded: Vec<u8>,
}

impl AwaitingDigests {
    /// Figure 7, round 1.
    pub(crate) fn new(params: AuxInfoParams, run: &Run) -> Result<(Self, Outbox), ParamError> {
        let refused = |_| ParamError::Inconsistent("the proof of the own setup fails");
        let view = View::new(run.into(), params.level());
        let prm = match run.recalled() {
            Some(sent) => sent.checkpoint.to_vec(),
            None => prove_prm(&params, &view, run).map_err(refused)?,
        };
        let secrets = &params.secrets;
        let reveal = Reveal {
            rid: random_string(run, "rid"),
            key: secrets.encryption_key().clone(),
            setup: secrets.pedersen().clone(),
        };
        let encoded = reveal.encode(&random_string(run, "blinding"), &prm);
        let digest = digest(run, run.party_id(), &encoded);
        let outbox =
            Outbox { checkpoint: Zeroizing::new(prm), ..Outbox::broadcast(digest.to_vec()) };
        Ok((Self { view, params, reveal, encoded }, outbox))
    }

    /// Figure 7, round 2: having all V_j, reveals.
    pub(super) fn next(self, inbox: Inbox<'_>) -> Result<(AwaitingReveals, Outbox), Abort> {
        let digests = digests(inbox)?;
        let Self { view, params, reveal, encoded } = self;
        let outbox = Outbox::broadcast(encoded);
        Ok((AwaitingReveals { view: View { digests, ..view }, params, reveal }, outbox))
    }
}

/// Figure 7, round 1: Πprm.
fn prove_prm(params: &AuxInfoParams, view: &View, run: &Run) -> Result<Vec<u8>, Error> {
    let secrets = &params.secrets;
    let instance = view.binding.instance(PRM);
    let prover = Prover::new(
        &prm(secrets.pedersen()),
        pi_prm::Witness { trapdoor: secrets.setup() },
        view.binding.broadcast(run.party_id(), &instance),
        secrets.own(),
        &mut run.rng("prm"),
    );
    let proofs = prove_many(&params.engine, [prover?].into())?;
    Ok(proofs.into_iter().flat_map(Proof::into_bytes).collect())
}
