//! Pieces of work, which may be done on any thread.

mod cached;
mod desk;

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_session::{PartyId, SealError, SealKey, Sealed, SessionId, Slot};

use self::cached::OtherKey;
pub(crate) use self::cached::{Cached, CachedSession, INBOX, Opener, Worth};
pub(crate) use self::desk::{Desk, OUTBOX};
use crate::end::{End, Registration};
use crate::store::{InboxRow, RunContext};
use crate::{Bounds, Job, Time, Unopened};

/// The reason that is given for a lost run whose row is damaged.
const DAMAGED: &str = "what the store has of the run is not what was stored";

/// A piece of work on one run, of at most one round. [`run`](Self::run) does it, on any thread; what comes of it goes back to
/// [`Runner::finish`](crate::Runner::finish).
#[must_use]
pub struct Work {
    pub(crate) context: RunContext,
    pub(crate) protocol: Registration,
    pub(crate) sid: SessionId,
    /// `None` if it was damaged in the store.
    pub(crate) job: Option<Job>,
    /// The job and the session as the store has them.
    pub(crate) stored: Unopened,
    pub(crate) me: PartyId,
    pub(crate) key: Arc<SealKey>,
    pub(crate) bounds: Bounds,
    pub(crate) now: Time,
    pub(crate) source: Source,
    /// The rows of the inbox that the session has not taken in.
    pub(crate) arrivals: Vec<InboxRow>,
}

/// Where the session comes from.
pub(crate) enum Source {
    Cached(Box<dyn Cached>),
    Stored {
        sealed: Sealed,
        opener: Opener,
    },
    /// A session that cannot be opened, at its deadline.
    Lost {
        stored: Slot,
        why: &'static str,
    },
    /// A run whose row was altered in the store, at its deadline.
    Damaged,
    /// A run that was open in a store that may not be the latest.
    Discontinued,
}

impl Source {
    /// Returns whether the session has to take in what the store has for it.
    pub(crate) fn reads(&self) -> bool {
        match self {
            Self::Cached(cached) => cached.reread(),
            Self::Stored { .. } => true,
            Self::Lost { .. } | Self::Damaged | Self::Discontinued => false,
        }
    }
}

/// A piece of work that is done, to be stored by [`Runner::finish`](crate::Runner::finish).
#[must_use]
pub struct FinishedWork {
    pub(crate) context: RunContext,
    pub(crate) sid: SessionId,
    pub(crate) job: Option<Job>,
    pub(crate) now: Time,
    pub(crate) opened: bool,
    /// Rows of the inbox that were found to be damaged.
    pub(crate) damaged: u64,
    pub(crate) protocol: Registration,
    pub(crate) result: Worth,
}

/// The ends of runs whose sessions are not opened.
pub(crate) struct Closing<'w> {
    pub(crate) code: u8,
    pub(crate) context: &'w RunContext,
    pub(crate) job: Option<&'w Job>,
    pub(crate) desk: Desk<'w>,
    pub(crate) stored: Unopened,
}

impl Closing<'_> {
    /// The end of a run, from a slot or from any.
    pub(crate) fn end(self, before: Option<Slot>, end: End) -> Worth {
        let Self { code, context, job, desk, stored } = self;
        let tombstone = Sealed::tombstone(code, *context, desk.me);
        let messages = job.map(|job| desk.stop(code, context, job)).unwrap_or_default();
        Worth::Ended { before, tombstone, messages, end, unopened: Some(stored) }
    }

    fn lost(self, before: Option<Slot>, why: impl Into<String>) -> Worth {
        self.end(before, End::Lost(why.into()))
    }
}

impl Work {
    /// The session id.
    #[must_use]
    pub const fn sid(&self) -> SessionId {
        self.sid
    }

    /// Opens the session if it is not in memory, lets it take in what has come, and goes on by at most one round.
    pub fn run(self) -> FinishedWork {
        #[cfg(feature = "tracing")]
        let _span =
            tracing::info_span!("run", protocol = self.protocol.name, sid = ?self.sid).entered();
        let opened = matches!(self.source, Source::Stored { .. });
        let Self { context, protocol, sid, job, stored, me, key, bounds, now, source, arrivals } =
            self;
        let deadline = job.as_ref().map_or(now, |job| job.deadline);
        let over = now >= deadline;
        let until = deadline.max(now).saturating_add(bounds.linger);
        let desk = || Desk { me, key: &key, until, now };
        let code = protocol.code;
        let closing = Closing { code, context: &context, job: job.as_ref(), desk: desk(), stored };
        let mut damaged = 0_u64;
        let result = open(source, closing, (sid, over), &key).and_then(|mut cached| {
            for row in &arrivals {
                let new = cached.read(row, &key).map_err(|OtherKey| Box::new(Worth::OtherKey))?;
                damaged = damaged.saturating_add(new.into());
            }
            Ok(cached.go_on(over, &desk(), (&context, job.as_ref())))
        });
        let result = result.unwrap_or_else(|result| *result);
        FinishedWork { context, sid, job, now, opened, damaged, protocol, result }
    }
}

/// The session of a run, or what comes of one that is not opened.
fn open(
    source: Source,
    closing: Closing<'_>,
    (sid, over): (SessionId, bool),
    key: &SealKey,
) -> Result<Box<dyn Cached>, Box<Worth>> {
    let (sealed, opener) = match source {
        Source::Cached(cached) => return Ok(cached),
        Source::Stored { sealed, opener } => (sealed, opener),
        Source::Lost { stored, why } => return Err(Box::new(closing.lost(Some(stored), why))),
        Source::Damaged => return Err(Box::new(closing.lost(None, DAMAGED))),
        Source::Discontinued => return Err(Box::new(closing.end(None, End::Discontinued))),
    };
    let worth = match opener(&sealed, key) {
        Ok(cached) if cached.sid() == sid => return Ok(cached),
        Ok(_) if over => closing.lost(None, DAMAGED),
        Ok(_) => Worth::Unopened(SealError::Malformed),
        Err(SealError::Unauthentic) => Worth::OtherKey,
        Err(why) if over => closing.lost(Some(sealed.slot()), why.to_string()),
        Err(why) => Worth::Unopened(why),
    };
    Err(Box::new(worth))
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work")
            .field("protocol", &self.protocol.name)
            .field("sid", &self.sid)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for FinishedWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FinishedWork").field("sid", &self.sid).finish_non_exhaustive()
    }
}
