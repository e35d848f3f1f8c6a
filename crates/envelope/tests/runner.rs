//! Two runners over a broker that repeats, reorders, loses, alters and misdelivers envelopes.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use core::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use common::*;
use quorate_envelope::*;
use quorate_runner::{
    App, Continuity, EndKind, IncomingPacket, Job, MemoryStore, RunEnd, Runner, Transport,
};
use quorate_session::{
    Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Parties, PartyId, Protocol, Round,
    Run, SealKey, SessionId, zeroize::Zeroizing,
};
use quorate_testkit::{Lcg, rng};

/// Each sends its document, and all find whether they are the same.
struct Compare;

impl Protocol for Compare {
    const NAME: &'static str = "envelope compare";
    const CODE: u8 = 211;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 1;
    type Params = Vec<u8>;
    type State = Vec<u8>;
    type Output = bool;

    fn bind(_: &Vec<u8>, _: &mut Binding) {}

    fn limits(_: &Vec<u8>, _: usize, _: Round) -> Limits {
        Limits { broadcast: 64, direct: 0 }
    }

    fn start(document: Vec<u8>, _: &Run) -> Result<(Vec<u8>, Outbox), ParamError> {
        Ok((document.clone(), Outbox::broadcast(document)))
    }

    fn next(own: Vec<u8>, _: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(Next::Done(inbox.each().all(|message| message.broadcast == own)))
    }
}

struct Documents;

impl App<Compare> for Documents {
    type Record = Zeroizing<Vec<u8>>;

    fn params(&mut self, job: &Job) -> Option<Vec<u8>> {
        Some(job.body.clone())
    }

    fn record(&mut self, _: &Job, end: RunEnd<bool>) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(vec![u8::from(matches!(end, RunEnd::Done(true)))])
    }
}

/// The envelopes that a broker has seen, and what it does with them.
struct Broker {
    seen: Vec<(PartyId, Vec<u8>)>,
    waiting: Vec<(PartyId, Vec<u8>)>,
    lcg: Lcg,
}

impl Broker {
    fn take(&mut self, to: PartyId, envelope: Vec<u8>) {
        self.seen.push((to, envelope.clone()));
        let other = self.seen[self.lcg.below(self.seen.len())].clone();
        let elsewhere = party(3 - to.get());
        match self.lcg.below(5) {
            0 => {} // lost
            1 => self.waiting.extend([(to, envelope), other]),
            2 => self.waiting.extend([(elsewhere, envelope.clone()), (to, envelope)]),
            3 => {
                let mut altered = envelope.clone();
                let place = self.lcg.below(altered.len());
                altered[place] ^= 1;
                self.waiting.extend([(to, altered), (to, envelope)]);
            }
            _ => self.waiting.insert(0, (to, envelope)),
        }
    }

    fn deliver(&mut self, to: PartyId) -> Option<Vec<u8>> {
        let at = self.waiting.iter().position(|(for_whom, _)| *for_whom == to)?;
        Some(self.waiting.remove(at).1)
    }
}

struct Sealed {
    me: PartyId,
    identity: Identity,
    directory: TrustedDirectory,
    broker: Rc<RefCell<Broker>>,
    refused: Vec<EnvelopeError>,
    drawn: u8,
}

impl Transport for Sealed {
    type Error = Unsealable;

    fn send(&mut self, to: PartyId, packet: &[u8]) -> Result<(), Unsealable> {
        self.drawn += 1;
        let envelope = Envelope::to_party(to, FRAME).message(packet);
        let envelope = envelope.seal(&self.identity, &self.directory, &mut rng(self.drawn))?;
        self.broker.borrow_mut().take(to, envelope);
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<IncomingPacket>, Unsealable> {
        while let Some(envelope) = self.broker.borrow_mut().deliver(self.me) {
            match Opener::new(&self.identity, &self.directory).open(&envelope) {
                Ok(opened) => {
                    let from = opened.party.unwrap();
                    let packet = opened.replayable().pop().unwrap();
                    return Ok(Some(IncomingPacket { from, bytes: packet.to_vec() }));
                }
                Err(error) => self.refused.push(error),
            }
        }
        Ok(None)
    }
}

#[test]
fn two_runners_finish_over_a_hostile_broker() {
    let world = World::new();
    let broker = Broker { seen: Vec::new(), waiting: Vec::new(), lcg: Lcg(5) };
    let broker = Rc::new(RefCell::new(broker));
    let parties = Parties::numbered(2).unwrap();
    let mut nodes = Vec::new();
    for (number, identity) in [(1, world.n1), (2, world.n2)] {
        let me = party(number);
        let key = Arc::new(SealKey::new([2; 32]));
        let builder = Runner::builder(me, key, Continuity::NewStore).protocol::<Compare>();
        let mut runner = builder.open(MemoryStore::new(), Documents).unwrap();
        for run in 1..=4 {
            let sid = SessionId::new([run; 32]);
            let body = b"we agree".to_vec();
            let job = Job { sid, parties: parties.clone(), body, deadline: 900_000 };
            runner.start::<Compare>(&job, 0, &mut rng(run)).unwrap();
        }
        let (directory, broker) = (world.directory.clone(), Rc::clone(&broker));
        let transport = Sealed { me, identity, directory, broker, refused: Vec::new(), drawn: 0 };
        nodes.push((runner, transport));
    }
    let mut ended = Vec::new();
    for turn in 0..60 {
        for (runner, transport) in &mut nodes {
            ended.extend(runner.turn(transport, turn * 10_000).unwrap().ended);
        }
    }
    assert_eq!(ended.len(), 8);
    for run in ended {
        assert!(run.outcome.kind == EndKind::Done && *run.outcome.record_bytes == [1]);
    }
    // Each kind of what the broker has tried was met, and nobody is blamed for the broker.
    let refused: Vec<_> = nodes.into_iter().flat_map(|(_, transport)| transport.refused).collect();
    assert!(refused.iter().any(|error| error.check == Check::Signature));
    assert!(refused.iter().any(|error| matches!(error.check, Check::Recipient(_))));
}
