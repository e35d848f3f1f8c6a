//! The result: everybody's proved moduli, and one's own secrets.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::Engine;
use quorate_paillier::{
    DecryptionKey, EncryptionKey, Level, Pedersen, PedersenTrapdoor, share_factors_vartime,
};
use quorate_session::{Parties, PartyId, Transcript};
use zeroize::Zeroizing;

use super::AuxSecrets;
use crate::DecodeError;
use crate::wire::{self, Kind, put_parties, read_parties, read_party, truncated};

/// The version of the set of proofs that a stored form stands for. One that was made with fewer
/// proofs is not read: the parties have to make it anew.
const PROOFS: u8 = 1;

/// One party's moduli, proved.
#[derive(Clone)]
pub(crate) struct PartyAux {
    pub(crate) party: PartyId,
    /// `N_j`
    pub(crate) key: EncryptionKey,
    /// `(N̂_j, s_j, t_j)`
    pub(crate) setup: Pedersen,
}

/// The auxiliary information of one party: its own secrets, and the Paillier keys and ring-Pedersen
/// setups of all parties, every one of which was proved to it. There is no other way to such a value
/// than [`AuxInfoGen`](super::AuxInfoGen) and what it once stored.
pub struct AuxInfo {
    me: PartyId,
    parties: Parties,
    secrets: Arc<AuxSecrets>,
    /// In the order of the parties.
    public: Vec<PartyAux>,
    rid: [u8; 32],
}

impl AuxInfo {
    /// Takes what was proved, by ascending party.
    pub(super) fn proved(
        me: PartyId,
        secrets: Arc<AuxSecrets>,
        public: Vec<PartyAux>,
        rid: [u8; 32],
    ) -> Option<Self> {
        let parties = Parties::new(public.iter().map(|aux| aux.party)).ok()?;
        let own = public.get(parties.position(me)?)?;
        let matches = own.key == *secrets.encryption_key() && own.setup == *secrets.pedersen();
        matches.then_some(Self { me, parties, secrets, public, rid })
    }

    /// The party whose secrets are here.
    #[must_use]
    pub const fn party(&self) -> PartyId {
        self.me
    }

