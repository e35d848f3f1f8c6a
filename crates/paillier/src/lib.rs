//! Paillier encryption and ring-Pedersen commitments, as threshold ECDSA (CGGMP24, ePrint 2021/060) uses them.
//!
//! Costly work is a *product*, described here and evaluated by an [`Engine`](quorate_bignum::Engine). So a
//! protocol can put all encryptions and commitments of a round into one call. The `*_many` functions are the
//! short way for one list.
//!
//! * [`EncryptionKey`] and [`DecryptionKey`]: operations under one's own key use the two primes.
//! * [`Ciphertext`]: a unit under `N^2`, checked when it is read.
//! * [`Randomizer`] and [`Randomizers`]: made in idle time, so that an encryption for another party costs almost
//!   nothing.
//! * [`Pedersen`] and [`PedersenTrapdoor`]: commitments to integers by a setup of the verifier.
//! * [`Level`]: the sizes of all numbers.
//!
//! ```
//! use quorate_bignum::{Engine, Integer, Natural, SecretInteger};
//! use quorate_paillier::{Ciphertext, Level, Randomizer};
//! # use quorate_testkit::fixtures;
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//!
//! let engine = Engine::detect();
//! let secret_key = fixtures::decryption_key(&engine, Level::Bits128, 0)?; // yours: from fresh primes
//! let key = secret_key.encryption_key();
//!
//! let minus_five = SecretInteger::classify(&Integer::new(true, Natural::from(5)), 256)?;
//! let r = Randomizer::random(&mut rng, key)?;
//! let sent = key.encrypt_many(&engine, &[(&minus_five, &r)])?.remove(0).to_bytes();
//!
//! let received = Ciphertext::from_bytes(key, &sent)?;
//! let minus_ten = received.add(&received)?;
//! let opened = secret_key.decrypt_many(&engine, &[&minus_ten])?.remove(0);
//! assert_eq!(opened.declassify(), Integer::new(true, Natural::from(10)));
//! # Ok::<(), quorate_paillier::Error>(())
//! ```
//!
//! # Misuse
//! This crate cannot prevent:
//! 1. **A key without a proof.** An [`EncryptionKey`] or a [`Pedersen`] setup is known only to have the right
//!    length and the right shape. One with small factors, or with `s` outside the powers of `t`, gives away what
//!    is encrypted or committed under it. The proofs belong to the protocol above, and come before the first use.
//! 2. **A randomizer used twice.** The quotient of the two ciphertexts shows the difference of the plaintexts. An
//!    encryption does not consume a [`Randomizer`], because proofs need it afterwards. Drop it when they are
//!    made. Never save, copy or replay a store of [`Randomizers`].
//! 3. **Plaintexts that wrap around.** Arithmetic is modulo `N`. Range proofs have to show that a sum stays
//!    within `±(N-1)/2`.
//! 4. **Decrypting for strangers.** Paillier is malleable, so an answer that depends on a decrypted number
//!    reveals something to the sender. Decrypt only ciphertexts that came with a proof of their range.
//! 5. **Primes from elsewhere.** [`DecryptionKey::from_primes`] and [`PedersenTrapdoor::generate`] test that the
//!    numbers are primes, and those of a setup safe ones. Nobody can test that they are random. A party that
//!    chose them can read everything that is encrypted under the key.
//! 6. **One modulus for both.** `N` and `N̂` must be different, and so must the moduli of different parties:
//!    [`share_factors_vartime`].
//! 7. **A setup that is not the verifier's.** A commitment binds only a party that does not know the factors.
//! 8. **Copies on the stack.** Heap memory is wiped on drop. Copies that the compiler leaves in registers are
//!    not.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
//! | `testing` | no | published primes: for tests, never for keys in use |

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod ciphertext;
mod decryption;
mod encryption;
mod error;
mod factors;
mod key;
pub mod level;
mod numbers;
mod pedersen;
mod plaintext;
mod primes;
mod randomizer;
mod store;
mod units;

pub use ciphertext::Ciphertext;
pub use decryption::DecryptionKey;
pub use error::Error;
pub use key::EncryptionKey;
pub use level::Level;
pub use pedersen::{Pedersen, PedersenTrapdoor};
pub use plaintext::Plaintext;
pub use primes::Primes;
pub use rand_core;
pub use randomizer::Randomizer;
pub use store::Randomizers;
pub use units::{are_units_vartime, share_factors_vartime};
