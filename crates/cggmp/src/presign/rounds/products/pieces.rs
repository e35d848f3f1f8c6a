//! The work of rounds 2 and 3 of a run for many, in pieces: a thread is held for the proof of one peer, or for the
//! products of some presignatures with it ([`Sizes::piece`]), and not for the whole round.
//!
//! A run for fewer does a round at once: proofs and products are evaluated in one list, which fills the engine's lanes
//! better. Here the lists are long enough.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use quorate_bignum::{Natural, SecretInteger};
use quorate_session::{Abort, Inbox, Outbox, PartyId, PerParty, Run};
use quorate_zk::{Error, Proof};

use super::multiplying::{Made, Multiplying, with_masks};
use super::{AwaitingProducts, Taken};
use crate::EcdsaCurve;
use crate::presign::factor::{ByFactor, Pair};
#[cfg(doc)]
use crate::presign::messages::Sizes;
use crate::presign::messages::{Round1Direct, Round2Broadcast};
use crate::presign::rounds::sums::{AwaitingSums, add_block, own_totals};
use crate::presign::secrets::{Committed, Mask, Sent};
use crate::presign::signer::Signer;
use crate::presign::view::{ENC_ELG, Opened};
use crate::proofs::{Faults, Look, Verdicts, internal, verify};

/// Another piece, or the next round with its messages.
pub(in crate::presign::rounds) type Piece<S, R> = Result<ControlFlow<(R, Outbox), S>, Abort>;

/// Figure 8, round 2, between two pieces: first Πenc-elg of one peer after the other, then the products for each, block by
/// block, and their Πaff-g.
pub struct Multiplications<C: EcdsaCurve> {
    /// With the openings of all signers in view.
    signer: Signer<C>,
    /// The commitments to its γ, by verifier.
    own: PerParty<Committed>,
    /// `S'` of each presignature, from the proofs of all peers.
    theirs: PerParty<Vec<Natural>>,
    gammas: Vec<C::Point>,
    /// The number of peers whose proofs are verified.
    verified: usize,
    faults: Faults,
    /// The peer whose products are being made.
    current: Option<Current>,
    sent: PerParty<Vec<ByFactor<Sent>>>,
    proofs: Vec<Proof>,
}

/// The products for a peer, as far as they are made.
struct Current {
    to: PartyId,
    masks: Vec<ByFactor<Mask>>,
    /// The number of presignatures whose products are made.
    done: usize,
    pairs: Vec<Pair>,
}

impl<C: EcdsaCurve> Multiplications<C> {
    /// Before the first piece.
    pub(in crate::presign::rounds) fn new(
        signer: Signer<C>,
        (own, theirs): (PerParty<Committed>, PerParty<Vec<Natural>>),
        run: &Run,
    ) -> Self {
        let gammas = Multiplying::new(&signer, run, &own).into_gammas();
        let (sent, proofs) = (PerParty::with_capacity(own.len()), Vec::new());
        let (faults, current) = (Faults::default(), None);
        Self { signer, own, theirs, gammas, verified: 0, faults, current, sent, proofs }
    }

