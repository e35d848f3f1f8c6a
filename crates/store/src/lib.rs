//! The store of `quorate-runner` in a database: SQLite in a file, or a schema of PostgreSQL.
//!
//! ```no_run
//! let store = quorate_store::SqliteStore::open("node.db")?;
//! # Ok::<(), quorate_store::Error>(())
//! ```
//!
//! `SqliteStore` and `PostgresStore` keep everything that has to outlive a runner's process:
//! jobs, runs, messages, and the table of what was spent. Each method is one transaction, which is on the disk when the method
//! returns. The crate never sees a secret, but where [`SqlStore::reseal`] replaces the seal key: the runner seals sessions, frames,
//! messages and outcomes under it. Names, digests, parties and times are in clear.
//!
//! # Example
//!
//! Two parties learn whether they hold the same document. The process of the first ends in the middle, and starts again.
//!
//! ```
//! # use quorate_runner::{App, Record, RunEnd};
//! # use quorate_session::{Abort, Binding, Inbox, Limits, Next, Outbox, ParamError, Round, Run};
//! # use quorate_session::zeroize::Zeroizing;
//! use std::sync::Arc;
//! use getrandom::SysRng;
//! use quorate_runner::{Continuity, EndKind, Job, MemoryTransport, Runner};
//! use quorate_session::rand_core::UnwrapErr;
//! use quorate_session::{Parties, PartyId, Protocol, SealKey, SessionId};
//! use quorate_store::SqliteStore;
//! # struct Compare; // the protocol, as in the documentation of `quorate-runner`
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
//! # struct Documents;
//! # impl App<Compare> for Documents {
//! #     type Record = Verdict;
//! #     fn params(&mut self, job: &Job) -> Option<Vec<u8>> { Some(job.body.clone()) }
//! #     fn record(&mut self, _: &Job, end: RunEnd<bool>) -> Verdict { Verdict { same: matches!(end, RunEnd::Done(true)) } }
//! # }
//! # struct Verdict { same: bool }
//! # impl Record for Verdict {
//! #     fn to_bytes(&self) -> Zeroizing<Vec<u8>> { Zeroizing::new(vec![u8::from(self.same)]) }
//! #     fn from_bytes(bytes: &[u8]) -> Option<Self> { Some(Self { same: bytes == [1] }) }
//! # }
//! # let folder = std::env::temp_dir().join(format!("quorate-store-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//!
//! /// A party's node, as its process starts it. What was spent is in a file of its own, which no backup reaches.
//! let open = |me: u16| {
//!     let mut store = SqliteStore::options()
//!         .spent(folder.join(format!("spent-{me}.db")))
//!         .open(folder.join(format!("node-{me}.db")))?;
//!     // This operator vouches that no copy was restored. Peers or a counter are better witnesses.
//!     let continuity = store.continuity(Continuity::Operator)?;
//!     let key = Arc::new(SealKey::new([2; 32]));
//!     let runner = Runner::builder(PartyId::new(me).unwrap(), key, continuity).protocol::<Compare>();
//!     Ok::<_, Box<dyn std::error::Error>>(runner.open(store, Documents)?)
//! };
//!
//! let parties = Parties::numbered(2)?;
//! let job = Job { sid: SessionId::new([1; 32]), parties: parties.clone(), body: b"we agree".to_vec(), deadline: 60_000 };
//! let mut ends = MemoryTransport::network(&parties);
//! let mut first = open(1)?;
//! first.start::<Compare>(&job, 0, &mut UnwrapErr(SysRng))?;
//! // The process ends before anything is sent. Its successor knows the run, and what it has to send.
//! drop(first);
//! let mut nodes = [open(1)?, open(2)?];
//! nodes[1].start::<Compare>(&job, 1_000, &mut UnwrapErr(SysRng))?;
//! let mut ended = Vec::new();
//! for now in [1_000, 2_000, 3_000] {
//!     for (node, end) in nodes.iter_mut().zip(&mut ends) {
//!         ended.extend(node.turn(end, now)?.ended);
//!     }
//! }
//! assert_eq!(ended.len(), 2);
//! assert!(ended.iter().all(|run| run.outcome.kind == EndKind::Done));
//! # drop(nodes);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What was spent
//!
//! A nonce or a presignature that is used twice reveals the key share. The table of claims says what was used, so it must
//! never lose a row. A backup loses rows: it is older than the claims that came after it. So keep the table apart,
//! with `options().spent(…)`, in a file or on a server that no backup, snapshot or lagging replica brings back. A store that
//! began without it hands its claims over when it is first opened with it, and opens with it alone from then on.
//!
//! The two databases watch each other. Each transaction that lets something out (a run begins, continues or ends; a claim)
//! leaves a numbered, random mark, and the other database remembers the last one. That costs a second commit. A store whose
//! databases do not fit together does not open: [`Error::RolledBack`] says which is the older one.
//!
//! | restored to an older copy | noticed |
//! |---|---|
//! | the runs alone | when it is opened, if any step was lost; at the next step, if it is open |
//! | what was spent alone, or it is missing | the same, if any claim was lost |
//! | both, copied at different times | when it is opened, if the runs were copied first and a run made a step in between, or what was spent was copied first and a claim was made in between; otherwise **by no database** |
//! | both, copied at one moment | **by no database**: a [`Head`] that a witness remembers shows it |
//! | a store in one database | **by no database**: as above |
//! | frames that were received, without a step since | never; such a run ends at its deadline |
//!
//! A handle that is open notices at its next step or message that one of the databases was restored, and gives
//! [`Error::RolledBack`]. If both are restored, only a witness knows, and it is asked when the store is opened: stop all handles
//! before both are restored or fail over.
//!
//! A party on an older copy that nobody notices does more than forget what was spent. It runs rounds again with other
//! random numbers, and its own two signed messages convict it of equivocation.
//!
//! A witness is a peer that stayed up, or a counter outside. Tell it the store's [`head`](SqlStore::head) before
//! messages are sent, and before anything is given out for which a claim was recorded. Ask the store after a restart for the [`standing`](SqlStore::standing) of what it remembers. With
//! [`Standing::Known`] open the runner with `Continuity::Peers` or `Continuity::Counter`, else with `Continuity::Unknown`.
//!
//! Restored all the same? `allow_rolled_back` opens the store, and [`SqlStore::continuity`] gives `Unknown`: the runner ends
//! all open runs. Drop all presignatures and nonces, then call [`SqlStore::accept_rolled_back`]; [`settle_rolled_back`] does that
//! in this order. Key shares are not affected.
//!
//! # Rows of the application
//!
//! What an application keeps of its own goes into the same databases: [`SqlStore::records`] writes rows beside the runs, and
//! [`SqlStore::spend`] beside what was spent, in the transaction that records claims. A share of a signature, the decision
//! that allowed it and a mark that may only rise are so stored together, and a rollback of one database shows.
//!
//! # Beside the database
//!
//! Stocks of presignatures, identities and primes are not rows. [`file`](mod@file) replaces a file whole or not at all, and reads it
//! only if nobody but its owner can.
//!
//! # Operation
//!
//! - **Several processes** may share a store; one writes at a time. SQLite's file must not lie on a network's file system. A
//!   handle's methods block: call them on a thread that no async runtime owns. PostgreSQL's need a session: no proxy that
//!   pools transactions.
//! - **Sizes.** A run that has ended keeps its tombstone and its outcome for good: in SQLite 410 bytes and the outcome's own.
//!   A claim takes 80 bytes; a mark 25, and the last 4096 are kept. The runner prunes parked frames and messages whose
//!   time is over, at most 4096 rows of each a call. SQLite uses the freed pages again. `VACUUM` gives them back to the disk;
//!   run it while no runner is open. PostgreSQL's autovacuum needs no help.
//! - **Batches.** What has gathered in a turn of the runner is one transaction: many runs wait for the disk once. If one record of a
//!   batch fails, each is stored in a transaction of its own.
//! - **Totals** of runs and messages are kept by triggers of the database, so a step costs the same with ten open runs and with a
//!   thousand. On PostgreSQL the language `plpgsql` must be there, as it is unless somebody has removed it.
//! - **Backups.** Use `VACUUM INTO` or `pg_dump`, of the runs alone. A file that is copied while it is open is damaged.
//!   A restored file must not meet the `-wal` and `-shm` files of another time: delete them first.
//! - **Durability.** SQLite runs with a write-ahead log, `synchronous = FULL` and `fullfsync`, PostgreSQL with
//!   `synchronous_commit = on`. Its server must run with `fsync = on`, and a standby may lag: after a failover the continuity
//!   is unknown.
//! - **Versions.** The database knows the version of its schema. A later release migrates it when it opens it, in one transaction:
//!   stop all other processes first. An older release refuses it by number.
//! - **Tables of before version 1** have no number: those of `examples/custody` before this crate. Opened with
//!   `options().kind(code, kind)` for each code of a protocol in their runs, they are taken over once: jobs, runs, frames, messages and
//!   claims. Their counters and marks (`totals`, `parked`, `marks`, `confirmed`) are dropped. `spent` and `witness` stay and are not
//!   read again: a signature share in `spent` is not taken over, so its run sends none. The application's own tables (`keys`,
//!   `secrets`, `presignatures`) stay as they are; the application reads them and writes rows of its own.
//! - **Rights.** Give the files, or the schema, to the service's account alone. An account that can write them can delete a claim.
//! - **Times** up to 2^63 - 1 can be stored; later ones are refused.
//!
//! # Writing a third store
//!
//! Implement [`RunTable`](quorate_runner::RunTable), [`MessageTable`](quorate_runner::MessageTable) and
//! [`SpentTable`](quorate_session::SpentTable). The example of [`MemoryStore`](quorate_runner::MemoryStore) shows the rows of one run.
//! `runs.rs`, `inbox.rs` and `outbox.rs` here are their SQL, which any database with
//! transactions runs. Then:
//!
//! 1. Run `quorate_runner::testing::conformance` with a `reopen` that closes the handle and opens another.
//! 2. Run `conformance_at_once`, several times.
//! 3. Kill a process in the middle, and look for everything that it acknowledged.
//!
//! | lie | noticed by |
//! |---|---|
//! | sessions, jobs, frames, messages or outcomes are cut at some length | `conformance` |
//! | times of 32 bits or as floats; names of 31 bytes; parties of one byte | `conformance` |
//! | runs or jobs come from a cache, or from a replica that lags | `conformance` |
//! | part of a batch is always missing | `conformance` |
//! | the newest canary wins; one bound for all outboxes; messages without an end or their run | `conformance` |
//! | a handle caches what another one changes | `conformance_at_once` |
//! | claims, begins, swaps or frames are looked up and then written, without a lock | `conformance_at_once`, by chance |
//! | a record that is refused takes the rest of its batch with it, or those behind it do not see it | `conformance` |
//! | the last write is lost when the handle is closed | `conformance`, if `reopen` closes it |
//! | a method is two transactions, torn by a crash between them | a kill in that moment alone |
//! | it acknowledges before the disk has it | a cut of the power alone |
//! | the whole store is an older copy | nothing in it: a witness |
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `sqlite` | yes | `SqliteStore`; SQLite is compiled along with it, by a C compiler |
//! | `postgres` | no | `PostgresStore`, over a client of the crate `postgres` that the caller has connected, with or without TLS |
#![cfg_attr(
    not(any(feature = "sqlite", feature = "postgres")),
    allow(dead_code, unused_imports, reason = "there is no database")
)]

mod any;
mod application;
mod engine;
mod error;
pub mod file;
mod inbox;
mod outbox;
mod pair;
#[cfg(feature = "postgres")]
mod postgres;
mod records;
mod reseal;
mod rolled_back;
mod runs;
mod schema;
mod settle;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
mod totals;
mod value;

pub use self::any::{AnyDatabase, AnyStore};
pub use self::error::Error;
pub use self::pair::{Head, Standing};
#[cfg(feature = "postgres")]
pub use self::postgres::{Postgres, PostgresOptions, PostgresStore};
pub use self::records::{Ledger, RecordRow, Records};
pub use self::reseal::Resealed;
pub use self::rolled_back::RolledBack;
pub use self::settle::settle_rolled_back;
#[cfg(feature = "sqlite")]
pub use self::sqlite::{Sqlite, SqliteOptions, SqliteStore};
pub use self::store::{Engine, SqlStore};
