//! Sessions in memory.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use quorate_session::container::DIGEST;
use quorate_session::{
    PartyId, Progress, Protocol, SealError, SealKey, Sealed, Session, SessionId, Slot, Step,
    Stopped, Unconfirmed,
};

use super::desk::Desk;
use crate::end::End;
use crate::store::{ArrivalKind, InboxRow, OutgoingMessage, PacketId, Place, RunContext, Taken};
use crate::{Job, Kind, RunEnd, Unopened};

/// The purpose of the sealed bytes of the inbox.
pub(crate) const INBOX: &str = "runner inbox";

/// A row is intact, and another key has sealed it.
pub(crate) struct OtherKey;

/// Opens a sealed session with the parameters that it holds.
pub(crate) type Opener =
    Box<dyn FnOnce(&Sealed, &SealKey) -> Result<Box<dyn Cached>, SealError> + Send>;

/// The result of a piece of work, to be stored.
pub(crate) enum Worth {
    /// Nothing.
    Waiting(Box<dyn Cached>),
    /// The next session.
    Round {
        before: Slot,
        after: Sealed,
        taken: Vec<Taken>,
        messages: Vec<OutgoingMessage>,
        cached: Box<dyn Cached>,
    },
    /// The end; without a slot if it does not matter what the store has of the run.
    Ended {
        before: Option<Slot>,
        tombstone: Sealed,
        messages: Vec<OutgoingMessage>,
        end: End,
        unopened: Option<Unopened>,
    },
    /// The session does not open.
    Unopened(SealError),
    /// Something of the run is under another key.
    OtherKey,
}

/// A session in memory, whatever its protocol.
pub(crate) trait Cached: Send {
    /// The name of its job.
    fn sid(&self) -> SessionId;

    /// The kind of its protocol.
    fn kind(&self) -> Kind;

    /// Returns whether these bytes of the store are those of the session, by their digest, which is not computed anew: what is
    /// in memory is right whatever the store has made of the rest, and replaces it.
    fn is_stored_as(&self, sealed: &[u8]) -> bool;

    /// The number of rows of the store that it has seen and that are not marked as taken in.
    fn seen(&self) -> usize;

    /// Returns whether the store has more for it.
    fn reread(&self) -> bool;

    /// Sets whether the store has more for it.
    fn set_reread(&mut self, reread: bool);

    /// Takes in what a peer has sent.
    fn feed(&mut self, place: Place, id: PacketId, frame: &[u8]);

    /// Takes a row of the inbox in, under this key; returns whether it is one more that the store has damaged.
    fn read(&mut self, row: &InboxRow, key: &SealKey) -> Result<bool, OtherKey>;

    /// Goes on as far as one round. A run that is over does not begin another.
    fn go_on(
        self: Box<Self>,
        over: bool,
        desk: &Desk<'_>,
        run: (&RunContext, Option<&Job>),
    ) -> Worth;
}

/// A session in memory.
pub(crate) struct CachedSession<P: Protocol> {
    session: Session<P>,
    /// The slot of the session in the store.
    stored: Slot,
    /// The digest at the end of what the store has of it.
    digest: [u8; DIGEST],
    /// The rows of the inbox that the session has taken in since.
    fed: Vec<Taken>,
    /// The peers that say that they have stopped.
    stopped: BTreeSet<PartyId>,
    /// The rows of the inbox that the store has damaged.
    damaged: BTreeSet<Taken>,
    /// The store has more for it.
    reread: bool,
}

impl<P: Protocol> CachedSession<P> {
    pub(crate) fn new(session: Session<P>, sealed: &Sealed) -> Self {
        let digest = sealed.as_bytes().last_chunk().copied().unwrap_or_default();
        let (stored, fed) = (sealed.slot(), Vec::new());
        let (stopped, damaged) = (BTreeSet::new(), BTreeSet::new());
        Self { session, stored, digest, fed, stopped, damaged, reread: false }
    }

    /// Sets the peers that have stopped and the damaged rows that were known before its last round.
    pub(super) fn with(self, stopped: BTreeSet<PartyId>, damaged: BTreeSet<Taken>) -> Self {
        Self { stopped, damaged, ..self }
    }

    /// Goes on as far as one round. A run that is over does not begin another.
    fn advance(self, over: bool) -> Turn<P> {
        let Self { mut session, stored, digest, fed, stopped, damaged, .. } = self;
        let peers = |damaged: &BTreeSet<Taken>| {
            let mut peers: Vec<_> = damaged.iter().map(|row| row.from).collect();
            peers.dedup();
            peers
        };
        loop {
            match session.advance() {
                Ok(Progress::Working(more)) => session = more,
                Ok(Progress::Done { output, tombstone }) => {
                    return Turn::Ended { stored, tombstone, end: RunEnd::Done(output) };
                }
                Ok(Progress::Unconfirmed(unconfirmed)) => {
                    return Turn::over(stored, Ok(unconfirmed), None, peers(&damaged));
                }
                Err(stopped) => return Turn::over(stored, Err(stopped), None, peers(&damaged)),
                Ok(Progress::Round(Step { session, .. })) if over => {
                    return Turn::over(stored, session.give_up(), None, peers(&damaged));
                }
                Ok(Progress::Round(step)) => {
                    return Turn::Round { stored, fed, stopped, damaged, step };
                }
                Ok(Progress::Waiting(waiting)) => {
                    // No more frames will come from a peer that has stopped, but all that the round needs may be there already.
                    let told_by = waiting.waiting_for().find(|peer| stopped.contains(peer));
                    if over || told_by.is_some() {
                        return Turn::over(stored, waiting.give_up(), told_by, peers(&damaged));
                    }
                    let session = waiting;
                    return Turn::Waiting(Self {
                        session,
                        stored,
                        digest,
                        fed,
                        stopped,
                        damaged,
                        reread: false,
                    });
                }
            }
        }
    }
}

