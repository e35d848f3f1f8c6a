//! The ledger of what was spent: a database of its own, which backups do not reach and from which nothing is deleted.
//!
//! A claim is a row: the name of what is spent, the digest of what it is spent on, and the share that came of it. The row
//! is committed before the share is given out, so what was asked for again gets the same share, and anything else is
//! refused.

use std::collections::{BTreeMap, BTreeSet};

use quorate::session::{SpentTable, TableEntry};

use crate::sql::{Db, Error, Result, Row, Set, Sql, Tx, Type};
use crate::values;

/// The ledger.
#[derive(Debug)]
pub struct Ledger {
    db: Db,
}

/// A claim: that `id` is spent on what has this digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Claim {
    /// The name of a presignature, or of a nonce.
    pub id: [u8; 32],
    /// The digest of what is signed with it.
    pub digest: [u8; 32],
}

/// A row of the ledger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spent {
    /// What the name is spent on.
    pub digest: [u8; 32],
    /// The share that came of it, if one did.
    pub share: Option<Vec<u8>>,
}

/// What the ledger says of some claims. As a [`SpentTable`] it answers claims that are among them.
#[derive(Clone, Default, Debug)]
pub struct Claims {
    rows: BTreeMap<[u8; 32], Spent>,
    /// Those that were stored just now, until somebody has been told so.
    new: BTreeSet<[u8; 32]>,
}

impl Claims {
    /// What is stored under a name.
    #[must_use]
    pub fn get(&self, id: &[u8; 32]) -> Option<&Spent> {
        self.rows.get(id)
    }
}

impl SpentTable for Claims {
    type Error = Error;

    /// The row is new to the claim that it was stored for, and to no other claim of its name in the batch.
    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry> {
        let spent = self.get(id).ok_or_else(|| Error::other("a claim that was not recorded"))?;
        let stored = spent.digest;
        let is_new = stored == *digest && self.new.remove(id);
        Ok(if is_new { TableEntry::New } else { TableEntry::Before(stored) })
    }
}

static RECORD: Set = Set {
    columns: &[("id", Type::Bytes), ("digest", Type::Bytes)],
    sql: "INSERT INTO spent (id, digest) SELECT id, digest FROM given WHERE true
        ON CONFLICT DO NOTHING RETURNING id",
};
static READ: Set = Set {
    columns: &[("id", Type::Bytes)],
    sql: "SELECT spent.id, spent.digest, spent.share FROM given JOIN spent ON spent.id = given.id",
};
static SHARE: Set = Set {
    columns: &[("id", Type::Bytes), ("share", Type::Bytes)],
    sql: "UPDATE spent SET share = given.share FROM given
        WHERE spent.id = given.id AND spent.share IS NULL",
};

impl Ledger {
    pub(super) const fn new(db: Db) -> Self {
        Self { db }
    }

    /// Its tables.
    pub(super) const fn database(&mut self) -> &mut Db {
        &mut self.db
    }

    /// Records claims, each unless its name is spent, and gives what is stored under each afterwards. All are durable when
    /// it returns.
    ///
    /// # Errors
    /// [`Error`]: they may be recorded or not.
    pub fn record_many(&mut self, claims: &[Claim]) -> Result<Claims> {
        self.spend(claims, |recorded| Ok::<_, Error>((Vec::new(), recorded.clone())))
    }

    /// Records claims, and stores the shares that `act` makes of them, by name: in one transaction, which is committed before
    /// anything is given out. A share that is stored already stays.
    ///
    /// # Errors
    /// Those of `act`, and [`Error`]: it may have happened or not.
    pub fn spend<T, E: From<Error>>(
        &mut self,
        claims: &[Claim],
        act: impl FnOnce(&mut Claims) -> core::result::Result<(Vec<([u8; 32], Vec<u8>)>, T), E>,
    ) -> core::result::Result<T, E> {
        if claims.is_empty() {
            return Ok(act(&mut Claims::default())?.1);
        }
        self.db.transaction(|tx| {
            let mut recorded = record(tx, claims)?;
            let (mut shares, value) = act(&mut recorded)?;
            shares.sort_unstable();
            let rows = shares.iter().map(|(id, share)| values![id, share].to_vec());
            tx.execute_set(&SHARE, &rows.collect::<Vec<_>>())?;
            Ok(value)
        })
    }

    /// What is stored under some names.
    ///
    /// # Errors
    /// [`Error`].
    pub fn look_up(&mut self, ids: &[[u8; 32]]) -> Result<Claims> {
        read(&mut self.db, ids.iter())
    }

    /// Notes the digest of the new shares of an epoch of a key that the node gives its word for, unless it has given it for some;
    /// gives what is noted afterwards.
    ///
    /// # Errors
    /// [`Error`]: it may be noted or not.
    pub fn promise(&mut self, key: &[u8; 16], epoch: u32, digest: &[u8; 32]) -> Result<[u8; 32]> {
        self.db.transaction(|tx| {
            let sql = "INSERT INTO words (key_id, epoch, digest) VALUES ($1, $2, $3)
                ON CONFLICT (key_id, epoch) DO NOTHING";
            tx.execute(sql, &values![key, epoch, digest])?;
            let sql = "SELECT digest FROM words WHERE key_id = $1 AND epoch = $2";
            tx.one(sql, &values![key, epoch])?.array(0)
        })
    }

    /// The number of claims. It counts rows: for audits.
    ///
    /// # Errors
    /// [`Error`].
    pub fn len(&mut self) -> Result<u64> {
        self.db.one("SELECT count(*) FROM spent", &[])?.number(0)
    }

    /// Whether nothing was ever spent.
    ///
    /// # Errors
    /// [`Error`].
    pub fn is_empty(&mut self) -> Result<bool> {
        Ok(self.len()? == 0)
    }
}

impl SpentTable for Ledger {
    type Error = Error;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry> {
        self.record_many(&[Claim { id: *id, digest: *digest }])?.record(id, digest)
    }
}

/// In the order of their names, so that two workers do not wait for each other in a circle. Of two claims of one name in a
/// batch the first counts.
fn record(tx: &mut Tx<'_>, claims: &[Claim]) -> Result<Claims> {
    let mut first: BTreeMap<[u8; 32], [u8; 32]> = BTreeMap::new();
    for claim in claims {
        first.entry(claim.id).or_insert(claim.digest);
    }
    let rows: Vec<_> = first.iter().map(|(id, digest)| values![id, digest].to_vec()).collect();
    let new = tx.query_set(&RECORD, &rows)?;
    let mut recorded = Claims::default();
    if new.len() < first.len() {
        recorded = read(tx, first.keys())?;
    }
    for row in &new {
        let id: [u8; 32] = row.array(0)?;
        let digest = first.get(&id).copied().unwrap_or_default();
        recorded.rows.insert(id, Spent { digest, share: None });
        recorded.new.insert(id);
    }
    Ok(recorded)
}

fn read<'i>(db: &mut dyn Sql, ids: impl Iterator<Item = &'i [u8; 32]>) -> Result<Claims> {
    let rows: Vec<_> = ids.map(|id| values![id].to_vec()).collect();
    let spent = |mut row: Row| {
        let (id, digest) = (row.array(0)?, row.array(1)?);
        Ok((id, Spent { digest, share: row.bytes_if(2)? }))
    };
    let rows = db.query_set(&READ, &rows)?.into_iter().map(spent);
    Ok(Claims { rows: rows.collect::<Result<_>>()?, new: BTreeSet::new() })
}
