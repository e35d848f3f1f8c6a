//! A model of everything that goes wrong: losses, copies, delays and disorder on the wire, kills between any two operations
//! of a store, workers that race for one session, jobs that come again.

use crate::common;

use std::collections::BTreeMap;

use common::{Killed, Shared, Toy, Worker, id, job, worker};
use quorate_runner::{Bounds, EndKind, EndedRun, Error, Job, RunTable, StartOutcome, Time, Work};
use quorate_session::{PartyId, SpentTable, TableEntry, frame::Header};
use quorate_testkit::{Lcg, Stuck};

const DEADLINE: Time = 1_000;
const BOUNDS: Bounds = Bounds::new(10);

/// A packet on the wire.
struct Flying {
    from: PartyId,
    to: PartyId,
    bytes: Vec<u8>,
}

/// A place for a worker, with work that is not finished.
#[derive(Default)]
struct Desk {
    worker: Option<Worker>,
    work: Vec<Work>,
}

struct Node {
    me: PartyId,
    store: Shared,
    desks: [Desk; 2],
    events: Vec<EndedRun>,
}

/// RunContext, round, sender and recipient.
type Said = ([u8; 32], u8, PartyId, Option<PartyId>);

struct World {
    random: Lcg,
    now: Time,
    nodes: Vec<Node>,
    wire: Vec<Flying>,
    jobs: Vec<Job>,
    /// The frames that were sent, by context, round, sender and recipient: one frame each.
    said: BTreeMap<Said, Vec<u8>>,
    /// Nothing is lost, copied or killed.
    fair: bool,
    kills: u64,
}

impl World {
    fn new(seed: u64) -> Self {
        // Every fourth schedule has three parties, the others two.
        let parties = if seed.is_multiple_of(4) { 3 } else { 2 };
        let nodes = (1..=parties).map(|me| Node {
            me: id(me),
            store: Shared::default(),
            desks: <[Desk; 2]>::default(),
            events: Vec::new(),
        });
        let mut random = Lcg(seed);
        let jobs =
            (1..=1 + random.below(2) as u8).map(|number| job(number, parties, DEADLINE)).collect();
        let (nodes, wire, said) = (nodes.collect(), Vec::new(), BTreeMap::new());
        Self { random, now: 0, nodes, wire, jobs, said, fair: false, kills: 0 }
    }

    /// Returns `true` with a chance of one in `one_in`, unless the schedule is fair.
    fn chance(&mut self, one_in: usize) -> bool {
        !self.fair && self.random.below(one_in) == 0
    }

    fn act(&mut self) {
        let node = self.random.below(self.nodes.len());
        if self.chance(12) {
            let fuse = (self.random.below(6) as u32, self.random.below(2) == 0);
            self.nodes[node].store.fuse.set(Some(fuse));
        }
        if self.chance(6) {
            self.now += self.random.below(40) as Time;
        }
        let desk = self.random.below(if self.fair { 1 } else { 2 });
        let done = match self.random.below(8) {
            0 => self.start(node, desk),
            1 | 2 => self.begin(node, desk),
            3 | 4 => self.finish(node, desk),
            5 => self.send(node, desk),
            _ => self.deliver(desk),
        };
        if let Err(node) = done {
            self.kill(node);
        }
    }

    /// The process of a worker dies, with all that it held.
    fn kill(&mut self, (node, desk): (usize, usize)) {
        self.kills += 1;
        self.nodes[node].desks[desk] = Desk::default();
    }

    /// The answer of a worker, or the place where a process died.
    fn with<T>(
        &mut self,
        (node, desk): (usize, usize),
        act: impl FnOnce(&mut Desk, &mut Vec<EndedRun>) -> Result<T, Error<Killed>>,
    ) -> Result<T, (usize, usize)> {
        let Node { me, store, desks, events } = &mut self.nodes[node];
        let place = &mut desks[desk];
        let act = || {
            if place.worker.is_none() {
                place.worker = Some(worker(*me, store, BOUNDS)?);
            }
            act(place, events)
        };
        match act() {
            Ok(value) => Ok(value),
            Err(Error::Store(Killed)) => Err((node, desk)),
            Err(other) => panic!("{other}"),
        }
    }

