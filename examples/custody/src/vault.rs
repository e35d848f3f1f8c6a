//! What a node keeps besides its runs, in the same database: its shares of keys, auxiliary information, presignatures and
//! nonces.
//!
//! Everything secret is sealed under a key that lies elsewhere. What is spent is spent in one place,
//! [`Vault::sign`](Vault::sign).

mod changes;
mod held;
mod nonces;
mod reseal;
pub(crate) mod rows;
mod signing;
mod words;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use getrandom::SysRng;
use quorate::keys::ShareState;
use quorate::runner::Time;
use quorate::session::keyring::Keyring;
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate::{PartyId, SessionId};
use quorate_cggmp::{AuxInfo, AuxSearch, AuxSecrets, AuxStep, Presignature, Secp256k1};
use quorate_examples::failure::Failure;
use quorate_paillier::Level;

use self::changes::{Parted, Settled};
pub use self::held::Held;
pub use self::nonces::MOST as MOST_NONCES;
use self::nonces::Pool;
pub(crate) use self::reseal::TABLES;
pub use self::words::Word;
use self::words::Words;
use crate::orders::{Body, Kind, Order};
use crate::records::{Answer, Made};
use crate::request::{KeyId, Scheme};
use crate::sql::{self, Sql};
use crate::store::Runs;
use crate::values;
use crate::wire::Holding;

// Names of secrets.
const PRIMES: &str = "custody search for primes";
const AUX: &str = "custody auxiliary information";
const AUX_UNCONFIRMED: &str = "custody auxiliary information, unconfirmed";
const SHARE: &str = "custody share of a key";

/// The number of candidates that are tested before the search for primes is stored again.
const BUDGET: u64 = 128;

/// A share, opened, and the public side of its key.
type Opened = (Zeroizing<Vec<u8>>, Vec<u8>);

/// The node's own tables.
pub struct Vault {
    me: PartyId,
    level: Level,
    seals: Rc<Keyring>,
    store: Runs,
    /// The shares of each key, by epoch.
    keys: BTreeMap<KeyId, Vec<Arc<Held>>>,
    aux: Option<Arc<AuxInfo>>,
    /// Changes with the stored auxiliary information.
    aux_digest: Option<[u8; 32]>,
    primes: Primes,
    nonces: Pool,
    words: Words,
    settled: Settled,
    parted: Parted,
    /// What it holds of keys, and a digest of that.
    holdings: (Vec<Holding>, [u8; 32]),
    /// The changes of shares that this knows of.
    changes: Option<u64>,
}

/// The node's own primes.
#[allow(clippy::large_enum_variant, reason = "there is one")]
enum Primes {
    Unsought,
    Sought(AuxSearch),
    Found(Arc<AuxSecrets>),
}

impl Vault {
    /// Opens the tables of a node, and makes them if there are none, in the database of its runs.
    ///
    /// # Errors
    /// A [`Failure`] if something in them does not open.
    pub fn open(
        (me, level): (PartyId, Level),
        seals: Rc<Keyring>,
        store: Runs,
    ) -> Result<Self, Failure> {
        store.schema(rows::SCHEMA)?;
        let primes = Primes::Unsought;
        let (keys, nonces) = (BTreeMap::new(), Pool::default());
        let aux_digest = None;
        let mut vault = Self {
            aux_digest,
            me,
            level,
            seals,
            store,
            keys,
            aux: None,
            primes,
            nonces,
            words: Words::new(),
            settled: Settled::new(),
            parted: Parted::new(),
            holdings: Default::default(),
            changes: None,
        };
        vault.load()?;
        Ok(vault)
    }

    fn load(&mut self) -> Result<(), Failure> {
        self.look_again()?;
        if let Some(search) = self.get(PRIMES)? {
            self.primes = Primes::Sought(AuxSearch::resume(self.level, &search)?);
        }
        self.nonces = Pool::default();
        self.drop_spent()
    }

    /// Drops the presignatures that the ledger has: a process that died between the two has left them.
    fn drop_spent(&mut self) -> Result<(), Failure> {
        let stock = self.stock()?;
        let spent = self.store.ledger(|ledger| ledger.look_up(&stock))?;
        let spent = stock.iter().filter(|name| spent.get(name).is_some());
        let rows: Vec<_> = spent.map(|name| values![name].to_vec()).collect();
        self.store.work(|db| db.execute_set(&rows::DROP_PRESIGNATURES, &rows))?;
        Ok(())
    }

