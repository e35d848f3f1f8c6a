//! The zero-knowledge proofs of threshold ECDSA (CGGMP24, ePrint 2021/060, revision of October 2024).
//!
//! Every proof except one is the same Sigma protocol ([`sigma`]). The module of a figure holds only the
//! statement, the witness and the homomorphism with its ranges.
//!
//! [`figures`] lists them, each with its statement and its challenge.
//!
//! The project's `docs/spec/ecdsa-proofs.md` has the layout of each proof and the hashed data,
//! `docs/spec/arguments-ecdsa.md` the arguments for ranges and soundness.
//!
//! The crate itself does no costly work. Both sides describe products. A round puts those of all peers and of all
//! proofs into one list ([`prove_many`], [`verify_many`]), or into the same list as other work.
//!
//! ```
//! # #[cfg(feature = "testing")] {
//! use quorate_bignum::Engine;
//! use quorate_curve::{Curve, Secp256k1 as C};
//! use quorate_paillier::{Level, Randomizer};
//! # use quorate_testkit::fixtures;
//! use quorate_session::{PartyId, SessionId};
//! use quorate_zk::{ProofContext, Own, Prover, ReceivedProof, centred, pi_enc_elg, prove_many, verify_many};
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the session's
//!
//! let engine = Engine::detect();
//! // The prover's Paillier key and the verifier's setup; yours come from fresh primes.
//! let key = fixtures::decryption_key(&engine, Level::Bits112, 0)?;
//! let verifier = fixtures::pedersen_trapdoor(&engine, Level::Bits112, 1, &mut rng)?;
//!
//! let [k, a] = [5u64, 7].map(<C as Curve>::Scalar::from);
//! let (x, rho) = (centred::<C>(&k), Randomizer::random(&mut rng, key.encryption_key())?);
//! let ciphertext = key.encrypt_many(&engine, &[(&x, &rho)])?.remove(0);
//! let y = C::mul_base(&11u64.into());
//! let statement = pi_enc_elg::Statement::<C> {
//!     setup: verifier.pedersen(),
//!     ciphertext: &ciphertext,
//!     a: y,
//!     b: C::mul_base(&a),
//!     x: C::mul(&y, &a) + C::mul_base(&k),
//! };
//!
//! let [me, you] = [1, 2].map(|number| PartyId::new(number).ok_or("no party"));
//! let context = ProofContext::new(SessionId::new([1; 32]), me?, b"presign, round 1, k").to(you?);
//! let mine = Own { key: Some(&key), setup: None };
//! let witness = pi_enc_elg::Witness { x: &x, rho: &rho, b: &a };
//! let begun = Prover::new(&statement, witness, context, mine, &mut rng)?;
//! let proofs = prove_many(&engine, vec![begun])?;
//!
//! let yours = Own { key: None, setup: Some(&verifier) };
//! let received = proofs.iter();
//! let received = received.map(|proof| ReceivedProof::new(&statement, proof.as_bytes(), context, yours)).collect();
//! assert_eq!(verify_many(&engine, received), [Ok(())]);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Misuse
//! This crate cannot prevent:
//! 1. **A setup that is not the verifier's.** Ranges and commitments bind only a prover that does not know the
//!    factors of the setup in the statement. The verifier puts its own there.
//! 2. **Contexts that repeat.** A proof verifies wherever session, prover, verifier and instance are the same.
//!    Two roles of one round need two instances.
//! 3. **Keys without a proof.** [`pi_enc_elg`], [`pi_aff_g`] and [`pi_dec`] are sound only under moduli for which
//!    [`pi_mod`] and [`pi_fac`] were verified. They hide only under setups for which [`pi_prm`] was.
//! 4. **A seed used twice.** Masks come only from the generator that the caller passes. The same masks under
//!    another challenge give the witness away, so a session that is replayed with other messages is lost. The
//!    same holds for a [`Hiding`]: it belongs to one commitment, and its owner drops it when the run is over.
//! 5. **One modulus for both.** The protocol has to make sure that `N` and `N̂` differ.
//! 6. **Copies on the stack.** Heap memory is wiped on drop. Copies that the compiler leaves in registers are
//!    not.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
//! | `testing` | no | a prover that skips its own checks, and published primes: for tests, never for keys in use |
//! | `tracing` | no | spans around proofs |

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod combination;
mod context;
mod error;
pub mod figures;
mod hiding;
mod numbers;
pub mod sigma;
#[cfg(feature = "testing")]
pub mod testing;

pub use context::{Own, ProofContext};
pub use error::{Error, ProofFault};
pub use figures::*;
pub use hiding::Hiding;
pub use numbers::{centred, scalar};
pub use rand_core;
pub use sigma::{
    Begun, Check, Expected, Group, NoPoints, Proof, Prover, PublicValues, ReceivedProof, Responder,
    SecretValues, check_many, prove, prove_many, respond_many, verify, verify_many,
};
