//! Round 2: the products with everybody's k.

use alloc::vec::Vec;

use quorate_paillier::{Ciphertext, EncryptionKey, Pedersen};
use quorate_session::{Abort, Fault, Inbox, Outbox, Parties, PartyId, Run, wire::Reader};
use quorate_zk::{Context, Own, Proof, Prover, ReceivedProof, pi_aff_g, pi_elog, respond_many};

use super::opening::{Round1Broadcast, SignerSecrets, read_ciphertexts, read_point};
use super::products::{Digests, Draft, Factor, Mask, Pair, Sent};
use super::round3::AwaitingSums;
use super::{ELOG, Env, aff_g_bytes};
use crate::EcdsaCurve;
use crate::proofs::{Faults, Refusal, RunBinding, instance, internal, to_all};

const ELOG_ROLE: &str = "presign elog gamma";

/// The state of P_i from its products on, until those of all signers are there.
pub(crate) struct AwaitingProducts<C: EcdsaCurve> {
    pub(crate) env: Env<C>,
    pub(crate) secrets: SignerSecrets<C>,
    /// Everybody's, by ascending party.
    pub(crate) openings: Vec<(PartyId, Round1Broadcast<C>)>,
    /// `Γ_i`
    pub(crate) gamma: C::Point,
    /// For every peer in ascending order, the product with γ and that with x.
    pub(crate) sent: Vec<Sent>,
}

/// The messages of a peer in round 2.
pub(crate) struct Contribution<'m, C: EcdsaCurve> {
    announced: Announced<'m, C>,
    pub(crate) pairs: [Pair; 2],
    proofs: [&'m [u8]; 2],
}

/// What it broadcasts.
pub(crate) struct Announced<'m, C: EcdsaCurve> {
    /// `Γ_j`
    pub(crate) gamma: C::Point,
    elog: &'m [u8],
    /// Of the pairs for its peers.
    pub(crate) digests: Digests,
}

impl<'m, C: EcdsaCurve> Announced<'m, C> {
    /// `Γ_j ‖ Πelog ‖ digests`
    pub(crate) fn read(bytes: &'m [u8], peers: usize) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let gamma = read_point::<C>(&mut reader)?;
        let elog = reader.bytes(ELOG)?;
        let mut digest = || Ok::<_, Fault>([reader.array()?, reader.array()?]);
        let digests = (0..peers).map(|_| digest()).collect::<Result<Vec<_>, _>>()?;
        reader.finish()?;
        Ok(Self { gamma, elog, digests })
    }

    /// Πelog: Γ_j hides the same as B_j.
    pub(crate) fn received<'s>(
        &self,
        opening: &Round1Broadcast<C>,
        context: Context<'s>,
        own: Own<'s>,
    ) -> Result<ReceivedProof<'s, C>, quorate_zk::Fault> {
        ReceivedProof::new(&elog_of_gamma(opening, self.gamma), self.elog, context, own)
    }
}

