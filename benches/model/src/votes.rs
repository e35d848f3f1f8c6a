//! The rule that one vote has one signature, whichever gateways are asked (`docs/spec/models.md`).
//!
//! The nodes of a validator's key are asked for one height, round and step. Callers have signed several requests for it, with time
//! stamps of their own, and perhaps for another block. Each request is at a gateway of its own, or a hostile gateway has all of them.
//!
//! - [`Node`] follows `examples/custody/node/src/sign/release.rs`, `recorded.rs` and `watermark.rs`.
//! - [`Gateway`] follows `examples/custody/gateway/src/signing.rs` and `earlier.rs`.

mod case;
mod gateway;
mod node;
mod steps;

pub use case::{Case, Guard, Request, cases, variants};
pub use gateway::Gateway;
pub use node::{Answer, Node};
pub use steps::{Act, Package, World};
