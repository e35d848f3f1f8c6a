//! The steps that can follow in a state.

use std::collections::{BTreeMap, HashSet};

use stateright::{Model, Property};

use super::case::{Case, Guard, Store};
use super::frame::{Content, Frame, Kind};
use super::memory::Ways;
use super::properties;
use super::session::{End, EndKind, Progress, Session};
use super::world::{Fault, World};

/// A step. Parties are numbered from 0, the honest ones first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// The transport brings a party a frame, from this sender.
    Receive(usize, usize, Frame),
    /// A party moves on or gives up.
    Go(usize, Go),
    /// A party is brought these frames, and moves on or gives up.
    Together(usize, Vec<Frame>, Go),
    /// A party that has crashed sends the messages of its round.
    Send(usize),
    /// A party loses what it has not stored.
    Crash(usize),
    /// The job of the run is delivered to a party again.
    StartAgain(usize),
    /// A party asks its store for an older session of the run.
    OpenOlder(usize),
    /// A copy of a party's store is made.
    Copy(usize),
    /// The copy is restored.
    Restore,
}

/// The use that a party makes of its frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// The party moves on, if it can.
    Advance,
    /// The party moves on and stores its session, and crashes before it sends.
    AdvanceAndCrash,
    /// Its caller gives up.
    GiveUp,
}

impl Model for Case {
    type State = World;
    type Action = Act;

    fn init_states(&self) -> Vec<World> {
        vec![World::first(self)]
    }

    fn actions(&self, world: &World, acts: &mut Vec<Act>) {
        for (party, one) in world.parties.iter().enumerate() {
            acts.extend([Act::StartAgain(party), Act::OpenOlder(party)]);
            if one.end.is_some() {
                continue;
            }
            self.acts_of(world, party, acts);
            if self.together {
                let ways = self.ways(world, party);
                acts.extend(
                    ways.iter().map(|(frames, go)| Act::Together(party, frames.clone(), *go)),
                );
            } else {
                acts.extend(self.goes(world).map(|go| Act::Go(party, go)));
            }
        }
        if matches!(world.fault, Fault::Copy(..)) {
            acts.push(Act::Restore);
        }
    }

    fn next_state(&self, last: &World, act: Act) -> Option<World> {
        let mut world = last.clone();
        self.act(&mut world, act)?;
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties::all()
    }
}

impl Case {
    fn acts_of(&self, world: &World, party: usize, acts: &mut Vec<Act>) {
        let one = &world.parties[party];
        if !one.is_sent {
            acts.push(Act::Send(party));
        }
        if world.fault == Fault::Ahead {
            match self.store {
                Store::Stays => {}
                Store::Crash => acts.push(Act::Crash(party)),
                Store::Restored => acts.push(Act::Copy(party)),
            }
        }
        if !self.together && !one.session.is_doomed(self) {
            self.frames_to(world, party, |by, frame| acts.push(Act::Receive(party, by, frame)));
        }
    }

    /// The frames that the transport may bring to a party, each with the sender that it names.
    fn frames_to(&self, world: &World, to: usize, mut take: impl FnMut(usize, Frame)) {
        let until = world.parties[to].session.round + u8::from(self.early);
        let mut offer = |by, from, kind: Kind, content, is_stray| {
            if kind.round() <= until {
                take(by, Frame { from, kind, content, is_stray });
            }
        };
        for from in (0..self.honest()).filter(|from| *from != to) {
            for (kind, content) in world.sent_by(from) {
                let is_mine = kind != Kind::Direct || usize::from(content.value) == to;
                if is_mine || self.strays {
                    offer(from, from, kind, content, false);
                }
            }
            if self.strays {
                offer(from, from, Kind::One, Content::new(0, 1), true);
            }
        }
        for by in (0..self.parties).filter(|party| self.is_corrupt(*party)) {
            for (kind, content) in self.lies(to) {
                offer(by, by, kind, content, false);
                if self.strays {
                    let honest = (0..self.honest()).filter(|from| *from != to);
                    honest.for_each(|from| offer(by, from, kind, content, false));
                }
            }
        }
    }

