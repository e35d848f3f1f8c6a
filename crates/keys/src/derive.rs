//! Child keys without hardening: a child's secret key is its parent's plus a public number, so every party derives its
//! share alone, and whoever has the extended public key derives the same public key.
//!
//! The curve decides how the number is found ([`Standard`]):
//!
//! | curve | standard | an index without a valid key |
//! |---|---|---|
//! | secp256k1 | BIP-32 | is skipped by the caller; chance below 2^-127 |
//! | P-256 | SLIP-10 | is hashed again; chance about 2^-32 |
//! | Ed25519, Ristretto255, Ed448 | Quorate's own, [below](#the-additive-derivation) | is skipped by the caller; chance below 2^-251 |
//!
//! There is nothing hardened here: that needs the whole secret key, which nobody has. An account key of BIP-44 or
//! BIP-86 (`m/86'/0'/0'`) is hardened three times over. Its hardened levels are whoever's who made it; a threshold key
//! *takes the place of* such an account key, and only what comes below it, `change/index`, is derived from it.
//!
//! # Extended keys
//!
//! An [`ExtendedKey`] is a public key with its chain code and its place in the tree. Over secp256k1 it has a text,
//! `xpub…` or `tpub…`, that every wallet reads ([`ExtendedKey::to_xpub`]). SLIP-10 and the additive derivation have no
//! text: every wallet would take it for a key over secp256k1.
//!
//! Threshold ECDSA makes the chain code together with the key. FROST's packages carry none, and no standard gives
//! them one (BIP-328's constant is MuSig2's): the caller gives it, or takes the one that follows from the key
//! ([`SharedKey::public_chain_code`](crate::SharedKey::public_chain_code)).
//!
//! # Even keys
//!
//! The keys of Taproot have an even y-coordinate, and BIP-32 hashes points with their sign. The convention here is:
//! the root is the group's internal key *with its even y*, that is, `02 ‖ x` (an imported account key whose extended
//! key has an odd y keeps that sign: see [`SharedKey::derive`](crate::SharedKey::derive)); all levels of the path are
//! derived by BIP-32 alone, signs kept; and only the last key is made even, and tweaked ([`TaprootKey`]). So a path
//! has to be derived at once, from the root: a key that was made even in between has other descendants than a wallet
//! would find.
//!
//! # The additive derivation
//!
//! *Quorate additive derivation, version 1*, for groups for which no standard has children of public keys (SLIP-10
//! leaves Ed25519 with hardened ones alone). With the curve's name, the chain code c, the encoded key A and the index
//! i < 2^31:
//!
//! ```text
//! H_k = SHA-512(transcript "quorate-keys additive derivation v1": curve, c, A, i, k)
//! t   = H_1 ‖ H_2, little-endian, modulo the group's order: 128 bytes, so as good as uniform
//! A_i = A + t·G,    c_i = the first 32 bytes of H_0
//! ```
//!
//! # Misuse
//!
//! This module cannot prevent:
//!
//! 1. **A child's secret with its parent's extended key.** `x = x_i − t`, and t follows from the public key and the
//!    chain code: whoever gets the whole secret key of *one* child, and has the extended key of its parent, has the
//!    parent's secret key and all of its descendants'. The same holds for single shares. Never give out the secret key of a
//!    child; what has to be given out one day belongs under a threshold key of its own.
//! 2. **Telling who owns what.** Whoever has an extended key can link all its descendants. Anybody can that knows the
//!    key, if the chain code is the one that follows from it.
//! 3. **Another chain code.** It decides which keys exist. A wallet that loses it finds no address again: store it
//!    with the group's public value, which repairs no lost one.
//! 4. **A late tweak.** A presignature whose tweak is chosen after its nonce is known loses bits of security; see the
//!    crate that signs.

mod additive;
mod child;
mod error;
mod extended;
mod hash;
mod network;
mod path;
mod shared;
mod shift;
mod standard;
mod taproot;
mod xpub;

pub use child::Derived;
pub use error::{DeriveError, XpubError};
pub use extended::ExtendedKey;
pub use network::Network;
pub use path::DerivationPath;
pub use shift::Shifted;
pub use standard::{Derivable, Standard};
pub use taproot::{TaprootKey, tap_tweak};
