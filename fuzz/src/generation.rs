//! Key generations and presigning, and runs that were recorded.

use std::collections::{BTreeMap, BTreeSet};

use quorate_frost::session::{
    Abort, Outgoing, Parties, PartyId, Protocol, SealKey, Sealed, Session, SessionId, Step, To,
};
use quorate_testkit::lockstep::{self, Mail, in_lockstep};

use crate::fixture::{KEY, id, parties};

/// A key generation among three parties, two of which will be able to sign; or presigning by three.
pub(crate) trait Generation: Protocol + 'static {
    /// The part of the result that all parties have in common.
    type Public: Clone + PartialEq;

    /// Set if a broadcast can be wrong in a way that its echo alone shows, one round later.
    const LATE: bool = false;

    fn params(me: PartyId) -> Self::Params;
    fn run() -> &'static Run<Self>;
    /// The public part of the result, having checked that this is the part of `me`.
    fn public(me: PartyId, output: &Self::Output) -> Self::Public;
}

/// Returns whether a party can finish that was given altered frames of these parties. Shares are
/// checked by their sum, in which the errors of two can cancel each other.
pub(crate) fn may_finish(guilty: &BTreeSet<PartyId>) -> bool {
    guilty.len() != 1
}

/// Returns whether a frame claims to be a broadcast.
pub(crate) fn is_broadcast(frame: &[u8]) -> bool {
    frame.get(5..7) == Some(&[0, 0])
}

/// A run in which all went well.
pub(crate) struct Run<P: Generation> {
    /// The messages, by round and sender.
    pub(crate) sent: Sent,
    /// Seals that party 1 would have stored: at the beginning, and after each frame and round.
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
        let public = P::public(id(1), &keys[0]);
        (Self { sent, seals, public }, keys)
    }

    /// Messages of the others to `me` in a round.
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
    lockstep::start(SID, me, &parties(), P::params(me))
}

/// Returns whether a message is to be delivered to `me`.
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
    /// The messages, by round and sender.
    pub(crate) sent: Sent,
    /// The frames that arrived.
    pub(crate) delivered: Vec<Delivery>,
    /// Seals that party 1 would have stored: at the beginning, and after each frame and round.
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
    let (mut sent, mut delivered, mut seals) = (BTreeMap::new(), Vec::new(), Vec::new());
    let steps =
        parties.iter().map(|me| lockstep::start::<P>(sid, me, parties, params(me))).collect();
    let results = in_lockstep::<P>(steps, |mail, sessions| {
        let now = delivered.len();
        sent.extend(mail.iter().map(|one| ((one.round, one.from), one.outgoing.clone())));
        for me in parties.iter() {
            delivered.extend(mail.iter().flat_map(|one| arriving(one, me)));
        }
        delivered[now..].iter_mut().for_each(&mut alter);
        for session in sessions {
            receive(session, &delivered[now..], &mut seals);
        }
    });
    Record { sent, delivered, seals, results }
}

fn arriving(mail: &Mail, me: PartyId) -> impl Iterator<Item = Delivery> + '_ {
    mail.to(me).map(move |message| Delivery {
        round: mail.round,
        from: mail.from,
        to: me,
        broadcast: message.to == To::Everyone,
        bytes: message.bytes.clone(),
    })
}

/// Gives a session what arrived in this round. Party 1 is sealed before, and after each frame.
fn receive<P: Protocol>(session: &mut Session<P>, frames: &[Delivery], seals: &mut Vec<Sealed>) {
    let (me, key) = (session.party_id(), SealKey::new(KEY));
    seals.extend((me == id(1)).then(|| session.seal(&key)));
    for frame in frames.iter().filter(|frame| frame.to == me) {
        session.receive(frame.from, &frame.bytes).expect("a frame that fits");
        seals.extend((me == id(1)).then(|| session.seal(&key)));
    }
}
