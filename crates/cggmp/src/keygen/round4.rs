//! Round 4: confirm.

use quorate_session::{Abort, Check, Fault, Inbox, Run};

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
        let digests = inbox.verify(|_, message| {
            <[u8; DIGEST]>::try_from(message.broadcast).map_err(|_| Fault::WrongLength)
        })?;
        // A digest that differs says that somebody lies or was lied to, not who.
        if digests.iter().any(|(_, digest)| *digest != self.digest) {
            return Err(Abort::Unattributed { round: run.round(), check: Check::ConfirmMismatch });
        }
        Ok(self.share)
    }
}
