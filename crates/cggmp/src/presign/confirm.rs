//! Round 4: all saw the same sums.

use alloc::vec::Vec;

use quorate_session::{Abort, Inbox, Outbox};

use super::Presignature;
use crate::EcdsaCurve;
use crate::proofs::confirmation;

/// The body of the confirmation. The echo of the sums is in its frame.
pub(crate) const BODY: &[u8] = &[];

/// What P_i remembers when its confirmation is sent: the presignature, kept back until all have
/// seen the same sums.
pub(super) struct Confirming<C: EcdsaCurve>(Presignature<C>);

impl<C: EcdsaCurve> Confirming<C> {
    pub(super) fn new(presignature: Presignature<C>) -> (Self, Outbox) {
        (Self(presignature), Outbox::broadcast(Vec::from(BODY)))
    }

    pub(super) fn next(self, inbox: Inbox<'_>) -> Result<Presignature<C>, Abort> {
        self.verify(inbox)?;
        Ok(self.0)
    }

    /// A peer that says by its echo that it saw the same sums has no cause for a red alert.
    pub(super) fn verify(&self, inbox: Inbox<'_>) -> Result<(), Abort> {
        inbox.verify(|_, message| confirmation(message.broadcast, BODY)).map(drop)
    }
}
