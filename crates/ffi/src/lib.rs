//! Threshold signatures for Python, Kotlin and Swift, by UniFFI.
//!
//! | object | what it is |
//! |---|---|
//! | [`Session`] | a run of any protocol, by its [`Task`]: key generation, auxiliary information, presigning, signing in one go, attempts of ML-DSA, resharing and refresh, repair, acknowledgement |
//! | [`KeyShare`], [`PublicKey`] | a share of a key of any [`Scheme`], and its public side |
//! | [`Nonces`], [`NonceStock`], [`SigningPackage`], [`SigningSession`] | signing with FROST |
//! | [`AuxSearch`], [`AuxSecrets`], [`AuxInfo`], [`Presignature`], [`PresignatureInfo`] | signing with ECDSA |
//! | [`MlDsaKeyShare`], [`MlDsaPublicKey`], [`MlDsaAttempt`] | threshold ML-DSA, **experimental** |
//! | [`SealKey`] | the key under which everything secret leaves |
//! | [`SpentTable`] | the table of spent names, which the foreign side implements |
//!
//! Everything fails with [`QuorateError`]: what kind it is, who is to blame, and which check found it.
//!
//! # What a handle promises
//!
//! The foreign side holds counted references, which it may copy, and use from any thread. So what may happen once is
//! moved out of its object before it happens: of two calls that use up one object, one gets [`ErrorKind::Consumed`],
//! whichever thread, copy or exception there was. No call panics because of what it was given.
//!
//! # Secrets
//!
//! No function returns a secret in clear, and no object prints one. Shares, presignatures, nonces, auxiliary information,
//! searches and sessions leave sealed. What memory on the foreign side cannot promise:
//!
//! 1. **The bytes of a [`SealKey`]** lie in the caller's memory before they come here. Overwrite them at once where the
//!    language can: a direct `ByteBuffer` in Kotlin, a `Data` in Swift. Python's binding takes `bytes` alone, which stay
//!    until their memory is used again: fetch them in the call, and bind them to no name.
//! 2. **Messages to one party** ([`Outgoing::recipient`]) hold shares of secrets and cross in clear, because the caller's
//!    transport encrypts them. UniFFI copies what crosses, both ways, and wipes none of its copies.
//! 3. **When an object dies** is the collector's business. Its secrets are wiped when the last reference goes: call
//!    `destroy` in Kotlin, and `del` in Python.
//!
//! # Misuse
//!
//! That of the crates beneath: `quorate-session`, `quorate-frost`, `quorate-cggmp`. Above all: a transport that
//! authenticates and encrypts; seals that are stored before anything is sent, and never replaced by older ones; a table of
//! spent names that outlives every restore; and a look at the message before it is signed.

mod arguments;
mod aux_info;
mod ecdsa;
mod error;
mod family;
mod frost;
mod key_share;
mod mldsa;
mod outcome;
mod public_key;
mod running;
mod scheme;
mod seal_key;
mod session;
mod signature;
mod table;
mod task;

pub use arguments::Received;
pub use aux_info::{AuxInfo, AuxSearch, AuxSecrets};
pub use ecdsa::{MessageHash, Presignature, PresignatureInfo};
pub use error::{ErrorKind, QuorateError};
pub use frost::{NonceStock, Nonces, SigningPackage, SigningSession};
pub use key_share::{KeyShare, ShareState, StoredByAll};
pub use mldsa::{MlDsaAccepted, MlDsaAttempt, MlDsaKeyShare, MlDsaLevel, MlDsaPublicKey};
pub use outcome::Outcome;
pub use public_key::PublicKey;
pub use scheme::{Level, Scheme};
pub use seal_key::SealKey;
pub use session::{Blame, Outgoing, Progress, Receipt, Rejection, SealedSession, Session};
pub use signature::Signature;
pub use table::{SpentTable, TableError};
pub use task::Task;

uniffi::setup_scaffolding!("quorate");
