//! BIP-445, "FROST Signing Protocol for BIP340 Signatures": **a draft**, as of its version 0.8.0 (2026; pull request 2070
//! of `bitcoin/bips`).
//!
//! This is FROST3, another signing protocol than that of the rest of this crate, for the same keys: nonces are added up
//! by the coordinator, and one coefficient b binds all of them. Its messages and shares are those of the BIP; they do not
//! mix with RFC 9591's, nor with those of drafts before 0.8.0, whose b hashes no number of signers. What the BIP changes,
//! this module changes with it, without a new major version: it is behind the feature `bip445-draft`.
//!
//! It is tested with all vectors of version 0.6.0, with that version's b, and with 26 values of the vectors since 0.8.0,
//! those of the group "2of3" that sign. Not here: *ValidateThresholdInfo*, and sessions without public shares.
//!
//! | step | BIP-445 | here |
//! |---|---|---|
//! | who signs, for which key; at most 128 participants | *ValidateSignersCtx* | [`Signers::of`], [`Signers::new`] |
//! | child keys and Taproot outputs | *TweakCtxInit*, *ApplyTweak* | [`TweakedKey`], [`Tweak`] |
//! | round one, signer | *NonceGen* | [`SecretNonce::generate`] |
//! | round one, coordinator | *NonceAgg* | [`AggregateNonce::sum`] |
//! | what all sign | *GetSessionValues* | [`Session::new`] |
//! | round two, signer | *Sign* | [`Session::sign`] |
//! | blame | *PartialSigVerify* | [`Session::verify_share`] |
//! | signature | *PartialSigAgg* | [`Session::aggregate`] |
//! | the last signer, without state | *DeterministicSign* | [`sign_deterministically`] |
//!
//! A participant's identifier is its [party's](quorate_frost::session::PartyId) number less one.
//!
//! This crate keeps keys with an even y-coordinate, and plain tweaks tell a key from its negative. For a key that other
//! implementations have with an odd one, make the [`Signers`] of the key and the public shares as they have them
//! ([`Signers::new`]): a [`Session`] of those takes the shares of this crate.
//!
//! ```
//! use quorate_frost::session::{Parties, PartyId};
//! use quorate_frost_secp256k1_tr::bip445::{AggregateNonce, NonceInputs, SecretNonce, Session, Signers};
//! use quorate_frost_secp256k1_tr::{Dealing, Signature};
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//!
//! let Dealing { shares, public } = Dealing::new(2, &Parties::numbered(3)?, &mut rng)?;
//! let mut shares = shares.into_iter();
//! let (Some(alice), Some(bob)) = (shares.next(), shares.next()) else { return Ok(()) };
//! let (alice, bob) = (alice.accept(2, &public)?, bob.accept(2, &public)?);
//!
//! // Round one: secret nonces stay, public ones go to the coordinator, which adds them up.
//! let alices = SecretNonce::generate(&alice, NonceInputs::default(), &mut rng);
//! let bobs = SecretNonce::generate(&bob, NonceInputs::default(), &mut rng);
//! let sent = [*alices.public(), *bobs.public()];
//! let sum = AggregateNonce::sum(&sent)?;
//!
//! // Round two: who signs, for which key, what: everybody makes the session alone.
//! let signers = Signers::of(&public, [alice.id(), bob.id()])?;
//! let session = Session::new(&signers, &sum, &[], b"two of three")?;
//! let parts = [session.sign(&alice, alices)?, session.sign(&bob, bobs)?];
//! let signature = Signature::from_bytes(&session.aggregate(&parts)?)?;
//! public.verifying_key().verify(b"two of three", &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Misuse
//!
//! 1. **A sum of nonces from somebody else than one's own coordinator** costs a signature and nothing more; but a wrong one
//!    can have an honest signer blamed. Blame holds only where nonces were added up by whoever blames.
//! 2. **Arbitrary tweaks.** Take those that BIP-32 and BIP-341 derive from the key; for others there is no proof.
//! 3. **A key without an unspendable script path.** [`internal`](crate::internal) keys have to be tweaked by
//!    [`Tweak::x_only`]; those at the top of the crate have been.
//! 4. **Nonces of two protocols.** A pair of the RFC's nonces is no nonce here, and their types keep them apart.
//! 5. **Deterministic signing by two signers of one session.** Only the signer that knows the nonces of all others may.

mod deterministic;
mod error;
mod nonce;
mod session;
mod signers;
mod tweak;

#[cfg(test)]
mod tests;

pub use deterministic::sign_deterministically;
pub use error::{Culprit, Error};
pub use nonce::{AggregateNonce, NonceInputs, PublicNonce, SecretNonce};
pub use session::{PartialSignature, Session};
pub use signers::Signers;
pub use tweak::{Tweak, TweakedKey};

use quorate_curve::{Curve, Secp256k1};

use crate::taproot::{is_even, signed, x_only};

type Scalar = <Secp256k1 as Curve>::Scalar;
type Point = <Secp256k1 as Curve>::Point;
