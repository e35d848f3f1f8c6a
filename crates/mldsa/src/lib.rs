//! **Experimental**: threshold ML-DSA (FIPS 204). The crate rests on arguments of its own, which no cryptographer
//! outside this project has read.
//!
//! Exactly T of N parties (2 ≤ T ≤ N ≤ 6) sign together, by the scheme of Mithril (ePrint 2026/013), secure against
//! T − 1 corrupt parties. The result is a signature of ML-DSA-44, -65 or -87 that every verifier of FIPS 204
//! accepts.
//!
//! | step | who | function |
//! |---|---|---|
//! | parameters | the parties | [`Level`], [`Profile`] |
//! | keys | the parties themselves | [`Dkg`], a [`session::Session`] of five rounds |
//! | keys | a dealer | [`Dealing::new`] |
//! | what is signed | each signer | [`VerifyingKey::represent`], [`represent_digest`](VerifyingKey::represent_digest), [`MessageRepresentative::external`] |
//! | the count of attempts | each signer | [`KeyShare::attempt`] |
//! | an attempt | T signers | [`Sign`], a [`session::Session`] of three rounds |
//! | a cheater's evidence | anyone | [`SigningRun::verify`] |
//! | verify | anyone | [`VerifyingKey::verify`] |
//! | the key for others' verifiers | anyone | [`VerifyingKey::to_spki_pem`] |
//!
//! **About every second attempt fails**, and nobody is at fault ([`Attempted`]). Rejection sampling keeps what is
//! sent independent of the secret, and all signers have to accept one slot. After a failure, sign again with a new
//! session id. The table gives the bytes that a party sends in an attempt with a published key, by T and N:
//!
//! | | ML-DSA-44 | ML-DSA-65 | ML-DSA-87 |
//! |---|---|---|---|
//! | 2 of 2, 2 of 3, 3 of 3 | 11, 16, 21 kB | 23, 38, 69 kB | 31, 42, 62 kB |
//! | 2, 3, 4 of 4 | 16, 37, 42 kB | 46, 152, 198 kB | 42, 114, 145 kB |
//! | 2, 3, 4, 5 of 5 | 16, 74, 157, 84 kB | 61, 472, 1561, 594 kB | 52, 270, 726, 363 kB |
//! | 2, 3, 4, 5, 6 of 6 | 21, 100, 388, 525, 194 kB | 61, 724 kB | 52, 404 kB, 6 of 6: 902 kB |
//!
//! # Example
//!
//! ```
//! use quorate_mldsa::session::{Parties, SessionId, SpentInMemory, sim::Network};
//! use quorate_mldsa::{Dkg, DkgParams, Level, Sign, SignParams};
//! use std::sync::Arc;
//!
//! // A key of three parties, of which two sign. Nobody ever has it.
//! let (parties, sid) = (Parties::numbered(3)?, SessionId::new([0; 32]));
//! let made = Network::new(1).run::<Dkg>(sid, &parties, |_| DkgParams::new(Level::MlDsa44, 2))?;
//! let shares: Vec<_> = made.results.into_values().collect::<Result<_, _>>()?;
//! let shares: Vec<_> = shares.into_iter().map(Arc::new).collect();
//! let key = shares[0].public().verifying_key().clone();
//! let mu = key.represent(b"message", b"context")?;
//!
//! // Parties 1 and 3 sign. Each counts its attempts in a table of its own, here in memory.
//! let signers = Parties::new([shares[0].id(), shares[2].id()])?;
//! let mut tables = [SpentInMemory::new(), SpentInMemory::new()];
//! let mut signed = None;
//! for number in 1..40 {
//!     // Agreed by all, never used twice.
//!     let sid = SessionId::new([number; 32]);
//!     let report = Network::new(number.into()).run::<Sign>(sid, &signers, |me| {
//!         let at = signers.position(me).expect("a signer");
//!         let share = &shares[2 * at];
//!         let record = share.attempt(number.into(), sid, &signers, &mu).expect("not used up");
//!         let receipt = record.store(&mut tables[at]).expect("a number that is not spent");
//!         SignParams::new(Arc::clone(share), mu, number.into(), receipt)
//!     })?;
//!     for result in report.results.into_values() {
//!         signed = result?.signature;
//!     }
//!     if signed.is_some() {
//!         break;
//!     }
//! }
//! let signature = signed.expect("luck in one of 39 attempts");
//! assert!(key.verify(b"message", b"context", &signature).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Misuse
//!
//! This crate cannot prevent:
//!
//! 1. **Rollback.** Two responses with one mask give away the party's part of the key. This happens if a session is
//!    opened a second time from its seal of round 1 and receives other messages. Seal before sending, compare and
//!    swap the [`Slot`](session::Slot), and keep tombstones. Restore none of them from a backup, as for nonces and
//!    presignatures.
//! 2. **A table of attempts that goes back.** The security argument holds for a number of attempts
//!    ([`PublicKeyPackage::attempts`]). For 2^50 attempts of all parties, in the mean, take [`Profile::Strict`].
//!    The table of [`KeyShare::attempt`] counts them and must outlive every restore. A session starts with a new
//!    record only. If the table forgets a record, the attempt starts a second time, beyond the count, and two
//!    frames convict the party of equivocation. On a machine that was copied, the generator may repeat itself too.
//!    Then the mask is the same, and two responses give the secret away.
//! 3. **Signing without looking.** A representative μ says nothing about its message. Compute it yourself, from the
//!    message.
//! 4. **A dealer**, where there is one. It knows the whole key and can deal different keys to two parties. Compare
//!    [`PublicKeyPackage::digest`] with the others.
//! 5. **A stored share that leaks.** [`KeyShare::to_bytes`] is the secret itself. Encrypt it.
//! 6. **A signer that claims that it rejected.** One such attempt cannot be told apart from bad luck.
//!    [`Attempted::accepted`] counts the slots that each signer accepted. Over many attempts, an honest signer
//!    accepts the same fraction as the others.
//! 7. **Taking a failed attempt for no signature.** A signer that does not send its response still has the
//!    responses of the others. It may hold a signature, and show it later. From round 3 on the message counts as
//!    signed, whatever the outcome of the attempt. Repeat the attempt, and do not sign another message in its
//!    place.
//! 8. **Hiding that the key is shared.** The coefficients of z are nearly normal here, and uniform in an ordinary
//!    signature. Anyone who sees many signatures learns that the key is shared.
//! 9. **A processor with different arithmetic.** Masks are drawn with additions, multiplications and divisions of
//!    IEEE 754 numbers in double precision. If the time of a division depends on its operands, it leaks. x87
//!    registers give other bits, and a session that is opened on such a processor does not continue.
//!
//! The security arguments, and the places where the crate goes beyond the paper, are in `docs/mldsa.md` of the
//! repository.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | asks the processor for AVX2 and AVX-512 at run time; without it the crate is `no_std`, needs `alloc`, and has what it was built for |
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod ball;
mod dealer;
mod dkg;
mod error;
mod evidence;
mod field;
mod float;
mod hash;
mod level;
mod matrix;
mod message;
#[cfg(test)]
mod model;
mod ntt;
mod package;
mod packing;
mod poly;
mod profile;
mod rounding;
mod sample;
mod secret;
mod set;
mod share;
mod sign;
mod signature;
mod simd;
mod spki;
mod subset;
mod verify;

pub use dealer::Dealing;
pub use dkg::{Dkg, DkgParams};
pub use error::{DecodeError, InvalidSignature, KeyError, MessageError};
pub use evidence::{NotShown, SigningRun};
pub use level::Level;
pub use message::{MessageRepresentative, PreHash};
pub use package::PublicKeyPackage;
pub use profile::Profile;
pub use share::KeyShare;
pub use sign::{Attempted, Sign, SignParams, UsedUp};
pub use signature::Signature;
pub use verify::VerifyingKey;

pub use quorate_session as session;
