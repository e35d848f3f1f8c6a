//! Sealing a session and opening it again.

use alloc::vec::Vec;

use super::{Progress, Session, Step};
use crate::{
    Protocol, Run, SealError, SealKey, Sealed,
    round_messages::RoundMessages,
    run::Replay,
    snapshot::{Snapshot, SnapshotEvent},
};

impl<P: Protocol> Session<P> {
    /// The session in a form that can be stored: its seed and the log of frames, received and sent, encrypted and
    /// authenticated under `key`. The parameters are not in it.
    ///
    /// Sealing the same state twice gives the same bytes.
    #[must_use]
    pub fn seal(&self, key: &SealKey) -> Sealed {
        Snapshot::write(&self.run, &self.log).seal::<P>(key, self.slot())
    }

    /// Opens a sealed session with the parameters it was started with, and yields the messages of its
    /// current round, byte for byte as they were sent before.
    ///
    /// The replay takes the session's own messages from the log, so that a protocol with long proofs neither makes nor
    /// verifies them again ([`Run::recalled`](crate::Run::recalled)): the key of the seal vouches for both. After an update
    /// of the library take [`audit`](Self::audit), which notices a release that draws other values from the same seed.
    ///
    /// # Errors
    /// [`SealError`] if the seal does not open, or the replay does not give the same messages;
    /// [`SealError::Ended`] for the [tombstone](Self::tombstone) of a run.
    pub fn open(sealed: &Sealed, params: P::Params, key: &SealKey) -> Result<Step<P>, SealError> {
        Self::reopen(sealed, params, key, Replay::Recall)
    }

    /// Opens a sealed session as [`open`](Self::open) does, but does everything again: it makes and verifies each proof
    /// anew, and compares all messages with those sent. As slow as the run was.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn audit(sealed: &Sealed, params: P::Params, key: &SealKey) -> Result<Step<P>, SealError> {
        Self::reopen(sealed, params, key, Replay::Audit)
    }

    fn reopen(
        sealed: &Sealed,
        params: P::Params,
        key: &SealKey,
        replay: fn(Vec<RoundMessages>) -> Replay,
    ) -> Result<Step<P>, SealError> {
        if sealed.is_tombstone() {
            return Err(SealError::Ended);
        }
        let saved = Snapshot::open::<P>(sealed, key)?;
        let saved = saved.read()?;
        let bound = Self::bound(saved.sid, &saved.parties, |binding| P::bind(&params, binding));
        if bound.context() != sealed.slot().session() {
            return Err(SealError::OtherParams);
        }
        let mut run =
            Run::new(saved.sid, sealed.slot().party_id(), saved.parties, bound, saved.seed);
        run.replay(replay(saved.sent));
        let mut step = Self::begin(run, params)?;
        for event in saved.events {
            step = step.replay(event).ok_or(SealError::Diverged)?;
        }
        let session = &mut step.session;
        let replayed = session.run.replay(Replay::Live);
        if !replayed.gave(session.log.sent()) || session.slot() != sealed.slot() {
            return Err(SealError::Diverged);
        }
        Ok(step)
    }
}

impl<P: Protocol> Step<P> {
    /// Does again what happened before; `None` if it comes out differently.
    fn replay(mut self, event: SnapshotEvent<'_>) -> Option<Self> {
        match event {
            SnapshotEvent::Frame { from, bytes } => {
                self.session.receive(from, bytes).ok()?;
                Some(self)
            }
            SnapshotEvent::Advance => loop {
                match self.session.advance().ok()? {
                    Progress::Round(step) => return Some(step),
                    Progress::Working(session) => self.session = session,
                    Progress::Waiting(_) | Progress::Done { .. } | Progress::Unconfirmed(_) => {
                        return None;
                    }
                }
            },
        }
    }
}
