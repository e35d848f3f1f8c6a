//! Runs with corrupt parties that work together. Each has two sessions of its own, and tells every honest party
//! what it likes of both: altered, twice or not at all, under the echo that this party expects. So only the echoes
//! of the honest parties can expose it.

use std::collections::BTreeMap;

use quorate_mldsa::session::{
    Abort, Evidence, Outgoing, Parties, PartyId, Progress, Protocol, Session, Step, To, Unconfirmed,
};
use quorate_testkit::Lcg;
use quorate_testkit::lockstep::{ECHO, HEADER, advance, give_up, sid, start_seeded};

const BODY: usize = HEADER + ECHO;

/// How an honest party's run ends.
pub(crate) struct End<O> {
    /// The result of the party.
    pub(crate) done: Option<O>,
    /// The reason why there is no result.
    pub(crate) abort: Option<Abort>,
    /// A result that is not confirmed.
    pub(crate) unconfirmed: Option<O>,
    /// The frames that it sent and received.
    pub(crate) frames: Vec<(PartyId, Vec<u8>)>,
}

/// One session: an honest party's, or one of the two of a corrupt one.
struct Seat<P: Protocol> {
    me: PartyId,
    honest: bool,
    /// The index of this session among the two of a corrupt party.
    variant: usize,
    session: Option<Session<P>>,
    sent: Vec<Outgoing>,
}

impl<P: Protocol> Seat<P> {
    fn enter(&mut self, step: Step<P>) {
        self.sent = step.outgoing;
        self.session = Some(step.session);
    }

    /// The bytes between header and body of this party's broadcast of the round.
    fn echo(&self) -> Option<[u8; ECHO]> {
        let broadcast = self.sent.iter().find(|one| one.to == To::Everyone)?;
        broadcast.bytes.get(HEADER..BODY)?.try_into().ok()
    }

    fn frames(&self, to: PartyId) -> impl Iterator<Item = Vec<u8>> {
        let mine = move |one: &&Outgoing| one.to == To::Everyone || one.to == To::Only(to);
        self.sent.iter().filter(mine).map(|one| one.bytes.clone())
    }
}

/// Plays a run, and gives the end of every honest party.
pub(crate) fn play<P: Protocol>(
    all: &Parties,
    corrupt: &[PartyId],
    mut params: impl FnMut(PartyId) -> P::Params,
    random: &mut Lcg,
) -> BTreeMap<PartyId, End<P::Output>> {
    let mut seats: Vec<Seat<P>> = Vec::new();
    for me in all.iter() {
        let honest = !corrupt.contains(&me);
        for variant in 0..if honest { 1 } else { 2 } {
            let seed = [0, 100][variant] + me.get().to_be_bytes()[1];
            let mut seat = Seat { me, honest, variant, session: None, sent: Vec::new() };
            seat.enter(start_seeded(sid(1), me, all, params(me), seed));
            seats.push(seat);
        }
    }
    let mut plot = Plot::new(random);
    let mut ends = BTreeMap::new();
    let mut heard: Heard = BTreeMap::new();
    while seats.iter().any(|seat| seat.honest && seat.session.is_some()) {
        plot.deliver(&mut seats, &mut heard);
        turn(&mut seats, &mut heard, &mut ends);
    }
    ends
}

/// The frames that each honest party has received or sent.
type Heard = BTreeMap<PartyId, Vec<(PartyId, Vec<u8>)>>;

/// The plan of the corrupt parties.
struct Plot<'r> {
    random: &'r mut Lcg,
    /// The honest parties, as bits, that receive the messages of the second sessions: the same in all rounds, or
    /// others in each round.
    second: usize,
    changes: bool,
    /// One of `lies` frames is altered.
    lies: usize,
    /// Frames that arrive a round later.
    late: Vec<(PartyId, PartyId, Vec<u8>)>,
}

impl<'r> Plot<'r> {
    fn new(random: &'r mut Lcg) -> Self {
        let second = if random.below(2) == 0 { 0 } else { random.below(1 << 16) };
        let changes = random.below(3) == 0;
        let lies = [4, 12, 40][random.below(3)];
        Self { random, second, changes, lies, late: Vec::new() }
    }

