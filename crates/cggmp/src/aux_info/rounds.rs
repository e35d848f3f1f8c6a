//! The rounds.

use alloc::sync::Arc;
use alloc::vec::Vec;

use quorate_bignum::{Engine, Modulus, PublicProduct};
use quorate_paillier::share_factors_vartime;
use quorate_session::{Abort, Fault, Inbox, Outbox, ParamError, PartyId, PerParty, Run};
use quorate_zk::{Prover, ReceivedProof, pi_fac, pi_mod, pi_prm, prove_many};
use rand_core::Rng;

use super::info::{AuxInfo, PartyAux};
use super::reveal::{Reveal, digest};
use super::{AuxInfoParams, AuxSecrets};
use crate::proofs::{
    Faults, Refusal, RunBinding, confirm, instance, internal, mismatch, to_all, xor,
};

/// The roles of the proofs.
pub(crate) mod roles {
    pub(crate) const PRM: &str = "aux-info prm";
    pub(crate) const MOD: &str = "aux-info mod";
    pub(crate) const FAC: &str = "aux-info fac";
}

/// What P_i remembers when V_i is sent.
pub(super) struct Committed {
    params: AuxInfoParams,
    reveal: Reveal,
}

impl Committed {
    /// Figure 7, round 1.
    pub(super) fn new(params: AuxInfoParams, run: &Run) -> Result<(Self, Outbox), ParamError> {
        let refused = |_| ParamError::Inconsistent("the proof of the own setup fails");
        let secrets = &params.secrets;
        let role = instance(run, roles::PRM);
        let statement = pi_prm::Statement { setup: secrets.pedersen() };
        let witness = pi_prm::Witness { trapdoor: secrets.setup() };
        let context = to_all(run, run.me(), &role);
        let rng = &mut run.rng("prm");
        let prover = Prover::new(&statement, witness, context, secrets.own(), rng);
        let proofs =
            prove_many(&params.engine, [prover.map_err(refused)?].into()).map_err(refused)?;
        let string = |purpose| {
            let mut bytes = [0; 32];
            run.rng(purpose).fill_bytes(&mut bytes);
            bytes
        };
        let reveal = Reveal {
            rid: string("rid"),
            blinding: string("blinding"),
            key: secrets.encryption_key().clone(),
            setup: secrets.pedersen().clone(),
            prm: proofs.into_iter().flat_map(quorate_zk::Proof::into_bytes).collect(),
        };
        let digest = digest(run, run.me(), &reveal.to_bytes());
        Ok((Self { params, reveal }, Outbox::broadcast(digest.to_vec())))
    }

    /// Figure 7, round 2: having all V_j, reveals.
    pub(super) fn next(self, inbox: Inbox<'_>) -> Result<(Revealed, Outbox), Abort> {
        let digests = digests(inbox)?;
        let outbox = Outbox::broadcast(self.reveal.to_bytes());
        Ok((Revealed { params: self.params, digests, reveal: self.reveal }, outbox))
    }
}

/// V_j of every peer.
pub(super) fn digests(inbox: Inbox<'_>) -> Result<PerParty<[u8; 32]>, Abort> {
    inbox.verify(|_, message| {
        <[u8; 32]>::try_from(message.broadcast).map_err(|_| Fault::WrongLength)
    })
}

/// What P_i remembers when its reveal is sent.
pub(super) struct Revealed {
    params: AuxInfoParams,
    digests: PerParty<[u8; 32]>,
    reveal: Reveal,
}

