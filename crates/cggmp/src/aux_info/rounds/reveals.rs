//! Round 2: reveal.

use alloc::vec::Vec;

use quorate_bignum::Modulus;
use quorate_paillier::share_factors_vartime;
use quorate_session::{Abort, Fault, Inbox, Outbox, PerParty, Run};

use super::proofs::AwaitingProofs;
use crate::aux_info::messages::Reveal;
use crate::aux_info::params::AuxInfoParams;
use crate::aux_info::view::View;
use crate::proofs::{Faults, mismatch};

/// The state of P_i when its reveal is sent, until those of all are there.
pub struct AwaitingReveals {
    /// With the V_j of all others.
    pub(super) view: View,
    pub(super) params: AuxInfoParams,
    pub(super) reveal: Reveal,
}

impl AwaitingReveals {
    /// Figure 7, round 3: checks all reveals, and proves that N_i is sound.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(AwaitingProofs, Outbox), Abort> {
        let (reveals, shared) = self.verify(run, inbox)?;
        // If two others have a factor in common, one may have copied it from the other's earlier runs.
        // It is not known which one.
        if shared {
            return Err(mismatch(run));
        }
        let revealed = self.view.revealed(inbox.broadcasts_of_all().map(|(_, body)| body));
        AwaitingProofs::new((View { reveals, ..self.view }, revealed), self.params, run)
    }

    /// Checks the reveals that are there. Two peers with a factor in common name nobody, and it takes the messages of both to see
    /// it, so nothing follows from it in a run that is given up.
    pub(super) fn judge(&self, run: &Run, inbox: Inbox<'_>) -> Result<(), Abort> {
        self.verify(run, inbox).map(drop)
    }

    /// The reveals of all parties, this one included, and whether any two of their moduli have a factor in common.
    fn verify(&self, run: &Run, inbox: Inbox<'_>) -> Result<(PerParty<Reveal>, bool), Abort> {
        let AuxInfoParams { engine, secrets, table_bytes } = &self.params;
        let mut faults = Faults::default();
        let theirs = faults.read(inbox, |from, message| {
            let (mut reveal, prm) = self.view.read_reveal(from, message.broadcast)?;
            let tables = reveal.setup.clone().with_tables(engine, *table_bytes);
            // Without tables everything is only slower.
            reveal.setup = tables.unwrap_or(reveal.setup);
            Ok((reveal, prm))
        });
        let mut shared = false;
        if !run.is_verified() {
            let setups = theirs.iter().map(|(from, (reveal, prm))| (from, (&reveal.setup, *prm)));
            faults.add_refused(self.view.verify_prm(engine, setups, secrets.own()));
        }
        let theirs = theirs.map(|_, (reveal, _)| reveal);
        if !run.is_verified() {
            shared = self.shared_factors(&theirs, &mut faults);
        }
        faults.settle(inbox)?;
        Ok((theirs.with(run.party_id(), self.reveal.clone()), shared))
    }

    /// Returns whether any two moduli have a factor in common, equal ones included. A party that has one in common
    /// with this party, or between its own two, is at fault.
    fn shared_factors(&self, theirs: &PerParty<Reveal>, faults: &mut Faults) -> bool {
        let moduli =
            |reveal: &Reveal| [reveal.key.modulus().clone(), reveal.setup.modulus().clone()];
        let share = |moduli: &[Modulus]| {
            share_factors_vartime(&moduli.iter().collect::<Vec<_>>()).contains(&true)
        };
        let own = moduli(&self.reveal);
        let all: Vec<_> = theirs.values().flat_map(moduli).chain(own.clone()).collect();
        if !share(&all) {
            return false;
        }
        for (party, reveal) in theirs {
            if share(&[own.as_slice(), &moduli(reveal)].concat()) {
                faults.add(party, Fault::InvalidModulus);
            }
        }
        true
    }
}