    fn start(&mut self, node: usize, desk: usize) -> Result<(), (usize, usize)> {
        let which = self.random.below(self.jobs.len());
        let (job, now) = (self.jobs[which].clone(), self.now);
        // Each delivery has another seed.
        let mut rng = Stuck::at(self.random.number() as u8);
        self.with((node, desk), |desk, _| {
            match desk.worker.as_mut().unwrap().start::<Toy>(&job, now, &mut rng) {
                Err(Error::Refused(_)) => Ok(StartOutcome::Running),
                other => other,
            }
        })
        .map(drop)
    }

    fn begin(&mut self, node: usize, desk: usize) -> Result<(), (usize, usize)> {
        let now = self.now;
        self.with((node, desk), |desk, _| {
            desk.work.extend(desk.worker.as_mut().unwrap().next_work(now)?);
            Ok(())
        })
    }

    fn finish(&mut self, node: usize, desk: usize) -> Result<(), (usize, usize)> {
        let which = self.random.number() as usize;
        let event = self.with((node, desk), |desk, events| {
            if desk.work.is_empty() {
                return Ok(None);
            }
            let work = desk.work.swap_remove(which % desk.work.len());
            let event = desk.worker.as_mut().unwrap().finish(work.run())?;
            events.extend(event.clone());
            Ok(event)
        })?;
        // The result is claimed, as a share of a signature would be.
        if let Some(event) = event
            && event.outcome.kind == EndKind::Done
        {
            let mut digest = [0; 32];
            digest.copy_from_slice(&event.outcome.record_bytes[..32]);
            match self.nodes[node].store.record(event.sid.as_bytes(), &digest) {
                Ok(TableEntry::New) => {}
                Ok(TableEntry::Before(stored)) => {
                    assert_eq!(stored, digest, "one claim for one name")
                }
                Err(Killed) => return Err((node, desk)),
            }
        }
        Ok(())
    }

    fn send(&mut self, node: usize, desk: usize) -> Result<(), (usize, usize)> {
        let (now, me) = (self.now, self.nodes[node].me);
        let packets =
            self.with((node, desk), |desk, _| desk.worker.as_mut().unwrap().outgoing(now, 50))?;
        for packet in packets {
            if let Some(header) = packet
                .bytes
                .split_first()
                .filter(|(kind, _)| **kind == 0)
                .and_then(|(_, frame)| Header::parse(frame))
            {
                let key = (header.context, header.round.get(), me, header.to);
                let first = self.said.entry(key).or_insert_with(|| packet.bytes.to_vec());
                assert!(*first == *packet.bytes, "two frames in one place");
            }
            if !self.chance(8) {
                let bytes = packet.bytes.to_vec();
                self.wire.push(Flying { from: me, to: packet.to, bytes });
            }
        }
        Ok(())
    }

    fn deliver(&mut self, desk: usize) -> Result<(), (usize, usize)> {
        if self.wire.is_empty() {
            return Ok(());
        }
        let which = self.random.below(self.wire.len());
        let Flying { from, to, bytes } = self.wire.swap_remove(which);
        if self.chance(6) {
            self.wire.push(Flying { from, to, bytes: bytes.clone() });
        }
        let (now, node) = (self.now, usize::from(to.get()) - 1);
        self.with((node, desk), |desk, _| desk.worker.as_mut().unwrap().receive(from, &bytes, now))
            .map(drop)
    }

