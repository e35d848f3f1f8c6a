//! Child keys without hardening. A child's secret key is its parent's plus a public number. So every party
//! derives its share alone, and anyone who has the extended public key derives the same public key.
//!
//! The curve decides how the number is computed ([`Standard`]):
//!
//! | curve | standard | an index without a valid key |
//! |---|---|---|
//! | secp256k1 | BIP-32 | is skipped by the caller; chance below 2^-127 |
//! | P-256 | SLIP-10 | is hashed again; chance about 2^-32 |
//! | Ed25519, Ristretto255, Ed448 | Quorate's own, [below](#the-additive-derivation) | is skipped by the caller; chance below 2^-251 |
//!
//! Nothing is hardened here, because that needs the whole secret key, which nobody has. An account key of BIP-44
//! or BIP-86 (`m/86'/0'/0'`) has three hardened levels. Its maker derived those; a threshold key *takes the place
//! of* such an account key. Only the levels below it, `change/index`, are derived from it.
//!
//! # Extended keys
//!
//! An [`ExtendedKey`] is a public key with its chain code and its place in the tree. Over secp256k1 it has a
//! text, `xpub…` or `tpub…`, that every wallet reads ([`ExtendedKey::to_xpub`]). SLIP-10 and the additive
//! derivation have no text, because every wallet would read it as a key over secp256k1.
//!
//! Threshold ECDSA generates the chain code together with the key. FROST's packages carry none, and no standard
//! defines one for them (BIP-328's constant is MuSig2's). So the caller supplies it, or takes the one that
//! follows from the key ([`SharedKey::public_chain_code`](crate::SharedKey::public_chain_code)).
//!
//! # Even keys
//!
//! The keys of Taproot have an even y-coordinate, and BIP-32 hashes points with their sign. The convention here
//! has three parts. The root is the group's internal key *with its even y*, that is, `02 ‖ x`. (An imported
//! account key whose extended key has an odd y keeps that sign: see
//! [`SharedKey::derive`](crate::SharedKey::derive).) All levels of the path are derived by BIP-32 alone, and keep
//! their signs. Only the last key is made even, and tweaked ([`TaprootKey`]). So derive a path at once, from the
//! root. A key that was made even in between has other descendants than a wallet would find.
//!
//! # The additive derivation
//!
//! *Quorate additive derivation, version 1*, is for groups in which no standard derives children of public keys
//! (SLIP-10 offers Ed25519 only hardened ones). With the curve's name, the chain code c, the encoded key A and
//! the index i < 2^31:
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
//! 1. **A child's secret with its parent's extended key.** `x = x_i − t`, and t follows from the public key and
//!    the chain code. Suppose that somebody has the whole secret key of *one* child and the extended key of its
//!    parent. Then they have the secret keys of the parent and of all its descendants. The same holds for single
//!    shares. Never give out the secret key of a child. If one has to be given out one day, derive it under a
//!    threshold key of its own.
//! 2. **Linking keys to their owner.** Anyone who has an extended key can link all its descendants. If the chain
//!    code is the one that follows from the key, anyone who knows the key can do so.
//! 3. **Another chain code.** The chain code decides which keys exist. A wallet that loses it cannot find its
//!    addresses again. Store it with the group's public value. A lost one cannot be recovered from that value.
//! 4. **Stored shares of children.** A refresh of the parent does not change them. t of them, less a public
//!    number each, are the parent's key for ever. Derive a share when it signs, and store none. If some were
//!    stored, delete them with the parent's old shares
//!    ([`StoredByAll::permits_deleting_child`](crate::StoredByAll::permits_deleting_child)).
//! 5. **Another family.** A family names the families to which its keys are shifted
//!    ([`Family::SHIFTS_TO`](crate::Family::SHIFTS_TO)). No proof covers two kinds of signatures under one
//!    secret.
//! 6. **A late tweak.** If the tweak of a presignature is chosen after its nonce is known, the presignature loses
//!    bits of security. See the crate that signs.

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
