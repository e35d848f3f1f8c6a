//! Figure 9 — red alert: who made a presignature fail.
//!
//! It follows round 3 of presigning where the sums do not add up: δG ≠ ΣΔ_j (type 1) or δX ≠ ΣS_j
//! (type 2). Every party P_i proves to everybody, for γ (type 1) or for its share of the key
//! (type 2), what it did:
//!
//! 4. [`Decrypted`](decrypted::Decrypted): the products that it sent and received, which have to be
//!    those whose digests were broadcast in round 2, and Πdec: `K_i` times its secret, plus all D
//!    received, minus all F sent, decrypts to the logarithm of what it broadcast in round 3.
//! 5. [`Multiplied`](multiplied::Multiplied), if all of these are right: Πaff-g* for every product
//!    that it sent.
//!
//! Whose proof fails is a culprit, and in one of the two rounds somebody's does: with all of them
//! right the sums add up.
//!
//! # Deviations
//!
//! All in `docs/paper.md`:
//! - F encrypts −β, so it is subtracted.
//! - Each party shows the products that it received as well. So its Πdec can be verified whatever
//!   their sender does now, and no culprit hides behind another.
//! - Πdec takes a y of the size of a sum over all parties.
//! - Πaff-g* has a round of its own. A wrong sum is found by n Πdec; n² Πaff-g* are made only where
//!   two parties sent each other what neither could prove.

mod decrypted;
pub(crate) mod multiplied;

use alloc::vec::Vec;

use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, Level};
use quorate_session::{Abort, Fault, Inbox, Outbox, Parties, PartyId, Run, wire::Reader};
use quorate_zk::{Own, ReceivedProof, pi_aff_g_star, pi_dec};

use self::decrypted::Decrypted;
use self::multiplied::{Multiplied, Multiplying};
use crate::presign::opening::{Round1Broadcast, read_ciphertexts};
use crate::presign::products::{Digests, Factor, Pair, of};
use crate::presign::round3::{AwaitingSums, Round3Broadcast};
use crate::proofs::{Refusal, RunBinding, instance, to_all};
use crate::{AdditiveInfo, AuxPublic, EcdsaCurve};

/// Repetitions of the proofs.
const REPETITIONS: usize = quorate_paillier::level::REPETITIONS;
/// Bytes of their challenge.
const CHALLENGE: usize = REPETITIONS >> 3;

/// Bytes of a Πdec: e, and z, w, ν of each repetition.
const fn dec_bytes(level: Level) -> usize {
    let sum = 1 + ((pi_dec::sum_bits(level) + pi_dec::SUM_SLACK) >> 3) as usize;
    CHALLENGE + REPETITIONS * (level.response_bytes(ELL) + sum + level.modulus_bytes())
}

/// Bytes of a Πaff-g*: e, and z, z', w, λ of each repetition.
const fn aff_g_star_bytes(level: Level) -> usize {
    let (short, mask) = (level.response_bytes(ELL), level.response_bytes(level.ell_prime()));
    CHALLENGE + REPETITIONS * (short + mask + 2 * level.modulus_bytes())
}

/// Bytes of the message with Πdec, to `peers` peers.
pub(crate) fn decrypted_length(level: Level, peers: usize) -> usize {
    let products = level.ciphertext_bytes().saturating_mul(4).saturating_mul(peers);
    products.saturating_add(dec_bytes(level))
}

/// Bytes of the message with Πaff-g*, to `peers` peers.
pub(crate) fn multiplied_length(level: Level, peers: usize) -> usize {
    aff_g_star_bytes(level).saturating_mul(peers)
}

/// Where a party stands in a red alert.
pub(crate) enum Alert<C: EcdsaCurve> {
    Decrypted(Decrypted<C>),
    Multiplying(Multiplying<C>),
    Multiplied(Multiplied<C>),
}

/// What comes of a step. Each makes or verifies one proof.
pub(crate) enum Step<C: EcdsaCurve> {
    /// There is more to do before the next message.
    Working(Alert<C>),
    Round(Alert<C>, Outbox),
}

