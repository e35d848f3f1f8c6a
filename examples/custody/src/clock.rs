//! A clock that jumps, in trials: a process whose settings say so reads from a file by how much its clock is wrong.

use core::sync::atomic::{AtomicI64, Ordering::Relaxed};
use core::time::Duration;
use std::fs;
use std::path::PathBuf;
use std::thread;

use quorate_examples::failure::Failure;

static AHEAD: AtomicI64 = AtomicI64::new(0);

/// How often the file is read.
const LOOK: Duration = Duration::from_millis(100);

/// The milliseconds that the clock is ahead.
pub(crate) fn ahead() -> i64 {
    AHEAD.load(Relaxed)
}

/// Follows a file from now on. One that is not there says 0.
pub(crate) fn follow(path: PathBuf) -> Result<(), Failure> {
    let look = move || {
        loop {
            let text = fs::read_to_string(&path).unwrap_or_default();
            AHEAD.store(text.trim().parse().unwrap_or(0), Relaxed);
            thread::sleep(LOOK);
        }
    };
    thread::Builder::new().name("clock".to_owned()).spawn(look)?;
    Ok(())
}
