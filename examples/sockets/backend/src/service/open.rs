//! The questions that have no answer yet.

use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::question::Question;
use crate::backend::Asked;
use crate::failure::Failure;

/// The most open questions of a consumer. The service has room for some thousands, which all its callers share.
const MOST: usize = 512;

/// When a question was asked, and for how long.
type Asking = (Instant, Duration);

/// The open questions of each consumer, whom [`Asked::on_behalf`] names.
///
/// A question is open until it has an answer or its time is over. That its consumer has hung up makes no difference to the service,
/// which may be waiting for approvals.
#[derive(Debug, Default)]
pub(super) struct Open(Mutex<HashMap<Option<String>, HashMap<Question, Asking>>>);

impl Open {
    /// Counts a question, unless its consumer has too many.
    pub(super) fn begin(&self, question: Question, asked: &Asked) -> Result<(), Failure> {
        let mut consumers = self.lock();
        let own = consumers.entry(asked.on_behalf.clone()).or_default();
        if own.len() >= MOST && !own.contains_key(&question) {
            own.retain(|_, (since, within)| since.elapsed() < *within);
            if own.len() >= MOST {
                let why = format!("{MOST} questions of this consumer are open");
                return Err(Failure::Unavailable(why));
            }
        }
        own.insert(question, (Instant::now(), asked.within));
        Ok(())
    }

    /// Forgets a question that has an answer.
    pub(super) fn end(&self, question: &Question, asked: &Asked) {
        let mut consumers = self.lock();
        if let Some(own) = consumers.get_mut(&asked.on_behalf) {
            own.remove(question);
            if own.is_empty() {
                consumers.remove(&asked.on_behalf);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Option<String>, HashMap<Question, Asking>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
