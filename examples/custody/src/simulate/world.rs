//! The simulation: requests come to a gateway, which orders shares from the nodes, and keeps the pools of presignatures
//! filled by runs of real runners.

use std::collections::{BTreeMap, VecDeque};

use quorate::runner::{FinishedWork, Job};
use quorate::{Parties, PartyId, SessionId};

use super::agenda::{Agenda, Cores, Dice, micros, real};
use super::presigning::{Presigner, Rounds, Zeros, number, presigner, run};
use super::scenario::{JITTER, RUN, Scenario};

enum Event {
    /// A request comes to the gateway.
    Arrives,
    /// An order comes to a node.
    Ordered { node: usize, request: usize },
    /// A share comes to the gateway.
    Answered { request: usize },
    /// A request is signed, and stored.
    Signed { request: usize },
    /// The order of a run of presigning comes to a node.
    Begins { node: usize, run: u64 },
    /// A packet of a runner comes.
    Packet { from: usize, to: usize, bytes: Vec<u8> },
    /// A runner's work is computed.
    Worked { node: usize, work: Box<FinishedWork> },
    /// Something of a runner is due.
    Due { node: usize },
    /// A node's word that a run is done comes to the gateway.
    Stocked { run: u64 },
}

struct Request {
    came: u64,
    /// Of ECDSA, its key.
    key: Option<u64>,
    answers: u16,
}

#[derive(Default)]
struct Pool {
    free: u64,
    coming: u64,
    waiting: VecDeque<usize>,
}

struct Node {
    signer: Cores,
    presigner: Cores,
    runner: Presigner,
    /// The moment for which it is woken.
    woken: Option<u64>,
}

/// What came of a simulation.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Seen {
    /// Requests that came, and that were signed.
    pub(super) requests: [usize; 2],
    /// Seconds from the request to the signature, in ascending order.
    pub(super) latencies: Vec<f64>,
    /// The load of each role, from 0 to 1: signers (the busiest node's), presigners, gateways.
    pub(super) loads: [f64; 3],
    /// Runs of presigning that ended, and seconds that each took, at most.
    pub(super) runs: (usize, f64),
    /// Requests that waited for a presignature.
    pub(super) waited: usize,
    /// Packets of runners, and those that were lost.
    pub(super) packets: [u64; 2],
}

pub(super) struct World<'a> {
    scenario: &'a Scenario,
    agenda: Agenda<Event>,
    dice: Dice,
    gateway: Cores,
    nodes: Vec<Node>,
    requests: Vec<Request>,
    pools: BTreeMap<u64, Pool>,
    /// The key, the start, and the answers of each run.
    runs: Vec<(u64, u64, u16)>,
    signers: Parties,
    seen: Seen,
}

impl<'a> World<'a> {
    pub(super) fn new(scenario: &'a Scenario) -> Option<Self> {
        let numbers = 1..=scenario.nodes;
        let node = |number| {
            Some(Node {
                signer: Cores::new(scenario.signer_cores),
                presigner: Cores::new(scenario.presigner_cores),
                runner: presigner(PartyId::new(number)?)?,
                woken: None,
            })
        };
        let mut world = Self {
            scenario,
            agenda: Agenda::new(),
            dice: Dice::new(scenario.seed),
            gateway: Cores::new(scenario.gateway_cores),
            nodes: numbers.map(node).collect::<Option<_>>()?,
            requests: Vec::new(),
            pools: BTreeMap::new(),
            runs: Vec::new(),
            signers: Parties::numbered(scenario.threshold.min(scenario.nodes)).ok()?,
            seen: Seen {
                requests: [0, 0],
                latencies: Vec::new(),
                loads: [0.0; 3],
                runs: (0, 0.0),
                waited: 0,
                packets: [0, 0],
            },
        };
        let first = world.dice.pause(scenario.rate);
        world.agenda.add(first, Event::Arrives);
        Some(world)
    }