    fn deliver<P: Protocol>(&mut self, seats: &mut [Seat<P>], heard: &mut Heard) {
        if self.changes {
            self.second = self.random.below(1 << 16);
        }
        let mut mail: Vec<(usize, PartyId, Vec<u8>)> = Vec::new();
        let late = core::mem::take(&mut self.late);
        for (to, seat) in seats.iter().enumerate().filter(|(_, seat)| seat.session.is_some()) {
            let told = if seat.honest { self.second >> (2 * to) } else { 3 * seat.variant };
            let arrived = late.iter().filter(|(me, ..)| seat.honest && *me == seat.me);
            mail.extend(arrived.map(|(_, from, frame)| (to, *from, frame.clone())));
            for from in seats.iter().filter(|from| from.me != seat.me) {
                let bit = told >> usize::from(from.me.get() & 1) & 1;
                if !from.honest && from.variant != bit {
                    continue;
                }
                for mut frame in from.frames(seat.me) {
                    // A corrupt party's own sessions continue, whatever the others have seen.
                    if let Some(echo) = seat.echo().filter(|_| !from.honest || !seat.honest) {
                        frame[HEADER..BODY].copy_from_slice(&echo);
                    }
                    let honest = from.honest || !seat.honest;
                    let said = if honest { vec![frame] } else { self.lie(seat.me, from.me, frame) };
                    mail.extend(said.into_iter().map(|frame| (to, from.me, frame)));
                }
            }
        }
        for (to, from, frame) in mail {
            let Seat { me, honest, session, .. } = &mut seats[to];
            let Some(session) = session else { continue };
            // A refused frame changes nothing.
            if session.receive(from, &frame).is_ok() && *honest {
                heard.entry(*me).or_default().push((from, frame));
            }
        }
    }

    /// The frame that a corrupt party sends in the place of its own, mostly the same one.
    fn lie(&mut self, to: PartyId, from: PartyId, mut frame: Vec<u8>) -> Vec<Vec<u8>> {
        let length = frame.len().saturating_sub(BODY);
        if self.random.below(self.lies) > 0 {
            return vec![frame];
        }
        let flipped = |random: &mut Lcg, frame: &mut [u8]| {
            if length > 0 {
                frame[BODY + random.below(length)] ^= 1 << random.below(8);
            }
        };
        match self.random.below(10) {
            0..=3 => flipped(self.random, &mut frame),
            4 => return Vec::new(),
            5 => frame.truncate(BODY),
            6 => frame[BODY..].fill(0xff),
            7 => frame[BODY..].fill(0),
            // Another frame as well, at once or a round later.
            8 => {
                let mut other = frame.clone();
                flipped(self.random, &mut other);
                return vec![frame, other];
            }
            _ => {
                let mut other = frame.clone();
                flipped(self.random, &mut other);
                self.late.push((to, from, other));
            }
        }
        vec![frame]
    }
}

fn turn<P: Protocol>(
    seats: &mut [Seat<P>],
    heard: &mut Heard,
    ends: &mut BTreeMap<PartyId, End<P::Output>>,
) {
    for seat in seats.iter_mut() {
        let Some(session) = seat.session.take() else { continue };
        let sent = core::mem::take(&mut seat.sent);
        let frames = heard.entry(seat.me).or_default();
        if seat.honest {
            let all = sent.into_iter().filter(|one| one.to == To::Everyone);
            frames.extend(all.map(|one| (seat.me, one.bytes.clone())));
        }
        let (done, abort, unconfirmed) = match advance(session) {
            Ok(Progress::Round(step)) => {
                seat.enter(step);
                continue;
            }
            Ok(Progress::Done { output, .. }) => (Some(output), None, None),
            Ok(Progress::Waiting(session) | Progress::Working(session)) => {
                let halted = give_up(session);
                (None, Some(halted.abort), halted.unconfirmed)
            }
            Ok(Progress::Unconfirmed(Unconfirmed { output, abort, .. })) => {
                (None, Some(abort), Some(output))
            }
            Err(stopped) => (None, Some(stopped.abort), None),
        };
        if seat.honest {
            let frames = core::mem::take(frames);
            ends.insert(seat.me, End { done, abort, unconfirmed, frames });
        }
    }
}

/// Checks that no honest party is named, neither by one party nor by two of them that join their evidence.
pub(crate) fn nobody_honest_is_named<O>(ends: &BTreeMap<PartyId, End<O>>, corrupt: &[PartyId]) {
    let mut views: Vec<&Evidence> = Vec::new();
    for end in ends.values() {
        for culprit in end.abort.iter().flat_map(Abort::culprits) {
            assert!(corrupt.contains(&culprit), "party {culprit} is named");
        }
        if let Some(Abort::Unattributed { evidence: Some(evidence), .. }) = &end.abort {
            views.push(evidence);
        }
    }
    for one in &views {
        for other in &views {
            let found = one.equivocators(other);
            assert!(found.iter().all(|(party, _)| corrupt.contains(party)), "{found:?}");
        }
    }
}
