//! A simulated run: the parties, the frames on their way, and the time.

use alloc::{boxed::Box, collections::BTreeMap, vec::Vec};

use chacha20::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use super::network::Network;
use super::report::{Delivery, Report, Stats};
use crate::{
    Ended, FrameFate, Outgoing, ParamError, Parties, PartyId, Progress, Protocol, Round, SealKey,
    Session, SessionId, Step, Stopped, To, Unconfirmed,
};

/// The number of times that a stalled network resends everything before it gives up.
const RESENDS: u32 = 64;

/// A party's frames of this round and the one before, which a slower peer may still need.
type RoundMessages = Vec<(Round, Vec<Outgoing>)>;

struct Node<P: Protocol> {
    fate: Fate<P>,
    sent: RoundMessages,
}

enum Fate<P: Protocol> {
    Running(Box<Session<P>>),
    Ended(Result<Ended<P::Output>, Stopped>),
}

/// A function that gives the parameters of a party. Behind a pointer, so that the code of a protocol's world is compiled
/// once and not for every caller.
type Params<'p, P> = &'p mut dyn FnMut(PartyId) -> <P as Protocol>::Params;

struct World<'a, 'p, P: Protocol> {
    network: Network<'a>,
    parties: &'a Parties,
    key: SealKey,
    params: Params<'p, P>,
    nodes: BTreeMap<PartyId, Node<P>>,
    /// By time of arrival, then by the order of sending.
    queue: BTreeMap<(u64, u64), Delivery>,
    serial: u64,
    now: u64,
    stats: Stats,
}

impl<'a> Network<'a> {
    /// Runs one session of `P` for each of `parties`, to the end of all that can happen.
    ///
    /// `params` gives the parameters of each party, again each time one is resumed.
    ///
    /// # Errors
    /// [`ParamError`] if a session does not start.
    pub fn run<P: Protocol>(
        self,
        sid: SessionId,
        parties: &'a Parties,
        mut params: impl FnMut(PartyId) -> P::Params,
    ) -> Result<Report<P::Output>, ParamError> {
        let mut world = World::<P>::new(self, parties, &mut params);
        parties.iter().try_for_each(|me| world.start(sid, me))?;
        Ok(world.run())
    }
}

impl<'a, 'p, P: Protocol> World<'a, 'p, P> {
    fn new(mut network: Network<'a>, parties: &'a Parties, params: Params<'p, P>) -> Self {
        let mut key = [0; 32];
        network.rng.fill_bytes(&mut key);
        Self {
            network,
            parties,
            key: SealKey::new(key),
            params,
            nodes: BTreeMap::new(),
            queue: BTreeMap::new(),
            serial: 0,
            now: 0,
            stats: Stats::default(),
        }
    }

    /// Starts the session of one party and sends its first messages.
    fn start(&mut self, sid: SessionId, me: PartyId) -> Result<(), ParamError> {
        let mut seed = [0; 32];
        self.network.rng.fill_bytes(&mut seed);
        let mut rng = ChaCha20Rng::from_seed(seed);
        let step = Session::start(sid, me, self.parties, (self.params)(me), &mut rng)?;
        let mut sent = RoundMessages::new();
        let fate = Fate::Running(Box::new(self.send(step, &mut sent)));
        self.nodes.insert(me, Node { fate, sent });
        Ok(())
    }

    fn run(mut self) -> Report<P::Output> {
        let mut resends = if self.network.lose > 0 { RESENDS } else { 0 };
        loop {
            while let Some(((time, _), delivery)) = self.queue.pop_first() {
                self.now = time;
                self.deliver(&delivery);
            }
            let running = |node: &Node<P>| matches!(node.fate, Fate::Running(_));
            if resends == 0 || !self.nodes.values().any(running) {
                break;
            }
            resends -= 1;
            self.resend();
        }
        let mut report =
            Report { results: BTreeMap::new(), unconfirmed: BTreeMap::new(), stats: self.stats };
        for (party, node) in self.nodes {
            let result = match node.fate {
                Fate::Ended(result) => result,
                Fate::Running(session) => session.give_up().map(Ended::Unconfirmed),
            };
            let result = match result {
                Ok(Ended::Done(output)) => Ok(output),
                Ok(Ended::Unconfirmed(Unconfirmed { output, abort, .. })) => {
                    report.unconfirmed.insert(party, output);
                    Err(abort)
                }
                Err(stopped) => Err(stopped.abort),
            };
            report.results.insert(party, result);
        }
        report
    }

