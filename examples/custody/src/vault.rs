//! What a node keeps besides its runs, in the same database: its key, auxiliary information, presignatures, and the
//! shares of signatures that it has released.
//!
//! Everything secret is sealed under a key that lies elsewhere. A presignature is spent in one place, [`Vault::release`].

use std::sync::Arc;

use getrandom::SysRng;
use quorate::session::RecordError;
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate::{PartyId, SealKey, SessionId};
use quorate_bignum::Engine;
use quorate_cggmp::{
    AuxInfo, AuxSearch, AuxSecrets, AuxStep, DerivationPath, KeyInfo, KeyShare, MessageDigest,
    PresignatureInfo, Presignatures, Secp256k1,
};
use quorate_examples::failure::Failure;
use quorate_paillier::Level;
use rusqlite::{Connection, OptionalExtension, params};

use crate::orders::Request;
use crate::records::{Answer, Made};
use crate::runs::SqliteRuns;
use crate::signing::Params;

const SCHEMA: &str = "
    -- Key share, auxiliary information, the search for primes, presignatures.
    CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, sealed BLOB NOT NULL);
    -- Shares of signatures, by session. Each was released against a row in the ledger.
    CREATE TABLE IF NOT EXISTS shares (
        sid BLOB PRIMARY KEY, presignature BLOB NOT NULL, digest BLOB NOT NULL, info BLOB NOT NULL, share BLOB NOT NULL);
    -- What was answered to an order: 0 and the result, or 1 and the reason why there is none.
    CREATE TABLE IF NOT EXISTS answers (sid BLOB PRIMARY KEY, answer BLOB NOT NULL);
";

// Names of secrets.
const PRIMES: &str = "custody search for primes";
const KEY: &str = "custody key share";
/// The public side of the key, which is no secret; the share is opened with it.
const KEY_INFO: &str = "custody public side of the key";
const AUX: &str = "custody auxiliary information";
const STOCK: &str = "custody presignatures";
// Those that this node has, and does not know whether all others have.
const KEY_UNCONFIRMED: &str = "custody key share, unconfirmed";
const KEY_INFO_UNCONFIRMED: &str = "custody public side of the key, unconfirmed";
const AUX_UNCONFIRMED: &str = "custody auxiliary information, unconfirmed";

/// The number of candidates that are tested before the search for primes is stored again.
const BUDGET: u64 = 128;

/// The node's own tables.
pub struct Vault {
    me: PartyId,
    level: Level,
    engine: Engine,
    key: Arc<SealKey>,
    store: SqliteRuns,
    share: Option<Arc<KeyShare<Secp256k1>>>,
    aux: Option<Arc<AuxInfo>>,
    primes: Primes,
    stock: Presignatures<Secp256k1>,
}

/// The node's own primes.
#[allow(clippy::large_enum_variant, reason = "there is one")]
enum Primes {
    Unsought,
    Sought(AuxSearch),
    Found(Arc<AuxSecrets>),
}

/// A share of a signature, with what it was released for.
struct Released {
    presignature: [u8; 36],
    digest: [u8; 32],
    /// The public side of the presignature.
    info: PresignatureInfo<Secp256k1>,
    share: Vec<u8>,
}

impl Released {
    /// Whether it is a share for this request.
    fn is_for(&self, request: &Request) -> bool {
        let digest = MessageDigest::sha256(&request.message);
        self.presignature == request.presignature && self.digest == *digest.as_bytes()
    }
}

/// Why no share is released.
pub enum Withheld {
    /// The key is not there yet.
    NotYet,
    /// Never: the reason.
    Never(String),
}

impl Vault {
    /// Opens the tables of a node, and makes them if there are none.
    ///
    /// # Errors
    /// A [`Failure`] if something in them does not open.
    pub fn open(
        me: PartyId,
        level: Level,
        key: Arc<SealKey>,
        store: SqliteRuns,
    ) -> Result<Self, Failure> {
        store.database().execute_batch(SCHEMA)?;
        let (engine, stock) = (Engine::detect(), Presignatures::new(me));
        let mut vault = Self {
            me,
            level,
            engine,
            key,
            store,
            share: None,
            aux: None,
            primes: Primes::Unsought,
            stock,
        };
        vault.load()?;
        Ok(vault)
    }

    fn load(&mut self) -> Result<(), Failure> {
        if let (Some(share), Some(info)) = (self.get(KEY)?, self.get(KEY_INFO)?) {
            let info = KeyInfo::from_bytes(&info)?;
            self.share = Some(Arc::new(KeyShare::from_bytes(&share, &info)?));
        }
        if let Some(aux) = self.get(AUX)? {
            self.aux = Some(Arc::new(AuxInfo::from_bytes(&self.engine, self.level, &aux)?));
        }
        if let Some(search) = self.get(PRIMES)? {
            self.primes = Primes::Sought(AuxSearch::resume(&self.engine, self.level, &search)?);
        }
        if let Some(stock) = self.sealed(STOCK)? {
            self.stock = Presignatures::open(&stock, &self.key)?;
        }
        Ok(())
    }

