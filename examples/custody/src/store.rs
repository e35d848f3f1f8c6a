//! A node's database: the only thing of it that survives.
//!
//! All secrets in it are sealed under a key that is kept elsewhere ([`SealKey`]). Three rules
//! are all that the database has to enforce, and it enforces them by itself:
//!
//! - **Compare and swap.** A sealed session is replaced only if the one in the table is the one
//!   that this process has gone on from ([`Store::keep`]). A second process on the same table, or
//!   a copy of the machine that runs on twice, is refused before it can send anything.
//! - **Tombstones.** A run that has ended leaves one in the place of its session, for ever
//!   ([`Store::finish`]). A start job that is delivered again finds it, and is refused.
//! - **Unique key.** A presignature is spent by a row in `spent`, whose primary key is the
//!   presignature's name (`SpentTable::record` of this store, in `spending.rs`).
//!
//! Against a database that is itself restored from a backup none of them helps: `spent` and the
//! slots of sessions belong where backups do not reach, such as a service of their own.

mod error;
mod spending;

pub use error::StoreError;

use std::path::Path;
use std::sync::Arc;

use quorate::session::zeroize::Zeroizing;
use quorate::session::{Protocol, Sealed, Slot};
use quorate::{PartyId, SealKey, Step, To};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::node::Config;
use super::runner::End;

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;    -- what is committed survives a loss of power
    PRAGMA secure_delete = ON;    -- what is deleted is overwritten

    -- Runs, each under its context. `slot` is the length of the run's log: see Store::keep. A run
    -- that has ended leaves its tombstone: nothing is ever deleted here.
    CREATE TABLE IF NOT EXISTS sessions (
        context BLOB PRIMARY KEY, name TEXT NOT NULL, slot INTEGER NOT NULL, sealed BLOB NOT NULL,
        ended INTEGER NOT NULL);
    -- What was not taken, and why: for whoever has to find out why a run does not get on.
    CREATE TABLE IF NOT EXISTS rejected (
        topic TEXT NOT NULL, sender INTEGER NOT NULL, why TEXT NOT NULL, count INTEGER NOT NULL,
        PRIMARY KEY (topic, sender, why));
    -- Everything that was sent or is about to be, for peers that have lost it. Recipient 0 is all.
    CREATE TABLE IF NOT EXISTS outbox (
        id INTEGER PRIMARY KEY, topic TEXT NOT NULL, recipient INTEGER NOT NULL, sealed BLOB NOT NULL);
    -- Key share, auxiliary information, primes.
    CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, sealed BLOB NOT NULL);
    -- What is public of a presignature stays; what is secret goes when the share is released.
    CREATE TABLE IF NOT EXISTS presignatures (id BLOB PRIMARY KEY, info BLOB NOT NULL, sealed BLOB);
    -- What presignatures were spent on. Nothing is ever deleted here.
    CREATE TABLE IF NOT EXISTS spent (id BLOB PRIMARY KEY, digest BLOB NOT NULL);
    CREATE TABLE IF NOT EXISTS signatures (digest BLOB PRIMARY KEY, signature BLOB NOT NULL);
";

const OUTBOX: &str = "custody outbox";

/// An open database, and the key under which its secrets are sealed.
pub struct Store {
    db: Connection,
    key: Arc<SealKey>,
}

impl Store {
    /// Opens the database, and makes it if there is none.
    ///
    /// # Errors
    /// [`StoreError::Sql`].
    pub fn open(path: &Path, key: Arc<SealKey>) -> Result<Self, StoreError> {
        let db = Connection::open(path)?;
        db.execute_batch(SCHEMA)?;
        Ok(Self { db, key })
    }

    /// Opens the database of a node.
    ///
    /// # Errors
    /// [`StoreError::Sql`].
    pub fn open_for(node: &Config) -> Result<Self, StoreError> {
        Self::open(&node.database, Arc::clone(&node.seal_key))
    }

    /// The key that sessions are sealed under.
    #[must_use]
    pub fn key(&self) -> &SealKey {
        &self.key
    }

    /// Stores a session and its messages in one transaction: a new one, or the one that follows
    /// the session at slot `before`.
    ///
    /// # Errors
    /// [`StoreError::Stale`] if the table holds another session than that: then nothing may be
    /// sent.
    pub fn keep<P: Protocol>(
        &mut self,
        name: &str,
        before: Option<Slot>,
        step: &Step<P>,
    ) -> Result<(), StoreError> {
        let sealed = step.session.seal(&self.key);
        let tx = self.db.transaction()?;
        match before {
            Some(before) => swap(&tx, before, &sealed)?,
            None => {
                let slot = sealed.slot();
                let sql = "INSERT INTO sessions (context, name, slot, sealed, ended)
                    VALUES (?, ?, ?, ?, 0) ON CONFLICT DO NOTHING";
                let row = params![slot.session(), name, slot.length(), sealed.as_bytes()];
                if tx.execute(sql, row)? != 1 {
                    return Err(StoreError::Stale);
                }
            }
        }
        for message in &step.outgoing {
            post(&tx, &self.key, name, message.to, &message.bytes)?;
        }
        Ok(tx.commit()?)
    }

