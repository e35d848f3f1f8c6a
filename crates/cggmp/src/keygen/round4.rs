//! Round 4: confirm.

use quorate_session::{Abort, Inbox, Run};

use crate::proofs::confirm;
use crate::{EcdsaCurve, KeyShare};

/// Bytes of the digest.
pub(super) const DIGEST: usize = 32;

/// What P_i remembers when its digest is sent: the key, kept back until all have confirmed it.
pub(super) struct Confirming<C: EcdsaCurve> {
    pub(super) digest: [u8; DIGEST],
    pub(super) share: KeyShare<C>,
}

impl<C: EcdsaCurve> Confirming<C> {
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<KeyShare<C>, Abort> {
        confirm(run, inbox, &self.digest)?;
        Ok(self.share)
    }
}
