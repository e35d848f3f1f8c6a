//! The remote signer of a CometBFT validator, whose key is that of a committee.
//!
//! A CometBFT node that has `priv_validator_laddr` in its configuration holds no key. It waits for a signer to connect, and asks
//! it for each vote and proposal. This signer reads what it is asked for as a [`Vote`](quorate_purpose::comet::Vote), a
//! [`Proposal`](quorate_purpose::comet::Proposal) or a [`VoteExtension`](quorate_purpose::comet::VoteExtension), and asks the
//! committee for a signature of that. It keeps no state: every node of the committee records height, round, step and value
//! before its share leaves.
//!
//! The protocol is that of CometBFT 0.38 and 1.0: messages of protobuf behind their length, over a Unix socket as they are, and
//! over TCP in a [`SecretConnection`].

mod handshake;
mod message;
mod proto;
#[cfg(feature = "serve")]
mod secret;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod signer;
mod vote;

pub use handshake::{Authentication, Hello};
pub use message::{Answer, MAX_LENGTH, RemoteError, Request};
pub use proto::Malformed;
#[cfg(feature = "serve")]
pub use secret::SecretConnection;
#[cfg(feature = "serve")]
pub use serve::{Address, AddressError, serve};
#[cfg(feature = "serve")]
pub use signer::Signer;
pub use vote::{SignedProposal, SignedVote, VoteRequest};
