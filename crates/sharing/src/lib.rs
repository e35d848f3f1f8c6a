//! Shamir and Feldman secret sharing over the groups of `quorate-curve`: secret polynomials, public
//! commitments to them, and Lagrange coefficients.
//!
//! A party's place on the polynomial is its [`PartyId`] as a number, so a place is 1..=65535. It is
//! never zero and never reduced, and two different parties have different places modulo every group
//! order here. Small places also make this fast: a coefficient times a place is a multiplication by
//! one word, not by a whole scalar.
//!
//! * [`Polynomial`]: the dealer's secret. [`Polynomial::evaluate_many`] gives its shares, and
//!   [`Polynomial::commit`] its commitment.
//! * [`Commitment`]: the value that the dealer publishes (Feldman, FOCS 1987). It checks a share,
//!   and gives the public share of any party.
//! * [`lagrange`]: the coefficients that put shares together again (Shamir, CACM 1979; RFC 9591
//!   §4.2).
//!
//! # Example
//! ```
//! use quorate_curve::{Curve, Ed25519};
//! use quorate_session::PartyId;
//! use quorate_sharing::{Polynomial, lagrange};
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//!
//! let ids: Vec<PartyId> = (1..=3).filter_map(PartyId::new).collect();
//! let dealt = Polynomial::<Ed25519>::random(2, &mut rng).unwrap();
//! let commitment = dealt.commit();
//! let shares = dealt.evaluate_many(&ids);
//!
//! // Each party checks its own share; anybody can compute everybody's public share.
//! assert!(commitment.verify_share_vartime(ids[2], &shares.expose()[2]));
//! assert!(commitment.evaluate_vartime(ids[2]) == Ed25519::mul_base(&shares.expose()[2]));
//!
//! // Any two shares make the secret.
//! let secret = lagrange::interpolate_at_zero::<Ed25519>(&ids[1..],
//! &shares.expose()[1..]).unwrap();
//! assert!(Ed25519::mul_base(secret.expose()) == *commitment.constant());
//! ```
//!
//! # Misuse
//! This crate cannot prevent:
//! 1. **A party that is dealt two commitments.** A commitment binds its dealer only towards parties
//!    that saw the same one. Compare it among all parties (echo broadcast) before you believe a
//!    share.
//! 2. **A rogue constant.** If the commitments of several dealers are added up, the last dealer can
//!    choose the sum, unless each proves that it knows its constant. The proof of possession
//!    belongs to the protocol above.
//! 3. **Reuse of a polynomial.** A polynomial of threshold t whose values were given out at t
//!    places is known. Deal once, then drop it.
//! 4. **A wrong threshold.** [`Commitment::decode`] holds a dealer to the threshold it is *given*.
//!    The session has to bind the threshold on which all parties agreed.
//! 5. **Fewer than t shares.** [`lagrange::interpolate_at_zero`] cannot know the threshold. From
//!    too few shares, or from shares of different polynomials, it computes a meaningless number.
//! 6. **Copies on the stack.** Heap memory is wiped on drop. Copies that the compiler leaves in
//!    registers and on the stack cannot be wiped without `unsafe`.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod commitment;
mod consistency;
mod decode;
mod evaluation;
pub mod lagrange;
mod polynomial;
mod shares;
mod small;

pub use commitment::{Commitment, CommitmentError};
pub use consistency::lies_on_polynomial_vartime;
pub use decode::decode_points_vartime;
pub use polynomial::Polynomial;
pub use quorate_curve::{Curve, RandomnessError, Secret};
pub use quorate_session::PartyId;