impl<'m, C: EcdsaCurve> Contribution<'m, C> {
    /// Figure 8, round 3: membership, and that everybody would be shown in a red alert what was
    /// sent to this party.
    pub(crate) fn read(
        names: RunBinding,
        signers: &Parties,
        [from, to]: [PartyId; 2],
        [theirs, ours]: [&EncryptionKey; 2],
        [broadcast, direct]: [&'m [u8]; 2],
    ) -> Result<Self, Fault> {
        let peers = signers.iter().filter(|party| *party != from);
        let announced = Announced::<C>::read(broadcast, peers.clone().count())?;
        let mut reader = Reader::new(direct);
        let mut take = || reader.bytes(ours.level().ciphertext_bytes());
        let (d, f, d_hat, f_hat) = (take()?, take()?, take()?, take()?);
        let [d, d_hat] = read_ciphertexts(ours, [d, d_hat])?;
        let [f, f_hat] = read_ciphertexts(theirs, [f, f_hat])?;
        let proof = aff_g_bytes(ours.level());
        let proofs = [reader.bytes(proof)?, reader.bytes(proof)?];
        reader.finish()?;
        let pairs = [Pair { d, f }, Pair { d: d_hat, f: f_hat }];
        let expected = peers.zip(&announced.digests).find(|(party, _)| *party == to);
        let each = pairs.iter().zip(Factor::BOTH);
        let found = each.map(|(pair, factor)| pair.digest(names, factor, from, to));
        if !expected.is_some_and(|(_, digests)| found.eq(digests.iter().copied())) {
            return Err(Fault::InvalidDecommitment);
        }
        Ok(Self { announced, pairs, proofs })
    }

    /// Πelog, and both Πaff-g with K of the verifier and X of the prover.
    pub(crate) fn received<'s>(
        &'s self,
        about: About<'s, C>,
        [elog, gamma, share]: [Context<'s>; 3],
        own: Own<'s>,
    ) -> Vec<Result<ReceivedProof<'s, C>, quorate_zk::Fault>> {
        let About { setup, opening, k, x } = about;
        let mut received = Vec::from([self.announced.received(opening, elog, own)]);
        let images = [(self.announced.gamma, gamma), (x, share)];
        for ((pair, (x, context)), proof) in self.pairs.iter().zip(images).zip(self.proofs) {
            let statement = pi_aff_g::Statement { setup, c: k, d: &pair.d, y: &pair.f, x };
            received.push(ReceivedProof::new(&statement, proof, context, own));
        }
        received
    }
}

/// What the proofs of a contribution refer to.
pub(crate) struct About<'s, C: EcdsaCurve> {
    /// The verifier's.
    pub(crate) setup: &'s Pedersen,
    /// The prover's.
    pub(crate) opening: &'s Round1Broadcast<C>,
    /// The verifier's.
    pub(crate) k: &'s Ciphertext,
    /// The prover's weighted public share.
    pub(crate) x: C::Point,
}

impl<C: EcdsaCurve> AwaitingProducts<C> {
    /// Figure 8, round 2: Γ_i with Πelog, D, F, D̂, F̂ with Πaff-g.
    pub(crate) fn new(
        env: Env<C>,
        secrets: SignerSecrets<C>,
        openings: Vec<(PartyId, Round1Broadcast<C>)>,
        run: &Run,
    ) -> Result<(Self, Outbox), Abort> {
        let gamma = C::mul_base(secrets.gamma.scalar.expose());
        let mut two = Self { env, secrets, openings, gamma, sent: Vec::new() };
        let (sent, proofs) = two.multiply(run).map_err(|_| internal(run))?;
        two.sent = sent;
        let outbox = two.outbox(run, proofs).map_err(|_| internal(run))?;
        Ok((two, outbox))
    }

    pub(crate) fn opening(&self, party: PartyId) -> Option<&Round1Broadcast<C>> {
        self.openings.iter().find(|(id, _)| *id == party).map(|(_, opening)| opening)
    }

    pub(crate) fn sent_to(&self, party: PartyId, factor: Factor) -> Option<&Sent> {
        self.sent.iter().find(|sent| sent.to == party && sent.factor == factor)
    }

    /// The masks of all products, for each peer of that with γ and that with x.
    fn draw(&self, run: &Run) -> Result<Vec<Draft>, quorate_zk::Error> {
        let ours = self.env.aux.secrets().encryption_key();
        let mut drafts = Vec::new();
        for to in run.others() {
            let theirs = self.env.key_of(to).ok_or(quorate_zk::Error::Relation)?;
            for factor in Factor::BOTH {
                drafts.push(Draft {
                    to,
                    factor,
                    mask: Mask::draw(run, factor, to, (theirs, ours))?,
                });
            }
        }
        Ok(drafts)
    }