    /// Simulates until every request is signed.
    pub(super) fn run(mut self) -> Seen {
        while let Some(event) = self.agenda.next() {
            self.take(event);
            let [came, signed] = self.seen.requests;
            // Runs that fill the stock for later are left where they are.
            if self.agenda.now() >= micros(self.scenario.seconds) && came == signed {
                break;
            }
        }
        let now = self.agenda.now();
        let most = |load: &dyn Fn(&Node) -> f64| self.nodes.iter().map(load).fold(0.0, f64::max);
        self.seen.loads = [
            most(&|node| node.signer.load(now)),
            most(&|node| node.presigner.load(now)),
            self.gateway.load(now),
        ];
        self.seen.latencies.sort_by(f64::total_cmp);
        self.seen
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Arrives => self.arrives(),
            Event::Ordered { node, request } => self.ordered(node, request),
            Event::Answered { request } => self.answered(request),
            Event::Signed { request } => self.signed(request),
            Event::Begins { node, run } => self.begins(node, run),
            Event::Packet { from, to, bytes } => self.packet(from, to, &bytes),
            Event::Worked { node, work } => self.worked(node, *work),
            Event::Due { node } => {
                if let Some(node) = self.nodes.get_mut(node) {
                    node.woken = None;
                }
                self.turn(node);
            }
            Event::Stocked { run } => self.stocked(run),
        }
    }

    fn arrives(&mut self) {
        let Scenario { rate, ecdsa, keys, wallets, seconds, costs, .. } = self.scenario;
        let next = self.agenda.now().saturating_add(self.dice.pause(*rate));
        if next < micros(*seconds) {
            self.agenda.add(next, Event::Arrives);
        }
        let wallet = self.dice.next().checked_rem((*wallets).max(1)).unwrap_or_default();
        let key = wallet.checked_rem((*keys).max(1)).unwrap_or_default();
        let is_ecdsa = self.dice.part() < *ecdsa;
        let number = self.requests.len();
        let key = is_ecdsa.then_some(key);
        let came = self.agenda.now();
        self.requests.push(Request { came, key, answers: 0 });
        let [requests, _] = &mut self.seen.requests;
        *requests = requests.saturating_add(1);
        let Some(key) = key else {
            self.order(number, costs.commit_us);
            return;
        };
        let high = self.high();
        let pool = self.pools.entry(key).or_insert(Pool { free: high, ..Pool::default() });
        pool.waiting.push_back(number);
        if pool.free == 0 {
            self.seen.waited = self.seen.waited.saturating_add(1);
        }
        self.serve(key);
    }

    /// The presignatures of a full pool: those of five seconds, and a run.
    fn high(&self) -> u64 {
        let Scenario { rate, ecdsa, keys, .. } = self.scenario;
        let five = micros(rate * ecdsa * 5.0 / real((*keys).max(1)) / 1e6);
        five.saturating_add(RUN.into())
    }

    /// Gives presignatures to those who wait for one, and orders more.
    fn serve(&mut self, key: u64) {
        let high = self.high();
        let (commit, now) = (self.scenario.costs.commit_us, self.agenda.now());
        let Some(pool) = self.pools.get_mut(&key) else { return };
        let count = usize::try_from(pool.free).unwrap_or(usize::MAX).min(pool.waiting.len());
        let served: Vec<usize> = pool.waiting.drain(..count).collect();
        pool.free = pool.free.saturating_sub(u64::try_from(count).unwrap_or_default());
        let mut begun = Vec::new();
        while pool.free.saturating_add(pool.coming) < high {
            pool.coming = pool.coming.saturating_add(RUN.into());
            begun.push((key, now, 0));
        }
        served.into_iter().for_each(|request| self.order(request, commit));
        for run in begun {
            let number = u64::try_from(self.runs.len()).unwrap_or(u64::MAX);
            self.runs.push(run);
            for node in self.signing() {
                let at = self.travel(0, node, commit);
                self.agenda.add(at, Event::Begins { node, run: number });
            }
        }
    }

    /// The indices of the signers.
    fn signing(&self) -> core::ops::Range<usize> {
        0..self.signers.len()
    }

    /// The moment at which something comes that is sent after so long. Machine 0 is the gateway; node 0 is machine 1.
    fn travel(&mut self, from: usize, node: usize, after: u64) -> u64 {
        let wire = self.scenario.latency_ms(from, node.saturating_add(1)) / 1e3;
        let wire = wire * JITTER.mul_add(self.dice.part(), 1.0);
        self.agenda.now().saturating_add(after).saturating_add(micros(wire))
    }

    fn order(&mut self, request: usize, after: u64) {
        for node in self.signing() {
            let at = self.travel(0, node, after);
            self.agenda.add(at, Event::Ordered { node, request });
        }
    }

    fn ordered(&mut self, index: usize, request: usize) {
        let costs = &self.scenario.costs;
        let now = self.agenda.now();
        let ecdsa = self.requests.get(request).is_some_and(|request| request.key.is_some());
        let cost = if ecdsa { costs.ecdsa_node_us } else { costs.frost_node_us };
        let Some(node) = self.nodes.get_mut(index) else { return };
        let done = node.signer.work(now, cost).saturating_add(costs.commit_us);
        let at = self.travel(0, index, done.saturating_sub(now));
        self.agenda.add(at, Event::Answered { request });
    }

    fn answered(&mut self, number: usize) {
        let (costs, now) = (&self.scenario.costs, self.agenda.now());
        let Some(request) = self.requests.get_mut(number) else { return };
        request.answers = request.answers.saturating_add(1);
        if usize::from(request.answers) < self.signers.len() {
            return;
        }
        let ecdsa = request.key.is_some();
        let cost = if ecdsa { costs.ecdsa_gateway_us } else { costs.frost_gateway_us };
        let done = self.gateway.work(now, cost).saturating_add(costs.commit_us);
        self.agenda.add(done, Event::Signed { request: number });
    }

    fn signed(&mut self, request: usize) {
        let Some(request) = self.requests.get(request) else { return };
        let took = self.agenda.now().saturating_sub(request.came);
        self.seen.latencies.push(real(took) / 1e6);
        let [_, signed] = &mut self.seen.requests;
        *signed = signed.saturating_add(1);
    }

    fn begins(&mut self, index: usize, run: u64) {
        let now = self.agenda.now();
        let mut sid = [0; 32];
        if let Some(start) = sid.first_chunk_mut() {
            *start = run.to_be_bytes();
        }
        let parties = self.signers.clone();
        // Ten minutes.
        let deadline = now.saturating_add(600_000_000);
        let job = Job { sid: SessionId::new(sid), parties, body: Vec::new(), deadline };
        let Some(node) = self.nodes.get_mut(index) else { return };
        drop(node.runner.start::<Rounds>(&job, now, &mut Zeros));
        self.turn(index);
    }

    fn packet(&mut self, from: usize, to: usize, bytes: &[u8]) {
        let now = self.agenda.now();
        let from = u16::try_from(from.saturating_add(1)).ok().and_then(PartyId::new);
        let (Some(from), Some(node)) = (from, self.nodes.get_mut(to)) else { return };
        drop(node.runner.receive(from, bytes, now));
        self.turn(to);
    }

    fn worked(&mut self, index: usize, work: FinishedWork) {
        let Some(node) = self.nodes.get_mut(index) else { return };
        if let Ok(Some(ended)) = node.runner.finish(work)
            && let Some(run) = number(&ended)
        {
            let at = self.travel(0, index, self.scenario.costs.commit_us);
            self.agenda.add(at, Event::Stocked { run });
        }
        self.turn(index);
    }

    /// Lets a runner work on what has come, and send what is due.
    fn turn(&mut self, index: usize) {
        let (now, commit) = (self.agenda.now(), self.scenario.costs.commit_us);
        let Some(node) = self.nodes.get_mut(index) else { return };
        while let Ok(Some(work)) = node.runner.next_work(now) {
            let (work, round) = run(work);
            let cost = round.and_then(|round| self.scenario.costs.presign_us.get(round - 1));
            let cost = cost.copied().unwrap_or_default().saturating_mul(RUN.into());
            let at = if cost == 0 { now } else { node.presigner.work(now, cost) };
            self.agenda.add(at, Event::Worked { node: index, work: Box::new(work) });
        }
        let sent = node.runner.outgoing(now, usize::MAX).unwrap_or_default();
        let due = node.runner.next_due().ok().flatten();
        if let Some(due) = due.filter(|due| node.woken.is_none_or(|woken| woken > *due)) {
            node.woken = Some(due);
            self.agenda.add(due.max(now.saturating_add(1)), Event::Due { node: index });
        }
        for parcel in sent {
            let to = usize::from(parcel.to.get()).saturating_sub(1);
            let [packets, lost] = &mut self.seen.packets;
            *packets = packets.saturating_add(1);
            if self.dice.part() < self.scenario.loss {
                *lost = lost.saturating_add(1);
                continue;
            }
            let at = self.travel(index.saturating_add(1), to, commit);
            self.agenda.add(at, Event::Packet { from: index, to, bytes: parcel.bytes.to_vec() });
        }
    }

    fn stocked(&mut self, run: u64) {
        let now = self.agenda.now();
        let run = usize::try_from(run).ok().and_then(|run| self.runs.get_mut(run));
        let Some((key, begun, answers)) = run else { return };
        *answers = answers.saturating_add(1);
        if usize::from(*answers) < self.signers.len() {
            return;
        }
        let (key, took) = (*key, real(now.saturating_sub(*begun)) / 1e6);
        let (runs, most) = &mut self.seen.runs;
        (*runs, *most) = (runs.saturating_add(1), most.max(took));
        if let Some(pool) = self.pools.get_mut(&key) {
            pool.coming = pool.coming.saturating_sub(RUN.into());
            pool.free = pool.free.saturating_add(RUN.into());
        }
        self.serve(key);
    }
}
