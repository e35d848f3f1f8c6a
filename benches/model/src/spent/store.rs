//! The calls of a worker, after `crates/store`.

use quorate_keys::session::{ClaimRecord, Continuity, RecordError, SpentTable, TableEntry};

use super::case::{Case, Guard, Thing};
use super::database::{Head, RolledBack, Session};
use super::worker::{Ready, Receipt, Stage, Steps, Use, Worker};
use super::world::World;

type Done = Result<Option<()>, RolledBack>;

/// A table that answers one call.
struct Answers(TableEntry);

impl SpentTable for Answers {
    type Error = RolledBack;

    fn record(&mut self, _: &[u8; 32], _: &[u8; 32]) -> Result<TableEntry, RolledBack> {
        Ok(self.0)
    }
}

/// The receipt that the library gives for the answer of a table.
fn receipt(name: usize, digest: u8, entry: TableEntry) -> Receipt {
    let record = ClaimRecord { id: [name as u8; 32], digest: [digest; 32] };
    match record.store(&mut Answers(entry)) {
        Ok(receipt) if receipt.is_new() => Receipt::New,
        Ok(_) => Receipt::Old,
        Err(RecordError::Spent { .. } | _) => Receipt::Spent,
    }
}

fn mark(world: &mut World) -> u8 {
    world.fresh.0 += 1;
    world.fresh.0 - 1
}

impl Case {
    /// Opens the store (`store.rs`, `over` and `continuity`; `pair.rs`, `check`). The operator allows what was rolled back.
    pub(super) fn open(&self, world: &mut World, at: usize) {
        let rolled_back = !world.fit() && self.on(Guard::Compared);
        world.alarmed |= rolled_back;
        let knows = world.witness.is_none_or(|head| world.runs.knows(head));
        let continuity = match (rolled_back, self.asks()) {
            (true, _) => Continuity::Unknown,
            (false, true) if !knows => Continuity::Unknown,
            (false, true) => Continuity::Peers,
            (false, false) => Continuity::Operator,
        };
        let keeps = continuity.keeps_stock();
        let ready = match (keeps, rolled_back && !self.on(Guard::DroppedFirst)) {
            (true, _) => Ready::Usable,
            (false, true) => Ready::Accept(0),
            (false, false) => Ready::Drop,
        };
        let stock = if keeps || !self.on(Guard::StockDropped) { world.stock } else { 0 };
        let worker =
            Worker { known: Steps::default(), told: 0, rolled_back, ready, stock, using: None };
        world.workers[at] = Some(worker);
    }

    /// Drops the stock, and ends open runs (`settle.rs`; `runner`'s `working.rs`, `source`).
    pub(super) fn drop_stock(&self, world: &mut World, worker: &mut Worker) -> Done {
        if self.on(Guard::StockDropped) && self.on(Guard::DroppedOnDisk) {
            world.stock = 0;
        }
        if self.on(Guard::Discontinued) {
            for session in &mut world.runs.sessions {
                if *session != Session::None {
                    *session = Session::Ended;
                }
            }
        }
        worker.ready = if worker.rolled_back { Ready::Accept(0) } else { Ready::Usable };
        Ok(Some(()))
    }

    /// Makes the databases a pair as they are (`pair.rs`, `settle`), each transaction for itself.
    pub(super) fn accept(&self, world: &mut World, worker: &mut Worker) -> Done {
        let Some(spent) = &mut world.spent else { return Ok(None) };
        if worker.ready == Ready::Accept(0) {
            spent.seen = Some(world.runs.last());
            worker.ready = Ready::Accept(1);
            return Ok(Some(()));
        }
        world.runs.seen = Some(spent.last());
        worker.rolled_back = false;
        worker.ready = if self.on(Guard::DroppedFirst) { Ready::Usable } else { Ready::Drop };
        Ok(Some(()))
    }

    /// Records a claim (`store.rs`, `claim`; `records.rs`, `claim_in`).
    pub(super) fn record(
        &self,
        world: &mut World,
        worker: &mut Worker,
        name: usize,
        digest: u8,
    ) -> Done {
        let mut using = Use { name, digest, stage: Stage::Stored(digest) };
        if self.on(Guard::RecordedFirst) {
            let db = world.spent.as_ref().unwrap_or(&world.runs);
            let entry = match db.claims[name].filter(|_| self.on(Guard::Stays)) {
                None => TableEntry::New,
                Some(on) => TableEntry::Before([on; 32]),
            };
            using.stage = Stage::Looked(receipt(name, digest, entry));
        }
        worker.using = Some(using);
        if self.on(Guard::RecordedFirst) && self.on(Guard::OneWriter) {
            return self.write(world, worker);
        }
        Ok(Some(()))
    }