    /// From now on everything arrives, and one worker for each node works until nothing is left to do.
    fn settle(&mut self) {
        self.fair = true;
        for node in 0..self.nodes.len() {
            self.nodes[node].store.fuse.set(None);
            self.nodes[node].desks = <[Desk; 2]>::default();
        }
        // Jobs that never reached a node come now.
        for node in 0..self.nodes.len() {
            for _ in 0..8 {
                self.start(node, 0).unwrap();
            }
        }
        for _ in 0..400 {
            let mut busy = !self.wire.is_empty();
            while !self.wire.is_empty() {
                self.deliver(0).unwrap();
            }
            for node in 0..self.nodes.len() {
                self.begin(node, 0).unwrap();
                busy |= !self.nodes[node].desks[0].work.is_empty();
                self.finish(node, 0).unwrap();
                self.send(node, 0).unwrap();
            }
            if !busy && self.wire.is_empty() {
                // What is sent last, 600 after the deadline, may be parked for 600 more.
                if self.now >= DEADLINE + 1_300 {
                    return;
                }
                self.now += 60;
            }
        }
        panic!("it does not come to rest");
    }

    /// Asserts everything that has to hold at the end; returns the number of runs that are done.
    fn check(&mut self) -> usize {
        let mut done = 0;
        for job in self.jobs.clone() {
            let mut results = Vec::new();
            for node in 0..self.nodes.len() {
                let outcome =
                    self.with((node, 0), |desk, _| desk.worker.as_mut().unwrap().outcome(&job));
                let Some(outcome) = outcome.unwrap() else { continue };
                match outcome.kind {
                    EndKind::Done => results.push(outcome.record_bytes.to_vec()),
                    _ => assert!(
                        outcome.record_bytes.starts_with(b"0 culprits"),
                        "{}",
                        String::from_utf8_lossy(&outcome.record_bytes)
                    ),
                }
                let events = self.nodes[node].events.iter().filter(|event| event.sid == job.sid);
                assert!(events.count() <= 1, "a run ends once");
            }
            done += usize::from(results.len() == self.nodes.len());
            results.dedup();
            assert!(results.len() <= 1, "all have one result");
        }
        for node in &mut self.nodes {
            let counts = node.store.store.borrow_mut().counts().unwrap();
            assert_eq!(
                (counts.open, counts.messages, counts.parked),
                (0, 0, 0),
                "nothing is left over"
            );
        }
        done
    }
}

fn play(seed: u64) -> (usize, usize, u64) {
    let mut world = World::new(seed);
    for _ in 0..60 + world.random.below(120) {
        world.act();
    }
    world.settle();
    let done = world.check();
    (world.jobs.len(), done, world.kills)
}

/// Plays these schedules; returns the number of their jobs, of the runs that are done, and of processes killed.
fn play_all(seeds: core::ops::Range<u64>) -> (usize, usize, u64) {
    let mut sum = (0, 0, 0);
    for seed in seeds {
        let (jobs, done, kills) = play(seed);
        sum = (sum.0 + jobs, sum.1 + done, sum.2 + kills);
    }
    sum
}

#[test]
fn two_thousand_schedules_break_nothing() {
    schedules_break_nothing(0..2_000);
}

#[test]
#[ignore = "long: .ci/run long"]
fn ten_thousand_schedules_break_nothing() {
    schedules_break_nothing(2_000..12_000);
}

fn schedules_break_nothing(seeds: core::ops::Range<u64>) {
    let count = seeds.end - seeds.start;
    let each = count / 4;
    let threads: Vec<_> = (0..4)
        .map(|part| seeds.start + part * each)
        .map(|first| std::thread::spawn(move || play_all(first..first + each)))
        .collect();
    let (mut jobs, mut done, mut kills) = (0, 0, 0);
    for thread in threads {
        let (more, well, killed) = thread.join().unwrap();
        (jobs, done, kills) = (jobs + more, done + well, kills + killed);
    }
    // Few runs come to their deadline first.
    assert!(done * 10 > jobs * 9, "{done} of {jobs}");
    assert!(kills > count, "{kills}");
}
