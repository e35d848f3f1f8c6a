//! A threshold PRF whose outputs are ordinary: oblivious PRFs (RFC 9497), a verifiable random function (RFC 9381), and
//! derived keys.
//!
//! Parties share a key x by the key generation of this family, and any t of them compute x·H for a point H that is hashed
//! from an input. Clients and verifiers are those of the RFCs: they do not know that the key is shared.
//!
//! | kind of keys | what any t parties compute | round(s) | for whom |
//! |---|---|---|---|
//! | [`Oprf`] | the evaluated elements of RFC 9497 | 1 | a client that [blinds](oprf::Blinding) its input |
//! | [`Voprf`] | the same, with the RFC's proof under the group's key | 2 | a client that verifies |
//! | [`Vrf`] | the output and the proof of RFC 9381 | 1, or 2 with the proof | anyone |
//! | [`Kdf`] | secret bytes of an input and a purpose | 1 | the parties, or one that they send their shares to |
//!
//! Each kind is a family of keys of its own, and no share of one evaluates anything of another.
//!
//! | step | who | function |
//! |---|---|---|
//! | keys | the parties themselves | [`Dkg`](quorate_frost::Dkg), for a kind of keys |
//! | refresh, resharing, repair | | [`keys`] |
//! | the query | every party | [`Query::blinded`], [`Query::vrf`], [`Query::derive`] |
//! | evaluate | each of t parties | [`Query::evaluate`] |
//! | put together | a coordinator, or every party in a session | [`Query::aggregate`], [`EvaluationExchange`] |
//! | a hardened child of a FROST or ECDSA key | the signers | [`hardened`] |
//! | the joint proof, experimental | the same t parties | [`Query::contribute`], [`ProofPackage`], [`ProofExchange`] |
//!
//! Three parties have a key of RFC 9497, and two of them evaluate for a client:
//!
//! ```
//! use quorate_prf::frost::{Dkg, DkgParams};
//! use quorate_prf::oprf::{Blinding, BlindedElement, EvaluatedElement};
//! use quorate_prf::session::{Parties, SessionId, sim::Network};
//! use quorate_prf::{EvaluationShare, Oprf, Query, Ristretto255Sha512};
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//!
//! type Key = Oprf<Ristretto255Sha512>;
//!
//! // The key, made by all three. Nobody ever holds it.
//! let parties = Parties::numbered(3)?;
//! let made = Network::new(1).run::<Dkg<Key>>(SessionId::new([1; 32]), &parties, |_| DkgParams::new(2))?;
//! let made = made.results.into_values().collect::<Result<Vec<_>, _>>()?;
//! let [alice, bob, _] = made.as_slice() else { return Ok(()) };
//!
//! // The client hides its input, and sends the element.
//! let blinding = Blinding::<Key>::new(b"correct horse", &mut rng)?;
//! let sent = blinding.element().to_bytes();
//!
//! // Each of two parties evaluates, and sends its share to whoever answers the client.
//! let query = Query::blinded(&alice.public, &[BlindedElement::from_bytes(&sent)?])?;
//! let from_alice = query.evaluate(&alice.share, &mut rng)?.to_bytes();
//! let from_bob = query.evaluate(&bob.share, &mut rng)?.to_bytes();
//!
//! let shares = [
//!     EvaluationShare::from_bytes(alice.share.id(), &from_alice)?,
//!     EvaluationShare::from_bytes(bob.share.id(), &from_bob)?,
//! ];
//! let evaluated = query.aggregate(&alice.public, &shares)?.elements();
//! let [evaluated] = evaluated.as_slice() else { return Ok(()) };
//!
//! // The client, which gets the same output from any two of them, and from a single server with the whole key.
//! let output = blinding.finalize(evaluated);
//! # assert_eq!(output.len(), 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it rests on
//!
//! Without the joint proof: that t − 1 shares of a key tell nothing about x·H is the decisional Diffie-Hellman assumption, with
//! hashes to the group as random oracles and parties that are corrupted before the key is made. For elements that clients
//! blind, RFC 9497 section 7 adds the one-more gap assumption that a single server of the RFC needs too. The proofs of
//! shares are those of Chaum and Pedersen.
//!
//! The joint proof is experimental. `docs/prf.md` has its argument.
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **Evaluating for everybody.** Whoever can ask may guess inputs, one by one. The application decides who may ask, and
//!    how often.
//! 2. **Two uses of one key.** The kinds of keys are apart. Two applications that share a key of one kind have to separate
//!    their inputs: by [`Query::derive`]'s purpose, or in the input itself.
//! 3. **Shares of a secret result on an open channel.** t shares of an evaluation under a [`Kdf`] key are the result. Encrypt
//!    them. They are not wiped when dropped.
//! 4. **A client that believes an OPRF.** Without the proof of a [`Voprf`], a client does not know which key was used. The
//!    party that aggregates does.
//! 5. **A public key package from an untrusted source.** Blame rests on it.
//! 6. **Variable time in points.** A party multiplies by its share in constant time. Shares are verified, and put together
//!    where the result is public, in a time that depends on public scalars.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
//! | `single-point-of-failure` | no | the whole key in one place: the server of RFC 9497 |
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod error;
pub mod evaluation;
pub mod hardened;
mod hash;
pub mod joint;
mod kinds;
mod nonce;
pub mod oprf;
mod query;
mod suite;
pub mod vrf;
mod wire;

pub use error::{AggregateError, EvaluateError, ProveError, QueryError};
pub use evaluation::{Evaluation, EvaluationExchange, EvaluationExchangeParams, EvaluationShare};
pub use hardened::{ChildError, ChildTweak};
pub use hash::SuiteDigest;
pub use joint::{
    Contribution, ProofExchange, ProofExchangeParams, ProofNonces, ProofPackage, ProofShare,
    Provable,
};
pub use kinds::{Kdf, KeyKind, Mode, Oprf, Poprf, Voprf, Vrf};
pub use query::{Blinded, Query};
pub use suite::{P256Sha256, PrfSuite, Ristretto255Sha512, Secp256k1Sha256};

pub use quorate_curve as curve;
pub use quorate_frost as frost;
pub use quorate_keys as keys;
pub use quorate_session as session;
