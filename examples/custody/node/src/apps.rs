//! The node as the application of its runner: parameters of runs, and records of their ends.

use std::sync::Arc;

use custody_core::KeySpec;
use quorate::ecdsa::{
    AuxInfo, AuxInfoGen, AuxInfoParams, EcdsaCurve, KeyShare, Keygen, KeygenParams, PresignMany,
    PresignManyParams, PresignParams, Presignature,
};
use quorate::frost::generic::{Dkg, DkgOutput, DkgParams};
use quorate::keys::{Committee, Reshare, ReshareParams, ResharePlan, Reshared};
use quorate::mldsa;
use quorate::runner::{App, Job, RunEnd};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Parties, PartyId};

use crate::held::{self, EcdsaKey, FrostKey, KeyFamily, MlDsaKey, Suite};
use crate::jobs::{self, RunRecord, Task};
use crate::vault::Vault;

impl<S: Suite> App<Dkg<S>> for Vault {
    type Record = RunRecord;

    fn params(&mut self, job: &Job) -> Option<DkgParams<S>> {
        Some(DkgParams::new(generated(job)?.threshold))
    }

    fn record(&mut self, job: &Job, end: RunEnd<DkgOutput<S>>) -> RunRecord {
        RunRecord::of((job, self.settings.me), end, |DkgOutput { share, public }| {
            stored::<quorate::frost::generic::Frost<S>>(Some(share), &public)
        })
    }
}

impl<C: EcdsaCurve> App<Keygen<C>> for Vault {
    type Record = RunRecord;

    fn params(&mut self, job: &Job) -> Option<KeygenParams<C>> {
        Some(KeygenParams::new(generated(job)?.threshold))
    }

    fn record(&mut self, job: &Job, end: RunEnd<KeyShare<C>>) -> RunRecord {
        RunRecord::of((job, self.settings.me), end, |share| {
            let public = share.public().clone();
            stored::<quorate::ecdsa::Ecdsa<C>>(Some(share), &public)
        })
    }
}

impl App<mldsa::Dkg> for Vault {
    type Record = RunRecord;

    fn params(&mut self, job: &Job) -> Option<mldsa::DkgParams> {
        Some(mldsa::DkgParams::new(MlDsaKey::LEVEL, generated(job)?.threshold))
    }

    fn record(&mut self, job: &Job, end: RunEnd<mldsa::KeyShare>) -> RunRecord {
        RunRecord::of((job, self.settings.me), end, |share| MlDsaKey::stored(&share))
    }
}

impl App<mldsa::Sign> for Vault {
    type Record = RunRecord;

    /// The receipt of the attempt's record is in memory, and is given out once. So the run is never opened from the database, and
    /// no older copy of it answers a second time with one mask.
    fn params(&mut self, job: &Job) -> Option<mldsa::SignParams> {
        self.attempts.get_mut(&job.sid)?.take()
    }

    /// The signature, or nothing.
    fn record(&mut self, job: &Job, end: RunEnd<mldsa::Attempted>) -> RunRecord {
        RunRecord::of((job, self.settings.me), end, |attempted| {
            let signature = attempted.signature.map(|signature| signature.to_bytes());
            signature.into_iter().map(Zeroizing::new).collect()
        })
    }
}

impl App<AuxInfoGen> for Vault {
    type Record = RunRecord;

    fn params(&mut self, _: &Job) -> Option<AuxInfoParams> {
        self.primes.found().map(AuxInfoParams::new)
    }

    fn record(&mut self, job: &Job, end: RunEnd<AuxInfo>) -> RunRecord {
        RunRecord::of((job, self.settings.me), end, |aux| vec![aux.to_bytes()])
    }
}

impl<C: EcdsaCurve> App<PresignMany<C>> for Vault {
    type Record = RunRecord;

    fn params(&mut self, job: &Job) -> Option<PresignManyParams<C>> {
        let Task::Presign { key, package, count, .. } = jobs::task(job)? else { return None };
        let held = self.share_of(&key, &package)?;
        let EcdsaKey::<C>(share) = held.as_any().downcast_ref()?;
        let aux = self.aux_of(&key)?;
        Some(PresignManyParams::new(PresignParams::new(Arc::clone(share), aux), count))
    }

    /// The presignatures, each sealed, with its public side in front.
    fn record(&mut self, job: &Job, end: RunEnd<Vec<Presignature<C>>>) -> RunRecord {
        RunRecord::of((job, self.settings.me), end, |made| {
            let each = made.into_iter().flat_map(|one| {
                let sealed = one.seal(&self.settings.seal_key);
                [one.info().id().name().to_vec(), one.info().to_bytes(), sealed].map(Zeroizing::new)
            });
            each.collect()
        })
    }
}

impl<F: KeyFamily<Held: Resharing<F>>> App<Reshare<F>> for Vault {
    type Record = RunRecord;

    fn params(&mut self, job: &Job) -> Option<ReshareParams<F>> {
        let Task::Reshare { key, public, dealers, spec, .. } = jobs::task(job)? else {
            return None;
        };
        let old = held::shared::<F>(&public).ok()?;
        let dealers = dealers.into_iter().map(PartyId::new).collect::<Option<Vec<_>>>()?;
        let committee = Committee::new(Parties::new(spec.members).ok()?, spec.threshold).ok()?;
        let plan = ResharePlan::new(&old, Parties::new(dealers).ok()?, committee).ok()?;
        if !plan.dealers().contains(self.settings.me) {
            return ReshareParams::member(&plan, self.settings.me).ok();
        }
        let held = self.share_of(&key, &old.package_id().digest())?;
        held.as_any().downcast_ref::<F::Held>()?.deals(&plan)
    }

    fn record(&mut self, job: &Job, end: RunEnd<Reshared<F>>) -> RunRecord {
        RunRecord::of((job, self.settings.me), end, |Reshared { public, share }| {
            stored::<F>(share, &public)
        })
    }
}

/// A share that can be dealt from.
pub(crate) trait Resharing<F: KeyFamily> {
    fn deals(&self, plan: &ResharePlan<F>) -> Option<ReshareParams<F>>;
}

impl<S: Suite> Resharing<quorate::frost::generic::Frost<S>> for FrostKey<S> {
    fn deals(
        &self,
        plan: &ResharePlan<quorate::frost::generic::Frost<S>>,
    ) -> Option<ReshareParams<quorate::frost::generic::Frost<S>>> {
        ReshareParams::dealer(plan, self.share.secret_share()).ok()
    }
}

impl<C: EcdsaCurve> Resharing<quorate::ecdsa::Ecdsa<C>> for EcdsaKey<C> {
    fn deals(
        &self,
        plan: &ResharePlan<quorate::ecdsa::Ecdsa<C>>,
    ) -> Option<ReshareParams<quorate::ecdsa::Ecdsa<C>>> {
        ReshareParams::dealer(plan, self.0.secret_share()).ok()
    }
}

/// The specification of the key that a job makes.
fn generated(job: &Job) -> Option<KeySpec> {
    match jobs::task(job)? {
        Task::Generate { spec, .. } => Some(spec),
        _ => None,
    }
}

/// The public side, and the share if there is one.
fn stored<F: KeyFamily>(share: Option<F::Share>, public: &F::Public) -> Vec<Zeroizing<Vec<u8>>> {
    let secret = share.map(|share| F::stored(&share, public).0);
    core::iter::once(Zeroizing::new(F::public_bytes(public))).chain(secret).collect()
}
