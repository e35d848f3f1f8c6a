//! How often a question was asked without a signature.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::question::Question;

/// The most questions that are remembered. One that was forgotten finds its attempts again, a request for each.
const MOST: usize = 1024;

/// The number of each question's next attempt, if it is not the first.
#[derive(Debug, Default)]
pub(super) struct Attempts(Mutex<HashMap<Question, u32>>);

impl Attempts {
    pub(super) fn current(&self, question: &Question) -> u32 {
        self.lock().get(question).copied().unwrap_or_default()
    }

    /// Counts an attempt that ended without a signature.
    pub(super) fn next(&self, question: &Question, ended: u32) {
        let mut attempts = self.lock();
        if attempts.len() >= MOST && !attempts.contains_key(question) {
            attempts.clear();
        }
        let next = attempts.entry(*question).or_default();
        *next = (*next).max(ended.saturating_add(1));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Question, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
