//! Sessions as pure functions, for callers that keep nothing in memory between two messages.

use std::sync::Arc;

use crate::arguments::Received;
#[cfg(feature = "mldsa")]
use crate::error::ErrorKind;
use crate::error::{QuorateError, Result};
use crate::outcome::Outcome;
use crate::running::Progress;
use crate::seal_key::SealKey;
use crate::session::{Blame, Outgoing, Rejection, SealedSession, Session};
use crate::task::Task;

/// What a step gives.
///
/// Store `state` **before** anything of `outgoing` is sent: after a start as a new row, and fail if the row is there; after a step in place of
/// the state that the step was given, compared and swapped. A step from an older state, or a second start, may contradict what was sent,
/// and so give secrets away.
#[derive(Clone)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Stepped {
    /// The run, as `Session.seal` gives it; when it has ended, its tombstone, which no step takes and which stays for ever.
    /// `Session.open` takes it as well: to send the messages of the round again, or to give up.
    pub state: SealedSession,
    /// `Waiting`, `Done` or `Unconfirmed`; nothing if the run was aborted.
    pub progress: Option<Progress>,
    /// The messages of all rounds that this step has begun.
    pub outgoing: Vec<Outgoing>,
    /// The peers of which the current round still needs a message.
    pub waiting_for: Vec<u16>,
    /// The frames that were not taken, by sender.
    pub rejections: Vec<Rejection>,
    /// The result, when there is one: store its secret parts, sealed, together with `state`.
    pub outcome: Option<Outcome>,
    /// The reason why there is no result, or one that is not confirmed.
    pub reason: Option<QuorateError>,
    /// The culprits of a run that was aborted, with the frames that show it.
    pub blames: Vec<Blame>,
}

/// Begins a run, as `Session.start` does, and gives its first state and messages.
///
/// # Errors
/// Those of `Session.start`; `Arguments` for an attempt of ML-DSA, which is not used up.
#[cfg_attr(feature = "uniffi", uniffi::export)]
pub fn start_steps(
    session_id: Vec<u8>,
    me: u16,
    parties: Vec<u16>,
    task: Task,
    key: Arc<SealKey>,
) -> Result<Stepped> {
    #[cfg(feature = "mldsa")]
    if matches!(task, Task::MlDsaSign { .. }) {
        let check = "an attempt of ML-DSA opens one session, and takes no steps: start a session";
        return Err(QuorateError::new(ErrorKind::Arguments, check));
    }
    let session = Session::start(session_id, me, parties, task)?;
    let outgoing = session.outgoing()?;
    settle(&session, key, outgoing, Vec::new())
}

/// Takes frames, and goes on as far as they allow. The same state and frames give the same messages again.
///
/// The state includes the frames that were taken, even if they are too few to end the round.
///
/// # Errors
/// `Seal` for another key or task, altered bytes, or a run that has ended. A frame that is not taken is no error: see
/// `Stepped.rejections`.
#[cfg_attr(feature = "uniffi", uniffi::export)]
pub fn step(
    state: Vec<u8>,
    key: Arc<SealKey>,
    task: Task,
    frames: Vec<Received>,
) -> Result<Stepped> {
    let session = Session::open(state, Arc::clone(&key), task)?;
    let mut refused = Vec::new();
    for Received { sender, bytes } in frames {
        if let Err(why) = session.receive(sender, bytes) {
            refused.push((sender, why));
        }
    }
    let mut outgoing = Vec::new();
    loop {
        match session.advance() {
            Ok(Progress::Working) => {}
            Ok(Progress::Round) => outgoing.extend(session.outgoing()?),
            // An abort is in the session as well.
            Ok(Progress::Waiting | Progress::Done | Progress::Unconfirmed) | Err(_) => break,
        }
    }
    settle(&session, key, outgoing, refused)
}

/// The state after a step, and what is to be told of it.
fn settle(
    session: &Session,
    key: Arc<SealKey>,
    outgoing: Vec<Outgoing>,
    refused: Vec<(u16, QuorateError)>,
) -> Result<Stepped> {
    let rejections = by_sender(refused);
    if let Ok(state) = session.seal(key) {
        return Ok(Stepped {
            state,
            progress: Some(Progress::Waiting),
            outgoing,
            waiting_for: session.waiting_for()?,
            rejections,
            outcome: None,
            reason: None,
            blames: Vec::new(),
        });
    }
    let (reason, outcome) = (session.reason()?, session.outcome().ok());
    let progress = match (&outcome, &reason) {
        (Some(_), None) => Some(Progress::Done),
        (Some(_), Some(_)) => Some(Progress::Unconfirmed),
        (None, _) => None,
    };
    Ok(Stepped {
        state: session.tombstone()?,
        progress,
        outgoing,
        waiting_for: Vec::new(),
        rejections,
        outcome,
        reason,
        blames: session.blames()?,
    })
}

/// What this step has refused, also of senders that are no parties of the run.
fn by_sender(refused: Vec<(u16, QuorateError)>) -> Vec<Rejection> {
    let mut all: Vec<Rejection> = Vec::new();
    for (party, QuorateError::Failed { check: last, .. }) in refused {
        match all.iter_mut().find(|one| one.party == party) {
            Some(one) => (one.count, one.last) = (one.count.saturating_add(1), last),
            None => all.push(Rejection { party, count: 1, last }),
        }
    }
    all.sort_by_key(|one| one.party);
    all
}
