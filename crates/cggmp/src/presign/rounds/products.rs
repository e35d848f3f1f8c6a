//! Round 2: the products.

mod multiplying;
pub(super) mod pieces;

use alloc::vec::Vec;

use quorate_bignum::Natural;
use quorate_session::{Abort, Inbox, Message, Outbox, PartyId, PerParty, Run};

use self::multiplying::{Made, Multiplying, Unmade};
use super::sums::{AwaitingSums, ByPeer};
use crate::EcdsaCurve;
use crate::presign::factor::{ByFactor, Pair};
use crate::presign::messages::{Round1Direct, Round2Broadcast, Round2Direct};
use crate::presign::secrets::{Committed, Sent};
use crate::presign::signer::Signer;
use crate::presign::view::Multiplied;
use crate::proofs::{Faults, Look, Refusal, Verdicts, internal, refused};

/// The state of P_i when its products are sent, until those of all signers are there.
pub struct AwaitingProducts<C: EcdsaCurve> {
    /// With the openings of all signers in view.
    pub(crate) signer: Signer<C>,
    pub(crate) broadcast: Round2Broadcast<C>,
    /// The products for every peer, by presignature.
    pub(crate) sent: PerParty<Vec<ByFactor<Sent>>>,
    /// `S'` of each presignature, from the proofs of all peers in round 1.
    committed: PerParty<Vec<Natural>>,
}

/// The message of a peer.
type Received<'m, C> = (Round2Broadcast<C>, Round2Direct<'m>);

/// A signer with the products of all in view, those that it sent and those that it received.
struct Taken<C: EcdsaCurve> {
    signer: Signer<C>,
    sent: ByPeer<Sent>,
    received: ByPeer<Pair>,
}

impl<C: EcdsaCurve> AwaitingProducts<C> {
    /// Figure 8, round 2: verifies the Πenc-elg of all; all Γ_i with Πelog, D, F, D̂, F̂ with Πaff-g.
    pub(super) fn new(
        signer: Signer<C>,
        (own, theirs): (PerParty<Committed>, PerParty<Vec<Natural>>),
        received: &PerParty<Round1Direct<'_>>,
        (run, inbox): (&Run, Inbox<'_>),
    ) -> Result<(Self, Outbox), Abort> {
        if let Some(sent) = run.recalled() {
            return Self::recall((signer, theirs), sent, run).ok_or_else(|| internal(run));
        }
        let made = Multiplying::new(&signer, run, &own).multiply(received);
        // Nothing more about these commitments is sent.
        drop(own);
        let made = made.map_err(|unmade| match unmade {
            Unmade::Refused(verdicts) => refused(verdicts, inbox),
            Unmade::Defect => internal(run),
        })?;
        Ok(Self::announce(signer, made, theirs, run))
    }

    /// Sends the products and proofs that were made.
    fn announce(
        signer: Signer<C>,
        Made { gammas, elog, sent, proofs }: Made<C>,
        committed: PerParty<Vec<Natural>>,
        run: &Run,
    ) -> (Self, Outbox) {
        let mut direct = Vec::with_capacity(sent.len());
        let mut digests = PerParty::with_capacity(sent.len());
        for ((to, products), proof) in sent.iter().zip(&proofs) {
            let pairs = products.iter().flat_map(ByFactor::iter).map(|(_, sent)| &sent.pair);
            direct.push((to, Round2Direct::encode(pairs, proof.as_bytes())));
            let digest = |(index, sent): (usize, &ByFactor<Sent>)| {
                let between = signer.view.between([run.party_id(), to], index);
                between.digest(ByFactor::new(|factor| &sent.get(factor).pair))
            };
            digests.insert(to, products.iter().enumerate().map(digest).collect());
        }
        let broadcast = Round2Broadcast { gammas, elog, digests };
        let outbox = Outbox::new(Some(broadcast.to_bytes()), direct);
        (Self { signer, broadcast, sent, committed }, outbox)
    }

    /// The state of this round again, from the messages that were sent.
    fn recall(
        (signer, committed): (Signer<C>, PerParty<Vec<Natural>>),
        outbox: Outbox,
        run: &Run,
    ) -> Option<(Self, Outbox)> {
        let broadcast =
            signer.view.read_round2(run.party_id(), outbox.broadcast.as_deref()?).ok()?;
        let mut sent = PerParty::with_capacity(outbox.direct.len());
        for (to, body) in &outbox.direct {
            let read = signer
                .view
                .read_products([run.party_id(), *to], &broadcast, body, Look::Again)
                .ok()?;
            let masks = signer.draw_masks(run, *to).ok()?;
            let both = masks.into_iter().zip(read.pairs).map(|(masks, pairs)| ByFactor {
                gamma: Sent { mask: masks.gamma, pair: pairs.gamma },
                share: Sent { mask: masks.share, pair: pairs.share },
            });
            sent.insert(*to, both.collect());
        }
        Some((Self { signer, broadcast, sent, committed }, outbox))
    }

    /// Figure 8, round 3, at once: verifies Πelog and Πaff-g of all, decrypts, and adds up.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingSums<C>, Outbox), Abort> {
        let read = self.verify(run, inbox)?;
        self.add_up(read, run)
    }