    /// Puts the messages of a step on the wire and remembers them.
    fn send(&mut self, step: Step<P>, sent: &mut RoundMessages) -> Session<P> {
        let Step { session, outgoing } = step;
        let round = session.round();
        self.stats.count(round, &outgoing);
        self.dispatch(session.party_id(), round, &outgoing);
        if sent.len() > 1 {
            sent.remove(0);
        }
        sent.push((round, outgoing));
        session
    }

    fn dispatch(&mut self, from: PartyId, round: Round, outgoing: &[Outgoing]) {
        for message in outgoing {
            let broadcast = message.to == To::Everyone;
            for to in self.parties.iter().filter(|to| *to != from) {
                if broadcast || message.to == To::Only(to) {
                    let bytes = message.bytes.clone();
                    let one = Delivery { from, to, round, broadcast, bytes };
                    for delivery in (self.network.hook)(one) {
                        self.enqueue(delivery);
                    }
                }
            }
        }
    }

    fn enqueue(&mut self, delivery: Delivery) {
        if self.network.chance(self.network.lose) {
            self.stats.lost += 1;
            return;
        }
        let copies = if self.network.chance(self.network.duplicate) { 2 } else { 1 };
        for _ in 0..copies {
            let jitter = self.network.below(self.network.jitter.saturating_add(1));
            let latency = (self.network.latency)(delivery.from, delivery.to);
            let arrival = self.now.saturating_add(latency).saturating_add(jitter.into());
            self.serial += 1;
            self.queue.insert((arrival, self.serial), delivery.clone());
        }
    }

    fn resend(&mut self) {
        let all: Vec<(PartyId, RoundMessages)> =
            self.nodes.iter().map(|(party, node)| (*party, node.sent.clone())).collect();
        for (from, sent) in all {
            for (round, outgoing) in sent {
                self.dispatch(from, round, &outgoing);
            }
        }
    }

    fn deliver(&mut self, delivery: &Delivery) {
        let Some(Node { mut fate, mut sent }) = self.nodes.remove(&delivery.to) else {
            return;
        };
        if let Fate::Running(session) = fate {
            fate = self.receive(*session, &mut sent, delivery);
        }
        self.nodes.insert(delivery.to, Node { fate, sent });
    }

    fn receive(
        &mut self,
        mut session: Session<P>,
        sent: &mut RoundMessages,
        delivery: &Delivery,
    ) -> Fate<P> {
        self.stats.received += 1;
        match session.receive(delivery.from, &delivery.bytes) {
            Ok(FrameFate::Duplicate) => self.stats.duplicates += 1,
            Ok(_) => {}
            Err(why) => self.stats.rejected.push((delivery.from, delivery.to, why)),
        }
        if self.network.chance(self.network.crash) {
            session = self.resume(session, sent);
        }
        self.advance(session, sent)
    }

    /// Crash and recovery: only the sealed bytes survive.
    fn resume(&mut self, session: Session<P>, sent: &RoundMessages) -> Session<P> {
        let sealed = session.seal(&self.key);
        let opened = Session::open(&sealed, (self.params)(session.party_id()), &self.key);
        self.stats.resumed += 1;
        match opened {
            Ok(step) if sent.last().is_some_and(|(_, before)| *before == step.outgoing) => {
                step.session
            }
            _ => {
                self.stats.diverged += 1;
                session
            }
        }
    }

    /// Moves on through as many rounds as are complete.
    fn advance(&mut self, mut session: Session<P>, sent: &mut RoundMessages) -> Fate<P> {
        let me = session.party_id();
        let result = loop {
            match session.advance() {
                Ok(Progress::Waiting(waiting)) => return Fate::Running(Box::new(waiting)),
                Ok(Progress::Working(working)) => session = working,
                Ok(Progress::Round(step)) => session = self.send(step, sent),
                Ok(Progress::Done { output, .. }) => break Ok(Ended::Done(output)),
                Ok(Progress::Unconfirmed(unconfirmed)) => {
                    break Ok(Ended::Unconfirmed(unconfirmed));
                }
                Err(stopped) => break Err(stopped),
            }
        };
        self.stats.ended_at.insert(me, self.now);
        Fate::Ended(result)
    }
}
