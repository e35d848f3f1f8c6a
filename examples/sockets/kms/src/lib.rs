//! The signing part of the interface of AWS KMS, over a committee.
//!
//! Programs that keep their keys in AWS KMS ask it by an SDK, whose endpoint can be configured. This crate answers
//! `ListKeys`, `ListAliases`, `DescribeKey`, `GetPublicKey` and `Sign`. Everything else is an unknown operation.
//!
//! Each request has to be signed with Signature Version 4 under an access key that the socket knows. The access key is the
//! name under which policies see the program.
//!
//! # What is signed
//!
//! A message (`RAW`) is read as one of the kinds that the key is bound to: see [`read`](sockets_backend::read). Other messages
//! are opaque. A digest (`DIGEST`) is always opaque. Opaque bytes can be anything, so only keys that are bound to
//! `opaque-message` or `opaque-digest` sign them, and only under a policy that names these kinds.
//!
//! # Differences from AWS KMS
//!
//! - The id of a key is that of its committee, 64 hexadecimal digits. It can also be named by `alias/` and its name.
//! - A message that is repeated under the same access key gets the same signature.
//! - Signatures of ECDSA have the lower of the two values of s.
//! - Hashes of messages before Ed25519 and ML-DSA (`ED25519_PH_SHA_512`, `EXTERNAL_MU`) are refused.

mod algorithm;
mod error;
mod kms;
mod operations;
mod serve;
mod signature;
mod time;

pub use algorithm::Algorithm;
pub use error::{Error, ErrorKind};
pub use kms::{Kms, Place};
pub use serve::serve;
pub use signature::{Head, verify};
