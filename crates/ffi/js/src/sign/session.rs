//! Sessions as objects.

use js_sys::{Array, Uint8Array};
use quorate_ffi as ffi;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use zeroize::Zeroize as _;

use super::handles;
use super::keys::SealKey;
use super::outcome::outcome;
use super::task::Task;
use crate::arguments::{bytes_of, numbers, parties, u16_of};
use crate::error::{Result, failed};
use crate::object::{object, plain};

handles! {
    /// A run of any protocol at one party.
    ///
    /// The order is `start` or `open`; then `seal`, store, and send the `outgoing` messages; then `receive` each frame and `advance`. If
    /// `advance` gives `Round`, the order begins again at `seal`; if it gives `Done`, the run is over. In a worker that keeps nothing in
    /// memory, `startSteps` and `step` do the same.
    Session;
}

#[wasm_bindgen]
impl Session {
    /// Begins a run. All parties need the same session id of 32 bytes, which is **never used twice**, and the same set of parties.
    pub fn start(
        #[wasm_bindgen(js_name = sessionId)] session_id: &Uint8Array,
        #[wasm_bindgen(unchecked_param_type = "number")] me: &JsValue,
        #[wasm_bindgen(js_name = parties, unchecked_param_type = "Iterable<number>")] all: &JsValue,
        task: &Task,
    ) -> Result<Self> {
        let session_id = bytes_of("session id", session_id)?;
        let (me, all) = (u16_of("the party", me)?, parties("the parties", all)?);
        ffi::Session::start(session_id, me, all, task.0.clone()).map(Self).map_err(failed)
    }

    /// Opens a sealed run, with the task with which it was started. Frames that came after the seal have to come again.
    pub fn open(sealed: &Uint8Array, key: &SealKey, task: &Task) -> Result<Self> {
        let sealed = bytes_of("sealed", sealed)?;
        ffi::Session::open(sealed, key.shared(), task.0.clone()).map(Self).map_err(failed)
    }

    /// This party.
    #[wasm_bindgen(getter, js_name = partyId)]
    pub fn party_id(&self) -> u16 {
        self.0.party_id()
    }

    /// The messages of the current round. Send them again until their recipients have acknowledged them.
    #[wasm_bindgen(unchecked_return_type = "Outgoing[]")]
    pub fn outgoing(&self) -> Result<Array> {
        self.0.outgoing().map(outgoing).map_err(failed)
    }

    /// Takes a frame. `sender` is its sender, as the **authenticated** transport names it. If it throws `Rejected`, nothing has changed.
    #[wasm_bindgen(unchecked_return_type = "FrameFate")]
    pub fn receive(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] sender: &JsValue,
        frame: &Uint8Array,
    ) -> Result<String> {
        let frame = bytes_of("frame", frame)?;
        let fate = self.0.receive(u16_of("the sender", sender)?, frame).map_err(failed)?;
        Ok(format!("{fate:?}"))
    }

    /// Verifies the round if it is complete, and moves on. If it throws, the run is over without a result.
    #[wasm_bindgen(unchecked_return_type = "Progress")]
    pub fn advance(&self) -> Result<String> {
        Ok(format!("{:?}", self.0.advance().map_err(failed)?))
    }

    /// Ends a run that waits too long. `outcome` then gives a result that only lacks confirmations, or throws the reason.
    #[wasm_bindgen(js_name = giveUp)]
    pub fn give_up(&self) -> Result<()> {
        self.0.give_up().map_err(failed)
    }

    /// The round whose messages are being waited for, from 1.
    pub fn round(&self) -> Result<u8> {
        self.0.round().map_err(failed)
    }

    /// The peers of which the current round still needs a message.
    #[wasm_bindgen(js_name = waitingFor, unchecked_return_type = "number[]")]
    pub fn waiting_for(&self) -> Result<Array> {
        self.0.waiting_for().map(numbers).map_err(failed)
    }

    /// The rejected frames by sender.
    #[wasm_bindgen(unchecked_return_type = "Rejection[]")]
    pub fn rejections(&self) -> Result<Array> {
        self.0.rejections().map(rejections).map_err(failed)
    }

    /// The run, encrypted and authenticated, to be stored **before** the `outgoing` messages are sent.
    #[wasm_bindgen(unchecked_return_type = "SealedSession")]
    pub fn seal(&self, key: &SealKey) -> Result<JsValue> {
        self.0.seal(key.shared()).map(sealed).map_err(failed)
    }

    /// The result, which is given once.
    #[wasm_bindgen(unchecked_return_type = "Outcome")]
    pub fn outcome(&self) -> Result<JsValue> {
        self.0.outcome().map(outcome).map_err(failed)
    }

    /// The reason why a run that has ended has no result, or one that is not confirmed.
    #[wasm_bindgen(unchecked_return_type = "QuorateError | undefined")]
    pub fn reason(&self) -> Result<JsValue> {
        let reason = self.0.reason().map_err(failed)?;
        Ok(reason.map_or(JsValue::UNDEFINED, failed))
    }

    /// The record that the store keeps for ever in place of the sealed run. Store the outcome first.
    #[wasm_bindgen(unchecked_return_type = "SealedSession")]
    pub fn tombstone(&self) -> Result<JsValue> {
        self.0.tombstone().map(sealed).map_err(failed)
    }

    /// The culprits of a run that was aborted, with the frames that show it.
    #[wasm_bindgen(unchecked_return_type = "Blame[]")]
    pub fn blames(&self) -> Result<Array> {
        self.0.blames().map(blames).map_err(failed)
    }
}

pub(super) fn sealed(sealed: ffi::SealedSession) -> JsValue {
    let ffi::SealedSession { bytes: sealed_bytes, run, length } = sealed;
    object([("bytes", plain(&sealed_bytes)), ("run", plain(&run)), ("length", length.into())])
}

pub(super) fn outgoing(all: Vec<ffi::Outgoing>) -> Array {
    let one = |mut one: ffi::Outgoing| {
        let frame = plain(&one.bytes);
        // It may be confidential, and the caller has it now.
        one.bytes.zeroize();
        match one.recipient {
            Some(recipient) => object([("recipient", recipient.into()), ("bytes", frame)]),
            None => object([("bytes", frame)]),
        }
    };
    all.into_iter().map(one).collect()
}

pub(super) fn rejections(all: Vec<ffi::Rejection>) -> Array {
    let one = |one: ffi::Rejection| {
        #[allow(clippy::cast_precision_loss, reason = "a count of frames stays far below 2^53")]
        let count = one.count as f64;
        object([("party", one.party.into()), ("count", count.into()), ("last", one.last.into())])
    };
    all.into_iter().map(one).collect()
}

pub(super) fn blames(all: Vec<ffi::Blame>) -> Array {
    let frame = |frame: ffi::Received| {
        object([("sender", frame.sender.into()), ("bytes", plain(&frame.bytes))])
    };
    let one = |one: ffi::Blame| {
        let frames: Array = one.frames.into_iter().map(frame).collect();
        object([
            ("party", one.party.into()),
            ("round", one.round.into()),
            ("fault", one.fault.into()),
            ("frames", frames.into()),
        ])
    };
    all.into_iter().map(one).collect()
}
