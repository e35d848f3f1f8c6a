//! FROST threshold Schnorr signatures (RFC 9591), written once for every ciphersuite.
//!
//! The suite crates (`quorate-frost-ed25519` and its sisters) give these types plain names; use
//! one of them, or the facade `quorate`.
//!
//! | step | who | function |
//! |---|---|---|
//! | keys | the parties themselves | [`Dkg`], a [`quorate_session::Session`] |
//! | keys | a dealer | [`Dealing::new`], [`DealtShare::accept`] |
//! | new shares of the same key, for the same parties or others | t dealers and all new parties | [`Reshare`], then [`Acknowledge`] |
//! | a lost share | t helpers | [`Repair`] |
//! | a child key | each party alone, and whoever has the package | [`KeyShare::derive`], [`PublicKeyPackage::derive`]; for Taproot [`derive_output`](KeyShare::derive_output) |
//! | round one (§5.1) | signer | [`KeyShare::commit`], or ahead of time [`KeyShare::precompute`] |
//! | package | coordinator | [`Coordinator::start`], or [`SigningPackage::new`] |
//! | round two (§5.2) | signer | [`KeyShare::sign`] |
//! | aggregate (§5.3) | coordinator | [`Coordinator::aggregate`], or [`PublicKeyPackage::aggregate`] |
//! | aggregate without a coordinator | every signer | [`ShareExchange`], a session |
//! | signing that finishes whoever stalls or lies | coordinator and signers | [`roast`] |
//! | verify | anyone | [`VerifyingKey::verify`], [`verify_batch`] |
//!
//! Code for every suite takes the suite as a parameter. Two of the parties sign, each with the result of [`Dkg`]:
//!
//! ```
//! use quorate_frost::session::rand_core::CryptoRng;
//! use quorate_frost::{Ciphersuite, DkgOutput, Signature, SigningPackage};
//!
//! fn sign<S: Ciphersuite>(
//!     [alice, bob]: &[DkgOutput<S>; 2],
//!     message: &[u8],
//!     rng: &mut impl CryptoRng,
//! ) -> Result<Signature<S>, Box<dyn std::error::Error>> {
//!     let public = &alice.public;
//!     // Round one: nonces stay, commitments go to the coordinator.
//!     let (alices_nonces, alices_commitments) = alice.share.commit(rng);
//!     let (bobs_nonces, bobs_commitments) = bob.share.commit(rng);
//!     // Round two: each signer signs the coordinator's package.
//!     let package = SigningPackage::new(public, [alices_commitments, bobs_commitments], message)?;
//!     let alices_share = alice.share.sign(&package, alices_nonces)?;
//!     let bobs_share = bob.share.sign(&package, bobs_nonces)?;
//!     Ok(public.aggregate(&package, &[alices_share, bobs_share])?)
//! }
//! ```
//!
//! Every message of signing carries the [`PackageId`] of its key and epoch. A message for another one
//! is a [`Mismatch`], and nobody is blamed for it.
//!
//! A threshold t of n means that **t** parties sign, and t − 1 learn nothing. Any t or more of
//! them may sign together.
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **Restoring nonces from a backup together with the record of spent ones.** Two signatures with one pair of
//!    nonces give the key away. [`Nonces`] cannot be stored. A [`NonceBatch`] can, and each of its pairs is
//!    released against the receipt of a [`SpentTable`](session::SpentTable), which has to outlive every restore.
//!    [`NonceBatch`] describes the order in which to store and to send.
//! 2. **Signing without looking.** A signer signs [`SigningPackage::message`]. The application decides whether it
//!    should, before it calls [`KeyShare::sign`].
//! 3. **A channel that is not what it claims.** Send shares of keys over confidential channels, and all other
//!    messages at least over authenticated ones. The transport names the sender of a message; the message itself
//!    never does.
//! 4. **A dealer that gives two parties different packages.** [`DealtShare::accept`] compares a share with the
//!    package that its party was given. Compare [`PublicKeyPackage::package_id`] with the others.
//! 5. **A stored share that leaks.** [`KeyShare::to_bytes`] is the secret itself. Encrypt it.
//! 6. **An old share deleted too early.** After a [`Reshare`], keep it until [`StoredByAll`] permits to delete it.
//!    A share that is [`ShareState::Unconfirmed`] does not sign until its owner has asked the others and called
//!    [`KeyShare::confirm`]. The *Misuse* section of [`keys`] has more about the life of a key.
//! 7. **A child's secret key that leaks.** With the extended key of its parent, it gives the parent's secret key,
//!    and so all other children's: see [`keys::derive`].
//! 8. **A large group whose members are corrupted one after the other.** See *Large groups*.
//!
//! # Large groups
//!
//! The table lists what is proved, and for which sizes:
//!
//! | the adversary chooses whom to corrupt | and corrupts | sizes | source |
//! |---|---|---|---|
//! | before the key is made | up to t − 1 | any | RFC 9591, section 7, and the proofs that it cites |
//! | as it goes, with all public shares before its eyes | up to half the threshold | any | Crites, Katz, Komlo, Tessaro, Zhu, "On the Adaptive Security of FROST", CRYPTO 2025 (ePrint 2025/1061) |
//! | as it goes | up to t − 1 | where a problem of linear algebra that depends on n and t is hard, in the algebraic group model | the same |
//!
//! For large n and t that problem may be easy. There is a plausible attack, which forges with fewer than t shares
//! (Crites, Stewart, "A Plausible Attack on the Adaptive Security of Threshold Schnorr Signatures", ePrint
//! 2025/1001). Nobody knows how hard the problem is. 131 of 196 parties over a group of 256 bits are thought to be
//! easier than the discrete logarithm (comment of 3 July 2026 on BIP-445, pull request 2070 of `bitcoin/bips`).
//! Drafts of BIP-445 since then allow 128 participants. It does not matter whether a dealer or the parties made the
//! key. In groups of more than a hundred, do not assume that the key withstands t − 1 corruptions.
//!
//! [`Committee`] allows far larger groups, and nothing warns at run time.
//!
//! # A suite of your own
//!
//! Implement [`KeySuite`] and [`Ciphersuite`] for a type of your own, over one of the groups of [`curve`] and with a hash of
//! [`hash`]; [`suite_types!`] then gives all types their plain names. Take a [`CODE`](KeySuite::CODE) from 200 on, which the
//! suites of this repository do not use. In a test, call `test_suite::conformance` (feature `test-suite`): it generates a key,
//! signs with every set of signers, and checks that a wrong share is named, that stored and sent forms are read as they were
//! written, and what must be refused. Add vectors from another implementation: two suites that differ in a hash both pass.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
//! | `serde` | no | `Serialize` and `Deserialize` for the public types; secrets have none |
//! | `single-point-of-failure` | no | the whole key in one place: the import of a key that exists |
//! | `test-suite` | no | the tests that a suite of your own has to pass: `test_suite::conformance` |
//! | `testing` | no | the algebra of key generation, and the RFC's binding factors: for tests, benchmarks and fuzzing |
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod aggregate;
mod batch;
mod binding;
mod bisect;
mod coordinator;
mod dealer;
mod derive;
pub mod dkg;
mod error;
pub mod exchange;
mod family;
pub mod hash;
mod key;
mod macros;
mod migrate;
mod nonces;
mod package;
mod randomize;
mod randomizer;
pub mod roast;
#[cfg(feature = "serde")]
mod serial;
mod shift;
mod sign;
mod signature;
mod suite;
#[cfg(feature = "test-suite")]
pub mod test_suite;
#[cfg(test)]
mod toy;
mod wire;

