//! Round 4: the products, and the sum that they decrypt to.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretNatural, SecretProduct};
use quorate_paillier::{Ciphertext, Randomizer};
use quorate_session::{Abort, Inbox, Outbox, PartyId, Run};
use quorate_zk::{Error, pi_dec};

use super::multiplied::Multiplying;
use super::{Alarm, Alert, Factor, MtaPair, Pair, Step, decrypted_length, of, sum};
use crate::EcdsaCurve;
use crate::proofs::{Faults, Refusal, internal, to_all};

/// What P_i remembers when its products and its Πdec are sent.
pub(crate) struct Decrypted<C: EcdsaCurve> {
    alarm: Alarm<C>,
    /// How many peers are done with, in ascending order.
    verified: usize,
    faults: Faults,
    /// What each of them sent, to its own peers in ascending order.
    sent: Vec<(PartyId, Vec<Pair>)>,
}

impl<C: EcdsaCurve> Decrypted<C> {
    /// Figure 9: shows all products and proves Πdec.
    pub(super) fn new(alarm: Alarm<C>, run: &Run) -> Result<(Self, Outbox), Abort> {
        let message = alarm.prove_dec(run).map_err(|_| internal(run))?;
        let state = Self { alarm, verified: 0, faults: Faults::default(), sent: Vec::new() };
        Ok((state, Outbox::broadcast(message)))
    }

    /// Verifies the Πdec of one party. After the last, whose are wrong are named.
    pub(super) fn step(mut self, run: &Run, inbox: Inbox<'_>) -> Result<Step<C>, Abort> {
        let mut left = run.others().skip(self.verified);
        if let Some(peer) = left.next() {
            let message = inbox.from(peer).map_or(&[][..], |message| message.broadcast);
            match self.verify(run, peer, message) {
                Ok(sent) => self.sent.push((peer, sent)),
                Err(why) => self.faults.add(peer, why),
            }
            self.verified = self.verified.saturating_add(1);
        }
        if left.next().is_some() {
            return Ok(Step::Working(Alert::Decrypted(self)));
        }
        self.faults.settle(inbox)?;
        Ok(Step::Working(Alert::Multiplying(Multiplying::new(self.alarm, self.sent))))
    }

    /// Verifies the Πdec of those that are there.
    pub(super) fn judge(mut self, run: &Run, inbox: Inbox<'_>) -> Result<(), Abort> {
        for message in run.others().skip(self.verified).filter_map(|peer| inbox.from(peer)) {
            if let Err(why) = self.verify(run, message.from, message.broadcast) {
                self.faults.add(message.from, why);
            }
        }
        self.faults.settle(inbox)
    }

    fn verify(&self, run: &Run, from: PartyId, message: &[u8]) -> Result<Vec<Pair>, Refusal> {
        let scene = self.alarm.scene(run);
        let shown = scene.read(from, message)?;
        let engine = &self.alarm.three.two.env.engine;
        scene.verify_dec(engine, from, &shown, self.alarm.own())?;
        Ok(shown.into_sent())
    }
}

impl<C: EcdsaCurve> Alarm<C> {
    fn prove_dec(&self, run: &Run) -> Result<Vec<u8>, Error> {
        let (two, scene) = (&self.three.two, self.scene(run));
        let exchanged = self.exchanged(run).ok_or(Error::Relation)?;
        let sum = sum(&exchanged)?;
        let rho = self.randomizer(&sum)?;
        let statement = scene.dec_of(run.me(), &sum).ok_or(Error::Relation)?;
        let y = match self.factor {
            Factor::Gamma => &self.three.delta,
            Factor::Share => &self.three.chi,
        };
        let witness = pi_dec::Witness { x: two.secrets.factor(self.factor), y, rho: &rho };
        let role = scene.role("red alert dec ", None);
        let context = to_all(run, run.me(), &role);
        let rng = &mut run.rng("red alert dec");
        let proof =
            quorate_zk::prove(&two.env.engine, &statement, witness, context, self.own(), rng)?;
        let mut bytes = Vec::with_capacity(decrypted_length(two.env.aux.level(), exchanged.len()));
        for MtaPair { sent, received } in &exchanged {
            for ciphertext in [&sent.d, &sent.f, &received.d, &received.f] {
                bytes.extend(ciphertext.to_bytes());
            }
        }
        bytes.extend_from_slice(proof.as_bytes());
        Ok(bytes)
    }

    fn exchanged(&self, run: &Run) -> Option<Vec<MtaPair>> {
        let pairs = run.others().map(|peer| {
            let sent = self.three.two.sent_to(peer, self.factor)?.pair.clone();
            let (_, received) = self.three.received.iter().find(|(from, _)| *from == peer)?;
            Some(MtaPair { sent, received: of(received, self.factor).clone() })
        });
        pairs.collect()
    }

    /// The randomizer of `x·K_i ⊕ sum`: that of `K_i` to the power of x, times that of the sum.
    fn randomizer(&self, sum: &Ciphertext) -> Result<Randomizer, Error> {
        let two = &self.three.two;
        let key = two.env.aux.secrets().key();
        let of_sum = key.randomizers(&two.env.engine, &[sum])?.pop().ok_or(Error::Values)?;
        let product = SecretProduct::factored(key.factored())
            .power(two.secrets.rho.value(), two.secrets.factor(self.factor))
            .power(of_sum.value(), Integer::from(Natural::one()));
        let value: SecretNatural =
            two.env.engine.evaluate(&[product]).pop().ok_or(Error::Values)??;
        Ok(Randomizer::new(key.encryption_key(), value)?)
    }
}
