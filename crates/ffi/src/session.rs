//! The session: every protocol behind one object.

use core::mem;
use std::sync::{Arc, Mutex};

use quorate::session::zeroize::Zeroizing;
use quorate::session::{self, Abort, PartyId, Sealed, To};

use crate::arguments::{Received, lock, numbers, parties, party, session_id};
use crate::error::{ErrorKind, QuorateError, Result};
use crate::outcome::Outcome;
use crate::running::{Advanced, Ended, Progress, Running};
use crate::seal_key::SealKey;
use crate::task::Task;

/// A message to be delivered.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Outgoing {
    /// The recipient; nothing for all other parties. A message for one party is **confidential**: encrypt it to that party.
    pub recipient: Option<u16>,
    /// The frame, for the recipient's `Session.receive`.
    pub bytes: Vec<u8>,
}

/// The fate of a frame that was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
pub enum FrameFate {
    /// For the current round.
    Accepted,
    /// For the next round.
    Early,
    /// Received before, byte for byte.
    Duplicate,
    /// The frame contradicts an earlier one of its sender: the next `advance` names the sender.
    Conflicting,
}

/// A sealed session, and where it belongs in a store.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct SealedSession {
    /// The bytes to store.
    pub bytes: Vec<u8>,
    /// The name of the run, 32 bytes. With the party it is the key of the row.
    pub run: Vec<u8>,
    /// The number of events so far. A greater one replaces a smaller one, compared and swapped, and **never the reverse**;
    /// that of a tombstone is the greatest.
    pub length: u32,
}

impl From<&Sealed> for SealedSession {
    fn from(sealed: &Sealed) -> Self {
        let (bytes, slot) = (sealed.as_bytes().to_vec(), sealed.slot());
        Self { bytes, run: slot.session().to_vec(), length: slot.length() }
    }
}

/// Frames of one peer that were not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Rejection {
    /// The peer.
    pub party: u16,
    /// The number of frames.
    pub count: u64,
    /// The reason why the last of them was not taken.
    pub last: String,
}

/// One culprit of a run that was aborted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Blame {
    /// The culprit.
    pub party: u16,
    /// The round of the message that is at fault.
    pub round: u8,
    /// The fault in it.
    pub fault: String,
    /// The frames that show it, with their senders. An outsider is convinced by them only if the transport signs frames.
    /// Those for one party were confidential.
    pub frames: Vec<Received>,
}

impl Ended {
    fn take_outcome(&mut self) -> Result<Outcome> {
        match (self.outcome.take(), &self.abort) {
            (Some(outcome), _) => Ok(outcome),
            (None, Some(abort)) => Err(abort.clone().into()),
            (None, None) => Err(QuorateError::consumed("the outcome")),
        }
    }
}

enum State {
    Running(Box<dyn Running>),
    Ended(Ended),
    /// The state while the run advances; it stays if that panicked.
    Away,
}

/// A run of any protocol at one party.
///
/// The order is `start` or `open`; then `seal`, store, and send the `outgoing` messages; then `receive` each frame and
/// `advance`. If `advance` gives `Round`, the order begins again at `seal`; if it gives `Done`, the run is over. A call waits
/// for the one before it.
#[cfg_attr(feature = "uniffi", derive(uniffi::Object))]
#[cfg_attr(feature = "uniffi", uniffi::export(Debug))]
pub struct Session {
    party: u16,
    state: Mutex<State>,
}

fn lost() -> QuorateError {
    QuorateError::new(ErrorKind::Defect, "an earlier call on this session did not end")
}

fn over() -> QuorateError {
    QuorateError::new(ErrorKind::Consumed, "the run has ended: its outcome is what is left to take")
}

fn not_yet() -> QuorateError {
    QuorateError::new(ErrorKind::NotYet, "the run has not ended yet")
}

impl Session {
    fn of(me: PartyId, running: Box<dyn Running>) -> Arc<Self> {
        Arc::new(Self { party: me.get(), state: Mutex::new(State::Running(running)) })
    }

    fn with_running<T>(&self, look: impl FnOnce(&mut dyn Running) -> T) -> Result<T> {
        match &mut *lock(&self.state) {
            State::Running(running) => Ok(look(running.as_mut())),
            State::Ended(_) => Err(over()),
            State::Away => Err(lost()),
        }
    }