pub use batch::verify_batch;
pub use coordinator::{Coordinator, SigningSession};
pub use dealer::{Dealing, DealtShare};
pub use derive::{ParentSuite, RootSuite};
pub use dkg::{Dkg, DkgOutput, DkgParams};
pub use error::{
    AcceptError, AggregateError, BatchError, ClaimError, DealError, DecodeError, InvalidSignature,
    PackageError, ReceiptError, ShareRejected, SignError, TweakError,
};
pub use exchange::{ShareExchange, ShareExchangeParams};
pub use family::{
    Acknowledge, AcknowledgeParams, Frost, Repair, RepairParams, RepairPlan, Repaired, Reshare,
    ReshareParams, ResharePlan, Reshared, StoredByAll,
};
pub use key::{KeyShare, PublicKeyPackage};
pub use nonces::{Claim, Commitments, NonceBatch, NonceId, Nonces, PublishedNonces};
pub use package::SigningPackage;
pub use randomize::RandomizedKey;
pub use randomizer::RandomizerSeed;
pub use roast::{RoastCoordinator, RoastSigner};
pub use sign::SignatureShare;
pub use signature::{Signature, VerifyingKey};
pub use suite::{
    Ciphersuite, InternalSuite, KeySuite, Point, PointBytes, Scalar, ScalarBytes, TweakOutOfRange,
    signature_bytes,
};

pub use quorate_curve as curve;
pub use quorate_keys as keys;
pub use quorate_keys::{
    Committee, CommitteeError, Mismatch, PackageId, PlanError, SecretShare, ShareState, SharedKey,
};
pub use quorate_session as session;
