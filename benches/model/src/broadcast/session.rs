//! The session of one honest party, after `crates/session`.

use super::case::{Case, Guard};
use super::frame::{Bits, Content, Frame, KINDS, Kind};

/// The most parties.
const MOST: usize = 4;

/// The fate of a frame: `FrameFate`, or that it was rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Kept for the current round.
    Accepted,
    /// Kept for the next round.
    Early,
    /// There already.
    Duplicate,
    /// Contradicts what is there.
    Conflicting,
    /// Not taken.
    Rejected,
}

/// The ways in which a run ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EndKind {
    /// With a result that all have confirmed.
    Done,
    /// With a result that not all have confirmed.
    Unconfirmed,
    /// Without a result.
    Stopped,
}

/// The end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct End {
    /// With a result or without.
    pub kind: EndKind,
    /// The round in which it ended.
    pub round: u8,
    /// The parties that are blamed.
    pub named: Bits,
    /// The parties that have contradicted themselves towards this one, by frames or by echoes.
    pub contradicted: Bits,
    /// The run ended by an echo that differs.
    pub mismatch: bool,
    /// The evidence of such an end: the broadcast of each party in the round before.
    pub seen: [Option<Content>; MOST],
    /// The evidence of such an end: the frames with another echo.
    pub others: [Option<Content>; MOST],
    /// The result: the broadcasts of both rounds.
    pub result: Option<[Bits; 2]>,
}

/// The outcome of an attempt to move on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Progress {
    /// Messages are missing.
    Waiting,
    /// The next round.
    Round(Session),
    /// The end.
    Ended(End),
}

/// The memory of one party in a run.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Session {
    /// This party.
    pub me: usize,
    /// The bit that its seed gives for round 1.
    pub seed: u8,
    /// The round whose messages are being waited for.
    pub round: u8,
    /// The frame that counts, by kind and sender.
    pub held: [[Option<Content>; MOST]; KINDS.len()],
    /// The senders of a frame that contradicts it, by kind.
    pub conflicts: [Bits; KINDS.len()],
    /// The broadcasts of each round that is complete: what this party's echo says.
    pub views: [Option<Bits>; 2],
    /// The broadcasts of each round that all have been found to share.
    pub accepted: [Option<Bits>; 2],
}

impl Session {
    /// The session at its start (`starting.rs`).
    #[must_use]
    pub fn new(me: usize, seed: u8) -> Self {
        let held = [[None; MOST]; KINDS.len()];
        let conflicts = [0; KINDS.len()];
        Self { me, seed, round: 1, held, conflicts, views: [None; 2], accepted: [None; 2] }
    }

    /// The messages of the current round (`session.rs`, `frames`).
    pub fn frames(&self, case: &Case) -> Vec<(Kind, Content)> {
        let echo = |round: usize| self.views[round].unwrap_or_default();
        match self.round {
            1 => vec![(Kind::One, Content::new(0, self.seed))],
            2 => {
                let others = (0..case.parties).filter(|to| case.direct && *to != self.me);
                let direct = others.map(|to| (Kind::Direct, Content::new(echo(0), to as u8)));
                core::iter::once((Kind::Two, Content::new(echo(0), 0))).chain(direct).collect()
            }
            _ => vec![(Kind::Three, Content::new(echo(1), 0))],
        }
    }

    fn kinds(&self, case: &Case) -> impl Iterator<Item = Kind> + use<> {
        let (round, direct) = (self.round, case.direct);
        KINDS
            .into_iter()
            .filter(move |kind| kind.round() == round && (direct || *kind != Kind::Direct))
    }

    /// Takes a frame that the transport brings from `by` (`receiving.rs`, `receive` and `place`; `log.rs`, `store`).
    pub fn receive(&mut self, case: &Case, by: usize, frame: &Frame) -> Fate {
        let Frame { from, kind, content, is_stray } = *frame;
        if by == self.me || from == self.me || is_stray && case.on(Guard::Run) {
            return Fate::Rejected;
        }
        if from != by && case.on(Guard::Sender) {
            return Fate::Rejected;
        }
        let is_mine = kind != Kind::Direct || usize::from(content.value) == self.me;
        if !is_mine && case.on(Guard::Recipient) || kind == Kind::Direct && !case.direct {
            return Fate::Rejected;
        }
        if kind.round() > self.round + 1 {
            return Fate::Rejected;
        }
        let place = &mut self.held[kind as usize][from];
        match place {
            None => {
                *place = Some(content);
                if kind.round() > self.round { Fate::Early } else { Fate::Accepted }
            }
            Some(first) if *first == content && case.on(Guard::Repeated) => Fate::Duplicate,
            Some(first) if !case.on(Guard::First) => {
                *first = content;
                Fate::Accepted
            }
            Some(_) => {
                self.conflicts[kind as usize] |= 1 << from;
                Fate::Conflicting
            }
        }
    }

