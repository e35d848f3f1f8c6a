//! The loop around many sessions at once, with a contract for storage.
//!
//! A [`Runner`] has all [sessions](quorate_session::Session) of one party, of as many protocols as it was
//! [built](Runner::builder) with. It routes frames to their runs, and parks those that come before their run has started.
//! It stores a session before it sends what follows from it, and sends again until a peer acknowledges. It tells peers when
//! it stops, gives runs up at their deadlines, and starts a job once. Sockets, threads and clocks are the caller's: it
//! gives the runner the [time](Time), and a [`Transport`] of two functions that may fail.
//!
//! A [`Store`] has everything that must outlive the process: one transaction a step, with [`MemoryStore`] for tests, and
//! conformance tests behind the feature `testing` for all others.
//!
//! ```text
//!              start(job)                    params(job), record(job, end)
//!   caller ─────────────────▶ ┌──────────┐ ─────────────────────────────▶ App<P>, one for each protocol
//!          next_work, finish  │  Runner  │
//!   threads ◀───────────────▶ │          │ ─────────────────────────────▶ Store: runs, messages, what was spent
//!              Work::run      └──────────┘   one transaction a step
//!                               ▲      │
//!                   receive(from, packet) outgoing() → OutgoingPacket { to, bytes }
//!                               │      ▼
//!                              transport: authenticated, encrypted
//! ```
//!
//! # After a restart
//!
//! A copy of an older state looks like the store itself, and a party that continues from it is lost: it answers again
//! where it has answered before. Peers then hold two different messages that it sent in one round, which is evidence of
//! equivocation **against this party**, though nobody has cheated. If it answers twice with one nonce or presignature, its
//! key share is revealed.
//!
//! So [`Runner::builder`] takes a [`Continuity`]: the reason why the store is known to be the latest. The rule for everything
//! that was made before a restart (open runs, presignatures, nonces):
//!
//! 1. It may be used if peers that stayed up vouch for the head of this party's ledger, or if a counter does that lies
//!    outside the store: a TPM's, a versioned object store, the receipts of those who requested signatures.
//! 2. If all parties restarted together, no peer can vouch. Without a counter all of them drop it. A snapshot of all
//!    virtual machines is the common case.
//! 3. Key shares are kept in either case.
//!
//! With [`Continuity::Unknown`] the runner continues no run: it ends each that is open, keeps its sealed bytes in the
//! [outcome](Outcome::unopened), and tells the peers. The application drops its stock
//! ([`Continuity::keeps_stock`]). A store of another key or another party is refused by
//! [its canary](RunTable::canary); nothing is ended by an error of that kind.
//!
//! # Example
//!
//! Two parties, each with its runner, learn whether they hold the same document.
//!
//! ```
//! # use std::cell::RefCell;
//! # use std::collections::VecDeque;
//! # use std::sync::Arc;
//! use getrandom::SysRng;
//! use quorate_runner::{
//!     App, Continuity, EndKind, IncomingPacket, Job, MemoryStore, Record, RunEnd, Runner, Transport,
//! };
//! # use quorate_session::{Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Round, Run};
//! use quorate_session::rand_core::UnwrapErr;
//! use quorate_session::{Parties, PartyId, Protocol, SealKey, SessionId, zeroize::Zeroizing};
//! # struct Compare;
//! # impl Protocol for Compare {
//! #     const NAME: &'static str = "compare";
//! #     const CODE: u8 = 255;
//! #     const FAMILY: &'static str = "";
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
//!     type Record = Verdict;
//!
//!     fn params(&mut self, job: &Job) -> Option<Vec<u8>> {
//!         Some(job.body.clone())
//!     }
//!
//!     fn record(&mut self, _: &Job, end: RunEnd<bool>) -> Verdict {
//!         Verdict { same: matches!(end, RunEnd::Done(true)) }
//!     }
//! }
//!
//! /// What it keeps of a run.
//! struct Verdict { same: bool }
//!
//! impl Record for Verdict {
//!     fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
//!         Zeroizing::new(vec![u8::from(self.same)])
//!     }
//!
//!     fn from_bytes(bytes: &[u8]) -> Option<Self> {
//!         Some(Self { same: bytes == [1] })
//!     }
//! }
//!
//! /// What the transport holds, by recipient.
//! # #[derive(Default)]
//! struct Wire { me: u16, mail: std::rc::Rc<RefCell<[VecDeque<IncomingPacket>; 2]>> }
//!
//! impl Transport for Wire {
//!     type Error = core::convert::Infallible;
//!
//!     fn send(&mut self, to: PartyId, packet: &[u8]) -> Result<(), Self::Error> {
//!         let from = PartyId::new(self.me).unwrap();
//!         let packet = IncomingPacket { from, bytes: packet.to_vec() };
//!         self.mail.borrow_mut()[usize::from(to.get()) - 1].push_back(packet);
//!         Ok(())
//!     }
//!
//!     fn receive(&mut self) -> Result<Option<IncomingPacket>, Self::Error> {
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
//!     let mut runner = Runner::builder(PartyId::new(me).unwrap(), key, Continuity::NewStore)
//!         .protocol::<Compare>()
//!         .open(MemoryStore::new(), Documents)?;
//!     runner.start::<Compare>(&job, 0, &mut UnwrapErr(SysRng))?;
//!     nodes.push((runner, Wire { me, mail: std::rc::Rc::clone(&mail) }));
//! }
//! // The loop of each node: a turn whenever something arrives, and when something is due.
//! let mut results = Vec::new();
//! for now in 0..3 {
//!     for (runner, wire) in &mut nodes {
//!         results.extend(runner.turn(wire, now)?.ended);
//!     }
//! }
//! assert_eq!(results.len(), 2);
//! let same = |run: &quorate_runner::EndedRun| run.outcome.record::<Verdict>().is_ok_and(|it| it.same);
//! assert!(results.iter().all(|run| run.outcome.kind == EndKind::Done && same(run)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **A transport that does not authenticate or encrypt.** See `quorate-session`. The runner also believes acknowledgements,
//!    and a peer's message that it has stopped, from the sender that the transport names.
//! 2. **A store that was restored to an older copy, and is said to be the latest.** The party is convicted of equivocation
//!    by its own messages, or loses its key share. Keep the table of claims outside the backups, and see *After a restart*.
//! 3. **A clock that jumps.** Deadlines and times are by the caller's clock; one that jumps ahead gives runs up.
//! 4. **Deadlines that differ.** Each party gives up by its own. The first tells the others.
//! 5. **A store that acknowledges before it is durable.** If a step is lost, the messages that were sent after it cannot be
//!    taken back.
//! 6. **Names of peers.** Every peer that the transport lets in may park up to [`Bounds::parked`] bytes, and may send a
//!    few frames for each run. The transport has to bound the number of peers.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | `MemoryTransport`, a transport between threads |
//! | `testing` | no | the conformance tests of a store, with one caller and with several at once |
//! | `tracing` | no | a span around each piece of work |
#![cfg_attr(not(feature = "std"), no_std)]
extern crate alloc;

