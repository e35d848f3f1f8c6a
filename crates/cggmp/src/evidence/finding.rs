//! The findings about a message.

use quorate_session::Fault;

use crate::proofs::{Refusal, Verdicts, first_refusal};

/// The obstacle to a message being in order.
pub(crate) enum Finding {
    Fault(Fault),
    /// Something is missing, or a message of the others is not in order.
    Incomplete,
    /// A defect of the verifier's.
    Internal,
}

impl<R: Into<Refusal>> From<R> for Finding {
    fn from(why: R) -> Self {
        match why.into() {
            Refusal::Fault(fault) => Self::Fault(fault),
            Refusal::Internal => Self::Internal,
        }
    }
}

/// Checks that all proofs of one party hold. Without verdicts, the view lacks values that a statement refers to.
pub(super) fn all_hold(verdicts: Option<Verdicts>) -> Result<(), Finding> {
    Ok(first_refusal(verdicts.ok_or(Finding::Incomplete)?)?)
}
