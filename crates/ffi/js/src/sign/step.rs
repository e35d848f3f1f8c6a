//! Sessions as pure functions, for workers that keep nothing in memory.

use js_sys::Uint8Array;
use quorate_ffi as ffi;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::keys::SealKey;
use super::outcome::outcome;
use super::session::{blames, outgoing, rejections, sealed};
use super::task::Task;
use crate::arguments::{bytes_of, numbers, parties, received, u16_of};
use crate::error::{Result, failed};
use crate::object::object;

/// Begins a run, as `Session.start` does, and gives its first state and messages.
#[wasm_bindgen(js_name = startSteps, unchecked_return_type = "Stepped")]
pub fn start_steps(
    #[wasm_bindgen(js_name = sessionId)] session_id: &Uint8Array,
    #[wasm_bindgen(unchecked_param_type = "number")] me: &JsValue,
    #[wasm_bindgen(js_name = parties, unchecked_param_type = "Iterable<number>")] all: &JsValue,
    task: &Task,
    key: &SealKey,
) -> Result<JsValue> {
    let session_id = bytes_of("session id", session_id)?;
    let (me, all) = (u16_of("the party", me)?, parties("the parties", all)?);
    let started = ffi::start_steps(session_id, me, all, task.0.clone(), key.shared());
    started.map(stepped).map_err(failed)
}

/// Takes frames, and goes on as far as they allow. The same state and frames give the same messages again.
#[wasm_bindgen(unchecked_return_type = "Stepped")]
pub fn step(
    state: &Uint8Array,
    key: &SealKey,
    task: &Task,
    #[wasm_bindgen(unchecked_param_type = "Iterable<Received>")] frames: &JsValue,
) -> Result<JsValue> {
    let state = bytes_of("state", state)?;
    let frames = received(frames)?;
    ffi::step(state, key.shared(), task.0.clone(), frames).map(stepped).map_err(failed)
}

fn stepped(stepped: ffi::Stepped) -> JsValue {
    object([
        ("state", sealed(stepped.state)),
        ("progress", stepped.progress.map(|progress| format!("{progress:?}")).into()),
        ("outgoing", outgoing(stepped.outgoing).into()),
        ("waitingFor", numbers(stepped.waiting_for).into()),
        ("rejections", rejections(stepped.rejections).into()),
        ("outcome", stepped.outcome.map_or(JsValue::UNDEFINED, outcome)),
        ("reason", stepped.reason.map_or(JsValue::UNDEFINED, failed)),
        ("blames", blames(stepped.blames).into()),
    ])
}
