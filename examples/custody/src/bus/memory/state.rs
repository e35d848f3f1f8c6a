//! What a network in memory holds.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use super::super::{Beat, Counts, Parcel, Peer, Route, Sink, Verdict};
use super::{DeadLetter, Faults, Limits};

/// Dead letters that are kept.
const DEAD: usize = 1000;
/// Without anything due, the clock looks again after this.
const IDLE: Duration = Duration::from_millis(200);

/// A parcel on its way.
#[derive(Clone)]
pub(super) struct Stored {
    pub(super) from: Peer,
    pub(super) parcel: Parcel,
    pub(super) attempt: u32,
}

struct Worker {
    me: Peer,
    routes: BTreeSet<Route>,
    sink: Arc<dyn Sink>,
    counts: Counts,
}

pub(super) struct State {
    pub(super) faults: Faults,
    pub(super) cut: BTreeSet<Peer>,
    pub(super) dead: VecDeque<DeadLetter>,
    pub(super) over: bool,
    /// Whether something was acknowledged since the clock has looked.
    pub(super) stirred: bool,
    /// Whether a thread hands over.
    busy: bool,
    limits: Limits,
    random: u64,
    queues: BTreeMap<(Peer, Route), VecDeque<Stored>>,
    /// Parcels that are late, by when they come; the number tells those of one instant apart.
    late: BTreeMap<(Instant, u64), Stored>,
    workers: BTreeMap<u64, Worker>,
    /// The worker that was served last.
    last: u64,
    beats: BTreeMap<(Peer, u16), (Instant, Vec<u8>)>,
    numbers: u64,
}

impl State {
    pub(super) fn new(seed: u64, limits: Limits) -> Self {
        Self {
            faults: Faults::default(),
            cut: BTreeSet::new(),
            dead: VecDeque::new(),
            over: false,
            stirred: false,
            busy: false,
            limits,
            random: seed,
            queues: BTreeMap::new(),
            late: BTreeMap::new(),
            workers: BTreeMap::new(),
            last: 0,
            beats: BTreeMap::new(),
            numbers: 0,
        }
    }

    pub(super) fn join(&mut self, me: Peer, sink: Arc<dyn Sink>) -> u64 {
        let number = self.number();
        let worker = Worker { me, routes: BTreeSet::new(), sink, counts: Counts::default() };
        self.workers.insert(number, worker);
        number
    }

    /// Forgets a worker. Its sink is dropped by the caller, outside the lock.
    pub(super) fn leave(&mut self, number: u64) -> Option<Arc<dyn Sink>> {
        self.workers.remove(&number).map(|worker| worker.sink)
    }

    pub(super) fn listen(&mut self, number: u64, routes: BTreeSet<Route>) {
        if let Some(worker) = self.workers.get_mut(&number) {
            worker.routes = routes;
        }
    }

    /// Takes parcels of somebody, with the faults that happen to them. Gives the number of those that find no place.
    pub(super) fn publish(&mut self, from: Peer, parcels: Vec<Parcel>, now: Instant) -> usize {
        let mut dropped = 0_usize;
        for parcel in parcels {
            if self.waiting() >= self.limits.waiting {
                dropped = dropped.saturating_add(1);
                self.count(from, |counts| &mut counts.dropped);
                continue;
            }
            self.count(from, |counts| &mut counts.sent);
            let severed = self.cut.contains(&from) || self.cut.contains(&parcel.to);
            if severed || self.happens(self.faults.loss) {
                continue;
            }
            let stored = Stored { from, parcel, attempt: 0 };
            if self.happens(self.faults.copies) {
                self.post(stored.clone(), now);
            }
            self.post(stored, now);
        }
        dropped
    }

    /// Begins to hand over, unless another thread does: it will see what has come.
    pub(super) const fn begin(&mut self) -> bool {
        !core::mem::replace(&mut self.busy, true)
    }

    /// The next delivery and the worker that takes it. Without any, the handing over has ended.
    pub(super) fn next(&mut self, now: Instant) -> Option<(u64, Arc<dyn Sink>, Stored)> {
        let next = self.choose(now);
        self.busy = next.is_some();
        next
    }

    /// Workers take turns.
    fn choose(&mut self, now: Instant) -> Option<(u64, Arc<dyn Sink>, Stored)> {
        self.call(now);
        let limit = u64::try_from(self.limits.open).unwrap_or(u64::MAX);
        let waits = |worker: &Worker, queues: &BTreeMap<_, VecDeque<_>>| {
            let full = |route: &&Route| {
                queues.get(&(worker.me, **route)).is_some_and(|queue| !queue.is_empty())
            };
            worker.routes.iter().find(full).copied()
        };
        let after = self.workers.range(self.last.saturating_add(1)..);
        let mut turn = after.chain(self.workers.range(..=self.last));
        let (number, key) = turn.find_map(|(number, worker)| {
            let free = worker.counts.open < limit && !self.cut.contains(&worker.me);
            let route = waits(worker, &self.queues).filter(|_| free)?;
            Some((*number, (worker.me, route)))
        })?;
        let mut stored = self.take(key)?;
        stored.attempt = stored.attempt.saturating_add(1);
        self.last = number;
        let worker = self.workers.get_mut(&number)?;
        let counts = &mut worker.counts;
        counts.open = counts.open.saturating_add(1);
        counts.delivered = counts.delivered.saturating_add(1);
        counts.again = counts.again.saturating_add(u64::from(stored.attempt > 1));
        Some((number, worker.sink.clone(), stored))
    }

