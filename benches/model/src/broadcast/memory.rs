//! The ways in which a party goes on, kept by what they depend on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use super::frame::Frame;
use super::session::Session;
use super::steps::Go;

/// Frames that a party has, and what it does with them.
pub type Ways = Arc<Vec<(Vec<Frame>, Go)>>;
/// A session, the frames that may be brought to it, and the number of things that it may do.
pub type Key = (Session, Vec<Frame>, usize);

/// The ways that were computed already. They are no part of a state.
#[derive(Default, Debug)]
pub struct Memory(Mutex<HashMap<Key, Ways>>);

impl Memory {
    pub fn known(&self, key: &Key) -> Option<Ways> {
        self.0.lock().expect("no thread has panicked").get(key).cloned()
    }

    pub fn keep(&self, key: Key, ways: Vec<(Vec<Frame>, Go)>) -> Ways {
        let mut known = self.0.lock().expect("no thread has panicked");
        Arc::clone(known.entry(key).or_insert_with(|| Arc::new(ways)))
    }
}
