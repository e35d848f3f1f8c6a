//! The slot and its token.

use cryptoki_sys::*;
use sha2::{Digest as _, Sha256};
use sockets_pkcs11_wire::{Answer, Description, MAX_PIN, Request, Scheme};

use crate::daemon::Daemon;
use crate::library::{MAX_SESSIONS, SLOT};
use crate::rv::{Result, Rv, ulong};
use crate::state;

const MANUFACTURER: &str = "Quorate";
/// The version of the hardware and firmware that there are not.
const NONE: CK_VERSION = CK_VERSION { major: 0, minor: 0 };
/// The version of this library.
const OWN: CK_VERSION = CK_VERSION { major: 0, minor: 1 };

/// Text in a field of fixed length, which spaces fill.
fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut field = [b' '; N];
    let mut room = field.as_mut_slice();
    for letter in text.chars() {
        let Some((place, rest)) = room.split_at_mut_checked(letter.len_utf8()) else { break };
        letter.encode_utf8(place);
        room = rest;
    }
    field
}

/// The library.
pub(crate) fn library() -> Result<CK_INFO> {
    state::with(|_| {
        Ok(CK_INFO {
            cryptokiVersion: CK_VERSION { major: 3, minor: 0 },
            manufacturerID: padded(MANUFACTURER),
            flags: 0,
            libraryDescription: padded("threshold signatures"),
            libraryVersion: OWN,
        })
    })
}

/// The token of the daemon and its keys.
///
/// # Errors
/// The errors of [`Daemon::ask`].
pub(crate) fn describe(daemon: &Daemon) -> Result<Description> {
    match daemon.ask(&Request::Describe.to_frame())? {
        Answer::Description(description) => Ok(description),
        _ => Err(Daemon::CONFUSED),
    }
}

fn daemon() -> Result<Daemon> {
    state::with(|library| Ok(library.daemon.clone()))
}

fn check(slot: CK_SLOT_ID) -> Result<()> {
    if slot == SLOT { Ok(()) } else { Err(Rv(CKR_SLOT_ID_INVALID)) }
}

/// The token in the slot, if the daemon is there.
fn token(slot: CK_SLOT_ID) -> Result<Description> {
    let daemon = daemon()?;
    check(slot)?;
    describe(&daemon).map_err(|why| match why {
        Rv(CKR_DEVICE_REMOVED) => Rv(CKR_TOKEN_NOT_PRESENT),
        why => why,
    })
}

/// The slots: one, or none if a token has to be in it and the daemon is not there.
pub(crate) fn slots(with_token: bool) -> Result<Vec<CK_SLOT_ID>> {
    let daemon = daemon()?;
    let is_there = !with_token || describe(&daemon).is_ok();
    Ok(if is_there { vec![SLOT] } else { vec![] })
}

pub(crate) fn slot_info(slot: CK_SLOT_ID) -> Result<CK_SLOT_INFO> {
    let daemon = daemon()?;
    check(slot)?;
    let present = if describe(&daemon).is_ok() { CKF_TOKEN_PRESENT } else { 0 };
    Ok(CK_SLOT_INFO {
        slotDescription: padded("quorate-sockets"),
        manufacturerID: padded(MANUFACTURER),
        flags: CKF_REMOVABLE_DEVICE | present,
        hardwareVersion: NONE,
        firmwareVersion: NONE,
    })
}

pub(crate) fn token_info(slot: CK_SLOT_ID) -> Result<CK_TOKEN_INFO> {
    let description = token(slot)?;
    let (sessions, writing) = state::with(|library| {
        let writing = library.sessions.values().filter(|session| session.is_read_write());
        Ok((ulong(library.sessions.len()), ulong(writing.count())))
    })?;
    let login = CKF_LOGIN_REQUIRED | CKF_USER_PIN_INITIALIZED;
    let login = if description.needs_login { login } else { 0 };
    let protected = if description.makes_keys { 0 } else { CKF_WRITE_PROTECTED };
    // A number for the serial, so that two tokens with different names are two.
    let digest: [u8; 32] = Sha256::digest(&description.label).into();
    let serial: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    Ok(CK_TOKEN_INFO {
        label: padded(&description.label),
        manufacturerID: padded(MANUFACTURER),
        model: padded("committee"),
        serialNumber: padded(&serial),
        flags: CKF_RNG | CKF_TOKEN_INITIALIZED | login | protected,
        ulMaxSessionCount: ulong(MAX_SESSIONS),
        ulSessionCount: sessions,
        ulMaxRwSessionCount: ulong(MAX_SESSIONS),
        ulRwSessionCount: writing,
        ulMaxPinLen: ulong(MAX_PIN),
        ulMinPinLen: 4,
        ulTotalPublicMemory: CK_UNAVAILABLE_INFORMATION,
        ulFreePublicMemory: CK_UNAVAILABLE_INFORMATION,
        ulTotalPrivateMemory: CK_UNAVAILABLE_INFORMATION,
        ulFreePrivateMemory: CK_UNAVAILABLE_INFORMATION,
        hardwareVersion: NONE,
        firmwareVersion: NONE,
        utcTime: [b' '; 16],
    })
}

/// The mechanisms. `CKM_ECDSA` is one if a key is bound to digests, and `CKM_ML_DSA` if there is a key of it.
pub(crate) fn mechanisms(slot: CK_SLOT_ID) -> Result<Vec<CK_MECHANISM_TYPE>> {
    let description = token(slot)?;
    let mut mechanisms = vec![CKM_EDDSA, CKM_ECDSA_SHA256];
    if description.keys.iter().any(|key| key.signs_digests) {
        mechanisms.push(CKM_ECDSA);
    }
    // Keys of ML-DSA are experimental, and off at most committees.
    if description.keys.iter().any(|key| key.scheme == Scheme::MlDsa65) {
        mechanisms.push(CKM_ML_DSA);
    }
    if description.makes_keys {
        let made = [CKM_EC_EDWARDS_KEY_PAIR_GEN, CKM_EC_KEY_PAIR_GEN, CKM_ML_DSA_KEY_PAIR_GEN];
        mechanisms.extend(made);
    }
    Ok(mechanisms)
}

pub(crate) fn mechanism_info(
    slot: CK_SLOT_ID,
    mechanism: CK_MECHANISM_TYPE,
) -> Result<CK_MECHANISM_INFO> {
    daemon()?;
    check(slot)?;
    crate::mechanism::info(mechanism)
}

/// Checks that a session is there, for functions that need nothing of it.
pub(crate) fn check_session(handle: CK_SESSION_HANDLE) -> Result<()> {
    state::with(|library| library.session(handle).map(|_| ()))
}
