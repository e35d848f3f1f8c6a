//! The network between the nodes, as one of them sees it.
//!
//! Here it is a channel to the [`service`](super::service), which passes letters on and knows who
//! sent them. A real one authenticates both ends and encrypts (mutual TLS will do). It may lose
//! letters: whoever comes back says [hello](HELLO), and is sent everything again.

use std::sync::mpsc::{Receiver, Sender};

use quorate::{Parties, PartyId, To};

use super::node::Stop;
use super::service::Event;
use super::store::Store;

/// The topic of a letter that asks for everything again, and says how its sender is configured.
pub const HELLO: &str = "hello";

/// The longest configuration that is read.
const LONGEST: usize = 1024;

/// A message of the service to a node.
pub enum Delivery {
    /// A message.
    Letter(Letter),
    /// It has been quiet for too long: whoever waits ends its run.
    GiveUp,
}

/// A message on its way.
#[derive(Clone, Debug)]
pub struct Letter {
    /// The sender, as the transport gives it.
    pub from: PartyId,
    /// The recipient.
    pub to: PartyId,
    /// The session that it belongs to.
    pub topic: String,
    /// The message.
    pub bytes: Vec<u8>,
}

/// A node's end of the network.
pub struct Mail {
    me: PartyId,
    peers: Vec<PartyId>,
    post: Sender<Event>,
    inbox: Receiver<Delivery>,
    /// The configuration of this node, for the others to compare.
    settings: String,
    /// Letters for what this node has not come to yet.
    early: Vec<Letter>,
}

impl Mail {
    /// The end of node `me`.
    #[must_use]
    pub fn new(
        me: PartyId,
        parties: &Parties,
        post: Sender<Event>,
        inbox: Receiver<Delivery>,
        settings: String,
    ) -> Self {
        let peers = parties.iter().filter(|party| *party != me).collect();
        Self { me, peers, post, inbox, settings, early: Vec::new() }
    }

    /// Sends a message. That it arrives is nowhere assumed.
    pub fn send(&self, to: To, topic: &str, bytes: &[u8]) {
        let reaches = |peer: &&PartyId| to == To::Everyone || to == To::Only(**peer);
        for &to in self.peers.iter().filter(reaches) {
            let letter =
                Letter { from: self.me, to, topic: topic.to_owned(), bytes: bytes.to_vec() };
            self.post.send(Event::Letter(letter)).ok();
        }
    }

    /// The start of a node: it sends again whatever it may have sent before, and asks for
    /// what it may have received.
    ///
    /// # Errors
    /// Those of the store.
    pub fn hello(&self, store: &Store) -> Result<(), Stop> {
        for &peer in &self.peers {
            self.send_again(peer, store)?;
            self.send(To::Only(peer), HELLO, self.settings.as_bytes());
        }
        Ok(())
    }

    fn send_again(&self, peer: PartyId, store: &Store) -> Result<(), Stop> {
        for (topic, bytes) in store.outbox(peer)? {
            self.send(To::Only(peer), &topic, &bytes);
        }
        Ok(())
    }

    /// Waits for the next letter on a topic; `None` if it is time to give up. Who says hello
    /// meanwhile is answered; letters on other topics are kept.
    ///
    /// # Errors
    /// [`Stop::Closed`] if there is nobody left to write.
    pub fn receive(&mut self, topic: &str, store: &Store) -> Result<Option<Letter>, Stop> {
        loop {
            if let Some(at) = self.early.iter().position(|letter| letter.topic == topic) {
                return Ok(Some(self.early.remove(at)));
            }
            let letter = match self.inbox.recv().map_err(|_| Stop::Closed)? {
                Delivery::Letter(letter) => letter,
                Delivery::GiveUp => return Ok(None),
            };
            if letter.topic == HELLO {
                for difference in differences(&self.settings, letter.from, &letter.bytes) {
                    store.reject(HELLO, letter.from, &difference)?;
                    self.post.send(Event::Notice(self.me, difference)).ok();
                }
                self.send_again(letter.from, store)?;
            } else {
                self.early.push(letter);
            }
        }
    }
}

/// The lines of a peer's configuration that differ from ours: `party 3 uses threshold 3, expected 2`.
///
/// It is for the operator. What must be the same is compared by the sessions themselves, which say
/// that it differs, and not how.
fn differences(ours: &str, from: PartyId, theirs: &[u8]) -> Vec<String> {
    let theirs = theirs.get(..LONGEST).unwrap_or(theirs);
    let theirs = String::from_utf8_lossy(theirs);
    let differs = |line: &str| {
        let (name, expected) = line.split_once(' ')?;
        let found = theirs.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let found = found.unwrap_or("unknown");
        // A peer's text goes to a terminal.
        let shown: String = found.chars().take(40).flat_map(char::escape_default).collect();
        (found != expected)
            .then(|| format!("party {from} uses {name} {shown}, expected {expected}"))
    };
    ours.lines().filter_map(differs).collect()
}
