//! Pieces of work, which may be done on any thread.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_session::container::DIGEST;
use quorate_session::{
    PartyId, Progress, Protocol, SealError, SealKey, Sealed, Session, SessionId, Slot, Step, To,
};

use crate::store::{ArrivalKind, Context, InboxRow, Letter, PacketId, Place};
use crate::{Bounds, Job, RunEnd, Time, packet};

/// The purposes of sealed bytes.
pub(crate) const INBOX: &str = "runner inbox";
pub(crate) const OUTBOX: &str = "runner outbox";

/// Why a run is lost whose row is damaged.
const DAMAGED: &str = "what the store has of the run is not what was stored";

/// A piece of work on one run, of at most one round. [`run`](Self::run) does it, on any thread; what comes of it goes back to
/// [`Runner::finish`](crate::Runner::finish).
#[must_use]
pub struct Work<P: Protocol> {
    pub(crate) context: Context,
    pub(crate) sid: SessionId,
    /// `None` if it was damaged in the store.
    pub(crate) job: Option<Job>,
    pub(crate) me: PartyId,
    pub(crate) key: Arc<SealKey>,
    pub(crate) bounds: Bounds,
    pub(crate) now: Time,
    pub(crate) source: Source<P>,
    /// The rows of the inbox that the session has not taken in.
    pub(crate) arrivals: Vec<InboxRow>,
}

/// Where the session comes from.
#[allow(clippy::large_enum_variant, reason = "made once and taken apart at once")]
pub(crate) enum Source<P: Protocol> {
    Hot(Hot<P>),
    Cold {
        sealed: Sealed,
        params: P::Params,
    },
    /// It cannot be opened, and its deadline has come.
    Lost {
        stored: Slot,
        why: &'static str,
    },
    /// Its row was altered in the store, and its deadline has come.
    Damaged,
}

impl<P: Protocol> Source<P> {
    /// Whether the session has to take in what the store has for it.
    pub(crate) const fn reads(&self) -> bool {
        match self {
            Self::Hot(hot) => hot.reread,
            Self::Cold { .. } => true,
            Self::Lost { .. } | Self::Damaged => false,
        }
    }
}

/// A session in memory.
pub(crate) struct Hot<P: Protocol> {
    session: Session<P>,
    /// The slot of the session in the store.
    stored: Slot,
    /// The digest at the end of what the store has of it.
    digest: [u8; DIGEST],
    /// The rows of the inbox that the session has taken in since.
    fed: Vec<(PartyId, PacketId)>,
    /// The peers that say that they have stopped.
    stopped: BTreeSet<PartyId>,
    /// The store has more for it.
    pub(crate) reread: bool,
}

impl<P: Protocol> Hot<P> {
    pub(crate) fn new(session: Session<P>, sealed: &Sealed) -> Self {
        let digest = sealed.as_bytes().last_chunk().copied().unwrap_or_default();
        let (stored, fed, stopped) = (sealed.slot(), Vec::new(), BTreeSet::new());
        Self { session, stored, digest, fed, stopped, reread: false }
    }

    /// The name of its job.
    pub(crate) const fn sid(&self) -> SessionId {
        self.session.sid()
    }

    /// Whether these bytes of the store are those of the session, by their digest, which is not computed anew: what is
    /// in memory is right whatever the store has made of the rest, and replaces it.
    pub(crate) fn is_stored_as(&self, sealed: &[u8]) -> bool {
        sealed.ends_with(&self.digest)
    }

    /// The number of rows of the store that it has taken in and that are not marked so.
    pub(crate) fn fed(&self) -> usize {
        self.fed.len()
    }