    /// The stored state of a run: its session or its tombstone.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn session(&self, context: &[u8; 32]) -> Result<Option<Sealed>, StoreError> {
        let sql = "SELECT sealed FROM sessions WHERE context = ?";
        let bytes: Option<Vec<u8>> =
            self.db.query_row(sql, [context], |row| row.get(0)).optional()?;
        Ok(bytes.map(|bytes| Sealed::from_bytes(&bytes)).transpose()?)
    }

    /// A run is over: in one transaction its results are stored, each under its name, and its tombstone in the
    /// session's place.
    ///
    /// # Errors
    /// [`StoreError::Stale`] if the table holds another session than the one that has ended.
    pub fn finish(
        &mut self,
        end: &End,
        results: &[(&'static str, Zeroizing<Vec<u8>>)],
    ) -> Result<(), StoreError> {
        let tx = self.db.transaction()?;
        for (name, bytes) in results {
            let sealed = self.key.seal_bytes(name, bytes);
            tx.execute("INSERT INTO secrets (name, sealed) VALUES (?, ?)", params![name, sealed])?;
        }
        swap(&tx, end.last, &end.tombstone)?;
        Ok(tx.commit()?)
    }

    /// A run is over without a result: its tombstone takes the session's place.
    ///
    /// # Errors
    /// [`StoreError::Stale`] if the table holds another session than the one that has ended.
    pub fn bury(&mut self, end: &End) -> Result<(), StoreError> {
        let tx = self.db.transaction()?;
        swap(&tx, end.last, &end.tombstone)?;
        Ok(tx.commit()?)
    }

    /// Counts something that was not taken from a peer.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn reject(&self, topic: &str, from: PartyId, why: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO rejected (topic, sender, why, count) VALUES (?, ?, ?, 1)
            ON CONFLICT DO UPDATE SET count = count + 1";
        self.db.execute(sql, params![topic, from.get(), why])?;
        Ok(())
    }

    /// The rejected frames: `keygen: 3 from party 3: the sender was started with another threshold`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn rejected(&self) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT topic, sender, why, count FROM rejected ORDER BY topic, sender, why";
        let mut statement = self.db.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let (topic, sender): (String, u16) = (row.get(0)?, row.get(1)?);
            let (why, count): (String, u32) = (row.get(2)?, row.get(3)?);
            Ok(format!("{topic}: {count} from party {sender}: {why}"))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Stores a secret, in the place of an earlier one of that name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn put(&self, name: &'static str, bytes: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO secrets (name, sealed) VALUES (?, ?)";
        self.db.execute(sql, params![name, self.key.seal_bytes(name, bytes)])?;
        Ok(())
    }

    /// Deletes a secret that has served.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn remove(&self, name: &str) -> Result<(), StoreError> {
        self.db.execute("DELETE FROM secrets WHERE name = ?", [name])?;
        Ok(())
    }

    /// A secret, unless it has not been made yet.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn get(&self, name: &'static str) -> Result<Option<Zeroizing<Vec<u8>>>, StoreError> {
        let sql = "SELECT sealed FROM secrets WHERE name = ?";
        let bytes: Option<Vec<u8>> = self.db.query_row(sql, [name], |row| row.get(0)).optional()?;
        Ok(bytes.map(|sealed| self.key.open_bytes(name, &sealed)).transpose()?)
    }

    /// The messages for a peer, in the order in which they were stored.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn outbox(&self, to: PartyId) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let sql = "SELECT topic, sealed FROM outbox WHERE recipient IN (0, ?) ORDER BY id";
        let mut statement = self.db.prepare(sql)?;
        let rows = statement.query_map([to.get()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let open = |row: rusqlite::Result<(String, Vec<u8>)>| {
            let (topic, sealed) = row?;
            Ok((topic, self.key.open_bytes(OUTBOX, &sealed)?.to_vec()))
        };
        rows.map(open).collect()
    }

    /// The numbers of runs that are not over, and of rows in `spent` and `signatures`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn counts(&self) -> Result<[u32; 3], StoreError> {
        let count = |table| {
            let sql = format!("SELECT count(*) FROM {table}");
            self.db.query_row(&sql, [], |row| row.get(0))
        };
        Ok([count("sessions WHERE ended = 0")?, count("spent")?, count("signatures")?])
    }
}

/// Puts a session, or the tombstone of one, in the place of the session that it follows.
fn swap(tx: &Transaction<'_>, before: Slot, sealed: &Sealed) -> Result<(), StoreError> {
    let sql = "UPDATE sessions SET slot = ?, sealed = ?, ended = ? WHERE context = ? AND slot = ?";
    let (slot, ended) = (sealed.slot(), sealed.is_tombstone());
    let row = params![slot.length(), sealed.as_bytes(), ended, before.session(), before.length()];
    if tx.execute(sql, row)? == 1 { Ok(()) } else { Err(StoreError::Stale) }
}

/// Puts a message into the outbox. Shares of keys go through here, so it is sealed as well.
fn post(
    tx: &Transaction<'_>,
    key: &SealKey,
    topic: &str,
    to: To,
    bytes: &[u8],
) -> rusqlite::Result<usize> {
    let to = match to {
        To::Everyone => 0,
        To::Only(party) => party.get(),
    };
    let sealed = key.seal_bytes(OUTBOX, bytes);
    let sql = "INSERT INTO outbox (topic, recipient, sealed) VALUES (?, ?, ?)";
    tx.execute(sql, params![topic, to, sealed])
}