    /// The node.
    #[must_use]
    pub const fn me(&self) -> PartyId {
        self.me
    }

    /// The engine that everything is computed with.
    #[must_use]
    pub const fn engine(&self) -> Engine {
        self.engine
    }

    /// The node's share of the key.
    #[must_use]
    pub fn key_share(&self) -> Option<Arc<KeyShare<Secp256k1>>> {
        self.share.clone()
    }

    /// The auxiliary information.
    #[must_use]
    pub fn aux(&self) -> Option<Arc<AuxInfo>> {
        self.aux.clone()
    }

    /// The node's primes.
    #[must_use]
    pub fn primes(&self) -> Option<Arc<AuxSecrets>> {
        match &self.primes {
            Primes::Found(secrets) => Some(Arc::clone(secrets)),
            Primes::Unsought | Primes::Sought(_) => None,
        }
    }

    /// Goes on with the search for primes, if it is not over; says whether it has just ended. What comes out is
    /// determined when it begins, so a search that was interrupted ends with the same primes.
    ///
    /// # Errors
    /// A [`Failure`] of the database or the generator.
    pub fn search(&mut self) -> Result<bool, Failure> {
        let search = match core::mem::replace(&mut self.primes, Primes::Unsought) {
            Primes::Found(secrets) => {
                self.primes = Primes::Found(secrets);
                return Ok(false);
            }
            Primes::Sought(search) => search,
            Primes::Unsought => {
                let mut rng = UnwrapErr(SysRng);
                AuxSecrets::generate(&self.engine, self.level, &mut rng)?
            }
        };
        self.put(&[(PRIMES, search.save())])?;
        self.primes = match search.step(BUDGET)? {
            AuxStep::Searching(search) => Primes::Sought(search),
            AuxStep::Done(secrets) => Primes::Found(Arc::new(secrets)),
        };
        Ok(matches!(self.primes, Primes::Found(_)))
    }

    /// The presignatures that are left.
    #[must_use]
    pub const fn stock(&self) -> &Presignatures<Secp256k1> {
        &self.stock
    }

