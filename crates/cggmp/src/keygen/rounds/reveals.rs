//! Round 2: reveal, and deal.

use quorate_curve::{Curve, Secret};
use quorate_keys::ShareState;
use quorate_session::{Abort, Inbox, Message, Outbox, PerParty, Run};
use quorate_sharing::Commitment;

use super::proofs::AwaitingProofs;
use crate::keygen::messages::{Reveal, read_share};
use crate::keygen::view::{View, check_share};
use crate::proofs::mismatch;
use crate::schnorr::Nonce;
use crate::{EcdsaCurve, KeyShare};

/// The state of P_i when its reveal and its shares are sent, until those of all are there.
pub struct AwaitingReveals<C: EcdsaCurve> {
    /// With the V_j of all others.
    pub(super) view: View<C>,
    /// The party's share of its own polynomial: f_i(i).
    pub(super) own: Secret<C::Scalar>,
    /// α_i.
    pub(super) nonce: Nonce<C>,
    pub(super) reveal: Reveal<C>,
}

/// The reveal of each peer, with its share for this party.
type Dealt<C> = PerParty<(Reveal<C>, Secret<<C as Curve>::Scalar>)>;

impl<C: EcdsaCurve> AwaitingReveals<C> {
    /// Figure 6, round 3: checks all reveals and shares, adds up, and proves knowledge of the sum.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingProofs<C>, Outbox), Abort> {
        let dealt = self.verify(run, inbox)?;
        let Self { view, own, nonce, reveal } = self;
        let shares = dealt.values().map(|(_, share)| *share.expose());
        let sum = Secret::make(|| shares.fold(*own.expose(), |sum, share| sum + share));
        let view = View {
            reveals: dealt.map(|_, (reveal, _)| reveal).with(run.party_id(), reveal),
            ..view
        };
        // The failures from here on cannot be caused by one party alone: a key or a share that is zero.
        let key = view.key().ok_or_else(|| mismatch(run))?;
        let share = KeyShare::new(run.party_id(), key, sum, ShareState::Unconfirmed)
            .map_err(|_| mismatch(run))?;
        AwaitingProofs::new(run, view, share, nonce)
    }

    /// Reads every reveal, compares it with its V_j, and reads and checks every share.
    pub(super) fn verify(&self, run: &Run, inbox: Inbox<'_>) -> Result<Dealt<C>, Abort> {
        let read = |from, message: Message<'_>| {
            let reveal = self.view.read_reveal(from, message.broadcast)?;
            Ok((reveal, read_share::<C>(message.direct)?))
        };
        let check_each = |from, message: Message<'_>| {
            let (reveal, share) = read(from, message)?;
            check_share(&reveal, run.party_id(), share.expose())?;
            Ok((reveal, share))
        };
        // If the sum is wrong, every share is checked alone, so that all culprits are named.
        let dealt = inbox.verify(read).or_else(|_| inbox.verify(check_each))?;
        let zero = C::Scalar::default();
        let sum = dealt.values().fold(zero, |sum, (_, share)| sum + *share.expose());
        let sum = Secret::new(sum);
        let fits = Commitment::sum(dealt.values().map(|(reveal, _)| &reveal.commitment))
            .is_some_and(|total| total.verify_share_vartime(run.party_id(), sum.expose()));
        if fits { Ok(dealt) } else { inbox.verify(check_each) }
    }
}