    /// Takes in what a peer has sent.
    pub(crate) fn feed(&mut self, Place { from, kind, .. }: Place, id: PacketId, frame: &[u8]) {
        if self.fed.contains(&(from, id)) {
            return;
        }
        self.fed.push((from, id));
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

    /// Goes on as far as one round. A run that is over does not begin another.
    fn advance(self, over: bool) -> Turn<P> {
        let Self { mut session, stored, digest, fed, stopped, .. } = self;
        loop {
            match session.advance() {
                Ok(Progress::Working(more)) => session = more,
                Ok(Progress::Done { output, tombstone }) => {
                    return Turn::Ended { stored, tombstone, end: RunEnd::Done(output) };
                }
                Err(stop) => return Turn::stopped(stored, stop, None),
                Ok(Progress::Round(Step { session, .. })) if over => {
                    return Turn::stopped(stored, session.give_up(), None);
                }
                Ok(Progress::Round(step)) => return Turn::Round { stored, fed, stopped, step },
                Ok(Progress::Waiting(waiting)) => {
                    // No more will come from a peer that has stopped; but what all need may be there already.
                    let told_by = waiting.waiting_for().find(|peer| stopped.contains(peer));
                    if over || told_by.is_some() {
                        return Turn::stopped(stored, waiting.give_up(), told_by);
                    }
                    let session = waiting;
                    return Turn::Waiting(Self {
                        session,
                        stored,
                        digest,
                        fed,
                        stopped,
                        reread: false,
                    });
                }
            }
        }
    }
}

/// How far a session came.
#[allow(clippy::large_enum_variant, reason = "made once and taken apart at once")]
enum Turn<P: Protocol> {
    Waiting(Hot<P>),
    Round { stored: Slot, fed: Vec<(PartyId, PacketId)>, stopped: BTreeSet<PartyId>, step: Step<P> },
    Ended { stored: Slot, tombstone: Sealed, end: RunEnd<P::Output> },
}

impl<P: Protocol> Turn<P> {
    fn stopped(
        stored: Slot,
        stopped: quorate_session::Stopped<P::Output>,
        told_by: Option<PartyId>,
    ) -> Self {
        let tombstone = stopped.tombstone.clone();
        Self::Ended { stored, tombstone, end: RunEnd::Stopped { stopped, told_by } }
    }
}

/// A piece of work that is done, to be stored by [`Runner::finish`](crate::Runner::finish).
#[must_use]
pub struct FinishedWork<P: Protocol> {
    pub(crate) context: Context,
    pub(crate) sid: SessionId,
    pub(crate) job: Option<Job>,
    pub(crate) opened: bool,
    pub(crate) result: Worth<P>,
}

/// The result of a piece of work, to be stored.
#[allow(clippy::large_enum_variant, reason = "made once and taken apart at once")]
pub(crate) enum Worth<P: Protocol> {
    /// Nothing.
    Waiting(Hot<P>),
    /// The next session.
    Round {
        before: Slot,
        after: Sealed,
        taken: Vec<(PartyId, PacketId)>,
        letters: Vec<Letter>,
        hot: Hot<P>,
    },
    /// The end; of a run that was damaged in the store without a slot.
    Ended { before: Option<Slot>, tombstone: Sealed, letters: Vec<Letter>, end: RunEnd<P::Output> },
    /// The session does not open.
    Unopened(SealError),
}

impl<P: Protocol> Worth<P> {
    /// The end of a run whose session cannot be opened.
    fn lost(
        context: &Context,
        job: Option<&Job>,
        desk: &Desk<'_>,
        (before, why): (Option<Slot>, String),
    ) -> Self {
        let tombstone = Session::<P>::tombstone_of(*context, desk.me);
        let letters = job.map(|job| desk.stop(P::CODE, context, job)).unwrap_or_default();
        Self::Ended { before, tombstone, letters, end: RunEnd::Lost(why) }
    }
}

impl<P: Protocol> Work<P> {
    /// The session id.
    #[must_use]
    pub const fn sid(&self) -> SessionId {
        self.sid
    }

