//! The threads that do the rounds.

use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;
use core::time::Duration;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use quorate_runner::{Store, Work};

use crate::input::{Input, WorkDone};
use crate::panics::caught;

/// The pieces of work that may wait for the threads while pieces are quick. So no thread stands still while the store commits.
const AHEAD: usize = 16;
/// A piece is quick if it takes less time than this.
const QUICK: Duration = Duration::from_millis(1);

/// Threads that do pieces of work. They end when it is dropped.
pub(crate) struct Workers {
    /// `None` if there are no threads.
    work: Option<Sender<Work>>,
    /// The number of threads, or one: the runner's own.
    count: usize,
    /// The pieces that may wait for a thread: none if the last one was not quick.
    ahead: usize,
    /// Set when no further piece is to begin.
    stopped: Arc<AtomicBool>,
}

impl Workers {
    pub(crate) fn start<S, A>(count: usize, inputs: &Sender<Input<S, A>>) -> io::Result<Self>
    where
        S: Store<Error: Send> + 'static,
        A: 'static,
    {
        let (work, queue) = channel();
        let (queue, stopped) = (Arc::new(Mutex::new(queue)), Arc::new(AtomicBool::new(false)));
        for number in 1..=count {
            let (queue, inputs) = (Arc::clone(&queue), inputs.clone());
            let stopped = Arc::clone(&stopped);
            let builder = thread::Builder::new().name(format!("quorate-worker-{number}"));
            builder.spawn(move || work_off(&queue, &inputs, &stopped))?;
        }
        Ok(Self { work: (count > 0).then_some(work), count: count.max(1), ahead: 0, stopped })
    }

    /// Lets the threads end what they have begun. The other pieces come back at once.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// The pieces of work that may be under way at once.
    pub(crate) const fn room(&self) -> usize {
        self.count.saturating_add(self.ahead)
    }

    /// Takes note of the time that a piece took.
    pub(crate) fn took(&mut self, time: Duration) {
        self.ahead = if time < QUICK { AHEAD } else { 0 };
    }

    /// Hands a piece of work to a thread. Gives it back if there are none.
    pub(crate) fn hand_over(&self, work: Work) -> Option<Work> {
        let Some(queue) = &self.work else { return Some(work) };
        // The threads last as long as the queue.
        queue.send(work).err().map(|lost| lost.0)
    }
}

fn work_off<S: Store, A>(
    queue: &Mutex<Receiver<Work>>,
    inputs: &Sender<Input<S, A>>,
    stopped: &AtomicBool,
) {
    loop {
        // One thread waits for work, the others for their turn.
        let work = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = work else { return };
        let sid = work.sid();
        let input = if stopped.load(Relaxed) {
            Input::NotBegun(sid)
        } else {
            Input::Worked(sid, Box::new(step(work)))
        };
        if inputs.send(input).is_err() {
            return;
        }
    }
}

/// Does a piece of work.
pub(crate) fn step(work: Work) -> WorkDone {
    let began = Instant::now();
    let finished = caught(|| work.run());
    let took = began.elapsed();
    #[cfg(feature = "metrics")]
    metrics::histogram!(crate::meters::STEP).record(took);
    WorkDone { finished, took }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_wait_for_the_threads_while_the_last_one_was_quick() {
        let mut workers = Workers { work: None, count: 2, ahead: 0, stopped: Arc::default() };
        assert_eq!(workers.room(), 2);
        workers.took(QUICK - Duration::from_nanos(1));
        assert_eq!(workers.room(), 18);
        workers.took(QUICK);
        assert_eq!(workers.room(), 2);
    }
}
