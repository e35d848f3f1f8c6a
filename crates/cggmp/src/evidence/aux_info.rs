//! Evidence from the making of auxiliary information.

use quorate_bignum::Engine;
use quorate_paillier::Level;
use quorate_session::{Binding, Parties, SessionId};
use quorate_zk::Own;

use super::finding::{Finding, all_hold};
use super::judge::{PublicRun, Terms};
use super::log::Log;
use crate::AuxInfoGen;
use crate::aux_info::messages::{DIGEST, Reveal, limits};
use crate::aux_info::params::bind;
use crate::aux_info::view::{View, confirmation as confirms};
use crate::proofs::exactly;
use quorate_session::rounds::confirmation;

/// A run of [`AuxInfoGen`].
#[derive(Clone, Debug)]
pub struct AuxInfoRun {
    /// The session id of the run.
    pub sid: SessionId,
    /// The parties that took part.
    pub parties: Parties,
    /// The level of the moduli.
    pub level: Level,
}

#[allow(private_interfaces, reason = "nobody else implements it")]
impl PublicRun for AuxInfoRun {
    fn terms(&self) -> Terms<'_> {
        let limits = |round| limits(self.level, round);
        let bind = |binding: &mut Binding| bind(self.level, binding);
        Terms::new::<AuxInfoGen>(self.sid, &self.parties, limits, bind)
    }

    fn judge(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding> {
        let (view, body) = (self.view(log)?, log.broadcast()?);
        let (culprit, own) = (log.culprit, Own::default());
        match log.round {
            1 => Ok(exactly::<DIGEST>(body).map(drop)?),
            2 => {
                let (reveal, prm) = view.read_reveal(culprit, body)?;
                all_hold(Some(view.verify_prm(engine, [(culprit, (&reveal.setup, prm))], own)))
            }
            3 => {
                all_hold(view.verify_mod(engine, [(culprit, body)]))?;
                let (to, proof) = log.direct()?;
                all_hold(view.verify_fac(engine, to, [(culprit, proof)], own))
            }
            _ => {
                let bodies = |round| log.read_all(round, |_, body| Some(body));
                let revealed = view.revealed(bodies(2)?.values());
                Ok(confirmation(body, &confirms(revealed, bodies(3)?.values()))?)
            }
        }
    }
}

impl AuxInfoRun {
    /// The view of the run before the last round of the accused, as far as it is judged by.
    fn view(&self, log: &Log<'_>) -> Result<View, Finding> {
        let mut view = View::new(self.terms().binding, self.level);
        let digests = log.earlier(1).filter_map(|(party, v)| Some((party, exactly(v).ok()?)));
        view.digests = digests.collect();
        if log.round == 3 {
            let read = |body| Some(Reveal::from_bytes(body, self.level).ok()?.0);
            view.reveals = log.read_all(2, |_, body| read(body))?;
        }
        Ok(view)
    }
}
