//! The log of a node's decisions: a chain of hashes that the node signs, and the comparison of several nodes' logs.
//!
//! The crate has no storage and no clock. A node makes entries with a [`Chain`] and stores each in the transaction that records the
//! decision. It signs a [`Head`] at intervals. [`export()`] writes entries as lines of JSON, [`import`] reads such lines from
//! anybody, and [`compare`] verifies a set of logs against each other and against ledgers and signatures.
//!
//! ```
//! use custody_audit::{Chain, Event, export, import};
//! # use quorate_envelope::{Identity, Name};
//! # let identity = Identity::from_seed(Name::new("n1")?, &[1; 32]);
//! let mut chain = Chain::new("n1");
//! let mut rows = Vec::new(); // the node's table
//! # let events: Vec<Event> = vec![];
//! # let events = [Event::Pruned { through: 0, hash: custody_audit::Hex([0; 32]) }];
//! for event in events {
//!     rows.push(chain.append(1_800_000_000, event)); // in the transaction that records the decision
//! }
//! let head = chain.head(1_800_000_060).unwrap().sign(&identity);
//! let mut file = Vec::new();
//! export(&mut file, "n1", None, rows.iter().cloned().map(Ok), head)?;
//!
//! let log = import(&file[..], 1 << 20)?;
//! assert_eq!(log.entries, rows);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a comparison can find
//!
//! A node alone can write what it likes, and sign it. It cannot take back what it signed: a later log must have the same
//! entries. It cannot invent a request: callers and approvers sign theirs, and the signatures are in the entries. It cannot
//! say another thing about a request than the others without an [`Anomaly::Contradiction`], and it cannot leave out a share that
//! went into a signature on record, unless all who keep records do so too.
//!
//! # Pruning
//!
//! A node exports the log, signs the [`Head`] of the last entry to go, appends [`Head::pruned`], and deletes. Later exports begin
//! with that signed head. A log can also be exported in parts: each begins with the signed head of the part before, and all are
//! compared together. A log that begins elsewhere is an [`Anomaly::Unpruned`].
mod chain;
mod compare;
mod entry;
mod export;
mod finding;
mod hex;
mod summary;

pub use chain::{Chain, Head, SignedLogHead};
pub use compare::{Records, Signature, compare};
pub use entry::{Answer, Decision, Entry, EntryHash, Event};
pub use export::{ImportError, Log, export, import};
pub use finding::{Anomaly, Finding};
pub use hex::Hex;
pub use summary::summary;
