//! Round 5: that every product was made right.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use quorate_session::{Abort, Inbox, Outbox, PartyId, PerParty, Run};
use quorate_zk::{Error, pi_aff_g_star, prove};

use crate::EcdsaCurve;
use crate::presign::factor::Pair;
use crate::presign::red_alert::alarm::Alarm;
use crate::presign::red_alert::messages::product_proofs_length;
use crate::proofs::{Faults, Refusal, internal, mismatch};

/// The state of P_i while it makes its Πaff-g*.
pub struct ProvingProducts<C: EcdsaCurve> {
    alarm: Alarm<C>,
    /// The products sent by each of the others, by receiver.
    sent: PerParty<PerParty<Pair>>,
    /// The proofs that are made.
    proofs: Vec<u8>,
    /// The peers for whose products none is made yet, the last first.
    left: Vec<PartyId>,
}

impl<C: EcdsaCurve> ProvingProducts<C> {
    pub(super) fn new(alarm: Alarm<C>, sent: PerParty<PerParty<Pair>>, run: &Run) -> Self {
        let level = alarm.signer.view.aux.level();
        let proofs = Vec::with_capacity(product_proofs_length(level, sent.len()));
        let mut left: Vec<_> = run.others().collect();
        left.reverse();
        Self { alarm, sent, proofs, left }
    }

    /// Makes one Πaff-g*. After the last, they are sent.
    pub(super) fn next(
        mut self,
        run: &Run,
    ) -> Result<ControlFlow<(AwaitingProductProofs<C>, Outbox), Self>, Abort> {
        let recalled = run.recalled();
        if recalled.is_some() {
            self.left.clear();
        } else if let Some(peer) = self.left.pop() {
            let proof = prove_product(&self.alarm, peer, run).map_err(|_| internal(run))?;
            self.proofs.extend(proof);
        }
        if !self.left.is_empty() {
            return Ok(ControlFlow::Continue(self));
        }
        let Self { alarm, sent, proofs, .. } = self;
        let places =
            sent.iter().flat_map(|(from, sent)| sent.iter().map(move |(to, _)| [from, to]));
        let mut left: Vec<_> = places.collect();
        left.reverse();
        let state = AwaitingProductProofs { alarm, sent, left, faults: Faults::default() };
        let outbox = recalled.unwrap_or_else(|| Outbox::broadcast(proofs));
        Ok(ControlFlow::Break((state, outbox)))
    }
}

/// Πaff-g* of P_i for its product with a peer's k.
fn prove_product<C: EcdsaCurve>(
    alarm: &Alarm<C>,
    peer: PartyId,
    run: &Run,
) -> Result<Vec<u8>, Error> {
    let engine = &alarm.signer.engine;
    let view = alarm.view();
    let sent = alarm.sent.get(peer).ok_or(Error::Relation)?.get(alarm.wrong.factor);
    let statement = view.aff_g_star([run.party_id(), peer], &sent.pair).ok_or(Error::Relation)?;
    let (x, mask) = (alarm.secret(), &sent.mask);
    let witness = pi_aff_g_star::Witness { x, y: &mask.y, rho: &mask.rho, rho_y: &mask.rho_y };
    let instance = view.aff_g_star_instance(peer);
    let context = view.presigning.binding.broadcast(run.party_id(), &instance);
    let rng = &mut run.rng_for("red alert aff-g*", peer);
    let proof = prove(engine, &statement, witness, context, alarm.signer.own(), rng)?;
    Ok(proof.into_bytes())
}

/// The state of P_i when its Πaff-g* are sent, until those of all are there and verified.
pub struct AwaitingProductProofs<C: EcdsaCurve> {
    alarm: Alarm<C>,
    /// The products sent by each of the others, by receiver.
    sent: PerParty<PerParty<Pair>>,
    /// The senders and receivers of the products whose proofs are to be verified, the last first.
    left: Vec<[PartyId; 2]>,
    faults: Faults,
}

impl<C: EcdsaCurve> AwaitingProductProofs<C> {
    /// Verifies one Πaff-g* of one party. After the last, the culprits are named.
    pub(super) fn next(mut self, run: &Run, inbox: Inbox<'_>) -> Result<Self, Abort> {
        if let Some([from, to]) = self.left.pop() {
            let message = inbox.from(from).map_or(&[][..], |message| message.broadcast);
            self.check([from, to], message);
        }
        if !self.left.is_empty() {
            return Ok(self);
        }
        self.faults.settle(inbox)?;
        // Not reached: with all of this proved, the sums add up.
        Err(mismatch(run))
    }

    /// Verifies the Πaff-g* of those that are there.
    pub(super) fn judge(mut self, inbox: Inbox<'_>) -> Result<(), Abort> {
        while let Some([from, to]) = self.left.pop() {
            if let Some(message) = inbox.from(from) {
                self.check([from, to], message.broadcast);
            }
        }
        self.faults.settle(inbox)
    }

    fn check(&mut self, [from, to]: [PartyId; 2], message: &[u8]) {
        if let Err(why) = self.verify([from, to], message) {
            self.faults.add(from, why);
            // One wrong proof is enough.
            self.left.retain(|[other, _]| *other != from);
        }
    }

    /// Verifies the proof of one product in the message of its sender.
    pub(crate) fn verify(&self, [from, to]: [PartyId; 2], message: &[u8]) -> Result<(), Refusal> {
        let view = self.alarm.view();
        let proofs = view.read_product_proofs(from, message)?;
        let sent = self.sent.get(from).and_then(|sent| sent.get(to)).ok_or(Refusal::Internal)?;
        let proof = proofs.get(to).ok_or(Refusal::Internal)?;
        let (engine, own) = (self.alarm.engine(), self.alarm.signer.own());
        view.verify_aff_g_star(engine, [from, to], (sent, proof), own)
    }
}
