//! Round 1: k and γ of each presignature, encrypted and committed to.

use alloc::vec::{IntoIter, Vec};
use core::ops::ControlFlow;

use quorate_bignum::{Natural, SecretNatural};
use quorate_curve::{Curve, Secret};
use quorate_paillier::Ciphertext;
use quorate_session::{Abort, Inbox, Outbox, ParamError, PartyId, PerParty, Run};
use quorate_zk::{Error, Hiding, Prover, pi_enc_elg_folded, respond_many};

use super::products::AwaitingProducts;
use super::products::pieces::{Multiplications, Piece};
use crate::EcdsaCurve;
use crate::presign::messages::{LatePoint, Opening, Round1Broadcast, Round1Direct, SUMMED};
use crate::presign::secrets::{Committed, Nonces, draw_hidings, draw_scalar};
use crate::presign::signer::{Signer, UNMADE};
use crate::presign::view::{ENC_ELG, committed_to_gamma, enc_elg_items, opened_items};
use crate::proofs::{Faults, Look, internal};

/// The stream of the openings of commitments to γ.
const OF_GAMMA: &str = "mu gamma";

/// The state of P_i when its opening is sent, until those of all signers are there.
pub struct AwaitingOpenings<C: EcdsaCurve> {
    signer: Signer<C>,
    opening: Round1Broadcast<C>,
    /// The commitments to its γ, by verifier.
    committed: PerParty<Committed>,
}

/// The opening of a peer, with its proof.
type Received<'m, C> = (Round1Broadcast<C>, Round1Direct<'m>);

impl<C: EcdsaCurve> AwaitingOpenings<C> {
    /// Figure 8, round 1.
    pub(crate) fn new(signer: Signer<C>, run: &Run) -> Result<(Self, Outbox), ParamError> {
        if let Some(sent) = run.recalled() {
            return Self::recall(signer, sent, run).ok_or(UNMADE);
        }
        let (opening, Made { direct, committed }) = open(&signer, run).map_err(|_| UNMADE)?;
        let outbox = Outbox::new(Some(opening.to_bytes()), direct);
        Ok((Self { signer, opening, committed }, outbox))
    }

    /// The state of this round again, from the messages that were sent.
    fn recall(signer: Signer<C>, sent: Outbox, run: &Run) -> Option<(Self, Outbox)> {
        let view = &signer.view;
        let broadcast = sent.broadcast.as_deref()?;
        let opening = view.read_round1(run.party_id(), broadcast, Look::Again).ok()?;
        let mut committed = PerParty::with_capacity(sent.direct.len());
        // They are opened in round 2, and not needed once its messages are made.
        let needed = if has_summed(run) { &[][..] } else { &sent.direct };
        for (to, proof) in needed {
            let values = view.committed([run.party_id(), *to], &opening, &Round1Direct(proof))?;
            let setup = (*to, view.aux.pedersen(*to)?);
            let hidings = draw_hidings(run, OF_GAMMA, setup, view.count());
            committed.insert(*to, Committed { values, hidings });
        }
        Some((Self { signer, opening, committed }, sent))
    }

    /// Figure 8, round 2: verifies the Πenc-elg of all, and multiplies.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Piece<Multiplications<C>, AwaitingProducts<C>> {
        let (mut faults, read) = self.read(inbox, Look::of(run));
        if !faults.is_empty() {
            // The run ends here. The proofs of all others are verified to name every other culprit.
            self.verify_proofs(&mut faults, &read, run)?;
        }
        faults.settle(inbox)?;
        let theirs = if has_summed(run) {
            PerParty::new()
        } else {
            self.commitments(&read, run).ok_or_else(|| internal(run))?
        };
        let Self { mut signer, opening, committed } = self;
        let mut openings = PerParty::with_capacity(signer.view.signers().len());
        let mut proofs = PerParty::with_capacity(read.len());
        for (from, (opening, proof)) in read {
            openings.insert(from, opening);
            proofs.insert(from, proof);
        }
        signer.view.openings = openings.with(run.party_id(), opening);
        if signer.works_in_pieces(run) {
            let work = Multiplications::new(signer, (committed, theirs), run);
            return Ok(ControlFlow::Continue(work));
        }
        let next = AwaitingProducts::new(signer, (committed, theirs), &proofs, (run, inbox))?;
        Ok(ControlFlow::Break(next))
    }

    /// `S'_m` of each peer, to be opened in round 2.
    fn commitments(
        &self,
        received: &PerParty<Received<'_, C>>,
        run: &Run,
    ) -> Option<PerParty<Vec<Natural>>> {
        let view = &self.signer.view;
        let committed = |(from, (opening, direct)): (_, &Received<'_, C>)| {
            Some((from, view.committed([from, run.party_id()], opening, direct)?))
        };
        received.iter().map(committed).collect()
    }

    /// Verifies the opening of every peer.
    pub(super) fn verify(&self, run: &Run, inbox: Inbox<'_>) -> Result<(), Abort> {
        let (mut faults, read) = self.read(inbox, Look::First);
        self.verify_proofs(&mut faults, &read, run)?;
        faults.settle(inbox)
    }

    /// The opening of every peer, with a proof that is not verified.
    fn read<'m>(&self, inbox: Inbox<'m>, look: Look) -> (Faults, PerParty<Received<'m, C>>) {
        let view = &self.signer.view;
        let mut faults = Faults::default();
        let read = faults.read(inbox, |from, message| {
            let opening = view.read_round1(from, message.broadcast, look)?;
            Ok((opening, Round1Direct::from_bytes(message.direct, view.sizes)?))
        });
        (faults, read)
    }

    /// Πenc-elg of every peer, unless they were verified before.
    fn verify_proofs(
        &self,
        faults: &mut Faults,
        read: &PerParty<Received<'_, C>>,
        run: &Run,
    ) -> Result<(), Abort> {
        if !run.is_verified() {
            let Signer { engine, view, .. } = &self.signer;
            let verdicts = view.verify_round1(engine, run.party_id(), read, self.signer.own());
            faults.add_refused(verdicts.ok_or_else(|| internal(run))?);
        }
        Ok(())
    }
}