mod app_fn;
mod bounds;
mod builder;
mod end;
mod job;
mod kind;
mod memory;
#[cfg(feature = "std")]
mod memory_transport;
mod metrics;
mod outcome;
pub mod packet;
mod registry;
mod reseal;
mod runner;
pub mod store;
#[cfg(feature = "testing")]
pub mod testing;
mod transport;
mod work;

pub use app_fn::app_fn;
/// Names for [`keep_outputs`].
#[doc(hidden)]
pub mod __private {
    use quorate_session::Protocol;

    pub type Output<P> = <P as Protocol>::Output;
    pub type Params<P> = <P as Protocol>::Params;
}
pub use bounds::{Bounds, PARKED_OVERHEAD, Refusal};
pub use builder::RunnerBuilder;
pub use job::{App, EndKind, Job, RunEnd, Time};
pub use kind::Kind;
pub use memory::MemoryStore;
#[cfg(feature = "std")]
pub use memory_transport::{Gone, MemoryTransport};
pub use metrics::{Metrics, Refusals};
pub use outcome::{OtherRecord, Outcome, Unopened};
pub use quorate_session::{Continuity, Record};
pub use reseal::Stored;
pub use runner::{
    EndedRun, Error, NewJob, OutgoingPacket, ReceiveOutcome, Runner, StartOutcome, Starting,
};
pub use store::{MessageTable, RunTable, Store};
pub use transport::{IncomingPacket, Transport, TurnOutcome};
pub use work::{FinishedWork, Work};
