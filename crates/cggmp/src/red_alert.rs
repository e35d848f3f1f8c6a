//! Figure 9 — red alert: who made a presignature fail.
//!
//! It follows round 3 of presigning where the sums do not add up: δG ≠ ΣΔ_j (type 1) or δX ≠ ΣS_j
//! (type 2). Every party P_i shows everybody, for γ (type 1) or for its share of the key (type 2),
//!
//! - the products that it sent and received, which have to be those whose digests were broadcast in
//!   round 2,
//! - Πdec: `K_i` times its secret, plus all D received, minus all F sent, decrypts to the logarithm
//!   of what it broadcast in round 3,
//! - Πaff-g* for every product that it sent.
//!
//! Whose proofs fail is a culprit, and somebody's do: with all of them right the sums add up.
//!
//! # Deviations
//!
//! All in `docs/paper.md`:
//! - F encrypts −β, so it is subtracted.
//! - Each party shows the products that it received as well. So its Πdec can be verified whatever
//!   their sender does now, and no culprit hides behind another.
//! - Πdec takes a y of the size of a sum over all parties.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretNatural, SecretProduct};
use quorate_paillier::{Ciphertext, Level, Randomizer};
use quorate_session::{Abort, Fault, Inbox, Outbox, Parties, PartyId, Run, wire::Reader};
use quorate_zk::{Claim, Error, Own, Prover, aff_g_star, dec, prove_many};

use crate::presign::opening::{Opening, read_ciphertexts};
use crate::presign::products::{Digests, Factor, Pair, of};
use crate::presign::round3::{Sums, Three};
use crate::proofs::{Faults, Names, Refusal, instance, internal, mismatch, to_all};
use crate::{AdditiveInfo, AuxPublic, EcdsaCurve};

/// Repetitions of the proofs.
const REPETITIONS: usize = quorate_paillier::level::REPETITIONS;
/// Bytes of their challenge.
const CHALLENGE: usize = REPETITIONS >> 3;

/// Bytes of a Πdec: e, and z, w, ν of each repetition.
const fn dec_bytes(level: Level) -> usize {
    let sum = 1 + ((dec::SUM_BITS + dec::SUM_SLACK) >> 3) as usize;
    CHALLENGE + REPETITIONS * (97 + sum + level.modulus_bytes())
}

/// Bytes of a Πaff-g*: e, and z, z', w, λ of each repetition.
const fn aff_g_star_bytes(level: Level) -> usize {
    CHALLENGE + REPETITIONS * (97 + 225 + 2 * level.modulus_bytes())
}

/// Bytes of a message to `peers` peers.
pub(crate) fn length(level: Level, peers: usize) -> usize {
    let each = level.ciphertext_bytes().saturating_mul(4).saturating_add(aff_g_star_bytes(level));
    each.saturating_mul(peers).saturating_add(dec_bytes(level))
}

/// What P_i remembers when its proofs are sent.
pub(crate) struct Alert<C: EcdsaCurve> {
    three: Three<C>,
    /// What everybody broadcast in round 3, by ascending party.
    sums: Vec<(PartyId, Sums<C>)>,
    factor: Factor,
}

/// What everybody knows when there is a red alert, and its proofs refer to.
pub(crate) struct Scene<'s, C: EcdsaCurve> {
    pub(crate) names: Names,
    pub(crate) signers: &'s Parties,
    pub(crate) aux: &'s AuxPublic,
    pub(crate) shares: &'s AdditiveInfo<C>,
    /// By ascending party, as the following.
    pub(crate) openings: &'s [(PartyId, Opening<C>)],
    pub(crate) digests: &'s [(PartyId, Digests)],
    pub(crate) gammas: &'s [(PartyId, C::Point)],
    /// Γ
    pub(crate) gamma: C::Point,
    pub(crate) sums: &'s [(PartyId, Sums<C>)],
    pub(crate) factor: Factor,
}

/// The products between a party and one of its peers.
struct Exchanged {
    sent: Pair,
    received: Pair,
}

