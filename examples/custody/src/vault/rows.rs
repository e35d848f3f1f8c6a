//! The tables of a vault.

use crate::apps::protocol;
use crate::orders::Kind;
use crate::request::KeyId;
use crate::sql::{Result, Set, Sql, Type};
use crate::values;

pub(crate) const SCHEMA: &str = "
    -- Auxiliary information and the search for primes.
    CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, sealed BYTEA NOT NULL);
    -- Shares of keys, with the public side of the key.
    CREATE TABLE IF NOT EXISTS keys (
        id BYTEA NOT NULL, package BYTEA NOT NULL, epoch BIGINT NOT NULL, scheme BIGINT NOT NULL,
        sealed BYTEA NOT NULL, public BYTEA NOT NULL, PRIMARY KEY (id, package));
    -- What was made ahead. A row goes after the ledger has its name.
    CREATE TABLE IF NOT EXISTS presignatures (
        name BYTEA PRIMARY KEY, key_id BYTEA NOT NULL, epoch BIGINT NOT NULL, sealed BYTEA NOT NULL);
    CREATE TABLE IF NOT EXISTS nonces (
        key_id BYTEA NOT NULL, number BIGINT NOT NULL, epoch BIGINT NOT NULL, sealed BYTEA NOT NULL,
        PRIMARY KEY (key_id, number));
    -- The pairs of these batches that are spent, and on what: none of them is ever used again, whatever the ledger says.
    CREATE TABLE IF NOT EXISTS spent_pairs (
        key_id BYTEA NOT NULL, number BIGINT NOT NULL, name BYTEA NOT NULL, digest BYTEA NOT NULL,
        PRIMARY KEY (key_id, number, name)) /*lite WITHOUT ROWID*/;
    -- The public sides of keys that were given to others: the node has no share of that epoch.
    CREATE TABLE IF NOT EXISTS parted (
        key_id BYTEA NOT NULL, epoch BIGINT NOT NULL, public BYTEA NOT NULL, PRIMARY KEY (key_id, epoch));
    -- New shares that the node has given its word for, that they are stored: one kind for each epoch of a key.
    CREATE TABLE IF NOT EXISTS words (
        key_id BYTEA NOT NULL, epoch BIGINT NOT NULL, public BYTEA NOT NULL, PRIMARY KEY (key_id, epoch));
    -- New shares that nobody has asked its word for yet, and when that is too late.
    CREATE TABLE IF NOT EXISTS unasked (
        key_id BYTEA NOT NULL, public BYTEA NOT NULL, epoch BIGINT NOT NULL, until BIGINT NOT NULL,
        PRIMARY KEY (key_id, public));
    -- Those who have said that they keep new shares, of which the node has some, too, by a digest of their public side.
    CREATE TABLE IF NOT EXISTS keepers (
        key_id BYTEA NOT NULL, digest BYTEA NOT NULL, epoch BIGINT NOT NULL, node BIGINT NOT NULL,
        PRIMARY KEY (key_id, digest, node));
    -- The latest shares of a key that all of its committee have stored.
    CREATE TABLE IF NOT EXISTS settled (
        key_id BYTEA PRIMARY KEY, epoch BIGINT NOT NULL, scheme BIGINT NOT NULL, public BYTEA NOT NULL);
    -- The number of changes of the tables of shares.
    CREATE TABLE IF NOT EXISTS changed (one BIGINT PRIMARY KEY CHECK (one = 1), number BIGINT NOT NULL);
    -- What was answered to an order: 0 and the result, or 1 and the reason why there is none.
    CREATE TABLE IF NOT EXISTS answers (sid BYTEA PRIMARY KEY, answer BYTEA NOT NULL);
";

pub(super) const FIRST: &str =
    "INSERT INTO secrets (name, sealed) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";

pub(super) const KEEP: &str = "INSERT INTO secrets (name, sealed) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed";

pub(super) const KEYS: &str = "SELECT id, scheme, sealed, public FROM keys ORDER BY epoch";

/// The number of changes of shares and of what is known about them. It only grows.
pub(super) const CHANGES: &str = "SELECT CAST(coalesce(sum(number), 0) AS BIGINT) FROM changed";

pub(super) const CHANGED: &str = "INSERT INTO changed (one, number) VALUES (1, 1)
    ON CONFLICT (one) DO UPDATE SET number = changed.number + 1";

pub(super) const KEY: &str = "SELECT sealed, public FROM keys WHERE id = $1 AND package = $2";

