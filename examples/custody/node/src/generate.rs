//! Runs that gateways order: new keys and presignatures.

use custody_core::{Answer, KeyId, KeySpec, Operation, Order, Reason, Refusal, RequestId};
use custody_policy::Action;
use quorate::mldsa::DkgParams;
use quorate::runner::{EndKind, Runner};
use quorate::session::wire::bounded;
use quorate::{Parties, PartyId};
use quorate_purpose::Facts;
use quorate_store::AnyStore;

use crate::audit::Log;
use crate::decide::{Question, decide};
use crate::held::MlDsaKey;
use crate::jobs::{JobRow, Task};
use crate::request::Asked;
use crate::rows::{ResultRow, decode, encode, internal, space};
use crate::stock;
use crate::vault::{Vault, open_aux, package_name};

/// The answer to an order, and the jobs to work on.
pub(crate) type Begun = (Answer, Vec<JobRow>);

/// Makes a key with the other members, if the policy allows it.
pub(crate) fn generate(
    runner: &mut Runner<AnyStore, Vault>,
    asked: &Asked,
    now: u64,
) -> Result<Begun, Refusal> {
    let Operation::CreateKey(spec) = &asked.verified.operation else {
        return Err(Refusal::new(Reason::Malformed, "expected a request to make a key"));
    };
    let (store, vault) = runner.store_and_app();
    check_spec(vault, spec)?;
    // Distinct numbers of two bytes without zero.
    let members = bounded(spec.members.len());
    let question = Question {
        asked,
        action: Action::CreateKey { threshold: spec.threshold, members },
        key: *asked.id().as_bytes(),
        counters: [0; 32],
        spec: Some(spec),
        facts: &Facts::default(),
        child: None,
        merkle_root: None,
        on_behalf: None,
        signature_context: &[],
        now: seconds(now),
    };
    store
        .spend(|rows| decide(rows, &mut Log::new(&vault.settings), &question))
        .map_err(internal)??;
    if let Some(answer) = result(store, vault, spec, asked.id())? {
        return Ok((answer, Vec::new()));
    }
    let request = asked.id();
    let mut tasks = vec![Task::Generate { request, spec: spec.clone() }];
    tasks.extend(spec.scheme.is_presigned().then_some(Task::Aux { request }));
    let jobs = tasks.into_iter().map(|task| begin(store, vault, task, &spec.members, now));
    Ok((Answer::Pending, jobs.collect::<Result<_, _>>()?))
}

/// Checks that the node can take part.
fn check_spec(vault: &Vault, spec: &KeySpec) -> Result<(), Refusal> {
    let refuse = |reason, why: &str| Err(Refusal::new(reason, why));
    vault.settings.check_scheme(spec.scheme)?;
    if spec.scheme == custody_core::Scheme::MlDsa65 {
        let parties = Parties::new(spec.members.clone()).map_err(internal)?;
        let offered = DkgParams::new(MlDsaKey::LEVEL, spec.threshold).check(&parties);
        offered.map_err(|why| Refusal::new(Reason::Unsupported, why))?;
    }
    if !spec.members.contains(&vault.settings.me) {
        return refuse(Reason::Unsupported, "this node is not among the members");
    }
    let stranger = spec
        .members
        .iter()
        .find(|party| vault.settings.directory.directory().member_of(**party).is_none());
    if let Some(party) = stranger {
        return Err(Refusal::new(
            Reason::Unsupported,
            format_args!("the directory has no party {party}"),
        ));
    }
    if vault.keys.len() >= vault.settings.limits.keys {
        return refuse(Reason::Limit, "the node has as many keys as it may have");
    }
    if spec.scheme.is_presigned() && vault.primes.found().is_none() {
        return refuse(Reason::Busy, "the node still searches for its primes");
    }
    Ok(())
}

/// The result of a request for a key, if there is one.
fn result(
    store: &mut AnyStore,
    vault: &Vault,
    spec: &KeySpec,
    request: RequestId,
) -> Result<Option<Answer>, Refusal> {
    let row = store
        .read_records(|rows| rows.get(space::RESULTS, request.as_bytes()))
        .map_err(internal)?;
    match row.map(|row| decode::<ResultRow>(&row)).transpose()? {
        None => Ok(None),
        Some(ResultRow::Failed(why)) => Err(why),
        Some(ResultRow::Key(key)) => {
            let complete = !spec.scheme.is_presigned()
                || open_aux(store, (vault, vault.settings.level), &request)?.is_some();
            Ok(complete.then_some(Answer::Made { key }))
        }
    }
}

