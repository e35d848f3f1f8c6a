//! Round 2: the products with everybody's k.

use alloc::vec::Vec;

use quorate_bignum::SecretInteger;
use quorate_paillier::Ciphertext;
use quorate_session::{Abort, Fault, Inbox, Message, Outbox, PartyId, Run, wire::Reader};
use quorate_zk::{Claim, Prover, aff_g, elog, prove_many};

use super::opening::{Hidden, Masks, Opening, read_ciphertexts, read_point};
use super::products::{Factor, Mask, Pair, Received, Sent};
use super::round3::Three;
use super::{ELOG, Env, aff_g_bytes};
use crate::EcdsaCurve;
use crate::proofs::{Faults, instance, internal, to_all};

const ELOG_ROLE: &str = "presign elog gamma";

/// What P_i remembers when its products are sent.
pub(crate) struct Two<C: EcdsaCurve> {
    pub(crate) env: Env<C>,
    pub(crate) masks: Masks<C>,
    /// `λ_i·x_i`
    pub(crate) x: Hidden<C>,
    /// Everybody's, by ascending party.
    pub(crate) openings: Vec<(PartyId, Opening<C>)>,
    /// `Γ_i`
    pub(crate) gamma: C::Point,
    /// For every peer in ascending order, the product with γ and that with x.
    pub(crate) sent: Vec<Sent>,
}

/// What a peer sends in round 2.
pub(crate) struct Contribution<'m, C: EcdsaCurve> {
    /// `Γ_j`
    pub(crate) gamma: C::Point,
    elog: &'m [u8],
    /// Of the pairs for its peers, in ascending order.
    pub(crate) digests: Vec<[[u8; 32]; 2]>,
    pub(crate) pairs: [Pair; 2],
    proofs: [&'m [u8]; 2],
}

impl<C: EcdsaCurve> Two<C> {
    /// Figure 8, round 2: Γ_i with Πelog, D, F, D̂, F̂ with Πaff-g.
    pub(crate) fn new(
        env: Env<C>,
        masks: Masks<C>,
        openings: Vec<(PartyId, Opening<C>)>,
        run: &Run,
    ) -> Result<(Self, Outbox), Abort> {
        let x = Hidden::new(*env.share.secret().expose());
        let gamma = C::mul_base(masks.gamma.scalar.expose());
        let mut two = Self { env, masks, x, openings, gamma, sent: Vec::new() };
        two.sent = two.multiply(run).map_err(|_| internal(run))?;
        let outbox = two.prove(run).map_err(|_| internal(run))?;
        Ok((two, outbox))
    }

    pub(crate) fn secret(&self, factor: Factor) -> &SecretInteger {
        match factor {
            Factor::Gamma => &self.masks.gamma.integer,
            Factor::Share => &self.x.integer,
        }
    }

    pub(crate) fn opening(&self, party: PartyId) -> Option<&Opening<C>> {
        self.openings.iter().find(|(id, _)| *id == party).map(|(_, opening)| opening)
    }

    pub(crate) fn sent_to(&self, party: PartyId, factor: Factor) -> Option<&Sent> {
        self.sent.iter().find(|sent| sent.to == party && sent.factor == factor)
    }

    /// All products, evaluated together.
    fn multiply(&self, run: &Run) -> Result<Vec<Sent>, quorate_zk::Error> {
        let own = self.env.aux.secrets().key();
        let mut masks = Vec::new();
        for to in run.others() {
            let theirs = self.env.key_of(to).ok_or(quorate_zk::Error::Relation)?;
            for factor in Factor::BOTH {
                let keys = (theirs, own.encryption_key());
                masks.push((to, factor, Mask::draw(run, factor, to, keys)?));
            }
        }
        let mut products = Vec::new();
        for (to, factor, mask) in &masks {
            let opening = self.opening(*to).ok_or(quorate_zk::Error::Relation)?;
            products.extend(mask.products(self.secret(*factor), &opening.k, own)?);
        }
        let mut values = self.env.engine.evaluate(&products).into_iter();
        drop(products);
        let mut sent = Vec::with_capacity(masks.len());
        for (to, factor, mask) in masks {
            let mut next = || values.next().ok_or(quorate_zk::Error::Values);
            let d = mask.rho.key().publish(&next()??)?;
            let f = mask.rho_y.key().publish(&next()??)?;
            sent.push(Sent { to, factor, mask, pair: Pair { d, f } });
        }
        Ok(sent)
    }

