//! Evidence from the making of auxiliary information.

use alloc::vec::Vec;

use quorate_bignum::{Engine, PublicProduct};
use quorate_paillier::Level;
use quorate_session::{Binding, Fault, Limits, Parties, PartyId, Protocol, Round, SessionId};
use quorate_zk::{Own, ReceivedProof, pi_fac, pi_mod, pi_prm};

use super::{Finding, Log, sealed, verify};
use crate::aux_info::AuxInfoGen;
use crate::aux_info::evidence::{Reveal, confirmed, digest, roles};
use crate::proofs::{RunBinding, confirmation, instance, to_all, xor};

/// A run of [`AuxInfoGen`].
#[derive(Clone, Debug)]
pub struct AuxInfoRun {
    /// Its session id.
    pub sid: SessionId,
    /// Who took part.
    pub parties: Parties,
    /// The level of the moduli.
    pub level: Level,
}

#[allow(private_interfaces, reason = "nobody else implements it")]
impl sealed::Judge for AuxInfoRun {
    fn parties(&self) -> &Parties {
        &self.parties
    }

    fn code(&self) -> u8 {
        AuxInfoGen::CODE
    }

    fn rounds(&self) -> u8 {
        AuxInfoGen::ROUNDS
    }

    fn limits(&self, round: Round) -> Limits {
        crate::aux_info::limits(self.level, round)
    }

    fn names(&self) -> RunBinding {
        let bind = |binding: &mut Binding| crate::aux_info::bind_level(self.level, binding);
        RunBinding::of::<AuxInfoGen>(self.sid, &self.parties, bind)
    }

    fn judge(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        match log.round {
            2 => self.reveal(engine, log),
            3 => self.proofs(engine, log),
            4 => {
                let bodies = |number| Ok::<_, Finding>(log.round(number)?.iter().map(|one| one.1));
                let expected = confirmed(sealed::Judge::names(self), bodies(2)?, bodies(3)?);
                Ok(confirmation(log.broadcast()?, &expected)?)
            }
            _ if log.broadcast()?.len() != 32 => Err(Fault::WrongLength.into()),
            _ => Ok(()),
        }
    }
}

impl AuxInfoRun {
    /// Round 2: V, the form of everything, Πprm.
    fn reveal(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        let (names, bytes) = (sealed::Judge::names(self), log.broadcast()?);
        let committed = log.round(1)?.iter().find(|(party, _)| *party == log.culprit);
        let (_, committed) = committed.ok_or(Finding::Incomplete)?;
        if digest(names, log.culprit, bytes) != **committed {
            return Err(Fault::InvalidDecommitment.into());
        }
        let reveal = Reveal::from_bytes(bytes, self.level)?;
        let role = instance(names, roles::PRM);
        let context = to_all(names, log.culprit, &role);
        let statement = pi_prm::Statement { setup: &reveal.setup };
        let proof = ReceivedProof::new(&statement, &reveal.prm, context, Own::default());
        verify(engine, [proof].into())
    }

    /// Round 3: Πmod, and Πfac to the accuser.
    fn proofs(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        let names = sealed::Judge::names(self);
        let mut reveals = Vec::new();
        for (party, bytes) in log.round(2)? {
            let reveal = Reveal::from_bytes(bytes, self.level).map_err(|_| Finding::Incomplete)?;
            reveals.push((*party, reveal));
        }
        let rid = reveals.iter().fold([0; 32], |sum, (_, reveal)| xor(sum, &reveal.rid));
        let of = |party: PartyId| {
            let found = reveals.iter().find(|(id, _)| *id == party);
            found.map(|(_, reveal)| reveal).ok_or(Finding::Incomplete)
        };
        let role = |role| [instance(names, role), rid.to_vec()].concat();
        let key = &of(log.culprit)?.key;
        let role_of_mod = role(roles::MOD);
        let context = to_all(names, log.culprit, &role_of_mod);
        let check = pi_mod::Check::new(key, log.broadcast()?, context)?;
        let products: Vec<PublicProduct<'_>> = check.products();
        let mut values = engine.evaluate_vartime(&products).into_iter();
        drop(products);
        check.verdict(&mut values)?;
        let (to, proof) = log.direct()?;
        let role = role(roles::FAC);
        let context = to_all(names, log.culprit, &role).to(to);
        let statement = pi_fac::Statement { setup: &of(to)?.setup, key };
        let proof = ReceivedProof::new(&statement, proof, context, Own::default());
        verify(engine, [proof].into())
    }
}
