//! What a core has to send: messages by recipient and queue, put into parcels.

use std::collections::{BTreeMap, BTreeSet};

use crate::bus::{Kind as Queue, Parcel, Peer, Route};
use crate::orders::{Kind, Shard};
use crate::wire::Message;

/// The queue of orders to sign, which all workers of a node share.
pub const SIGNING: Route = Route { kind: Queue::Job, shard: 0 };
/// The queue of answers, at a gateway.
pub const ANSWERS: Route = Route { kind: Queue::Answer, shard: 0 };
/// The bytes of the messages in a parcel, beyond which another one is begun.
const PARCEL: usize = 256 << 10;

/// The queue of the jobs of a shard.
#[must_use]
pub const fn jobs(shard: Shard) -> Route {
    Route { kind: Queue::Job, shard: shard.number().saturating_add(1) }
}

/// The queue of the packets of a shard. What nodes say to each other besides goes with those of the first one.
#[must_use]
pub const fn packets(shard: Shard) -> Route {
    Route { kind: Queue::Frame, shard: shard.number() }
}

/// The queues of a worker of a node that works on these kinds of jobs.
#[must_use]
pub fn routes(kinds: impl IntoIterator<Item = Kind>) -> Vec<Route> {
    let shards: BTreeSet<Shard> = kinds.into_iter().map(Kind::shard).collect();
    let of = shards.into_iter().flat_map(|shard| [jobs(shard), packets(shard)]);
    core::iter::once(SIGNING).chain(of).collect()
}

/// Messages that wait until everything that they follow from is stored.
#[derive(Default)]
pub struct Post(BTreeMap<(Peer, Route), Vec<Vec<u8>>>);

impl Post {
    /// Adds a message.
    pub fn put(&mut self, to: Peer, route: Route, message: &Message) {
        self.bytes(to, route, message.to_bytes());
    }

    /// Adds a message that is in bytes already.
    pub fn bytes(&mut self, to: Peer, route: Route, message: Vec<u8>) {
        self.0.entry((to, route)).or_default().push(message);
    }

    /// Takes everything out.
    pub fn take(&mut self) -> Vec<Parcel> {
        let mut parcels = Vec::new();
        for ((to, route), all) in core::mem::take(&mut self.0) {
            let (mut messages, mut bytes) = (Vec::new(), 0_usize);
            for message in all {
                if bytes > 0 && bytes.saturating_add(message.len()) > PARCEL {
                    parcels.push(Parcel { to, route, messages: core::mem::take(&mut messages) });
                    bytes = 0;
                }
                bytes = bytes.saturating_add(message.len());
                messages.push(message);
            }
            parcels.push(Parcel { to, route, messages });
        }
        parcels
    }
}
