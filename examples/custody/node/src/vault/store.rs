//! Results of runs, which go from the outcomes to the node's own rows.

use std::sync::Arc;

use custody_core::{KeyId, Reason, Refusal, RequestId};
use quorate::ecdsa::AuxInfo;
use quorate::runner::Runner;
use quorate_store::AnyStore;

use super::Vault;
use super::load::package_name;
use crate::accuse;
use crate::agree::share_row;
use crate::generate::seconds;
use crate::held::{self, by_scheme};
use crate::jobs::{JobRow, Parts, RunRecord, Task};
use crate::rows::{KeyRow, MaterialRow, ResultRow, encode, internal, name, space};
use crate::sign::End;
use crate::{seal, watermark};

impl Vault {
    /// Takes the result of a job over, if its run has ended. Returns whether it has.
    pub(crate) fn settle(
        runner: &mut Runner<AnyStore, Self>,
        row: &JobRow,
        now: u64,
    ) -> Result<bool, Refusal> {
        let job = row.job().ok_or_else(|| internal("a stored job has no parties"))?;
        let Some(outcome) = runner.outcome(&job).map_err(internal)? else { return Ok(false) };
        let (store, vault) = runner.store_and_app();
        match outcome.record::<RunRecord>() {
            Ok(RunRecord { accused, end }) => {
                accuse::store(store, &vault.settings, job.sid, &accused, seconds(now))?;
                match end {
                    Ok(parts) => vault.take(store, row, parts)?,
                    Err(why) => vault.fail(store, row, &why)?,
                }
            }
            // Another worker has settled it, and forgotten the record.
            Err(_) if outcome.record_bytes.is_empty() => {}
            Err(why) => return Err(internal(why)),
        }
        let name = job.sid;
        store.records(|rows| rows.remove(space::JOBS, name.as_bytes())).map_err(internal)?;
        runner.forget_record(&job).map_err(internal)?;
        Ok(true)
    }

    /// Records that a job cannot begin.
    pub(crate) fn give_up(
        runner: &mut Runner<AnyStore, Self>,
        row: &JobRow,
        why: &str,
    ) -> Result<(), Refusal> {
        let (store, vault) = runner.store_and_app();
        vault.fail(store, row, why)?;
        let name = row.session();
        store.records(|rows| rows.remove(space::JOBS, name.as_bytes())).map(drop).map_err(internal)
    }

    fn take(&mut self, store: &mut AnyStore, job: &JobRow, parts: Parts) -> Result<(), Refusal> {
        match &job.task {
            Task::Generate { request, spec } => {
                let row = KeyRow { request: *request, spec: spec.clone(), aux: *request };
                // In an earlier life the node may have taken the same key, and signed with it.
                let is_new = self.is_in_life_of(job);
                self.take_key(store, (*request, is_new), row, None, parts)
            }
            Task::Reshare { request, key, public, spec, .. } => {
                let mut shares = self.keys.get(key).into_iter().flat_map(|known| &known.shares);
                let before = shares.find(|held| held.package() == *public);
                watermark::move_from(store, key, before)?;
                let mut row = match self.keys.get(key) {
                    Some(known) => known.row.clone(),
                    None => KeyRow { request: *request, spec: spec.clone(), aux: *request },
                };
                if row.spec.members != spec.members {
                    row.aux = *request;
                }
                row.spec = spec.clone();
                self.take_key(store, (*request, false), row, Some(*key), parts)
            }
            Task::Aux { request } => self.take_aux(store, request, &parts),
            Task::Presign { key, package, .. } => take_presignatures(store, key, package, &parts),
            Task::Attempt { request, .. } => {
                let signature = parts.into_iter().next().map(|signature| signature.to_vec());
                let end = signature.map_or(End::NoLuck, End::Signature);
                self.end_attempt(store, (job, request), &end)
            }
        }
    }