    /// Writes the claim in the transaction that has looked; without the guard, later.
    pub(super) fn write(&self, world: &mut World, worker: &mut Worker) -> Done {
        let Some(Use { name, digest, stage: Stage::Looked(receipt) }) = worker.using else {
            return Ok(None);
        };
        let mark = mark(world);
        let known = if self.is_apart() { worker.known.spent } else { worker.known.runs };
        let db = world.spent.as_mut().unwrap_or(&mut world.runs);
        let head = if receipt == Receipt::New {
            let head = db.leave(self, known, mark)?;
            db.claims[name] = Some(digest);
            head
        } else {
            world.fresh.0 -= 1;
            db.reached(known)?
        };
        worker.using = Some(Use { name, digest, stage: Stage::Recorded(receipt, head) });
        Ok(Some(()))
    }

    /// Tells one database of a step of the other, and goes on.
    pub(super) fn tell(&self, world: &mut World, worker: &mut Worker) -> Done {
        let Some(using) = worker.using else { return Ok(None) };
        let stage = match using.stage {
            Stage::Recorded(receipt, head) => {
                let is_told =
                    self.on(Guard::Told) && (receipt == Receipt::New || self.on(Guard::ToldAgain));
                if is_told {
                    self.tell_runs(world, worker, head)?;
                }
                self.permitted(world, using, receipt)
            }
            Stage::Begun(head) => {
                self.tell_spent(world, worker, head)?;
                None
            }
            Stage::Answered(value, head) => {
                self.tell_spent(world, worker, head)?;
                Some(Stage::Stored(value))
            }
            _ => return Ok(None),
        };
        worker.using = stage.map(|stage| Use { stage, ..using });
        if self.thing == Thing::Nonce && stage.is_none() {
            // It is spent: `RecordError::Spent`.
            worker.stock &= !(1 << using.name);
        }
        Ok(Some(()))
    }

    /// The stage that a receipt permits.
    fn permitted(&self, world: &World, using: Use, receipt: Receipt) -> Option<Stage> {
        match self.thing {
            Thing::Nonce => self.permits(receipt).then_some(Stage::Stored(using.digest)),
            Thing::Attempt => {
                let session = world.runs.sessions[using.name];
                self.begins(receipt, session).then_some(Stage::Permitted(receipt))
            }
        }
    }

    /// Tells the database of the runs of a claim (`store.rs` and `pair.rs`, `tell_runs`).
    fn tell_runs(
        &self,
        world: &mut World,
        worker: &mut Worker,
        head: Head,
    ) -> Result<(), RolledBack> {
        let mark = mark(world);
        let Some(spent) = &world.spent else {
            world.fresh.0 -= 1;
            worker.known.runs = worker.known.runs.max(head.step);
            return Ok(());
        };
        worker.known.spent = worker.known.spent.max(head.step);
        if worker.rolled_back {
            world.fresh.0 -= 1;
            return Ok(());
        }
        spent.expect_seen(self, &world.runs)?;
        world.runs.reached(worker.known.runs)?;
        if world.runs.remember(head) && self.on(Guard::MarkOfRuns) {
            worker.known.runs = world.runs.leave(self, worker.known.runs, mark)?.step;
        } else {
            world.fresh.0 -= 1;
        }
        spent.expect(self, head)
    }

    /// Tells the database of what was spent of a step of the runs (`store.rs` and `pair.rs`, `tell_spent`).
    fn tell_spent(
        &self,
        world: &mut World,
        worker: &mut Worker,
        head: Head,
    ) -> Result<(), RolledBack> {
        worker.known.runs = worker.known.runs.max(head.step);
        if let Some(spent) = &mut world.spent
            && !worker.rolled_back
        {
            let is_news = head.step > worker.told;
            if is_news || self.on(Guard::SeenAlways) {
                world.runs.expect_seen(self, spent)?;
            }
            if is_news {
                spent.remember(head);
                worker.told = head.step;
            }
            world.runs.expect(self, head)?;
        }
        Ok(())
    }

    /// A transaction of the runs that lets something out (`store.rs`, `step`).
    fn step(&self, world: &mut World, worker: &Worker) -> Result<Head, RolledBack> {
        let mark = mark(world);
        world.runs.leave(self, worker.known.runs, mark)
    }