    /// Puts what is due into its queue.
    fn call(&mut self, now: Instant) {
        while let Some((place, stored)) = self.late.pop_first() {
            if place.0 > now {
                self.late.insert(place, stored);
                return;
            }
            self.enqueue(stored);
        }
    }

    fn take(&mut self, key: (Peer, Route)) -> Option<Stored> {
        let length = self.queues.get(&key)?.len();
        let place = if self.faults.shuffle { self.below(length) } else { 0 };
        self.queues.get_mut(&key)?.remove(place)
    }

    /// Does with a delivery what its worker says.
    pub(super) fn judge(&mut self, number: u64, stored: Stored, verdict: Verdict) {
        self.stirred = true;
        if let Some(worker) = self.workers.get_mut(&number) {
            worker.counts.open = worker.counts.open.saturating_sub(1);
            let refused = u64::from(matches!(verdict, Verdict::Refused(_)));
            worker.counts.refused = worker.counts.refused.saturating_add(refused);
        }
        match verdict {
            Verdict::Done => {}
            Verdict::Refused(why) => self.bury(stored, why),
            Verdict::Later if stored.attempt >= self.limits.attempts => {
                self.bury(stored, "too many attempts".to_owned());
            }
            Verdict::Later => {
                let place = (Instant::now() + self.limits.pause, self.number());
                self.late.insert(place, stored);
            }
        }
    }

    fn bury(&mut self, stored: Stored, why: String) {
        if self.dead.len() >= DEAD {
            self.dead.pop_front();
        }
        self.dead.push_back(DeadLetter { from: stored.from, parcel: stored.parcel, why });
    }

    /// Loses everything. Gives those to be told.
    pub(super) fn wipe(&mut self) -> Vec<Arc<dyn Sink>> {
        self.queues.clear();
        self.late.clear();
        self.beats.clear();
        let workers = self.workers.values_mut();
        let told = workers.map(|worker| {
            worker.counts.resets = worker.counts.resets.saturating_add(1);
            worker.sink.clone()
        });
        told.collect()
    }

    pub(super) fn waiting(&self) -> usize {
        let queued = self.queues.values().map(VecDeque::len).sum::<usize>();
        queued.saturating_add(self.late.len())
    }

    /// How long the clock may sleep.
    pub(super) fn wait(&self, now: Instant) -> Duration {
        let due = self.late.first_key_value().map(|((due, _), _)| due.duration_since(now));
        due.map_or(IDLE, |due| due.min(IDLE))
    }

    pub(super) fn beat(&mut self, who: (Peer, u16), body: &[u8], now: Instant) {
        if !self.cut.contains(&who.0) {
            self.beats.insert(who, (now, body.to_vec()));
        }
    }

    pub(super) fn alive(&mut self, now: Instant) -> Vec<Beat> {
        let life = self.limits.life;
        self.beats.retain(|_, (told, _)| now.duration_since(*told) < life);
        let beat = |(&(peer, worker), (told, body)): (&(Peer, u16), &(Instant, Vec<u8>))| Beat {
            peer,
            worker,
            age: now.duration_since(*told),
            body: body.clone(),
        };
        self.beats.iter().map(beat).collect()
    }

    pub(super) fn counts(&self, number: u64) -> Counts {
        self.workers.get(&number).map(|worker| worker.counts).unwrap_or_default()
    }

    fn count(&mut self, me: Peer, which: impl Fn(&mut Counts) -> &mut u64) {
        for worker in self.workers.values_mut().filter(|worker| worker.me == me) {
            let count = which(&mut worker.counts);
            *count = count.saturating_add(1);
        }
    }

    fn post(&mut self, stored: Stored, now: Instant) {
        let most = usize::try_from(self.faults.delay.as_micros()).unwrap_or(usize::MAX);
        let late = self.below(most.saturating_add(1));
        if late == 0 {
            return self.enqueue(stored);
        }
        let late = Duration::from_micros(u64::try_from(late).unwrap_or(u64::MAX));
        let place = (now + late, self.number());
        self.late.insert(place, stored);
    }

    fn enqueue(&mut self, stored: Stored) {
        let key = (stored.parcel.to, stored.parcel.route);
        self.queues.entry(key).or_default().push_back(stored);
    }

    fn number(&mut self) -> u64 {
        self.numbers = self.numbers.saturating_add(1);
        self.numbers
    }

    fn happens(&mut self, of_thousand: u16) -> bool {
        of_thousand > 0 && self.below(1000) < usize::from(of_thousand)
    }

    /// A number below this one, or 0, by the generator of Steele, Lea and Flood (SplitMix64): for faults, not for secrets.
    fn below(&mut self, bound: usize) -> usize {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        let bound = u128::try_from(bound).unwrap_or(u128::MAX);
        usize::try_from(u128::from(z).saturating_mul(bound) >> 64).unwrap_or(0)
    }
}