    /// Opens the session if it is not in memory, lets it take in what has come, and goes on by at most one round.
    pub fn run(self) -> FinishedWork<P> {
        #[cfg(feature = "tracing")]
        let _span = tracing::info_span!("run", protocol = P::NAME, sid = ?self.sid).entered();
        let opened = matches!(self.source, Source::Cold { .. });
        let Self { context, sid, job, me, key, bounds, now, source, arrivals } = self;
        let deadline = job.as_ref().map_or(now, |job| job.deadline);
        let over = now >= deadline;
        let until = deadline.max(now).saturating_add(bounds.linger);
        let desk = Desk { me, key: &key, until, now };
        let lost = |stored, why| Worth::lost(&context, job.as_ref(), &desk, (stored, why));
        let hot = match source {
            Source::Hot(hot) => Ok(hot),
            Source::Lost { stored, why } => Err(lost(Some(stored), why.to_string())),
            Source::Damaged => Err(lost(None, DAMAGED.to_string())),
            Source::Cold { sealed, params } => match Session::open(&sealed, params, &key) {
                Ok(step) if step.session.sid() != sid && over => {
                    Err(lost(None, DAMAGED.to_string()))
                }
                Ok(step) if step.session.sid() != sid => Err(Worth::Unopened(SealError::Malformed)),
                Ok(step) => Ok(Hot::new(step.session, &sealed)),
                Err(why) if over => Err(lost(Some(sealed.slot()), why.to_string())),
                Err(why) => Err(Worth::Unopened(why)),
            },
        };
        let mut hot = match hot {
            Ok(hot) => hot,
            Err(result) => return FinishedWork { context, sid, job, opened, result },
        };
        for row in arrivals {
            match row.place.kind {
                ArrivalKind::Stopped | ArrivalKind::Other => {
                    hot.feed(row.place, row.id, &row.sealed)
                }
                // One that was damaged in the store is as if it had never come.
                ArrivalKind::Broadcast | ArrivalKind::Direct => {
                    if let Ok(frame) = key.open_bytes(INBOX, &row.sealed) {
                        hot.feed(row.place, row.id, &frame);
                    }
                }
            }
        }
        let turn = hot.advance(over);
        let result = desk.worth::<P>(&context, job.as_ref(), turn);
        FinishedWork { context, sid, job, opened, result }
    }
}

/// The key, the party and the times with which letters are made.
pub(crate) struct Desk<'k> {
    pub(crate) me: PartyId,
    pub(crate) key: &'k SealKey,
    pub(crate) now: Time,
    pub(crate) until: Time,
}

impl Desk<'_> {
    fn worth<P: Protocol>(&self, context: &Context, job: Option<&Job>, turn: Turn<P>) -> Worth<P> {
        match turn {
            Turn::Waiting(hot) => Worth::Waiting(hot),
            Turn::Round { stored, fed, stopped, step } => {
                let after = step.session.seal(self.key);
                let letters = job.map(|job| self.letters(job, &step)).unwrap_or_default();
                let hot = Hot { stopped, ..Hot::new(step.session, &after) };
                Worth::Round { before: stored, after, taken: fed, letters, hot }
            }
            Turn::Ended { stored, tombstone, end } => {
                let letters = match &end {
                    RunEnd::Done(_) => Vec::new(),
                    RunEnd::Stopped { .. } | RunEnd::Lost(_) => {
                        job.map(|job| self.stop(P::CODE, context, job)).unwrap_or_default()
                    }
                };
                Worth::Ended { before: Some(stored), tombstone, letters, end }
            }
        }
    }

    /// The messages of a step.
    pub(crate) fn letters<P: Protocol>(&self, job: &Job, step: &Step<P>) -> Vec<Letter> {
        let mut letters = Vec::new();
        for message in &step.outgoing {
            let packet = quorate_session::zeroize::Zeroizing::new(packet::frame(&message.bytes));
            match message.to {
                To::Everyone => letters.push(self.to_all(job, &packet)),
                To::Only(to) => letters.push(self.letter(Vec::from([to]), &packet)),
            }
        }
        letters
    }

    /// That this party has stopped.
    fn stop(&self, code: u8, context: &Context, job: &Job) -> Vec<Letter> {
        Vec::from([self.to_all(job, &packet::stopped(code, context))])
    }

    fn to_all(&self, job: &Job, packet: &[u8]) -> Letter {
        let others = job.parties.iter().filter(|party| *party != self.me);
        self.letter(others.collect(), packet)
    }

    fn letter(&self, to: Vec<PartyId>, packet: &[u8]) -> Letter {
        let sealed = self.key.seal_bytes(OUTBOX, packet);
        Letter { to, id: packet::id(packet), sealed, due: self.now, until: self.until }
    }
}

impl<P: Protocol> fmt::Debug for Work<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("sid", &self.sid).finish_non_exhaustive()
    }
}

impl<P: Protocol> fmt::Debug for FinishedWork<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FinishedWork").field("sid", &self.sid).finish_non_exhaustive()
    }
}
