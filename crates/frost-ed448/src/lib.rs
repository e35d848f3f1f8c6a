//! FROST over Ed448 (RFC 9591 §6.3): signatures verify as Ed448 (RFC 8032).
//!
//! The types of [`quorate_frost`] under plain names. Its documentation describes each step, and lists the
//! mistakes that no library can prevent.
//!
//! Three parties make a 2-of-3 key, and two of them sign. An in-memory network (feature `sim` of
//! `quorate-session`) stands for the three machines.
//!
//! ```
//! use quorate_frost::session::{Parties, SessionId, sim::Network};
//! use quorate_frost_ed448::{Dkg, DkgParams, SigningPackage};
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//!
//! // The key, made by all three in three rounds. Nobody ever holds it.
//! let parties = Parties::numbered(3)?;
//! let session_id = SessionId::new([1; 32]); // agreed by all, never used twice
//! let made = Network::new(42).run::<Dkg>(session_id, &parties, |_| DkgParams::new(2))?.results;
//! let mut made = made.into_values().collect::<Result<Vec<_>, _>>()?.into_iter();
//! let (Some(alice), Some(bob)) = (made.next(), made.next()) else { return Ok(()) };
//! let (alice, bob, public) = (alice.share, bob.share, bob.public);
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
//! # use quorate_frost_ed448::Dealing;
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//! let dealing = Dealing::new(2, &Parties::numbered(3)?, &mut rng)?;
//! for dealt in dealing.shares {
//!     let share = dealt.accept(2, &dealing.public)?; // by the party: it checks its share and keeps it
//! #   assert_eq!(share.threshold(), 2);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
//! | `ed448-goldilocks` | no | conversions to and from the types of `ed448-goldilocks` |
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "ed448-goldilocks")]
pub mod interop;

use quorate_frost::hash::{SuiteHash, WideShake256};
use quorate_frost::{Ciphersuite, KeySuite, ParentSuite, PointBytes, ScalarBytes, signature_bytes};

/// The suite `FROST-ED448-SHAKE256-v1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ed448Shake256;

impl KeySuite for Ed448Shake256 {
    type Curve = quorate_curve::Ed448;
    type Hash = WideShake256;

    const CONTEXT: &'static str = "FROST-ED448-SHAKE256-v1";
    const CODE: u8 = 3;
}

/// Children by Quorate's additive derivation.
impl ParentSuite for Ed448Shake256 {}

impl Ciphersuite for Ed448Shake256 {
    type SignatureBytes = [u8; 114];

    fn h2() -> Self::Hash {
        // dom4(0, "") of RFC 8032: H2 is the challenge of Ed448.
        Self::Hash::new("SigEd448\0\0", "")
    }

    fn encode_signature(r: &PointBytes<Self>, z: &ScalarBytes<Self>) -> Self::SignatureBytes {
        signature_bytes(r.as_ref(), z.as_ref())
    }
}

quorate_frost::suite_types!(Ed448Shake256);