    /// All products with Πaff-g for each, and Πelog. The proofs' first messages do not depend on the products: they are
    /// evaluated in one list with them, which fills the engine's lanes better than two.
    fn multiply(&self, run: &Run) -> Result<(Vec<Sent>, Vec<Proof>), quorate_zk::Error> {
        let drafts = self.draw(run)?;
        let own = self.env.aux.secrets().key();
        let elog = instance(run, ELOG_ROLE);
        let roles = Factor::BOTH.map(|factor| instance(run, factor.role()));
        let mut provers = Vec::from([self.prove_gamma(run, &elog)?]);
        for (draft, role) in drafts.iter().zip(roles.iter().cycle()) {
            provers.push(self.prove_product(run, draft, role)?);
        }
        let mut products = Vec::new();
        for Draft { to, factor, mask } in &drafts {
            let opening = self.opening(*to).ok_or(quorate_zk::Error::Relation)?;
            products.extend(mask.products(self.secrets.factor(*factor), &opening.k, own)?);
        }
        for prover in &provers {
            products.extend(prover.products()?);
        }
        let mut values = self.env.engine.evaluate(&products).into_iter();
        drop(products);
        let mut pairs = Vec::with_capacity(drafts.len());
        for Draft { mask, .. } in &drafts {
            let mut next = || values.next().ok_or(quorate_zk::Error::Values);
            let d = mask.rho.key().publish(&next()??)?;
            let f = mask.rho_y.key().publish(&next()??)?;
            pairs.push(Pair { d, f });
        }
        let mut about = Vec::with_capacity(provers.len());
        let mut provers = provers.into_iter();
        about.extend(provers.next());
        for ((prover, draft), pair) in provers.zip(&drafts).zip(&pairs) {
            about.push(prover.with_images(&self.statement(draft, [&pair.d, &pair.f])?)?);
        }
        let proofs = respond_many(&self.env.engine, about, &mut values)?;
        let sent = drafts.into_iter().zip(pairs);
        let sent = sent.map(|(Draft { to, factor, mask }, pair)| Sent { to, factor, mask, pair });
        Ok((sent.collect(), proofs))
    }