    /// Stores the share of a key, and the key if it is new. Of a new key no mark is lost.
    fn take_key(
        &mut self,
        store: &mut AnyStore,
        (request, is_new): (RequestId, bool),
        row: KeyRow,
        known: Option<KeyId>,
        mut parts: Parts,
    ) -> Result<(), Refusal> {
        let secret = if parts.len() > 1 { parts.pop() } else { None };
        let public = parts.pop().ok_or_else(|| internal("a run has made no public key"))?;
        let Some(secret) = secret else {
            // The key went to others; the agreement says when the old share may go.
            return put_result(
                store,
                &request,
                &ResultRow::Key(known.ok_or_else(|| internal("no share was made"))?),
            );
        };
        let scheme = row.spec.scheme;
        let held = held::open(scheme, &secret, &public).map_err(internal)?;
        let id = KeyId::of(scheme, &held.public_key());
        if known.is_some_and(|known| known != id) {
            return Err(internal("the shares of a change are of another key"));
        }
        let share = encode(&share_row(&self.settings, &id, &*held))?;
        let (key, result) = (encode(&row)?, encode(&ResultRow::Key(id))?);
        let name = package_name(&id, &held.package_id());
        self.bind_spec(store, &id, &row.spec)?;
        if is_new {
            watermark::begin(store, &id)?;
        }
        store
            .records(|rows| {
                rows.put(space::SHARES, &name, &share)?;
                rows.put(space::KEYS, id.as_bytes(), &key)?;
                rows.put(space::RESULTS, request.as_bytes(), &result)
            })
            .map_err(internal)?;
        let key = self.load_key(store, (id, row), quorate::session::Continuity::StayedUp)?;
        self.keys.insert(id, key);
        Ok(())
    }

    fn take_aux(
        &mut self,
        store: &mut AnyStore,
        request: &RequestId,
        parts: &Parts,
    ) -> Result<(), Refusal> {
        let bytes =
            parts.first().ok_or_else(|| internal("a run has made no auxiliary information"))?;
        let aux = AuxInfo::from_bytes(self.settings.level, bytes).map_err(internal)?;
        let sealed = seal::seal(&self.settings.seal_key, seal::AUX, request, bytes);
        store
            .records(|rows| rows.put(space::AUX, request.as_bytes(), &sealed))
            .map_err(internal)?;
        self.aux.insert(*request, Arc::new(aux));
        Ok(())
    }

    fn fail(&mut self, store: &mut AnyStore, row: &JobRow, why: &str) -> Result<(), Refusal> {
        match &row.task {
            Task::Attempt { request, .. } => {
                self.end_attempt(store, (row, request), &End::Failed(why.to_owned()))
            }
            // The next order begins a run in the present lives.
            _ if !self.is_current(row) => Ok(()),
            Task::Generate { request, .. }
            | Task::Aux { request }
            | Task::Reshare { request, .. } => {
                put_result(store, request, &ResultRow::Failed(Refusal::new(Reason::RunFailed, why)))
            }
            Task::Presign { .. } => Ok(()),
        }
    }
}

fn put_result(
    store: &mut AnyStore,
    request: &RequestId,
    result: &ResultRow,
) -> Result<(), Refusal> {
    let result = encode(result)?;
    store.records(|rows| rows.put(space::RESULTS, request.as_bytes(), &result)).map_err(internal)
}

/// Stores presignatures: for each its name, its public side, and it, sealed.
fn take_presignatures(
    store: &mut AnyStore,
    key: &KeyId,
    package: &[u8; 32],
    parts: &Parts,
) -> Result<(), Refusal> {
    let (each, _) = parts.as_chunks::<3>();
    let rows = each.iter().map(|[id, public, sealed]| {
        let row = MaterialRow { public: public.to_vec(), sealed: sealed.to_vec() };
        Ok::<_, Refusal>((name(&[key.as_bytes(), package, id]), encode(&row)?))
    });
    let made = rows.collect::<Result<Vec<_>, _>>()?;
    store
        .records(|rows| {
            made.iter().try_for_each(|(name, row)| rows.put(space::MATERIAL, name, row))
        })
        .map_err(internal)
}

/// The public key of a package, in the encoding that verifiers take.
pub(crate) fn public_key(scheme: custody_core::Scheme, package: &[u8]) -> Option<Vec<u8>> {
    use crate::held::KeyFamily;
    by_scheme!(scheme, F => {
        let shared = held::shared::<F>(package).ok()?;
        Some(F::public_key(&<F as quorate::keys::KeyTypes>::public(shared)))
    }, held::MlDsaKey::public_key_of(package))
}
