//! Frames put in order.

use alloc::{collections::BTreeMap, vec::Vec};

use quorate_session::frame::{self, HEADER, Header, PREFIX, VERSION};
use quorate_session::{Parties, PartyId, Round};

use super::{Finding, sealed::Judge};
use crate::proofs::RunBinding;

/// The frames of the accused, and the broadcasts of all in the rounds that it has attested to.
pub(crate) struct Log<'e> {
    pub(super) culprit: PartyId,
    /// The last round of the accused.
    pub(super) round: u8,
    own: Vec<Frame<'e>>,
    /// By round, by ascending party.
    rounds: Vec<Vec<(PartyId, &'e [u8])>>,
}

#[derive(Clone, Copy)]
struct Frame<'e> {
    from: PartyId,
    round: u8,
    to: Option<PartyId>,
    echo: Option<&'e [u8]>,
    body: &'e [u8],
}

impl<'e> Frame<'e> {
    fn read(frame: &'e [u8], (names, code): (RunBinding, u8)) -> Option<Self> {
        let (_, rest) = frame.split_at_checked(HEADER)?;
        let Header { version, code: found, round: Round(round), from, to, context } =
            Header::parse(frame)?;
        if version != VERSION || found != code || context != names.context || round == 0 {
            return None;
        }
        // Every round of these protocols has broadcasts, so that every later one has an echo.
        let (prefix, body) = rest.split_at_checked(PREFIX)?;
        let echo = (round > 1).then_some(prefix);
        Some(Self { from, round, to, echo, body })
    }
}

/// A frame's round, its sender, and the receiver unless it is a broadcast.
type Place = (u8, PartyId, Option<PartyId>);

/// The frames of a run, one for each place: of two that claim one place, the first.
struct Placed<'e>(BTreeMap<Place, Frame<'e>>);

impl<'e> Placed<'e> {
    fn of(frames: impl Iterator<Item = Frame<'e>>) -> Self {
        let mut placed = BTreeMap::new();
        for frame in frames {
            placed.entry((frame.round, frame.from, frame.to)).or_insert(frame);
        }
        Self(placed)
    }

    /// What all broadcast in a round, by ascending party, if it is all there.
    fn bodies(&self, round: u8, parties: &Parties) -> Option<Vec<(PartyId, &'e [u8])>> {
        let body = |party| Some((party, self.0.get(&(round, party, None))?.body));
        parties.iter().map(body).collect()
    }
}

/// Whether frames of one round, all of the accused, say that it saw different broadcasts in the round
/// before.
pub(super) fn two_echoes(
    frames: &[(PartyId, Vec<u8>)],
    culprit: PartyId,
    names: RunBinding,
    code: u8,
) -> bool {
    let mut echoes = BTreeMap::new();
    let own = frames.iter().filter(|(from, _)| *from == culprit);
    let mut read = own.filter_map(|(_, bytes)| Frame::read(bytes, (names, code)));
    read.any(|frame| {
        let echo = frame.echo.filter(|_| frame.from == culprit);
        echo.is_some_and(|echo| *echoes.entry(frame.round).or_insert(echo) != echo)
    })
}

impl<'e> Log<'e> {
    /// Takes frames of one run, in time proportional to their length. Nothing if there is none of
    /// the accused, or what it attested to is not there.
    pub(super) fn read(
        frames: &'e [(PartyId, Vec<u8>)],
        culprit: PartyId,
        names: RunBinding,
        run: &impl Judge,
    ) -> Option<Self> {
        let parties = run.parties();
        let fits = |frame: &Frame<'_>, from: PartyId| {
            let limits = run.limits(Round(frame.round));
            let limit = if frame.to.is_none() { limits.broadcast } else { limits.direct };
            let in_run = frame.round <= run.rounds() && parties.contains(from);
            frame.from == from && in_run && frame.body.len() <= limit
        };
        let read = |(from, bytes): &'e (PartyId, Vec<u8>)| {
            Frame::read(bytes, (names, run.code())).filter(|frame| fits(frame, *from))
        };
        let placed = Placed::of(frames.iter().filter_map(read));
        let own: Vec<_> =
            placed.0.values().filter(|frame| frame.from == culprit).copied().collect();
        let round = own.iter().map(|frame| frame.round).max()?;
        let mut rounds = Vec::new();
        for number in 1..round {
            let bodies = placed.bodies(number, parties)?;
            let bodies_of = bodies.iter().map(|(_, body)| body);
            let expected = frame::echo(&names.context, Round(number), bodies_of);
            let mut next = own.iter().filter(|frame| frame.round == number.saturating_add(1));
            let attested = |frame: &Frame<'_>| frame.echo == Some(expected.as_slice());
            if !next.clone().any(attested) || !next.all(attested) {
                return None;
            }
            rounds.push(bodies);
        }
        Some(Self { culprit, round, own, rounds })
    }

    /// What the accused broadcast in its last round.
    pub(super) fn broadcast(&self) -> Result<&'e [u8], Finding> {
        let last = self.own.iter().find(|frame| frame.round == self.round && frame.to.is_none());
        last.map(|frame| frame.body).ok_or(Finding::Incomplete)
    }

    /// What it sent to the accuser in its last round, and who that is.
    pub(super) fn direct(&self) -> Result<(PartyId, &'e [u8]), Finding> {
        let mut last = self.own.iter().filter(|frame| frame.round == self.round);
        let found = last.find_map(|frame| Some((frame.to?, frame.body)));
        found.ok_or(Finding::Incomplete)
    }

    /// What all broadcast in an earlier round, by ascending party.
    pub(super) fn round(&self, number: usize) -> Result<&[(PartyId, &'e [u8])], Finding> {
        let index = number.checked_sub(1);
        index.and_then(|index| self.rounds.get(index)).map(Vec::as_slice).ok_or(Finding::Incomplete)
    }
}
