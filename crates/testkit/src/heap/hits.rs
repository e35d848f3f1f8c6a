//! The findings of the allocator, on their way to the test.

use std::backtrace::Backtrace;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of findings whose place in the program is looked up.
const TRACED: usize = 3000;

/// A finding of the allocator.
#[derive(Debug)]
pub(super) struct Hit {
    pub(super) secret: usize,
    pub(super) form: &'static str,
    pub(super) block: usize,
    pub(super) offset: usize,
    pub(super) trace: Option<Backtrace>,
}

static FOUND: Mutex<Vec<Hit>> = Mutex::new(Vec::new());

/// The lock, also where a thread that held it has failed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes what was found in a block that is being freed.
pub(super) fn note(secret: usize, form: &'static str, block: usize, offset: usize) {
    let mut found = lock(&FOUND);
    let trace = (found.len() < TRACED).then(Backtrace::force_capture);
    found.push(Hit { secret, form, block, offset, trace });
}

/// Drops all findings.
pub(super) fn clear() {
    lock(&FOUND).clear();
}

/// Takes all findings.
pub(super) fn take() -> Vec<Hit> {
    core::mem::take(&mut *lock(&FOUND))
}
