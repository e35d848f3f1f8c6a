//! Shamir and Feldman secret sharing over the groups of `quorate-curve`: secret polynomials, public
//! commitments to them, Lagrange coefficients.
//!
//! A party's place on the polynomial is its [`PartyId`] as a number, so a place is 1..=65535: never
//! zero, never reduced, and two parties that differ have places that differ modulo every group
//! order here. That places are this small is also where the speed comes from: a coefficient times a
//! place is a multiplication by one word, not by a whole scalar.
//!
//! * [`Polynomial`]: the dealer's secret; its shares by [`Polynomial::evaluate_many`], its
//!   commitment by [`Polynomial::commit`].
//! * [`Commitment`]: what the dealer publishes (Feldman, FOCS 1987); checks a share, gives
//!   anybody's public share.
//! * [`lagrange`]: the coefficients that put shares together again (Shamir, CACM 1979; RFC 9591
//!   §4.2).
//!
//! # Misuse
//! This crate cannot prevent:
//! 1. **A party that is dealt two commitments.** A commitment binds its dealer only towards those
//!    who saw the same one: compare it among all parties (echo broadcast) before a share is
//!    believed.
//! 2. **A rogue constant.** Adding up commitments of several dealers lets the last one choose the
//!    sum, unless each proves that it knows its constant. The proof of possession belongs to the
//!    protocol above.
//! 3. **Reuse of a polynomial.** A polynomial of threshold t handed out at t places is known. Deal
//!    once, then drop it.
//! 4. **A wrong threshold.** [`Commitment::decode`] holds a dealer to the threshold it is *given*;
//!    that this is the one all parties agreed on is for the session to bind.
//! 5. **Fewer than t shares.** [`lagrange::interpolate_at_zero`] cannot know the threshold: of too
//!    few shares, or of shares of different polynomials, it makes a number that means nothing.
//! 6. **Copies on the stack.** Heap memory is wiped on drop; copies that the compiler leaves in
//!    registers and on the stack cannot be, without `unsafe`.
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
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod commitment;
mod consistency;
mod decode;
pub mod lagrange;
mod plan;
mod polynomial;
mod shares;
mod small;

pub use commitment::{Commitment, CommitmentError};
pub use consistency::lies_on_polynomial_vartime;
pub use decode::decode_points_vartime;
pub use polynomial::Polynomial;
pub use quorate_curve::{Curve, RandomnessError, Secret};
pub use quorate_session::PartyId;
