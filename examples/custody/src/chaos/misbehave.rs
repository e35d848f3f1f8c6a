//! A worker that cheats on purpose, for trials: what its core sends is changed on its way to the bus, and so goes out in
//! envelopes that are signed with the node's own key.
//!
//! Its own settings alone can ask for that ([`Chaos`](crate::deployment::settings::Chaos)), and it says so in its log; no
//! message of anybody does.

use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;
use quorate::PartyId;
use quorate::session::frame::{HEADER, Header};
use serde::{Deserialize, Serialize};

use super::events::Random;
use crate::bus::{Beat, Bus, Counts, Parcel, Peer, Route};
use crate::node::now;
use crate::wire::{Message, Shared};

/// A node that stalls is silent for so many milliseconds of so many.
const SILENT: (u64, u64) = (12_000, 15_000);

/// Which node misbehaves, and how.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Misbehave {
    /// The node.
    pub node: u16,
    /// What it does.
    pub how: How,
    /// What its choices come from.
    pub seed: u64,
}

/// What a node does that misbehaves.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// Of each broadcast some peers are sent another one, and some both.
    Equivocate,
    /// Shares of signatures are wrong; frames, nonces and whole parcels are random bytes at times.
    Garbage,
    /// It answers nothing for most of the time.
    Stall,
}

impl How {
    /// Whether the others can prove it: time is never evidence.
    pub(crate) const fn is_proven(self) -> bool {
        matches!(self, Self::Equivocate | Self::Garbage)
    }

    /// Its name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Equivocate => "equivocate",
            Self::Garbage => "garbage",
            Self::Stall => "stall",
        }
    }
}

/// A worker's end of the bus that changes what is sent, if it is told so.
pub(crate) struct Liar<B> {
    bus: B,
    how: Option<How>,
    random: Mutex<Random>,
}

impl<B: Bus> Liar<B> {
    /// The end of a node's worker, which cheats if these settings are for this node.
    pub(crate) fn new(bus: B, misbehave: Option<Misbehave>) -> Self {
        let mine = misbehave
            .filter(|one| PartyId::new(one.node).is_some_and(|id| bus.me() == Peer::Node(id)));
        if let Some(Misbehave { how, .. }) = mine {
            tracing::warn!(how = how.name(), "this worker misbehaves on purpose");
        }
        let random = Mutex::new(Random::new(mine.map_or(0, |one| one.seed)));
        Self { bus, how: mine.map(|one| one.how), random }
    }

    fn changed(&self, parcels: Vec<Parcel>, now: u64) -> Vec<Parcel> {
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        match self.how {
            None => parcels,
            Some(How::Stall) if now.checked_rem(SILENT.1).is_some_and(|at| at < SILENT.0) => {
                Vec::new()
            }
            Some(How::Stall) => parcels,
            Some(How::Equivocate) => parcels.into_iter().map(equivocate).collect(),
            Some(How::Garbage) => {
                parcels.into_iter().map(|parcel| garbage(parcel, &mut random)).collect()
            }
        }
    }
}

impl<B: Bus> Bus for Liar<B> {
    fn me(&self) -> Peer {
        self.bus.me()
    }

    fn listen(&self, routes: &[Route]) {
        self.bus.listen(routes);
    }

    fn publish(&self, parcels: Vec<Parcel>) -> usize {
        self.bus.publish(self.changed(parcels, now()))
    }

    fn beat(&self, body: &[u8]) {
        self.bus.beat(body);
    }

    fn alive(&self) -> Vec<Beat> {
        self.bus.alive()
    }

    fn counts(&self) -> Counts {
        self.bus.counts()
    }
}

/// Even peers get another broadcast instead, odd ones both.
fn equivocate(mut parcel: Parcel) -> Parcel {
    let Peer::Node(to) = parcel.to else { return parcel };
    let even = to.get() & 1 == 0;
    let mut messages = Vec::new();
    for bytes in parcel.messages {
        let Some(other) = other_broadcast(&bytes) else {
            messages.push(bytes);
            continue;
        };
        if !even {
            messages.push(bytes);
        }
        messages.push(other);
    }
    parcel.messages = messages;
    parcel
}

/// Another broadcast in the place of this one, always the same.
fn other_broadcast(bytes: &[u8]) -> Option<Vec<u8>> {
    let Ok(Message::Packet(mut packet)) = Message::from_bytes(bytes) else { return None };
    let header = frame(&packet)?;
    let body = packet.len() > HEADER.saturating_add(1);
    if header.to.is_some() || !body {
        return None;
    }
    *packet.last_mut()? ^= 1;
    Some(Message::Packet(packet).to_bytes())
}

/// The header of the frame in a packet.
fn frame(packet: &[u8]) -> Option<Header> {
    let (_, frame) = packet.split_first().filter(|(kind, _)| **kind == 0)?;
    Header::parse(frame)
}

