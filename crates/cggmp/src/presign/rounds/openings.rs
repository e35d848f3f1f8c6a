//! Round 1: k and γ, encrypted and committed to.

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_paillier::Ciphertext;
use quorate_session::{Abort, Inbox, Outbox, ParamError, PartyId, PerParty, Run};
use quorate_zk::{Error, Proof, Prover, pi_enc_elg, prove_many};

use super::products::AwaitingProducts;
use crate::EcdsaCurve;
use crate::presign::messages::{Round1Broadcast, Round1Direct};
use crate::presign::secrets::draw_scalar;
use crate::presign::signer::{Signer, UNMADE};
use crate::presign::view::ENC_ELG;
use crate::proofs::{Faults, internal};

/// The state of P_i when its opening is sent, until those of all signers are there.
pub struct AwaitingOpenings<C: EcdsaCurve> {
    signer: Signer<C>,
    opening: Round1Broadcast<C>,
}

impl<C: EcdsaCurve> AwaitingOpenings<C> {
    /// Figure 8, round 1.
    pub(crate) fn new(signer: Signer<C>, run: &Run) -> Result<(Self, Outbox), ParamError> {
        let opening = open(&signer, run).map_err(|_| UNMADE)?;
        let direct = prove(&signer, &opening, run).map_err(|_| UNMADE)?;
        let outbox = Outbox { broadcast: Some(opening.to_bytes()), direct };
        Ok((Self { signer, opening }, outbox))
    }

    /// Figure 8, round 2: verifies both Πenc-elg of all, and multiplies.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingProducts<C>, Outbox), Abort> {
        let theirs = self.verify(run, inbox)?.map(|_, (opening, _)| opening);
        let Self { mut signer, opening } = self;
        signer.view.openings = theirs.with(run.me(), opening);
        AwaitingProducts::new(signer, run)
    }

    /// The opening of every peer, with both Πenc-elg verified.
    pub(super) fn verify<'m>(
        &self,
        run: &Run,
        inbox: Inbox<'m>,
    ) -> Result<PerParty<(Round1Broadcast<C>, Round1Direct<'m>)>, Abort> {
        let Signer { engine, view, .. } = &self.signer;
        let mut faults = Faults::default();
        let read = faults.read(inbox, |from, message| {
            let opening = view.read_round1(from, message.broadcast)?;
            Ok((opening, Round1Direct::from_bytes(message.direct, view.aux.level())?))
        });
        let verdicts = view.verify_round1(engine, run.me(), &read, self.signer.own());
        faults.add_refused(verdicts.ok_or_else(|| internal(run))?);
        faults.settle(inbox)?;
        Ok(read)
    }
}

/// Figure 8, round 1: `K = enc(k; ρ)`, `G = enc(γ; ν)`, `A = (aG, aY + kG)`, `B = (bG, bY + γG)`.
fn open<C: EcdsaCurve>(
    signer: &Signer<C>,
    run: &Run,
) -> Result<Round1Broadcast<C>, quorate_paillier::Error> {
    let secrets = &signer.secrets;
    let list = [(&secrets.k.integer, &secrets.rho), (&secrets.gamma.integer, &secrets.nu)];
    let made = signer.key().encrypt_many(&signer.engine, &list)?;
    let [k, g] =
        <[Ciphertext; 2]>::try_from(made).map_err(|_| quorate_paillier::Error::Inconsistent)?;
    // A random point; its logarithm is forgotten here.
    let y = Secret::new(draw_scalar::<C>(run, "Y")?);
    let y = C::mul_base(y.expose());
    let commit = |randomness: &C::Scalar, value: &C::Scalar| {
        [C::mul_base(randomness), C::mul(&y, randomness) + C::mul_base(value)]
    };
    let a = commit(secrets.a.expose(), secrets.k.scalar.expose());
    let b = commit(secrets.b.expose(), secrets.gamma.scalar.expose());
    Ok(Round1Broadcast { k, g, y, a, b })
}

/// ψ0 and ψ1 for every peer, all together.
fn prove<C: EcdsaCurve>(
    signer: &Signer<C>,
    opening: &Round1Broadcast<C>,
    run: &Run,
) -> Result<Vec<(PartyId, Vec<u8>)>, Error> {
    let Signer { engine, secrets, view, .. } = signer;
    let instances = ENC_ELG.map(|role| view.binding.instance(role));
    let witnesses = || {
        let k = (&secrets.k.integer, &secrets.rho, secrets.a.expose());
        let gamma = (&secrets.gamma.integer, &secrets.nu, secrets.b.expose());
        [k, gamma].map(|(x, rho, b)| pi_enc_elg::Witness { x, rho, b })
    };
    let mut provers = Vec::new();
    for to in run.others() {
        let statements = view.enc_elg(opening, to).ok_or(Error::Relation)?;
        let rng = &mut run.rng_for("enc-elg", to);
        for ((statement, witness), instance) in statements.iter().zip(witnesses()).zip(&instances) {
            let context = view.binding.direct([run.me(), to], instance);
            provers.push(Prover::new(statement, witness, context, signer.own(), rng)?);
        }
    }
    let proofs = prove_many(engine, provers)?;
    let join = |pair: &[Proof]| pair.iter().flat_map(|proof| proof.as_bytes()).copied().collect();
    Ok(run.others().zip(proofs.chunks(2).map(join)).collect())
}
