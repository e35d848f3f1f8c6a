//! Round 5: that every product was made right.

use alloc::vec::Vec;

use quorate_session::{Abort, Inbox, Outbox, PartyId, Run};
use quorate_zk::{Error, pi_aff_g_star};

use super::{Alarm, Alert, Pair, Step, multiplied_length};
use crate::EcdsaCurve;
use crate::proofs::{Faults, Refusal, internal, mismatch, to_all};

/// What P_i remembers while it makes its Πaff-g*.
pub(crate) struct Multiplying<C: EcdsaCurve> {
    alarm: Alarm<C>,
    sent: Vec<(PartyId, Vec<Pair>)>,
    /// The proofs that are made, for the first peers in ascending order.
    proofs: Vec<u8>,
    proved: usize,
}

impl<C: EcdsaCurve> Multiplying<C> {
    pub(super) fn new(alarm: Alarm<C>, sent: Vec<(PartyId, Vec<Pair>)>) -> Self {
        let level = alarm.three.two.env.aux.level();
        let proofs = Vec::with_capacity(multiplied_length(level, sent.len()));
        Self { alarm, sent, proofs, proved: 0 }
    }

    /// Makes one Πaff-g*. After the last, they are sent.
    pub(super) fn step(mut self, run: &Run) -> Result<Step<C>, Abort> {
        let mut left = run.others().skip(self.proved);
        if let Some(peer) = left.next() {
            let proof = self.alarm.prove_aff_g_star(run, peer).map_err(|_| internal(run))?;
            self.proofs.extend(proof);
            self.proved = self.proved.saturating_add(1);
        }
        if left.next().is_some() {
            return Ok(Step::Working(Alert::Multiplying(self)));
        }
        let Self { alarm, sent, proofs, .. } = self;
        let state = Multiplied { alarm, sent, peer: 0, proof: 0, faults: Faults::default() };
        Ok(Step::Round(Alert::Multiplied(state), Outbox::broadcast(proofs)))
    }
}

/// What P_i remembers when its Πaff-g* are sent.
pub(crate) struct Multiplied<C: EcdsaCurve> {
    alarm: Alarm<C>,
    /// What each peer sent, to its own peers in ascending order.
    sent: Vec<(PartyId, Vec<Pair>)>,
    /// How many peers are done with.
    peer: usize,
    /// How many proofs of the next one are.
    proof: usize,
    faults: Faults,
}

impl<C: EcdsaCurve> Multiplied<C> {
    /// Verifies one Πaff-g* of one party. After the last, whose are wrong are named.
    pub(super) fn step(mut self, run: &Run, inbox: Inbox<'_>) -> Result<Step<C>, Abort> {
        let peers = self.sent.len();
        if let Some(&(from, _)) = self.sent.get(self.peer) {
            let message = inbox.from(from).map_or(&[][..], |message| message.broadcast);
            // One wrong proof is enough.
            self.proof = match self.verify(run, (self.peer, self.proof), message) {
                Ok(()) => self.proof.saturating_add(1),
                Err(why) => {
                    self.faults.add(from, why);
                    peers
                }
            };
        }
        if self.proof >= peers {
            (self.peer, self.proof) = (self.peer.saturating_add(1), 0);
        }
        if self.peer < peers {
            return Ok(Step::Working(Alert::Multiplied(self)));
        }
        self.faults.settle(inbox)?;
        // Not reached: with all of this proved, the sums add up.
        Err(mismatch(run))
    }

    /// Verifies the Πaff-g* of those that are there.
    pub(super) fn judge(mut self, run: &Run, inbox: Inbox<'_>) -> Result<(), Abort> {
        let peers = self.sent.len();
        for peer in self.peer..peers {
            let from = self.sent.get(peer).and_then(|(from, _)| inbox.from(*from));
            let Some(message) = from else { continue };
            let mut each =
                (0..peers).map(|proof| self.verify(run, (peer, proof), message.broadcast));
            if let Some(why) = each.find_map(Result::err) {
                self.faults.add(message.from, why);
            }
        }
        self.faults.settle(inbox)
    }

    /// One proof in the message of a peer.
    pub(crate) fn verify(
        &self,
        run: &Run,
        (peer, proof): (usize, usize),
        message: &[u8],
    ) -> Result<(), Refusal> {
        let scene = self.alarm.scene(run);
        let proofs = scene.split(message)?;
        let (from, sent) = self.sent.get(peer).ok_or(Refusal::Internal)?;
        let mut each = scene.peers(*from).zip(sent).zip(proofs).skip(proof);
        let ((to, sent), proof) = each.next().ok_or(Refusal::Internal)?;
        let engine = &self.alarm.three.two.env.engine;
        scene.verify_aff_g_star(engine, [*from, to], (sent, proof), self.alarm.own())
    }
}

impl<C: EcdsaCurve> Alarm<C> {
    fn prove_aff_g_star(&self, run: &Run, peer: PartyId) -> Result<Vec<u8>, Error> {
        let (two, scene) = (&self.three.two, self.scene(run));
        let sent = two.sent_to(peer, self.factor).ok_or(Error::Relation)?;
        let statement = scene.aff_g_star_of(run.me(), peer, &sent.pair).ok_or(Error::Relation)?;
        let (x, mask) = (two.secrets.factor(self.factor), &sent.mask);
        let witness = pi_aff_g_star::Witness { x, y: &mask.y, rho: &mask.rho, rho_y: &mask.rho_y };
        let role = scene.role("red alert aff-g* ", Some(peer));
        let context = to_all(run, run.me(), &role);
        let rng = &mut run.rng_for("red alert aff-g*", peer);
        let proof =
            quorate_zk::prove(&two.env.engine, &statement, witness, context, self.own(), rng)?;
        Ok(proof.into_bytes())
    }
}
