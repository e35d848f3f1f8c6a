//! Whether the broker still has what it was given: streams that were made anew, or have less than they had, have lost some.

use core::sync::atomic::Ordering;
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;

use async_nats::Client;
use async_nats::jetstream::stream::Info;
use tokio::time::sleep;

use super::super::{Peer, subjects};
use super::access::context;
use super::shared::Shared;

/// How often the streams are looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Looks at the streams of all, and tells when something is lost, or could not be sent while the broker was away.
pub(super) async fn work(client: Client, shared: Arc<Shared>) {
    let context = context(client);
    let peers: Vec<Peer> = shared.directory.peers().map(|(peer, _)| peer).collect();
    let mut known: BTreeMap<Peer, Info> = BTreeMap::new();
    let mut missed = shared.counts().dropped;
    loop {
        let mut lost = false;
        for peer in &peers {
            // One that is not there is looked at again.
            let Ok(stream) = context.get_stream(subjects::stream(*peer)).await else { continue };
            let info = stream.cached_info().clone();
            lost |= known.get(peer).is_some_and(|known| differs(known, &info));
            known.insert(*peer, info);
        }
        // What was dropped since there was too much of it is not asked for again at once.
        let back = shared.connected.load(Ordering::Relaxed)
            && shared.interrupted.swap(false, Ordering::Relaxed);
        let dropped = shared.counts().dropped;
        if lost || (back && dropped > missed) {
            shared.reset();
        }
        missed = if back { dropped } else { missed };
        sleep(LOOK).await;
    }
}

fn differs(known: &Info, found: &Info) -> bool {
    known.created != found.created || found.state.last_sequence < known.state.last_sequence
}