/// Returns whether the session that is opened has sent its sums. Then values that only earlier rounds need are not made
/// again.
fn has_summed(run: &Run) -> bool {
    run.checkpoint(SUMMED).is_some()
}

/// The messages to the peers, and the commitments that each sees again in round 2.
struct Made {
    direct: Vec<(PartyId, Vec<u8>)>,
    committed: PerParty<Committed>,
}

/// A peer, with the openings of the commitments to k and to γ of each presignature.
type Peer = (PartyId, [Vec<Hiding>; 2]);

/// A and B of a presignature.
type Points<C> = [[<C as Curve>::Point; 2]; 2];

/// Values of the engine that nobody has taken yet.
type Values = IntoIter<Result<SecretNatural, quorate_bignum::Error>>;

/// Encryptions that are made at a time: memory does not grow with their number.
const BLOCK: usize = 128;

/// Figure 8, round 1: `K = enc(k; ρ)`, `G = enc(γ; ν)`, `A = (aG, aY + kG)`, `B = (bG, bY + γG)`, and for every peer the
/// proof of all `(K, A)` and `(G, B)`. The proofs' first messages do not depend on K and G: they are evaluated in one list
/// with the last of them, which fills the engine's lanes better than two.
fn open<C: EcdsaCurve>(signer: &Signer<C>, run: &Run) -> Result<(Round1Broadcast<C>, Made), Error> {
    let Signer { engine, secrets, view, .. } = signer;
    let (y, points) = commit(signer, run)?;
    let peers = draw_openings(signer, run)?;
    let witnesses: Vec<_> = peers.iter().map(|(_, of)| witnesses(&secrets.each, of)).collect();
    let instance = view.binding.instance(ENC_ELG);
    // A ciphertext under the same key, for those that are not there yet.
    let one = SecretNatural::classify(&Natural::one(), 1)?;
    let (stand_in, mut provers) = (signer.key().encryption_key().publish(&one)?, Vec::new());
    let begun = enc_elg_items(points.iter().map(|points| ([&stand_in; 2], *points)));
    for ((to, _), witness) in peers.iter().zip(&witnesses) {
        let statement = view.enc_elg([run.party_id(), *to], y, &begun).ok_or(Error::Relation)?;
        let context = view.binding.direct([run.party_id(), *to], &instance);
        let rng = &mut run.rng_for(ENC_ELG, *to);
        provers.push(Prover::new(&statement, witness, context, signer.own(), rng)?);
    }
    let (ciphertexts, mut values) = encrypt(signer, &provers)?;
    let each: Vec<_> = ciphertexts.into_iter().zip(points).map(opening).collect();
    let items = opened_items(&each).ok_or(Error::Relation)?;
    let about = |to| view.enc_elg([run.party_id(), to], y, &items).ok_or(Error::Relation);
    let made = provers.into_iter().zip(&peers);
    let made = made.map(|(prover, (to, _))| prover.with_images(&about(*to)?));
    let made = made.collect::<Result<Vec<_>, Error>>()?;
    let proofs = respond_many(engine, made, &mut values)?;
    drop(witnesses);
    let mut out = Made { direct: Vec::new(), committed: PerParty::with_capacity(peers.len()) };
    for ((to, [_, hidings]), proof) in peers.into_iter().zip(proofs) {
        let values = committed_to_gamma(&about(to)?, proof.as_bytes()).ok_or(Error::Values)?;
        out.committed.insert(to, Committed { values, hidings });
        out.direct.push((to, proof.into_bytes()));
    }
    drop((begun, items));
    Ok((Round1Broadcast { y: LatePoint::Point(y), each }, out))
}

