//! Key generations and presigning, and runs that were recorded.

use std::collections::{BTreeMap, BTreeSet};

use quorate_frost::session::{
    Abort, Outgoing, Parties, PartyId, Progress, Protocol, SealKey, Sealed, Session, SessionId,
    Step, To,
};

use crate::fixture::{KEY, id, parties, rng};

/// A key generation among three parties, two of which will be able to sign; or presigning by three.
pub(crate) trait Generation: Protocol + 'static {
    /// What all parties have in common of the result.
    type Public: Clone + PartialEq;

    /// Whether a broadcast can be wrong in a way that its echo alone shows, one round later.
    const LATE: bool = false;

    fn params(me: PartyId) -> Self::Params;
    fn run() -> &'static Run<Self>;
    /// What is public of the result, having checked that this is the part of `me`.
    fn public(me: PartyId, output: &Self::Output) -> &Self::Public;
}

/// Whether one can finish who was given altered frames of these parties: shares are checked by
/// their sum, in which the errors of two can cancel each other.
pub(crate) fn may_finish(guilty: &BTreeSet<PartyId>) -> bool {
    guilty.len() != 1
}

/// Whether a frame says that it is a broadcast.
pub(crate) fn is_broadcast(frame: &[u8]) -> bool {
    frame.get(5..7) == Some(&[0, 0])
}

/// A run in which all went well.
pub(crate) struct Run<P: Generation> {
    /// Everything that was sent, by round and sender.
    pub(crate) sent: Sent,
    /// What party 1 would have stored: at the beginning, and after each frame and round.
    pub(crate) seals: Vec<Sealed>,
    pub(crate) public: P::Public,
}

type Sent = BTreeMap<(u8, PartyId), Vec<Outgoing>>;

impl<P: Generation> Run<P> {
    /// The run, and the result of each party.
    pub(crate) fn new() -> (Self, Vec<P::Output>) {
        let record = record::<P>(SID, &parties(), P::params, |_| {});
        let Record { sent, seals, results, .. } = record;
        let keys: Vec<_> = results.into_values().map(|key| key.expect("nobody cheats")).collect();
        let public = P::public(id(1), &keys[0]).clone();
        (Self { sent, seals, public }, keys)
    }

    /// What the others sent to `me` in a round.
    pub(crate) fn received(
        &self,
        me: PartyId,
        round: u8,
    ) -> impl Iterator<Item = (PartyId, &[u8])> + '_ {
        self.sent.range((round, id(1))..=(round, id(3))).flat_map(move |((_, from), messages)| {
            let mine = messages.iter().filter(move |message| is_for(me, *from, message.to));
            mine.map(move |message| (*from, message.bytes.as_slice()))
        })
    }
}

const SID: SessionId = SessionId::new([9; 32]);

/// The key generation at one party, always with the same randomness.
pub(crate) fn start<P: Generation>(me: PartyId) -> Step<P> {
    start_with(SID, me, &parties(), P::params(me))
}

fn start_with<P: Protocol>(
    sid: SessionId,
    me: PartyId,
    parties: &Parties,
    params: P::Params,
) -> Step<P> {
    let mut rng = rng(me.get().to_be_bytes()[1]);
    Session::start(sid, me, parties, params, &mut rng).expect("parameters that fit")
}

/// Whether a message is to be delivered to `me`.
pub(crate) fn is_for(me: PartyId, from: PartyId, to: To) -> bool {
    from != me && (to == To::Everyone || to == To::Only(me))
}

/// A frame on its way to one party.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub(crate) round: u8,
    pub(crate) from: PartyId,
    pub(crate) to: PartyId,
    pub(crate) broadcast: bool,
    pub(crate) bytes: Vec<u8>,
}

/// A run of any protocol.
pub(crate) struct Record<P: Protocol> {
    /// Everything that was sent, by round and sender.
    pub(crate) sent: Sent,
    /// Everything that arrived.
    pub(crate) delivered: Vec<Delivery>,
    /// What party 1 would have stored: at the beginning, and after each frame and round.
    pub(crate) seals: Vec<Sealed>,
    pub(crate) results: BTreeMap<PartyId, Result<P::Output, Abort>>,
}

/// Runs a protocol, always with the same randomness. `alter` has its hand on each frame.
pub(crate) fn record<P: Protocol>(
    sid: SessionId,
    parties: &Parties,
    mut params: impl FnMut(PartyId) -> P::Params,
    mut alter: impl FnMut(&mut Delivery),
) -> Record<P> {
    let (sent, results) = (BTreeMap::new(), BTreeMap::new());
    let mut record = Record { sent, delivered: Vec::new(), seals: Vec::new(), results };
    let mut steps: Vec<_> =
        parties.iter().map(|me| start_with::<P>(sid, me, parties, params(me))).collect();
    while !steps.is_empty() {
        let now = record.delivered.len();
        let sessions: Vec<_> = steps.into_iter().map(|step| record.send(step)).collect();
        for me in parties.iter() {
            record.delivered.extend(arriving(&record.sent, me, &sessions));
        }
        record.delivered[now..].iter_mut().for_each(&mut alter);
        steps = sessions.into_iter().filter_map(|session| record.advance(session, now)).collect();
    }
    record
}

/// The frames of the round that the sessions are in.
fn arriving<P: Protocol>(sent: &Sent, me: PartyId, sessions: &[Session<P>]) -> Vec<Delivery> {
    let round = sessions.first().map_or(0, |session| session.round().get());
    let of_round = sent.iter().filter(|((number, _), _)| *number == round);
    let frames = of_round.flat_map(|((_, from), messages)| {
        let mine = messages.iter().filter(|message| is_for(me, *from, message.to));
        mine.map(|message| {
            let (broadcast, bytes) = (message.to == To::Everyone, message.bytes.clone());
            Delivery { round, from: *from, to: me, broadcast, bytes }
        })
    });
    frames.collect()
}

impl<P: Protocol> Record<P> {
    fn send(&mut self, step: Step<P>) -> Session<P> {
        let Step { session, outgoing } = step;
        self.sent.insert((session.round().get(), session.me()), outgoing);
        session
    }

    /// Gives a session what arrived in this round.
    fn advance(&mut self, mut session: Session<P>, now: usize) -> Option<Step<P>> {
        let (me, key) = (session.me(), SealKey::new(KEY));
        self.seals.extend((me == id(1)).then(|| session.seal(&key)));
        for frame in self.delivered[now..].iter().filter(|frame| frame.to == me) {
            session.receive(frame.from, &frame.bytes).expect("a frame that fits");
            self.seals.extend((me == id(1)).then(|| session.seal(&key)));
        }
        let result = loop {
            match session.advance() {
                Ok(Progress::Working(working)) => session = working,
                Ok(Progress::Round(step)) => return Some(step),
                Ok(Progress::Waiting(_)) => return None,
                Ok(Progress::Done { output, .. }) => break Ok(output),
                Err(stopped) => break Err(stopped.abort),
            }
        };
        self.results.insert(me, result);
        None
    }
}