    fn with_ended<T>(&self, look: impl FnOnce(&mut Ended) -> T) -> Result<T> {
        match &mut *lock(&self.state) {
            State::Running(_) => Err(not_yet()),
            State::Ended(ended) => Ok(look(ended)),
            State::Away => Err(lost()),
        }
    }

    /// Moves the run on. If it panics, the run is gone; it is never half done.
    fn step<T>(&self, step: impl FnOnce(Box<dyn Running>) -> (State, Result<T>)) -> Result<T> {
        let mut state = lock(&self.state);
        match mem::replace(&mut *state, State::Away) {
            State::Running(running) => {
                let (next, result) = step(running);
                *state = next;
                result
            }
            State::Ended(ended) => {
                *state = State::Ended(ended);
                Err(over())
            }
            State::Away => Err(lost()),
        }
    }
}

fn advance(running: Box<dyn Running>) -> (State, Result<Progress>) {
    match running.advance() {
        Advanced::Running(progress, running) => (State::Running(running), Ok(progress)),
        Advanced::Ended(ended) => {
            let result = match (&ended.outcome, &ended.abort) {
                (_, None) => Ok(Progress::Done),
                (Some(_), Some(_)) => Ok(Progress::Unconfirmed),
                (None, Some(abort)) => Err(abort.clone().into()),
            };
            (State::Ended(ended), result)
        }
    }
}

