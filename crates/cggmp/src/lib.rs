//! Threshold ECDSA after CGGMP24 (Canetti, Gennaro, Goldfeder, Makriyannis and Peled, eprint
//! 2021/060, revision of October 2024), over secp256k1 and P-256.
//!
//! | step | who | with |
//! |---|---|---|
//! | keys | the parties themselves | [`Keygen`], a [`quorate_session::Session`] |
//! | keys | a dealer who has the whole key | `single_point_of_failure::import` (feature `single-point-of-failure`) |
//! | auxiliary information, once for any number of keys and epochs; again when somebody joins ([`AuxInfo::lacks`]) | the parties | [`AuxInfoGen`], a session |
//! | a refresh, another committee or threshold | t or more of the parties, and the new ones | [`Reshare`], a session |
//! | a lost share | t helpers | [`Repair`], a session |
//! | old shares may be deleted | all parties | [`Acknowledge`], a session |
//! | a child key (BIP-32, SLIP-10) | each party alone | [`KeyShare::derive`], [`PublicKeyPackage::derive`] |
//! | presignatures, before there is a message | t or more signers | [`Presign`], or [`PresignMany`] for up to 1024 in one run, a session |
//! | a signature from a presignature, with the key or any child key | each signer alone, then anyone | [`Presignature::claim`], [`PresignatureInfo::aggregate`] |
//! | a signature in one go | t or more signers | [`Sign`], a session |
//! | verify | anyone | [`VerifyingKey::verify`] |
//! | judge who misbehaved | anyone | [`Evidence::verify`] |
//!
//! A threshold t of n means that **t** parties sign, and t − 1 learn nothing. Any t or more of
//! them may sign together. A key has 2 to [`MAX_PARTIES`] parties, by numbers of the caller's
//! choice that stay with them for the life of the key.
//!
//! # Example
//!
//! Three parties make a key of which any two can sign, here over the network for tests.
//!
//! ```
//! use std::sync::Arc;
//!
//! use quorate_cggmp::{
//!     AuxInfoGen, AuxInfoParams, AuxSecrets, DerivationPath, Keygen, KeygenParams, MessageDigest,
//!     Presign, PresignParams, Secp256k1,
//! };
//! use quorate_paillier::Level;
//! # use quorate_testkit::fixtures;
//! use quorate_session::{Parties, SessionId, SpentInMemory, sim::Network};
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//!
//! let parties = Parties::numbered(3)?;
//! let sid = |number| SessionId::new([number; 32]); // never used twice
//!
//! // Key generation, in milliseconds.
//! let run = Network::new(1).run::<Keygen<Secp256k1>>(sid(1), &parties, |_| KeygenParams::new(2))?;
//! let keys: Vec<_> = run.results.into_values().collect::<Result<_, _>>()?;
//! let keys: Vec<_> = keys.into_iter().map(Arc::new).collect();
//!
//! // Auxiliary information, once for any number of keys. The primes take seconds to minutes to find
//! // (`AuxSecrets::generate`); these are for tests.
//! let secrets = (0..3).map(|index| {
//!     let primes = fixtures::primes(Level::Bits112, index); // yours: Bits128
//!     AuxSecrets::from_primes(Level::Bits112, &primes, &mut rng)
//! });
//! let secrets: Vec<_> = secrets.map(|one| one.map(Arc::new)).collect::<Result<_, _>>()?;
//! let run = Network::new(2).run::<AuxInfoGen>(sid(2), &parties, |party| {
//!     let place = parties.position(party).unwrap();
//!     AuxInfoParams::new(Arc::clone(&secrets[place]))
//! })?;
//! let aux: Vec<_> = run.results.into_values().collect::<Result<_, _>>()?;
//! let aux: Vec<_> = aux.into_iter().map(Arc::new).collect();
//!
//! // Parties 1 and 3 presign.
//! let signers = Parties::new([parties.as_slice()[0], parties.as_slice()[2]])?;
//! let run = Network::new(3).run::<Presign<Secp256k1>>(sid(3), &signers, |party| {
//!     let place = parties.position(party).unwrap();
//!     PresignParams::new(Arc::clone(&keys[place]), Arc::clone(&aux[place]))
//! })?;
//! let presignatures: Vec<_> = run.results.into_values().collect::<Result<_, _>>()?;
//!
//! // A deposit address: a child of the key. The path `m` is the key itself.
//! let path: DerivationPath = "m/0/7".parse()?;
//! let child = keys[0].public().derivation(&path)?;
//!
//! // Each signs alone, and sends its share to the party that aggregates them.
//! let digest = MessageDigest::sha256(b"the message");
//! let info = presignatures[0].info().clone();
//! let mut shares = Vec::new();
//! for (presignature, key) in presignatures.into_iter().zip([&keys[0], &keys[2]]) {
//!     let mut spent = SpentInMemory::new(); // yours: a table that outlives every restore
//!     let claim = presignature.claim(key, &path, digest)?;
//!     let receipt = claim.record().store(&mut spent)?;
//!     shares.push((key.id(), claim.release(receipt)?.to_bytes()));
//! }
//! let signature = info.aggregate(&child, digest, shares)?;
//! child.key.verify(b"the message", &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **A channel that is not what it claims.** Messages to one party hold shares of keys and go
//!    over confidential channels, everything else at least over authenticated ones. The sender of a
//!    message is the one that the transport names, never the one that the message names.
//! 2. **Rollback of a presigning**, or of a [`Sign`]. A session that is restored from an *old* seal
//!    and fed *other* frames draws other masks, but has sent its first message already, which fixes
//!    its part of the nonce. If all others are corrupt, they learn that part from two such
//!    continuations. Then **one** signature share gives them the key, and `Sign` sends one in its
//!    last round. A run of [`PresignMany`] loses all of its presignatures. Store every seal before
//!    sending the messages that follow from it, under its slot, compared and swapped. Keep the
//!    tombstone, and never restore an older seal.
//! 3. **Rollback of a key generation** leaves two keys whose difference the others know. Rollback of
//!    making auxiliary information leaves the same moduli in two results. The rule is the same.
//! 4. **A presignature spent twice.** Two signatures from the same presignature give the key away, whether they are
//!    of two messages or under two keys derived from one. Re-randomisation does not help. A [`Presignature`] is
//!    consumed, but a stored one can be restored, and a presigning that is restored ends a second time. The method
//!    [`Claim::release`] takes the receipt of a [`quorate_session::SpentTable`] for the [`Claim::record`], under a
//!    name that depends on the run alone. The caller has to ensure that the table is the same one for ever. A
//!    snapshot can restore table and presignatures together, and nothing in them shows it. After a restart they are
//!    used only if something that was not restored vouches for the table: [`session::Continuity`].
//! 5. **An old share that was kept.** Presignatures are spent with the share with which they were made
//!    ([`Presignature::claim`]). A party that keeps its share after a refresh can still spend its presignatures,
//!    and t parties that keep theirs have the key: see the *Misuse* of [`keys`].
//! 6. **Primes that are not random**, or were used before by others: [`AuxSecrets::from_primes`]. A
//!    search that was saved is secret, and is resumed in one place only: [`AuxSearch::save`].
//! 7. **A key that not all have confirmed.** A run that ends without all confirmations gives out
//!    its result marked as unconfirmed, and it does not sign: [`KeyShare::state`],
//!    [`KeyShare::confirm`]. Send nothing to such a key before all parties say that they hold it.
//! 8. **A stored share that leaks.** [`KeyShare::to_bytes`] is the secret itself: encrypt it
//!    (`quorate_session::SealKey` will do). The digest in it shows damage, not malice.
//! 9. **A derived key that leaks.** Derivation is not hardened: anyone with a child's secret key, the
//!    parent's public key and its chain code has the parent's secret key.
//! 10. **A digest signed unseen.** A [`RawDigest`] is taken on trust to be the hash of a message
//!     that somebody looked at, and so is what the function of [`MessageDigest::hashed_with`] gives. Whoever verifies
//!     such a signature has to hash the message too.
//! 11. **A path signed unseen.** A presignature serves every descendant of its key, so a signer looks
//!     at the path as it looks at the message.
//! 12. **The whole key in one place**, which is what the feature `single-point-of-failure` is for.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
//! | `k256` | no | conversions to and from the types of `k256` |
//! | `p256` | no | conversions to and from the types of `p256` |
//! | `single-point-of-failure` | no | the whole key in one place, which threshold signing avoids: for imports and exports |
//! | `testing` | no | auxiliary information without its proofs: for tests, never for keys in use |
//! | `tracing` | no | spans around rounds and proofs |
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod additive;
pub mod aux_info;
mod curve;
mod error;
pub mod evidence;
mod hd;
#[cfg(any(feature = "k256", feature = "p256"))]
pub mod interop;
mod key;
pub mod keygen;
mod lifecycle;
pub mod presign;
mod proofs;
mod schnorr;
pub mod sign;
mod signature;
#[cfg(feature = "single-point-of-failure")]
pub mod single_point_of_failure;
mod wire;

