//! The gateway's database: requests, orders and answers.

use std::collections::BTreeMap;
use std::path::Path;

use quorate::runner::{Job, Time};
use quorate::{Parties, PartyId, SessionId};
use quorate_examples::failure::Failure;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::orders::{KINDS, Kind, Order};
use crate::records::Answer;

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;

    -- A presignature is given to one request.
    CREATE TABLE IF NOT EXISTS requests (
        number INTEGER PRIMARY KEY, message BLOB NOT NULL, presignature BLOB UNIQUE,
        signature BLOB, refused TEXT);
    CREATE TABLE IF NOT EXISTS orders (
        sid BLOB PRIMARY KEY, kind INTEGER NOT NULL, number INTEGER NOT NULL, parties BLOB NOT NULL,
        body BLOB NOT NULL, deadline INTEGER NOT NULL, state INTEGER NOT NULL DEFAULT 0,
        UNIQUE (kind, number));
    CREATE INDEX IF NOT EXISTS open ON orders (kind, number) WHERE state = 0;
    CREATE TABLE IF NOT EXISTS answers (
        sid BLOB NOT NULL, node INTEGER NOT NULL, done INTEGER NOT NULL, answer BLOB NOT NULL,
        PRIMARY KEY (sid, node));
";

/// The state of an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Not all have answered.
    Open,
    /// All have the result.
    Done,
    /// Some have none.
    Failed,
}

/// A request that has no presignature yet.
pub(super) struct Waiting {
    /// Its number.
    pub number: u32,
    /// What is to be signed.
    pub message: Vec<u8>,
}

/// A request, and what has become of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// Its number.
    pub number: u32,
    /// What was to be signed.
    pub message: Vec<u8>,
    /// The signature, with its recovery id.
    pub signature: Option<[u8; 65]>,
    /// The reason why there is none here. It begins with "may be signed" if a share was released before.
    pub refused: Option<String>,
}

/// The tables.
pub struct Rows {
    db: Connection,
}

