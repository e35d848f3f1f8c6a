//! BIP-445, "FROST Signing Protocol for BIP340 Signatures": **a draft**, as of its version 0.8.0 (2026; pull request 2070
//! of `bitcoin/bips`).
//!
//! This is FROST3, for the same keys as the rest of this crate but with another signing protocol: the coordinator
//! adds up the nonces, and one coefficient b binds all of them. Its messages and shares are those of the BIP. They do
//! not mix with those of RFC 9591, or with those of drafts before 0.8.0, whose b does not hash the number of signers.
//! If the BIP changes, this module changes with it, without a new major version: it is behind the feature
//! `bip445-draft`.
//!
//! The tests run all vectors of version 0.6.0, with that version's b, and 26 values of the vectors since 0.8.0: those
//! of the group "2of3" that sign. *ValidateThresholdInfo* and sessions without public shares are not implemented.
//!
//! | step | BIP-445 | here |
//! |---|---|---|
//! | who signs, for which key; at most 128 participants | *ValidateSignersCtx* | [`Signers::of`] |
//! | child keys and Taproot outputs | *TweakCtxInit*, *ApplyTweak* | [`TweakedKey`], [`Tweak`] |
//! | round one, signer | *NonceGen* | [`SecretNonce::generate`] |
//! | round one, coordinator | *NonceAgg* | [`AggregateNonce::sum`] |
//! | what all sign | *GetSessionValues* | [`Session::new`] |
//! | round two, signer | *Sign* | [`Session::sign`] |
//! | blame | *PartialSigVerify* | [`Session::verify_share`] |
//! | signature | *PartialSigAgg* | [`Session::aggregate`] |
//! | the last signer, without state | *DeterministicSign* | [`sign_deterministically`] |
//!
//! A participant's identifier is its [party's](quorate_frost::session::PartyId) number minus one.
//!
//! This crate keeps keys with an even y-coordinate, and plain tweaks distinguish a key from its negative. For a key
//! that other implementations have with an odd one, take the signers [for that key](Signers::for_key). A [`Session`]
//! with these signers takes the shares of this crate.
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
//! 1. **A sum of nonces from a coordinator that is not your own.** A wrong sum costs a signature and nothing more,
//!    but it can have an honest signer blamed. Trust a blame only if the party that blames added up the nonces
//!    itself.
//! 2. **Arbitrary tweaks.** Take those that BIP-32 and BIP-341 derive from the key. For others there is no proof.
//! 3. **A key without an unspendable script path.** [`internal`](crate::internal) keys have to be tweaked by
//!    [`Tweak::x_only`]. Those at the top of the crate have been.
//! 4. **Nonces of two protocols.** A pair of the RFC's nonces is not a nonce here, and their types keep them apart.
//! 5. **Deterministic signing by two signers of one session.** Only the signer that knows the nonces of all others
//!    may use it.
//! 6. **A list of signers from somebody else.** [`Signers::from_untrusted_list`] checks that the list is consistent,
//!    whatever key it is for. Signing compares key, sign, threshold and parties with the
//!    [`KeyShare`](quorate_frost::KeyShare), and refuses all others. [`Session::verify_share`] and
//!    [`Session::aggregate`] have no share to compare with. There the list decides whose signature it is, and who is
//!    blamed.
//! 7. **The draft's deterministic nonce elsewhere.** The draft hashes neither the public shares nor the sign of the
//!    key. A signer that takes its list from others, and does not compare it with its share, signs twice with one
//!    nonce: once for the key and once for its negative. The difference of the two signature shares reveals its
//!    share. This module refuses the second list, and hashes it as well.

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
pub use session::{Session, SignatureShare};
pub use signers::Signers;
pub use tweak::{Tweak, TweakedKey};

use quorate_curve::{Curve, Secp256k1};

use crate::taproot::{Sign, x_only};

type Scalar = <Secp256k1 as Curve>::Scalar;
type Point = <Secp256k1 as Curve>::Point;
