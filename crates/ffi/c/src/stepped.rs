//! Sessions as pure functions, for callers that keep nothing in memory between two messages.

use core::mem::MaybeUninit;
use std::sync::Arc;

use quorate_ffi::{Stepped, start_steps, step};
use zeroize::Zeroize as _;

use crate::enums::QuorateProgress;
use crate::error::QuorateError;
use crate::handle::{Given as _, Handle};
use crate::lists::{QuorateBlames, QuorateOutgoing, QuorateRejections, wipe};
use crate::memory::{bytes, call, free, give, give_some, numbers, received};
use crate::outcome::QuorateOutcome;
use crate::seal_key::QuorateSealKey;
use crate::task::QuorateTask;
use crate::values::{QuorateParties, QuorateReceived, QuorateSealedSession};

/// The result of a step.
///
/// Store its state **before** any outgoing message is sent: after a start as a new row, and fail if the row is there; after a
/// step in place of the state that the step was given, compared and swapped. A step from an older state, or a second start, may
/// contradict what was sent, and so give secrets away.
pub struct QuorateStepped(Arc<Parts>);

/// The parts of a result, with an outcome that handles share.
pub(crate) struct Parts {
    stepped: Stepped,
    outcome: Option<Arc<quorate_ffi::Outcome>>,
}

/// Wipes the messages and the frames of the culprits, some of which are confidential.
impl Drop for Parts {
    fn drop(&mut self) {
        self.stepped.outgoing.iter_mut().for_each(|one| one.bytes.zeroize());
        wipe(&mut self.stepped.blames);
    }
}

impl From<Stepped> for QuorateStepped {
    fn from(mut stepped: Stepped) -> Self {
        let outcome = stepped.outcome.take().map(Arc::new);
        Self(Arc::new(Parts { stepped, outcome }))
    }
}

impl Handle for QuorateStepped {
    type Object = Arc<Parts>;

    fn object(&self) -> &Self::Object {
        &self.0
    }
}

/// Begins a run, as `quorate_session_start` does, and gives its first state and messages.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_start_steps(
    session_id: *const u8,
    session_id_len: usize,
    me: u16,
    parties: *const u16,
    parties_len: usize,
    task: Option<&QuorateTask>,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<*mut QuorateStepped>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let session_id = bytes("the session id", session_id, session_id_len)?;
        let parties = numbers(parties, parties_len)?;
        Ok(give(start_steps(session_id, me, parties, task.get()?, key.get()?)?))
    })
}

/// Takes frames, and continues as far as they allow. The same state and frames give the same messages again. A frame that is
/// not taken is no error: it is among the rejections. An attempt of ML-DSA opens one session, so its runs take no steps.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_step(
    state: *const u8,
    state_len: usize,
    key: Option<&QuorateSealKey>,
    task: Option<&QuorateTask>,
    frames: *const QuorateReceived,
    frames_len: usize,
    out: Option<&mut MaybeUninit<*mut QuorateStepped>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let state = bytes("the state", state, state_len)?;
        Ok(give(step(state, key.get()?, task.get()?, received(frames, frames_len)?)?))
    })
}

/// Wipes and frees the result. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_stepped_free(stepped: Option<Box<QuorateStepped>>) {
    free(stepped);
}

/// Gives the state, as `quorate_session_seal` gives a run; when the run has ended, its tombstone, which no step takes and which
/// stays for ever. `quorate_session_open` takes the bytes as well: to send the messages of the round again, or to give up.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_stepped_state(
    stepped: Option<&QuorateStepped>,
    out: Option<&mut MaybeUninit<QuorateSealedSession>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || QuorateSealedSession::of(stepped.get()?.stepped.state.clone()))
}

/// Gives the progress: `QUORATE_PROGRESS_WAITING`, `QUORATE_PROGRESS_DONE`, `QUORATE_PROGRESS_UNCONFIRMED` or
/// `QUORATE_PROGRESS_ABORTED`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_stepped_progress(
    stepped: Option<&QuorateStepped>,
    out: Option<&mut MaybeUninit<QuorateProgress>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        Ok(stepped.get()?.stepped.progress.map_or(QuorateProgress::Aborted, Into::into))
    })
}

/// Gives the messages of all rounds that this step has begun.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_stepped_outgoing(
    stepped: Option<&QuorateStepped>,
    out: Option<&mut MaybeUninit<*mut QuorateOutgoing>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(stepped.get()?.stepped.outgoing.clone())))
}

/// Gives the peers of which the current round still needs a message.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_stepped_waiting_for(
    stepped: Option<&QuorateStepped>,
    out: Option<&mut MaybeUninit<QuorateParties>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(stepped.get()?.stepped.waiting_for.clone().into()))
}

/// Gives the frames that were not taken, by sender.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_stepped_rejections(
    stepped: Option<&QuorateStepped>,
    out: Option<&mut MaybeUninit<*mut QuorateRejections>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(stepped.get()?.stepped.rejections.clone())))
}

/// Gives the result, or NULL when there is none: store its secret parts, sealed, together with the state.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_stepped_outcome(
    stepped: Option<&QuorateStepped>,
    out: Option<&mut MaybeUninit<*mut QuorateOutcome>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give_some(stepped.get()?.outcome.as_ref().map(QuorateOutcome::again))))
}

/// Gives the reason why there is no result, or one that is not confirmed. If there is none, the kind in `out` is
/// `QUORATE_ERROR_KIND_NONE`. Free `out` as any error.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_stepped_reason(
    stepped: Option<&QuorateStepped>,
    out: Option<&mut MaybeUninit<QuorateError>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        Ok(stepped.get()?.stepped.reason.clone().map_or(QuorateError::NONE, QuorateError::from))
    })
}

/// Gives the culprits of a run that was aborted, with the frames that show it; an empty list otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_stepped_blames(
    stepped: Option<&QuorateStepped>,
    out: Option<&mut MaybeUninit<*mut QuorateBlames>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(stepped.get()?.stepped.blames.clone())))
}