    /// The senders that contradicted themselves up to this round (`log.rs`, `conflicts`).
    #[must_use]
    pub fn contradicted(&self) -> Bits {
        let until = KINDS.into_iter().filter(|kind| kind.round() <= self.round);
        until.fold(0, |bits, kind| bits | self.conflicts[kind as usize])
    }

    fn others(&self, case: &Case) -> impl Iterator<Item = usize> + use<> {
        let me = self.me;
        (0..case.parties).filter(move |party| *party != me)
    }

    /// The peers of which the round still needs a message (`session.rs`, `waiting_for`).
    fn waits_for(&self, case: &Case) -> usize {
        let waits =
            |from: &usize| self.kinds(case).any(|kind| self.held[kind as usize][*from].is_none());
        self.others(case).filter(waits).count()
    }

    /// Moves on if the round is complete (`session.rs`, `advance`).
    #[must_use]
    pub fn advance(&self, case: &Case) -> Progress {
        if self.contradicted() != 0 && case.on(Guard::Contradiction) {
            return Progress::Ended(self.ended(self.contradicted()));
        }
        if self.waits_for(case) > usize::from(!case.on(Guard::Everybody)) {
            return Progress::Waiting;
        }
        let wrong = self.wrong(case);
        if wrong != 0 && !case.on(Guard::EchoFirst) {
            return Progress::Ended(self.ended(wrong));
        }
        if let Some(end) = self.check_echo(case) {
            return Progress::Ended(end);
        }
        if wrong != 0 {
            return Progress::Ended(self.ended(wrong));
        }
        self.complete(case)
    }

    /// Completes the round (`echo.rs`, `complete` and `digest`), and begins the next one or ends.
    fn complete(&self, case: &Case) -> Progress {
        let mut next = self.clone();
        match self.round {
            1 => next.views[0] = Some(self.view(case, Kind::One, true)),
            2 => {
                next.accepted[0] = Some(self.view(case, Kind::One, false));
                next.views[1] = Some(self.view(case, Kind::Two, true));
            }
            _ => {
                next.accepted[1] = Some(self.view(case, Kind::Two, false));
                let result =
                    [next.accepted[0].unwrap_or_default(), next.accepted[1].unwrap_or_default()];
                let end = End { kind: EndKind::Done, result: Some(result), ..next.ended(0) };
                return Progress::Ended(end);
            }
        }
        next.round += 1;
        Progress::Round(next)
    }

    /// The broadcasts of a round as this party has them, its own among them (`echo.rs`, `echo`).
    fn view(&self, case: &Case, kind: Kind, is_echo: bool) -> Bits {
        let own = if kind == Kind::One { self.seed } else { 0 };
        let covers = |from: &usize| {
            // Without the guard the echo leaves out the last party.
            !is_echo || case.on(Guard::WholeEcho) || *from + 1 < case.parties
        };
        let of = |from: usize| self.held[kind as usize][from].is_some_and(|held| held.value == 1);
        let others = self.others(case).filter(covers).filter(|from| of(*from));
        others.fold(own << self.me, |bits, from| bits | 1 << from)
    }

    /// The first frames of the round, with their senders (`log.rs`, `firsts`).
    fn firsts(&self, case: &Case) -> impl Iterator<Item = (usize, Kind, Content)> {
        let kinds = self.kinds(case);
        let of = move |kind: Kind| {
            let held = self.held[kind as usize];
            held.into_iter().enumerate().filter_map(move |(from, held)| Some((from, kind, held?)))
        };
        kinds.flat_map(of)
    }

    /// Compares the echoes of the frames that are there (`echo.rs`, `check_echo` and `two_echoes`).
    fn check_echo(&self, case: &Case) -> Option<End> {
        let own = self.views[usize::from(self.round.checked_sub(2)?)]?;
        if !case.on(Guard::Echo) {
            return None;
        }
        let two = self.two_echoes();
        if two != 0 && case.on(Guard::TwoEchoes) {
            return Some(self.ended(two));
        }
        let mut differ = self.firsts(case).filter(|(_, _, content)| content.echo != own).peekable();
        differ.peek()?;
        if !case.on(Guard::EveryEcho)
            && self.firsts(case).any(|(_, _, content)| content.echo == own)
        {
            return None;
        }
        let mut end = self.ended(0);
        end.mismatch = true;
        if case.on(Guard::Seen) {
            end.seen = self.held[if self.round == 2 { Kind::One } else { Kind::Two } as usize];
        }
        for (from, kind, content) in differ {
            if kind != Kind::Direct {
                end.others[from] = Some(content);
            }
            if !case.on(Guard::Nobody) {
                end.named |= 1 << from;
            }
        }
        Some(end)
    }