/// Makes presignatures with the other signers.
pub(crate) fn presign(
    runner: &mut Runner<AnyStore, Vault>,
    (id, run): (&KeyId, [u8; 32]),
    signers: &[PartyId],
    count: u16,
    now: u64,
) -> Result<Begun, Refusal> {
    let (store, vault) = runner.store_and_app();
    let key = vault.key(id)?;
    let (held, scheme) = (key.signing()?, key.spec().scheme);
    if !scheme.is_presigned() {
        return Err(Refusal::new(Reason::Unsupported, "keys of this scheme sign with nonces"));
    }
    let fits = signers.is_sorted_by(|a, b| a < b)
        && signers.len() >= usize::from(held.threshold())
        && signers.contains(&vault.settings.me)
        && signers.iter().all(|party| held.parties().contains(*party));
    if !fits || count == 0 || count > Order::MAX_PRESIGNATURES {
        return Err(Refusal::new(
            Reason::Malformed,
            "expected enough members, this node among them, ascending, and a count from 1 to 128",
        ));
    }
    let package = held.package_id();
    let task = Task::Presign { key: *id, scheme, package: package.digest(), run, count };
    let prefix = package_name(id, &package);
    load_aux(store, vault, id)?;
    if let Some(answer) = presigned(runner, &task, signers)? {
        return Ok((answer, Vec::new()));
    }
    let (store, vault) = runner.store_and_app();
    stock::check_room(store, vault, &prefix, count)?;
    Ok((Answer::Pending, vec![begin(store, vault, task, signers, now)?]))
}

/// The end of a run of presignatures, if it is over.
fn presigned(
    runner: &mut Runner<AnyStore, Vault>,
    task: &Task,
    signers: &[PartyId],
) -> Result<Option<Answer>, Refusal> {
    let row = row(runner.app(), task.clone(), signers, 0)?;
    let Some(job) = row.job() else { return Ok(None) };
    let Some(outcome) = runner.outcome(&job).map_err(internal)? else { return Ok(None) };
    match outcome.kind {
        EndKind::Done | EndKind::Unconfirmed => Ok(Some(Answer::Done)),
        kind => Err(Refusal::new(
            Reason::RunFailed,
            format_args!("the run ended as {kind:?}: order another one"),
        )),
    }
}

/// Opens the auxiliary information of a key, unless it is open.
pub(crate) fn load_aux(store: &mut AnyStore, vault: &mut Vault, id: &KeyId) -> Result<(), Refusal> {
    if vault.aux_of(id).is_some() {
        return Ok(());
    }
    let request = vault.key(id)?.row.aux;
    let aux = open_aux(store, (vault, vault.settings.level), &request)?;
    let aux = aux.ok_or_else(|| {
        Refusal::new(Reason::KeyUnconfirmed, "the key has no auxiliary information yet")
    })?;
    vault.aux.insert(request, std::sync::Arc::new(aux));
    Ok(())
}

/// Stores a job, unless it is stored.
pub(crate) fn begin(
    store: &mut AnyStore,
    vault: &Vault,
    task: Task,
    parties: &[PartyId],
    now: u64,
) -> Result<JobRow, Refusal> {
    let deadline = now.saturating_add(task.time(vault.settings.limits.run_time));
    begin_as(store, vault, &row(vault, task, parties, deadline)?)
}

/// Stores this job, unless it is stored.
pub(crate) fn begin_as(
    store: &mut AnyStore,
    vault: &Vault,
    new: &JobRow,
) -> Result<JobRow, Refusal> {
    let limits = vault.settings.limits;
    let name = new.session();
    let content = encode(new)?;
    let stored = store.records(|rows| {
        if let Some(stored) = rows.get(space::JOBS, name.as_bytes())? {
            return Ok(Some(stored));
        }
        if rows.count(space::JOBS, &[])? >= u64::try_from(limits.jobs).unwrap_or(u64::MAX) {
            return Ok(None);
        }
        rows.put(space::JOBS, name.as_bytes(), &content)?;
        Ok(Some(content.clone()))
    });
    match stored.map_err(internal)? {
        Some(stored) => decode(&stored),
        None => {
            Err(Refusal::new(Reason::Busy, format_args!("the node works on {} runs", limits.jobs)))
        }
    }
}

/// A job in the present lives of its parties.
pub(crate) fn row(
    vault: &Vault,
    task: Task,
    parties: &[PartyId],
    deadline: u64,
) -> Result<JobRow, Refusal> {
    let lives = parties.iter().map(|party| vault.life_of(*party)).collect::<Result<_, _>>()?;
    let parties = parties.iter().map(|party| party.get()).collect();
    Ok(JobRow { task, parties, lives, deadline })
}

/// Seconds of a time in milliseconds.
pub(crate) const fn seconds(milliseconds: u64) -> u64 {
    match milliseconds.checked_div(1000) {
        Some(seconds) => seconds,
        None => 0,
    }
}
