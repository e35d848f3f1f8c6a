//! ROAST: signing that finishes with t honest signers, even if others stall or lie.
//!
//! Ruffing, Ronge, Jin, Schneider-Bensch, Schröder, "ROAST: Robust Asynchronous Schnorr Threshold Signatures",
//! CCS 2022, ePrint 2022/550. FROST stops when one of its t signers is silent. ROAST wraps it: every free signer
//! goes into the next session of t signers, and each answer carries the commitments for the signer's next
//! session. A signer waits in one session at a time, so each bad one holds up one session.
//!
//! | step | who | function |
//! |---|---|---|
//! | first message: commitments | signer | [`RoastSigner::start`], then [`RoastSigner::message`] |
//! | t signers are free: a session of them | coordinator | [`RoastCoordinator::receive`] gives [`AnswerOutcome::Ask`] |
//! | a share, and the next commitments | signer | [`RoastSigner::answer`] |
//! | all t shares of one session: the signature | coordinator | [`RoastCoordinator::receive`] gives [`AnswerOutcome::Done`] |
//!
//! With at most n − t bad signers, the coordinator has a signature as soon as the honest ones have answered: it starts at
//! most n − t + 1 sessions ([`RoastCoordinator::most_sessions`]), and nothing waits for a clock. Each share is verified when
//! it comes. A signer whose answer is wrong is [marked](SignerFault) and never asked again.
//!
//! The coordinator is trusted only to make progress. It holds no secret and it cannot sign. A signer signs only
//! the message that its own application gave to [`RoastSigner::start`]. If no party is trusted to make progress,
//! several run a coordinator each, under run ids of their own, and one of them is enough.
//!
//! # Misuse
//!
//! This module cannot prevent:
//!
//! 1. **Channels that are not authenticated, in either direction.** Anyone who can send requests in the
//!    coordinator's name can have honest signers marked. A message may come twice, late, or out of order.
//! 2. **A run id that is used twice**, by two coordinators or by one that has forgotten its run. Give a coordinator
//!    that crashed the messages that it received before, in their order; it then makes the same requests again. Log
//!    a message before the request of its step is sent. If one is missing, honest signers are marked.
//! 3. **A signer that is restored to an older state.** Its nonces stay safe, since each is released against a
//!    record ([`SpentTable`](quorate_session::SpentTable)). But it may answer twice, and is marked for that.

mod coordinator;
mod error;
mod messages;
mod signer;
#[cfg(test)]
mod tests;

pub use coordinator::{AnswerOutcome, Ask, RoastCoordinator};
pub use error::{AnswerRejected, Refused, SignerFault};
pub use signer::RoastSigner;
