//! Changes of keys: new shares, and states.

use std::collections::BTreeSet;

use custody_core::{
    Answer, KeyId, KeySpec, Operation, Reason, Refusal, RequestId, SignedCertificate,
};
use custody_policy::Action;
use quorate::PartyId;
use quorate::runner::Runner;
use quorate::session::wire::bounded;
use quorate_purpose::Facts;
use quorate_store::{AnyStore, Ledger};

use crate::audit::Log;
use crate::decide::{Question, decide, put_made};
use crate::generate::{Begun, begin, seconds};
use crate::jobs::Task;
use crate::request::{Asked, RequestRow, Verdict};
use crate::rows::{ResultRow, Stored, decode, internal, ledger, space};
use crate::vault::{Vault, public_key};
use crate::{committees, state};

/// Changes a key, if the policy allows it.
pub(crate) fn change(
    runner: &mut Runner<AnyStore, Vault>,
    asked: &Asked,
    certificate: Option<&SignedCertificate>,
    now: u64,
) -> Result<Begun, Refusal> {
    let (store, vault) = runner.store_and_app();
    let operation = asked.verified.operation.clone();
    let (id, action) = action(&operation)?;
    let known = Known::of(vault, &id, certificate)?;
    let question = Question {
        asked,
        action,
        key: *id.as_bytes(),
        counters: *id.as_bytes(),
        spec: Some(&known.spec),
        facts: &Facts::default(),
        child: None,
        merkle_root: None,
        on_behalf: None,
        signature_context: &[],
        now: seconds(now),
    };
    let spec = new_spec(&operation, &known.spec)?;
    let epoch = known.epoch.saturating_add(1);
    let ended = ended(store, asked.id())?;
    let allowed = |rows: &mut Ledger<'_>| match (
        decide(rows, &mut Log::new(&vault.settings), &question)?,
        &spec,
    ) {
        (Err(why), _) => Ok(Err(why)),
        // Gateways repeat orders. A request that was carried out says nothing about the present epoch.
        (Ok(_), Some(_)) if ended.is_some() => Ok(Ok(())),
        (Ok(_), Some(spec)) => match state::check_movable(rows, &id, &operation)? {
            Ok(()) => committees::bind(rows, &id, epoch, spec),
            Err(why) => Ok(Err(why)),
        },
        (Ok(row), None) => state::set_once(rows, (asked, row), &id, seconds(now)),
    };
    store.spend(allowed).map_err(internal)??;
    match spec {
        Some(spec) => reshare(store, vault, (asked, ended), &id, known, spec, now),
        None => Ok((Answer::Done, Vec::new())),
    }
}

/// The end of a request for new shares, if it is over.
fn ended(store: &mut AnyStore, request: RequestId) -> Result<Option<ResultRow>, Refusal> {
    let row = store.read_records(|rows| rows.get(space::RESULTS, request.as_bytes()));
    row.map_err(internal)?.map(|row| decode(&row)).transpose()
}

/// The specification after a change of shares; `None` for other changes.
fn new_spec(operation: &Operation, old: &KeySpec) -> Result<Option<KeySpec>, Refusal> {
    let spec = match operation {
        Operation::Refresh(_) => old.clone(),
        Operation::Reshare(_, to) => {
            KeySpec { threshold: to.threshold, members: to.members.clone(), ..old.clone() }
        }
        _ => return Ok(None),
    };
    if !old.scheme.gets_new_shares() {
        return Err(Refusal::new(
            Reason::Unsupported,
            format_args!(
                "keys of {} get no new shares: make another key, and disable this one",
                old.scheme
            ),
        ));
    }
    spec.check().map_err(|why| Refusal::new(Reason::Limit, why))?;
    Ok(Some(spec))
}

/// The public side of a key before a change.
struct Known {
    spec: KeySpec,
    package: Vec<u8>,
    epoch: u32,
}

impl Known {
    /// The key as the node has it; or, for a node that joins, as all members certify it.
    fn of(
        vault: &Vault,
        id: &KeyId,
        certificate: Option<&SignedCertificate>,
    ) -> Result<Self, Refusal> {
        let signing = vault.key(id).and_then(|key| Ok((key, key.signing()?)));
        match signing {
            Ok((key, held)) => {
                let mut spec = key.row.spec.clone();
                spec.members = held.parties().iter().collect();
                spec.threshold = held.threshold();
                return Ok(Self {
                    spec,
                    package: held.package(),
                    epoch: held.package_id().epoch(),
                });
            }
            // A node that has joined has its share, and the others are not agreed yet.
            Err(why) if why.reason == Reason::KeyUnconfirmed && certificate.is_none() => {
                return Err(why);
            }
            Err(_) => {}
        }
        let certificate = certificate.ok_or_else(|| {
            Refusal::new(Reason::UnknownKey, "a node that joins needs the certificate of the key")
        })?;
        let verified = certificate.verify(vault.settings.directory.directory());
        let verified = verified.map_err(|why| Refusal::new(Reason::BadSignature, why))?;
        let package = public_key(verified.spec.scheme, &verified.package);
        if verified.key != *id || package.as_ref() != Some(&verified.public_key) {
            return Err(Refusal::new(Reason::Malformed, "the certificate is of another key"));
        }
        Ok(Self {
            spec: verified.spec.clone(),
            package: verified.package.clone(),
            epoch: verified.epoch,
        })
    }
}