impl<C: EcdsaCurve> Alert<C> {
    /// Figure 9: shows the products, and proves the sum.
    pub(crate) fn new(
        three: AwaitingSums<C>,
        sums: Vec<(PartyId, Round3Broadcast<C>)>,
        factor: Factor,
        run: &Run,
    ) -> Result<(Self, Outbox), Abort> {
        let (state, outbox) = Decrypted::new(Alarm { three, sums, factor }, run)?;
        Ok((Self::Decrypted(state), outbox))
    }

    /// The next piece of work of the round. It ends in an [`Abort`].
    pub(crate) fn step(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<C>, Abort> {
        match self {
            Self::Decrypted(state) => state.step(run, inbox),
            Self::Multiplying(state) => state.step(run),
            Self::Multiplied(state) => state.step(run, inbox),
        }
    }

    /// Verifies the proofs of those peers that are there and not verified yet.
    pub(crate) fn judge(self, run: &Run, inbox: Inbox<'_>) -> Result<(), Abort> {
        match self {
            Self::Decrypted(state) => state.judge(run, inbox),
            // All of this round's are verified.
            Self::Multiplying(_) => Ok(()),
            Self::Multiplied(state) => state.judge(run, inbox),
        }
    }
}

/// What P_i knows when there is a red alert.
struct Alarm<C: EcdsaCurve> {
    three: AwaitingSums<C>,
    /// What everybody broadcast in round 3, by ascending party.
    sums: Vec<(PartyId, Round3Broadcast<C>)>,
    factor: Factor,
}

impl<C: EcdsaCurve> Alarm<C> {
    fn scene(&self, run: &Run) -> Scene<'_, C> {
        let AwaitingSums { two, digests, gammas, gamma, .. } = &self.three;
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

    fn own(&self) -> Own<'_> {
        self.three.two.env.own()
    }
}

/// What everybody knows when there is a red alert, and its proofs refer to.
pub(crate) struct Scene<'s, C: EcdsaCurve> {
    pub(crate) names: RunBinding,
    pub(crate) signers: &'s Parties,
    pub(crate) aux: &'s AuxPublic,
    pub(crate) shares: &'s AdditiveInfo<C>,
    /// By ascending party, as the following.
    pub(crate) openings: &'s [(PartyId, Round1Broadcast<C>)],
    pub(crate) digests: &'s [(PartyId, Digests)],
    pub(crate) gammas: &'s [(PartyId, C::Point)],
    /// Γ
    pub(crate) gamma: C::Point,
    pub(crate) sums: &'s [(PartyId, Round3Broadcast<C>)],
    pub(crate) factor: Factor,
}

/// The products between a party and one of its peers.
struct MtaPair {
    sent: Pair,
    received: Pair,
}

/// What a party shows with its Πdec.
pub(crate) struct AlertMessage<'m> {
    /// For its peers, in ascending order.
    exchanged: Vec<MtaPair>,
    /// All D received less all F sent.
    sum: Ciphertext,
    dec: &'m [u8],
}

impl AlertMessage<'_> {
    /// The products that it sent, to its peers in ascending order.
    pub(crate) fn into_sent(self) -> Vec<Pair> {
        self.exchanged.into_iter().map(|exchanged| exchanged.sent).collect()
    }
}

