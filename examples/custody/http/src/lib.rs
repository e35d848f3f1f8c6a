//! The HTTP interface of the signing service, and its description in OpenAPI.
//!
//! [`api`] makes a router over a [`Service`], and [`description`] describes it. A [`Server`] serves it with [`Limits`], with
//! or without TLS. Probes and metrics are served by [`probes`] on a listener of their own, which callers cannot exhaust.
//!
//! Every request is signed (RFC 9421), also one that reads. The head is verified before the body is read. The first
//! request that verifies makes its connection one of a caller. Connections of strangers are few, and the oldest is closed
//! when a new one comes.
//!
//! The description is `openapi.json` beside the crates. `generated.sh` makes clients of it in Python and TypeScript, and has each
//! sign.

mod api;
mod connections;
mod failure;
mod handlers;
mod limits;
mod metrics;
mod probes;
mod server;
mod signed;
mod tls;

pub use api::{api, description};
pub use connections::Connection;
pub use limits::Limits;
pub use metrics::Metrics;
pub use probes::{Health, probes};
pub use server::Server;
pub use tls::{TlsError, tls};