    /// Πelog for everybody, two Πaff-g for each, all together.
    fn prove(&self, run: &Run) -> Result<Outbox, quorate_zk::Error> {
        let missing = quorate_zk::Error::Relation;
        let role = instance(run, ELOG_ROLE);
        let roles = Factor::BOTH.map(|factor| instance(run, factor.role()));
        let own = self.env.own();
        let statement = elog_of_gamma(self.opening(run.me()).ok_or(missing)?, self.gamma);
        let (y, lambda) = (self.masks.gamma.scalar.expose(), self.masks.b.expose());
        let witness = elog::Witness { y, lambda };
        let context = to_all(run, run.me(), &role);
        let mut provers =
            Vec::from([Prover::new(&statement, witness, context, own, &mut run.rng("elog"))?]);
        for (sent, role) in self.sent.iter().zip(roles.iter().cycle()) {
            let statement = aff_g::Statement {
                setup: self.env.setup_of(sent.to).ok_or(missing)?,
                c: &self.opening(sent.to).ok_or(missing)?.k,
                d: &sent.pair.d,
                y: &sent.pair.f,
                x: self.image(sent.factor),
            };
            let Mask { y, rho, rho_y, .. } = &sent.mask;
            let witness = aff_g::Witness { x: self.secret(sent.factor), y, rho, rho_y };
            let context = to_all(run, run.me(), role).to(sent.to);
            let rng = &mut run.rng_for(sent.factor.role(), sent.to);
            provers.push(Prover::new(&statement, witness, context, own, rng)?);
        }
        let mut proofs = prove_many(&self.env.engine, provers)?.into_iter();
        let elog = proofs.next().ok_or(quorate_zk::Error::Values)?;
        let mut broadcast = C::encode_point(&self.gamma).to_vec();
        broadcast.extend_from_slice(elog.as_bytes());
        for sent in &self.sent {
            broadcast.extend_from_slice(&sent.pair.digest(run, sent.factor, run.me(), sent.to));
        }
        let mut direct = Vec::new();
        for (sent, to) in self.sent.chunks(2).zip(run.others()) {
            let mut bytes: Vec<u8> = sent
                .iter()
                .flat_map(|sent| [&sent.pair.d, &sent.pair.f])
                .flat_map(Ciphertext::to_bytes)
                .collect();
            proofs.by_ref().take(2).for_each(|proof| bytes.extend_from_slice(proof.as_bytes()));
            direct.push((to, bytes));
        }
        Ok(Outbox { broadcast: Some(broadcast), direct })
    }

    /// `Γ_i` or `λ_i·X_i`
    fn image(&self, factor: Factor) -> C::Point {
        match factor {
            Factor::Gamma => self.gamma,
            Factor::Share => self.env.share_point(self.env.share.party()),
        }
    }

    /// Figure 8, round 3: verifies Πelog and both Πaff-g of everybody, decrypts, and adds up.
    pub(crate) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Three<C>, Outbox), Abort> {
        let mut faults = Faults::default();
        let read = faults.read(inbox, |from, message| self.read(run, from, message));
        let role = instance(run, ELOG_ROLE);
        let roles = Factor::BOTH.map(|factor| instance(run, factor.role()));
        let own = self.opening(run.me()).ok_or_else(|| internal(run))?;
        let mut claims = Vec::new();
        for (from, theirs) in &read {
            let opening = self.opening(*from).ok_or_else(|| internal(run))?;
            let statement = elog_of_gamma(opening, theirs.gamma);
            let context = to_all(run, *from, &role);
            claims.push((*from, Claim::new(&statement, theirs.elog, context, self.env.own())));
            let images = [theirs.gamma, self.env.share_point(*from)];
            let each = theirs.pairs.iter().zip(images).zip(theirs.proofs).zip(&roles);
            for (((pair, x), proof), role) in each {
                let setup = self.env.aux.secrets().pedersen();
                let statement = aff_g::Statement { setup, c: &own.k, d: &pair.d, y: &pair.f, x };
                let context = to_all(run, *from, role).to(run.me());
                claims.push((*from, Claim::new(&statement, proof, context, self.env.own())));
            }
        }
        faults.verify(&self.env.engine, claims);
        faults.settle(inbox)?;
        let mut gammas = Vec::from([(run.me(), self.gamma)]);
        let mut digests = Vec::new();
        let mut received = Received::new();
        for (from, Contribution { gamma, digests: theirs, pairs, .. }) in read {
            gammas.push((from, gamma));
            digests.push((from, theirs));
            received.push((from, pairs));
        }
        gammas.sort_unstable_by_key(|(party, _)| *party);
        Three::new(self, gammas, digests, received, run)
    }

    fn read<'m>(
        &self,
        run: &Run,
        from: PartyId,
        message: Message<'m>,
    ) -> Result<Contribution<'m, C>, Fault> {
        let mut reader = Reader::new(message.broadcast);
        let gamma = read_point::<C>(&mut reader)?;
        let elog = reader.bytes(ELOG)?;
        let peers = run.parties().iter().filter(|party| *party != from);
        let mut digest = || Ok::<_, Fault>([reader.array()?, reader.array()?]);
        let digests = peers.clone().map(|_| digest()).collect::<Result<Vec<_>, _>>()?;
        reader.finish()?;

        let level = self.env.aux.level();
        let mut reader = Reader::new(message.direct);
        let mut take = || reader.bytes(level.ciphertext_bytes());
        let (d, f, d_hat, f_hat) = (take()?, take()?, take()?, take()?);
        let (ours, theirs) = (self.env.aux.secrets().encryption_key(), self.env.key_of(from));
        let [d, d_hat] = read_ciphertexts(ours, [d, d_hat])?;
        let [f, f_hat] = read_ciphertexts(theirs.ok_or(Fault::InvalidModulus)?, [f, f_hat])?;
        let proof = aff_g_bytes(level);
        let proofs = [reader.bytes(proof)?, reader.bytes(proof)?];
        reader.finish()?;

        let pairs = [Pair { d, f }, Pair { d: d_hat, f: f_hat }];
        let announced = peers.zip(&digests).find(|(party, _)| *party == run.me());
        let each = pairs.iter().zip(Factor::BOTH);
        let found = each.map(|(pair, factor)| pair.digest(run, factor, from, run.me()));
        // What everybody would be shown in a red alert is what was sent to this party.
        if !announced.is_some_and(|(_, digests)| found.eq(digests.iter().copied())) {
            return Err(Fault::InvalidDecommitment);
        }
        Ok(Contribution { gamma, elog, digests, pairs, proofs })
    }
}

/// What the first Πelog says: Γ_j hides the same as B_j.
fn elog_of_gamma<C: EcdsaCurve>(opening: &Opening<C>, gamma: C::Point) -> elog::Statement<C> {
    let [l, m] = opening.b;
    elog::Statement { l, m, x: opening.y, y: gamma, h: C::generator() }
}