    /// All parties.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        &self.parties
    }

    /// The level of all moduli.
    #[must_use]
    pub fn level(&self) -> Level {
        self.secrets.level()
    }

    /// A party's Paillier key.
    #[must_use]
    pub fn encryption_key(&self, party: PartyId) -> Option<&EncryptionKey> {
        Some(&self.of(party)?.key)
    }

    /// A party's ring-Pedersen setup.
    #[must_use]
    pub fn pedersen(&self, party: PartyId) -> Option<&Pedersen> {
        Some(&self.of(party)?.setup)
    }

    /// rid: the random string that all parties contributed to.
    #[must_use]
    pub const fn rid(&self) -> &[u8; 32] {
        &self.rid
    }

    pub(crate) fn of(&self, party: PartyId) -> Option<&PartyAux> {
        self.public.get(self.parties.position(party)?)
    }

    pub(crate) fn secrets(&self) -> &AuxSecrets {
        &self.secrets
    }

    /// A digest of everything public, the same at all parties.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        let mut transcript = Transcript::new("quorate-cggmp aux-info");
        transcript.append_u64("level", self.level().modulus_bits().into());
        let ids = self.parties.iter().map(|party| party.get().to_be_bytes());
        transcript.append_list("parties", ids);
        transcript.append_list("keys", self.public.iter().map(|aux| aux.key.to_bytes()));
        transcript.append_list("setups", self.public.iter().map(|aux| aux.setup.to_bytes()));
        transcript.append("rid", &self.rid);
        transcript.finish32()
    }

    /// The same with tables of at most so many bytes for each peer's setup, which make proofs to
    /// that peer cheaper. They are not stored.
    #[must_use]
    pub fn with_tables(mut self, engine: &Engine, table_bytes: usize) -> Self {
        for aux in self.public.iter_mut().filter(|aux| aux.party != self.me) {
            if let Ok(setup) = aux.setup.clone().with_tables(engine, table_bytes) {
                aux.setup = setup;
            }
        }
        self
    }

    /// The stored form. **Secret**: it holds the own primes. Encrypt it.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let (key, setup) =
            (self.secrets.key().to_secret_bytes(), self.secrets.setup().to_secret_bytes());
        let each = self.level().modulus_bytes().saturating_mul(4).saturating_add(2);
        let public = each.saturating_mul(self.public.len());
        let body = public.saturating_add(key.len()).saturating_add(setup.len()).saturating_add(64);
        let mut bytes = wire::start_with(Kind::AuxInfo, code(self.level()), body);
        bytes.push(PROOFS);
        bytes.extend_from_slice(&self.me.get().to_be_bytes());
        put_parties(&mut bytes, &self.parties);
        bytes.extend_from_slice(&self.rid);
        for aux in &self.public {
            bytes.extend(aux.key.to_bytes());
            bytes.extend(aux.setup.to_bytes());
        }
        for secret in [key, setup] {
            let length = u32::try_from(secret.len()).unwrap_or(u32::MAX);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(&secret);
        }
        wire::end(&mut bytes);
        bytes
    }

    /// Opens a stored form and validates it: sizes, units, that the primes are those of the own
    /// moduli, that no two moduli share a factor. The proofs are not stored, and so not verified
    /// again: that nobody else could write the bytes is for the caller's encryption to ensure.
    ///
    /// [`Self::with_tables`] makes it as fast as it was.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(engine: &Engine, level: Level, bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = wire::open_with(bytes, Kind::AuxInfo, code(level))?;
        if reader.u8().map_err(truncated)? != PROOFS {
            return Err(DecodeError::UnknownVersion);
        }
        let me = read_party(&mut reader)?;
        let parties = read_parties(&mut reader)?;
        let rid = reader.array().map_err(truncated)?;
        let len = level.modulus_bytes();
        let bad = |_| DecodeError::Inconsistent;
        let mut public = Vec::with_capacity(parties.len());
        for party in parties.iter() {
            let key = reader.bytes(len).map_err(truncated)?;
            let setup = reader.bytes(len.saturating_mul(3)).map_err(truncated)?;
            let key = EncryptionKey::from_bytes(level, key).map_err(bad)?;
            let setup = Pedersen::from_bytes(level, setup).map_err(bad)?;
            public.push(PartyAux { party, key, setup });
        }
        let mut secret = || {
            let length = reader.u32().map_err(truncated)?;
            reader.bytes(usize::try_from(length).unwrap_or(usize::MAX)).map_err(truncated)
        };
        let (key, setup) = (secret()?, secret()?);
        reader.finish().map_err(|_| DecodeError::TrailingBytes)?;
        let key = DecryptionKey::from_secret_bytes(engine, level, key).map_err(bad)?;
        let setup = PedersenTrapdoor::from_secret_bytes(engine, level, setup).map_err(bad)?;
        let secrets = Arc::new(AuxSecrets::new(key, setup).map_err(bad)?);
        let moduli: Vec<_> =
            public.iter().flat_map(|aux| [aux.key.modulus(), aux.setup.modulus()]).collect();
        if share_factors_vartime(&moduli).contains(&true) {
            return Err(DecodeError::Inconsistent);
        }
        Self::proved(me, secrets, public, rid).ok_or(DecodeError::Inconsistent)
    }
}

/// The byte of the level, where others have the code of a curve.
const fn code(level: Level) -> u8 {
    match level {
        Level::Bits112 => 0x82,
        _ => 0x81,
    }
}

impl fmt::Debug for AuxInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuxInfo")
            .field("level", &self.level())
            .field("parties", &self.parties.len())
            .finish_non_exhaustive()
    }
}
