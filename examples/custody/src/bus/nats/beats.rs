//! Signs of life, in a bucket whose entries fade.

use std::sync::Arc;

use async_nats::Client;
use futures_util::StreamExt as _;
use tokio::sync::mpsc;

use super::super::subjects;
use super::shared::Shared;

/// The longest sign of life that is kept, in bytes, and the most workers of a peer.
const LONGEST: usize = 16 << 10;
const WORKERS: u16 = 64;

/// Tells the others.
pub(super) async fn tell(client: Client, shared: Arc<Shared>, mut told: mpsc::Receiver<Vec<u8>>) {
    while let Some(body) = told.recv().await {
        shared.beaten((shared.me, shared.worker), body.clone());
        client.publish(subjects::beat(shared.me, shared.worker), body.into()).await.ok();
    }
}

/// Hears the others.
pub(super) async fn hear(client: Client, shared: Arc<Shared>) {
    let Ok(mut beats) = client.subscribe(format!("$KV.{}.*.*", subjects::BEATS)).await else {
        return;
    };
    while let Some(beat) = beats.next().await {
        let Some((peer, worker)) = subjects::read_beat(&beat.subject) else { continue };
        let known = shared.directory.peer(peer).is_some() && worker < WORKERS;
        if known && beat.payload.len() <= LONGEST {
            shared.beaten((peer, worker), beat.payload.to_vec());
        }
    }
}
