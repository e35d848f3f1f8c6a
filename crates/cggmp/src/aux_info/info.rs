//! The result: the proved moduli of all parties, and this party's secrets.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::Engine;
use quorate_paillier::{
    DecryptionKey, EncryptionKey, Level, Pedersen, PedersenTrapdoor, share_factors_vartime,
};
use quorate_session::wire::{Reader, bounded, index};
use quorate_session::{Parties, PartyId, PerParty, Record, Transcript};
use zeroize::Zeroizing;

use super::AuxSecrets;
use crate::DecodeError;
use crate::wire::{self, AUX_INFO, AUX_PUBLIC, level_label, put_parties, read_parties, read_party};

/// Bytes of the tables that are made for each peer's setup, unless the caller says otherwise. They
/// make every commitment for that peer twice to three times as fast. Larger ones are slower for
/// secret exponents, which read a table whole.
pub const TABLE_BYTES: usize = 50 << 10;

/// The version of the set of proofs that a stored form stands for. A form that was made with fewer
/// proofs is not read: the parties have to make it anew.
const PROOFS: u8 = 1;

/// One party's moduli, proved: `N_j` and `(N̂_j, s_j, t_j)`.
type Proved = (EncryptionKey, Pedersen);

/// The public side of auxiliary information, equal at all parties: the Paillier key and the ring-Pedersen setup of
/// each.
///
/// This side is only for verifying [evidence](crate::Evidence): only the parties that took part know that
/// the moduli were proved.
#[derive(Clone)]
pub struct AuxPublic {
    level: Level,
    parties: Parties,
    moduli: PerParty<Proved>,
    rid: [u8; 32],
    digest: [u8; 32],
}

impl AuxPublic {
    pub(super) fn new(level: Level, moduli: PerParty<Proved>, rid: [u8; 32]) -> Option<Self> {
        let parties = Parties::new(moduli.iter().map(|(party, _)| party)).ok()?;
        Some(Self::assemble(level, parties, moduli, rid))
    }

    fn assemble(level: Level, parties: Parties, moduli: PerParty<Proved>, rid: [u8; 32]) -> Self {
        let mut public = Self { level, parties, moduli, rid, digest: [0; 32] };
        public.digest = public.hash();
        public
    }

    /// The parties of the run.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        &self.parties
    }

    /// The level of all moduli.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// A party's Paillier key.
    #[must_use]
    pub fn encryption_key(&self, party: PartyId) -> Option<&EncryptionKey> {
        self.moduli.get(party).map(|(key, _)| key)
    }

    /// A party's ring-Pedersen setup.
    #[must_use]
    pub fn pedersen(&self, party: PartyId) -> Option<&Pedersen> {
        self.moduli.get(party).map(|(_, setup)| setup)
    }

    /// rid: the random string that all parties contributed to.
    #[must_use]
    pub const fn rid(&self) -> &[u8; 32] {
        &self.rid
    }

    /// A digest of all of it.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }

    fn hash(&self) -> [u8; 32] {
        let mut transcript = Transcript::new("quorate-cggmp aux-info");
        transcript.append_u64("level", self.level.modulus_bits().into());
        let ids = self.parties.iter().map(|party| party.get().to_be_bytes());
        transcript.append_list("parties", ids);
        transcript.append_list("keys", self.moduli.values().map(|(key, _)| key.to_bytes()));
        transcript.append_list("setups", self.moduli.values().map(|(_, setup)| setup.to_bytes()));
        transcript.append("rid", &self.rid);
        transcript.finish32()
    }

    fn encoded_len(&self) -> usize {
        let each = self.level.modulus_bytes().saturating_mul(4).saturating_add(2);
        each * self.moduli.len() + 2 + 32
    }

    /// parties ‖ rid ‖ for each N ‖ N̂ ‖ s ‖ t.
    fn encode_into(&self, bytes: &mut Vec<u8>) {
        put_parties(bytes, &self.parties);
        bytes.extend_from_slice(&self.rid);
        for (key, setup) in self.moduli.values() {
            bytes.extend(key.to_bytes());
            bytes.extend(setup.to_bytes());
        }
    }

    /// Reads it, with all checks of form, and that no two moduli share a factor.
    fn read(reader: &mut Reader<'_>, level: Level) -> Result<Self, DecodeError> {
        let parties = read_parties(reader)?;
        let rid = reader.array()?;
        let len = level.modulus_bytes();
        let mut moduli = PerParty::with_capacity(parties.len());
        for party in parties.iter() {
            let key = reader.bytes(len)?;
            let setup = reader.bytes(len.saturating_mul(3))?;
            let key = EncryptionKey::from_bytes(level, key).map_err(DecodeError::Numbers)?;
            let setup = Pedersen::from_bytes(level, setup).map_err(DecodeError::Numbers)?;
            moduli.insert(party, (key, setup));
        }
        let each = moduli.values().flat_map(|(key, setup)| [key.modulus(), setup.modulus()]);
        if share_factors_vartime(&each.collect::<Vec<_>>()).contains(&true) {
            return Err(DecodeError::Inconsistent("two of the moduli share a factor"));
        }
        Ok(Self::assemble(level, parties, moduli, rid))
    }

    /// The stored form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let label = level_label(AUX_PUBLIC, self.level);
        let mut bytes = label.start(self.encoded_len());
        self.encode_into(&mut bytes);
        label.end_public(bytes)
    }

    /// Opens a stored form, strictly.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(level: Level, bytes: &[u8]) -> Result<Self, DecodeError> {
        level_label(AUX_PUBLIC, level).read(bytes, |reader| Self::read(reader, level))
    }
}

