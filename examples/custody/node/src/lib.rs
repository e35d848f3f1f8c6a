//! A node of the signing service: it holds shares of keys, decides by its own policy, and signs.
//!
//! A [`Node`] takes [orders](custody_core::Order) as data, and trusts nobody who brings them. It verifies the caller's signature,
//! decodes the purpose, asks its policy, records the decision, and only then lets a share of a signature out.
//!
//! A node keeps what has to outlive its process in the two databases of an [`AnyStore`](quorate_store::AnyStore). What was
//! spent, watermarks, counters, decisions and the shares that were given out lie beside what was spent: where no backup reaches.
//!
//! # In a process
//!
//! 1. Connect a transport that opens envelopes, and make [`Witnesses`]. Send their [heartbeats](Witnesses::heartbeats) to the other
//!    nodes, answer theirs with [`Witnesses::heartbeat`], and hand answers to [`Witnesses::witnessed`].
//! 2. [Spawn](Node::spawn) the node with [`open_witnessed`]. It opens when its peers have said that its databases are the latest,
//!    or when nobody can.
//! 3. Hand packets of runs from other nodes to its stream, and orders of gateways to [`Node::order`].
//! 4. Run [`Node::search_primes`] once, [`Node::update`] and a round of heartbeats each second, [`Node::maintain`] each minute.
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **A backup of the database of what was spent.** A node that is restored with it, together with all of its peers, has
//!    forgotten watermarks and counters. Presignatures and nonces are dropped even then.
//! 2. **What peers have not heard.** They know how far a node had come by the last of its heartbeats that reached them: a second
//!    ago, or longer if the broker holds heartbeats back.
//! 3. **A policy that allows an opaque kind.** The node signs what nobody can read.
//! 4. **Two processes on one store.** Each has its own copy of the keys in memory. Hold a lock.

mod accuse;
mod agree;
mod apps;
mod audit;
mod backup;
mod change;
mod committees;
mod confirm;
mod copies;
mod decide;
mod drive;
mod generate;
mod held;
mod info;
mod jobs;
mod life;
mod maintain;
mod node;
mod open;
mod primes;
mod recorded;
mod rejoin;
mod request;
mod reseal;
mod rows;
mod seal;
mod settings;
mod sign;
mod state;
mod stock;
mod vault;
mod watermark;
mod witness;

pub use backup::{Backup, Checked};
pub use node::{Node, NodeService};
pub use open::{open, open_witnessed};
pub use reseal::reseal;
pub use settings::{Limits, Settings};
pub use vault::Vault;
pub use witness::{Finding, Witnesses};
