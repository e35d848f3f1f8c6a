//! What each peer may do at the broker.
//!
//! A peer publishes under its own name, asks for the next messages of its own queues, acknowledges them, and reads what
//! comes to its own inboxes. It makes no stream and no consumer: one can be made to read, or to publish, what its maker may
//! not. What these do not hold back is where the server sends its answers: a peer can have the server answer to another's
//! subject. That is why a message is what its [envelope](crate::envelope)'s signature says, and nothing else.

use crate::bus::{Kind, Peer, subjects};
use crate::directory::Directory;

/// Subjects that may be published, and those that may be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Permissions {
    /// To publish.
    pub publish: Vec<String>,
    /// To read.
    pub subscribe: Vec<String>,
}

/// What a peer may do.
#[must_use]
pub fn of_peer(me: Peer, directory: &Directory) -> Permissions {
    let stream = subjects::stream(me);
    let kinds: &[Kind] = match me {
        Peer::Node(_) => &[Kind::Frame, Kind::Answer],
        Peer::Gateway(_) => &[Kind::Job],
    };
    let mut publish: Vec<String> =
        kinds.iter().map(|kind| subjects::publishable(*kind, me)).collect();
    publish.extend([
        format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.*"),
        // Of both forms that servers give them.
        format!("$JS.ACK.{stream}.>"),
        format!("$JS.ACK.*.*.{stream}.>"),
        format!("$KV.{}.{me}.*", subjects::BEATS),
        subjects::dead(me),
    ]);
    // Whether a stream was made anew is what everybody has to know who sends to it.
    let info = |peer| format!("$JS.API.STREAM.INFO.{}", subjects::stream(peer));
    publish.extend(directory.peers().map(|(peer, _)| info(peer)));
    let beats = format!("$KV.{}.*.*", subjects::BEATS);
    Permissions { publish, subscribe: vec![format!("{}.>", subjects::inbox(me)), beats] }
}

/// What the keeper may do: make streams, consumers and the bucket, and read the dead letters. Whoever has its key can read
/// and remove what is in the queues, as whoever runs the server can: the envelopes are sealed.
#[must_use]
pub fn of_keeper() -> Permissions {
    let dead = subjects::DEAD_STREAM;
    let api = ["INFO", "STREAM.CREATE.*", "STREAM.INFO.*", "STREAM.NAMES", "STREAM.LIST"];
    let mut publish: Vec<String> = api.map(|call| format!("$JS.API.{call}")).to_vec();
    publish.push("$JS.API.CONSUMER.DURABLE.CREATE.*.*".to_owned());
    publish.push("$JS.API.CONSUMER.CREATE.>".to_owned());
    publish.push(format!("$JS.API.STREAM.MSG.GET.{dead}"));
    Permissions { publish, subscribe: vec![format!("{}.>", crate::bus::nats::keeper::INBOX)] }
}
