//! The thread that holds the connection.

use core::sync::atomic::Ordering;
use core::time::Duration;
use std::collections::BTreeSet;
use std::sync::Arc;

use async_nats::{Client, ConnectOptions};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::super::{Parcel, Route};
use super::access::note;
use super::shared::Shared;
use super::{acks, beats, publisher, puller, watcher};

/// For how long the last words are waited for.
const FAREWELL: Duration = Duration::from_secs(1);

/// The thread's work.
pub(super) struct Office {
    pub(super) shared: Arc<Shared>,
    pub(super) from_core: mpsc::UnboundedReceiver<Parcel>,
    pub(super) told: mpsc::Receiver<Vec<u8>>,
    pub(super) listened: watch::Receiver<BTreeSet<Route>>,
    pub(super) end: watch::Receiver<bool>,
}

impl Office {
    pub(super) async fn work(self, options: ConnectOptions) {
        let Self { shared, from_core, told, listened, mut end } = self;
        let events = shared.clone();
        let options = options.event_callback(move |event| {
            if note(&events.connected, &event) {
                events.interrupted.store(true, Ordering::Relaxed);
            }
            if matches!(event, async_nats::Event::Connected) {
                events.back.notify_waiters();
            }
            core::future::ready(())
        });
        let url = shared.url.clone();
        // With the first connection tried again, this fails for a bad address alone.
        let client = match options.connect(url).await {
            Ok(client) => client,
            Err(error) => return shared.refused(None, format!("broker: {error}")),
        };
        let (acks, verdicts) = mpsc::unbounded_channel();
        let mut tasks = JoinSet::new();
        tasks.spawn(acks::work(client.clone(), (shared.me, shared.bounds), verdicts));
        tasks.spawn(beats::tell(client.clone(), shared.clone(), told));
        tasks.spawn(beats::hear(client.clone(), shared.clone()));
        tasks.spawn(watcher::work(client.clone(), shared.clone()));
        tasks.spawn(puller::manage(client.clone(), shared.clone(), acks, listened));
        let mut sender =
            tokio::spawn(publisher::work(client.clone(), shared, from_core, end.clone()));
        // An error means that the core's side is gone too.
        end.wait_for(|over| *over).await.map(drop).ok();
        if timeout(FAREWELL, &mut sender).await.is_err() {
            sender.abort();
        }
        tasks.abort_all();
        leave(&client).await;
    }
}

async fn leave(client: &Client) {
    drop(timeout(FAREWELL, client.flush()).await);
}