impl Revealed {
    /// Figure 7, round 3: checks all reveals, and proves that N_i is sound.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Proving, Outbox), Abort> {
        let reveals = self.receive(run, inbox)?;
        let rid = reveals.iter().fold([0; 32], |sum, (_, reveal)| xor(sum, &reveal.rid));
        let AuxInfoParams { engine, secrets, .. } = self.params;
        let proving = Proving { engine, secrets, reveals, rid, modulus: Vec::new() };
        let (modulus, direct) = proving.prove(run).map_err(|_| internal(run))?;
        let outbox = Outbox { broadcast: Some(modulus.clone()), direct };
        Ok((Proving { modulus, ..proving }, outbox))
    }

    /// All reveals, the own one included, by ascending party.
    pub(super) fn receive(
        &self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<Vec<(PartyId, Reveal)>, Abort> {
        let AuxInfoParams { engine, table_bytes, .. } = &self.params;
        let mut faults = Faults::default();
        let mut reveals = faults.read(inbox, |from, message| {
            // Figure 7, round 3: V_j.
            if self.digests.get(from) != Some(&digest(run, from, message.broadcast)) {
                return Err(Fault::InvalidDecommitment.into());
            }
            let mut reveal = Reveal::from_bytes(message.broadcast, self.params.level())?;
            let tables = reveal.setup.clone().with_tables(engine, *table_bytes);
            // Without tables everything is slower and nothing else.
            reveal.setup = tables.unwrap_or(reveal.setup);
            Ok(reveal)
        });
        // Figure 7, round 3: Πprm of all.
        let role = instance(run, roles::PRM);
        let received = reveals.iter().map(|(from, reveal)| {
            let statement = pi_prm::Statement { setup: &reveal.setup };
            let context = to_all(run, *from, &role);
            let proof = ReceivedProof::new(&statement, &reveal.prm, context, self.own());
            (*from, proof)
        });
        faults.verify(engine, received.collect());
        reveals.push((run.me(), self.reveal.clone()));
        reveals.sort_unstable_by_key(|(party, _)| *party);
        let shared = self.shared_factors(run, &reveals, &mut faults);
        faults.settle(inbox)?;
        // Of two others that have a factor in common, one may have copied from the other's earlier
        // runs, and it cannot be seen who.
        if shared { Err(mismatch(run)) } else { Ok(reveals) }
    }

    /// Whether any two moduli have a factor in common, equal ones included. Who has one in common
    /// with this party, or between its own two, is at fault.
    fn shared_factors(
        &self,
        run: &Run,
        reveals: &[(PartyId, Reveal)],
        faults: &mut Faults,
    ) -> bool {
        let of = |reveal: &Reveal| [reveal.key.modulus().clone(), reveal.setup.modulus().clone()];
        let share = |moduli: &[Modulus]| {
            share_factors_vartime(&moduli.iter().collect::<Vec<_>>()).contains(&true)
        };
        let all: Vec<_> = reveals.iter().flat_map(|(_, reveal)| of(reveal)).collect();
        if !share(&all) {
            return false;
        }
        let own = of(&self.reveal);
        for (party, reveal) in reveals.iter().filter(|(party, _)| *party != run.me()) {
            if share(&[own.as_slice(), &of(reveal)].concat()) {
                faults.add(*party, Fault::InvalidModulus);
            }
        }
        true
    }

    fn own(&self) -> quorate_zk::Own<'_> {
        self.params.secrets.own()
    }
}

/// What P_i remembers when its proofs are sent.
pub(super) struct Proving {
    engine: Engine,
    secrets: Arc<AuxSecrets>,
    reveals: Vec<(PartyId, Reveal)>,
    rid: [u8; 32],
    /// Its own Πmod.
    modulus: Vec<u8>,
}

type Direct = Vec<(PartyId, Vec<u8>)>;

impl Proving {
    /// The role with the joint randomness.
    fn role(&self, run: &Run, role: &'static str) -> Vec<u8> {
        let mut bytes = instance(run, role);
        bytes.extend_from_slice(&self.rid);
        bytes
    }

    /// Figure 7, round 3: Πmod for everybody, Πfac for each.
    fn prove(&self, run: &Run) -> Result<(Vec<u8>, Direct), quorate_zk::Error> {
        let (key, own) = (self.secrets.key(), self.secrets.own());
        let role = self.role(run, roles::MOD);
        let context = to_all(run, run.me(), &role);
        let modulus = pi_mod::prove(&self.engine, key, context, &mut run.rng("mod"))?;
        let role = self.role(run, roles::FAC);
        let (mut provers, mut to) = (Vec::new(), Vec::new());
        for (party, reveal) in self.reveals.iter().filter(|(party, _)| *party != run.me()) {
            let statement = pi_fac::Statement { setup: &reveal.setup, key: key.encryption_key() };
            let context = to_all(run, run.me(), &role).to(*party);
            let rng = &mut run.rng_for("fac", *party);
            let witness = pi_fac::Witness { key };
            provers.push(Prover::new(&statement, witness, context, own, rng)?);
            to.push(*party);
        }
        let proofs = prove_many(&self.engine, provers)?;
        let direct = to.into_iter().zip(proofs.into_iter().map(quorate_zk::Proof::into_bytes));
        Ok((modulus.into_bytes(), direct.collect()))
    }