/// What a party shows.
pub(crate) struct Shown<'m> {
    /// For its peers, in ascending order.
    exchanged: Vec<Exchanged>,
    /// All D received less all F sent.
    sum: Ciphertext,
    dec: &'m [u8],
    aff_g_star: Vec<&'m [u8]>,
}

impl<C: EcdsaCurve> Alert<C> {
    /// Figure 9: proves what this party did.
    pub(crate) fn new(
        three: Three<C>,
        sums: Vec<(PartyId, Sums<C>)>,
        factor: Factor,
        run: &Run,
    ) -> Result<(Self, Outbox), Abort> {
        let alert = Self { three, sums, factor };
        let message = alert.prove(run).map_err(|_| internal(run))?;
        Ok((alert, Outbox::broadcast(message)))
    }

    fn scene(&self, run: &'_ Run) -> Scene<'_, C> {
        let Three { two, digests, gammas, gamma, .. } = &self.three;
        Scene {
            names: run.into(),
            signers: two.env.share.info().signers(),
            aux: two.env.aux.public(),
            shares: two.env.share.info(),
            openings: &two.openings,
            digests,
            gammas,
            gamma: *gamma,
            sums: &self.sums,
            factor: self.factor,
        }
    }

    fn prove(&self, run: &Run) -> Result<Vec<u8>, Error> {
        let (two, scene) = (&self.three.two, self.scene(run));
        let own = two.env.own();
        let exchanged = self.own_exchanged(run).ok_or(Error::Relation)?;
        let sum = sum(&exchanged)?;
        let rho = self.randomizer(&sum)?;
        let roles = scene.roles(run.me());
        let statement = scene.dec_of(run.me(), &sum).ok_or(Error::Relation)?;
        let y = match self.factor {
            Factor::Gamma => &self.three.delta,
            Factor::Share => &self.three.chi,
        };
        let witness = dec::Witness { x: two.masks.factor(self.factor), y, rho: &rho };
        let context = to_all(run, run.me(), &roles.dec);
        let rng = &mut run.rng("red alert dec");
        let mut provers = Vec::from([Prover::new(&statement, witness, context, own, rng)?]);
        for ((peer, pairs), role) in run.others().zip(&exchanged).zip(&roles.aff_g_star) {
            let statement = scene.aff_g_star_of(run.me(), peer, &pairs.sent);
            let statement = statement.ok_or(Error::Relation)?;
            let sent = two.sent_to(peer, self.factor).ok_or(Error::Relation)?;
            let (x, mask) = (two.masks.factor(self.factor), &sent.mask);
            let witness = aff_g_star::Witness { x, y: &mask.y, rho: &mask.rho, rho_y: &mask.rho_y };
            let context = to_all(run, run.me(), role);
            let rng = &mut run.rng_for("red alert aff-g*", peer);
            provers.push(Prover::new(&statement, witness, context, own, rng)?);
        }
        let proofs = prove_many(&two.env.engine, provers)?;
        let mut bytes = Vec::with_capacity(length(two.env.aux.level(), exchanged.len()));
        for Exchanged { sent, received } in &exchanged {
            for ciphertext in [&sent.d, &sent.f, &received.d, &received.f] {
                bytes.extend(ciphertext.to_bytes());
            }
        }
        proofs.iter().for_each(|proof| bytes.extend_from_slice(proof.as_bytes()));
        Ok(bytes)
    }

    fn own_exchanged(&self, run: &Run) -> Option<Vec<Exchanged>> {
        let pairs = run.others().map(|peer| {
            let sent = self.three.two.sent_to(peer, self.factor)?.pair.clone();
            let (_, received) = self.three.received.iter().find(|(from, _)| *from == peer)?;
            Some(Exchanged { sent, received: of(received, self.factor).clone() })
        });
        pairs.collect()
    }

    /// The randomizer of `x·K_i ⊕ sum`: that of `K_i` to the power of x, times that of the sum.
    fn randomizer(&self, sum: &Ciphertext) -> Result<Randomizer, Error> {
        let two = &self.three.two;
        let key = two.env.aux.secrets().key();
        let of_sum = key.randomizers(&two.env.engine, &[sum])?.pop().ok_or(Error::Values)?;
        let product = SecretProduct::factored(key.factored())
            .power(two.masks.rho.value(), two.masks.factor(self.factor))
            .power(of_sum.value(), Integer::from(Natural::one()));
        let value: SecretNatural =
            two.env.engine.evaluate(&[product]).pop().ok_or(Error::Values)??;
        Ok(Randomizer::new(key.encryption_key(), value)?)
    }

    /// Figure 9, output: verifies the proofs of all and names whose are wrong.
    pub(crate) fn next(self, run: &Run, inbox: Inbox<'_>) -> Abort {
        let (mut faults, scene) = (Faults::default(), self.scene(run));
        let shown = faults.read(inbox, |from, message| scene.read(from, message.broadcast));
        let roles: Vec<_> = shown.iter().map(|(from, _)| scene.roles(*from)).collect();
        let mut claims = Vec::new();
        for ((from, shown), roles) in shown.iter().zip(&roles) {
            let own = self.three.two.env.own();
            let Some(theirs) = scene.claims(*from, shown, roles, own) else {
                return internal(run);
            };
            claims.extend(theirs.into_iter().map(|claim| (*from, claim)));
        }
        faults.verify(&self.three.two.env.engine, claims);
        match faults.settle(inbox) {
            Err(abort) => abort,
            // Not reached: with all of this proved, the sums add up.
            Ok(()) => mismatch(run),
        }
    }
}

impl<'s, C: EcdsaCurve> Scene<'s, C> {
    /// Figure 9, output: Πdec of a party and its Πaff-g*.
    pub(crate) fn claims<'a>(
        &self,
        from: PartyId,
        shown: &'a Shown<'_>,
        roles: &'a Roles,
        own: Own<'a>,
    ) -> Option<Vec<Result<Claim<'a, C>, quorate_zk::Fault>>>
    where
        's: 'a,
    {
        let statement = self.dec_of(from, &shown.sum)?;
        let context = to_all(self.names, from, &roles.dec);
        let mut claims = Vec::from([Claim::new(&statement, shown.dec, context, own)]);
        let proofs = shown.aff_g_star.iter().zip(&roles.aff_g_star);
        for ((peer, pairs), (proof, role)) in self.peers(from).zip(&shown.exchanged).zip(proofs) {
            let statement = self.aff_g_star_of(from, peer, &pairs.sent)?;
            claims.push(Claim::new(&statement, proof, to_all(self.names, from, role), own));
        }
        Some(claims)
    }