impl<'s, C: EcdsaCurve> Scene<'s, C> {
    /// Reads the products of a party and its Πdec.
    pub(crate) fn read<'m>(
        &self,
        from: PartyId,
        message: &'m [u8],
    ) -> Result<AlertMessage<'m>, Refusal> {
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
            exchanged.push(MtaPair { sent, received });
        }
        let dec = reader.bytes(dec_bytes(level))?;
        reader.finish()?;
        // All of them are units under one key.
        let sum = sum(&exchanged).map_err(|_| Refusal::Internal)?;
        Ok(AlertMessage { exchanged, sum, dec })
    }

    /// The proofs in a message with Πaff-g*, for the sender's peers in ascending order.
    pub(crate) fn split<'m>(&self, message: &'m [u8]) -> Result<Vec<&'m [u8]>, Fault> {
        let mut reader = Reader::new(message);
        let each = aff_g_star_bytes(self.aux.level());
        let peers = self.signers.len().saturating_sub(1);
        let proofs = (0..peers).map(|_| reader.bytes(each)).collect::<Result<_, _>>()?;
        reader.finish()?;
        Ok(proofs)
    }

    /// Figure 9, output: Πdec of a party.
    pub(crate) fn verify_dec(
        &self,
        engine: &quorate_bignum::Engine,
        from: PartyId,
        shown: &AlertMessage<'_>,
        own: Own<'_>,
    ) -> Result<(), Refusal> {
        let statement = self.dec_of(from, &shown.sum).ok_or(Refusal::Internal)?;
        let role = self.role("red alert dec ", None);
        let proof = ReceivedProof::new(&statement, shown.dec, to_all(self.names, from, &role), own);
        verify_one(engine, proof)
    }

    /// Figure 9, output: Πaff-g* of a party for its product with one peer.
    pub(crate) fn verify_aff_g_star(
        &self,
        engine: &quorate_bignum::Engine,
        [from, to]: [PartyId; 2],
        (sent, proof): (&Pair, &[u8]),
        own: Own<'_>,
    ) -> Result<(), Refusal> {
        let statement = self.aff_g_star_of(from, to, sent).ok_or(Refusal::Internal)?;
        let role = self.role("red alert aff-g* ", Some(to));
        let proof = ReceivedProof::new(&statement, proof, to_all(self.names, from, &role), own);
        verify_one(engine, proof)
    }

    pub(crate) fn peers(&self, of: PartyId) -> impl Iterator<Item = PartyId> + 's {
        self.signers.iter().filter(move |party| *party != of)
    }

    fn opening(&self, party: PartyId) -> Option<&'s Round1Broadcast<C>> {
        self.openings.iter().find(|(id, _)| *id == party).map(|(_, opening)| opening)
    }

    /// The statement of P_j's Πdec.
    fn dec_of<'a>(&self, party: PartyId, sum: &'a Ciphertext) -> Option<pi_dec::Statement<'a, C>>
    where
        's: 'a,
    {
        let k = &self.opening(party)?.k;
        let (_, sums) = self.sums.iter().find(|(id, _)| *id == party)?;
        let x = self.image(party)?;
        let g = C::generator();
        Some(match self.factor {
            Factor::Gamma => {
                pi_dec::Statement { k, d: sum, x, s: C::msm_vartime(&[sums.delta], &[g]), h: g }
            }
            Factor::Share => pi_dec::Statement { k, d: sum, x, s: sums.s, h: self.gamma },
        })
    }

    /// The statement of P_j's Πaff-g* for its product with a peer's k.
    fn aff_g_star_of<'a>(
        &self,
        party: PartyId,
        peer: PartyId,
        sent: &'a Pair,
    ) -> Option<pi_aff_g_star::Statement<'a, C>>
    where
        's: 'a,
    {
        let c = &self.opening(peer)?.k;
        Some(pi_aff_g_star::Statement { c, d: &sent.d, y: &sent.f, x: self.image(party)? })
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

    /// The instance of a proof: for the factor, and for the product with a peer.
    fn role(&self, role: &'static str, peer: Option<PartyId>) -> Vec<u8> {
        let mut bytes = instance(self.names, role);
        bytes.extend_from_slice(self.factor.name().as_bytes());
        bytes.extend_from_slice(&peer.map_or(0, PartyId::get).to_be_bytes());
        bytes
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

fn verify_one<C: EcdsaCurve>(
    engine: &quorate_bignum::Engine,
    proof: Result<ReceivedProof<'_, C>, quorate_zk::Fault>,
) -> Result<(), Refusal> {
    let verdict = quorate_zk::verify_many(engine, [proof].into()).pop();
    Ok(verdict.ok_or(Refusal::Internal)??)
}

/// `⊕ D_{i,j} ⊖ F_{j,i}` over all peers j of party i.
fn sum(exchanged: &[MtaPair]) -> Result<Ciphertext, quorate_paillier::Error> {
    let none = quorate_paillier::Error::Inconsistent;
    let (first, rest) = exchanged.split_first().ok_or(none)?;
    let (mut d, mut f) = (first.received.d.clone(), first.sent.f.clone());
    for MtaPair { sent, received } in rest {
        d = d.add(&received.d)?;
        f = f.add(&sent.f)?;
    }
    d.sub_vartime(&f)
}
