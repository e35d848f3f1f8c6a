//! Spawning a service.

use core::fmt;
use core::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::{io, thread};

use futures_core::Stream;
use futures_sink::Sink;
use quorate_runner::{IncomingPacket, OutgoingPacket, Runner, Store, Time};
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::clock::{Clock, unix_time};
use crate::engine::{Ends, Engine};
use crate::panics::caught;
use crate::transport::{self, Intake};
use crate::workers::Workers;
use crate::{Event, Handle, Service};

/// The settings of a service before it is spawned. `E` is the error of its store.
#[must_use]
pub struct Builder<E> {
    workers: usize,
    queue: usize,
    intake: u32,
    outgoing: usize,
    clock: Clock,
    observer: Box<dyn FnMut(Event<E>) + Send>,
}

impl<E: 'static> Builder<E> {
    /// The defaults: a worker thread for each core but one, 256 jobs in the queue, 16 MiB of packets that have arrived, 256
    /// packets to be sent, and milliseconds since 1970.
    pub fn new() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self {
            workers: cores.saturating_sub(1),
            queue: 256,
            intake: 16 << 20,
            outgoing: 256,
            clock: Arc::new(unix_time),
            observer: Box::new(drop),
        }
    }

    /// Sets the number of threads that do the rounds. With none, the thread of the runner does them.
    ///
    /// While a round takes less than a millisecond, up to sixteen more wait for the threads: what they gave while the store
    /// was busy is stored in one transaction.
    pub fn workers(self, workers: usize) -> Self {
        Self { workers, ..self }
    }

    /// Sets the number of jobs and calls that may wait for the runner. Beyond it, the callers wait.
    pub fn queue(self, queue: usize) -> Self {
        Self { queue: queue.clamp(1, Semaphore::MAX_PERMITS), ..self }
    }

    /// Sets the number of bytes of arrived packets that may wait for the runner. Beyond it, the stream is not polled.
    pub fn incoming_bytes(self, bytes: u32) -> Self {
        Self { intake: bytes.max(1), ..self }
    }

    /// Sets the number of packets that may wait for the sink. Beyond it, they stay in the store.
    pub fn outgoing(self, packets: usize) -> Self {
        Self { outgoing: packets.clamp(1, Semaphore::MAX_PERMITS), ..self }
    }

    /// Sets the clock, in milliseconds. It has to go on across restarts.
    pub fn clock(self, clock: impl Fn() -> Time + Send + Sync + 'static) -> Self {
        Self { clock: Arc::new(clock), ..self }
    }

    /// Sets a function that is told of each [`Event`], on the thread of the runner: it must be quick. The end of each run is
    /// among them, also of those that no caller waits for.
    pub fn on_event(self, observer: impl FnMut(Event<E>) + Send + 'static) -> Self {
        Self { observer: Box::new(observer), ..self }
    }

    /// Spawns the service: a thread on which `open` opens the runner, and on which everything happens that blocks; the
    /// threads of the workers; and two tasks, which poll the stream and the sink of packets.
    ///
    /// Packets come with the sender whom the transport has authenticated. Those that the sink is given are to be encrypted to
    /// their recipients. The transport may lose packets, repeat them and change their order.
    ///
    /// # Errors
    /// [`SpawnError::Open`] if `open` fails. [`SpawnError::Panicked`] if it panics. [`SpawnError::Thread`].
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub async fn spawn<S, A, F, X>(
        self,
        open: impl FnOnce() -> Result<Runner<S, A>, F> + Send + 'static,
        packets: impl Stream<Item = IncomingPacket> + Send + 'static,
        sink: X,
    ) -> Result<(Handle<S, A>, Service<S, A>), SpawnError<F>>
    where
        S: Store<Error = E> + 'static,
        A: 'static,
        E: Send + 'static,
        F: Send + 'static,
        X: Sink<OutgoingPacket, Error: fmt::Display> + Send + 'static,
    {
        let Self { workers, queue, intake, outgoing, clock, observer } = self;
        let (inputs, taken) = channel();
        let workers = Workers::start(workers, &inputs).map_err(SpawnError::Thread)?;
        let queue = Arc::new(Semaphore::new(queue));
        let room = usize::try_from(intake).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        let intake = u32::try_from(room).unwrap_or(u32::MAX);
        let room = Arc::new(Semaphore::new(room));
        let (sender, unsent) = mpsc::channel(outgoing);
        let starved = Arc::new(AtomicBool::new(false));
        let read = transport::read(packets, inputs.clone(), Intake { room, bytes: intake });
        let write = transport::write(sink, unsent, inputs.clone(), Arc::clone(&starved));
        let tasks = [tokio::spawn(read), tokio::spawn(write)].map(|task| task.abort_handle());
        let ends =
            Ends { inputs: taken, queue: Arc::clone(&queue), sink: Some(sender), starved, tasks };
        let handle = Handle { inputs: inputs.clone(), queue, clock: Arc::clone(&clock) };
        let (opened, open_result) = oneshot::channel();
        let (last, end) = oneshot::channel();
        let body = move || {
            let runner = match caught(open) {
                Ok(Ok(runner)) => runner,
                Ok(Err(error)) => return drop(opened.send(Err(SpawnError::Open(error)))),
                Err(message) => return drop(opened.send(Err(SpawnError::Panicked(message)))),
            };
            // If the future was dropped, nobody has a handle.
            if opened.send(Ok(())).is_ok() {
                let stopped = Engine::new(runner, clock, ends, workers, observer).run();
                last.send(stopped).ok();
            }
        };
        let thread = thread::Builder::new().name("quorate-runner".to_owned());
        thread.spawn(body).map_err(SpawnError::Thread)?;
        open_result.await.unwrap_or_else(|_| Err(SpawnError::Panicked(String::new())))?;
        Ok((handle, Service { inputs, end, stopped: None }))
    }
}

impl<E: 'static> Default for Builder<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E> fmt::Debug for Builder<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("workers", &self.workers)
            .field("queue", &self.queue)
            .field("incoming_bytes", &self.intake)
            .field("outgoing", &self.outgoing)
            .finish_non_exhaustive()
    }
}

/// A service that could not be spawned. `F` is the error of the function that opens the runner.
#[derive(Debug)]
#[non_exhaustive]
pub enum SpawnError<F> {
    /// The runner did not open.
    Open(F),
    /// The function that opens the runner panicked, with this message.
    Panicked(String),
    /// The operating system gave no thread.
    Thread(io::Error),
}

impl<F: fmt::Display> fmt::Display for SpawnError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(error) => write!(f, "the runner did not open: {error}"),
            Self::Panicked(message) => write!(f, "opening the runner panicked: {message}"),
            Self::Thread(error) => write!(f, "no thread for the runner: {error}"),
        }
    }
}

impl<F: fmt::Debug + fmt::Display> core::error::Error for SpawnError<F> {}