    fn peers(&self, of: PartyId) -> impl Iterator<Item = PartyId> + 's {
        self.signers.iter().filter(move |party| *party != of)
    }

    fn opening(&self, party: PartyId) -> Option<&'s Opening<C>> {
        self.openings.iter().find(|(id, _)| *id == party).map(|(_, opening)| opening)
    }

    /// The statement of P_j's Πdec.
    fn dec_of<'a>(&self, party: PartyId, sum: &'a Ciphertext) -> Option<dec::Statement<'a, C>>
    where
        's: 'a,
    {
        let k = &self.opening(party)?.k;
        let (_, sums) = self.sums.iter().find(|(id, _)| *id == party)?;
        let x = self.image(party)?;
        let g = C::generator();
        Some(match self.factor {
            Factor::Gamma => {
                dec::Statement { k, d: sum, x, s: C::msm_vartime(&[sums.delta], &[g]), h: g }
            }
            Factor::Share => dec::Statement { k, d: sum, x, s: sums.s, h: self.gamma },
        })
    }

    /// The statement of P_j's Πaff-g* for its product with a peer's k.
    fn aff_g_star_of<'a>(
        &self,
        party: PartyId,
        peer: PartyId,
        sent: &'a Pair,
    ) -> Option<aff_g_star::Statement<'a, C>>
    where
        's: 'a,
    {
        let c = &self.opening(peer)?.k;
        Some(aff_g_star::Statement { c, d: &sent.d, y: &sent.f, x: self.image(party)? })
    }

    /// `Γ_j` or `λ_j·X_j`
    fn image(&self, party: PartyId) -> Option<C::Point> {
        match self.factor {
            Factor::Gamma => {
                self.gammas.iter().find(|(id, _)| *id == party).map(|(_, gamma)| *gamma)
            }
            Factor::Share => self.shares.share_point(party).copied(),
        }
    }

    pub(crate) fn roles(&self, party: PartyId) -> Roles {
        let role = |role: &'static str, peer: u16| {
            let mut bytes = instance(self.names, role);
            bytes.extend_from_slice(self.factor.name().as_bytes());
            bytes.extend_from_slice(&peer.to_be_bytes());
            bytes
        };
        let aff_g_star =
            self.peers(party).map(|peer| role("red alert aff-g* ", peer.get())).collect();
        Roles { dec: role("red alert dec ", 0), aff_g_star }
    }

    pub(crate) fn read<'m>(&self, from: PartyId, message: &'m [u8]) -> Result<Shown<'m>, Refusal> {
        let level = self.aux.level();
        let mut reader = Reader::new(message);
        let mut exchanged = Vec::new();
        let key_of = |party| self.aux.encryption_key(party).ok_or(Refusal::Internal);
        for peer in self.peers(from) {
            let mut take = || reader.bytes(level.ciphertext_bytes());
            let [sent_d, sent_f, received_d, received_f] = [take()?, take()?, take()?, take()?];
            // Figure 9: membership.
            let [sent_f, received_d] = read_ciphertexts(key_of(from)?, [sent_f, received_d])?;
            let [sent_d, received_f] = read_ciphertexts(key_of(peer)?, [sent_d, received_f])?;
            let sent = Pair { d: sent_d, f: sent_f };
            let received = Pair { d: received_d, f: received_f };
            // What was announced in round 2 and seen alike by all. Who was sent something else
            // had to say so then.
            let announced = |pair: &Pair, from, to| {
                self.digest(from, to) == Some(pair.digest(self.names, self.factor, from, to))
            };
            if !announced(&sent, from, peer) || !announced(&received, peer, from) {
                return Err(Fault::InvalidDecommitment.into());
            }
            exchanged.push(Exchanged { sent, received });
        }
        let dec = reader.bytes(dec_bytes(level))?;
        let proofs = exchanged.iter().map(|_| reader.bytes(aff_g_star_bytes(level)));
        let aff_g_star = proofs.collect::<Result<_, _>>()?;
        reader.finish()?;
        // All of them are units under one key.
        let sum = sum(&exchanged).map_err(|_| Refusal::Internal)?;
        Ok(Shown { exchanged, sum, dec, aff_g_star })
    }

    /// What was broadcast in round 2 of the product that one party sent to another.
    fn digest(&self, from: PartyId, to: PartyId) -> Option<[u8; 32]> {
        let (_, digests) = self.digests.iter().find(|(party, _)| *party == from)?;
        let peers = self.peers(from);
        let (_, [gamma, share]) = peers.zip(digests).find(|(party, _)| *party == to)?;
        Some(match self.factor {
            Factor::Gamma => *gamma,
            Factor::Share => *share,
        })
    }
}

/// The instances of a party's proofs.
pub(crate) struct Roles {
    dec: Vec<u8>,
    /// For its peers, in ascending order.
    aff_g_star: Vec<Vec<u8>>,
}

/// `⊕ D_{i,j} ⊖ F_{j,i}` over all peers j of party i.
fn sum(exchanged: &[Exchanged]) -> Result<Ciphertext, quorate_paillier::Error> {
    let none = quorate_paillier::Error::Inconsistent;
    let (first, rest) = exchanged.split_first().ok_or(none)?;
    let (mut d, mut f) = (first.received.d.clone(), first.sent.f.clone());
    for Exchanged { sent, received } in rest {
        d = d.add(&received.d)?;
        f = f.add(&sent.f)?;
    }
    d.sub_vartime(&f)
}