    /// What a Πaff-g says of its product.
    fn statement<'a>(
        &'a self,
        draft: &Draft,
        [d, y]: [&'a Ciphertext; 2],
    ) -> Result<pi_aff_g::Statement<'a, C>, quorate_zk::Error> {
        let missing = quorate_zk::Error::Relation;
        let setup = self.env.setup_of(draft.to).ok_or(missing)?;
        let c = &self.opening(draft.to).ok_or(missing)?.k;
        Ok(pi_aff_g::Statement { setup, c, d, y, x: self.image(draft.factor) })
    }

    /// Begins Πaff-g of a product that is not evaluated yet: ciphertexts under the same keys stand for it.
    fn prove_product<'a>(
        &'a self,
        run: &Run,
        draft: &'a Draft,
        role: &'a [u8],
    ) -> Result<Prover<'a, C>, quorate_zk::Error> {
        let missing = quorate_zk::Error::Relation;
        let theirs = &self.opening(draft.to).ok_or(missing)?.k;
        let ours = &self.opening(run.me()).ok_or(missing)?.k;
        let statement = self.statement(draft, [theirs, ours])?;
        let witness = draft.mask.witness(self.secrets.factor(draft.factor));
        let context = to_all(run, run.me(), role).to(draft.to);
        let rng = &mut run.rng_for(draft.factor.role(), draft.to);
        Prover::new(&statement, witness, context, self.env.own(), rng)
    }

    /// Begins Πelog of Γ_i.
    fn prove_gamma<'a>(
        &'a self,
        run: &Run,
        role: &'a [u8],
    ) -> Result<Prover<'a, C>, quorate_zk::Error> {
        let opening = self.opening(run.me()).ok_or(quorate_zk::Error::Relation)?;
        let statement = elog_of_gamma(opening, self.gamma);
        let (y, lambda) = (self.secrets.gamma.scalar.expose(), self.secrets.b.expose());
        let witness = pi_elog::Witness { y, lambda };
        let context = to_all(run, run.me(), role);
        Prover::new(&statement, witness, context, self.env.own(), &mut run.rng("elog"))
    }

    /// The messages: Πelog is the first proof, two Πaff-g for each peer follow.
    fn outbox(&self, run: &Run, proofs: Vec<Proof>) -> Result<Outbox, quorate_zk::Error> {
        let mut proofs = proofs.into_iter();
        let elog = proofs.next().ok_or(quorate_zk::Error::Values)?;
        let mut broadcast = C::encode_point(&self.gamma).to_vec();
        broadcast.extend_from_slice(elog.as_bytes());
        for sent in &self.sent {
            broadcast.extend_from_slice(&sent.pair.digest(
                run.into(),
                sent.factor,
                run.me(),
                sent.to,
            ));
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
    pub(crate) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingSums<C>, Outbox), Abort> {
        let read = self.verify(run, inbox)?;
        let mut gammas = Vec::from([(run.me(), self.gamma)]);
        let mut digests = Vec::from([(run.me(), self.digests(run))]);
        let mut received = Vec::new();
        for (from, Contribution { announced, pairs, .. }) in read {
            gammas.push((from, announced.gamma));
            digests.push((from, announced.digests));
            received.push((from, pairs));
        }
        gammas.sort_unstable_by_key(|(party, _)| *party);
        AwaitingSums::new(self, gammas, digests, received, run)
    }

    /// The contribution of every peer, with Πelog and both Πaff-g verified.
    pub(crate) fn verify<'m>(
        &self,
        run: &Run,
        inbox: Inbox<'m>,
    ) -> Result<Vec<(PartyId, Contribution<'m, C>)>, Abort> {
        let mut faults = Faults::default();
        let keys = |from| Some([self.env.key_of(from)?, self.env.key_of(run.me())?]);
        let read = faults.read(inbox, |from, message| {
            let keys = keys(from).ok_or(Refusal::Internal)?;
            let (between, bodies) = ([from, run.me()], [message.broadcast, message.direct]);
            Ok(Contribution::<C>::read(run.into(), run.parties(), between, keys, bodies)?)
        });
        let roles = roles(run);
        let own = self.opening(run.me()).ok_or_else(|| internal(run))?;
        let mut received = Vec::new();
        for (from, theirs) in &read {
            let opening = self.opening(*from).ok_or_else(|| internal(run))?;
            let x = self.env.share_point(*from);
            let setup = self.env.aux.secrets().pedersen();
            let about = About { setup, opening, k: &own.k, x };
            let contexts = contexts(run, [*from, run.me()], &roles);
            let theirs = theirs.received(about, contexts, self.env.own());
            received.extend(theirs.into_iter().map(|proof| (*from, proof)));
        }
        faults.verify(&self.env.engine, received);
        faults.settle(inbox)?;
        Ok(read)
    }

    /// Its own digests, as they were broadcast.
    fn digests(&self, run: &Run) -> Digests {
        let digest = |sent: &Sent| sent.pair.digest(run.into(), sent.factor, run.me(), sent.to);
        let pairs = self.sent.chunks(2).filter_map(|pair| match pair {
            [gamma, share] => Some([digest(gamma), digest(share)]),
            _ => None,
        });
        pairs.collect()
    }
}

/// The instances of the proofs of round 2: Πelog, and both Πaff-g.
pub(crate) fn roles(names: impl Into<RunBinding>) -> [Vec<u8>; 3] {
    let names = names.into();
    [ELOG_ROLE, Factor::Gamma.role(), Factor::Share.role()].map(|role| instance(names, role))
}

/// Their contexts.
pub(crate) fn contexts<'s>(
    names: impl Into<RunBinding>,
    [from, to]: [PartyId; 2],
    roles: &'s [Vec<u8>; 3],
) -> [Context<'s>; 3] {
    let names = names.into();
    let [elog, gamma, share] = roles.each_ref().map(|role| to_all(names, from, role));
    [elog, gamma.to(to), share.to(to)]
}

/// The statement of the first Πelog: Γ_j hides the same as B_j.
fn elog_of_gamma<C: EcdsaCurve>(
    opening: &Round1Broadcast<C>,
    gamma: C::Point,
) -> pi_elog::Statement<C> {
    let [l, m] = opening.b;
    pi_elog::Statement { l, m, x: opening.y, y: gamma, h: C::generator() }
}