pub use additive::{AdditiveInfo, AdditiveShare};
pub use aux_info::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxProgress, AuxPublic, AuxSearch, AuxSecrets, AuxStep,
};
pub use curve::EcdsaCurve;
#[cfg(feature = "testing")]
pub use curve::Seal;
pub use error::{
    AggregateError, ClaimError, DecodeError, InsertError, IntersectError, InvalidSignature,
    ListFault, ListMismatch, ShareFault, ShareMismatch, ShareRejected, SignersError,
};
pub use evidence::{AuxInfoRun, Evidence, KeygenRun, NotShown, SigningGoal, SigningRun};
pub use hd::{DerivationPath, DeriveError, Derived, Descendant, HardenedChild};
pub use key::{Ecdsa, KeyExtra, KeyShare, MAX_PARTIES, PublicKeyPackage};
pub use keygen::{Keygen, KeygenParams};
pub use lifecycle::{
    Acknowledge, AcknowledgeParams, Committee, CommitteeError, Mismatch, PackageId, PlanError,
    Repair, RepairParams, RepairPlan, Repaired, Reshare, ReshareParams, ResharePlan, Reshared,
    ShareState, StoredByAll,
};
pub use presign::{
    HeldByAll, MAX_PRESIGNATURES, Presign, PresignMany, PresignManyParams, PresignParams,
    Presignature, PresignatureId, PresignatureInfo, Presignatures,
};
pub use sign::{Claim, MessageDigest, Sign, SignParams, SignatureShare};
pub use signature::{RawDigest, RecoveryId, Signature, VerifyingKey};

pub use quorate_curve as curves;
pub use quorate_curve::{P256, Secp256k1};
pub use quorate_keys as keys;
pub use quorate_session as session;
