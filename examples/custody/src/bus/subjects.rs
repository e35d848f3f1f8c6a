//! The names at the broker. The server's permissions are made of them.
//!
//! | subject | who publishes | who reads |
//! |---|---|---|
//! | `q.job.<to>.<from>.<shard>` | a gateway, under its own name | the node |
//! | `q.f.<to>.<from>.<shard>` | a node, under its own name | the node |
//! | `q.s.<to>.<from>.<shard>` | a node, under its own name | the gateway |
//! | `dead.<reader>` | whoever refuses a message | the operator |
//! | `$KV.q-beat.<peer>.<worker>` | the peer | all |
//!
//! Each recipient has a stream of its own, `q-<peer>`, with a consumer for each of its queues.

use super::{Kind, Peer, Route};

/// The stream of dead letters.
pub const DEAD_STREAM: &str = "q-dead";
/// The bucket of the signs of life.
pub const BEATS: &str = "q-beat";
/// What the server tells when a message was delivered too often. It is kept with the dead letters.
pub const EXHAUSTED: &str = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.>";

/// The kinds of queues that a peer has.
#[must_use]
pub const fn kinds(of: Peer) -> &'static [Kind] {
    match of {
        Peer::Node(_) => &[Kind::Job, Kind::Frame],
        Peer::Gateway(_) => &[Kind::Answer],
    }
}

/// Whether messages of this kind go from this peer to that one.
#[must_use]
pub const fn admits(kind: Kind, from: Peer, to: Peer) -> bool {
    match kind {
        Kind::Job => matches!((from, to), (Peer::Gateway(_), Peer::Node(_))),
        Kind::Frame => matches!((from, to), (Peer::Node(_), Peer::Node(_))),
        Kind::Answer => matches!((from, to), (Peer::Node(_), Peer::Gateway(_))),
    }
}

/// The subject of a message.
#[must_use]
pub fn message(route: Route, to: Peer, from: Peer) -> String {
    format!("q.{}.{to}.{from}.{}", route.kind.name(), route.shard)
}

/// The sender of a message with this subject.
#[must_use]
pub fn sender(subject: &str) -> Option<Peer> {
    let mut words = subject.split('.');
    if words.next() != Some("q") {
        return None;
    }
    words.nth(2)?.parse().ok()
}

/// All messages of a kind that this peer may publish.
#[must_use]
pub fn publishable(kind: Kind, from: Peer) -> String {
    format!("q.{}.*.{from}.*", kind.name())
}

/// The stream of a recipient.
#[must_use]
pub fn stream(of: Peer) -> String {
    format!("q-{of}")
}

/// What a recipient's stream takes.
#[must_use]
pub fn taken(by: Peer) -> String {
    format!("q.*.{by}.*.*")
}

/// The name of a queue's consumer.
#[must_use]
pub fn consumer(route: Route) -> String {
    format!("{}-{}", route.kind.name(), route.shard)
}

/// What a queue's consumer takes.
#[must_use]
pub fn filter(route: Route, to: Peer) -> String {
    format!("q.{}.{to}.*.{}", route.kind.name(), route.shard)
}

/// Where the next messages of a queue are asked for.
#[must_use]
pub fn next(route: Route, of: Peer) -> String {
    format!("$JS.API.CONSUMER.MSG.NEXT.{}.{}", stream(of), consumer(route))
}

/// Where a reader's dead letters go.
#[must_use]
pub fn dead(reader: Peer) -> String {
    format!("dead.{reader}")
}

/// Where a worker's signs of life go.
#[must_use]
pub fn beat(peer: Peer, worker: u16) -> String {
    format!("$KV.{BEATS}.{peer}.{worker}")
}

/// The first words of the inboxes of a peer.
#[must_use]
pub fn inbox(of: Peer) -> String {
    format!("_INBOX.{of}")
}

/// The worker of a sign of life.
#[must_use]
pub fn read_beat(subject: &str) -> Option<(Peer, u16)> {
    let rest = subject.strip_prefix("$KV.")?.strip_prefix(BEATS)?.strip_prefix('.')?;
    let (peer, worker) = rest.split_once('.')?;
    Some((peer.parse().ok()?, worker.parse().ok()?))
}
