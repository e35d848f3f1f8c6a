//! Jobs from their beginning to their end, across restarts.

use std::sync::PoisonError;

use custody_core::{Reason, Refusal, Scheme};
use quorate::ecdsa::{AuxInfoGen, P256, PresignMany, Secp256k1};
use quorate::keys::Reshare;
use quorate::mldsa;
use quorate::runner::{Error as RunnerError, Job, Refusal as Refused, Runner};
use quorate_store::AnyStore;
use quorate_tokio::{Error, Handle};

use crate::generate::load_aux;
use crate::held::{KeyFamily, by_scheme};
use crate::jobs::{JobRow, Task};
use crate::node::Node;
use crate::primes::{self, Searched};
use crate::rows::{decode, internal, space};
use crate::vault::Vault;

type StoreError = quorate_store::Error;

impl Node {
    /// Works on a job until it ends, unless this process does already.
    pub(crate) fn drive(&self, row: JobRow) {
        let session = row.session();
        if !self.driven.lock().unwrap_or_else(PoisonError::into_inner).insert(session) {
            return;
        }
        let node = self.clone();
        drop(tokio::spawn(async move {
            // What fails here is tried again at the next start, or when the order comes again.
            node.work(row).await.ok();
            node.driven.lock().unwrap_or_else(PoisonError::into_inner).remove(&session);
        }));
    }

    async fn work(&self, row: JobRow) -> Result<(), Refusal> {
        let job = row.job().ok_or_else(|| internal("a stored job has no parties"))?;
        match run(&self.handle, &row.task, job).await {
            Ok(()) => {
                self.call(move |runner, now| Vault::settle(runner, &row, now).map(drop)).await
            }
            // The primes are not loaded yet: the job is tried again when the order comes again.
            Err(Error::Runner(RunnerError::Refused(Refused::NoParams)))
                if !matches!(row.task, Task::Attempt { .. }) =>
            {
                Ok(())
            }
            Err(Error::Runner(why @ (RunnerError::Refused(_) | RunnerError::Params(_)))) => {
                let why = why.to_string();
                self.call(move |runner, _| Vault::give_up(runner, &row, &why)).await
            }
            // The store has it. The next process continues, or this one when the order comes again.
            Err(_) => Ok(()),
        }
    }

    /// Searches for the primes of threshold ECDSA, which takes from seconds to minutes, once in the life of a node. Each part of
    /// the search is stored. Run it as a task of its own when the node starts.
    ///
    /// # Errors
    /// A [`Refusal`] if the databases fail or the node has stopped.
    pub async fn search_primes(&self) -> Result<(), Refusal> {
        let level = self.settings().level;
        let mut search = self
            .call(move |runner, _| {
                let (store, vault) = runner.store_and_app();
                primes::resume(store, vault, level)
            })
            .await?;
        loop {
            let searched = tokio::task::spawn_blocking(move || primes::search(search)).await;
            search = match searched.map_err(internal)?? {
                Searched::Found(found) => {
                    return self
                        .call(move |runner, _| {
                            runner.app().primes.set(found);
                            // Runs that wait for them continue.
                            runner.recover().map_err(internal)
                        })
                        .await;
                }
                Searched::More(search) => {
                    self.call(move |runner, _| {
                        let (store, vault) = runner.store_and_app();
                        primes::save(store, vault, &search).map(|()| search)
                    })
                    .await?
                }
            };
        }
    }
}

/// Runs a job of whatever protocol.
async fn run(
    handle: &Handle<AnyStore, Vault>,
    task: &Task,
    job: Job,
) -> Result<(), Error<StoreError>> {
    match task {
        Task::Generate { spec, .. } => by_scheme!(
            spec.scheme,
            F => handle.run::<<F as KeyFamily>::Generate>(job).await.map(drop),
            handle.run::<mldsa::Dkg>(job).await.map(drop)
        ),
        Task::Reshare { spec, .. } => {
            by_scheme!(spec.scheme, F => handle.run::<Reshare<F>>(job).await.map(drop), Ok(()))
        }
        Task::Attempt { .. } => handle.run::<mldsa::Sign>(job).await.map(drop),
        Task::Aux { .. } => handle.run::<AuxInfoGen>(job).await.map(drop),
        Task::Presign { scheme: Scheme::EcdsaP256, .. } => {
            handle.run::<PresignMany<P256>>(job).await.map(drop)
        }
        Task::Presign { .. } => handle.run::<PresignMany<Secp256k1>>(job).await.map(drop),
    }
}

/// The jobs of this life that have not been settled. What their runs need is loaded. Jobs of earlier lives are settled if their
/// runs have ended, and are given up otherwise.
pub(crate) fn left(runner: &mut Runner<AnyStore, Vault>, now: u64) -> Result<Vec<JobRow>, Refusal> {
    let (store, vault) = runner.store_and_app();
    let rows = store.read_records(|rows| rows.all(space::JOBS, &[]));
    let jobs = rows.map_err(internal)?.into_iter().map(|row| decode::<JobRow>(&row.content));
    let jobs = jobs.collect::<Result<Vec<_>, _>>()?;
    for job in &jobs {
        if let Task::Presign { key, .. } = &job.task {
            match load_aux(store, vault, key) {
                Err(why) if why.reason == Reason::Internal => return Err(why),
                // The key was deleted since; its runs end at their deadlines.
                _ => {}
            }
        }
    }
    runner.recover().map_err(internal)?;
    let mut left = Vec::new();
    for job in jobs {
        if runner.app().is_in_life_of(&job) {
            left.push(job);
        } else if !Vault::settle(runner, &job, now)? {
            Vault::give_up(runner, &job, "the node was restored")?;
        }
    }
    Ok(left)
}
