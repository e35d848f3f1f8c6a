//! The gateway's questions: what its HTTP side asks its core, over a channel.

use core::fmt;

use quorate::PartyId;
use quorate::runner::Time;

use crate::change::SignedChange;
use crate::request::{KeyId, RequestKey, Scheme, SignedRequest};
use crate::statement::SignedStatement;

/// Where an answer goes. It is called once, in the core's thread: it must not block.
pub struct Reply<T>(Box<dyn FnOnce(T) + Send>);

impl<T> Reply<T> {
    /// A reply that hands the answer to this function.
    pub fn new(take: impl FnOnce(T) + Send + 'static) -> Self {
        Self(Box::new(take))
    }

    /// Gives the answer.
    pub fn send(self, answer: T) {
        (self.0)(answer);
    }
}

impl<T> fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reply")
    }
}

/// Something that the core is asked.
#[derive(Debug)]
pub enum Ask {
    /// Take a request.
    Submit(SignedRequest, Reply<Submitted>),
    /// What has become of a request: nothing if there is none under this key.
    Status(RequestKey, Reply<Option<State>>),
    /// The same, once it has ended or this moment has come, in milliseconds since 1970.
    Wait(RequestKey, Time, Reply<Option<State>>),
    /// Everything that an operator wants to see.
    Snapshot(Reply<Box<Snapshot>>),
    /// New shares of a key, the key staying as it is.
    Refresh(KeyId, Reply<bool>),
    /// New shares of a key at another committee or threshold, as a requester has signed; the epoch of the new shares, or why
    /// not.
    Change(SignedChange, Reply<Result<u32, String>>),
    /// Take no further request, end what was taken, and answer when nothing is left.
    Drain(Reply<()>),
}

/// What has become of a request when it was handed in. It is in the database before this is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Submitted {
    /// It is taken, now or before, and this is how far it is.
    Taken(State),
    /// There is another request under its key.
    Conflict,
    /// It is not taken.
    Refused(Refusal),
}

/// The reasons for which a request is not taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Refusal {
    /// Nobody that the gateway knows has signed it.
    Unsigned,
    /// There is no such key of this scheme.
    NoKey,
    /// The key has no such child.
    NoChild,
    /// Its deadline has passed, or is too far away.
    Deadline,
    /// There are as many open requests as may be. It may be handed in again later.
    Busy,
    /// The gateway takes no further requests.
    Draining,
}

impl Refusal {
    /// The reason in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Unsigned => "not signed by a requester that is known here",
            Self::NoKey => "there is no such key",
            Self::NoChild => "the key has no such child",
            Self::Deadline => "the deadline has passed or is too far away",
            Self::Busy => "too many requests are open: try again later",
            Self::Draining => "this gateway takes no further requests",
        }
    }
}

/// How far a request is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// It waits for something to sign it with.
    Waiting,
    /// Signers were asked.
    Asked,
    /// It is signed.
    Signed {
        /// The signature: 65 bytes of ECDSA (r, s, recovery id) or 64 of Ed25519. It has been verified.
        signature: Vec<u8>,
        /// The key that has signed.
        public_key: Vec<u8>,
    },
    /// There is no signature here.
    Refused {
        /// The reason.
        why: String,
        /// Whether there is none elsewhere, either: no signer can make one for this request any more.
        certain: bool,
    },
}

impl State {
    /// Whether it has ended.
    #[must_use]
    pub const fn is_end(&self) -> bool {
        matches!(self, Self::Signed { .. } | Self::Refused { .. })
    }
}

/// What an operator wants to see of a gateway. Counts are of this life of the process unless they say otherwise.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// Requests that have no end yet.
    pub open: usize,
    /// Requests that were taken.
    pub taken: u64,
    /// Requests that were signed, ECDSA first.
    pub signed: [u64; 2],
    /// Requests that were refused after they were taken.
    pub refused: u64,
    /// Requests that were not taken.
    pub rejected: u64,
    /// Orders that were given again.
    pub repeated: u64,
    /// Times from taking to signature, in milliseconds, of the last signatures (at most 1024), oldest first.
    pub latencies: Vec<u32>,
    /// The keys.
    pub keys: Vec<KeyView>,
    /// The nodes.
    pub nodes: Vec<NodeView>,
    /// What operators should know, latest last.
    pub notices: Vec<String>,
    /// Whether requests are taken and there is something to sign with for every key.
    pub ready: bool,
}

/// A key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyView {
    /// Its name.
    pub id: KeyId,
    /// Its scheme.
    pub scheme: Scheme,
    /// The number of times that its shares were made anew.
    pub epoch: u32,
    /// The public key, once it is there.
    pub public_key: Vec<u8>,
    /// The public side of the key, with its shares of this epoch.
    pub public: Vec<u8>,
    /// The nodes' statements of the key.
    pub stated: Vec<(PartyId, SignedStatement)>,
    /// The nodes that hold shares.
    pub parties: Vec<PartyId>,
    /// How many of them sign.
    pub threshold: u16,
    /// What is left to sign with: presignatures, or pairs of nonces of the node with the fewest.
    pub stock: usize,
    /// The marks of the stock.
    pub low: usize,
    /// The marks of the stock.
    pub high: usize,
}

/// A node, as the gateway sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeView {
    /// Its number.
    pub node: PartyId,
    /// How long ago it was heard, in milliseconds; nothing if it never was.
    pub heard: Option<Time>,
    /// The epoch of its database.
    pub epoch: u64,
    /// The hash of all that it has released, as it has last said.
    pub head: Option<[u8; 32]>,
    /// The reason why it refuses to sign, if it does.
    pub refuses: Option<String>,
    /// Whether it was caught with a wrong share.
    pub cheated: bool,
    /// Orders that it has not answered.
    pub owes: usize,
}