fn action(operation: &Operation) -> Result<(KeyId, Action), Refusal> {
    Ok(match operation {
        Operation::Refresh(key) => (*key, Action::Refresh),
        Operation::Reshare(key, to) => {
            // Distinct numbers of two bytes without zero.
            (*key, Action::Reshare { threshold: to.threshold, members: bounded(to.members.len()) })
        }
        Operation::Disable(key) => (*key, Action::Disable),
        Operation::Enable(key) => (*key, Action::Enable),
        Operation::ScheduleDeletion(key, _) => (*key, Action::ScheduleDeletion),
        Operation::CancelDeletion(key) => (*key, Action::CancelDeletion),
        other => {
            let detail = format_args!("expected a request to change a key, got {}", other.name());
            return Err(Refusal::new(Reason::Malformed, detail));
        }
    })
}

/// Begins the run for new shares, or answers that it is over.
fn reshare(
    store: &mut AnyStore,
    vault: &Vault,
    (asked, ended): (&Asked, Option<ResultRow>),
    id: &KeyId,
    old: Known,
    spec: KeySpec,
    now: u64,
) -> Result<Begun, Refusal> {
    let request = asked.id();
    match ended {
        Some(ResultRow::Key(_))
            if !needs_aux(vault, &spec, &old.spec) || has_aux(store, request)? =>
        {
            return Ok((Answer::Done, Vec::new()));
        }
        Some(ResultRow::Key(_)) => {
            return Ok((
                Answer::Pending,
                vec![begin(store, vault, Task::Aux { request }, &spec.members, now)?],
            ));
        }
        Some(ResultRow::Failed(why)) => return Err(why),
        None => {}
    }
    let dealers = dealers(&old.spec, &spec.members);
    let parties: BTreeSet<PartyId> = dealers.iter().chain(&spec.members).copied().collect();
    if !parties.contains(&vault.settings.me) {
        return Err(Refusal::new(Reason::Unsupported, "this node has no part in the change"));
    }
    let parties: Vec<PartyId> = parties.into_iter().collect();
    let aux = needs_aux(vault, &spec, &old.spec);
    if aux && vault.primes.found().is_none() {
        return Err(Refusal::new(Reason::Busy, "the node still searches for its primes"));
    }
    let members = spec.members.clone();
    let dealers = dealers.iter().map(|party| party.get()).collect();
    let task = Task::Reshare { request, key: *id, public: old.package, dealers, spec };
    let mut jobs = vec![begin(store, vault, task, &parties, now)?];
    if aux {
        jobs.push(begin(store, vault, Task::Aux { request }, &members, now)?);
    }
    Ok((Answer::Pending, jobs))
}

/// Returns whether the new members need auxiliary information, this node among them.
fn needs_aux(vault: &Vault, new: &KeySpec, old: &KeySpec) -> bool {
    let joins = new.members != old.members && new.members.contains(&vault.settings.me);
    new.scheme.is_presigned() && joins
}

fn has_aux(store: &mut AnyStore, request: RequestId) -> Result<bool, Refusal> {
    let row = store.read_records(|rows| rows.get(space::AUX, request.as_bytes()));
    Ok(row.map_err(internal)?.is_some())
}

/// The dealers of a change, which all nodes choose alike: those who stay first, as many as the threshold.
fn dealers(old: &KeySpec, members: &[PartyId]) -> Vec<PartyId> {
    let (stay, leave): (Vec<PartyId>, Vec<PartyId>) =
        old.members.iter().partition(|party| members.contains(party));
    let mut dealers: Vec<PartyId> =
        stay.into_iter().chain(leave).take(old.threshold.into()).collect();
    dealers.sort_unstable();
    dealers
}

/// Gives no share for a request from now on.
pub(crate) fn cancel(
    runner: &mut Runner<AnyStore, Vault>,
    asked: &Asked,
    now: u64,
) -> Result<Answer, Refusal> {
    let Operation::Cancel(target) = asked.verified.operation else {
        return Err(Refusal::new(Reason::Malformed, "expected a request to cancel another one"));
    };
    let (store, vault) = runner.store_and_app();
    let question = Question {
        asked,
        action: Action::Cancel,
        key: *target.as_bytes(),
        counters: [0; 32],
        spec: None,
        facts: &Facts::default(),
        child: None,
        merkle_root: None,
        on_behalf: None,
        signature_context: &[],
        now: seconds(now),
    };
    let longest =
        custody_core::SignedHead::MAX_LIFETIME.saturating_add(custody_core::SignedHead::MAX_SKEW);
    let cancelled = RequestRow {
        digest: asked.verified.digest,
        verdict: Verdict::Cancelled,
        policies: Vec::new(),
        expires: seconds(now).saturating_add(longest),
        released: Vec::new(),
    };
    let created = seconds(now).saturating_add(custody_core::SignedHead::MAX_SKEW);
    let done = store.spend(|rows| match decide(rows, &mut Log::new(&vault.settings), &question)? {
        // What has left, or is made with others, makes a signature whatever this node says.
        Ok(_) if has_begun(rows, &target)? => {
            let detail = "the node has begun to sign the request: it is not cancelled any more";
            Ok(Err(Refusal::new(Reason::RequestConflict, detail)))
        }
        Ok(_) => put_made(rows, target.as_bytes(), &cancelled, created).map(Ok),
        Err(why) => Ok(Err(why)),
    });
    done.map_err(internal)?.map(|()| Answer::Done)
}

/// Returns whether a share of a request has left, or an attempt of all signers has begun.
fn has_begun(rows: &mut Ledger<'_>, request: &RequestId) -> Stored<bool> {
    let row = rows.get(ledger::REQUESTS, request.as_bytes())?;
    let row = row.map(|row| decode::<RequestRow>(&row)).transpose();
    let row = row.map_err(|why| quorate_store::Error::Refused(why.to_string()))?;
    Ok(row.is_some_and(|row| !row.released.is_empty()))
}
