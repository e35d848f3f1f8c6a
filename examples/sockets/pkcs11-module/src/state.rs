//! The one state of the library, which survives a fork.
//!
//! A fork copies the memory and one thread. If another thread had the lock at that moment, nobody gives it back in the child.
//! Nothing waits for the daemon under the lock, so that is rare. The child notices it, and begins anew behind the lock: it
//! has to initialise the library again.

use core::sync::atomic::{AtomicU32, Ordering};
use core::time::Duration;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use cryptoki_sys::CKR_CRYPTOKI_NOT_INITIALIZED;

use crate::library::Library;
use crate::rv::{Result, Rv};

/// How often a process tries a lock that it has never had, a millisecond apart.
const TRIES: u32 = 200;

/// A lock, and the one that a child takes in its place if it is stuck.
struct Cell {
    library: Mutex<Option<Library>>,
    /// The process that has had the lock; zero for none.
    owner: AtomicU32,
    next: OnceLock<Box<Cell>>,
}

static FIRST: Cell = Cell::new();

impl Cell {
    const fn new() -> Self {
        Self { library: Mutex::new(None), owner: AtomicU32::new(0), next: OnceLock::new() }
    }

    /// Takes the lock, unless a thread of another process had it when this one was forked.
    fn lock(&self, me: u32) -> Option<MutexGuard<'_, Option<Library>>> {
        for _ in 0..TRIES {
            if self.owner.load(Ordering::Acquire) == me {
                return Some(self.library.lock().unwrap_or_else(PoisonError::into_inner));
            }
            let guard = match self.library.try_lock() {
                Ok(guard) => guard,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(Duration::from_millis(1));
                    continue;
                }
            };
            self.owner.store(me, Ordering::Release);
            return Some(guard);
        }
        None
    }
}

/// Takes the state, which is none before the library is initialised.
pub(crate) fn lock() -> MutexGuard<'static, Option<Library>> {
    let me = std::process::id();
    let mut cell = &FIRST;
    loop {
        while let Some(next) = cell.next.get() {
            cell = next;
        }
        if let Some(guard) = cell.lock(me) {
            return guard;
        }
        cell = cell.next.get_or_init(|| Box::new(Cell::new()));
    }
}

/// Does something with the library.
///
/// # Errors
/// `CKR_CRYPTOKI_NOT_INITIALIZED` if there is none. The error of the function.
pub(crate) fn with<T>(act: impl FnOnce(&mut Library) -> Result<T>) -> Result<T> {
    act(lock().as_mut().ok_or(Rv(CKR_CRYPTOKI_NOT_INITIALIZED))?)
}
