//! The gateway's database: keys, jobs and their answers, requests, what was made ahead, and what was given to sign.

use std::collections::BTreeMap;

use quorate::runner::{Job, Time};
use quorate::{Parties, PartyId, SessionId};
use quorate_examples::failure::Failure;

use super::ask::State;
use crate::orders::{Kind, Order};
use crate::records::Answer;
use crate::request::{KeyId, RequestKey, Scheme, SignedRequest};
use crate::sql::{Address, Db, Row, Set, Settings, Sql, Tx, Type, Value};
use crate::values;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS keys (
        id BYTEA PRIMARY KEY, scheme BIGINT NOT NULL, epoch BIGINT NOT NULL, public BYTEA NOT NULL);
    CREATE TABLE IF NOT EXISTS orders (
        sid BYTEA PRIMARY KEY, kind BIGINT NOT NULL, number BIGINT NOT NULL, parties BYTEA NOT NULL,
        body BYTEA NOT NULL, deadline BIGINT NOT NULL, state BIGINT NOT NULL, UNIQUE (kind, number));
    CREATE TABLE IF NOT EXISTS answers (
        sid BYTEA NOT NULL, node BIGINT NOT NULL, done BIGINT NOT NULL, answer BYTEA NOT NULL,
        PRIMARY KEY (sid, node));
    -- Nothing is ever deleted here: a key of a request is never free again.
    CREATE TABLE IF NOT EXISTS requests (
        key BYTEA PRIMARY KEY, digest BYTEA NOT NULL, signed BYTEA NOT NULL, taken BIGINT NOT NULL,
        state BIGINT NOT NULL, result BYTEA, public BYTEA, why TEXT, ended BIGINT);
    CREATE INDEX IF NOT EXISTS requests_open ON requests (key) WHERE state < 2;
    -- What was given to signers for a request. Each spends something else.
    CREATE TABLE IF NOT EXISTS signing (
        id BYTEA PRIMARY KEY, request BYTEA NOT NULL, spends BYTEA NOT NULL UNIQUE, sign BYTEA NOT NULL,
        material BYTEA NOT NULL);
    CREATE TABLE IF NOT EXISTS presignatures (
        name BYTEA PRIMARY KEY, key_id BYTEA NOT NULL, info BYTEA NOT NULL);
    -- The epoch that each node was in when it was last heard.
    CREATE TABLE IF NOT EXISTS epochs (node BIGINT PRIMARY KEY, epoch BIGINT NOT NULL);
    -- Commitments to nonces, by node and the number of the order that they were made for; so many of them were given.
    CREATE TABLE IF NOT EXISTS nonces (
        key_id BYTEA NOT NULL, node BIGINT NOT NULL, number BIGINT NOT NULL, published BYTEA NOT NULL,
        used BIGINT NOT NULL, PRIMARY KEY (key_id, node, number));
";

/// The state of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Closed {
    /// All have the result.
    Done = 1,
    /// Some have none.
    Failed = 2,
}

static TAKE: Set = Set {
    columns: &[
        ("key", Type::Bytes),
        ("digest", Type::Bytes),
        ("signed", Type::Bytes),
        ("taken", Type::Int),
    ],
    sql: "INSERT INTO requests (key, digest, signed, taken, state)
        SELECT key, digest, signed, taken, 0 FROM given WHERE true",
};

static GIVE: Set = Set {
    columns: &[
        ("id", Type::Bytes),
        ("request", Type::Bytes),
        ("spends", Type::Bytes),
        ("sign", Type::Bytes),
        ("material", Type::Bytes),
    ],
    sql: "INSERT INTO signing (id, request, spends, sign, material)
        SELECT id, request, spends, sign, material FROM given WHERE true",
};

static END: Set = Set {
    columns: &[
        ("key", Type::Bytes),
        ("state", Type::Int),
        ("result", Type::Bytes),
        ("public", Type::Bytes),
        ("why", Type::Text),
        ("ended", Type::Int),
    ],
    sql: "UPDATE requests SET state = given.state, result = given.result, public = given.public,
        why = given.why, ended = given.ended FROM given WHERE requests.key = given.key",
};