    /// Reads the shares of keys again: another worker may have stored some.
    ///
    /// # Errors
    /// A [`Failure`] if one does not open.
    pub fn load_keys(&mut self) -> Result<(), Failure> {
        let mut keys: BTreeMap<KeyId, Vec<Arc<Held>>> = BTreeMap::new();
        for mut row in self.store.read(|db| db.query(rows::KEYS, &[]))? {
            let (id, scheme) = (KeyId(row.array(0)?), row.number::<u8>(1)?);
            let scheme = Scheme::from_code(scheme).ok_or_else(|| Failure::new("no scheme"))?;
            let share = self.seals.open_row(SHARE, &row.bytes(2)?)?;
            let held = Held::from_bytes(scheme, &share, &row.bytes(3)?)?;
            // One that is not confirmed is kept, and not used.
            if held.state() != ShareState::Unconfirmed {
                keys.entry(id).or_default().push(Arc::new(held));
            }
        }
        self.keys = keys;
        self.load_changes()
    }

    /// Reads again what another worker may have stored.
    ///
    /// # Errors
    /// A [`Failure`] of the database, or if something does not open.
    pub fn look_again(&mut self) -> Result<(), Failure> {
        // Read before the rows: what changes in between is read again.
        let changes = Some(self.store.read(|db| db.one(rows::CHANGES, &[]))?.number(0)?);
        if changes != self.changes {
            self.changes = changes;
            self.load_keys()?;
            self.nonces = Pool::default();
        }
        let row = self.store.read(|db| db.first(rows::AUX_DIGEST, &values![AUX]))?;
        let digest = row.map(|row| row.array(0)).transpose()?;
        if digest != self.aux_digest {
            self.aux_digest = digest;
            self.load_aux()?;
        }
        Ok(())
    }

    fn load_aux(&mut self) -> Result<(), Failure> {
        if let Some(aux) = self.get(AUX)? {
            self.aux = Some(Arc::new(AuxInfo::from_bytes(self.level, &aux)?));
        }
        Ok(())
    }

    /// The number of changes of its shares, as far as it has looked.
    #[must_use]
    pub const fn changes(&self) -> Option<u64> {
        self.changes
    }

    /// The node.
    #[must_use]
    pub const fn me(&self) -> PartyId {
        self.me
    }

    /// The node's share of a key in an epoch: the one that all have stored, if there are others, of orders that have failed; or
    /// that for which it has given its word.
    #[must_use]
    pub fn share(&self, key: KeyId, epoch: u32) -> Option<Arc<Held>> {
        let mut of = self.shares(key).iter().filter(|held| held.epoch() == epoch);
        let stored = of.clone().find(|held| held.state() == ShareState::Ready);
        let promised = || of.clone().find(|held| self.has_promised(key, held));
        stored.or_else(promised).or_else(|| of.next()).cloned()
    }

    /// The shares of a key, those of the latest epoch last.
    #[must_use]
    pub fn shares(&self, key: KeyId) -> &[Arc<Held>] {
        self.keys.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The share of a key that nonces are of: the latest one that all of its committee have stored, since a gateway asks for
    /// no other.
    pub(crate) fn signing(&self, key: KeyId) -> Option<&Arc<Held>> {
        let all = self.shares(key);
        all.iter().rfind(|held| held.state() == ShareState::Ready).or_else(|| all.last())
    }

    /// What is stored of a share, and the public side of its key: of that with this public side, if one is given.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn stored(&mut self, body: &Body) -> Result<Option<Opened>, Failure> {
        let Some(package) = self.share_of(body).map(|held| held.package()) else {
            return Ok(None);
        };
        let row = self.store.read(|db| db.first(rows::KEY, &values![&body.key.0, &package]))?;
        let Some(mut row) = row else { return Ok(None) };
        Ok(Some((self.seals.open_row(SHARE, &row.bytes(0)?)?, row.bytes(1)?)))
    }

