//! Sessions and logins.

use std::collections::VecDeque;

use cryptoki_sys::*;
use sockets_pkcs11_wire::{Answer, KeyInfo, Pin, Request};
use zeroize::Zeroizing;

use crate::daemon::Daemon;
use crate::library::{Library, SLOT};
use crate::mechanism::Mechanism;
use crate::output::Attribute;
use crate::rv::{Result, Rv};
use crate::state;
use crate::{attributes, token};

/// A session.
#[derive(Debug)]
pub(crate) struct Session {
    is_read_write: bool,
    /// The objects that a search has found and not given out yet.
    pub(crate) find: Option<VecDeque<CK_OBJECT_HANDLE>>,
    pub(crate) sign: Option<Operation>,
    pub(crate) verify: Option<Operation>,
}

/// A signature that is made or verified.
#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) key: KeyInfo,
    pub(crate) mechanism: Mechanism,
    /// The parts of the message, once there is one.
    pub(crate) parts: Option<Vec<u8>>,
}

impl Operation {
    /// Adds a part of a message.
    ///
    /// # Errors
    /// `CKR_OPERATION_NOT_INITIALIZED` if the mechanism has no parts. `CKR_DATA_LEN_RANGE` if the message is too long.
    pub(crate) fn add(&mut self, part: &[u8]) -> Result<()> {
        if !self.mechanism.has_parts() {
            return Err(Rv(CKR_OPERATION_NOT_INITIALIZED));
        }
        let parts = self.parts.get_or_insert_default();
        self.mechanism.check_length(parts.len().saturating_add(part.len()))?;
        parts.extend_from_slice(part);
        Ok(())
    }
}

impl Session {
    pub(crate) const fn new(is_read_write: bool) -> Self {
        Self { is_read_write, find: None, sign: None, verify: None }
    }

    pub(crate) const fn is_read_write(&self) -> bool {
        self.is_read_write
    }
}

/// Opens a session. The daemon is not asked.
pub(crate) fn open(slot: CK_SLOT_ID, flags: CK_FLAGS) -> Result<CK_SESSION_HANDLE> {
    state::with(|library| {
        if slot != SLOT {
            return Err(Rv(CKR_SLOT_ID_INVALID));
        }
        if flags & CKF_SERIAL_SESSION == 0 {
            return Err(Rv(CKR_SESSION_PARALLEL_NOT_SUPPORTED));
        }
        library.open(flags & CKF_RW_SESSION != 0)
    })
}

pub(crate) fn close_all(slot: CK_SLOT_ID) -> Result<()> {
    state::with(|library| {
        if slot != SLOT {
            return Err(Rv(CKR_SLOT_ID_INVALID));
        }
        library.close_all();
        Ok(())
    })
}

pub(crate) fn info(handle: CK_SESSION_HANDLE) -> Result<CK_SESSION_INFO> {
    state::with(|library| {
        let is_read_write = library.session(handle)?.is_read_write();
        let state = match (is_read_write, library.is_logged_in()) {
            (false, false) => CKS_RO_PUBLIC_SESSION,
            (false, true) => CKS_RO_USER_FUNCTIONS,
            (true, false) => CKS_RW_PUBLIC_SESSION,
            (true, true) => CKS_RW_USER_FUNCTIONS,
        };
        let write = if is_read_write { CKF_RW_SESSION } else { 0 };
        let flags = CKF_SERIAL_SESSION | write;
        Ok(CK_SESSION_INFO { slotID: SLOT, state, flags, ulDeviceError: 0 })
    })
}

/// Has the daemon look at a PIN, and keeps it for the requests of this process.
pub(crate) fn login(handle: CK_SESSION_HANDLE, user: CK_USER_TYPE, pin: &[u8]) -> Result<()> {
    let daemon = state::with(|library| {
        library.session(handle)?;
        match user {
            CKU_USER if library.is_logged_in() => Err(Rv(CKR_USER_ALREADY_LOGGED_IN)),
            CKU_USER => Ok(library.daemon.clone()),
            CKU_CONTEXT_SPECIFIC => Err(Rv(CKR_OPERATION_NOT_INITIALIZED)),
            _ => Err(Rv(CKR_USER_TYPE_INVALID)),
        }
    })?;
    let request = Request::Login(Pin::new(pin).map_err(|_| Rv(CKR_PIN_INCORRECT))?);
    match daemon.ask(&request.to_frame())? {
        Answer::LoggedIn => {}
        _ => return Err(Daemon::CONFUSED),
    }
    let pin = Zeroizing::new(pin.to_vec());
    state::with(|library| {
        library.session(handle)?;
        library.log_in(pin);
        Ok(())
    })
}

pub(crate) fn logout(handle: CK_SESSION_HANDLE) -> Result<()> {
    state::with(|library| {
        library.session(handle)?;
        if !library.is_logged_in() {
            return Err(Rv(CKR_USER_NOT_LOGGED_IN));
        }
        library.log_out();
        Ok(())
    })
}

/// Ends operations of a session: those whose flags are set.
pub(crate) fn cancel(handle: CK_SESSION_HANDLE, flags: CK_FLAGS) -> Result<()> {
    state::with(|library| {
        let session = library.session(handle)?;
        if flags & CKF_SIGN != 0 {
            session.sign = None;
        }
        if flags & CKF_VERIFY != 0 {
            session.verify = None;
        }
        if flags & CKF_FIND_OBJECTS != 0 {
            session.find = None;
        }
        Ok(())
    })
}

/// Begins a search among the keys that the daemon has now.
pub(crate) fn find(handle: CK_SESSION_HANDLE, template: &[Attribute<'_>]) -> Result<()> {
    let daemon = state::with(|library| {
        let is_active = library.session(handle)?.find.is_some();
        if is_active { Err(Rv(CKR_OPERATION_ACTIVE)) } else { Ok(library.daemon.clone()) }
    })?;
    let description = token::describe(&daemon)?;
    state::with(|library| {
        library.learn(description)?;
        let found = matching(library, template);
        library.session(handle)?.find = Some(found);
        Ok(())
    })
}

fn matching(library: &Library, template: &[Attribute<'_>]) -> VecDeque<CK_OBJECT_HANDLE> {
    let visible = library.objects.iter().filter(|(_, object)| library.is_visible(*object));
    let fits = |object| {
        template.iter().all(|wanted| {
            let own = attributes::value(object, wanted.kind, library.needs_login());
            own.is_ok_and(|own| own == wanted.value)
        })
    };
    visible.filter(|(_, object)| fits(*object)).map(|(handle, _)| handle).collect()
}

/// The next objects of a search, at most this number.
pub(crate) fn found(handle: CK_SESSION_HANDLE, most: usize) -> Result<Vec<CK_OBJECT_HANDLE>> {
    state::with(|library| {
        let find = library.session(handle)?.find.as_mut();
        let find = find.ok_or(Rv(CKR_OPERATION_NOT_INITIALIZED))?;
        Ok(find.drain(..most.min(find.len())).collect())
    })
}

pub(crate) fn end_of_search(handle: CK_SESSION_HANDLE) -> Result<()> {
    state::with(|library| {
        let find = library.session(handle)?.find.take();
        find.map(drop).ok_or(Rv(CKR_OPERATION_NOT_INITIALIZED))
    })
}
