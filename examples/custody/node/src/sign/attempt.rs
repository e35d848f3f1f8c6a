//! Attempts to sign with ML-DSA: runs of all signers. The ledger counts each before it begins.

use std::sync::Arc;

use custody_core::{Answer, Material, Reason, Refusal, RequestId};
use quorate::Parties;
use quorate::mldsa::{KeyShare, MessageRepresentative, SignParams};
use quorate::runner::Runner;
use quorate::session::{ClaimRecord, SpentInMemory};
use quorate_store::{AnyStore, Ledger};
use serde::{Deserialize, Serialize};

use super::SignOrder;
use super::ready::Content;
use super::release::answer;
use crate::audit::Log;
use crate::decide::put_made;
use crate::generate::{Begun, begin_as, row, seconds};
use crate::held::{MlDsaKey, Share};
use crate::jobs::{JobRow, Task};
use crate::request::RequestRow;
use crate::rows::{Stored, decode, encode, internal, ledger, space};
use crate::vault::Vault;
use crate::watermark;

/// The state of an attempt, which stands in the ledger in the place of a share.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum End {
    /// The run has not ended, or has ended with the process that began it.
    Open,
    Signature(Vec<u8>),
    /// There is no signature, and nobody is at fault.
    NoLuck,
    Failed(String),
}

/// An attempt that an order asks for, decoded and checked.
struct Plan {
    content: Content,
    share: Arc<KeyShare>,
    mu: MessageRepresentative,
    signers: Parties,
    job: JobRow,
}

/// Begins an attempt, or says how it has ended.
///
/// The receipt of its record is in memory alone: an attempt ends with its process, and the gateway orders another one.
pub(crate) fn attempt(
    runner: &mut Runner<AnyStore, Vault>,
    order: &SignOrder,
    now: u64,
) -> Result<Begun, Refusal> {
    let (store, vault) = runner.store_and_app();
    let plan = Plan::of(vault, order, now)?;
    let name = plan.job.session();
    if vault.attempts.contains_key(&name) {
        // A gateway asks many times a second, so this only reads the databases.
        let job = store.read_records(|rows| rows.get(space::JOBS, name.as_bytes()));
        if let Some(job) = job.map_err(internal)? {
            return Ok((Answer::Pending, vec![decode(&job)?]));
        }
        // Another process of the node has ended it.
        vault.attempts.remove(&name);
    }
    let jobs = store.read_records(|rows| rows.count(space::JOBS, &[])).map_err(internal)?;
    let has_room = jobs < u64::try_from(vault.settings.limits.jobs).unwrap_or(u64::MAX);
    let named = (order, &plan.content, *name.as_bytes());
    let mut counted = None;
    let state = store.spend(|rows| {
        counted = None;
        answer(rows, &mut Log::new(&vault.settings), vault, named, seconds(now), |rows| {
            if !has_room {
                let detail = format_args!("the node works on {jobs} runs");
                return Ok(Err(Refusal::new(Reason::Busy, detail)));
            }
            let count = plan.count(rows, order)?;
            counted = count.as_ref().ok().copied();
            Ok(count.and_then(|(_, claim)| {
                let threshold = plan.share.public().threshold();
                Ok((Share { claim, bytes: encode(&End::Open)? }, threshold))
            }))
        })
    });
    // Keys of ML-DSA sign no votes of validators, so nothing was recorded of one.
    let Answer::Share { bytes: state } = state.map_err(internal)?? else {
        return Err(internal("an attempt was answered as a vote is"));
    };
    match decode(&state)? {
        End::Signature(bytes) => return Ok((Answer::Share { bytes }, Vec::new())),
        End::NoLuck => return Ok((Answer::Done, Vec::new())),
        End::Failed(why) => return Err(Refusal::new(Reason::RunFailed, why)),
        End::Open => {}
    }
    let Some((number, record)) = counted else {
        let detail = "the attempt has ended with the process that began it: order another one";
        return Err(Refusal::new(Reason::RunFailed, detail));
    };
    let receipt = record.store(&mut SpentInMemory::new()).map_err(internal)?;
    let params = SignParams::new(Arc::clone(&plan.share), plan.mu, number, receipt);
    vault.attempts.insert(name, Some(params));
    match begin_as(store, vault, &plan.job) {
        Ok(job) => Ok((Answer::Pending, vec![job])),
        Err(why) => {
            vault.attempts.remove(&name);
            Err(why)
        }
    }
}

