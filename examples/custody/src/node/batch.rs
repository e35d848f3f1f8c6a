//! The transaction of a turn: what it holds against the node's other workers, and what becomes of it where it meets one.

use std::collections::BTreeSet;

use quorate::runner::Time;
use quorate_examples::failure::Failure;

use super::{BOUNDS, MOST, Node, Orders};
use crate::bus::Peer;
use crate::orders::Shard;
use crate::post::ANSWERS;
use crate::store::Outgoing;
use crate::wire::{Message, Replenish};

/// A turn that meets another worker at the same rows is taken so often, at most.
const TRIES: u32 = 4;

impl Node {
    /// Takes what has come, in one transaction. One that has met another worker at the same rows is made anew: nothing of it is
    /// stored, and nothing was sent. What it has claimed in the ledger is claimed for the same orders, and gives the same
    /// shares.
    pub(super) fn batch(&mut self, came: &[(Peer, Message)], now: Time) -> Result<(), Failure> {
        let outgoing = Outgoing { now, bounds: BOUNDS, most: MOST };
        let mut tries = 1;
        loop {
            let (runs, orders) = (self.runs.clone(), self.orders.clone());
            match runs.batch(outgoing, || self.take(came, now)) {
                Err(_) if runs.met() && tries < TRIES => self.forget(orders)?,
                done => return done,
            }
            tries = tries.saturating_add(1);
        }
    }

    /// Goes back to where the transaction has begun that was not committed, with these orders.
    fn forget(&mut self, orders: Orders) -> Result<(), Failure> {
        let mut before = self.tally();
        before.met = before.met.saturating_add(1);
        let (mine, times) = (core::mem::take(&mut self.mine), (self.lease_at, self.started));
        let routes = self.routes.take();
        let told = core::mem::take(&mut self.told);
        self.begin_anew(self.runs.fresh())?;
        self.told = told.again();
        (self.lease_at, self.started) = times;
        (self.mine, self.routes) = (mine, routes);
        (self.orders, self.before) = (orders, before);
        Ok(())
    }

    /// Takes the locks of what has come, and those that are free of what it works on besides: the shards that it may work on.
    pub(super) fn hold(&self, came: &[(Peer, Message)]) -> Result<BTreeSet<Shard>, Failure> {
        let shard = |(_, message): &(Peer, Message)| match message {
            // An acknowledgement waits for nobody.
            Message::Packet(bytes) => Shard::of_packet(bytes),
            Message::Order(order) => Some(order.kind.shard()),
            // What nodes say to each other besides goes with the first one.
            Message::Beat(_) | Message::Witness(_) | Message::Holds(_) => Some(Shard::Keygen),
            _ => None,
        };
        let came: BTreeSet<u8> = came.iter().filter_map(shard).map(Shard::number).collect();
        let mine: BTreeSet<u8> = self.mine.iter().map(|kind| kind.shard().number()).collect();
        let held = self.runs.hold(&came, &mine)?;
        Ok(held.into_iter().filter_map(Shard::from_number).collect())
    }

    /// Makes nonces, in the order of their rows: another worker may have got the same orders.
    pub(super) fn replenish(&mut self, mut orders: Vec<(u16, &Replenish)>) -> Result<(), Failure> {
        orders.sort_by_key(|(gateway, order)| (order.key, *gateway, order.number));
        for (gateway, order) in orders {
            let nonces = self.vault.borrow_mut().replenish(gateway, order)?;
            self.post.put(Peer::Gateway(gateway), ANSWERS, &Message::Nonces(nonces));
        }
        Ok(())
    }
}