impl Rows {
    /// Opens the database, and makes it if there is none.
    ///
    /// # Errors
    /// A [`Failure`] of SQLite.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let db = Connection::open(path)?;
        db.execute_batch(SCHEMA)?;
        Ok(Self { db })
    }

    pub(super) fn request(&self, number: u32, message: &[u8]) -> Result<(), Failure> {
        let sql = "INSERT INTO requests (number, message) VALUES (?, ?) ON CONFLICT DO NOTHING";
        self.db.execute(sql, params![number, message])?;
        let sql = "SELECT message = ? FROM requests WHERE number = ?";
        if self.db.query_row(sql, params![message, number], |row| row.get(0))? {
            return Ok(());
        }
        Err(Failure::new(format!("request {number} was another one")))
    }

    /// All requests.
    ///
    /// # Errors
    /// A [`Failure`] of SQLite.
    pub fn resolved(&self) -> Result<Vec<Resolved>, Failure> {
        let sql = "SELECT number, message, signature, refused FROM requests ORDER BY number";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([], |row| {
            let (number, message) = (row.get(0)?, row.get(1)?);
            Ok(Resolved { number, message, signature: row.get(2)?, refused: row.get(3)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The requests that have no presignature yet.
    pub(super) fn waiting(&self) -> Result<Vec<Waiting>, Failure> {
        let sql = "SELECT number, message FROM requests
            WHERE presignature IS NULL ORDER BY number";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows =
            rows.query_map([], |row| Ok(Waiting { number: row.get(0)?, message: row.get(1)? }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Whether a presignature was given to a request.
    pub(super) fn is_given(&self, presignature: &[u8; 36]) -> Result<bool, Failure> {
        let sql = "SELECT EXISTS (SELECT 1 FROM requests WHERE presignature = ?)";
        Ok(self.db.query_row(sql, [presignature], |row| row.get(0))?)
    }

    /// Stores an order, and with it the presignature that a request is given.
    pub(super) fn order(
        &mut self,
        order: &Order,
        number: u32,
        given: Option<(u32, [u8; 36])>,
    ) -> Result<(), Failure> {
        let Job { sid, parties, body, deadline } = &order.job;
        let parties: Vec<u8> = parties.iter().flat_map(|id| id.get().to_be_bytes()).collect();
        let deadline = i64::try_from(*deadline).unwrap_or(i64::MAX);
        let tx = self.db.transaction()?;
        if let Some((request, presignature)) = given {
            let sql =
                "UPDATE requests SET presignature = ? WHERE number = ? AND presignature IS NULL";
            if tx.execute(sql, params![presignature, request])? != 1 {
                return Err(Failure::new(format!("request {request} has a presignature")));
            }
        }
        let sql = "INSERT INTO orders (sid, kind, number, parties, body, deadline)
            VALUES (?, ?, ?, ?, ?, ?)";
        tx.execute(
            sql,
            params![sid.as_bytes(), code(order.kind), number, parties, body, deadline],
        )?;
        Ok(tx.commit()?)
    }

    /// The orders that not all have answered, with their numbers.
    pub(super) fn open_orders(&self) -> Result<Vec<(Order, u32)>, Failure> {
        let sql = "SELECT sid, kind, number, parties, body, deadline FROM orders
            WHERE state = 0 ORDER BY kind, number";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([], order)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The last order of a kind.
    pub(super) fn last(&self, kind: Kind) -> Result<Option<(u32, State)>, Failure> {
        let sql = "SELECT number, state FROM orders WHERE kind = ? ORDER BY number DESC LIMIT 1";
        let row = |row: &Row<'_>| {
            let state = match row.get(1)? {
                0_u8 => State::Open,
                1 => State::Done,
                _ => State::Failed,
            };
            Ok((row.get(0)?, state))
        };
        Ok(self.db.query_row(sql, [code(kind)], row).optional()?)
    }

    pub(super) fn answer(
        &self,
        sid: &SessionId,
        node: PartyId,
        answer: &Answer,
    ) -> Result<(), Failure> {
        let (done, bytes) = match answer {
            Ok(result) => (true, result.as_slice()),
            Err(why) => (false, why.as_bytes()),
        };
        let sql = "INSERT INTO answers VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING";
        self.db.execute(sql, params![sid.as_bytes(), node.get(), done, bytes])?;
        Ok(())
    }

    /// The answers of the nodes to an order.
    pub(super) fn answers(&self, sid: &SessionId) -> Result<BTreeMap<PartyId, Answer>, Failure> {
        let sql = "SELECT node, done, answer FROM answers WHERE sid = ?";
        let mut rows = self.db.prepare_cached(sql)?;
        let rows = rows.query_map([sid.as_bytes()], |row| {
            let bytes: Vec<u8> = row.get(2)?;
            let answer = if row.get(1)? {
                Ok(bytes)
            } else {
                Err(String::from_utf8_lossy(&bytes).into_owned())
            };
            Ok((party(row, 0)?, answer))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(super) fn close(&self, sid: &SessionId, state: State) -> Result<(), Failure> {
        let sql = "UPDATE orders SET state = ? WHERE sid = ?";
        let state = match state {
            State::Open => 0,
            State::Done => 1,
            State::Failed => 2,
        };
        self.db.execute(sql, params![state, sid.as_bytes()])?;
        Ok(())
    }

    pub(super) fn sign(
        &self,
        sid: &SessionId,
        number: u32,
        signature: &[u8; 65],
    ) -> Result<(), Failure> {
        let sql = "UPDATE requests SET signature = ? WHERE number = ?";
        self.db.execute(sql, params![signature, number])?;
        self.close(sid, State::Done)
    }

    pub(super) fn refuse(&self, sid: &SessionId, number: u32, why: &str) -> Result<(), Failure> {
        let sql = "UPDATE requests SET refused = ? WHERE number = ?";
        self.db.execute(sql, params![why, number])?;
        self.close(sid, State::Failed)
    }

    /// The key, as all nodes have answered.
    pub(super) fn key(&self) -> Result<Vec<u8>, Failure> {
        let sql = "SELECT answer FROM answers JOIN orders USING (sid)
            WHERE kind = ? AND state = 1 ORDER BY number DESC LIMIT 1";
        Ok(self.db.query_row(sql, [code(Kind::Keygen)], |row| row.get(0))?)
    }
}

fn code(kind: Kind) -> u8 {
    KINDS.into_iter().zip(0..).find(|(of, _)| *of == kind).map_or(u8::MAX, |(_, code)| code)
}

fn party(row: &Row<'_>, at: usize) -> rusqlite::Result<PartyId> {
    let number: u16 = row.get(at)?;
    PartyId::new(number).ok_or(rusqlite::Error::IntegralValueOutOfRange(at, number.into()))
}

fn order(row: &Row<'_>) -> rusqlite::Result<(Order, u32)> {
    let (code, parties): (u8, Vec<u8>) = (row.get(1)?, row.get(3)?);
    let damaged = |at| {
        let kind = rusqlite::types::Type::Blob;
        rusqlite::Error::InvalidColumnType(at, "an order".to_owned(), kind)
    };
    let kind = KINDS.get(usize::from(code)).copied().ok_or_else(|| damaged(1))?;
    let (numbers, _) = parties.as_chunks();
    let numbers = numbers.iter().map(|bytes| PartyId::new(u16::from_be_bytes(*bytes)));
    let numbers: Option<Vec<PartyId>> = numbers.collect();
    let parties = numbers.and_then(|numbers| Parties::new(numbers).ok());
    let deadline: i64 = row.get(5)?;
    let job = Job {
        sid: SessionId::new(row.get(0)?),
        parties: parties.ok_or_else(|| damaged(3))?,
        body: row.get(4)?,
        deadline: Time::try_from(deadline).unwrap_or(0),
    };
    Ok((Order { kind, job }, row.get(2)?))
}
