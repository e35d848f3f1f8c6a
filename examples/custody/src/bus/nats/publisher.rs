//! What the core sends, to the broker.

use core::future::IntoFuture as _;
use std::sync::Arc;

use async_nats::Client;
use async_nats::jetstream;
use async_nats::jetstream::context::PublishAckFuture;
use async_nats::jetstream::message::PublishMessage;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use quorate_examples::files::hex;
use tokio::sync::{mpsc, watch};

use super::super::{Parcel, subjects};
use super::access::context;
use super::packing::{Packed, pack};
use super::shared::Shared;
use crate::envelope;

/// Parcels that are packed together.
const TOGETHER: usize = 4096;
/// Envelopes that the broker has not confirmed.
const UNDER_WAY: usize = 256;

/// Sends until it is over, and then what still waits.
#[allow(clippy::integer_division_remainder_used, reason = "the macro's own")]
pub(super) async fn work(
    client: Client,
    shared: Arc<Shared>,
    mut parcels: mpsc::UnboundedReceiver<Parcel>,
    mut end: watch::Receiver<bool>,
) {
    let context = context(client);
    let mut under_way: FuturesUnordered<BoxFuture<'static, (u64, bool)>> = FuturesUnordered::new();
    let mut open = true;
    while open || !under_way.is_empty() {
        let mut batch = Vec::new();
        let room = open && under_way.len() < UNDER_WAY;
        tokio::select! {
            biased;
            count = parcels.recv_many(&mut batch, TOGETHER), if room => open = count > 0,
            // What waits is still sent.
            _ = end.wait_for(|over| *over), if open && !parcels.is_closed() => parcels.close(),
            Some((parcels, confirmed)) = under_way.next() => shared.sent(parcels, !confirmed),
        }
        for packed in take(&shared, batch) {
            let count = packed.parcels;
            match send(&context, &shared, packed).await {
                Some(confirmation) => {
                    let confirmation = confirmation.into_future();
                    under_way.push(async move { (count, confirmation.await.is_ok()) }.boxed());
                }
                None => shared.sent(count, true),
            }
        }
    }
}

fn take(shared: &Shared, batch: Vec<Parcel>) -> Vec<Packed> {
    batch.iter().for_each(|parcel| shared.release(parcel));
    let (packed, never) = pack(batch);
    for parcel in never {
        shared.drop_one();
        let (to, count) = (parcel.to, parcel.messages.len());
        shared.refused(None, format!("{count} messages for {to} fit into no envelope"));
    }
    packed
}

async fn send(
    context: &jetstream::Context,
    shared: &Shared,
    packed: Packed,
) -> Option<PublishAckFuture> {
    let Packed { to, route, messages, .. } = packed;
    let versions = {
        let dialects = shared.dialects();
        (dialects.version(to), dialects.ours())
    };
    let sealed =
        envelope::seal(&shared.identity, &shared.directory, (to, route), versions, &messages);
    let sealed = match sealed {
        Ok(sealed) => sealed,
        Err(why) => {
            shared.refused(None, why.to_string());
            return None;
        }
    };
    let subject = subjects::message(route, to, shared.me);
    let message = PublishMessage::build().payload(sealed.bytes.into()).message_id(hex(&sealed.id));
    context.send_publish(subject, message).await.ok()
}
