//! The network between nodes and gateway: channels between threads, which know who has sent what.
//!
//! A real one authenticates both ends and encrypts (mutual TLS will do). It may lose packets: the runners send again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};

use quorate::PartyId;
use quorate::session::frame::Header;
use quorate::session::{SessionId, Transcript};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;

use crate::orders::Order;
use crate::records::Answer;

/// Something for a node.
pub enum Delivery {
    /// A packet of a peer, whom the network has authenticated.
    Packet(PartyId, Vec<u8>),
    /// How another node is configured.
    Greeting(PartyId, String),
    /// The list of the presignatures that another signer holds.
    List(PartyId, Vec<u8>),
    /// An order of the gateway.
    Order(Arc<Order>),
    /// The gateway asks which presignatures all signers hold; a number to answer with. Each signer tells the others what
    /// it holds, again, and the first one answers.
    Ask(u64),
    /// It is over.
    End,
}

/// Something for the gateway.
pub enum Report {
    /// The answer of a node to an order.
    Answer(PartyId, SessionId, Answer),
    /// The names of the presignatures that all signers hold, and the number of the question.
    Held(u64, Vec<[u8; 36]>),
    /// Something that a node's operator should know.
    Notice(PartyId, String),
    /// A node is gone: the reason, if it has failed.
    Gone(PartyId, Option<Failure>),
}

/// A node's way to the others.
#[derive(Clone)]
pub struct Net {
    nodes: BTreeMap<PartyId, Sender<Delivery>>,
    record: Option<Arc<Mutex<File>>>,
}

impl Net {
    /// A network of these nodes.
    #[must_use]
    pub const fn new(nodes: BTreeMap<PartyId, Sender<Delivery>>) -> Self {
        Self { nodes, record: None }
    }

    /// Appends a line for each frame that is sent to this file: sender, recipient, protocol, round, whom it names as its
    /// recipient, context, and a digest of it. For an audit.
    ///
    /// # Errors
    /// A [`Failure`] if the file cannot be written.
    pub fn recorded(self, path: &Path) -> Result<Self, Failure> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(Failure::file("write", path))?;
        Ok(Self { record: Some(Arc::new(Mutex::new(file))), ..self })
    }

    /// Greets all other nodes.
    pub fn greet(&self, from: PartyId, greeting: &str) {
        for (_, node) in self.nodes.iter().filter(|(to, _)| **to != from) {
            node.send(Delivery::Greeting(from, greeting.to_owned())).ok();
        }
    }

    /// Sends a list of presignatures, which are no secret.
    pub fn list(&self, from: PartyId, to: PartyId, list: &[u8]) {
        if let Some(node) = self.nodes.get(&to) {
            node.send(Delivery::List(from, list.to_vec())).ok();
        }
    }

    /// Sends a packet. That it arrives is nowhere assumed.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be recorded.
    pub fn send(&self, from: PartyId, to: PartyId, packet: &[u8]) -> Result<(), Failure> {
        if let Some(record) = &self.record
            && let Some(line) = line(from, to, packet)
        {
            let mut file = record.lock().map_err(|_| Failure::new("the record is broken"))?;
            // One call for each line: a process that is killed leaves whole ones.
            file.write_all(line.as_bytes())?;
        }
        if let Some(node) = self.nodes.get(&to) {
            node.send(Delivery::Packet(from, packet.to_vec())).ok();
        }
        Ok(())
    }
}

fn line(from: PartyId, to: PartyId, packet: &[u8]) -> Option<String> {
    let (_, frame) = packet.split_first().filter(|(kind, _)| **kind == 0)?;
    let Header { code, round, to: named, context, .. } = Header::parse(frame)?;
    let named = named.map_or(0, PartyId::get);
    let mut transcript = Transcript::new("custody record");
    transcript.append("frame", frame);
    let (context, digest) = (hex(&context), hex(&transcript.finish32()));
    Some(format!("{from} {to} {code} {} {named} {context} {digest}\n", round.get()))
}
