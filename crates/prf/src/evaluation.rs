//! One round: each party's share of an evaluation, and the result of t of them.
//!
//! Party i sends F_i = x_i·H for each point H of the [`Query`](crate::Query), and a proof that the logarithms of all its points are that of
//! its verifying share X_i. Any t shares whose proofs verify give x·H = Σ λ_i·F_i. A share whose proof does not verify is
//! evidence against its sender: everybody who has the public key package and the query comes to the same verdict.

mod aggregate;
mod exchange;
mod prove;
mod share;
mod verify;

pub use aggregate::Evaluation;
pub use exchange::{AwaitingEvaluations, EvaluationExchange, EvaluationExchangeParams};
pub use share::EvaluationShare;