static FIND: Set = Set {
    columns: &[("key", Type::Bytes)],
    sql: "SELECT requests.key, digest, state, result, public, why
        FROM requests JOIN given ON requests.key = given.key",
};

static DROP_PRESIGNATURES: Set = Set {
    columns: &[("name", Type::Bytes)],
    sql: "DELETE FROM presignatures WHERE name IN (SELECT name FROM given)",
};

/// A request that is in the database.
pub(super) struct Found {
    pub(super) digest: [u8; 32],
    pub(super) state: State,
}

/// An order that was given for a request that is open.
pub(super) struct GivenRow {
    pub(super) id: [u8; 32],
    pub(super) request: RequestKey,
    pub(super) sign: Vec<u8>,
    pub(super) material: Vec<u8>,
}

/// A job that is not closed, with its answers.
pub(super) type OpenJob = (Order, BTreeMap<PartyId, Answer>);

/// Key, node, number of the order, the list, and how many of it are used.
pub(super) type NonceRow = (KeyId, PartyId, u64, Vec<u8>, u32);

/// What a turn has to store.
#[derive(Default)]
pub(super) struct Writes {
    pub(super) taken: Vec<(SignedRequest, [u8; 32], Vec<u8>, Time)>,
    pub(super) given: Vec<(GivenRow, Vec<u8>)>,
    pub(super) ended: Vec<(RequestKey, State, Time)>,
    pub(super) presignatures_given: Vec<[u8; 32]>,
    pub(super) presignatures: Vec<([u8; 32], KeyId, Vec<u8>)>,
    pub(super) nonces: Vec<(KeyId, PartyId, u64, Vec<u8>)>,
    /// Used so far; all of them if nothing.
    pub(super) used: BTreeMap<(KeyId, PartyId, u64), Option<u32>>,
    pub(super) orders: Vec<(Order, u32)>,
    pub(super) answers: Vec<(SessionId, PartyId, Answer)>,
    pub(super) closed: Vec<(SessionId, Closed)>,
    pub(super) keys: Vec<(KeyId, Scheme, u32, Vec<u8>)>,
    /// Keys whose pool is dropped.
    pub(super) emptied: Vec<KeyId>,
    pub(super) epochs: BTreeMap<PartyId, u32>,
}

/// The tables.
pub(super) struct Rows {
    db: Db,
}

impl Rows {
    pub(super) fn open(address: &Address) -> Result<Self, Failure> {
        let mut db = Db::open(address, Settings::default())?;
        db.schema(SCHEMA)?;
        Ok(Self { db })
    }

    /// Stores what a turn has brought, whole or not at all.
    pub(super) fn store(&mut self, writes: &Writes) -> Result<(), Failure> {
        self.db.transaction(|tx| {
            writes.put_jobs(tx)?;
            writes.put_pools(tx)?;
            writes.put_requests(tx)
        })
    }

    pub(super) fn keys(&mut self) -> Result<Vec<(KeyId, Scheme, Vec<u8>)>, Failure> {
        let rows = self.db.query("SELECT id, scheme, public FROM keys ORDER BY id", &[])?;
        let read = |mut row: Row| {
            let scheme = Scheme::from_code(row.number(1)?).ok_or_else(damaged)?;
            Ok::<_, Failure>((KeyId(row.array(0)?), scheme, row.bytes(2)?))
        };
        rows.into_iter().map(read).collect()
    }

    /// The epoch that each node was in when it was last heard.
    pub(super) fn epochs(&mut self) -> Result<Vec<(PartyId, u32)>, Failure> {
        let rows = self.db.query("SELECT node, epoch FROM epochs", &[])?;
        let read = |row: &Row| Ok::<_, Failure>((row.party(0)?, row.number(1)?));
        rows.iter().map(read).collect()
    }

    /// The jobs that are not closed, with their answers.
    pub(super) fn open_jobs(&mut self) -> Result<Vec<OpenJob>, Failure> {
        let sql = "SELECT sid, kind, parties, body, deadline FROM orders
            WHERE state = 0 ORDER BY kind, number";
        let mut jobs = Vec::new();
        for row in self.db.query(sql, &[])? {
            let order = order(row)?;
            let answers = self.answers(&order.job.sid)?;
            jobs.push((order, answers));
        }
        Ok(jobs)
    }

