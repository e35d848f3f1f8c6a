//! The parameters of the making of auxiliary information.

use alloc::sync::Arc;
use core::fmt;

use quorate_bignum::Engine;
use quorate_paillier::Level;
use quorate_session::Binding;

use super::info::{AuxInfo, TABLE_BYTES};
use super::secrets::AuxSecrets;

/// The parameters of [`AuxInfoGen`](super::AuxInfoGen) at a party.
#[derive(Clone)]
pub struct AuxInfoParams {
    pub(super) engine: Engine,
    pub(super) secrets: Arc<AuxSecrets>,
    pub(super) table_bytes: usize,
}

impl AuxInfoParams {
    /// Takes the party's own keys.
    #[must_use]
    pub fn new(secrets: Arc<AuxSecrets>) -> Self {
        Self { engine: Engine::detect(), secrets, table_bytes: TABLE_BYTES }
    }

    /// Sets the engine, for comparisons. The default is the [fastest](Engine::detect) of this machine.
    #[must_use]
    pub const fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// Takes the keys that this party has proved before, to prove them to another committee: a party that stays needs no
    /// search. Anyone who learned the old primes can read what is encrypted under them, so take fresh ones after a theft
    /// ([`AuxSecrets::generate`]).
    #[must_use]
    pub fn carried_over(aux: &AuxInfo) -> Self {
        Self::new(aux.shared_secrets())
    }

    /// These parameters with tables of at most this many bytes for each peer's setup, instead of
    /// [`TABLE_BYTES`]; none with 0.
    #[must_use]
    pub const fn with_table_bytes(mut self, table_bytes: usize) -> Self {
        self.table_bytes = table_bytes;
        self
    }

    pub(super) fn level(&self) -> Level {
        self.secrets.level()
    }
}

impl fmt::Debug for AuxInfoParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuxInfoParams").field("level", &self.level()).finish_non_exhaustive()
    }
}

/// Binds what all must agree on.
pub(crate) fn bind(level: Level, binding: &mut Binding) {
    binding.append_u64("level", level.modulus_bits().into());
}
