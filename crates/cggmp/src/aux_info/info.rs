//! The result: the proved moduli of all parties, and one's own secrets.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::Engine;
use quorate_paillier::{
    DecryptionKey, EncryptionKey, Level, Pedersen, PedersenTrapdoor, share_factors_vartime,
};
use quorate_session::{Parties, PartyId, PerParty, Transcript, wire::Reader};
use zeroize::Zeroizing;

use super::AuxSecrets;
use crate::DecodeError;
use crate::wire::{
    self, AUX_INFO, AUX_PUBLIC, level_label, put_parties, read_parties, read_party, truncated,
};

/// Bytes of the tables that are made for each peer's setup, unless the caller says otherwise. They
/// make every commitment for that peer twice to three times as fast. Larger ones are slower for
/// secret exponents, which read a table whole.
pub const TABLE_BYTES: usize = 50 << 10;

/// The version of the set of proofs that a stored form stands for. One that was made with fewer
/// proofs is not read: the parties have to make it anew.
const PROOFS: u8 = 1;

/// One party's moduli, proved: `N_j` and `(N̂_j, s_j, t_j)`.
type Proved = (EncryptionKey, Pedersen);

/// The public side of auxiliary information, equal at all parties: the Paillier key and the ring-Pedersen setup of
/// each.
///
/// It verifies [evidence](crate), and nothing else: that the moduli were proved, only who
/// took part knows.
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

    /// All parties.
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
        each.saturating_mul(self.moduli.len()).saturating_add(2 + 32)
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
        let rid = reader.array().map_err(truncated)?;
        let len = level.modulus_bytes();
        let mut moduli = PerParty::with_capacity(parties.len());
        for party in parties.iter() {
            let key = reader.bytes(len).map_err(truncated)?;
            let setup = reader.bytes(len.saturating_mul(3)).map_err(truncated)?;
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
        wire::open(level_label(AUX_PUBLIC, level), bytes, |reader| Self::read(reader, level))
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
/// setups of all parties, every one of which was proved to it. There is no other way to such a value
/// than [`AuxInfoGen`](super::AuxInfoGen) and what it once stored.
pub struct AuxInfo {
    me: PartyId,
    secrets: Arc<AuxSecrets>,
    public: AuxPublic,
    /// All parties have confirmed it.
    confirmed: bool,
}

impl AuxInfo {
    /// Joins public values that were proved with the own secrets, if these belong to them.
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

    /// Whether all parties have confirmed it. One of which this is false does not presign.
    ///
    /// [`AuxInfoGen`](super::AuxInfoGen) gives out an unconfirmed one
    /// ([`Stopped::unconfirmed`](quorate_session::Stopped::unconfirmed)) where this party has
    /// verified every proof, but a peer's confirmation is wrong or missing. The mark is part of the
    /// stored form.
    #[must_use]
    pub const fn is_confirmed(&self) -> bool {
        self.confirmed
    }

    /// Takes it for confirmed: the caller's own decision, and one to be stored. Ask all parties,
    /// over channels that you trust, for the [`digest`](Self::digest) of theirs first: with another
    /// one they refuse every session with this party.
    pub const fn confirm(&mut self) {
        self.confirmed = true;
    }

    /// The party whose secrets are here.
    #[must_use]
    pub const fn party(&self) -> PartyId {
        self.me
    }

    /// The public side of it: the Paillier keys and setups of all parties, and rid.
    #[must_use]
    pub const fn public(&self) -> &AuxPublic {
        &self.public
    }

    /// All parties.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        self.public.parties()
    }

    /// The level of all moduli.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.public.level()
    }

    /// The parties that it has no moduli of, ascending: those of a key's committee for which this is not empty cannot
    /// presign with this party yet.
    ///
    /// It belongs to no epoch. After a refresh, and among those who stay in a resharing, it serves as it is. When
    /// somebody has joined, the new committee runs [`AuxInfoGen`](super::AuxInfoGen): the new party with primes that it
    /// has searched for, the others with theirs ([`AuxInfoParams::carried_over`](super::AuxInfoParams::carried_over)).
    /// Until that has ended, sets of signers among the old parties go on with the old one.
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

    /// This auxiliary information with tables of at most so many bytes for each peer's setup, instead of
    /// [`TABLE_BYTES`](super::TABLE_BYTES); none with 0. They are not stored, but made again when
    /// the stored form is opened, in milliseconds for each peer.
    #[must_use]
    pub fn with_table_bytes(mut self, engine: &Engine, table_bytes: usize) -> Self {
        let me = self.me;
        self.public.moduli = self.public.moduli.map(|party, (key, setup)| {
            let plain = if party == me { return (key, setup) } else { setup.without_tables() };
            (key, plain.clone().with_tables(engine, table_bytes).unwrap_or(plain))
        });
        self
    }

    /// The stored form. **Secret**: it holds the own primes. Encrypt it.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let (key, setup) =
            (self.secrets.key().to_secret_bytes(), self.secrets.setup().to_secret_bytes());
        let public = self.public.encoded_len();
        let body = public.saturating_add(key.len()).saturating_add(setup.len()).saturating_add(17);
        let label = level_label(AUX_INFO, self.level());
        let mut bytes = label.start(body);
        bytes.push(PROOFS);
        bytes.push(self.confirmed.into());
        bytes.extend_from_slice(&self.me.get().to_be_bytes());
        self.public.encode_into(&mut bytes);
        for secret in [key, setup] {
            let length = u32::try_from(secret.len()).unwrap_or(u32::MAX);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(&secret);
        }
        label.end(&mut bytes);
        bytes
    }

    /// Opens a stored form and validates it. Beyond damage, this refuses what a mistake or another writer of the store
    /// can leave behind:
    /// - a form made with another set of proofs, of another level, or with parties not in ascending order;
    /// - any N or N̂ that is even or not exactly of its level's length;
    /// - any s or t that is not below its N̂, no unit, 1, −1, or equal to the other;
    /// - any two of all N and N̂ with a factor in common;
    /// - own secrets that are not those of the own N, N̂, s, t, or do not belong together: primes that are not prime,
    ///   not 3 modulo 4, too close, for N̂ not safe; s ≠ t^λ; λ not reduced.
    ///
    /// The proofs are not stored, and so not verified again: a peer's modulus of the right form is taken, whatever its
    /// factors are. That nobody else writes the bytes is for the caller's encryption to ensure. An honest peer does not
    /// presign with a party that holds other public values than its own, as [`Self::digest`] is bound in the run.
    ///
    /// The primes are tested and tables made for every peer each time: with two peers about 63 ms at the default level,
    /// 20 ms at the smaller one, with AVX-512 (`timings ecdsa --step auxinfo_open`). Keep what is opened, in an `Arc`,
    /// rather than opening it for every signature.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(engine: &Engine, level: Level, bytes: &[u8]) -> Result<Self, DecodeError> {
        let (_, mut reader) = level_label(AUX_INFO, level).open(bytes)?;
        let found = reader.u8().map_err(truncated)?;
        if found != PROOFS {
            return Err(DecodeError::OtherProofs { expected: PROOFS, found });
        }
        let confirmed = wire::read_flag(&mut reader)?;
        let me = read_party(&mut reader)?;
        let public = AuxPublic::read(&mut reader, level)?;
        let mut secret = || {
            let length = reader.u32().map_err(truncated)?;
            reader.bytes(usize::try_from(length).unwrap_or(usize::MAX)).map_err(truncated)
        };
        let (key, setup) = (secret()?, secret()?);
        reader.finish().map_err(|_| DecodeError::TrailingBytes)?;
        let key =
            DecryptionKey::from_secret_bytes(engine, level, key).map_err(DecodeError::Numbers)?;
        let setup = PedersenTrapdoor::from_secret_bytes(engine, level, setup)
            .map_err(DecodeError::Numbers)?;
        let secrets = Arc::new(AuxSecrets::new(key, setup).map_err(DecodeError::Numbers)?);
        let info = Self::joined(me, secrets, public, confirmed)
            .ok_or(DecodeError::Inconsistent("the secrets are not those of the party's moduli"))?;
        Ok(info.with_table_bytes(engine, TABLE_BYTES))
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