    fn answers(&mut self, sid: &SessionId) -> Result<BTreeMap<PartyId, Answer>, Failure> {
        let sql = "SELECT node, done, answer FROM answers WHERE sid = $1";
        let read = |mut row: Row| {
            let (node, done, bytes) = (row.party(0)?, row.flag(1)?, row.bytes(2)?);
            let text = || String::from_utf8_lossy(&bytes).into_owned();
            Ok::<_, Failure>((node, if done { Ok(bytes) } else { Err(text()) }))
        };
        self.db.query(sql, &values![sid])?.into_iter().map(read).collect()
    }

    /// The next number for each kind of jobs.
    pub(super) fn next_numbers(&mut self) -> Result<BTreeMap<Kind, u32>, Failure> {
        let sql = "SELECT kind, max(number) FROM orders GROUP BY kind";
        let read = |row: &Row| {
            let kind = Kind::from_code(row.number(0)?).ok_or_else(damaged)?;
            Ok::<_, Failure>((kind, row.number::<u32>(1)?.saturating_add(1)))
        };
        self.db.query(sql, &[])?.iter().map(read).collect()
    }

    /// Whether a job of a kind has ended well among these parties.
    pub(super) fn has_done(&mut self, kind: Kind, parties: &[u8]) -> Result<bool, Failure> {
        let sql = "SELECT 1 FROM orders WHERE kind = $1 AND parties = $2 AND state = 1 LIMIT 1";
        Ok(self.db.first(sql, &values![kind.code(), parties])?.is_some())
    }

    pub(super) fn presignatures(&mut self) -> Result<Vec<(KeyId, Vec<u8>)>, Failure> {
        let sql = "SELECT key_id, info FROM presignatures ORDER BY name";
        let read = |mut row: Row| Ok::<_, Failure>((KeyId(row.array(0)?), row.bytes(1)?));
        self.db.query(sql, &[])?.into_iter().map(read).collect()
    }

    pub(super) fn nonces(&mut self) -> Result<Vec<NonceRow>, Failure> {
        let sql = "SELECT key_id, node, number, published, used FROM nonces ORDER BY number";
        let read = |mut row: Row| {
            let (key, node) = (KeyId(row.array(0)?), row.party(1)?);
            Ok::<_, Failure>((key, node, row.number(2)?, row.bytes(3)?, row.number(4)?))
        };
        self.db.query(sql, &[])?.into_iter().map(read).collect()
    }

    /// The requests that have not ended.
    pub(super) fn open_requests(&mut self) -> Result<Vec<(SignedRequest, Time)>, Failure> {
        let sql = "SELECT signed, taken FROM requests WHERE state < 2 ORDER BY taken, key";
        let read = |mut row: Row| {
            let signed = SignedRequest::from_bytes(&row.bytes(0)?).ok_or_else(damaged)?;
            Ok::<_, Failure>((signed, row.number(1)?))
        };
        self.db.query(sql, &[])?.into_iter().map(read).collect()
    }

    /// What was given for requests that have not ended.
    pub(super) fn given(&mut self) -> Result<Vec<GivenRow>, Failure> {
        let sql = "SELECT signing.id, signing.request, signing.sign, signing.material
            FROM signing JOIN requests ON signing.request = requests.key WHERE requests.state < 2";
        let read = |mut row: Row| {
            let (id, request) = (row.array(0)?, RequestKey(row.array(1)?));
            Ok::<_, Failure>(GivenRow { id, request, sign: row.bytes(2)?, material: row.bytes(3)? })
        };
        self.db.query(sql, &[])?.into_iter().map(read).collect()
    }

    /// Drops what was given for requests that have ended.
    pub(super) fn prune(&mut self) -> Result<(), Failure> {
        let sql =
            "DELETE FROM signing WHERE request IN (SELECT key FROM requests WHERE state >= 2)";
        self.db.execute(sql, &[])?;
        Ok(())
    }

