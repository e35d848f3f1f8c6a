//! The steps that can follow in a state.

use stateright::{Model, Property};

use super::case::{Case, Guard, Restore, Thing, When};
use super::database::Session;
use super::properties;
use super::worker::{Ready, Receipt, Stage, Worker};
use super::world::World;

/// A step. The first number is the worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A worker opens the store.
    Open(usize),
    /// A worker drops the stock of before, and ends open runs.
    Drop(usize),
    /// A worker accepts databases that were restored, in two transactions.
    Accept(usize),
    /// A worker records that this name is spent on this.
    Record(usize, usize, u8),
    /// A worker writes the claim that it has looked up before.
    Write(usize),
    /// One database is told of the other's step.
    Tell(usize),
    /// The witness is told.
    Inform(usize),
    /// A worker releases the share or the answer.
    Release(usize),
    /// The stock is stored without it.
    Finish(usize),
    /// The run of a name begins.
    Begin(usize),
    /// The run of a name is opened from the store.
    Load(usize, usize),
    /// The run answers this challenge.
    Answer(usize, u8),
    /// Another run makes a step: stored; told; and the witness told.
    Other(usize, u8),
    /// The worker crashes.
    Crash(usize),
    /// A copy is made; the number tells two copies apart.
    Copy(usize),
    /// The copy is restored.
    Restore,
}

impl Model for Case {
    type State = World;
    type Action = Act;

    fn init_states(&self) -> Vec<World> {
        vec![World::first(self)]
    }

    fn actions(&self, world: &World, acts: &mut Vec<Act>) {
        for (at, worker) in world.workers.iter().enumerate() {
            match worker {
                None => acts.push(Act::Open(at)),
                Some(worker) => {
                    acts.push(Act::Crash(at));
                    self.acts_of(world, at, worker, acts);
                }
            }
        }
        if self.restore != Restore::Nothing && !world.copy.is_used {
            acts.extend([Act::Copy(0), Act::Copy(1)]);
            let mut open = world.workers.iter().flatten();
            let may = match self.when {
                When::Closed => open.next().is_none(),
                When::BetweenCalls => !open.any(Worker::is_in_call),
                When::AnyTime => true,
            };
            if may {
                acts.push(Act::Restore);
            }
        }
    }

    fn next_state(&self, last: &World, act: Act) -> Option<World> {
        let mut world = last.clone();
        self.act(&mut world, act)?;
        world.settle(self);
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties::all()
    }
}

impl Case {
    fn acts_of(&self, world: &World, at: usize, worker: &Worker, acts: &mut Vec<Act>) {
        let is_alone = world.workers.iter().flatten().count() == 1 || !self.on(Guard::Alone);
        match worker.ready {
            Ready::Drop if !worker.rolled_back || is_alone => acts.push(Act::Drop(at)),
            Ready::Accept(_) if is_alone => acts.push(Act::Accept(at)),
            Ready::Drop | Ready::Accept(_) => {}
            Ready::Usable => match worker.using {
                None => self.acts_of_idle(world, at, worker, acts),
                Some(using) => self.acts_of_busy(at, using.stage, acts),
            },
        }
    }

    fn acts_of_idle(&self, world: &World, at: usize, worker: &Worker, acts: &mut Vec<Act>) {
        for name in 0..self.names {
            match self.thing {
                Thing::Nonce if worker.stock >> name & 1 == 1 => {
                    acts.extend([Act::Record(at, name, 0), Act::Record(at, name, 1)]);
                }
                Thing::Nonce => {}
                Thing::Attempt => acts.extend([Act::Record(at, name, 0), Act::Load(at, name)]),
            }
        }
        if world.others > 0 {
            acts.extend((1..=3).map(|parts| Act::Other(at, parts)));
        }
    }

    fn acts_of_busy(&self, at: usize, stage: Stage, acts: &mut Vec<Act>) {
        match stage {
            Stage::Looked(_) => acts.push(Act::Write(at)),
            Stage::Recorded(..) | Stage::Begun(_) | Stage::Answered(..) => acts.push(Act::Tell(at)),
            Stage::Permitted(_) => acts.push(Act::Begin(at)),
            Stage::Running(_) => acts.extend([Act::Answer(at, 0), Act::Answer(at, 1)]),
            Stage::Stored(_) => {
                acts.push(Act::Inform(at));
                if !self.witness || !self.on(Guard::WitnessFirst) {
                    acts.push(Act::Release(at));
                }
            }
            Stage::Informed(_) => acts.push(Act::Release(at)),
            Stage::Released => acts.push(Act::Finish(at)),
        }
    }

    fn act(&self, world: &mut World, act: Act) -> Option<()> {
        match act {
            Act::Open(at) => self.open(world, at),
            Act::Crash(at) => world.workers[at] = None,
            Act::Copy(which) => world.copy(self.restore, which)?,
            Act::Restore => world.restore(self.restore)?,
            Act::Drop(at) => self.with(world, at, Self::drop_stock)?,
            Act::Accept(at) => self.with(world, at, Self::accept)?,
            Act::Record(at, name, digest) => self
                .with(world, at, |case, world, worker| case.record(world, worker, name, digest))?,
            Act::Write(at) => self.with(world, at, Self::write)?,
            Act::Tell(at) => self.with(world, at, Self::tell)?,
            Act::Inform(at) => self.with(world, at, Self::inform)?,
            Act::Release(at) => self.with(world, at, Self::release)?,
            Act::Finish(at) => self.with(world, at, Self::finish)?,
            Act::Begin(at) => self.with(world, at, Self::begin)?,
            Act::Load(at, name) => {
                self.with(world, at, |case, world, worker| case.load(world, worker, name))?
            }
            Act::Answer(at, challenge) => {
                self.with(world, at, |case, world, worker| case.answer(world, worker, challenge))?
            }
            Act::Other(at, parts) => {
                world.others -= 1;
                self.with(world, at, |case, world, worker| case.other(world, worker, parts))?;
            }
        }
        Some(())
    }

    /// Lets a worker do something. A database that was found restored is an error that its caller sees.
    fn with(
        &self,
        world: &mut World,
        at: usize,
        act: impl FnOnce(&Self, &mut World, &mut Worker) -> Result<Option<()>, super::RolledBack>,
    ) -> Option<()> {
        let mut worker = world.workers[at]?;
        let done = act(self, world, &mut worker).unwrap_or_else(|super::RolledBack| {
            world.alarmed = true;
            worker.using = None;
            Some(())
        });
        world.workers[at] = Some(worker);
        done
    }

    /// The permission to release that a receipt gives (`spend.rs`, `store`).
    pub(super) fn permits(&self, receipt: Receipt) -> bool {
        receipt != Receipt::Spent || !self.on(Guard::SameDigest)
    }

    /// Returns whether the session of a run may begin with a receipt.
    pub(super) fn begins(&self, receipt: Receipt, session: Session) -> bool {
        let is_free = session == Session::None;
        is_free && (receipt == Receipt::New || !self.on(Guard::NewReceipt))
    }
}
