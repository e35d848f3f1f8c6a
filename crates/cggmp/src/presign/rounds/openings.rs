//! Round 1: k and γ of each presignature, encrypted and committed to.

use alloc::vec::Vec;

use quorate_bignum::Natural;
use quorate_curve::Secret;
use quorate_session::{Abort, Inbox, Outbox, ParamError, PartyId, PerParty, Run};
use quorate_zk::{Error, Hiding, Prover, pi_enc_elg_folded, prove_many};

use super::products::AwaitingProducts;
use crate::EcdsaCurve;
use crate::presign::messages::{Opening, Round1Broadcast, Round1Direct};
use crate::presign::secrets::{Committed, Nonces, draw_hidings, draw_scalar};
use crate::presign::signer::{Signer, UNMADE};
use crate::presign::view::{ENC_ELG, committed_to_gamma, enc_elg_items};
use crate::proofs::{Faults, internal};

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
        let opening = open(&signer, run).map_err(|_| UNMADE)?;
        let (direct, committed) = prove(&signer, &opening, run).map_err(|_| UNMADE)?;
        let outbox = Outbox::new(Some(opening.to_bytes()), direct);
        Ok((Self { signer, opening, committed }, outbox))
    }

    /// The same state, from what was sent.
    fn recall(signer: Signer<C>, sent: Outbox, run: &Run) -> Option<(Self, Outbox)> {
        let view = &signer.view;
        let opening = view.read_round1(run.me(), sent.broadcast.as_deref()?).ok()?;
        let mut committed = PerParty::with_capacity(sent.direct.len());
        for (to, proof) in &sent.direct {
            let values = view.committed([run.me(), *to], &opening, &Round1Direct(proof))?;
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
    ) -> Result<(AwaitingProducts<C>, Outbox), Abort> {
        let received = self.verify(run, inbox)?;
        let theirs = self.commitments(&received, run).ok_or_else(|| internal(run))?;
        let Self { mut signer, opening, committed } = self;
        let openings = received.map(|_, (opening, _)| opening);
        signer.view.openings = openings.with(run.me(), opening);
        AwaitingProducts::new(signer, (committed, theirs), run)
    }

    /// `S'_m` of each peer, to be opened in round 2.
    fn commitments(
        &self,
        received: &PerParty<Received<'_, C>>,
        run: &Run,
    ) -> Option<PerParty<Vec<Natural>>> {
        let view = &self.signer.view;
        let committed = |(from, (opening, direct)): (_, &Received<'_, C>)| {
            Some((from, view.committed([from, run.me()], opening, direct)?))
        };
        received.iter().map(committed).collect()
    }

    /// The opening of every peer, with Πenc-elg verified.
    pub(super) fn verify<'m>(
        &self,
        run: &Run,
        inbox: Inbox<'m>,
    ) -> Result<PerParty<Received<'m, C>>, Abort> {
        let Signer { engine, view, .. } = &self.signer;
        let mut faults = Faults::default();
        let read = faults.read(inbox, |from, message| {
            let opening = view.read_round1(from, message.broadcast)?;
            Ok((opening, Round1Direct::from_bytes(message.direct, view.sizes)?))
        });
        if !run.is_verified() {
            let verdicts = view.verify_round1(engine, run.me(), &read, self.signer.own());
            faults.add_refused(verdicts.ok_or_else(|| internal(run))?);
        }
        faults.settle(inbox)?;
        Ok(read)
    }
}

/// Figure 8, round 1: `K = enc(k; ρ)`, `G = enc(γ; ν)`, `A = (aG, aY + kG)`, `B = (bG, bY + γG)`.
fn open<C: EcdsaCurve>(
    signer: &Signer<C>,
    run: &Run,
) -> Result<Round1Broadcast<C>, quorate_paillier::Error> {
    let secrets = &signer.secrets.each;
    let list =
        secrets.iter().flat_map(|one| [(&one.k.integer, &one.rho), (&one.gamma.integer, &one.nu)]);
    let list: Vec<_> = list.collect();
    let mut made = signer.key().encrypt_many(&signer.engine, &list)?.into_iter();
    // A random point; its logarithm is forgotten here.
    let y = Secret::new(draw_scalar::<C>(&mut run.rng("Y"))?);
    let y = C::mul_base(y.expose());
    let commit = |randomness: &C::Scalar, value: &C::Scalar| {
        [C::mul_base(randomness), C::mul(&y, randomness) + C::mul_base(value)]
    };
    let open = |one: &Nonces<C>| {
        let mut next = || made.next().ok_or(quorate_paillier::Error::Inconsistent);
        Ok(Opening {
            k: next()?,
            g: next()?,
            a: commit(one.a.expose(), one.k.scalar.expose()),
            b: commit(one.b.expose(), one.gamma.scalar.expose()),
        })
    };
    let each = secrets.iter().map(open).collect::<Result<_, quorate_paillier::Error>>()?;
    Ok(Round1Broadcast { y, each })
}

/// The messages to the peers, and what each will be shown again in round 2.
type Made = (Vec<(PartyId, Vec<u8>)>, PerParty<Committed>);

/// Figure 8, round 1: the proof of all `(K_i, A_i)` and `(G_i, B_i)`, for every peer.
fn prove<C: EcdsaCurve>(
    signer: &Signer<C>,
    opening: &Round1Broadcast<C>,
    run: &Run,
) -> Result<Made, Error> {
    let Signer { engine, secrets, view, .. } = signer;
    let (me, count) = (run.me(), view.count());
    let (instance, items) = (view.binding.instance(ENC_ELG), enc_elg_items(&opening.each));
    let mut peers = Vec::new();
    for to in run.others() {
        let setup = view.aux.pedersen(to).ok_or(Error::Relation)?;
        let draw = |purpose| draw_hidings(run, purpose, (to, setup), count);
        let statement = view.enc_elg([me, to], opening.y, &items).ok_or(Error::Relation)?;
        peers.push((to, statement, [draw("mu k"), draw(OF_GAMMA)]));
    }
    let witnesses: Vec<_> = peers.iter().map(|(.., of)| witnesses(&secrets.each, of)).collect();
    let mut provers = Vec::new();
    for ((to, statement, _), witness) in peers.iter().zip(&witnesses) {
        let context = view.binding.direct([me, *to], &instance);
        let rng = &mut run.rng_for(ENC_ELG, *to);
        provers.push(Prover::new(statement, witness, context, signer.own(), rng)?);
    }
    let proofs = prove_many(engine, provers)?;
    drop(witnesses);
    let (mut direct, mut committed) = (Vec::new(), PerParty::with_capacity(peers.len()));
    for ((to, statement, [_, hidings]), proof) in peers.into_iter().zip(proofs) {
        let values = committed_to_gamma(&statement, proof.as_bytes()).ok_or(Error::Values)?;
        committed.insert(to, Committed { values, hidings });
        direct.push((to, proof.into_bytes()));
    }
    Ok((direct, committed))
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
