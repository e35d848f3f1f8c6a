//! Attacks on nodes in processes of their own: members who lie, copies that are restored, and the first hour.
#![allow(
    missing_docs,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests"
)]

#[path = "attacks/cluster.rs"]
mod cluster;
#[path = "../src/demo.rs"]
#[allow(dead_code, reason = "the demonstration itself")]
mod demo;
#[path = "attacks/members.rs"]
mod members;
#[path = "../src/net.rs"]
#[allow(dead_code, reason = "the nodes' side")]
mod net;
#[path = "attacks/network.rs"]
mod network;
#[path = "attacks/restored.rs"]
mod restored;
#[path = "attacks/starts.rs"]
mod starts;

type Result<T, E = Box<dyn core::error::Error + Send + Sync>> = core::result::Result<T, E>;