    /// One piece.
    pub(in crate::presign::rounds) fn next(
        mut self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Piece<Self, AwaitingProducts<C>> {
        if let Some(peer) = run.others().nth(self.verified) {
            let verdicts = self.verify([peer], run, inbox).ok_or_else(|| internal(run))?;
            self.faults.add_refused(verdicts);
            self.verified = self.verified.saturating_add(1);
            if self.verified >= self.signer.view.peers(run.party_id()).count() {
                core::mem::take(&mut self.faults).settle(inbox)?;
            }
            return Ok(ControlFlow::Continue(self));
        }
        if self.sent.len() < self.verified {
            self.multiply(run).map_err(|_| internal(run))?;
            return Ok(ControlFlow::Continue(self));
        }
        let made = self.multiplying(run).proof_of_gammas();
        let elog = made.map_err(|_| internal(run))?;
        let Self { signer, theirs, gammas, sent, proofs, .. } = self;
        let made = Made { gammas, elog, sent, proofs };
        Ok(ControlFlow::Break(AwaitingProducts::announce(signer, made, theirs, run)))
    }

    /// Πenc-elg of these peers.
    fn verify(
        &self,
        peers: impl IntoIterator<Item = PartyId>,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Option<Verdicts> {
        let Signer { engine, view, .. } = &self.signer;
        let opened = peers.into_iter().map(|from| {
            let direct = Round1Direct::from_bytes(inbox.from(from)?.direct, view.sizes).ok()?;
            Opened::new(from, view.openings.get(from)?, &direct)
        });
        let opened = opened.collect::<Option<Vec<_>>>()?;
        let instance = view.binding.instance(ENC_ELG);
        let received =
            view.received_round1((run.party_id(), &instance), &opened, self.signer.own());
        Some(verify(engine, received?))
    }

    /// A block of products for a peer, or the proof of all of them.
    fn multiply(&mut self, run: &Run) -> Result<(), Error> {
        let mut current = match self.current.take() {
            Some(current) => current,
            None => self.begin(run)?,
        };
        let multiplying = self.multiplying(run);
        let block = current.masks.chunks(self.signer.view.sizes.piece()).find_map({
            let mut first = 0_usize;
            move |block| {
                let at = first;
                first += block.len();
                (at >= current.done).then_some((at, block))
            }
        });
        let Some((first, block)) = block else {
            let Current { to, masks, pairs, .. } = current;
            let proof = multiplying.proof_for(to, &masks, &pairs)?;
            let sent = with_masks(masks, &mut pairs.into_iter()).ok_or(Error::Values)?;
            self.sent.insert(to, sent);
            self.proofs.push(proof);
            return Ok(());
        };
        let pairs = multiplying.block(current.to, first, block)?;
        current.done = first + block.len();
        current.pairs.extend(pairs);
        self.current = Some(current);
        Ok(())
    }

    /// The next peer, with its masks.
    fn begin(&self, run: &Run) -> Result<Current, Error> {
        let to = run.others().nth(self.sent.len()).ok_or(Error::Relation)?;
        let masks = self.signer.draw_masks(run, to)?;
        Ok(Current { to, masks, done: 0, pairs: Vec::new() })
    }

    fn multiplying<'s>(&'s self, run: &'s Run) -> Multiplying<'s, C> {
        Multiplying::with_gammas(&self.signer, run, &self.own, self.gammas.clone())
    }

    /// Verifies the proofs that are not verified yet.
    pub(in crate::presign::rounds) fn judge(
        mut self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(), Abort> {
        let verdicts = self.verify(run.others().skip(self.verified), run, inbox);
        self.faults.add_refused(verdicts.ok_or_else(|| internal(run))?);
        self.faults.settle(inbox)
    }
}

/// Figure 8, round 3, between two pieces: first Πelog and Πaff-g of one peer after the other, then decryption, block by
/// block.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum Additions<C: EcdsaCurve> {
    Verifying(Verifying<C>),
    Decrypting(Decrypting<C>),
}

/// The messages of some peers are verified.
pub struct Verifying<C: EcdsaCurve> {
    round: AwaitingProducts<C>,
    /// The number of those peers.
    verified: usize,
    faults: Faults,
    read: PerParty<(Round2Broadcast<C>, Vec<ByFactor<Pair>>)>,
}

/// Some of the products are decrypted.
pub struct Decrypting<C: EcdsaCurve> {
    taken: Taken<C>,
    /// The number of blocks of them.
    done: usize,
    totals: Vec<ByFactor<SecretInteger>>,
}

impl<C: EcdsaCurve> Additions<C> {
    /// Before the first piece.
    pub(in crate::presign::rounds) fn new(round: AwaitingProducts<C>) -> Self {
        let (faults, read) = (Faults::default(), PerParty::new());
        Self::Verifying(Verifying { round, verified: 0, faults, read })
    }

    /// One piece.
    pub(in crate::presign::rounds) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Piece<Self, AwaitingSums<C>> {
        match self {
            Self::Verifying(mut work) => {
                Ok(ControlFlow::Continue(match run.others().nth(work.verified) {
                    Some(peer) => {
                        work.verify(peer, run, inbox)?;
                        Self::Verifying(work)
                    }
                    None => Self::Decrypting(work.finish(run, inbox)?),
                }))
            }
            Self::Decrypting(mut work) => {
                if work.decrypt().map_err(|_| internal(run))? {
                    return Ok(ControlFlow::Continue(Self::Decrypting(work)));
                }
                let Decrypting { taken: Taken { signer, sent, received }, totals, .. } = work;
                let next = AwaitingSums::of_totals(signer, (sent, received), totals, run)?;
                Ok(ControlFlow::Break(next))
            }
        }
    }

    /// Verifies all proofs, if some are not verified yet.
    pub(in crate::presign::rounds) fn judge(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(), Abort> {
        match self {
            Self::Verifying(work) => work.round.verify(run, inbox).map(drop),
            Self::Decrypting(_) => Ok(()),
        }
    }
}

impl<C: EcdsaCurve> Verifying<C> {
    /// The message of one peer, with its proofs.
    fn verify(&mut self, peer: PartyId, run: &Run, inbox: Inbox<'_>) -> Result<(), Abort> {
        let message = inbox.from(peer).ok_or_else(|| internal(run))?;
        self.verified = self.verified.saturating_add(1);
        match self.round.read(message, Look::First, run) {
            Err(why) => self.faults.add(peer, why),
            Ok(received) => {
                let one = PerParty::new().with(peer, received);
                let verdicts = self.round.verdicts(&one, run).ok_or_else(|| internal(run))?;
                self.faults.add_refused(verdicts);
                for (from, (broadcast, direct)) in one {
                    self.read.insert(from, (broadcast, direct.pairs));
                }
            }
        }
        Ok(())
    }

    /// Moves on if all messages are in order.
    fn finish(self, run: &Run, inbox: Inbox<'_>) -> Result<Decrypting<C>, Abort> {
        self.faults.settle(inbox)?;
        let taken = self.round.take(self.read, run);
        let totals = own_totals(&taken.signer, &taken.sent);
        Ok(Decrypting { taken, done: 0, totals })
    }
}

impl<C: EcdsaCurve> Decrypting<C> {
    /// The next block, if there is one.
    fn decrypt(&mut self) -> Result<bool, Error> {
        let Taken { signer, received, .. } = &self.taken;
        let piece = signer.view.sizes.piece();
        let mut blocks = received.values().flat_map(|all| all.chunks(piece).enumerate());
        let Some((place, products)) = blocks.nth(self.done) else { return Ok(false) };
        let totals = self.totals.chunks_mut(piece).nth(place).ok_or(Error::Relation)?;
        add_block(signer, totals, products)?;
        self.done = self.done.saturating_add(1);
        Ok(true)
    }
}
