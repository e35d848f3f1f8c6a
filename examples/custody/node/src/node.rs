//! The node as its process sees it: orders in, answers out.

use core::fmt;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use custody_core::{
    Answer, Callers, KeyId, MAX_BATCH, Operation, Order, Read, Reason, Refusal, Sign, SignedRequest,
};
use futures_core::Stream;
use futures_sink::Sink;
use quorate::SessionId;
use quorate::runner::{IncomingPacket, OutgoingPacket, Runner};
use quorate_store::AnyStore;
use quorate_tokio::{Builder, Handle, Service, SpawnError};
use tokio::sync::oneshot;

use crate::change::{cancel, change};
use crate::generate::{Begun, generate, presign, seconds};
use crate::jobs::JobRow;
use crate::request::Asked;
use crate::rows::internal;
use crate::settings::Settings;
use crate::sign::{SignOrder, attempt, mark, sign_all};
use crate::vault::Vault;
use crate::{accuse, agree, audit, drive, info, stock};

/// The error of the node's databases.
type StoreError = quorate_store::Error;
/// An order to sign, and who waits for the answer.
type Waiting = (SignOrder, oneshot::Sender<Result<Answer, Refusal>>);
/// The answer to an order to sign, later.
type Later = oneshot::Receiver<Result<Answer, Refusal>>;

/// A node of the signing service, to be cloned into any task.
///
/// A node takes orders as data, and trusts nobody who brings them.
#[derive(Clone)]
pub struct Node {
    pub(crate) handle: Handle<AnyStore, Vault>,
    settings: Settings,
    /// The callers, as they were set last.
    callers: Arc<RwLock<Arc<Callers>>>,
    /// Orders to sign that wait for the thread: it answers all of them in one transaction.
    waiting: Arc<Mutex<Vec<Waiting>>>,
    /// The jobs that this process works on.
    pub(crate) driven: Arc<Mutex<BTreeSet<SessionId>>>,
}

/// The owner's side of a node's runner.
pub type NodeService = Service<AnyStore, Vault>;