fn garbage(mut parcel: Parcel, random: &mut Random) -> Parcel {
    if random.below(8) == 0 {
        let count = random.below(3).saturating_add(1);
        parcel.messages = (0..count).map(|_| noise(random.below(300), random)).collect();
        return parcel;
    }
    for bytes in &mut parcel.messages {
        *bytes = match Message::from_bytes(bytes) {
            Ok(Message::Share(order, Shared::Share(mut share))) => {
                if let Some(last) = share.last_mut() {
                    *last ^= 1;
                }
                Message::Share(order, Shared::Share(share)).to_bytes()
            }
            Ok(Message::Packet(mut packet)) if frame(&packet).is_some() && random.below(3) == 0 => {
                let head = HEADER.saturating_add(1);
                let length = u64::try_from(packet.len().saturating_sub(head)).unwrap_or(0);
                packet.truncate(head);
                packet.extend(noise(length, random));
                Message::Packet(packet).to_bytes()
            }
            Ok(Message::Nonces(mut nonces)) if random.below(3) == 0 => {
                let length = u64::try_from(nonces.published.len()).unwrap_or(0);
                nonces.published = noise(length, random);
                Message::Nonces(nonces).to_bytes()
            }
            _ => continue,
        };
    }
    parcel
}

fn noise(length: u64, random: &mut Random) -> Vec<u8> {
    (0..length).map(|_| random.below(256).to_le_bytes()[0]).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quorate::session::Round;

    use super::*;
    use crate::post::{ANSWERS, packets};

    #[derive(Clone, Default)]
    struct Out(Arc<Mutex<Vec<Parcel>>>);

    impl Bus for Out {
        fn me(&self) -> Peer {
            Peer::Node(id(3))
        }
        fn listen(&self, _: &[Route]) {}
        fn publish(&self, parcels: Vec<Parcel>) -> usize {
            self.0.lock().unwrap().extend(parcels);
            0
        }
        fn beat(&self, _: &[u8]) {}
        fn alive(&self) -> Vec<Beat> {
            Vec::new()
        }
        fn counts(&self) -> Counts {
            Counts::default()
        }
    }

    fn id(number: u16) -> PartyId {
        PartyId::new(number).unwrap()
    }

    fn packet(to: Option<u16>) -> Vec<u8> {
        let header = Header {
            version: 1,
            code: 20,
            round: Round::FIRST,
            from: id(3),
            to: to.map(id),
            context: [7; 32],
        };
        let frame = header.frame(Some(&[8; 32]), &[9; 20]);
        Message::Packet([&[0], frame.as_slice()].concat()).to_bytes()
    }

    fn to(peer: u16, message: &[u8]) -> Parcel {
        let (to, route) = (Peer::Node(id(peer)), packets(crate::orders::Shard::Keygen));
        Parcel { to, route, messages: vec![message.to_vec()] }
    }

    fn sent(how: How, node: u16, parcels: Vec<Parcel>) -> Vec<Vec<Vec<u8>>> {
        let out = Out::default();
        let misbehave = Some(Misbehave { node, how, seed: 4 });
        let liar = Liar::new(out.clone(), misbehave);
        let changed = liar.changed(parcels, 14_000);
        liar.bus.publish(changed);
        let sent: Vec<Parcel> = out.0.lock().unwrap().clone();
        sent.into_iter().map(|parcel| parcel.messages).collect()
    }

    #[test]
    fn who_equivocates_sends_different_broadcasts_to_different_peers() {
        let (all, one) = (packet(None), packet(Some(1)));
        let parcels = || vec![to(1, &all), to(2, &all), to(1, &one)];
        let sent_by = |node| sent(How::Equivocate, node, parcels());
        let honest: Vec<_> = parcels().into_iter().map(|parcel| parcel.messages).collect();
        assert_eq!(sent_by(2), honest, "another node is meant");
        let lies = sent_by(3);
        assert_eq!((lies[0].len(), &lies[0][0], lies[1].len()), (2, &all, 1));
        assert_eq!(lies[0][1], lies[1][0]);
        assert_ne!(lies[1][0], all);
        assert_eq!(lies[2], honest[2]);
        assert_eq!(sent_by(3), lies, "the same again");
    }

    #[test]
    fn garbage_has_no_right_share() {
        let share = Message::Share([1; 32], Shared::Share(vec![5; 32])).to_bytes();
        let parcel = Parcel {
            to: Peer::Gateway(1),
            route: ANSWERS,
            messages: vec![share.clone(), share.clone()],
        };
        let sent = sent(How::Garbage, 3, vec![parcel; 50]);
        assert!(sent.iter().flatten().all(|message| *message != share));
        let read = |message: &Vec<u8>| Message::from_bytes(message).is_ok();
        assert!(sent.iter().flatten().any(read) && !sent.iter().flatten().all(read));
    }

    #[test]
    fn who_stalls_is_silent_most_of_the_time() {
        let liar = Liar::new(Out::default(), Some(Misbehave { node: 3, how: How::Stall, seed: 0 }));
        let all = packet(None);
        let count = (0..150).filter(|at| !liar.changed(vec![to(1, &all)], at * 100).is_empty());
        assert_eq!(count.count(), 30);
    }
}