    pub(super) fn inform(&self, world: &mut World, worker: &mut Worker) -> Done {
        let Some(Use { stage: Stage::Stored(value), .. }) = worker.using else { return Ok(None) };
        if !self.witness {
            return Ok(None);
        }
        world.witness = Some(world.runs.last());
        worker.using = worker.using.map(|using| Use { stage: Stage::Informed(value), ..using });
        Ok(Some(()))
    }

    pub(super) fn release(&self, world: &mut World, worker: &mut Worker) -> Done {
        let Some(Use { name, stage: Stage::Stored(value) | Stage::Informed(value), .. }) =
            worker.using
        else {
            return Ok(None);
        };
        world.released[name] |= 1 << value;
        worker.using = worker.using.map(|using| Use { stage: Stage::Released, ..using });
        Ok(Some(()))
    }

    /// The stock is stored without the pair, when its share was sent.
    pub(super) fn finish(&self, world: &mut World, worker: &mut Worker) -> Done {
        let Some(Use { name, digest, .. }) = worker.using else { return Ok(None) };
        if !self.on(Guard::RecordedFirst) {
            let db = world.spent.as_mut().unwrap_or(&mut world.runs);
            db.claims[name] = db.claims[name].or(Some(digest));
        }
        if !self.on(Guard::WitnessFirst) {
            world.witness = Some(world.runs.last());
        }
        worker.stock &= !(1 << name);
        world.stock &= !(1 << name);
        worker.using = None;
        Ok(Some(()))
    }

    /// Begins a run, once (`runner`'s `store.rs`, `begin`). Its mask follows from its seed.
    pub(super) fn begin(&self, world: &mut World, worker: &mut Worker) -> Done {
        let Some(using) = worker.using else { return Ok(None) };
        let Stage::Permitted(receipt) = using.stage else { return Ok(None) };
        if !self.begins(receipt, world.runs.sessions[using.name]) {
            worker.using = None;
            return Ok(Some(()));
        }
        let head = self.step(world, worker)?;
        world.runs.sessions[using.name] = Session::Begun(world.fresh.1);
        world.fresh.1 += 1;
        worker.using = Some(Use { stage: Stage::Begun(head), ..using });
        Ok(Some(()))
    }

    /// Opens a run from the store, or takes its messages from there (`store.rs`, `due`).
    pub(super) fn load(&self, world: &mut World, worker: &mut Worker, name: usize) -> Done {
        let stage = match world.runs.sessions[name] {
            Session::Begun(seed) => Stage::Running(seed),
            Session::Answered(seed, challenge) if self.on(Guard::DueTold) => {
                Stage::Answered(seed << 1 | challenge, world.runs.last())
            }
            Session::Answered(seed, challenge) => Stage::Stored(seed << 1 | challenge),
            Session::None | Session::Ended => return Ok(None),
        };
        worker.using = Some(Use { name, digest: 0, stage });
        Ok(Some(()))
    }

    /// The run answers, and is stored with its answer (`runner`'s `store.rs`, `swap`).
    pub(super) fn answer(&self, world: &mut World, worker: &mut Worker, challenge: u8) -> Done {
        let Some(using) = worker.using else { return Ok(None) };
        let Stage::Running(seed) = using.stage else { return Ok(None) };
        let value = seed << 1 | challenge;
        if !self.on(Guard::AnsweredFirst) {
            world.released[using.name] |= 1 << value;
        }
        let is_same = world.runs.sessions[using.name] == Session::Begun(seed);
        if !is_same && self.on(Guard::Swapped) || !self.on(Guard::AnsweredFirst) {
            worker.using = None;
            return Ok(Some(()));
        }
        let head = self.step(world, worker)?;
        world.runs.sessions[using.name] = Session::Answered(seed, challenge);
        worker.using = Some(Use { stage: Stage::Answered(value, head), ..using });
        Ok(Some(()))
    }

    /// A step of another run, whose messages go out.
    pub(super) fn other(&self, world: &mut World, worker: &mut Worker, parts: u8) -> Done {
        let head = self.step(world, worker)?;
        if parts > 1 {
            self.tell_spent(world, worker, head)?;
        }
        if parts > 2 && self.witness {
            world.witness = Some(world.runs.last());
        }
        Ok((parts < 3 || self.witness).then_some(()))
    }
}
