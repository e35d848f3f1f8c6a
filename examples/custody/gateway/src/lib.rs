//! The gateway of the signing service: it keeps requests, orders signature shares from nodes, and aggregates them.
//!
//! A gateway knows no secret, and nobody trusts it. It verifies each signature before it gives it out, and a key before it
//! uses it: all members have certified the key. [`Gateway::spawn`] starts one over a [`Database`] and a transport.
//!
//! Orders for a node that are ready together share an envelope. Those to sign among them share a transaction of the node,
//! and each stays an order of its own. Every order is repeated until its node answers. After a crash the gateway continues
//! from its database: nodes give the same share again, and list what they have ready.

mod config;
mod database;
mod earlier;
mod engine;
mod gateway;
mod keys;
mod metrics;
mod nodes;
mod orders;
mod pool;
mod reasons;
mod requests;
mod scheme;
mod signers;
mod signing;
mod state;
mod stock;
mod work;

pub use config::{Config, Times};
pub use database::Database;
pub use gateway::{Gateway, Parts};
pub use metrics::{Metrics, NodeView};
pub use quorate::session::stock::WaterMarks;
pub use signers::SignatureRecord;
