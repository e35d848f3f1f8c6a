//! Round 2: the products with the k of each peer.

use alloc::vec::Vec;

use quorate_paillier::Ciphertext;
use quorate_session::{Abort, Inbox, Outbox, PartyId, PerParty, Run};
use quorate_zk::{Error, Proof, Prover, pi_elog, respond_many};

use super::sums::AwaitingSums;
use crate::EcdsaCurve;
use crate::presign::factor::{ByFactor, Factor, Pair};
use crate::presign::messages::{Round2Broadcast, Round2Direct};
use crate::presign::secrets::{Mask, Sent};
use crate::presign::signer::Signer;
use crate::presign::view::ELOG_GAMMA;
use crate::proofs::{Faults, internal};

/// The state of P_i when its products are sent, until those of all signers are there.
pub struct AwaitingProducts<C: EcdsaCurve> {
    /// With the openings of all signers in view.
    pub(crate) signer: Signer<C>,
    pub(crate) broadcast: Round2Broadcast<C>,
    /// The products for every peer.
    pub(crate) sent: PerParty<ByFactor<Sent>>,
}

/// Masks of all products, by receiver.
type Masks = PerParty<ByFactor<Mask>>;

impl<C: EcdsaCurve> AwaitingProducts<C> {
    /// Figure 8, round 2: Γ_i with Πelog, D, F, D̂, F̂ with Πaff-g.
    pub(super) fn new(signer: Signer<C>, run: &Run) -> Result<(Self, Outbox), Abort> {
        let gamma = C::mul_base(signer.secrets.gamma.scalar.expose());
        let made = Multiplying { signer: &signer, run, gamma }.multiply();
        let (sent, proofs) = made.map_err(|_| internal(run))?;
        let mut proofs = proofs.into_iter();
        // Πelog is the first, two Πaff-g for each peer follow.
        let elog = proofs.next().and_then(|elog| elog.as_bytes().try_into().ok());
        let elog = elog.ok_or_else(|| internal(run))?;
        let mut direct = Vec::new();
        let mut digests = PerParty::with_capacity(sent.len());
        for (to, products) in &sent {
            let pairs = products.iter().map(|(_, sent)| &sent.pair);
            direct.push((to, Round2Direct::encode(pairs, proofs.by_ref().take(2))));
            let digest = |factor| {
                products.get(factor).pair.digest(signer.view.binding, factor, [run.me(), to])
            };
            digests.insert(to, ByFactor::new(digest));
        }
        let broadcast = Round2Broadcast { gamma, elog, digests };
        let outbox = Outbox { broadcast: Some(broadcast.to_bytes()), direct };
        Ok((Self { signer, broadcast, sent }, outbox))
    }

    /// Figure 8, round 3: verifies Πelog and both Πaff-g of all, decrypts, and adds up.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingSums<C>, Outbox), Abort> {
        let read = self.verify(run, inbox)?;
        self.add_up(read, run)
    }

    /// Goes on with messages that are in order.
    pub(crate) fn add_up(
        self,
        read: PerParty<(Round2Broadcast<C>, Round2Direct<'_>)>,
        run: &Run,
    ) -> Result<(AwaitingSums<C>, Outbox), Abort> {
        let Self { mut signer, broadcast, sent } = self;
        let mut announced = PerParty::new().with(run.me(), broadcast);
        let mut received = PerParty::with_capacity(read.len());
        for (from, (broadcast, direct)) in read {
            announced.insert(from, broadcast);
            received.insert(from, direct.pairs);
        }
        signer.view.announced = announced;
        AwaitingSums::new(signer, sent, received, run)
    }

    /// The messages of every peer, with Πelog and both Πaff-g verified.
    pub(super) fn verify<'m>(
        &self,
        run: &Run,
        inbox: Inbox<'m>,
    ) -> Result<PerParty<(Round2Broadcast<C>, Round2Direct<'m>)>, Abort> {
        let Signer { engine, view, .. } = &self.signer;
        let mut faults = Faults::default();
        let read = faults.read(inbox, |from, message| {
            let broadcast = view.read_round2(from, message.broadcast)?;
            let direct = view.read_products([from, run.me()], &broadcast, message.direct)?;
            Ok((broadcast, direct))
        });
        let verdicts = view.verify_round2(engine, run.me(), &read, self.signer.own());
        faults.add_refused(verdicts.ok_or_else(|| internal(run))?);
        faults.settle(inbox)?;
        Ok(read)
    }
}

/// The making of all products and proofs of a signer.
struct Multiplying<'s, C: EcdsaCurve> {
    signer: &'s Signer<C>,
    run: &'s Run,
    /// `Γ_i`
    gamma: C::Point,
}

