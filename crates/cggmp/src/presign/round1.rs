//! Round 1: k and γ, encrypted and committed to.

use alloc::vec::Vec;

use quorate_paillier::{Level, Pedersen};
use quorate_session::{Abort, Fault, Inbox, Outbox, PartyId, Run, wire::Reader};
use quorate_zk::{Context, Own, Prover, ReceivedProof, pi_enc_elg, prove_many};

use super::opening::{Round1Broadcast, SignerSecrets};
use super::round2::AwaitingProducts;
use super::{Env, enc_elg_bytes};
use crate::EcdsaCurve;
use crate::proofs::{Faults, Refusal, RunBinding, instance, to_all};

/// The state of P_i from its openings on, until those of all signers are there.
pub(crate) struct AwaitingOpenings<C: EcdsaCurve> {
    pub(crate) env: Env<C>,
    pub(crate) secrets: SignerSecrets<C>,
    pub(crate) opening: Round1Broadcast<C>,
}

/// The proofs ψ0 and ψ1 of a peer.
pub(crate) type Proofs<'m> = [&'m [u8]; 2];

const ROLES: [&str; 2] = ["presign enc-elg k", "presign enc-elg gamma"];

impl<C: EcdsaCurve> AwaitingOpenings<C> {
    /// Figure 8, round 1.
    pub(crate) fn new(env: Env<C>, run: &Run) -> Result<(Self, Outbox), quorate_zk::Error> {
        let secrets = SignerSecrets::draw(run, &env)?;
        Self::of(env, secrets, run)
    }

    /// Round 1 with secrets that are drawn.
    pub(crate) fn of(
        env: Env<C>,
        secrets: SignerSecrets<C>,
        run: &Run,
    ) -> Result<(Self, Outbox), quorate_zk::Error> {
        let opening = Round1Broadcast::new(&env, &secrets, run)?;
        let direct = prove(&env, &secrets, &opening, run)?;
        let outbox = Outbox { broadcast: Some(opening.to_bytes()), direct };
        Ok((Self { env, secrets, opening }, outbox))
    }

    /// Figure 8, round 2: verifies both Πenc-elg of everybody, and multiplies.
    pub(crate) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingProducts<C>, Outbox), Abort> {
        let mut openings = self.verify(run, inbox)?;
        let Self { env, secrets, opening } = self;
        openings.push((run.me(), opening));
        openings.sort_unstable_by_key(|(party, _)| *party);
        AwaitingProducts::new(env, secrets, openings, run)
    }

    /// The opening of every peer, with both Πenc-elg verified.
    pub(crate) fn verify(
        &self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<Vec<(PartyId, Round1Broadcast<C>)>, Abort> {
        let mut faults = Faults::default();
        let level = self.env.aux.level();
        let read = faults.read(inbox, |from, message| {
            let key = self.env.key_of(from).ok_or(Refusal::Internal)?;
            let opening = Round1Broadcast::<C>::from_bytes(message.broadcast, key)?;
            Ok((opening, split(message.direct, level)?))
        });
        let roles = roles(run);
        let (setup, own) = (self.env.aux.secrets().pedersen(), self.env.own());
        let mut received = Vec::new();
        for (from, (opening, proofs)) in &read {
            let contexts = contexts(run, [*from, run.me()], &roles);
            let theirs = self::received(setup, opening, proofs, contexts, own);
            received.extend(theirs.into_iter().map(|proof| (*from, proof)));
        }
        faults.verify(&self.env.engine, received);
        faults.settle(inbox)?;
        Ok(read.into_iter().map(|(from, (opening, _))| (from, opening)).collect())
    }
}

/// ψ0 and ψ1 out of a message.
pub(crate) fn split(message: &[u8], level: Level) -> Result<Proofs<'_>, Fault> {
    let mut reader = Reader::new(message);
    let length = enc_elg_bytes(level);
    let proofs = [reader.bytes(length)?, reader.bytes(length)?];
    reader.finish()?;
    Ok(proofs)
}

/// The instances of ψ0 and ψ1.
pub(crate) fn roles(names: impl Into<RunBinding>) -> [Vec<u8>; 2] {
    let names = names.into();
    ROLES.map(|role| instance(names, role))
}

/// Their contexts.
pub(crate) fn contexts<'s>(
    names: impl Into<RunBinding>,
    [from, to]: [PartyId; 2],
    roles: &'s [Vec<u8>; 2],
) -> [Context<'s>; 2] {
    let names = names.into();
    roles.each_ref().map(|role| to_all(names, from, role).to(to))
}

/// ψ0 for (K, A), ψ1 for (G, B).
pub(crate) fn received<'s, C: EcdsaCurve>(
    setup: &'s Pedersen,
    opening: &'s Round1Broadcast<C>,
    proofs: &Proofs<'_>,
    contexts: [Context<'s>; 2],
    own: Own<'s>,
) -> Vec<Result<ReceivedProof<'s, C>, quorate_zk::Fault>> {
    let statements = statements(setup, opening).into_iter().zip(contexts);
    let each = statements.zip(proofs);
    each.map(|((statement, context), proof)| ReceivedProof::new(&statement, proof, context, own))
        .collect()
}

/// What ψ0 and ψ1 say.
fn statements<'a, C: EcdsaCurve>(
    setup: &'a Pedersen,
    opening: &'a Round1Broadcast<C>,
) -> [pi_enc_elg::Statement<'a, C>; 2] {
    let statement = |ciphertext, [b, x]: [C::Point; 2]| pi_enc_elg::Statement {
        setup,
        ciphertext,
        a: opening.y,
        b,
        x,
    };
    [statement(&opening.k, opening.a), statement(&opening.g, opening.b)]
}

/// ψ0 and ψ1 for every peer, all together.
fn prove<C: EcdsaCurve>(
    env: &Env<C>,
    secrets: &SignerSecrets<C>,
    opening: &Round1Broadcast<C>,
    run: &Run,
) -> Result<Vec<(PartyId, Vec<u8>)>, quorate_zk::Error> {
    let roles = roles(run);
    let mut provers = Vec::new();
    for to in run.others() {
        let setup = env.setup_of(to).ok_or(quorate_zk::Error::Relation)?;
        let [of_k, of_gamma] = statements(setup, opening);
        let [k, gamma] = contexts(run, [run.me(), to], &roles);
        let rng = &mut run.rng_for("enc-elg", to);
        let (x, b) = (&secrets.k.integer, secrets.a.expose());
        let witness = pi_enc_elg::Witness { x, rho: &secrets.rho, b };
        provers.push(Prover::new(&of_k, witness, k, env.own(), rng)?);
        let (x, b) = (&secrets.gamma.integer, secrets.b.expose());
        let witness = pi_enc_elg::Witness { x, rho: &secrets.nu, b };
        provers.push(Prover::new(&of_gamma, witness, gamma, env.own(), rng)?);
    }
    let proofs = prove_many(&env.engine, provers)?;
    let join =
        |pair: &[quorate_zk::Proof]| pair.iter().flat_map(|p| p.as_bytes()).copied().collect();
    Ok(run.others().zip(proofs.chunks(2).map(join)).collect())
}