    /// The public side of a key in an epoch of which the node has no share, since it went to others.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn parted(&mut self, key: KeyId, epoch: u32) -> Result<Option<Vec<u8>>, Failure> {
        let row = self.store.read(|db| db.first(rows::PARTED, &values![&key.0, epoch]))?;
        Ok(row.map(|mut row| row.bytes(0)).transpose()?)
    }

    /// The latest epoch of a key that the node knows.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn latest(&mut self, key: KeyId) -> Result<Option<u32>, Failure> {
        Ok(self.store.read(|db| db.one(rows::LATEST, &values![&key.0])?.number_if(0))?)
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
            Primes::Unsought => self.begin_search()?,
        };
        let sealed = self.seals.seal(PRIMES, &search.save());
        self.store.work(|db| db.execute(rows::KEEP, &values![PRIMES, &sealed]))?;
        self.primes = match search.step(BUDGET)? {
            AuxStep::Searching(search) => Primes::Sought(search),
            AuxStep::Done(secrets) => Primes::Found(Arc::new(secrets)),
        };
        Ok(matches!(self.primes, Primes::Found(_)))
    }

    /// The one search of this node: the first that any of its workers has begun. A session that was begun with the primes of
    /// one would not open with those of another.
    fn begin_search(&mut self) -> Result<AuxSearch, Failure> {
        if self.get(PRIMES)?.is_none() {
            let fresh = AuxSecrets::generate(self.level, &mut UnwrapErr(SysRng))?;
            let sealed = self.seals.seal(PRIMES, &fresh.save());
            self.store.work(|db| db.execute(rows::FIRST, &values![PRIMES, &sealed]))?;
        }
        let stored = self.get(PRIMES)?.ok_or_else(|| Failure::new("the search is not stored"))?;
        Ok(AuxSearch::resume(self.level, &stored)?)
    }

    /// The names of the presignatures that are left.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn stock(&mut self) -> Result<Vec<[u8; 32]>, Failure> {
        let sql = "SELECT name FROM presignatures ORDER BY name";
        let rows = self.store.read(|db| db.query(sql, &[]))?;
        Ok(rows.iter().map(|row| row.array(0)).collect::<Result<_, _>>()?)
    }

    /// The answer to an order, if there was one.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn answered(&mut self, sid: &SessionId) -> Result<Option<Answer>, Failure> {
        let sql = "SELECT answer FROM answers WHERE sid = $1";
        let row = self.store.read(|db| db.first(sql, &values![sid]))?;
        let Some(mut row) = row else { return Ok(None) };
        let answer = row.bytes(0)?;
        Ok(Some(match answer.split_first() {
            Some((0, result)) => Ok(result.to_vec()),
            Some((_, reason)) => Err(String::from_utf8_lossy(reason).into_owned()),
            None => Err(String::new()),
        }))
    }

    /// Stores an answer, and what was made, in one transaction.
    ///
    /// # Errors
    /// A [`Failure`] of the database, or of what was made, if it does not open.
    pub fn settle(
        &mut self,
        (order, body): (&Order, &Body),
        made: Made,
        answer: &Answer,
    ) -> Result<(), Failure> {
        let (sid, kind) = (&order.job.sid, order.kind);
        let confirmed = answer.is_ok();
        let made = self.sealed((kind, body.key), made)?;
        let parted = self.parted(body.key, body.epoch)?.is_some();
        let storing = matches!(kind, Kind::StoredEcdsa | Kind::StoredEd25519);
        // The public side that all have stored.
        let settles = answer.as_ref().ok().filter(|_| storing && (!made.is_empty() || parted));
        let settles = settles.zip(kind.scheme());
        let reshares = changes::reshares(kind);
        // The key was given to others.
        let parts = answer.as_ref().ok().filter(|_| reshares && made.is_empty());
        let until = order.job.deadline;
        self.store.work(|work| {
            work.release(sid.as_bytes());
            for row in &made {
                row.put(work, body, confirmed)?;
                row.wait(work, body, until, reshares)?;
            }
            if let Some(public) = parts {
                let row = values![&body.key.0, body.epoch.saturating_add(1), public];
                work.execute(rows::PART, &row)?;
                work.execute(rows::CHANGED, &[])?;
            }
            if let Some((public, scheme)) = settles {
                changes::settle(work, (body.key, scheme), body.epoch, public)?;
            }
            work.execute(rows::ANSWER, &values![sid, &stored(answer)])
        })?;
        if settles.is_some() {
            self.nonces.forget(body.key);
        }
        match made.first() {
            Some(Row::Aux(_)) if confirmed => self.load_aux(),
            Some(Row::Key { .. }) => self.load_keys(),
            _ if settles.is_some() || parts.is_some() => self.load_keys(),
            _ => Ok(()),
        }
    }

    /// What was made, sealed, as rows.
    fn sealed(&self, (kind, key): (Kind, KeyId), made: Made) -> Result<Vec<Row>, Failure> {
        Ok(match made {
            Made::Nothing => Vec::new(),
            Made::Aux(aux) => {
                // Whether it opens is seen before it is stored.
                AuxInfo::from_bytes(self.level, &aux)?;
                vec![Row::Aux([AUX, AUX_UNCONFIRMED].map(|name| self.seals.seal(name, &aux)))]
            }
            Made::Key(share, public) => {
                let scheme = kind.scheme().ok_or_else(|| Failure::new("no kind of keys"))?;
                let held = Held::from_bytes(scheme, &share, &public)?;
                let (package, epoch) = (held.package(), held.epoch());
                let sealed = self.seals.seal(SHARE, &share);
                // A new key has its name of itself.
                let key = if kind.makes_key() { held.name() } else { key };
                vec![Row::Key { key, scheme, package, epoch, sealed, public }]
            }
            Made::Presignatures(made) => {
                let row = |bytes: &Zeroizing<Vec<u8>>| {
                    let one = Presignature::<Secp256k1>::from_bytes(bytes)?;
                    let name = one.info().id().name();
                    let sealed = self.seals.stamped(&one.seal(self.seals.current()));
                    Ok(Row::Presignature { name, sealed })
                };
                made.iter().map(row).collect::<Result<_, Failure>>()?
            }
        })
    }

    fn get(&mut self, name: &'static str) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
        let sql = "SELECT sealed FROM secrets WHERE name = $1";
        let row = self.store.read(|db| db.first(sql, &values![name]))?;
        let Some(mut row) = row else { return Ok(None) };
        Ok(Some(self.seals.open_row(name, &row.bytes(0)?)?))
    }
}

