//! Round 4: the shares of the signature.

use alloc::vec::Vec;

use quorate_session::{Abort, Fault, Inbox, Outbox, Run};

use crate::proofs::mismatch;
use crate::sign::messages::SignatureShare;
use crate::sign::view::View;
use crate::{AggregateError, EcdsaCurve, Presignature, RawDigest, Signature};

/// The state of P_i when σ_i is sent, until those of all signers are there.
pub struct AwaitingShares<C: EcdsaCurve> {
    view: View<C>,
    own: SignatureShare<C>,
}

impl<C: EcdsaCurve> AwaitingShares<C> {
    /// Figure 10: σ_i.
    pub(super) fn new(
        presignature: &Presignature<C>,
        digest: RawDigest,
        run: &Run,
    ) -> Result<(Self, Outbox), Abort> {
        let view = View::new(presignature.info().clone(), digest).ok_or_else(|| mismatch(run))?;
        let own = SignatureShare::new(presignature, &view.rerandomized);
        let sigma = C::encode_scalar(own.sigma()).to_vec();
        Ok((Self { view, own }, Outbox::broadcast(sigma)))
    }

    /// Figure 10: aggregates the shares.
    pub(super) fn finish(self, run: &Run, inbox: Inbox<'_>) -> Result<Signature<C>, Abort> {
        let received = inbox.verify(|from, message| self.view.read_share(from, message.broadcast));
        let received = match received {
            Ok(received) => received,
            // A share that does not read is no reason to let a wrong one of another signer pass.
            Err(unread) => return Err(self.verify(inbox).err().unwrap_or(unread)),
        };
        let Self { view, own } = self;
        let shares: Vec<_> = received.with(run.party_id(), own).values().copied().collect();
        view.info.aggregate_rerandomized(&view.rerandomized, &shares).map_err(|error| match error {
            AggregateError::Cheaters(cheaters) => {
                let blamed = cheaters.into_iter().filter(|(party, _)| *party != run.party_id());
                inbox.blame(blamed.map(|(party, _)| (party, Fault::InvalidSignatureShare)))
            }
            _ => mismatch(run),
        })
    }

    /// The shares of those that are there, each alone.
    pub(super) fn verify(&self, inbox: Inbox<'_>) -> Result<(), Abort> {
        let verdicts =
            inbox.verify(|from, message| self.view.verify_share(from, message.broadcast));
        verdicts.map(drop)
    }
}