    fn goes(&self, world: &World) -> impl Iterator<Item = Go> + use<> {
        let crashes = self.store == Store::Crash && world.fault == Fault::Ahead;
        let all = [Go::Advance, Go::AdvanceAndCrash, Go::GiveUp];
        all.into_iter().filter(move |go| crashes || *go != Go::AdvanceAndCrash)
    }

    /// The frames that a party may have when it moves on or gives up: of all that lead to the same, the first.
    fn ways(&self, world: &World, party: usize) -> Ways {
        let mut frames = vec![];
        self.frames_to(world, party, |_, frame| frames.push(frame));
        let one = &world.parties[party];
        let goes: Vec<Go> = self.goes(world).collect();
        let key = (one.session.clone(), frames, goes.len());
        if let Some(known) = self.memory.known(&key) {
            return known;
        }
        let mut seen = HashSet::new();
        let mut ways = vec![];
        for frames in Self::together(&one.session, &key.1) {
            let mut session = one.session.clone();
            for frame in &frames {
                session.receive(self, frame.from, frame);
            }
            for go in &goes {
                let progress = match go {
                    Go::GiveUp => Progress::Ended(session.give_up(self)),
                    Go::Advance | Go::AdvanceAndCrash => session.advance(self),
                };
                let is_crash = *go == Go::AdvanceAndCrash;
                if progress != Progress::Waiting && seen.insert((progress, is_crash)) {
                    ways.push((frames.clone(), *go));
                }
            }
        }
        self.memory.keep(key, ways)
    }

