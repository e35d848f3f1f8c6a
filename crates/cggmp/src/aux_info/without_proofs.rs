//! Auxiliary information among parties that all belong to one test.

use alloc::sync::Arc;

use quorate_session::{PartyId, PerParty};

use super::{AuxInfo, AuxPublic, AuxSecrets};

impl AuxInfo {
    /// The result at `me` of a run of [`AuxInfoGen`](super::AuxInfoGen) with these secrets, without any proof or message, and
    /// without tables ([`with_table_bytes`](Self::with_table_bytes)). For tests of the steps after that run, and for
    /// benchmarks of them among many parties.
    ///
    /// `None` if the secrets differ in their level, a party is named twice, or `me` is not one of them.
    #[must_use]
    pub fn without_proofs(me: PartyId, all: &[(PartyId, Arc<AuxSecrets>)]) -> Option<Self> {
        let own = &all.iter().find(|(party, _)| *party == me)?.1;
        if all.iter().any(|(_, secrets)| secrets.level() != own.level()) {
            return None;
        }
        let moduli = all.iter().map(|(party, secrets)| {
            (*party, (secrets.encryption_key().clone(), secrets.pedersen().clone()))
        });
        let moduli = moduli.collect::<PerParty<_>>();
        let public = AuxPublic::new(own.level(), moduli, [0; 32])?;
        Self::joined(me, Arc::clone(own), public, true)
    }
}
