//! The library between its initialisation and its end.

use std::collections::BTreeMap;

use cryptoki_sys::*;
use sockets_pkcs11_wire::{Description, Pin};
use zeroize::Zeroizing;

use crate::daemon::Daemon;
use crate::object::{Half, Object, Objects};
use crate::rv::{Result, Rv};
use crate::session::Session;
use crate::state;

/// The number of the one slot.
pub(crate) const SLOT: CK_SLOT_ID = 0;
/// The most sessions of a process.
pub(crate) const MAX_SESSIONS: usize = 4096;

/// The sessions, the keys and the login of this process.
pub(crate) struct Library {
    /// The process that has initialised the library.
    pid: u32,
    pub(crate) daemon: Daemon,
    pub(crate) sessions: BTreeMap<CK_SESSION_HANDLE, Session>,
    /// The last handle that was given.
    last: CK_SESSION_HANDLE,
    pin: Option<Zeroizing<Vec<u8>>>,
    pub(crate) objects: Objects,
    needs_login: bool,
}

impl Library {
    fn new() -> Self {
        Self {
            pid: std::process::id(),
            daemon: Daemon::from_environment(),
            sessions: BTreeMap::new(),
            last: 0,
            pin: None,
            objects: Objects::default(),
            needs_login: false,
        }
    }

    pub(crate) fn session(&mut self, handle: CK_SESSION_HANDLE) -> Result<&mut Session> {
        self.sessions.get_mut(&handle).ok_or(Rv(CKR_SESSION_HANDLE_INVALID))
    }

    pub(crate) fn open(&mut self, is_read_write: bool) -> Result<CK_SESSION_HANDLE> {
        if self.sessions.len() >= MAX_SESSIONS {
            return Err(Rv(CKR_SESSION_COUNT));
        }
        self.last = self.last.checked_add(1).ok_or(Rv(CKR_SESSION_COUNT))?;
        self.sessions.insert(self.last, Session::new(is_read_write));
        Ok(self.last)
    }

    /// Closes a session. With the last one the login ends.
    pub(crate) fn close(&mut self, handle: CK_SESSION_HANDLE) -> Result<()> {
        self.sessions.remove(&handle).ok_or(Rv(CKR_SESSION_HANDLE_INVALID))?;
        if self.sessions.is_empty() {
            self.pin = None;
        }
        Ok(())
    }

    pub(crate) fn close_all(&mut self) {
        self.sessions.clear();
        self.pin = None;
    }

    /// Ends the login. Operations with private keys end with it.
    pub(crate) fn log_out(&mut self) {
        self.pin = None;
        for session in self.sessions.values_mut() {
            session.sign = None;
            session.find = None;
        }
    }

    pub(crate) fn log_in(&mut self, pin: Zeroizing<Vec<u8>>) {
        self.pin = Some(pin);
    }

    pub(crate) const fn is_logged_in(&self) -> bool {
        self.pin.is_some()
    }

    pub(crate) const fn needs_login(&self) -> bool {
        self.needs_login
    }

    /// The PIN of the login, for a request.
    pub(crate) fn pin(&self) -> Option<Pin<'_>> {
        self.pin.as_ref().and_then(|pin| Pin::new(pin).ok())
    }

    /// Takes what the daemon says of its token.
    pub(crate) fn learn(&mut self, description: Description) -> Result<()> {
        self.needs_login = description.needs_login;
        self.objects.replace(description.keys)
    }

    /// Returns whether the consumer may see an object: private keys are hidden before a login.
    pub(crate) fn is_visible(&self, object: Object<'_>) -> bool {
        object.half == Half::Public || !self.needs_login || self.is_logged_in()
    }

    /// The object of a handle, if the consumer may see it.
    pub(crate) fn object(&self, handle: CK_OBJECT_HANDLE) -> Option<Object<'_>> {
        self.objects.get(handle).filter(|object| self.is_visible(*object))
    }
}

/// Initialises the library. A child that was forked begins anew.
///
/// # Errors
/// `CKR_CRYPTOKI_ALREADY_INITIALIZED` if this process has done so.
pub(crate) fn initialize() -> Result<()> {
    let mut library = state::lock();
    if library.as_ref().is_some_and(|library| library.pid == std::process::id()) {
        return Err(Rv(CKR_CRYPTOKI_ALREADY_INITIALIZED));
    }
    *library = Some(Library::new());
    Ok(())
}

/// Ends the library. Its state is wiped.
///
/// # Errors
/// `CKR_CRYPTOKI_NOT_INITIALIZED` if there is none.
pub(crate) fn finalize() -> Result<()> {
    state::lock().take().map(drop).ok_or(Rv(CKR_CRYPTOKI_NOT_INITIALIZED))
}
