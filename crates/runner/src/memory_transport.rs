//! A transport between the threads of one process.

use alloc::{collections::BTreeMap, vec::Vec};
use core::{fmt, time::Duration};
use std::sync::mpsc::{Receiver, Sender, channel};

use quorate_session::{Parties, PartyId};

use crate::{IncomingPacket, Transport};

/// A transport between the threads of one process, of which each party has an end: for tests, and in place of a real one
/// in examples. It loses nothing, and needs no encryption.
#[derive(Debug)]
pub struct MemoryTransport {
    me: PartyId,
    peers: BTreeMap<PartyId, Sender<IncomingPacket>>,
    arriving: Receiver<IncomingPacket>,
    next: Option<IncomingPacket>,
}

impl MemoryTransport {
    /// The ends of a network of these parties, in ascending order.
    #[must_use]
    pub fn network(parties: &Parties) -> Vec<Self> {
        let (peers, ends): (BTreeMap<_, _>, Vec<_>) = parties
            .iter()
            .map(|party| {
                let (sender, arriving) = channel();
                ((party, sender), (party, arriving))
            })
            .unzip();
        let end = |(me, arriving)| Self { me, peers: peers.clone(), arriving, next: None };
        ends.into_iter().map(end).collect()
    }

    /// The party whose end it is.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.me
    }

    /// Waits until there is a packet to [receive](Transport::receive), or for this time.
    pub fn wait(&mut self, most: Duration) {
        if self.next.is_none() {
            self.next = self.arriving.recv_timeout(most).ok();
        }
    }
}

impl Transport for MemoryTransport {
    type Error = Gone;

    fn send(&mut self, to: PartyId, packet: &[u8]) -> Result<(), Gone> {
        let peer = self.peers.get(&to).ok_or(Gone(to))?;
        peer.send(IncomingPacket { from: self.me, bytes: packet.to_vec() }).map_err(|_| Gone(to))
    }

    fn receive(&mut self) -> Result<Option<IncomingPacket>, Gone> {
        Ok(self.next.take().or_else(|| self.arriving.try_recv().ok()))
    }
}

/// A peer that is not there (any more).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gone(pub PartyId);

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "party {} is gone", self.0)
    }
}

impl core::error::Error for Gone {}
