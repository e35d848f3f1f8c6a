//! The laboratory of the signing service. Never in the shipped binary.
//!
//! [`Cluster`] runs a broker, nodes and gateways as processes with folders and ports of their own, kills them, and starts
//! them again. [`Load`] sends requests and accounts for each. The program `custody-lab` does what `custody` does, but its nodes
//! may lie ([`Lie`]), and it may be of an earlier release.

mod chaos;
mod cluster;
mod databases;
mod http;
mod liar;
mod load;
mod machines;
mod place;
mod process;
mod work;

pub use chaos::{Plan, Report};
pub use cluster::{Cluster, PATIENCE};
pub use databases::Databases;
pub use liar::Lie;
pub use load::{Ends, Load};
pub use machines::Options;
pub use place::Place;
pub use process::{Process, nats_server, port};
pub use work::{POLICY, message, payment, spec};
