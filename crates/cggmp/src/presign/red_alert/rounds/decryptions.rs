//! Round 4: the products, and the sum that they decrypt to.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use quorate_bignum::{Integer, Natural, SecretNatural, SecretProduct};
use quorate_paillier::{Ciphertext, Randomizer};
use quorate_session::{Abort, Inbox, Outbox, PartyId, PerParty, Run};
use quorate_zk::{Error, pi_dec, prove};

use super::product_proofs::ProvingProducts;
use crate::EcdsaCurve;
use crate::presign::factor::{ByFactor, Pair};
use crate::presign::red_alert::alarm::Alarm;
use crate::presign::red_alert::messages::{MtaPair, Shown, decryption_length};
use crate::presign::red_alert::view::sum;
use crate::presign::signer::Signer;
use crate::presign::view::WrongSum;
use crate::proofs::{Faults, Look, Refusal, internal};

/// The state of P_i when its products and its Πdec are sent, until those of all are there and verified.
pub struct AwaitingDecryptions<C: EcdsaCurve> {
    alarm: Alarm<C>,
    /// The peers whose Πdec are to be verified, the last first.
    left: Vec<PartyId>,
    faults: Faults,
    /// The products sent by each of the others, by receiver.
    sent: PerParty<PerParty<Pair>>,
}

impl<C: EcdsaCurve> AwaitingDecryptions<C> {
    /// Figure 9: shows all products and proves Πdec.
    pub(crate) fn new(alarm: Alarm<C>, run: &Run) -> Result<(Self, Outbox), Abort> {
        let outbox = match run.recalled() {
            Some(sent) => sent,
            None => Outbox::broadcast(prove_dec(&alarm, run).map_err(|_| internal(run))?),
        };
        let mut left: Vec<_> = run.others().collect();
        left.reverse();
        let state = Self { alarm, left, faults: Faults::default(), sent: PerParty::new() };
        Ok((state, outbox))
    }

    /// Verifies the Πdec of one party. After the last, the culprits are named.
    pub(super) fn next(
        mut self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<ControlFlow<ProvingProducts<C>, Self>, Abort> {
        if let Some(peer) = self.left.pop() {
            let message = inbox.from(peer).map_or(&[][..], |message| message.broadcast);
            self.verify(peer, message, Look::of(run));
        }
        if !self.left.is_empty() {
            return Ok(ControlFlow::Continue(self));
        }
        self.faults.settle(inbox)?;
        Ok(ControlFlow::Break(ProvingProducts::new(self.alarm, self.sent, run)))
    }

    /// Verifies the Πdec of those that are there.
    pub(super) fn judge(mut self, inbox: Inbox<'_>) -> Result<(), Abort> {
        while let Some(peer) = self.left.pop() {
            if let Some(message) = inbox.from(peer) {
                self.verify(peer, message.broadcast, Look::First);
            }
        }
        self.faults.settle(inbox)
    }

    fn verify(&mut self, from: PartyId, message: &[u8], look: Look) {
        match self.verdict(from, message, look) {
            Ok(sent) => drop(self.sent.insert(from, sent)),
            Err(why) => self.faults.add(from, why),
        }
    }

    fn verdict(
        &self,
        from: PartyId,
        message: &[u8],
        look: Look,
    ) -> Result<PerParty<Pair>, Refusal> {
        let view = self.alarm.view();
        let shown = view.read(from, message)?;
        if look == Look::First {
            view.verify_dec(self.alarm.engine(), from, &shown, self.alarm.signer.own())?;
        }
        Ok(shown.into_sent())
    }
}

/// The message of P_i: its products with each peer, and Πdec.
fn prove_dec<C: EcdsaCurve>(alarm: &Alarm<C>, run: &Run) -> Result<Vec<u8>, Error> {
    let Alarm { signer: Signer { engine, .. }, total: y, .. } = alarm;
    let view = alarm.view();
    let exchanged = exchanged(alarm, run.party_id()).ok_or(Error::Relation)?;
    let sum = sum(&exchanged)?;
    let rho = randomizer(alarm, &sum)?;
    let statement = view.dec(run.party_id(), &sum).ok_or(Error::Relation)?;
    let x = alarm.secret();
    let instance = view.dec_instance();
    let context = view.presigning.binding.broadcast(run.party_id(), &instance);
    let witness = pi_dec::Witness { x, y, rho: &rho };
    let rng = &mut run.rng("red alert dec");
    let proof = prove(engine, &statement, witness, context, alarm.signer.own(), rng)?;
    let length = decryption_length(view.presigning.aux.level(), exchanged.len());
    let mut bytes = Vec::with_capacity(length);
    exchanged.values().for_each(|products| products.encode_into(&mut bytes));
    bytes.extend_from_slice(proof.as_bytes());
    Ok(bytes)
}

/// The products with each peer.
fn exchanged<C: EcdsaCurve>(alarm: &Alarm<C>, me: PartyId) -> Option<PerParty<MtaPair>> {
    let WrongSum { index, factor } = alarm.wrong;
    let shown = |between, pairs: ByFactor<&Pair>| {
        let products = alarm.signer.view.between(between, index);
        let digests = ByFactor::new(|one| products.digest_of(one, pairs.get(one)));
        Shown { pair: (*pairs.get(factor)).clone(), other: *digests.get(factor.other()) }
    };
    let pairs = alarm.sent.iter().map(|(peer, sent)| {
        let received = alarm.received.get(peer)?;
        let sent = shown([me, peer], ByFactor::new(|factor| &sent.get(factor).pair));
        let received = shown([peer, me], ByFactor::new(|factor| received.get(factor)));
        Some((peer, MtaPair { sent, received }))
    });
    pairs.collect()
}

/// The randomizer of `x·K_i ⊕ sum`: that of `K_i` to the power of x, times that of the sum.
fn randomizer<C: EcdsaCurve>(alarm: &Alarm<C>, sum: &Ciphertext) -> Result<Randomizer, Error> {
    let engine = &alarm.signer.engine;
    let key = alarm.signer.key();
    let of_sum = key.randomizers(engine, &[sum])?.pop().ok_or(Error::Values)?;
    let product = SecretProduct::factored(key.factored())
        .power(alarm.nonces.rho.value(), alarm.secret())
        .power(of_sum.value(), Integer::from(Natural::one()));
    let value: SecretNatural = engine.evaluate(&[product]).pop().ok_or(Error::Values)??;
    Ok(Randomizer::new(key.encryption_key(), value)?)
}