/// What a run has made that has ended after all have stored other shares is of no use.
pub(super) const PUT_KEY: &str = "INSERT INTO keys (id, package, epoch, scheme, sealed, public)
    SELECT $1, $2, $3, $4, $5, $6 WHERE NOT EXISTS (SELECT 1 FROM settled
        WHERE key_id = $1 AND (epoch > $3 OR epoch = $3 AND public <> $6))
    ON CONFLICT (id, package) DO UPDATE SET sealed = excluded.sealed";

/// What a run has made that has ended after its shares were dropped is of no use.
pub(super) const PUT_PRESIGNATURE: &str = "INSERT INTO presignatures (name, key_id, epoch, sealed)
    SELECT $1, $2, $3, $4 WHERE EXISTS (SELECT 1 FROM keys WHERE id = $2 AND epoch = $3)
    ON CONFLICT (name) DO NOTHING";

pub(super) const ANSWER: &str =
    "INSERT INTO answers (sid, answer) VALUES ($1, $2) ON CONFLICT (sid) DO NOTHING";

/// The answer to an order whose run has ended and whose result was not moved here yet.
const LOSE_RESULTS: &str = "INSERT INTO answers (sid, answer)
    SELECT jobs.sid, $2 FROM jobs JOIN runs ON runs.context = jobs.context
    WHERE runs.kind = $1 AND runs.ended = 1 ON CONFLICT (sid) DO NOTHING";

/// Drops what was made ahead, of a database that was put back or may have been: it may have been spent since. That is as true of presignatures
/// that a run has left and that are not here yet.
pub(crate) fn drop_made_ahead(db: &mut dyn Sql) -> Result<()> {
    let answer = b"\x01the node has begun a new epoch, without what it had made ahead";
    let presigning = protocol(Kind::Presign);
    db.execute(LOSE_RESULTS, &values![presigning.as_bytes(), answer.as_slice()])?;
    // Whether anybody has asked since is not known.
    db.execute("DELETE FROM unasked", &[])?;
    db.execute("DELETE FROM presignatures", &[])?;
    db.execute("DELETE FROM spent_pairs", &[])?;
    db.execute("DELETE FROM nonces", &[]).map(drop)
}

/// One that is there with another digest stays, and is not counted.
pub(super) static SPEND_PAIRS: Set = Set {
    columns: &[
        ("key_id", Type::Bytes),
        ("number", Type::Int),
        ("name", Type::Bytes),
        ("digest", Type::Bytes),
    ],
    sql: "INSERT INTO spent_pairs AS s (key_id, number, name, digest)
        SELECT key_id, number, name, digest FROM given WHERE true
        ON CONFLICT (key_id, number, name) DO UPDATE SET digest = excluded.digest
        WHERE s.digest = excluded.digest",
};

pub(super) const SPENT_PAIRS: &str =
    "SELECT name FROM spent_pairs WHERE key_id = $1 AND number = $2";

pub(super) static PRESIGNATURES: Set = Set {
    columns: &[("name", Type::Bytes)],
    sql: "SELECT presignatures.name, presignatures.key_id, presignatures.sealed
        FROM presignatures JOIN given ON presignatures.name = given.name",
};

/// What another worker drops just now is left to it.
pub(super) static DROP_PRESIGNATURES: Set = Set {
    columns: &[("name", Type::Bytes)],
    sql: "DELETE FROM presignatures WHERE name IN (SELECT presignatures.name FROM given
        JOIN presignatures ON presignatures.name = given.name
        /*pg FOR UPDATE OF presignatures SKIP LOCKED*/)",
};

pub(super) const PART: &str = "INSERT INTO parted (key_id, epoch, public) VALUES ($1, $2, $3)
    ON CONFLICT (key_id, epoch) DO UPDATE SET public = excluded.public";

pub(super) const PARTED: &str = "SELECT public FROM parted WHERE key_id = $1 AND epoch = $2";

pub(super) const ALL_PARTED: &str = "SELECT key_id, epoch, public FROM parted";

pub(super) const WORDS: &str = "SELECT key_id, epoch, public FROM words";

pub(super) const GIVE_WORD: &str = "INSERT INTO words (key_id, epoch, public) VALUES ($1, $2, $3)
    ON CONFLICT (key_id, epoch) DO NOTHING";

pub(super) const FORGET_WORDS: &str = "DELETE FROM words WHERE key_id = $1 AND epoch < $2";