/// An answer as it is stored.
fn stored(answer: &Answer) -> Vec<u8> {
    match answer {
        Ok(result) => [&[0], result.as_slice()].concat(),
        Err(reason) => [&[1], reason.as_bytes()].concat(),
    }
}

/// Something sealed, to be stored.
enum Row {
    /// Under the name of what is confirmed, and of what is not.
    Aux([Vec<u8>; 2]),
    Key {
        key: KeyId,
        scheme: Scheme,
        package: [u8; 32],
        epoch: u32,
        sealed: Vec<u8>,
        public: Vec<u8>,
    },
    Presignature {
        name: [u8; 32],
        sealed: Vec<u8>,
    },
}

impl Row {
    fn put(&self, db: &mut dyn Sql, body: &Body, confirmed: bool) -> sql::Result<()> {
        match self {
            Self::Aux([aux, unconfirmed]) => {
                let (name, sealed) =
                    if confirmed { (AUX, aux) } else { (AUX_UNCONFIRMED, unconfirmed) };
                db.execute(rows::KEEP, &values![name, sealed])?;
            }
            Self::Key { key, scheme, package, epoch, sealed, public } => {
                let scheme = scheme.code();
                let row = values![&key.0, package, *epoch, scheme, sealed, public];
                db.execute(rows::PUT_KEY, &row)?;
                db.execute(rows::CHANGED, &[])?;
            }
            Self::Presignature { name, sealed } => {
                let row = values![name, &body.key.0, body.epoch, sealed];
                db.execute(rows::PUT_PRESIGNATURE, &row)?;
            }
        }
        Ok(())
    }

    /// New shares wait for somebody to ask the node's word for them, until this time.
    fn wait(&self, db: &mut dyn Sql, body: &Body, until: Time, new: bool) -> sql::Result<()> {
        match self {
            Self::Key { epoch, public, .. } if new => {
                db.execute(rows::WAIT, &values![&body.key.0, public, *epoch, until]).map(drop)
            }
            _ => Ok(()),
        }
    }
}