    /// The senders whose two frames of round 2 carry two echoes.
    #[must_use]
    pub fn two_echoes(&self) -> Bits {
        if self.round != 2 {
            return 0;
        }
        let pairs = self.held[Kind::Two as usize].iter().zip(&self.held[Kind::Direct as usize]);
        let differ = |(one, other): (&Option<Content>, &Option<Content>)| matches!((one, other), (Some(one), Some(other)) if one.echo != other.echo);
        let differing = pairs.map(differ).enumerate().filter(|(_, differ)| *differ);
        differing.fold(0, |bits, (from, _)| bits | 1 << from)
    }

    /// The senders whose answer or confirmation does not follow from what this party saw: the checks of the protocol, on
    /// those peers whose messages are all there (`protocol.rs`, `next` and `judge`).
    fn wrong(&self, case: &Case) -> Bits {
        let own = self.round.checked_sub(2).and_then(|at| self.views[usize::from(at)]);
        let Some(own) = own.filter(|_| case.checks) else { return 0 };
        let kind = if self.round == 2 { Kind::Two } else { Kind::Three };
        let is_here =
            |from: usize| self.kinds(case).all(|kind| self.held[kind as usize][from].is_some());
        let is_wrong = |from: &usize| {
            is_here(*from)
                && self.held[kind as usize][*from]
                    .is_some_and(|held| held.wrong || held.echo != own)
        };
        self.others(case).filter(is_wrong).fold(0, |bits, from| bits | 1 << from)
    }

    /// The caller gives up (`ending.rs`, `give_up`).
    #[must_use]
    pub fn give_up(&self, case: &Case) -> End {
        let wrong = self.wrong(case);
        if wrong != 0 && !case.on(Guard::JudgedFirst) {
            return self.ended(wrong);
        }
        let contradicted = if case.on(Guard::Contradiction) { self.contradicted() } else { 0 };
        if contradicted != 0 {
            return self.ended(contradicted);
        }
        if let Some(end) = self.check_echo(case) {
            return end;
        }
        if wrong == 0 && self.waits_for(case) == 0 {
            return match self.complete(case) {
                Progress::Ended(end) => End { kind: EndKind::Unconfirmed, ..end },
                Progress::Waiting | Progress::Round(_) => self.ended(0),
            };
        }
        self.ended(wrong)
    }

    /// An end in this round that names these (`ending.rs`, `judged`). In the last round the result lacks confirmation alone.
    fn ended(&self, named: Bits) -> End {
        let result = [self.accepted[0].unwrap_or_default(), self.views[1].unwrap_or_default()];
        let result = (self.round == 3).then_some(result);
        let kind = if result.is_some() { EndKind::Unconfirmed } else { EndKind::Stopped };
        let contradicted = self.contradicted();
        let contradicted = if contradicted == 0 { self.two_echoes() } else { contradicted };
        let (round, none) = (self.round, [None; MOST]);
        End { kind, round, named, contradicted, mismatch: false, seen: none, others: none, result }
    }

    /// The rest of a session that has ended: the messages that others may have of it.
    #[must_use]
    pub fn buried(&self) -> Self {
        let mut buried = Self::new(self.me, self.seed);
        (buried.round, buried.views, buried.accepted) = (self.round, self.views, self.accepted);
        buried
    }

    /// Returns whether the next attempt to move on ends the run, whatever comes before it.
    pub(super) fn is_doomed(&self, case: &Case) -> bool {
        self.contradicted() != 0 && case.on(Guard::Contradiction)
    }

    /// Forgets what makes no difference to a session that is about to end by a contradiction.
    pub(super) fn forget(&mut self) {
        let contradicted = self.contradicted();
        *self = self.stored();
        self.conflicts[0] = contradicted;
    }

    /// The session as it was stored when the round began. No frame of it was early.
    pub(super) fn stored(&self) -> Self {
        let mut stored = self.clone();
        stored.conflicts = [0; KINDS.len()];
        for kind in KINDS.into_iter().filter(|kind| kind.round() >= self.round) {
            stored.held[kind as usize] = [None; MOST];
        }
        stored
    }
}
