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

/// The topic of a letter that asks for everything again.
pub const HELLO: &str = "hello";

/// A message on its way.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Who sent it. The transport says so, not the sender.
    pub from: PartyId,
    /// Whom it is for.
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
    inbox: Receiver<Letter>,
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
        inbox: Receiver<Letter>,
    ) -> Self {
        let peers = parties.iter().filter(|party| *party != me).collect();
        Self { me, peers, post, inbox, early: Vec::new() }
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

    /// What a node does when it starts: sends again whatever it may have sent before, and asks for
    /// what it may have received.
    ///
    /// # Errors
    /// Those of the store.
    pub fn hello(&self, store: &Store) -> Result<(), Stop> {
        for &peer in &self.peers {
            self.send_again(peer, store)?;
            self.send(To::Only(peer), HELLO, &[]);
        }
        Ok(())
    }

    fn send_again(&self, peer: PartyId, store: &Store) -> Result<(), Stop> {
        for (topic, bytes) in store.outbox(peer)? {
            self.send(To::Only(peer), &topic, &bytes);
        }
        Ok(())
    }

    /// Waits for the next letter on a topic. Who says hello meanwhile is answered; letters on other
    /// topics are kept.
    ///
    /// # Errors
    /// [`Stop::Closed`] if there is nobody left to write.
    pub fn receive(&mut self, topic: &str, store: &Store) -> Result<Letter, Stop> {
        loop {
            if let Some(at) = self.early.iter().position(|letter| letter.topic == topic) {
                return Ok(self.early.remove(at));
            }
            let letter = self.inbox.recv().map_err(|_| Stop::Closed)?;
            if letter.topic == HELLO {
                self.send_again(letter.from, store)?;
            } else {
                self.early.push(letter);
            }
        }
    }
}