impl fmt::Debug for AuxPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuxPublic")
            .field("level", &self.level)
            .field("parties", &self.parties.len())
            .finish_non_exhaustive()
    }
}

/// The auxiliary information of one party: its own secrets, and the Paillier keys and ring-Pedersen
/// setups of all parties, every one of which was proved to it. Such a value comes only from
/// [`AuxInfoGen`](super::AuxInfoGen), or from the stored form of one.
pub struct AuxInfo {
    me: PartyId,
    secrets: Arc<AuxSecrets>,
    public: AuxPublic,
    /// `true` if all parties have confirmed it.
    confirmed: bool,
}

impl AuxInfo {
    /// Joins public values that were proved with this party's secrets, if the secrets belong to them.
    pub(super) fn joined(
        me: PartyId,
        secrets: Arc<AuxSecrets>,
        public: AuxPublic,
        confirmed: bool,
    ) -> Option<Self> {
        let (key, setup) = public.moduli.get(me)?;
        let matches = key == secrets.encryption_key() && setup == secrets.pedersen();
        matches.then_some(Self { me, secrets, public, confirmed })
    }

    /// Returns whether all parties have confirmed it. If not, it does not presign.
    ///
    /// [`AuxInfoGen`](super::AuxInfoGen) gives out an unconfirmed one
    /// ([`Progress::Unconfirmed`](quorate_session::Progress::Unconfirmed)) where this party has
    /// verified every proof, but a peer's confirmation is wrong or missing. The mark is part of the
    /// stored form.
    #[must_use]
    pub const fn is_confirmed(&self) -> bool {
        self.confirmed
    }

    /// Takes it for confirmed: the caller's own decision, and one to be stored. Ask all parties,
    /// over channels that you trust, for the [`digest`](Self::digest) of theirs first. A party with another
    /// digest refuses every session with this one.
    pub const fn confirm(&mut self) {
        self.confirmed = true;
    }