impl Node {
    /// Spawns the node: `open` opens its runner, on the thread where it stays. See [`open_witnessed`](crate::open_witnessed).
    ///
    /// Packets come with the sender whom the transport has authenticated.
    ///
    /// # Errors
    /// A [`Refusal`] if the databases do not open.
    pub async fn spawn<X>(
        settings: Settings,
        builder: Builder<StoreError>,
        open: impl FnOnce() -> Result<Runner<AnyStore, Vault>, Refusal> + Send + 'static,
        packets: impl Stream<Item = IncomingPacket> + Send + 'static,
        sink: X,
    ) -> Result<(Self, NodeService), Refusal>
    where
        X: Sink<OutgoingPacket, Error: fmt::Display> + Send + 'static,
    {
        let spawned = builder.spawn(open, packets, sink).await;
        let (handle, service) = spawned.map_err(|why| match why {
            SpawnError::Open(why) => why,
            other => internal(other),
        })?;
        let callers = Callers::clone(&settings.callers).of_cluster(settings.cluster());
        let callers = Arc::new(RwLock::new(Arc::new(callers)));
        let (waiting, driven) = (Arc::default(), Arc::default());
        let node = Self { handle, settings, callers, waiting, driven };
        node.resume().await?;
        Ok((node, service))
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Replaces the callers. Requests that were decided before keep their decision.
    pub fn set_callers(&self, callers: Callers) {
        let callers = Arc::new(callers.of_cluster(self.settings.cluster()));
        *self.callers.write().unwrap_or_else(PoisonError::into_inner) = callers;
    }

    /// Answers an order of a gateway.
    pub async fn order(&self, order: Order) -> Answer {
        self.orders(vec![order]).await.pop().unwrap_or(Answer::Pending)
    }

    /// Answers orders that came together, each as if it had come alone. Those for shares share a transaction.
    pub async fn orders(&self, orders: Vec<Order>) -> Vec<Answer> {
        let mut queue = Vec::new();
        let begun = orders.into_iter().map(|order| self.begin_share(order, &mut queue));
        let begun: Vec<Result<Later, Box<Order>>> = begun.collect();
        let failed = self.sign(queue).await.err();
        let mut answers = Vec::with_capacity(begun.len());
        for one in begun {
            answers.push(match (one, &failed) {
                (Err(order), _) => self.answer(*order).await.into(),
                (Ok(_), Some(why)) => Answer::Refused(why.clone()),
                (Ok(share), None) => share_of(share).await.into(),
            });
        }
        answers
    }

    /// Verifies an order for a share, for the queue. Gives any other order back.
    fn begin_share(&self, order: Order, queue: &mut Vec<Waiting>) -> Result<Later, Box<Order>> {
        let (request, approvals, material) = match order {
            Order::Sign { request, approvals, material } if material.is_made_ahead() => {
                (request, approvals, material)
            }
            other => return Err(other.into()),
        };
        let (answer, later) = oneshot::channel();
        let verified = self.verify(&request, &approvals);
        match verified.and_then(|asked| Ok((to_sign(&asked)?, asked))) {
            Ok(((key, sign), asked)) => {
                queue.push((SignOrder { asked, request, key, sign, material }, answer));
            }
            Err(why) => drop(answer.send(Err(why))),
        }
        Ok(later)
    }

    async fn answer(&self, order: Order) -> Result<Answer, Refusal> {
        match order {
            Order::Keys { after } => {
                self.ask(move |store, vault, _| info::keys(store, vault, after)).await
            }
            Order::Certify { key } => self.ask(move |_, vault, _| info::certify(vault, &key)).await,
            Order::Stock { key, after } => {
                self.ask(move |store, vault, _| stock::list(store, vault, &key, after.as_ref()))
                    .await
            }
            Order::Nonces { key, count } => {
                self.ask(move |store, vault, _| stock::make_nonces(store, vault, &key, count)).await
            }
            Order::Agree { key, statements } => {
                self.ask(move |store, vault, _| agree::agree(store, vault, &key, &statements)).await
            }
            Order::Generate { request, approvals } => {
                let asked = self.verify(&request, &approvals)?;
                self.begin(move |runner, now| generate(runner, &asked, now)).await
            }
            Order::Presign { key, run, signers, count } => {
                self.begin(move |runner, now| presign(runner, (&key, run), &signers, count, now))
                    .await
            }
            Order::Change { request, approvals, certificate } => {
                let asked = self.verify(&request, &approvals)?;
                self.begin(move |runner, now| change(runner, &asked, certificate.as_deref(), now))
                    .await
            }
            Order::Cancel { request } => {
                let asked = self.verify(&request, &[])?;
                self.call(move |runner, now| cancel(runner, &asked, now)).await
            }
            Order::Mark { request, approvals } => {
                let asked = self.verify(&request, &approvals)?;
                let (key, sign) = to_sign(&asked)?;
                self.call(move |runner, now| mark(runner, (&asked, &key, &sign), seconds(now)))
                    .await
            }
            Order::Sign { request, approvals, material } => {
                let asked = self.verify(&request, &approvals)?;
                let (key, sign) = to_sign(&asked)?;
                let order = SignOrder { asked, request, key, sign, material };
                self.begin(move |runner, now| attempt(runner, &order, now)).await
            }
            Order::Status => self.call(|runner, _| info::status(runner)).await,
            Order::Audit { request } => self.audit(&request).await,
            Order::Accusations => self.ask(|store, _, _| accuse::list(store)).await,
        }
    }

    /// Verifies a request on the caller's thread, not on that of the runner.
    fn verify(
        &self,
        request: &SignedRequest,
        approvals: &[SignedRequest],
    ) -> Result<Asked, Refusal> {
        if approvals.len() > Order::MAX_APPROVALS {
            return Err(Refusal::new(
                Reason::Limit,
                format_args!("expected at most {} approvals", Order::MAX_APPROVALS),
            ));
        }
        let callers = Arc::clone(&self.callers.read().unwrap_or_else(PoisonError::into_inner));
        Asked::verify(&callers, request, approvals, seconds(self.handle.now()))
    }

    /// Signs together with whatever else waits for the thread.
    async fn sign(&self, queue: Vec<Waiting>) -> Result<(), Refusal> {
        let turns = queue.len().div_ceil(MAX_BATCH);
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).extend(queue);
        for _ in 0..turns {
            let waiting = Arc::clone(&self.waiting);
            let batch = move |runner: &mut Runner<AnyStore, Vault>, now| {
                let mut all = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                let count = all.len().min(MAX_BATCH);
                let (orders, answers): (Vec<_>, Vec<_>) = all.drain(..count).unzip();
                drop(all);
                if !orders.is_empty() {
                    let shares = sign_all(runner, &orders, seconds(now));
                    // Nobody waits any longer: the share is recorded.
                    answers.into_iter().zip(shares).for_each(|(to, share)| drop(to.send(share)));
                }
            };
            self.handle.with(batch).await.map_err(internal)?;
        }
        Ok(())
    }