#[cfg_attr(feature = "uniffi", uniffi::export)]
impl Session {
    /// Begins a run. All parties need the same session id of 32 bytes, which is **never used twice**, and the same set of
    /// parties.
    ///
    /// # Errors
    /// `Arguments`, `Mismatch`, `Unconfirmed`; nothing was sent.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn start(session_id: Vec<u8>, me: u16, parties: Vec<u16>, task: Task) -> Result<Arc<Self>> {
        let (sid, me, parties) =
            (self::session_id(&session_id)?, party(me)?, self::parties(&parties)?);
        Ok(Self::of(me, task.prepare(me)?.start(sid, me, &parties)?))
    }

    /// Opens a sealed run, with the task with which it was started. Its `outgoing` messages are those that were sent before,
    /// byte for byte. Frames that came after the seal have to come again.
    ///
    /// # Errors
    /// `Seal` for another key or task, altered bytes, or the tombstone of a run that has ended.
    #[cfg_attr(feature = "uniffi", uniffi::constructor)]
    pub fn open(sealed: Vec<u8>, key: Arc<SealKey>, task: Task) -> Result<Arc<Self>> {
        let sealed = Sealed::from_bytes(&sealed)?;
        let me = sealed.slot().party_id();
        Ok(Self::of(me, task.prepare(me)?.open(&sealed, key.inner())?))
    }

    /// This party.
    pub fn party_id(&self) -> u16 {
        self.party
    }

    /// The messages of the current round. Send them again until their recipients have acknowledged them.
    ///
    /// # Errors
    /// `Consumed` when the run has ended.
    pub fn outgoing(&self) -> Result<Vec<Outgoing>> {
        self.with_running(|running| {
            let message = |one: &session::Outgoing| Outgoing {
                recipient: match one.to {
                    To::Everyone => None,
                    To::Only(party) => Some(party.get()),
                },
                bytes: one.bytes.clone(),
            };
            running.outgoing().iter().map(message).collect()
        })
    }

    /// Takes a frame. `sender` is its sender, as the **authenticated** transport names it.
    ///
    /// # Errors
    /// `Rejected`: nothing has changed, and a proper frame of the same sender will still be taken. `Consumed` when the run
    /// has ended.
    pub fn receive(&self, sender: u16, frame: Vec<u8>) -> Result<FrameFate> {
        let (sender, frame) = (party(sender)?, Zeroizing::new(frame));
        let fate = self.with_running(|running| running.receive(sender, &frame))??;
        match fate {
            session::FrameFate::Accepted => Ok(FrameFate::Accepted),
            session::FrameFate::Early => Ok(FrameFate::Early),
            session::FrameFate::Duplicate => Ok(FrameFate::Duplicate),
            session::FrameFate::Conflicting => Ok(FrameFate::Conflicting),
            _ => {
                Err(QuorateError::new(ErrorKind::Defect, "a fate of a frame that has no name here"))
            }
        }
    }

    /// Verifies the round if it is complete, and moves on.
    ///
    /// # Errors
    /// The run is over without a result: `Misbehaviour` names every culprit, `Unattributed` names nobody. A result that only
    /// lacks confirmation is no error: `Progress.Unconfirmed`. `Consumed` when the run had ended before.
    pub fn advance(&self) -> Result<Progress> {
        self.step(advance)
    }

    /// Ends a run that waits too long. `outcome` then gives a result that only lacks confirmations, or fails with the
    /// reason: `Misbehaviour` if the frames that have come show a culprit, else `Missing`.
    ///
    /// # Errors
    /// `Consumed` when the run has ended.
    pub fn give_up(&self) -> Result<()> {
        self.step(|running| (State::Ended(running.give_up()), Ok(())))
    }

    /// The round whose messages are being waited for, from 1.
    ///
    /// # Errors
    /// `Consumed` when the run has ended.
    pub fn round(&self) -> Result<u8> {
        self.with_running(|running| running.round())
    }

    /// The peers of which the current round still needs a message.
    ///
    /// # Errors
    /// `Consumed` when the run has ended.
    pub fn waiting_for(&self) -> Result<Vec<u16>> {
        self.with_running(|running| numbers(running.waiting_for()))
    }

    /// The rejected frames by sender. A peer that is waited for and stands here is not silent: it, or this party, has
    /// another task.
    ///
    /// # Errors
    /// `Consumed` when the run has ended.
    pub fn rejections(&self) -> Result<Vec<Rejection>> {
        self.with_running(|running| {
            let rejection = |one: session::Rejection| Rejection {
                party: one.from.get(),
                count: one.count,
                last: one.last.to_string(),
            };
            running.rejections().into_iter().map(rejection).collect()
        })
    }

    /// The run, encrypted and authenticated, to be stored **before** the `outgoing` messages are sent.
    ///
    /// # Errors
    /// `Consumed` when the run has ended: store the `tombstone`.
    pub fn seal(&self, key: Arc<SealKey>) -> Result<SealedSession> {
        self.with_running(|running| (&running.seal(key.inner())).into())
    }

    /// The result, which is given once. After `Progress.Unconfirmed` or `give_up` it may lack confirmation.
    ///
    /// # Errors
    /// `NotYet` while the run is open; `Consumed` if it was taken; the reason of an abort.
    pub fn outcome(&self) -> Result<Outcome> {
        self.with_ended(Ended::take_outcome)?
    }

    /// The reason why a run that has ended has no result, or one that is not confirmed; nothing if it is done.
    ///
    /// # Errors
    /// `NotYet` while the run is open.
    pub fn reason(&self) -> Result<Option<QuorateError>> {
        self.with_ended(|ended| ended.abort.clone().map(QuorateError::from))
    }

    /// The record that the store keeps for ever in place of the sealed run. Store the outcome first.
    ///
    /// # Errors
    /// `NotYet` while the run is open.
    pub fn tombstone(&self) -> Result<SealedSession> {
        self.with_ended(|ended| (&ended.tombstone).into())
    }

    /// The culprits of a run that was aborted, with the frames that show it; none otherwise.
    ///
    /// # Errors
    /// `NotYet` while the run is open.
    pub fn blames(&self) -> Result<Vec<Blame>> {
        self.with_ended(|ended| match &ended.abort {
            Some(Abort::Misbehaviour(blames)) => blames.iter().map(blame).collect(),
            _ => Vec::new(),
        })
    }
}

pub(crate) fn blame(blame: &session::Blame) -> Blame {
    let frames = blame.evidence.iter().flat_map(|evidence| &evidence.frames);
    let frame = |(from, bytes): &(PartyId, session::FrameBytes)| Received {
        sender: from.get(),
        bytes: bytes.to_vec(),
    };
    Blame {
        party: blame.party.get(),
        round: blame.round.get(),
        fault: blame.fault.to_string(),
        frames: frames.map(frame).collect(),
    }
}
