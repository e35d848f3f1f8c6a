//! Threshold signatures for Python, Kotlin and Swift, by UniFFI.
//!
//! | object | what it is |
//! |---|---|
//! | [`Session`] | a run of any protocol, by its [`Task`]: key generation, auxiliary information, presigning, signing in one go, attempts of ML-DSA, resharing and refresh, repair, acknowledgement |
//! | [`KeyShare`], [`PublicKeyPackage`] | a share of a key of any [`Scheme`], and its public side |
//! | [`Nonces`], [`NonceStock`], [`SigningPackage`], [`SigningSession`] | signing with FROST |
//! | [`AuxSearch`], [`AuxSecrets`], [`AuxInfo`], [`Presignature`], [`PresignatureInfo`] | signing with ECDSA |
//! | [`MlDsaKeyShare`], [`MlDsaPublicKeyPackage`], [`MlDsaAttempt`] | threshold ML-DSA, **experimental** |
//! | [`Runner`], [`Job`], [`Tasks`] | the sessions of every task on one store: sent again, given up at deadlines, continued after crashes |
//! | [`Continuity`] | the reason why the rows of a runner, or a stock of nonces, are known to be the latest |
//! | [`Rows`] | the store of a runner, which the foreign side implements |
//! | [`SealKey`] | the key under which everything secret leaves |
//! | [`SpentTable`] | the table of spent names, which the foreign side implements |
//!
//! Every function fails with [`QuorateError`]: the kind of the error, the culprits, and the check that found it.
//!
//! # What a handle promises
//!
//! The foreign side holds counted references, which it may copy, and use from any thread. So a value that may be used once is
//! moved out of its object before the use: of two calls that use up one object, one gets [`ErrorKind::Consumed`],
//! whichever thread, copy or exception there was. No call panics because of its arguments.
//!
//! In Python a reference is a number in an attribute, which `copy` and `pickle` would duplicate without counting it. A step
//! after the generator makes all objects refuse both: see `bindgen`.
//!
//! # Secrets
//!
//! No function returns a secret in clear, and no object prints one. Shares, presignatures, nonces, auxiliary information,
//! searches and sessions leave sealed. Memory on the foreign side has these limits:
//!
//! 1. **The bytes of a [`SealKey`]** lie in the caller's memory before they come here. Overwrite them at once where the
//!    language can: a direct `ByteBuffer` in Kotlin, a `Data` in Swift, a `bytearray` in Python.
//! 2. **Messages to one party** ([`Outgoing::recipient`]) hold shares of secrets and cross in clear, because the caller's
//!    transport encrypts them. UniFFI copies what crosses, both ways, and wipes none of its copies.
//! 3. **The life of an object** ends when the garbage collector decides. Its secrets are wiped when the last reference goes:
//!    call `destroy` in Kotlin, and `close` in Python.
//!
//! # Misuse
//!
//! The lists of the crates beneath hold here too: `quorate-session`, `quorate-frost`, `quorate-cggmp`. Above all, use a
//! transport that authenticates and encrypts. Store seals before anything is sent, and never replace them by older ones. Keep
//! a table of spent names that outlives every restore. Look at the message before it is signed.

mod arguments;
mod aux_info;
mod continuity;
mod ecdsa;
mod error;
mod family;
mod frost;
mod key_share;
mod mldsa;
mod outcome;
mod public_key_package;
mod records;
mod repr;
#[doc(hidden)]
pub mod row_store;
mod rows;
mod runner;
mod running;
mod scheme;
mod seal_key;
mod session;
mod signature;
mod table;
mod task;

pub use arguments::Received;
pub use aux_info::{AuxInfo, AuxSearch, AuxSecrets};
pub use continuity::Continuity;
pub use ecdsa::{MessageHash, Presignature, PresignatureInfo};
pub use error::{ErrorKind, QuorateError};
pub use frost::{NonceStock, Nonces, SigningPackage, SigningSession};
pub use key_share::{KeyShare, ShareState, StoredByAll};
pub use mldsa::{MlDsaAccepted, MlDsaAttempt, MlDsaKeyShare, MlDsaLevel, MlDsaPublicKeyPackage};
pub use outcome::Outcome;
pub use public_key_package::PublicKeyPackage;
pub use rows::{Change, Row, Rows, RowsError};
pub use runner::{Ended, EndedRun, Job, Packet, Problem, Refused, Runner, Started, Tasks, Turn};
pub use running::Progress;
pub use scheme::{Level, Scheme};
pub use seal_key::SealKey;
pub use session::{Blame, FrameFate, Outgoing, Rejection, SealedSession, Session};
pub use signature::Signature;
pub use table::{SpentTable, TableEntry, TableError};
pub use task::Task;

uniffi::setup_scaffolding!("quorate");