    /// Moves on with messages that are in order.
    pub(crate) fn add_up(
        self,
        read: PerParty<Received<'_, C>>,
        run: &Run,
    ) -> Result<(AwaitingSums<C>, Outbox), Abort> {
        let read =
            read.into_iter().map(|(from, (broadcast, direct))| (from, (broadcast, direct.pairs)));
        let Taken { signer, sent, received } = self.take(read, run);
        AwaitingSums::new(signer, sent, received, run)
    }

    /// Takes the products of all peers.
    fn take(
        self,
        read: impl IntoIterator<Item = (PartyId, (Round2Broadcast<C>, Vec<ByFactor<Pair>>))>,
        run: &Run,
    ) -> Taken<C> {
        let Self { mut signer, broadcast, sent, .. } = self;
        let mut announced = PerParty::new().with(run.party_id(), broadcast);
        let mut received = PerParty::with_capacity(sent.len());
        for (from, (broadcast, pairs)) in read {
            announced.insert(from, broadcast);
            received.insert(from, pairs);
        }
        signer.view.announced = announced;
        Taken { signer, sent, received }
    }

    /// The messages of every peer, with Πelog and Πaff-g verified.
    pub(super) fn verify<'m>(
        &self,
        run: &Run,
        inbox: Inbox<'m>,
    ) -> Result<PerParty<Received<'m, C>>, Abort> {
        let (mut faults, look) = (Faults::default(), Look::of(run));
        let read = faults.read(inbox, |_, message| self.read(message, look, run));
        if look == Look::First {
            faults.add_refused(self.verdicts(&read, run).ok_or_else(|| internal(run))?);
        }
        faults.settle(inbox)?;
        Ok(read)
    }

    /// The messages of a peer, with proofs that are not verified.
    fn read<'m>(
        &self,
        message: Message<'m>,
        look: Look,
        run: &Run,
    ) -> Result<Received<'m, C>, Refusal> {
        let view = &self.signer.view;
        let broadcast = view.read_round2(message.from, message.broadcast)?;
        let between = [message.from, run.party_id()];
        let direct = view.read_products(between, &broadcast, message.direct, look)?;
        Ok((broadcast, direct))
    }

    /// The verdicts on Πelog and Πaff-g.
    fn verdicts(&self, read: &PerParty<Received<'_, C>>, run: &Run) -> Option<Verdicts> {
        let Signer { engine, view, .. } = &self.signer;
        view.verify_round2(engine, run.party_id(), self.messages(read)?, self.signer.own())
    }

    /// Messages with their senders' commitments.
    fn messages<'r>(
        &'r self,
        read: &'r PerParty<Received<'_, C>>,
    ) -> Option<PerParty<Multiplied<'r, C>>> {
        let message = |(from, (broadcast, direct)): (_, &'r Received<'_, C>)| {
            let committed = self.committed.get(from)?;
            Some((from, Multiplied { broadcast, direct, committed }))
        };
        read.iter().map(message).collect()
    }
}