    /// Figure 7, output: verifies all Πmod and Πfac.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Confirming, Outbox), Abort> {
        self.verify(run, inbox)?;
        let digest = self.digest(run, inbox);
        let public = self.reveals.into_iter();
        let public =
            public.map(|(party, Reveal { key, setup, .. })| PartyAux { party, key, setup });
        let info = AuxInfo::proved(run.me(), self.secrets, public.collect(), self.rid);
        let info = info.ok_or_else(|| internal(run))?;
        Ok((Confirming { digest, info }, Outbox::broadcast(digest.to_vec())))
    }

    /// Πmod and Πfac of every peer.
    pub(super) fn verify(&self, run: &Run, inbox: Inbox<'_>) -> Result<(), Abort> {
        let mut faults = Faults::default();
        self.verify_moduli(run, inbox, &mut faults);
        let role = self.role(run, roles::FAC);
        let mut received = Vec::new();
        for message in inbox.each() {
            let Some(reveal) = self.reveal(message.from) else { continue };
            let statement = pi_fac::Statement { setup: self.secrets.pedersen(), key: &reveal.key };
            let context = to_all(run, message.from, &role).to(run.me());
            let own = self.secrets.own();
            let proof = ReceivedProof::new(&statement, message.direct, context, own);
            received.push((message.from, proof));
        }
        faults.verify(&self.engine, received);
        faults.settle(inbox)
    }

    fn reveal(&self, party: PartyId) -> Option<&Reveal> {
        self.reveals.iter().find(|(id, _)| *id == party).map(|(_, reveal)| reveal)
    }

    /// Πmod of all peers, in one call of the engine.
    fn verify_moduli(&self, run: &Run, inbox: Inbox<'_>, faults: &mut Faults) {
        let role = self.role(run, roles::MOD);
        let checks = faults.read(inbox, |from, message| {
            let reveal = self.reveal(from).ok_or(Refusal::Internal)?;
            let context = to_all(run, from, &role);
            Ok(pi_mod::Check::new(&reveal.key, message.broadcast, context)?)
        });
        let mut products: Vec<PublicProduct<'_>> = Vec::new();
        checks.iter().for_each(|(_, check)| products.extend(check.products()));
        let mut values = self.engine.evaluate_vartime(&products).into_iter();
        drop(products);
        for (from, check) in checks {
            if let Err(fault) = check.verdict(&mut values) {
                faults.add(from, fault);
            }
        }
    }

    /// The digest that this party confirms.
    fn digest(&self, run: &Run, inbox: Inbox<'_>) -> [u8; 32] {
        let reveals = self.reveals.iter().map(|(_, reveal)| reveal.to_bytes());
        let of = |party| inbox.from(party).map_or(&*self.modulus, |message| message.broadcast);
        confirmed(run, reveals, run.parties().iter().map(of))
    }
}

/// The digest that every party confirms: of all reveals and all Πmod, by ascending party.
pub(crate) fn confirmed(
    names: impl Into<RunBinding>,
    reveals: impl ExactSizeIterator<Item: AsRef<[u8]>>,
    moduli: impl ExactSizeIterator<Item: AsRef<[u8]>>,
) -> [u8; 32] {
    let mut transcript = names.into().transcript("quorate-cggmp aux-info confirm");
    transcript.append_list("reveals", reveals);
    transcript.append_list("mod", moduli);
    transcript.finish32()
}

/// What P_i remembers when its digest is sent: the result, unconfirmed until all have confirmed it.
pub(super) struct Confirming {
    digest: [u8; 32],
    info: AuxInfo,
}

impl Confirming {
    /// The result, and whether every peer that is there has confirmed it.
    pub(super) fn confirm(self, inbox: Inbox<'_>) -> (AuxInfo, Result<(), Abort>) {
        (self.info, confirm(inbox, &self.digest))
    }
}