    pub(super) fn find(
        &mut self,
        keys: &[RequestKey],
    ) -> Result<BTreeMap<RequestKey, Found>, Failure> {
        let keys: Vec<Vec<Value<'_>>> = keys.iter().map(|key| vec![(&key.0).into()]).collect();
        let read = |mut row: Row| {
            let state = state(&mut row, 2)?;
            Ok::<_, Failure>((RequestKey(row.array(0)?), Found { digest: row.array(1)?, state }))
        };
        self.db.query_set(&FIND, &keys)?.into_iter().map(read).collect()
    }

    /// All requests, by their keys.
    pub(super) fn requests(&mut self) -> Result<Vec<(SignedRequest, State)>, Failure> {
        let sql = "SELECT signed, state, result, public, why FROM requests ORDER BY key";
        let read = |mut row: Row| {
            let signed = SignedRequest::from_bytes(&row.bytes(0)?).ok_or_else(damaged)?;
            Ok::<_, Failure>((signed, state(&mut row, 1)?))
        };
        self.db.query(sql, &[])?.into_iter().map(read).collect()
    }
}

impl Writes {
    pub(super) fn is_empty(&self) -> bool {
        self.taken.is_empty()
            && self.given.is_empty()
            && self.presignatures_given.is_empty()
            && self.ended.is_empty()
            && self.presignatures.is_empty()
            && self.nonces.is_empty()
            && self.used.is_empty()
            && self.orders.is_empty()
            && self.answers.is_empty()
            && self.closed.is_empty()
            && self.keys.is_empty()
            && self.emptied.is_empty()
            && self.epochs.is_empty()
    }

    fn put_jobs(&self, tx: &mut Tx<'_>) -> Result<(), Failure> {
        for (order, number) in &self.orders {
            let Job { sid, parties, body, deadline } = &order.job;
            let parties: Vec<u8> = parties.iter().flat_map(|id| id.get().to_be_bytes()).collect();
            let sql = "INSERT INTO orders (sid, kind, number, parties, body, deadline, state)
                VALUES ($1, $2, $3, $4, $5, $6, 0)";
            let row = values![sid, order.kind.code(), *number, &parties, body, *deadline];
            tx.execute(sql, &row)?;
        }
        for (sid, node, answer) in &self.answers {
            let (done, bytes) = match answer {
                Ok(result) => (true, result.as_slice()),
                Err(why) => (false, why.as_bytes()),
            };
            let sql = "INSERT INTO answers (sid, node, done, answer) VALUES ($1, $2, $3, $4)
                ON CONFLICT (sid, node) DO NOTHING";
            tx.execute(sql, &values![sid, node.get(), done, bytes])?;
        }
        for (sid, state) in &self.closed {
            let sql = "UPDATE orders SET state = $1 WHERE sid = $2";
            tx.execute(sql, &values![*state as u8, sid])?;
        }
        for (id, scheme, epoch, public) in &self.keys {
            let sql = "INSERT INTO keys (id, scheme, epoch, public) VALUES ($1, $2, $3, $4)
                ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, public = excluded.public";
            tx.execute(sql, &values![&id.0, scheme.code(), *epoch, public])?;
        }
        for (node, epoch) in &self.epochs {
            let sql = "INSERT INTO epochs (node, epoch) VALUES ($1, $2)
                ON CONFLICT (node) DO UPDATE SET epoch = excluded.epoch";
            tx.execute(sql, &values![node.get(), *epoch])?;
        }
        Ok(())
    }