    async fn audit(&self, request: &SignedRequest) -> Result<Answer, Refusal> {
        let asked = self.verify(request, &[])?;
        let Operation::Read(Read::Audit(node, page)) = asked.verified.operation else {
            return Err(Refusal::new(Reason::Malformed, "expected a request to read the log"));
        };
        if node != self.settings.me {
            return Err(Refusal::new(
                Reason::WrongSender,
                "the request is about the log of another node",
            ));
        }
        // The export has two lines more.
        let most = usize::from(page.limit).min(Answer::MAX_ENTRIES.saturating_sub(2));
        self.ask(move |store, vault, now| {
            let lines = audit::lines(store, &vault.settings, (page.after, most), seconds(now));
            lines.map(Answer::Audit)
        })
        .await
    }

    /// Begins runs, and works on them until they end.
    async fn begin(
        &self,
        act: impl FnOnce(&mut Runner<AnyStore, Vault>, u64) -> Result<Begun, Refusal> + Send + 'static,
    ) -> Result<Answer, Refusal> {
        let (answer, jobs) = self.call(act).await?;
        jobs.into_iter().for_each(|job| self.drive(job));
        Ok(answer)
    }

    /// Works on the jobs that a process before this one has left.
    async fn resume(&self) -> Result<(), Refusal> {
        let jobs: Vec<JobRow> = self.call(drive::left).await?;
        jobs.into_iter().for_each(|job| self.drive(job));
        Ok(())
    }

    /// Calls a function with the store and the vault, on their thread.
    async fn ask<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut AnyStore, &mut Vault, u64) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.call(move |runner, now| {
            let (store, vault) = runner.store_and_app();
            act(store, vault, now)
        })
        .await
    }

    /// Calls a function with the runner, on its thread.
    pub(crate) async fn call<T: Send + 'static>(
        &self,
        act: impl FnOnce(&mut Runner<AnyStore, Vault>, u64) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        self.handle.with(act).await.map_err(internal)?
    }

    /// Returns whether the node has a share of a key.
    ///
    /// # Errors
    /// A [`Refusal`] if the node has stopped.
    pub async fn has_key(&self, key: KeyId) -> Result<bool, Refusal> {
        self.ask(move |_, vault, _| Ok(vault.key(&key).is_ok())).await
    }
}

/// The answer to an order to sign, once it is there.
async fn share_of(later: Later) -> Result<Answer, Refusal> {
    later.await.map_err(|_| Refusal::new(Reason::Busy, "the node is busy: order again"))?
}

/// The key and the body of a request to sign.
fn to_sign(asked: &Asked) -> Result<(KeyId, Sign), Refusal> {
    match &asked.verified.operation {
        Operation::Sign(key, sign) => Ok((*key, sign.clone())),
        _ => Err(Refusal::new(Reason::Malformed, "expected a request to sign")),
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node").field("settings", &self.settings).finish_non_exhaustive()
    }
}