impl Plan {
    fn of(vault: &Vault, order: &SignOrder, now: u64) -> Result<Self, Refusal> {
        let wrong = |why: &str| Refusal::new(Reason::WrongMaterial, why);
        let key = vault.key(&order.key)?;
        vault.settings.check_scheme(key.spec().scheme)?;
        let content = Content::of(key, &order.sign)?;
        let held = key.signing()?.as_any().downcast_ref::<MlDsaKey>();
        let Some((MlDsaKey { share, .. }, Material::Attempt { run, signers })) =
            held.zip(Some(&order.material))
        else {
            return Err(wrong("keys of this scheme sign in no attempts of all signers"));
        };
        let public = share.public();
        let fits = signers.is_sorted_by(|a, b| a < b)
            && signers.len() == usize::from(public.threshold())
            && signers.contains(&vault.settings.me)
            && signers.iter().all(|party| public.parties().contains(*party));
        if !fits {
            return Err(wrong(
                "expected as many signers as the threshold, this node among them, ascending",
            ));
        }
        if !order.sign.path.indices().is_empty() {
            return Err(Refusal::new(Reason::WrongPath, "keys of ML-DSA have no children"));
        }
        let message = content.message.raw().ok_or_else(|| wrong("the scheme signs no digest"))?;
        let mu = public.verifying_key().represent(message, &order.sign.context);
        let mu = mu.map_err(|why| Refusal::new(Reason::Limit, why))?;
        let (request, key) = (order.asked.id(), order.key);
        let task = Task::Attempt { request, key, run: *run, mu: mu.as_bytes().to_vec() };
        let deadline = now.saturating_add(task.time(vault.settings.limits.run_time));
        let job = row(vault, task, signers, deadline)?;
        let signers = Parties::new(signers.clone()).map_err(internal)?;
        Ok(Self { share: Arc::clone(share), content, mu, signers, job })
    }

    /// Takes the next number for the attempt, and makes its record.
    fn count(
        &self,
        rows: &mut Ledger<'_>,
        order: &SignOrder,
    ) -> Stored<Result<(u64, ClaimRecord), Refusal>> {
        if let Err(why) = watermark::check_kept(rows, &order.key)? {
            return Ok(Err(why));
        }
        let package = self.share.public().digest();
        let next = rows.get(ledger::ATTEMPTS, &package)?.map(|next| next.try_into());
        let Ok(next) = next.transpose() else {
            return Ok(Err(internal("the count of attempts is damaged")));
        };
        let number = next.map_or(0, u64::from_be_bytes);
        let record = self.share.attempt(number, self.job.session(), &self.signers, &self.mu);
        let record = match record {
            Ok(record) => record,
            Err(used_up) => return Ok(Err(Refusal::new(Reason::Limit, used_up))),
        };
        rows.put(ledger::ATTEMPTS, &package, &number.saturating_add(1).to_be_bytes())?;
        Ok(Ok((number, record)))
    }
}

impl Vault {
    /// Records the end of an attempt with its request, for the gateway.
    pub(crate) fn end_attempt(
        &mut self,
        store: &mut AnyStore,
        (job, request): (&JobRow, &RequestId),
        end: &End,
    ) -> Result<(), Refusal> {
        let (name, share) = (job.session(), encode(end)?);
        let of = request.as_bytes();
        let row = store.read_ledger(|rows| rows.get(ledger::REQUESTS, of)).map_err(internal)?;
        let row = row.map(|row| RequestRow::read(&row)).transpose()?;
        // Nobody asks about a request that is forgotten or cancelled.
        if let Some((mut row, created)) = row
            && let Some(released) = row.released.iter_mut().find(|one| one.name == *name.as_bytes())
        {
            released.share = share;
            store.spend(|rows| put_made(rows, of, &row, created)).map_err(internal)?;
        }
        self.attempts.remove(&name);
        Ok(())
    }
}