impl<'s, C: EcdsaCurve> Multiplying<'s, C> {
    /// All products with Πaff-g for each, and Πelog. The proofs' first messages do not depend on the products: they are
    /// evaluated in one list with them, which fills the engine's lanes better than two.
    fn multiply(&self) -> Result<(PerParty<ByFactor<Sent>>, Vec<Proof>), Error> {
        let Signer { engine, secrets, view, .. } = self.signer;
        let masks = self.draw()?;
        let elog = view.binding.instance(ELOG_GAMMA);
        let aff_g = ByFactor::new(|factor| view.binding.instance(factor.role()));
        let mut provers = Vec::from([self.prove_gamma(&elog)?]);
        for (to, factor, mask) in each(&masks) {
            provers.push(self.prove_product(to, (factor, mask), aff_g.get(factor))?);
        }
        let mut products = Vec::new();
        for (to, factor, mask) in each(&masks) {
            let k = &view.openings.get(to).ok_or(Error::Relation)?.k;
            products.extend(mask.products(secrets.factor(factor), k, self.signer.key())?);
        }
        for prover in &provers {
            products.extend(prover.products()?);
        }
        let mut values = engine.evaluate(&products).into_iter();
        drop(products);
        let mut pairs = Vec::with_capacity(masks.len().saturating_mul(2));
        for (_, _, mask) in each(&masks) {
            let mut next = || values.next().ok_or(Error::Values);
            let d = mask.rho.key().publish(&next()??)?;
            let f = mask.rho_y.key().publish(&next()??)?;
            pairs.push(Pair { d, f });
        }
        let mut made = Vec::with_capacity(provers.len());
        let mut provers = provers.into_iter();
        made.extend(provers.next());
        for ((prover, (to, factor, _)), pair) in provers.zip(each(&masks)).zip(&pairs) {
            let statement = view.aff_g(to, [&pair.d, &pair.f], self.image(factor)?);
            made.push(prover.with_images(&statement.ok_or(Error::Relation)?)?);
        }
        let proofs = respond_many(engine, made, &mut values)?;
        let mut pairs = pairs.into_iter();
        let mut send = |mask| Some(Sent { mask, pair: pairs.next()? });
        let mut sent = PerParty::with_capacity(masks.len());
        for (to, ByFactor { gamma, share }) in masks {
            let gamma = send(gamma).ok_or(Error::Values)?;
            sent.insert(to, ByFactor { gamma, share: send(share).ok_or(Error::Values)? });
        }
        Ok((sent, proofs))
    }

    /// The masks of all products.
    fn draw(&self) -> Result<Masks, Error> {
        let Self { signer, run, .. } = self;
        let mut masks = PerParty::with_capacity(signer.view.signers().len());
        for to in run.others() {
            let theirs = signer.view.aux.encryption_key(to).ok_or(Error::Relation)?;
            let keys = [theirs, signer.key().encryption_key()];
            masks.insert(to, ByFactor::try_new(|factor| Mask::draw(run, factor, to, keys))?);
        }
        Ok(masks)
    }

    /// Begins Πaff-g of a product that is not evaluated yet: ciphertexts under the same keys stand for it.
    fn prove_product<'a>(
        &'a self,
        to: PartyId,
        (factor, mask): (Factor, &'a Mask),
        instance: &'a [u8],
    ) -> Result<Prover<'a, C>, Error> {
        let Signer { secrets, view, .. } = self.signer;
        let k = |party| view.openings.get(party).map(|opening| &opening.k).ok_or(Error::Relation);
        let stand_in: [&Ciphertext; 2] = [k(to)?, k(self.run.me())?];
        let statement = view.aff_g(to, stand_in, self.image(factor)?).ok_or(Error::Relation)?;
        let witness = mask.witness(secrets.factor(factor));
        let context = view.binding.direct([self.run.me(), to], instance);
        let rng = &mut self.run.rng_for(factor.role(), to);
        Prover::new(&statement, witness, context, self.signer.own(), rng)
    }

    /// Begins Πelog of Γ_i.
    fn prove_gamma<'a>(&'a self, instance: &'a [u8]) -> Result<Prover<'a, C>, Error> {
        let Signer { secrets, view, .. } = self.signer;
        let me = self.run.me();
        let statement = view.elog_gamma(me, self.gamma).ok_or(Error::Relation)?;
        let (y, lambda) = (secrets.gamma.scalar.expose(), secrets.b.expose());
        let context = view.binding.broadcast(me, instance);
        let rng = &mut self.run.rng(ELOG_GAMMA);
        Prover::new(&statement, pi_elog::Witness { y, lambda }, context, self.signer.own(), rng)
    }

    /// `Γ_i` or `λ_i·X_i`
    fn image(&self, factor: Factor) -> Result<C::Point, Error> {
        match factor {
            Factor::Gamma => Ok(self.gamma),
            Factor::Share => self.signer.view.share_point(self.run.me()).ok_or(Error::Relation),
        }
    }
}

/// The masks in the order of the messages, with their receivers.
fn each(masks: &Masks) -> impl Iterator<Item = (PartyId, Factor, &Mask)> {
    masks.iter().flat_map(|(to, masks)| masks.iter().map(move |(factor, mask)| (to, factor, mask)))
}