pub(super) const WAIT: &str = "INSERT INTO unasked (key_id, public, epoch, until)
    VALUES ($1, $2, $3, $4) ON CONFLICT (key_id, public) DO NOTHING";

pub(super) const ASK: &str = "DELETE FROM unasked WHERE key_id = $1 AND public = $2";

pub(super) const UNASKED: &str = "SELECT key_id, public FROM unasked";

pub(super) const TOO_LATE: &str =
    "SELECT key_id, public FROM unasked WHERE until < $1 ORDER BY key_id, public";

pub(super) const KEEPERS: &str = "SELECT node FROM keepers WHERE key_id = $1 AND digest = $2";

pub(super) const NOTE_KEEPER: &str = "INSERT INTO keepers (key_id, digest, epoch, node)
    VALUES ($1, $2, $3, $4) ON CONFLICT (key_id, digest, node) DO NOTHING";

pub(super) const FORGET_KEEPERS: &str = "DELETE FROM keepers WHERE EXISTS (SELECT 1 FROM settled
    WHERE settled.key_id = keepers.key_id AND settled.epoch >= keepers.epoch)";

pub(super) const FORGET_UNASKED: &str = "DELETE FROM unasked WHERE key_id = $1 AND epoch <= $2";

pub(super) const DROP_SHARE: &str = "DELETE FROM keys WHERE id = $1 AND public = $2";

pub(super) const DROP_OTHERS: &str =
    "DELETE FROM keys WHERE id = $1 AND epoch = $2 AND public <> $3";

pub(super) const ALL_SETTLED: &str = "SELECT key_id, epoch, scheme, public FROM settled";

pub(super) const SETTLE: &str = "INSERT INTO settled (key_id, epoch, scheme, public)
    VALUES ($1, $2, $3, $4)
    ON CONFLICT (key_id) DO UPDATE SET epoch = excluded.epoch, public = excluded.public
    WHERE excluded.epoch > settled.epoch";

/// The latest epoch of a key that the node knows.
pub(super) const LATEST: &str = "SELECT max(epoch) FROM (
    SELECT epoch FROM parted WHERE key_id = $1 UNION ALL SELECT epoch FROM settled WHERE key_id = $1
    UNION ALL SELECT epoch FROM keys WHERE id = $1) AS known";

/// Changes with the auxiliary information: the digest at its end.
pub(super) const AUX_DIGEST: &str =
    "SELECT substr(sealed, length(sealed) - 31, 32) FROM secrets WHERE name = $1";

pub(super) const PUT_NONCES: &str = "INSERT INTO nonces (key_id, number, epoch, sealed)
    VALUES ($1, $2, $3, $4) ON CONFLICT (key_id, number) DO NOTHING";

pub(super) const NONCES: &str = "SELECT sealed FROM nonces WHERE key_id = $1 AND number = $2";

pub(super) const NUMBERS: &str = "SELECT number FROM nonces WHERE key_id = $1 ORDER BY number";

/// Drops the batches of a key from a number up to another, with what is known of them.
pub(super) fn drop_nonces(db: &mut dyn Sql, key: KeyId, (from, to): (u64, u64)) -> Result<()> {
    let row = values![&key.0, from, to];
    let sql = "DELETE FROM spent_pairs WHERE key_id = $1 AND number >= $2 AND number < $3";
    db.execute(sql, &row)?;
    let sql = "DELETE FROM nonces WHERE key_id = $1 AND number >= $2 AND number < $3";
    db.execute(sql, &row).map(drop)
}

/// Drops what is of earlier epochs of a key: all have stored their shares of this one.
pub(super) fn drop_before(db: &mut dyn Sql, key: KeyId, epoch: u32) -> Result<()> {
    db.execute("DELETE FROM keys WHERE id = $1 AND epoch < $2", &values![&key.0, epoch])?;
    let sql = "DELETE FROM presignatures WHERE key_id = $1 AND epoch < $2";
    db.execute(sql, &values![&key.0, epoch])?;
    let sql = "DELETE FROM nonces WHERE key_id = $1 AND epoch < $2";
    db.execute(sql, &values![&key.0, epoch])?;
    let sql = "DELETE FROM spent_pairs WHERE key_id = $1 AND NOT EXISTS (SELECT 1 FROM nonces
        WHERE nonces.key_id = spent_pairs.key_id AND nonces.number = spent_pairs.number)";
    db.execute(sql, &values![&key.0])?;
    Ok(())
}
