//! The loop of a threshold-signing service over tokio: a runner on a thread of its own, behind a handle to await runs with.
//!
//! A [`Handle`] is `Clone`, `Send` and `Sync`. Any task starts a job and awaits its typed outcome:
//! `let outcome = handle.run::<Dkg>(job).await?`. Packets from and to the peers are a `Stream` and a `Sink`. The transport behind
//! them is yours: it authenticates and encrypts. The store may block, since nothing else happens on its thread.
//!
//! ```text
//!  your tasks                        the runner's thread                        your code
//!  ──────────                        ───────────────────                        ─────────
//!  handle.run::<P>(job).await ─────▶ ┌────────┐ params(job), record(job, end) ▶ App<P>, one for each protocol
//!             a typed outcome ◀───── │        │ one transaction a step ───────▶ Store
//!  service.shutdown(limit)    ─────▶ │ Runner │ Event (run ended, failed, …) ─▶ on_event
//!                                    │        │
//!  Stream of IncomingPacket   ─────▶ │        │ ─────▶ Sink of OutgoingPacket
//!                                    └────────┘
//!                                   Work │  ▲ FinishedWork
//!                                        ▼  │
//!                                   worker threads: the rounds
//! ```
//!
//! # The loop
//!
//! A party makes a key with its peers over TCP, and keeps everything in SQLite. This is a whole service; a test runs three of
//! them as they are printed.
//!
#![doc = concat!("```no_run\n", include_str!("../tests/sockets/node.rs"), "```")]
//!
//! # What goes wrong
//!
//! | what happens | what the service does |
//! |---|---|
//! | the process is told to end | [`Service::shutdown`] finishes the steps under way and sends what is due, within a limit; the next start resumes all runs |
//! | the process dies | the store has each run at its last step; the next start resumes it |
//! | more jobs come than it can take | [`Handle::run`] waits: in the queue, and while [`Bounds::open`](quorate_runner::Bounds::open) runs are open; a job whose deadline comes first is refused |
//! | the sink is full | packets stay in the store; runs and deadlines go on |
//! | the sink returns an error | [`Event::NotSent`]; the packet is sent again later |
//! | peers send faster than the store stores | the stream is not polled beyond [`Builder::incoming_bytes`] |
//! | the stream ends, or the stream or sink panics | the service stops, and [`Service::stopped`] says why |
//! | a function of the application panics | its callers get [`Error::Panicked`]; the run stands still, others go on |
//! | the store fails or panics | [`Event::Failed`] or [`Event::Panicked`]; it is asked again after one, two, four, then every eight seconds; all runs go on from what it has |
//! | a future of a handle is dropped | a job that had not begun is not started; a run that had begun continues |
//! | a job is handed in twice | it is one run, and both callers get its outcome |
//! | a job is handed in again after its run has ended, also in another process | the stored outcome, at once |
//! | a run ends that no caller waits for: it was resumed after a restart | [`Event::Ended`], as for every run |
//! | a peer begins first | its packets are parked until the job is handed in here; peers agree on jobs by another way |
//! | another process on the same store ends a run | its caller here gets the outcome within about a second |
//!
//! **After a panic**, a run stands still: the store keeps it as it was before the step, the thread does not touch it, and its deadline
//! does not end it. So a bug in [`App::record`](quorate_runner::App::record) loses no key share: mend it, and spawn the service
//! again. [`Handle::abandon`] ends the run for good instead. This takes `panic = "unwind"`, which is the default.
//!
//! # Settings
//!
//! [`Builder::spawn`] opens the runner by a function, on the thread where it stays: opening a database blocks, too, and a client of
//! PostgreSQL must not be used on a thread of a runtime. Times are in milliseconds: by default since 1970, by the system's clock.
//!
//! The transport decides about slow peers. A transport that holds up all packets because one peer is slow delays every run.
//! [`Links`] is a sink that gives each peer a queue and a connection of its own, and drops what does not fit: the runner
//! sends it again.
//!
//! # Metrics
//!
//! With the feature `metrics`. Each has a label `party`, except the histogram.
//!
//! | name | kind | what it counts |
//! |---|---|---|
//! | `quorate_runs_started_total` | counter | jobs started |
//! | `quorate_jobs_redelivered_total` | counter | jobs delivered again |
//! | `quorate_runs_done_total` | counter | runs ended with a result, confirmed or not |
//! | `quorate_runs_stopped_total` | counter | runs ended without a result |
//! | `quorate_runs_closed_total` | counter | of these, runs closed as damaged, or abandoned |
//! | `quorate_rounds_total` | counter | rounds completed |
//! | `quorate_sessions_opened_total` | counter | sessions opened from the store |
//! | `quorate_steps_stale_total` | counter | steps that another process on the store had made |
//! | `quorate_frames_received_total` | counter | frames stored for an open run |
//! | `quorate_frames_parked_total` | counter | frames parked until their run starts |
//! | `quorate_frames_duplicate_total` | counter | frames that had come before |
//! | `quorate_frames_late_total` | counter | frames of runs that have ended |
//! | `quorate_packets_sent_total` | counter | packets sent, each time counted |
//! | `quorate_messages_acknowledged_total` | counter | messages that peers acknowledged |
//! | `quorate_refused_total` | counter | packets and jobs refused, by the label `reason` |
//! | `quorate_frames_damaged_total` | counter | frames that the store had damaged |
//! | `quorate_messages_damaged_total` | counter | messages that the store had damaged |
//! | `quorate_rows_other_key_total` | counter | rows under another seal key |
//! | `quorate_panics_total` | counter | panics of others' code |
//! | `quorate_failures_total` | counter | steps that failed, as a rule in the store |
//! | `quorate_packets_not_sent_total` | counter | packets that the sink refused |
//! | `quorate_jobs_waiting` | gauge | jobs that wait to be started |
//! | `quorate_runs_awaited` | gauge | runs whose callers wait |
//! | `quorate_steps_at_work` | gauge | steps that workers do |
//! | `quorate_runs_standing_still` | gauge | runs that stand still after a panic |
//! | `quorate_packets_waiting` | gauge | packets that wait for the store |
//! | `quorate_packets_unsent` | gauge | packets that wait for the sink |
//! | `quorate_sessions_in_memory` | gauge | sessions in memory |
//! | `quorate_step_seconds` | histogram | the time of a step, on a worker |
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `metrics` | no | the metrics above, through the facade `metrics` |
//! | `tracing` | no | an event for each [`Event`], a span around each step, and the caller's span around the start of its job |

mod builder;
mod clock;
mod engine;
mod error;
mod event;
mod handle;
mod input;
mod jobs;
mod links;
#[cfg(feature = "metrics")]
mod meters;
mod outcome;
mod panics;
mod places;
mod service;
#[cfg(feature = "tracing")]
mod spans;
mod transport;
mod workers;

pub use self::builder::{Builder, SpawnError};
pub use self::clock::unix_time;
pub use self::error::Error;
pub use self::event::Event;
pub use self::handle::Handle;
pub use self::links::Links;
pub use self::outcome::RunOutcome;
pub use self::places::{Place, Places, TooMany};
pub use self::service::{Service, StopReason, Stopped};
