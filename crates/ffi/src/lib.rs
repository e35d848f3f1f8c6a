//! Threshold signatures for other languages: Python, Kotlin and Swift by UniFFI, and C, Go and JavaScript by layers over the same objects.
//!
//! | object | what it is |
//! |---|---|
//! | [`Session`] | a run of any protocol, by its [`Task`]: key generation, auxiliary information, presigning, signing in one go, attempts of ML-DSA, resharing and refresh, repair, acknowledgement |
//! | [`KeyShare`], [`PublicKeyPackage`] | a share of a key of any [`Scheme`], and its public side |
//! | [`Nonces`], [`NonceStock`], [`SigningPackage`], [`SigningSession`] | signing with FROST |
//! | [`AuxSearch`], [`AuxSecrets`], [`AuxInfo`], [`Presignature`], [`PresignatureInfo`] | signing with ECDSA |
//! | [`start_steps`], [`step`] | a session as a pure function, from state and frames to state and frames |
//! | [`ShareClaim`], [`AttemptClaim`] | a signature share or an attempt that waits for a table of spent names |
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
#[cfg(feature = "ecdsa")]
mod aux_info;
mod claim;
mod continuity;
#[cfg(feature = "ecdsa")]
mod ecdsa;
mod error;
mod family;
mod frost;
mod key_share;
#[cfg(feature = "ecdsa")]
mod level;
#[cfg(feature = "mldsa")]
mod mldsa;
mod outcome;
mod public_key_package;
#[cfg(feature = "runner")]
mod records;
mod repr;
#[cfg(feature = "runner")]
#[doc(hidden)]
pub mod row_store;
#[cfg(feature = "runner")]
mod rows;
#[cfg(feature = "runner")]
mod runner;
mod running;
mod scheme;
mod seal_key;
mod session;
mod signature;
mod step;
mod table;
mod task;
mod verify;

pub use arguments::Received;
#[cfg(feature = "ecdsa")]
pub use aux_info::{AuxInfo, AuxSearch, AuxSecrets};
pub use claim::ShareClaim;
pub use continuity::Continuity;
#[cfg(feature = "ecdsa")]
pub use ecdsa::{MessageHash, Presignature, PresignatureInfo};
pub use error::{ErrorKind, QuorateError};
pub use frost::{NonceStock, Nonces, SigningPackage, SigningSession};
#[cfg(feature = "life")]
pub use key_share::StoredByAll;
pub use key_share::{KeyShare, ShareState};
#[cfg(feature = "ecdsa")]
pub use level::Level;
#[cfg(feature = "mldsa")]
pub use mldsa::{
    AttemptClaim, MlDsaAccepted, MlDsaAttempt, MlDsaKeyShare, MlDsaLevel, MlDsaPublicKeyPackage,
};
pub use outcome::Outcome;
pub use public_key_package::PublicKeyPackage;
#[cfg(feature = "runner")]
pub use rows::{Change, Row, Rows, RowsError};
#[cfg(feature = "runner")]
pub use runner::{Ended, EndedRun, Job, Packet, Problem, Refused, Runner, Started, Tasks, Turn};
pub use running::Progress;
pub use scheme::Scheme;
pub use seal_key::SealKey;
pub use session::{Blame, FrameFate, Outgoing, Rejection, SealedSession, Session};
pub use signature::Signature;
pub use step::{Stepped, start_steps, step};
pub use table::{SpentTable, TableEntry, TableError};
pub use task::Task;
pub use verify::verify;
#[cfg(feature = "mldsa")]
pub use verify::verify_ml_dsa;

#[cfg(feature = "uniffi")]
uniffi::setup_scaffolding!("quorate");
