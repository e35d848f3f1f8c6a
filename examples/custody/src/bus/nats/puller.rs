//! Deliveries from the broker to the core: as many at a time as the core may hold, and no more.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_nats::jetstream;
use async_nats::{Client, Message, StatusCode, Subscriber};
use futures_util::StreamExt as _;
use futures_util::future::{Either, select};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep, timeout_at};

use super::super::{Ack, Delivery, Event, Peer, Route, Verdict, subjects};
use super::access::context;
use super::acks::{Judged, Note};
use super::shared::Shared;
use crate::envelope::{self, Check, Header, Opened};

/// For how long the broker keeps a question for messages that it does not have.
const EXPIRES: Duration = Duration::from_secs(5);
/// How long to wait for its answer beyond that.
const GRACE: Duration = Duration::from_secs(2);
/// After an answer that is none: the queue is not there yet.
const AGAIN: Duration = Duration::from_millis(200);
/// The bytes that are asked for at a time.
const BYTES: usize = 32 << 20;

/// Keeps one task for each queue that is listened to.
pub(super) async fn manage(
    client: Client,
    shared: Arc<Shared>,
    acks: mpsc::UnboundedSender<Note>,
    mut routes: watch::Receiver<BTreeSet<Route>>,
) {
    let mut tasks: BTreeMap<Route, AbortHandle> = BTreeMap::new();
    // When this task ends, so do those.
    let mut all = JoinSet::new();
    loop {
        let wanted = routes.borrow_and_update().clone();
        tasks.retain(|route, task| {
            let keep = wanted.contains(route) && !task.is_finished();
            if !keep {
                task.abort();
            }
            keep
        });
        for route in wanted {
            let puller = || {
                let (client, shared, acks) = (client.clone(), shared.clone(), acks.clone());
                let open = Arc::new(Semaphore::new(usize::from(shared.bounds.open)));
                Puller { client, shared, acks, route, open }
            };
            tasks.entry(route).or_insert_with(|| all.spawn(puller().work()));
        }
        if routes.changed().await.is_err() {
            return;
        }
    }
}

struct Puller {
    client: Client,
    shared: Arc<Shared>,
    acks: mpsc::UnboundedSender<Note>,
    route: Route,
    open: Arc<Semaphore>,
}

/// How a question ended.
enum Answered {
    /// With messages, or with none in time.
    Well,
    /// There is no such queue, or no server.
    Badly,
    /// The core is gone, or the connection for good.
    Gone,
}

impl Puller {
    async fn work(self) {
        let inbox = self.client.new_inbox();
        let Ok(mut messages) = self.client.subscribe(inbox.clone()).await else { return };
        loop {
            let Some(mut permits) = self.permits().await else { return };
            let question = format!(
                "{{\"batch\": {}, \"max_bytes\": {BYTES}, \"expires\": {}}}",
                permits.len(),
                EXPIRES.as_nanos()
            );
            let subject = subjects::next(self.route, self.shared.me);
            if self
                .client
                .publish_with_reply(subject, inbox.clone(), question.into())
                .await
                .is_err()
            {
                return;
            }
            match self.answer(&mut messages, &mut permits).await {
                Answered::Well => {}
                Answered::Badly => sleep(AGAIN).await,
                Answered::Gone => return,
            }
        }
    }

    /// As many as there are, at least one.
    async fn permits(&self) -> Option<Vec<OwnedSemaphorePermit>> {
        let mut permits = vec![self.open.clone().acquire_owned().await.ok()?];
        while let Ok(permit) = self.open.clone().try_acquire_owned() {
            permits.push(permit);
        }
        Some(permits)
    }

    async fn answer(
        &self,
        messages: &mut Subscriber,
        permits: &mut Vec<OwnedSemaphorePermit>,
    ) -> Answered {
        let until = Instant::now() + EXPIRES + GRACE;
        let mut back = core::pin::pin!(self.shared.back.notified());
        while !permits.is_empty() {
            let next = timeout_at(until, select(back.as_mut(), messages.next())).await;
            let message = match next {
                // The broker was away meanwhile, and has forgotten the question.
                Err(_) | Ok(Either::Left(_)) => return Answered::Well,
                Ok(Either::Right((None, _))) => return Answered::Gone,
                Ok(Either::Right((Some(message), _))) => message,
            };
            match message.status {
                None | Some(StatusCode::OK) => {}
                Some(StatusCode::TIMEOUT) => return Answered::Well,
                Some(_) => return Answered::Badly,
            }
            if !self.take(message, permits.pop()) {
                return Answered::Gone;
            }
        }
        Answered::Well
    }

    /// Hands a message over, or refuses it; `false` if the core is gone.
    fn take(&self, message: Message, permit: Option<OwnedSemaphorePermit>) -> bool {
        let message = jetstream::Message { message, context: context(self.client.clone()) };
        let Some(attempt) = message.info().ok().map(|info| info.delivered) else { return true };
        let attempt = u32::try_from(attempt).unwrap_or(u32::MAX);
        let jetstream::Message { message, .. } = message;
        if attempt > self.shared.bounds.attempts {
            self.bury(message, attempt, None, "too many attempts".to_owned());
            return true;
        }
        match self.open(&message.payload) {
            Ok(opened) => self.hand_over(message, attempt, opened, permit),
            Err((from, why)) => {
                self.bury(message, attempt, from, why);
                true
            }
        }
    }

    /// Opens an envelope and looks whether it stands where it belongs.
    fn open(&self, bytes: &[u8]) -> Result<Opened, (Option<Peer>, String)> {
        let ours = self.shared.dialects().ours();
        let opened = envelope::open(&self.shared.identity, &self.shared.directory, ours, bytes);
        let opened = opened.map_err(|error| {
            // The signature is verified before the version is looked at.
            if let (Check::Version { .. }, Some(header)) = (error.check, Header::peek(bytes)) {
                self.shared.dialects().heard(header.from, header.speaks);
            }
            (error.from, error.to_string())
        })?;
        let Header { from, to, route, speaks, .. } = opened.header;
        if route != self.route || !subjects::admits(route.kind, from, to) {
            return Err((Some(from), format!("envelope of {from}: in the wrong queue")));
        }
        self.shared.dialects().heard(from, speaks);
        Ok(opened)
    }

    fn hand_over(
        &self,
        message: Message,
        attempt: u32,
        opened: Opened,
        permit: Option<OwnedSemaphorePermit>,
    ) -> bool {
        let Some(reply) = message.reply.clone() else { return true };
        let number = self.shared.opened(attempt > 1);
        self.acks.send(Note::Taken(number, reply)).ok();
        let (acks, shared) = (self.acks.clone(), self.shared.clone());
        let ack = Ack::new(move |verdict| {
            shared.closed(matches!(verdict, Verdict::Refused(_)));
            // Without the other end the delivery comes again by itself.
            let judged = Judged { number: Some(number), attempt, message, verdict };
            acks.send(Note::Judged(Box::new(judged))).ok();
            drop(permit);
        });
        let Opened { header, messages, .. } = opened;
        let route = self.route;
        self.shared.tell(Event::Delivery(Delivery {
            from: header.from,
            route,
            attempt,
            messages,
            ack,
        }))
    }

    /// Puts a message among the dead letters.
    fn bury(&self, message: Message, attempt: u32, from: Option<Peer>, why: String) {
        let verdict = Verdict::Refused(why.clone());
        let judged = Judged { number: None, attempt, message, verdict };
        self.acks.send(Note::Judged(Box::new(judged))).ok();
        self.shared.refused(from, why);
    }
}