impl<P: Protocol> Cached for CachedSession<P> {
    fn sid(&self) -> SessionId {
        self.session.sid()
    }

    fn kind(&self) -> Kind {
        Kind::of::<P>()
    }

    fn is_stored_as(&self, sealed: &[u8]) -> bool {
        sealed.ends_with(&self.digest)
    }

    fn seen(&self) -> usize {
        self.fed.len() + self.damaged.len()
    }

    fn reread(&self) -> bool {
        self.reread
    }

    fn set_reread(&mut self, reread: bool) {
        self.reread = reread;
    }

    fn feed(&mut self, Place { from, kind, .. }: Place, id: PacketId, frame: &[u8]) {
        let row = Taken { from, id };
        if self.fed.contains(&row) {
            return;
        }
        self.fed.push(row);
        match kind {
            ArrivalKind::Stopped => drop(self.stopped.insert(from)),
            // A frame that does not fit is counted by the session.
            ArrivalKind::Broadcast | ArrivalKind::Direct => drop(self.session.receive(from, frame)),
            ArrivalKind::Other => {
                if let Some(prefix) = frame.first_chunk() {
                    self.session.reject_opening(from, prefix);
                }
            }
        }
    }

    fn read(&mut self, row: &InboxRow, key: &SealKey) -> Result<bool, OtherKey> {
        let frame = match row.place.kind {
            ArrivalKind::Stopped | ArrivalKind::Other => {
                self.feed(row.place, row.id, &row.sealed);
                return Ok(false);
            }
            ArrivalKind::Broadcast | ArrivalKind::Direct => key.open_bytes(INBOX, &row.sealed),
        };
        match frame {
            Ok(frame) => self.feed(row.place, row.id, &frame),
            Err(SealError::Unauthentic) => return Err(OtherKey),
            Err(_) => return Ok(self.damaged.insert(Taken { from: row.place.from, id: row.id })),
        }
        Ok(false)
    }

    fn go_on(
        self: Box<Self>,
        over: bool,
        desk: &Desk<'_>,
        run: (&RunContext, Option<&Job>),
    ) -> Worth {
        worth::<P>(desk, run, self.advance(over))
    }
}

/// How far a session came.
#[allow(clippy::large_enum_variant, reason = "made once and taken apart at once")]
enum Turn<P: Protocol> {
    Waiting(CachedSession<P>),
    Round {
        stored: Slot,
        fed: Vec<Taken>,
        stopped: BTreeSet<PartyId>,
        damaged: BTreeSet<Taken>,
        step: Step<P>,
    },
    Ended {
        stored: Slot,
        tombstone: Sealed,
        end: RunEnd<P::Output>,
    },
}

impl<P: Protocol> Turn<P> {
    /// The end of a run that is not confirmed, with a result or without.
    fn over(
        stored: Slot,
        end: Result<Unconfirmed<P::Output>, Stopped>,
        told_by: Option<PartyId>,
        damaged: Vec<PartyId>,
    ) -> Self {
        let (tombstone, end) = match end {
            Ok(Unconfirmed { output, abort, tombstone }) => {
                (tombstone, RunEnd::Unconfirmed { output, abort, told_by, damaged })
            }
            Err(Stopped { abort, tombstone }) => {
                (tombstone, RunEnd::Stopped { abort, told_by, damaged })
            }
        };
        Self::Ended { stored, tombstone, end }
    }
}

/// The result of a step of a session, with its messages.
fn worth<P: Protocol>(
    desk: &Desk<'_>,
    (context, job): (&RunContext, Option<&Job>),
    turn: Turn<P>,
) -> Worth {
    match turn {
        Turn::Waiting(cached) => Worth::Waiting(Box::new(cached)),
        Turn::Round { stored, fed, stopped, damaged, step } => {
            let after = step.session.seal(desk.key);
            let messages = job.map(|job| desk.messages(job, &step)).unwrap_or_default();
            let cached = CachedSession::new(step.session, &after).with(stopped, damaged);
            let cached = Box::new(cached);
            Worth::Round { before: stored, after, taken: fed, messages, cached }
        }
        Turn::Ended { stored, tombstone, mut end } => {
            let messages = match (&end, job) {
                (RunEnd::Done(_), _) | (_, None) => Vec::new(),
                (_, Some(job)) => desk.stop(P::CODE, context, job),
            };
            let damaged = match &mut end {
                RunEnd::Unconfirmed { damaged, .. } | RunEnd::Stopped { damaged, .. } => {
                    core::mem::take(damaged)
                }
                _ => Vec::new(),
            };
            let end = End::Session { kind: end.kind(), damaged, end: Box::new(end) };
            Worth::Ended { before: Some(stored), tombstone, messages, end, unopened: None }
        }
    }
}
