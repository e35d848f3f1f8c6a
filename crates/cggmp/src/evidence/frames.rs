//! Frames put in order.

use alloc::{collections::BTreeMap, vec::Vec};

use quorate_session::frame::{self, HEADER, Header, PREFIX, VERSION};
use quorate_session::{FrameBytes, Limits, Parties, PartyId, PerParty, Round};

use super::judge::Terms;
use super::log::Log;

#[derive(Clone, Copy)]
struct Frame<'e> {
    from: PartyId,
    round: u8,
    to: Option<PartyId>,
    echo: Option<&'e [u8]>,
    body: &'e [u8],
}

impl<'e> Frame<'e> {
    fn read(frame: &'e [u8], terms: &Terms<'_>) -> Option<Self> {
        let (_, rest) = frame.split_at_checked(HEADER)?;
        let Header { version, code, round: Round(round), from, to, context } =
            Header::parse(frame)?;
        let of_run = code == terms.code && context == terms.binding.context;
        if version != VERSION || !of_run || round == 0 {
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

/// The frames of a run, one for each place: of two frames that claim one place, the first.
struct Placed<'e>(BTreeMap<Place, Frame<'e>>);

impl<'e> Placed<'e> {
    fn new(frames: impl Iterator<Item = Frame<'e>>) -> Self {
        let mut placed = BTreeMap::new();
        for frame in frames {
            placed.entry((frame.round, frame.from, frame.to)).or_insert(frame);
        }
        Self(placed)
    }

    /// The broadcasts of all parties in a round, if they are all there.
    fn bodies(&self, round: u8, parties: &Parties) -> Option<PerParty<&'e [u8]>> {
        let body = |party| Some((party, self.0.get(&(round, party, None))?.body));
        parties.iter().map(body).collect()
    }
}

/// Returns whether frames of one round, all of the accused, carry different echoes of the round before.
pub(super) fn two_echoes(
    frames: &[(PartyId, FrameBytes)],
    culprit: PartyId,
    terms: &Terms<'_>,
) -> bool {
    let mut echoes = BTreeMap::new();
    let own = frames.iter().filter(|(from, _)| *from == culprit);
    let mut read = own.filter_map(|(_, bytes)| Frame::read(bytes, terms));
    read.any(|frame| {
        let echo = frame.echo.filter(|_| frame.from == culprit);
        echo.is_some_and(|echo| *echoes.entry(frame.round).or_insert(echo) != echo)
    })
}

/// Takes frames of one run, in time proportional to their length. `None` if there is no frame of
/// the accused, or one that it attested to is not there.
pub(super) fn read<'e>(
    frames: &'e [(PartyId, FrameBytes)],
    culprit: PartyId,
    terms: &Terms<'_>,
) -> Option<Log<'e>> {
    let fits = |frame: &Frame<'_>, from: PartyId| {
        let limits = terms.limits.get(usize::from(frame.round).saturating_sub(1));
        let limit = |limits: &Limits| match frame.to {
            None => limits.broadcast,
            Some(_) => limits.direct,
        };
        // A limit of zero: the round has no such message, and a session rejects an empty one, too.
        let within = limits.map(limit).is_some_and(|most| most > 0 && frame.body.len() <= most);
        let another = |to: PartyId| to != from && terms.parties.contains(to);
        let received = frame.to.is_none_or(another);
        frame.from == from && terms.parties.contains(from) && received && within
    };
    let read = |(from, bytes): &'e (PartyId, FrameBytes)| {
        Frame::read(bytes, terms).filter(|frame| fits(frame, *from))
    };
    let placed = Placed::new(frames.iter().filter_map(read));
    let own = || placed.0.values().filter(|frame| frame.from == culprit);
    let round = own().map(|frame| frame.round).max()?;
    let mut rounds = Vec::new();
    for number in 1..round {
        let bodies = placed.bodies(number, terms.parties)?;
        let expected = frame::echo(&terms.binding.context, Round(number), bodies.values());
        let mut next = own().filter(|frame| frame.round == number.saturating_add(1));
        let attested = |frame: &Frame<'_>| frame.echo == Some(expected.as_slice());
        if !next.clone().any(attested) || !next.all(attested) {
            return None;
        }
        rounds.push(bodies);
    }
    let last = || own().filter(|frame| frame.round == round);
    let broadcast = last().find(|frame| frame.to.is_none()).map(|frame| frame.body);
    let direct = last().find_map(|frame| Some((frame.to?, frame.body)));
    let first = direct.filter(|_| round > 1);
    let first = first.and_then(|(to, _)| Some(placed.0.get(&(1, culprit, Some(to)))?.body));
    Some(Log { culprit, round, broadcast, direct, first, rounds })
}
