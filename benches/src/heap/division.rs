//! The heap by crate: each block belongs to the innermost crate of this workspace on the stack when it was allocated, by
//! the source file of the frame. A block that none of them asked for is of [`OTHERS`].

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The part of what no crate of the workspace allocated, and of what was freed and is older than the measurement.
pub const OTHERS: &str = "others";

/// Bytes by crate.
pub type Parts = BTreeMap<String, isize>;

/// Set while blocks are told apart, which happens inside a [`Division`] alone.
static ON: AtomicBool = AtomicBool::new(false);
static STATE: Mutex<State> = Mutex::new(State::new());

std::thread_local! {
    /// Set while this thread is at its own book-keeping, whose blocks do not count.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// The place of a crate in the list of names; 0 is that of [`OTHERS`].
type Place = usize;

/// The known blocks and their totals.
struct State {
    names: Vec<String>,
    /// The crate of each frame that was seen, by its address.
    frames: BTreeMap<usize, Option<Place>>,
    /// Size and crate of each block, by its address.
    blocks: BTreeMap<usize, (isize, Place)>,
    live: Vec<isize>,
    /// Bytes by crate when the total was greatest.
    peak: Vec<isize>,
    most: isize,
}

impl State {
    const fn new() -> Self {
        Self {
            names: Vec::new(),
            frames: BTreeMap::new(),
            blocks: BTreeMap::new(),
            live: Vec::new(),
            peak: Vec::new(),
            most: 0,
        }
    }

    /// The place of a name.
    fn place(&mut self, name: &str) -> Place {
        if self.names.is_empty() {
            self.names.push(OTHERS.to_owned());
        }
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// The innermost crate on the stack.
    fn caller(&mut self) -> Place {
        let mut found = 0;
        backtrace::trace(|frame| {
            let address = frame.ip() as usize;
            let known = self.frames.get(&address).copied().unwrap_or_else(|| {
                let place = crate_of(frame).map(|name| self.place(&name));
                self.frames.insert(address, place);
                place
            });
            found = known.unwrap_or(0);
            known.is_none()
        });
        found
    }

    fn add(&mut self, place: Place, bytes: isize) {
        let length = self.live.len().max(place + 1);
        self.live.resize(length, 0);
        self.live[place] += bytes;
        let all = self.live.iter().sum();
        if all > self.most {
            self.most = all;
            self.peak.clone_from(&self.live);
        }
    }

    fn named(&self, bytes: &[isize]) -> Parts {
        let pairs = self.names.iter().cloned().zip(bytes.iter().copied());
        pairs.filter(|(_, bytes)| *bytes != 0).collect()
    }
}

/// The crate of a frame, by its source file: `crates/NAME/src`. Functions that were inlined into it are looked at first.
fn crate_of(frame: &backtrace::Frame) -> Option<String> {
    let mut found = None;
    backtrace::resolve_frame(frame, |symbol| {
        if found.is_none() {
            found = symbol.filename().and_then(named);
        }
    });
    found
}

fn named(file: &Path) -> Option<String> {
    let parts: Vec<&str> = file.iter().filter_map(|part| part.to_str()).collect();
    let at = parts.windows(3).find(|three| three[0] == "crates" && three[2] == "src");
    at.map(|three| three[1].to_owned())
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does the book-keeping, unless this thread is at it already.
fn keep(then: impl FnOnce(&mut State)) {
    if INSIDE.replace(true) {
        return;
    }
    then(&mut state());
    INSIDE.set(false);
}

/// Returns whether this thread is at its own book-keeping.
pub(super) fn keeps() -> bool {
    ON.load(Relaxed) && INSIDE.get()
}

/// A block came, while all are counted.
pub(super) fn gained(block: *mut u8, size: usize) {
    if ON.load(Relaxed) {
        keep(|state| {
            let (place, size) = (state.caller(), size.cast_signed());
            state.add(place, size);
            state.blocks.insert(block as usize, (size, place));
        });
    }
}

/// A block of this size goes; what is live is counted only then when all are.
pub(super) fn lost(block: *mut u8, size: usize, counting: bool) {
    if ON.load(Relaxed) {
        keep(|state| {
            let (_, place) = state.blocks.remove(&(block as usize)).unwrap_or_default();
            if counting {
                state.add(place, -size.cast_signed());
            }
        });
    }
}

/// A block of one size becomes one of another, maybe elsewhere; for a moment both are there.
pub(super) fn moved([old, new]: [*mut u8; 2], [from, to]: [usize; 2], counting: bool) {
    if ON.load(Relaxed) {
        keep(|state| {
            let before = state.blocks.remove(&(old as usize)).map_or(0, |(_, place)| place);
            if counting {
                let place = state.caller();
                state.add(place, to.cast_signed());
                state.add(before, -from.cast_signed());
                state.blocks.insert(new as usize, (to.cast_signed(), place));
            }
        });
    }
}

/// Blocks are told apart by crate from now on, until it is dropped. One at a time, in a program of one thread.
pub struct Division(());

impl Division {
    /// Begins. Unwinding takes some microseconds for each block: this is no time to measure time.
    #[must_use]
    pub fn begin() -> Self {
        *state() = State::new();
        ON.store(true, Relaxed);
        Self(())
    }
}

impl Drop for Division {
    fn drop(&mut self) {
        ON.store(false, Relaxed);
        *state() = State::new();
    }
}

/// A measured part begins.
pub(super) fn start() {
    if ON.load(Relaxed) {
        keep(|state| {
            state.live.clear();
            state.peak.clear();
            state.most = 0;
        });
    }
}

/// The parts at the peak, and those that are left.
pub(super) fn stop() -> [Parts; 2] {
    let mut parts = Default::default();
    if ON.load(Relaxed) {
        keep(|state| parts = [state.named(&state.peak), state.named(&state.live)]);
    }
    parts
}

/// Adds parts to others.
pub fn add_parts(to: &mut Parts, more: &Parts) {
    for (name, bytes) in more {
        *to.entry(name.clone()).or_default() += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_named_by_its_files() {
        let named = |path: &str| named(Path::new(path));
        assert_eq!(named("/a/crates/bignum/src/engine/run.rs").as_deref(), Some("bignum"));
        assert_eq!(named("crates/frost-ed25519/src/lib.rs").as_deref(), Some("frost-ed25519"));
        for other in [
            "/rustc/1/library/alloc/src/vec/mod.rs",
            "/r/registry/src/index/sha2-0.11.0/src/lib.rs",
            "/a/benches/src/heap.rs",
            "/a/crates/frost/tests/x.rs",
        ] {
            assert_eq!(named(other), None, "{other}");
        }
    }
}
