//! Round 4: confirm.

use quorate_session::{Abort, Inbox};

use crate::proofs::confirm;
use crate::{EcdsaCurve, KeyShare};

/// Bytes of the digest.
pub(super) const DIGEST: usize = 32;

/// What P_i remembers when its digest is sent: the key, unconfirmed until all have confirmed it.
pub(super) struct Confirming<C: EcdsaCurve> {
    digest: [u8; DIGEST],
    share: KeyShare<C>,
}

impl<C: EcdsaCurve> Confirming<C> {
    pub(super) fn new(digest: [u8; DIGEST], share: KeyShare<C>) -> Self {
        Self { digest, share: share.unconfirmed() }
    }

    /// The key, and whether every peer that is there has confirmed it.
    pub(super) fn confirm(self, inbox: Inbox<'_>) -> (KeyShare<C>, Result<(), Abort>) {
        (self.share, confirm(inbox, &self.digest))
    }
}
