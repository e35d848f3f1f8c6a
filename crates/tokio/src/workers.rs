//! The threads that do the rounds.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use quorate_runner::{FinishedWork, Store, Work};

use crate::input::Input;
use crate::panics::caught;

/// Threads that do pieces of work. They end when it is dropped.
pub(crate) struct Workers {
    /// `None` if there are no threads.
    work: Option<Sender<Work>>,
    /// The number of threads, or one: the runner's own.
    pub(crate) count: usize,
}

impl Workers {
    pub(crate) fn start<S, A>(count: usize, inputs: &Sender<Input<S, A>>) -> io::Result<Self>
    where
        S: Store<Error: Send> + 'static,
        A: 'static,
    {
        let (work, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        for number in 1..=count {
            let (queue, inputs) = (Arc::clone(&queue), inputs.clone());
            let builder = thread::Builder::new().name(format!("quorate-worker-{number}"));
            builder.spawn(move || work_off(&queue, &inputs))?;
        }
        Ok(Self { work: (count > 0).then_some(work), count: count.max(1) })
    }

    /// Hands a piece of work to a thread. Gives it back if there are none.
    pub(crate) fn hand_over(&self, work: Work) -> Option<Work> {
        let Some(queue) = &self.work else { return Some(work) };
        // The threads last as long as the queue.
        queue.send(work).err().map(|lost| lost.0)
    }
}

fn work_off<S: Store, A>(queue: &Mutex<Receiver<Work>>, inputs: &Sender<Input<S, A>>) {
    loop {
        // One thread waits for work, the others for their turn.
        let work = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = work else { return };
        let sid = work.sid();
        let finished = Box::new(step(work));
        if inputs.send(Input::Worked(sid, finished)).is_err() {
            return;
        }
    }
}

/// Does a piece of work.
pub(crate) fn step(work: Work) -> Result<FinishedWork, String> {
    #[cfg(feature = "metrics")]
    let began = std::time::Instant::now();
    let finished = caught(|| work.run());
    #[cfg(feature = "metrics")]
    metrics::histogram!(crate::meters::STEP).record(began.elapsed());
    finished
}
