//! The external signer of Kubernetes' service account tokens, over a committee.
//!
//! An API server that is started with `--service-account-signing-endpoint` has no signing key. For each token it calls a process
//! behind a Unix socket by gRPC (KEP-740): `Sign` for a signature, `FetchKeys` for the public keys, `Metadata` for the longest
//! life of a token. This crate is such a process. The API server needs no change.
//!
//! # What is signed
//!
//! The claims of a token come as JSON. They are read as [`JwtClaims`](quorate_purpose::JwtClaims), with the id of the key as the
//! `kid` and `JWT` as the `typ`, so every signer sees issuer, audiences, subject, expiry and the pod, and asks its own policy.
//! Claims that two readers of JSON may read differently are refused. Signatures are ES256: a key of ECDSA over P-256 makes them.
//!
//! # The parts
//!
//! [`messages`] has the messages of the protocol, and [`read`] makes a purpose of claims. Signer and server need the feature
//! `serve`, which is on by default.

mod claims;
pub mod messages;
#[cfg(all(unix, feature = "serve"))]
mod serve;
#[cfg(feature = "serve")]
mod settings;
#[cfg(feature = "serve")]
mod signer;
#[cfg(feature = "serve")]
mod status;

pub use claims::{MAX_CLAIMS, Malformed, read};
#[cfg(all(unix, feature = "serve"))]
pub use serve::serve;
#[cfg(feature = "serve")]
pub use settings::{Invalid, Settings};
#[cfg(feature = "serve")]
pub use signer::Signer;