    fn put_pools(&self, tx: &mut Tx<'_>) -> Result<(), Failure> {
        for key in &self.emptied {
            tx.execute("DELETE FROM presignatures WHERE key_id = $1", &values![&key.0])?;
            // The numbers of orders go on.
            let sql = "UPDATE nonces SET published = $2, used = 0 WHERE key_id = $1";
            tx.execute(sql, &values![&key.0, [].as_slice()])?;
        }
        for (name, key, info) in &self.presignatures {
            let sql = "INSERT INTO presignatures (name, key_id, info) VALUES ($1, $2, $3)
                ON CONFLICT (name) DO NOTHING";
            tx.execute(sql, &values![name, &key.0, info])?;
        }
        for (key, node, number, published) in &self.nonces {
            let sql = "INSERT INTO nonces (key_id, node, number, published, used)
                VALUES ($1, $2, $3, $4, 0) ON CONFLICT (key_id, node, number) DO NOTHING";
            tx.execute(sql, &values![&key.0, node.get(), *number, published])?;
            // The last one stays: it has the number.
            let sql = "DELETE FROM nonces WHERE key_id = $1 AND node = $2 AND number < $3
                AND length(published) = 0";
            tx.execute(sql, &values![&key.0, node.get(), *number])?;
        }
        for ((key, node, number), used) in &self.used {
            let (key, node) = (&key.0, node.get());
            match used {
                Some(used) => {
                    let sql = "UPDATE nonces SET used = $4
                        WHERE key_id = $1 AND node = $2 AND number = $3";
                    tx.execute(sql, &values![key, node, *number, *used])?;
                }
                None => {
                    let sql = "UPDATE nonces SET published = $4, used = 0
                        WHERE key_id = $1 AND node = $2 AND number = $3";
                    tx.execute(sql, &values![key, node, *number, [].as_slice()])?;
                }
            }
        }
        let names: Vec<Vec<Value<'_>>> =
            self.presignatures_given.iter().map(|name| vec![name.into()]).collect();
        tx.execute_set(&DROP_PRESIGNATURES, &names)?;
        Ok(())
    }

    fn put_requests(&self, tx: &mut Tx<'_>) -> Result<(), Failure> {
        let taken: Vec<Vec<Value<'_>>> = self
            .taken
            .iter()
            .map(|(signed, digest, bytes, taken)| {
                values![&signed.request.key.0, digest, bytes, *taken].to_vec()
            })
            .collect();
        tx.execute_set(&TAKE, &taken)?;
        let given: Vec<Vec<Value<'_>>> = self
            .given
            .iter()
            .map(|(GivenRow { id, request, sign, material }, spends)| {
                values![id, &request.0, spends, sign, material].to_vec()
            })
            .collect();
        tx.execute_set(&GIVE, &given)?;
        let none: &[u8] = &[];
        let ended: Vec<Vec<Value<'_>>> = self
            .ended
            .iter()
            .filter_map(|(key, state, at)| match state {
                State::Signed { signature, public_key } => {
                    Some(values![&key.0, 2_u8, signature, public_key, "", *at].to_vec())
                }
                State::Refused { why, certain } => {
                    let state = if *certain { 3_u8 } else { 4 };
                    Some(values![&key.0, state, none, none, why.as_str(), *at].to_vec())
                }
                State::Waiting | State::Asked => None,
            })
            .collect();
        tx.execute_set(&END, &ended)?;
        Ok(())
    }
}

/// The state of a request, in four columns from this one.
fn state(row: &mut Row, at: usize) -> Result<State, Failure> {
    let after = |by: usize| at.saturating_add(by);
    Ok(match row.int(at)? {
        0 => State::Waiting,
        1 => State::Asked,
        2 => {
            let (signature, public_key) = (row.bytes(after(1))?, row.bytes(after(2))?);
            State::Signed { signature, public_key }
        }
        code => State::Refused { why: row.text(after(3))?, certain: code == 3 },
    })
}

fn order(mut row: Row) -> Result<Order, Failure> {
    let kind = Kind::from_code(row.number(1)?).ok_or_else(damaged)?;
    let (sid, bytes) = (SessionId::new(row.array(0)?), row.bytes(2)?);
    let (numbers, _) = bytes.as_chunks();
    let numbers = numbers.iter().map(|bytes| PartyId::new(u16::from_be_bytes(*bytes)));
    let numbers = numbers.collect::<Option<Vec<PartyId>>>().ok_or_else(damaged)?;
    let (parties, body) = (Parties::new(numbers)?, row.bytes(3)?);
    Ok(Order { kind, job: Job { sid, parties, body, deadline: row.number(4)? } })
}

fn damaged() -> Failure {
    Failure::new("a row of the gateway is damaged")
}