fn opening<C: EcdsaCurve>(([k, g], [a, b]): ([Ciphertext; 2], Points<C>)) -> Opening<C> {
    let [a, b] = [a, b].map(|both| both.map(LatePoint::Point));
    Opening { k, g, a, b }
}

/// Y, and A and B of each presignature.
fn commit<C: EcdsaCurve>(
    signer: &Signer<C>,
    run: &Run,
) -> Result<(C::Point, Vec<Points<C>>), Error> {
    // A random point; its logarithm is forgotten here.
    let y = Secret::new(draw_scalar::<C>(&mut run.rng("Y"))?);
    let y = C::mul_base(y.expose());
    let commit = |randomness: &C::Scalar, value: &C::Scalar| {
        [C::mul_base(randomness), C::mul(&y, randomness) + C::mul_base(value)]
    };
    let points = |one: &Nonces<C>| {
        [
            commit(one.a.expose(), one.k.scalar.expose()),
            commit(one.b.expose(), one.gamma.scalar.expose()),
        ]
    };
    Ok((y, signer.secrets.each.iter().map(points).collect()))
}

/// The openings of the commitments to k and γ, for every peer.
fn draw_openings<C: EcdsaCurve>(signer: &Signer<C>, run: &Run) -> Result<Vec<Peer>, Error> {
    let view = &signer.view;
    let draw = |to| {
        let setup = view.aux.pedersen(to).ok_or(Error::Relation)?;
        let draw = |purpose| draw_hidings(run, purpose, (to, setup), view.count());
        Ok((to, [draw("mu k"), draw(OF_GAMMA)]))
    };
    run.others().map(draw).collect()
}

/// K and G of each presignature, block by block, the last block with the first messages of proofs, whose values are left
/// over.
fn encrypt<C: EcdsaCurve>(
    signer: &Signer<C>,
    provers: &[Prover<'_, C>],
) -> Result<(Vec<[Ciphertext; 2]>, Values), Error> {
    let mut out = Vec::with_capacity(signer.view.count());
    let mut blocks = signer.secrets.each.chunks(BLOCK);
    let last = blocks.next_back().unwrap_or_default();
    for block in blocks {
        out.extend(encrypt_block(signer, block, &[])?.0);
    }
    let (ciphertexts, values) = encrypt_block(signer, last, provers)?;
    out.extend(ciphertexts);
    Ok((out, values))
}

fn encrypt_block<C: EcdsaCurve>(
    signer: &Signer<C>,
    block: &[Nonces<C>],
    provers: &[Prover<'_, C>],
) -> Result<(Vec<[Ciphertext; 2]>, Values), Error> {
    let (own, key) = (signer.key(), signer.key().encryption_key());
    let each = block.iter().flat_map(|one| [(&one.k, &one.rho), (&one.gamma, &one.nu)]);
    let plain: Vec<_> = each.clone().map(|(hidden, _)| key.plaintext(&hidden.integer)).collect();
    let mut products = Vec::new();
    for (plain, (_, randomizer)) in plain.iter().zip(each) {
        products.push(own.encryption(plain, randomizer)?);
    }
    for prover in provers {
        products.extend(prover.products()?);
    }
    let mut values = signer.engine.evaluate(&products).into_iter();
    drop(products);
    let mut next = || Ok::<Ciphertext, Error>(key.publish(&values.next().ok_or(Error::Values)??)?);
    let made = block.iter().map(|_| Ok([next()?, next()?])).collect::<Result<_, Error>>()?;
    Ok((made, values))
}

/// The witness of the proof for one peer, as K and G come in turn.
fn witnesses<'a, C: EcdsaCurve>(
    secrets: &'a [Nonces<C>],
    [of_k, of_gamma]: &'a [Vec<Hiding>; 2],
) -> Vec<pi_enc_elg_folded::Witness<'a, C>> {
    let hidings = of_k.iter().zip(of_gamma);
    let both = secrets.iter().zip(hidings).flat_map(|(one, (of_k, of_gamma))| {
        let Nonces { k, gamma, a, b, rho, nu } = one;
        [(k, rho, a, of_k), (gamma, nu, b, of_gamma)]
    });
    let witness = both.map(|(hidden, rho, b, mu)| pi_enc_elg_folded::Witness {
        x: &hidden.integer,
        rho,
        b: b.expose(),
        mu,
    });
    witness.collect()
}
