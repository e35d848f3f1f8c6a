//! Sessions: every protocol behind one object.

use core::mem::MaybeUninit;
use std::sync::Arc;

use quorate_ffi::Session;

use crate::enums::{QuorateFrameFate, QuorateProgress};
use crate::error::QuorateError;
use crate::handle::{Given as _, shared};
use crate::lists::{QuorateBlames, QuorateOutgoing, QuorateRejections};
use crate::memory::{bytes, call, check, free, give, numbers};
use crate::outcome::QuorateOutcome;
use crate::seal_key::QuorateSealKey;
use crate::task::QuorateTask;
use crate::values::{QuorateParties, QuorateSealedSession};

/// A run of any protocol at one party.
///
/// The order is start or open; then seal, store, and send the outgoing messages; then receive each frame and advance. If
/// advance gives `QUORATE_PROGRESS_ROUND`, the order begins again at seal; if it gives `QUORATE_PROGRESS_DONE`, the run is over.
pub struct QuorateSession(Arc<Session>);

shared! { QuorateSession: Session; }

/// Begins a run of party `me`. All parties need the same session id of 32 bytes, which is **never used twice**, and the same
/// set of parties. The task stays with the caller.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_start(
    session_id: *const u8,
    session_id_len: usize,
    me: u16,
    parties: *const u16,
    parties_len: usize,
    task: Option<&QuorateTask>,
    out: Option<&mut MaybeUninit<*mut QuorateSession>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let session_id = bytes("the session id", session_id, session_id_len)?;
        Ok(give(Session::start(session_id, me, numbers(parties, parties_len)?, task.get()?)?))
    })
}

/// Opens a sealed run, with the task with which it was started. Its outgoing messages are those that were sent before, byte
/// for byte. Frames that came after the seal have to come again.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_open(
    sealed: *const u8,
    sealed_len: usize,
    key: Option<&QuorateSealKey>,
    task: Option<&QuorateTask>,
    out: Option<&mut MaybeUninit<*mut QuorateSession>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let sealed = bytes("the sealed session", sealed, sealed_len)?;
        Ok(give(Session::open(sealed, key.get()?, task.get()?)?))
    })
}

/// Wipes and frees the run. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_free(session: Option<Box<QuorateSession>>) {
    free(session);
}

/// Gives the number of this party.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_party_id(
    session: Option<&QuorateSession>,
    out: Option<&mut MaybeUninit<u16>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(session.get()?.party_id()))
}

/// Gives the messages of the current round. Send them again until their recipients have acknowledged them.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_outgoing(
    session: Option<&QuorateSession>,
    out: Option<&mut MaybeUninit<*mut QuorateOutgoing>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(session.get()?.outgoing()?)))
}

/// Takes a frame. `sender` is its sender, as the **authenticated** transport names it. If the call fails with
/// `QUORATE_ERROR_KIND_REJECTED`, nothing has changed, and a proper frame of the same sender will still be taken. `out` may
/// not be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_receive(
    session: Option<&QuorateSession>,
    sender: u16,
    frame: *const u8,
    frame_len: usize,
    out: Option<&mut MaybeUninit<QuorateFrameFate>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        Ok(session.get()?.receive(sender, bytes("the frame", frame, frame_len)?)?.into())
    })
}

/// Verifies the round if it is complete, and moves on. If it fails, the run is over without a result:
/// `QUORATE_ERROR_KIND_MISBEHAVIOUR` names every culprit, `QUORATE_ERROR_KIND_UNATTRIBUTED` names nobody.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_advance(
    session: Option<&QuorateSession>,
    out: Option<&mut MaybeUninit<QuorateProgress>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(session.get()?.advance()?.into()))
}

/// Ends a run that waits too long. The outcome is then a result that only lacks confirmations, or it fails with the reason.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_give_up(
    session: Option<&QuorateSession>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    check(error, || session.get()?.give_up())
}

/// Gives the round whose messages are being waited for, from 1.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_round(
    session: Option<&QuorateSession>,
    out: Option<&mut MaybeUninit<u8>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || session.get()?.round())
}

/// Gives the peers of which the current round still needs a message.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_waiting_for(
    session: Option<&QuorateSession>,
    out: Option<&mut MaybeUninit<QuorateParties>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(session.get()?.waiting_for()?.into()))
}

/// Gives the rejected frames by sender. A peer that is waited for and stands here is not silent: it, or this party, has
/// another task.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_rejections(
    session: Option<&QuorateSession>,
    out: Option<&mut MaybeUninit<*mut QuorateRejections>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(session.get()?.rejections()?)))
}

/// Gives the run, encrypted and authenticated, to be stored **before** the outgoing messages are sent.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_seal(
    session: Option<&QuorateSession>,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<QuorateSealedSession>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || QuorateSealedSession::of(session.get()?.seal(key.get()?)?))
}

/// Gives the result, once. After `QUORATE_PROGRESS_UNCONFIRMED` or `quorate_session_give_up` it may lack confirmation.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_outcome(
    session: Option<&QuorateSession>,
    out: Option<&mut MaybeUninit<*mut QuorateOutcome>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(session.get()?.outcome()?)))
}

/// Gives the reason why a run that has ended has no result, or one that is not confirmed. If the run is done, the kind in
/// `out` is `QUORATE_ERROR_KIND_NONE`. Free `out` as any error.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_reason(
    session: Option<&QuorateSession>,
    out: Option<&mut MaybeUninit<QuorateError>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(session.get()?.reason()?.map_or(QuorateError::NONE, QuorateError::from)))
}

/// Gives the record that the store keeps for ever in place of the sealed run. Store the outcome first.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_tombstone(
    session: Option<&QuorateSession>,
    out: Option<&mut MaybeUninit<QuorateSealedSession>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || QuorateSealedSession::of(session.get()?.tombstone()?))
}

/// Gives the culprits of a run that was aborted, with the frames that show it; an empty list otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_session_blames(
    session: Option<&QuorateSession>,
    out: Option<&mut MaybeUninit<*mut QuorateBlames>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(session.get()?.blames()?)))
}