    /// The combinations of these frames that a party may have: of each place of its round none, one, or two that differ; and
    /// a late one that contradicts what is there.
    fn together(session: &Session, frames: &[Frame]) -> Vec<Vec<Frame>> {
        let mut places: BTreeMap<_, Vec<Frame>> = BTreeMap::new();
        for frame in frames {
            let is_late = frame.kind.round() < session.round;
            places.entry((is_late, frame.kind, frame.from)).or_default().push(*frame);
        }
        let mut all = vec![vec![]];
        for ((is_late, ..), frames) in places {
            let of_place = if is_late { late(session, &frames) } else { of_place(&frames) };
            let with = |before: &Vec<Frame>| {
                let each = of_place.iter().map(|next| [&before[..], &next[..]].concat());
                each.collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }

    /// The contents that a corrupt party may send to this one.
    pub fn lies(&self, to: usize) -> Vec<(Kind, Content)> {
        let mut lies = vec![(Kind::One, Content::new(0, 0)), (Kind::One, Content::new(0, 1))];
        for echo in self.views() {
            let right = Content::new(echo, 0);
            let wrong = Content { wrong: true, ..right };
            lies.extend([(Kind::Two, right), (Kind::Two, Content::new(echo, 1))]);
            lies.push((Kind::Three, right));
            if self.checks {
                lies.extend([(Kind::Two, wrong), (Kind::Three, wrong)]);
            }
            if self.direct {
                lies.push((Kind::Direct, Content::new(echo, to as u8)));
            }
        }
        lies
    }

    fn act(&self, world: &mut World, act: Act) -> Option<()> {
        match act {
            Act::Receive(to, by, frame) => {
                let session = &mut world.parties[to].session;
                let before = session.clone();
                session.receive(self, by, &frame);
                if session.is_doomed(self) {
                    session.forget();
                }
                return (*session != before).then_some(());
            }
            Act::Go(party, go) => self.go(world, party, go)?,
            Act::Together(party, frames, go) => {
                for frame in frames {
                    world.parties[party].session.receive(self, frame.from, &frame);
                }
                self.go(world, party, go)?;
            }
            Act::Send(party) => world.send(self, party),
            Act::Crash(party) => {
                self.wake(world, party);
                world.fault = Fault::None;
            }
            Act::StartAgain(party) => {
                // The job's row is there: `BeginOutcome::Exists`.
                let first = world.parties[party].session.seed == 0;
                (first && !self.on(Guard::OneStart)).then_some(())?;
                self.begin(world, party, 1);
            }
            Act::OpenOlder(party) => {
                let has_ended = world.parties[party].end.is_some();
                let guard = if has_ended { Guard::Tombstone } else { Guard::Latest };
                (!self.on(guard)).then_some(())?;
                self.begin(world, party, 0);
            }
            Act::Copy(party) => {
                let stored = Box::new(world.parties[party].session.stored());
                world.fault = Fault::Copy(party, stored);
            }
            Act::Restore => self.restore(world)?,
        }
        Some(())
    }

    fn go(&self, world: &mut World, party: usize, go: Go) -> Option<()> {
        let crashes = go == Go::AdvanceAndCrash;
        if crashes {
            world.fault = Fault::None;
        }
        if go == Go::GiveUp {
            let end = world.parties[party].session.give_up(self);
            bury(world, party, end);
            return Some(());
        }
        match world.parties[party].session.advance(self) {
            Progress::Waiting => return None,
            Progress::Ended(end) if !crashes => bury(world, party, end),
            // The end was not stored, and nobody has heard of it.
            Progress::Ended(_) => return None,
            Progress::Round(next) => {
                let before = world.parties[party].session.clone();
                let one = &mut world.parties[party];
                (one.session, one.is_sent) = (next, false);
                if !crashes {
                    world.send(self, party);
                } else if !self.on(Guard::StoredFirst) {
                    world.send(self, party);
                    world.parties[party].session = before.stored();
                }
            }
        }
        Some(())
    }

    /// A party resumes from its store, and sends the messages of its round again.
    fn wake(&self, world: &mut World, party: usize) {
        let one = &mut world.parties[party];
        one.session = one.session.stored();
    }

    fn begin(&self, world: &mut World, party: usize, seed: u8) {
        let one = &mut world.parties[party];
        (one.session, one.end) = (Session::new(party, seed), None);
        world.send(self, party);
    }

    fn restore(&self, world: &mut World) -> Option<()> {
        let Fault::Copy(party, stored) = std::mem::replace(&mut world.fault, Fault::None) else {
            return None;
        };
        let one = &mut world.parties[party];
        if self.on(Guard::Discontinued) {
            // The end of a run that had ended before is known outside of the store.
            let stopped = stored.give_up(self);
            let stopped = End { kind: EndKind::Stopped, result: None, ..stopped };
            one.end = one.end.or(Some(stopped));
            one.session = one.session.buried();
            return Some(());
        }
        (one.session, one.end) = (*stored, None);
        world.send(self, party);
        Some(())
    }
}

/// Nothing, or a frame that contradicts the one that counts.
fn late(session: &Session, frames: &[Frame]) -> Vec<Vec<Frame>> {
    let held = |frame: &Frame| session.held[frame.kind as usize][frame.from];
    let other = frames.iter().find(|frame| held(frame) != Some(frame.content));
    core::iter::once(vec![]).chain(other.map(|frame| vec![*frame])).collect()
}

/// No frame of a place, one, or two that differ.
fn of_place(frames: &[Frame]) -> Vec<Vec<Frame>> {
    let one = frames.iter().map(|frame| vec![*frame]);
    let two = frames.first_chunk::<2>().map(|two| two.to_vec());
    core::iter::once(vec![]).chain(one).chain(two).collect()
}

fn bury(world: &mut World, party: usize, end: End) {
    let one = &mut world.parties[party];
    one.session = one.session.buried();
    if let (EndKind::Done, Some([_, last])) = (end.kind, end.result) {
        one.session.accepted[1] = Some(last);
    }
    (one.end, one.is_sent) = (Some(end), true);
}
