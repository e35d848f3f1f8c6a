//! The loop around many sessions at once, with a contract for storage.
//!
//! A [`Runner`] has all [sessions](quorate_session::Session) of one protocol at one party. It routes frames to their runs,
//! parks those that come before their run has started, stores a session before it sends what follows from it, sends again
//! until a peer acknowledges, tells peers when it stops, gives runs up at their deadlines, and starts a job once. It has no
//! socket, no thread, no clock and no async: the caller gives the [time](Time), and a [`Transport`] of two functions that may
//! fail.
//!
//! What has to outlive the process lies behind [`Store`]: one transaction a step, with [`MemoryStore`] for tests, and a
//! conformance test behind the feature `testing` for all others.
//!
//! # Example
//!
//! Two parties, each with its runner, learn whether they hold the same document.
//!
//! ```
//! # use std::cell::RefCell;
//! # use std::collections::VecDeque;
//! # use std::sync::Arc;
//! use quorate_runner::{App, Bounds, EndKind, Job, MemoryStore, RunEnd, Runner, Transport};
//! # use quorate_session::rand_core::{TryCryptoRng, TryRng};
//! # use quorate_session::{Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Round, Run};
//! use quorate_session::{Parties, PartyId, Protocol, SealKey, SessionId, zeroize::Zeroizing};
//! # struct Rng(u8); // stands for the system's generator
//! # impl TryRng for Rng {
//! #     type Error = core::convert::Infallible;
//! #     fn try_next_u32(&mut self) -> Result<u32, Self::Error> { Ok(4) }
//! #     fn try_next_u64(&mut self) -> Result<u64, Self::Error> { Ok(4) }
//! #     fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Self::Error> { to.fill(self.0); Ok(()) }
//! # }
//! # impl TryCryptoRng for Rng {}
//! # struct Compare;
//! # impl Protocol for Compare {
//! #     const NAME: &'static str = "compare";
//! #     const CODE: u8 = 255;
//! #     const ROUNDS: u8 = 1;
//! #     type Params = Vec<u8>;
//! #     type State = Vec<u8>;
//! #     type Output = bool;
//! #     fn bind(_: &Vec<u8>, _: &mut Binding) {}
//! #     fn limits(_: &Vec<u8>, _: usize, _: Round) -> Limits { Limits { broadcast: 64, direct: 0 } }
//! #     fn start(document: Vec<u8>, run: &Run) -> Result<(Vec<u8>, Outbox), ParamError> {
//! #         let mut transcript = run.transcript("document");
//! #         transcript.append("text", &document);
//! #         let digest = transcript.finish().to_vec();
//! #         Ok((digest.clone(), Outbox::broadcast(digest)))
//! #     }
//! #     fn next(own: Vec<u8>, _: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
//! #         Ok(Next::Done(inbox.each().all(|message| message.broadcast == own)))
//! #     }
//! # }
//!
//! /// What the application knows: here, the body of a job is the document.
//! struct Documents;
//!
//! impl App<Compare> for Documents {
//!     fn params(&mut self, job: &Job) -> Option<Vec<u8>> {
//!         Some(job.body.clone())
//!     }
//!
//!     fn record(&mut self, _: &Job, end: RunEnd<bool>) -> Zeroizing<Vec<u8>> {
//!         Zeroizing::new(vec![u8::from(matches!(end, RunEnd::Done(true)))])
//!     }
//! }
//!
//! /// What the transport holds, by recipient.
//! # #[derive(Default)]
//! struct Post { me: u16, mail: std::rc::Rc<RefCell<[VecDeque<(PartyId, Vec<u8>)>; 2]>> }
//!
//! impl Transport for Post {
//!     type Error = core::convert::Infallible;
//!
//!     fn send(&mut self, to: PartyId, packet: &[u8]) -> Result<(), Self::Error> {
//!         let from = PartyId::new(self.me).unwrap();
//!         self.mail.borrow_mut()[usize::from(to.get()) - 1].push_back((from, packet.to_vec()));
//!         Ok(())
//!     }
//!
//!     fn receive(&mut self) -> Result<Option<(PartyId, Vec<u8>)>, Self::Error> {
//!         Ok(self.mail.borrow_mut()[usize::from(self.me) - 1].pop_front())
//!     }
//! }
//!
//! let parties = Parties::numbered(2)?;
//! let job = Job { sid: SessionId::new([1; 32]), parties, body: b"we agree".to_vec(), deadline: 5_000 };
//! let mail = std::rc::Rc::default();
//! let mut nodes = Vec::new();
//! for me in [1, 2] {
//!     let key = Arc::new(SealKey::new([2; 32]));
//!     let on = (MemoryStore::new(), Documents);
//!     let mut runner = Runner::<Compare, _, _>::new(PartyId::new(me).unwrap(), key, on, Bounds::new(1_000))?;
//!     runner.start(&job, 0, &mut Rng(me as u8))?;
//!     nodes.push((runner, Post { me, mail: std::rc::Rc::clone(&mail) }));
//! }
//! // The loop of each node: a turn whenever something arrives, and when something is due.
//! let mut results = Vec::new();
//! for now in 0..3 {
//!     for (runner, post) in &mut nodes {
//!         results.extend(runner.turn(post, now)?.ended);
//!     }
//! }
//! assert_eq!(results.len(), 2);
//! assert!(results.iter().all(|run| run.outcome.kind == EndKind::Done && *run.outcome.record == [1]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **A transport that does not authenticate or encrypt.** See `quorate-session`; acknowledgements and the word of a peer
//!    that it has stopped are believed of whoever the transport says has sent them.
//! 2. **A store that is brought back.** A restored backup revives sessions whose frames were sent, and outboxes. Keep the
//!    table of claims outside the backups, and refuse to go on with a store that was restored, as the example `custody` does.
//! 3. **A clock that jumps.** Deadlines and times are by the caller's clock; one that jumps ahead gives runs up.
//! 4. **Deadlines that differ.** Each party gives up by its own. The first tells the others.
//! 5. **A store that acknowledges before it is durable.** What is sent after a step that is then lost cannot be taken
//!    back.
//! 6. **Names of peers.** Every peer that the transport lets in may park up to [`Bounds::parked`] bytes, and may send a
//!    few frames for each run: the number of peers is the transport's to bound.
//!
//! # Features
//!
//! `std` (on by default) adds [`MemoryTransport`]; `async` adds `RunnerStream`, for programs that poll; `testing` the
//! conformance test of a store; `tracing` a span around each piece of work.
#![cfg_attr(not(feature = "std"), no_std)]
extern crate alloc;

mod app_fn;
mod bounds;
mod job;
mod memory;
#[cfg(feature = "std")]
mod memory_transport;
pub mod packet;
mod reseal;
mod runner;
pub mod store;
#[cfg(feature = "async")]
mod stream;
#[cfg(feature = "testing")]
pub mod testing;
mod transport;
mod work;

pub use app_fn::app_fn;
pub use bounds::{Bounds, Metrics, PARKED_OVERHEAD, Refusal};
pub use job::{App, EndKind, Job, Outcome, RunEnd, Time};
pub use memory::MemoryStore;
#[cfg(feature = "std")]
pub use memory_transport::{Gone, MemoryTransport};
pub use reseal::Stored;
pub use runner::{EndedRun, Error, OutgoingPacket, ReceiveOutcome, Runner, StartOutcome};
pub use store::Store;
#[cfg(feature = "async")]
pub use stream::{RunnerStream, Runtime};
pub use transport::{Transport, TurnOutcome};
pub use work::{FinishedWork, Work};
