//! FROST over secp256k1 with Taproot: signatures verify as BIP-340, keys are those of BIP-341.
//!
//! The equations are those of RFC 9591, which has no such suite, with the even y-coordinates of
//! BIP-340: keys and key shares are kept with an even group key, and where the group commitment is
//! odd, all signers negate their nonces.
//!
//! Three parties make a 2-of-3 key, and two of them sign for its output without scripts. An in-memory network (feature
//! `sim` of `quorate-session`) stands for the three machines.
//!
//! ```
//! use quorate_frost::session::{Parties, SessionId, sim::Network};
//! use quorate_frost_secp256k1_tr::{SigningPackage, internal};
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//!
//! // The internal key, made by all three in three rounds. Nobody ever holds it.
//! let parties = Parties::numbered(3)?;
//! let session_id = SessionId::new([1; 32]); // agreed by all, never used twice
//! let network = Network::new(42);
//! let made = network.run::<internal::Dkg>(session_id, &parties, |_| internal::DkgParams::new(2))?.results;
//! let mut made = made.into_values().collect::<Result<Vec<_>, _>>()?.into_iter();
//! let (Some(alice), Some(bob)) = (made.next(), made.next()) else { return Ok(()) };
//!
//! // Each party tweaks its share to the output key, without scripts.
//! let public = alice.public.tweak(None)?;
//! let bob = bob.share.tweak(&bob.public, None)?;
//! let alice = alice.share.tweak(&alice.public, None)?;
//!
//! // Round one: nonces stay, commitments go to the coordinator.
//! let (alices_nonces, alices_commitments) = alice.commit(&mut rng);
//! let (bobs_nonces, bobs_commitments) = bob.commit(&mut rng);
//!
//! // Round two: each signer signs the coordinator's package.
//! let message = b"two of three";
//! let package = SigningPackage::new(&public, [alices_commitments, bobs_commitments], message)?;
//! let signature_shares = [alice.sign(&package, alices_nonces)?, bob.sign(&package, bobs_nonces)?];
//!
//! let signature = public.aggregate(&package, &signature_shares)?;
//! public.verifying_key().verify(message, &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A dealer can make the key instead, and holds all of it while it does:
//!
//! ```
//! # use quorate_frost::session::Parties;
//! # use quorate_frost_secp256k1_tr::internal;
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//! let dealing = internal::Dealing::new(2, &Parties::numbered(3)?, &mut rng)?;
//! for dealt in dealing.shares {
//!     let share = dealt.accept(2, &dealing.public)?; // by the party: it checks its share and keeps it
//! #   assert_eq!(share.threshold(), 2);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Internal keys and output keys
//!
//! BIP-341 has two kinds of keys, and so has this crate, as two suites with a type each:
//!
//! - The types at the top of the crate are those of **output keys** ([`Secp256k1Taproot`]): what
//!   stands in an output script, and signs. The key that [`Dkg`] makes commits to an unspendable
//!   script path, as BIP-341 advises, so that no party can hide a script in its contribution. A
//!   dealer's output key is the key it deals.
//! - The types in [`internal`] are those of **internal keys** ([`TaprootInternal`]). They do not
//!   sign; [`tweak`](quorate_frost::KeyShare::tweak) makes output keys of them, with a script
//!   tree's root or without.
//!
//! An output key has no `tweak`, so that none is tweaked twice:
//!
//! ```compile_fail,E0599
//! # use quorate_frost_secp256k1_tr::PublicKeyPackage;
//! fn again(output: PublicKeyPackage) {
//!     output.tweak(None);
//! }
//! ```
//!
//! and an internal key does not sign:
//!
//! ```compile_fail,E0277
//! # use quorate_frost_secp256k1_tr::TaprootInternal;
//! type NoCoordinator = quorate_frost::Coordinator<TaprootInternal>;
//! # fn of(public: quorate_frost_secp256k1_tr::internal::PublicKeyPackage) -> NoCoordinator {
//! #     NoCoordinator::new(public)
//! # }
//! ```
//!
//! # Deposit addresses
//!
//! An internal key is an account of BIP-86: a shop that has its extended key makes an output for each customer, and the
//! parties derive their shares of it when it is spent. The rules are those of
//! [`derive`](quorate_frost::keys::derive): derive along the whole path at once.
//!
//! ```
//! use quorate_frost::keys::derive::{DerivationPath, ExtendedKey, Network, TaprootKey};
//! use quorate_frost::session::Parties;
//! use quorate_frost_secp256k1_tr::{SigningPackage, XOnly, internal};
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//! let dealing = internal::Dealing::new(2, &Parties::numbered(3)?, &mut rng)?;
//! let account = dealing.public;
//! let root = account.extended_key(account.public_chain_code());
//!
//! // The shop, which has this text and no share.
//! let xpub = root.to_xpub(Network::Main);
//! let shop = ExtendedKey::from_xpub(&xpub, Network::Main)?;
//! let path: DerivationPath = "m/0/7".parse()?;
//! let output = TaprootKey::new(&shop.derivation(&path)?, None)?;
//! assert_eq!(output.script_pubkey()[..2], [0x51, 0x20]);
//!
//! // The parties, each alone.
//! let public = account.derive_output(&root, &path, None)?;
//! assert_eq!(public.x_only(), *output.output());
//! let mut shares = Vec::new();
//! for dealt in dealing.shares.into_iter().take(2) {
//!     shares.push(dealt.accept(2, &account)?.derive_output(&account, &root, &path, None)?);
//! }
//!
//! // And now they sign as with any other key.
//! let (nonces, commitments): (Vec<_>, Vec<_>) =
//!     shares.iter().map(|share| share.commit(&mut rng)).unzip();
//! let package = SigningPackage::new(&public, commitments, b"spend the deposit")?;
//! let mut signature_shares = Vec::new();
//! for (share, nonces) in shares.iter().zip(nonces) {
//!     signature_shares.push(share.sign(&package, nonces)?);
//! }
//! let signature = public.aggregate(&package, &signature_shares)?;
//! public.verifying_key().verify(b"spend the deposit", &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
//! | `bip445-draft` | no | **a draft**: BIP-445, which changes with the BIP, without a new major version |
//! | `chilldkg-draft` | no | **a draft**: ChillDKG, key generation over an untrusted coordinator, which changes with the BIP, without a new major version |
//! | `k256` | no | conversions to and from the types of `k256` |
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(any(feature = "bip445-draft", feature = "chilldkg-draft"))]
extern crate alloc;

#[cfg(feature = "bip445-draft")]
pub mod bip445;
#[cfg(feature = "chilldkg-draft")]
pub mod chilldkg;
#[cfg(feature = "k256")]
pub mod interop;
mod suites;
mod taproot;
mod x_only;

pub use suites::{Secp256k1Taproot, TaprootInternal};
pub use x_only::XOnly;

quorate_frost::suite_types!(Secp256k1Taproot);

/// Internal keys (BIP-341): the same names as at the top of the crate, for keys that do not sign.
pub mod internal {
    use crate::TaprootInternal;

    quorate_frost::key_types!(TaprootInternal);
}