    /// The answer to an order, if there was one.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn answered(&self, sid: &SessionId) -> Result<Option<Answer>, Failure> {
        let sql = "SELECT answer FROM answers WHERE sid = ?";
        let row: Option<Vec<u8>> =
            self.store.database().query_row(sql, [sid.as_bytes()], |row| row.get(0)).optional()?;
        Ok(row.map(|row| match row.split_first() {
            Some((0, result)) => Ok(result.to_vec()),
            Some((_, reason)) => Err(String::from_utf8_lossy(reason).into_owned()),
            None => Err(String::new()),
        }))
    }

    /// Stores an answer, and what was made, in one transaction.
    ///
    /// # Errors
    /// A [`Failure`] of the database, or of presignatures that do not fit those that are there.
    pub fn settle(&mut self, sid: &SessionId, made: Made, answer: &Answer) -> Result<(), Failure> {
        let confirmed = answer.is_ok();
        let mut rows = Vec::new();
        match &made {
            Made::Key(share) => {
                let names = if confirmed {
                    [KEY, KEY_INFO]
                } else {
                    [KEY_UNCONFIRMED, KEY_INFO_UNCONFIRMED]
                };
                let info = Zeroizing::new(share.info().to_bytes());
                rows.extend(names.into_iter().zip([share.to_bytes(), info]));
            }
            Made::Aux(aux) => {
                rows.push((if confirmed { AUX } else { AUX_UNCONFIRMED }, aux.to_bytes()));
            }
            Made::Presignatures(_) | Made::Nothing => {}
        }
        let mut filled = false;
        match made {
            Made::Key(share) if confirmed => self.share = Some(Arc::new(share)),
            Made::Aux(aux) if confirmed => self.aux = Some(Arc::new(aux)),
            Made::Presignatures(made) => {
                filled = true;
                made.into_iter().try_for_each(|one| self.stock.insert(one))?;
            }
            Made::Key(_) | Made::Aux(_) | Made::Nothing => {}
        }
        let (key, stock) = (Arc::clone(&self.key), filled.then(|| self.stock.seal(&self.key)));
        let answer = match answer {
            Ok(result) => [&[0], result.as_slice()].concat(),
            Err(reason) => [&[1], reason.as_bytes()].concat(),
        };
        self.store.release(|tx| {
            for (name, bytes) in &rows {
                keep(tx, name, &key.seal_bytes(name, bytes))?;
            }
            stock.iter().try_for_each(|stock| keep(tx, STOCK, stock))?;
            let sql = "INSERT INTO answers (sid, answer) VALUES (?, ?) ON CONFLICT DO NOTHING";
            tx.execute(sql, params![sid.as_bytes(), answer])?;
            Ok((true, ()))
        })?;
        Ok(())
    }

    /// Spends a presignature on a request, and stores the share that comes of it: once. The claim is in the ledger
    /// before there is a share, and the share in the database before it is sent.
    ///
    /// # Errors
    /// [`Withheld`]; a [`Failure`] of the databases.
    pub fn release(
        &mut self,
        sid: &SessionId,
        request: &Request,
    ) -> Result<Result<(), Withheld>, Failure> {
        let never = |why: String| Ok(Err(Withheld::Never(why)));
        if let Some(released) = self.released(sid)? {
            if released.is_for(request) {
                return Ok(Ok(()));
            }
            return never("the share of this session was released for another request".to_owned());
        }
        let Some(share) = &self.share else { return Ok(Err(Withheld::NotYet)) };
        let id = self.stock.ids().find(|id| id.to_bytes() == request.presignature);
        let info = id.and_then(|id| Some((id, self.stock.info(&id)?.clone())));
        let Some((id, info)) = info else {
            return never("this node does not hold the presignature, or has spent it".to_owned());
        };
        let path = DerivationPath::default();
        let claim = match self.stock.claim(&id, share, &path, &*request.message) {
            Ok(claim) => claim,
            Err(why) => return never(why.to_string()),
        };
        let receipt = match claim.record().store(&mut self.store) {
            Ok(receipt) => receipt,
            Err(RecordError::Table(error)) => return Err(error.into()),
            Err(spent) => return never(spent.to_string()),
        };
        let share = claim.release(receipt)?.to_bytes();
        let stock = self.stock.seal(&self.key);
        self.store.release(|tx| {
            let sql = "INSERT INTO shares (sid, presignature, digest, info, share)
                VALUES (?, ?, ?, ?, ?)";
            let digest = MessageDigest::sha256(&request.message);
            let (name, digest) = (request.presignature, *digest.as_bytes());
            tx.execute(sql, params![sid.as_bytes(), name, digest, info.to_bytes(), share])?;
            keep(tx, STOCK, &stock)?;
            Ok((true, ()))
        })?;
        Ok(Ok(()))
    }

    /// The parameters of signing, once the share is [released](Self::release) for this request.
    ///
    /// # Errors
    /// A [`Failure`] if what is stored does not open.
    pub fn signing(&self, sid: &SessionId, request: &Request) -> Result<Option<Params>, Failure> {
        let released = self.released(sid)?.filter(|released| released.is_for(request));
        let (Some(share), Some(released)) = (&self.share, released) else { return Ok(None) };
        let Released { info, share: bytes, .. } = released;
        let key = share.info().derivation(&DerivationPath::default())?;
        let digest = MessageDigest::sha256(&request.message);
        Ok(Some(Params { info, key, digest, share: bytes }))
    }

    /// Whether a share of a signature was released under this session.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn has_released(&self, sid: &SessionId) -> Result<bool, Failure> {
        Ok(self.released(sid)?.is_some())
    }

    fn released(&self, sid: &SessionId) -> Result<Option<Released>, Failure> {
        let sql = "SELECT info, presignature, digest, share FROM shares WHERE sid = ?";
        let row =
            |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        let row: Option<(Vec<u8>, _, _, _)> =
            self.store.database().query_row(sql, [sid.as_bytes()], row).optional()?;
        let Some((info, presignature, digest, share)) = row else { return Ok(None) };
        let info = PresignatureInfo::from_bytes(&info)?;
        Ok(Some(Released { presignature, digest, info, share }))
    }

    fn put(&mut self, rows: &[(&'static str, Zeroizing<Vec<u8>>)]) -> Result<(), Failure> {
        let db = self.store.database();
        for (name, bytes) in rows {
            keep(db, name, &self.key.seal_bytes(name, bytes))?;
        }
        Ok(())
    }

    fn sealed(&self, name: &str) -> Result<Option<Vec<u8>>, Failure> {
        let sql = "SELECT sealed FROM secrets WHERE name = ?";
        Ok(self.store.database().query_row(sql, [name], |row| row.get(0)).optional()?)
    }

    fn get(&self, name: &'static str) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
        let open = |sealed: Vec<u8>| self.key.open_bytes(name, &sealed);
        Ok(self.sealed(name)?.map(open).transpose()?)
    }
}

fn keep(db: &Connection, name: &str, sealed: &[u8]) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO secrets (name, sealed) VALUES (?, ?)";
    db.execute(sql, params![name, sealed]).map(drop)
}