    /// The party whose secrets are here.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.me
    }

    /// The public side of it: the Paillier keys and setups of all parties, and rid.
    #[must_use]
    pub const fn public(&self) -> &AuxPublic {
        &self.public
    }

    /// The parties of the run.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        self.public.parties()
    }

    /// The level of all moduli.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.public.level()
    }

    /// The members of `parties` whose moduli it does not have, ascending. They cannot presign with this party yet.
    ///
    /// Auxiliary information belongs to no epoch. After a refresh, and among the parties that stay in a resharing, it
    /// serves as it is. When a party has joined, the new committee runs [`AuxInfoGen`](super::AuxInfoGen): the new party
    /// with primes that it has searched for, the others with theirs
    /// ([`AuxInfoParams::carried_over`](super::AuxInfoParams::carried_over)). Until that run has ended, sets of signers among
    /// the old parties keep using the old one.
    pub fn lacks<'a>(&'a self, parties: &'a Parties) -> impl Iterator<Item = PartyId> + 'a {
        parties.iter().filter(|party| !self.parties().contains(*party))
    }

    pub(super) fn shared_secrets(&self) -> Arc<AuxSecrets> {
        Arc::clone(&self.secrets)
    }

    pub(crate) fn secrets(&self) -> &AuxSecrets {
        &self.secrets
    }

    /// A digest of the public side, equal at all parties.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        self.public.digest()
    }

    /// Replaces the tables of each peer's setup by tables of at most this many bytes; 0 means none. The default is
    /// [`TABLE_BYTES`](super::TABLE_BYTES). Tables are not stored: opening a stored form makes them again, in
    /// milliseconds for each peer.
    #[must_use]
    pub fn with_table_bytes(self, table_bytes: usize) -> Self {
        self.with_tables(&Engine::detect(), table_bytes)
    }

    fn with_tables(mut self, engine: &Engine, table_bytes: usize) -> Self {
        let me = self.me;
        self.public.moduli = self.public.moduli.map(|party, (key, setup)| {
            let plain = if party == me { return (key, setup) } else { setup.without_tables() };
            (key, plain.clone().with_tables(engine, table_bytes).unwrap_or(plain))
        });
        self
    }

    /// The stored form. **Secret**: it holds this party's primes. Encrypt it.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let (key, setup) =
            (self.secrets.key().to_secret_bytes(), self.secrets.setup().to_secret_bytes());
        let public = self.public.encoded_len();
        let body = public + key.len() + setup.len() + 17;
        let label = level_label(AUX_INFO, self.level());
        let mut bytes = label.start(body);
        bytes.push(PROOFS);
        bytes.push(self.confirmed.into());
        bytes.extend_from_slice(&self.me.get().to_be_bytes());
        self.public.encode_into(&mut bytes);
        for secret in [key, setup] {
            // A few numbers of the level's length.
            let length: u32 = bounded(secret.len());
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(&secret);
        }
        label.end(&mut bytes);
        bytes
    }

    /// Opens a stored form and validates it. Beyond damage, this refuses forms that a mistake or another writer of the store
    /// can leave behind:
    /// - a form made with another set of proofs, of another level, or with parties not in ascending order;
    /// - any N or N̂ that is even or not exactly of its level's length;
    /// - any s or t that is not below its N̂, no unit, 1, −1, or equal to the other;
    /// - any two of all N and N̂ with a factor in common;
    /// - secrets that are not those of this party's N, N̂, s, t, or do not belong together: primes that are not prime,
    ///   not 3 modulo 4, too close, for N̂ not safe; s ≠ t^λ; λ not reduced.
    ///
    /// The proofs are not stored, and so not verified again: a peer's modulus of the right form is taken, whatever its
    /// factors are. The caller's encryption has to keep others from writing the bytes. An honest peer does not presign with a
    /// party that holds other public values than its own, as [`Self::digest`] is bound in the run.
    ///
    /// The primes are tested, and tables are made for every peer, each time; `timings ecdsa --step auxinfo_open` measures
    /// it. Keep what is opened, in an `Arc`, rather than opening it for every signature.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(level: Level, bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::from_bytes_with(&Engine::detect(), level, bytes)
    }

    /// Opens a stored form as [`Self::from_bytes`] does, with an engine of the caller's choice, for comparisons.
    ///
    /// # Errors
    /// Those of [`Self::from_bytes`].
    pub fn from_bytes_with(
        engine: &Engine,
        level: Level,
        bytes: &[u8],
    ) -> Result<Self, DecodeError> {
        let (_, mut reader) = level_label(AUX_INFO, level).open(bytes)?;
        let found = reader.u8()?;
        if found != PROOFS {
            return Err(DecodeError::OtherProofs { expected: PROOFS, found });
        }
        let confirmed = wire::read_flag(&mut reader)?;
        let me = read_party(&mut reader)?;
        let public = AuxPublic::read(&mut reader, level)?;
        let mut secret = || {
            let length = reader.u32()?;
            reader.bytes(index(length)).map_err(DecodeError::from)
        };
        let (key, setup) = (secret()?, secret()?);
        reader.finish()?;
        let key =
            DecryptionKey::from_secret_bytes(engine, level, key).map_err(DecodeError::Numbers)?;
        let setup = PedersenTrapdoor::from_secret_bytes(engine, level, setup)
            .map_err(DecodeError::Numbers)?;
        let secrets = Arc::new(AuxSecrets::new(key, setup).map_err(DecodeError::Numbers)?);
        let info = Self::joined(me, secrets, public, confirmed)
            .ok_or(DecodeError::Inconsistent("the secrets are not those of the party's moduli"))?;
        Ok(info.with_tables(engine, TABLE_BYTES))
    }
}

/// The stored form, of whichever level. **Secret**.
impl Record for AuxInfo {
    fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        self.to_bytes()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Level::NAMED.iter().find_map(|level| Self::from_bytes(*level, bytes).ok())
    }
}

impl fmt::Debug for AuxInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuxInfo")
            .field("level", &self.level())
            .field("parties", &self.parties().len())
            .finish_non_exhaustive()
    }
}
