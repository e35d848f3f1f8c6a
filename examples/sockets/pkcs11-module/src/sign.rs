//! Signatures.

use cryptoki_sys::*;
use sockets_pkcs11_wire::{Answer, KeyInfo, Request, SignRequest};
use zeroize::Zeroizing;

use crate::daemon::Daemon;
use crate::library::Library;
use crate::mechanism::Mechanism;
use crate::object::Half;
use crate::output::Output;
use crate::rv::{Result, Rv};
use crate::session::Operation;
use crate::{state, verify};

/// Begins a signature.
pub(crate) fn init(
    handle: CK_SESSION_HANDLE,
    mechanism: CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
) -> Result<()> {
    state::with(|library| {
        if library.session(handle)?.sign.is_some() {
            return Err(Rv(CKR_OPERATION_ACTIVE));
        }
        let mechanism = read(mechanism)?;
        let (key, half) = key_of(library, key)?;
        if half != Half::Private {
            return Err(Rv(CKR_KEY_FUNCTION_NOT_PERMITTED));
        }
        let operation = operation(mechanism, key)?;
        // A digest is signed by keys that are bound to digests.
        if mechanism == Mechanism::Ecdsa && !operation.key.signs_digests {
            return Err(Rv(CKR_KEY_FUNCTION_NOT_PERMITTED));
        }
        library.session(handle)?.sign = Some(operation);
        Ok(())
    })
}

/// Ends a signature that has begun, if there is one.
pub(crate) fn cancel(handle: CK_SESSION_HANDLE) -> Result<()> {
    state::with(|library| {
        library.session(handle)?.sign = None;
        Ok(())
    })
}

/// The mechanism of a caller. None of ours has parameters: those of Ed25519 are for other signatures.
pub(crate) fn read(mechanism: CK_MECHANISM) -> Result<Mechanism> {
    let known = Mechanism::of(mechanism.mechanism)?;
    if mechanism.ulParameterLen == 0 { Ok(known) } else { Err(Rv(CKR_MECHANISM_PARAM_INVALID)) }
}

/// The key of a handle. A private one needs a login, where there is one.
pub(crate) fn key_of(library: &Library, handle: CK_OBJECT_HANDLE) -> Result<(KeyInfo, Half)> {
    let object = library.objects.get(handle).ok_or(Rv(CKR_KEY_HANDLE_INVALID))?;
    if library.is_visible(object) {
        Ok((object.key.clone(), object.half))
    } else {
        Err(Rv(CKR_USER_NOT_LOGGED_IN))
    }
}

pub(crate) fn operation(mechanism: Mechanism, key: KeyInfo) -> Result<Operation> {
    if mechanism.fits(key.scheme) {
        Ok(Operation { key, mechanism, parts: None })
    } else {
        Err(Rv(CKR_KEY_TYPE_INCONSISTENT))
    }
}

/// Signs a message that is whole.
pub(crate) fn sign(
    handle: CK_SESSION_HANDLE,
    message: &[u8],
    mut output: Output<'_, CK_BYTE>,
) -> Result<()> {
    let Some(operation) = take(handle, &mut output)? else { return Ok(()) };
    if operation.parts.is_some() {
        return Err(Rv(CKR_OPERATION_ACTIVE));
    }
    output.fill(&made(&operation, message)?)
}

/// Adds a part of a message. An error ends the operation.
pub(crate) fn update(handle: CK_SESSION_HANDLE, part: &[u8]) -> Result<()> {
    state::with(|library| {
        let sign = &mut library.session(handle)?.sign;
        let added = sign.as_mut().ok_or(Rv(CKR_OPERATION_NOT_INITIALIZED))?.add(part);
        if added.is_err() {
            *sign = None;
        }
        added
    })
}

/// Signs a message whose parts are there.
pub(crate) fn finish(handle: CK_SESSION_HANDLE, mut output: Output<'_, CK_BYTE>) -> Result<()> {
    let Some(mut operation) = take(handle, &mut output)? else { return Ok(()) };
    if !operation.mechanism.has_parts() {
        return Err(Rv(CKR_OPERATION_NOT_INITIALIZED));
    }
    let message = operation.parts.take().unwrap_or_default();
    output.fill(&made(&operation, &message)?)
}

/// Takes the operation of a session, if the caller has room for its signature. A caller that asks for the length, or has a
/// short buffer, keeps it.
fn take(handle: CK_SESSION_HANDLE, output: &mut Output<'_, CK_BYTE>) -> Result<Option<Operation>> {
    state::with(|library| {
        let sign = &mut library.session(handle)?.sign;
        let operation = sign.as_ref().ok_or(Rv(CKR_OPERATION_NOT_INITIALIZED))?;
        let has_room = output.has_room(operation.mechanism.signature_length())?;
        Ok(if has_room { sign.take() } else { None })
    })
}

/// Has the daemon sign, and verifies the signature.
fn made(operation: &Operation, message: &[u8]) -> Result<Vec<u8>> {
    let Operation { key, mechanism, .. } = operation;
    mechanism.check_length(message.len())?;
    let (daemon, frame) = state::with(|library| {
        let (pin, input) = (library.pin(), mechanism.input());
        let request = Request::Sign(SignRequest { pin, key: key.id, input, bytes: message });
        Ok((library.daemon.clone(), request.to_frame()))
    })?;
    let answer = asked(&daemon, frame)?;
    match answer {
        Answer::Signature(signature) if signature.len() == mechanism.signature_length() => {
            verify::check(operation, message, &signature).map_err(|_| Rv(CKR_DEVICE_ERROR))?;
            Ok(signature)
        }
        _ => Err(Daemon::CONFUSED),
    }
}

/// Asks the daemon with the PIN of the login. If the PIN is right no more, the login ends.
pub(crate) fn asked(daemon: &Daemon, frame: Zeroizing<Vec<u8>>) -> Result<Answer> {
    let answer = daemon.ask(&frame);
    if matches!(answer, Err(Rv(CKR_PIN_INCORRECT | CKR_USER_NOT_LOGGED_IN))) {
        state::with(|library| {
            library.log_out();
            Ok(())
        })?;
        return Err(Rv(CKR_USER_NOT_LOGGED_IN));
    }
    answer
}
