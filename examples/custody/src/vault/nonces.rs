//! Nonces for FROST, made ahead in batches.
//!
//! A batch is a row, sealed, that is stored before its commitments are told anybody, and never written again. What of it is
//! spent both the ledger and the database know: a row for each pair, stored before its share is sent. So neither of the two,
//! put back alone, has a pair spent twice.

use std::collections::{BTreeMap, HashMap, HashSet};

use getrandom::SysRng;
use quorate::frost::ed25519;
use quorate::session::{Continuity, rand_core::UnwrapErr};
use quorate_examples::failure::Failure;

use super::{Held, Vault, rows};
use crate::request::KeyId;
use crate::sql::{self, Sql};
use crate::values;
use crate::wire::{Nonces, Replenish};

/// A node signs only while its witnesses vouch for the head of its ledger, which knows what is spent.
const VOUCHED: Continuity = Continuity::Peers;

/// The pairs of one order, at most. Making or opening so many holds up signing for some milliseconds.
pub const MOST: u16 = 128;

/// The numbers of a gateway's orders are those from its own times this: two gateways do not know of each other's.
const OF_A_GATEWAY: u64 = 1 << 40;

/// A pair that is spent: its key, the number of its batch, its name, and the digest of what it is spent on.
pub(super) type SpentPair = (KeyId, u64, [u8; 32], [u8; 32]);

/// The batches that are in memory.
#[derive(Default)]
pub(super) struct Pool {
    batches: BTreeMap<(KeyId, u64), ed25519::NonceBatch>,
    /// The batch of each pair that is not spent.
    places: HashMap<[u8; 32], (KeyId, u64)>,
    /// The pairs of these batches that the database knows to be spent.
    spent: HashSet<[u8; 32]>,
}

impl Pool {
    fn insert(&mut self, key: KeyId, number: u64, batch: ed25519::NonceBatch) {
        self.places.extend(batch.ids().map(|id| (id.0, (key, number))));
        self.batches.insert((key, number), batch);
    }

    /// The pairs of a batch that are spent are none of it any more.
    fn spent(&mut self, pair: &[u8; 32]) {
        self.places.remove(pair);
        self.spent.insert(*pair);
    }

    fn batch(&mut self, pair: &[u8; 32]) -> Option<&mut ed25519::NonceBatch> {
        self.batches.get_mut(self.places.get(pair)?)
    }

    /// Drops all batches of a key from a number up to another.
    fn drop_all(&mut self, key: KeyId, (from, to): (u64, u64)) {
        let gone: Vec<_> = self.batches.range((key, from)..(key, to)).map(|(at, _)| *at).collect();
        for at in gone {
            if let Some(batch) = self.batches.remove(&at) {
                for id in batch.ids() {
                    self.places.remove(&id.0);
                    self.spent.remove(&id.0);
                }
            }
        }
    }

    /// Drops what is of a key, to be read again.
    pub(super) fn forget(&mut self, key: KeyId) {
        self.drop_all(key, (0, u64::MAX));
    }
}

impl Vault {
    /// Makes nonces for an order of a gateway, or finds those that were made for it; drops those of the same gateway that are
    /// used up.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn replenish(&mut self, gateway: u16, order: &Replenish) -> Result<Nonces, Failure> {
        let Replenish { key, number, count, done, epoch } = *order;
        let nothing = Nonces { key, number, published: Vec::new() };
        if number < done || number >= OF_A_GATEWAY {
            return Ok(nothing);
        }
        let first = u64::from(gateway).saturating_mul(OF_A_GATEWAY);
        if done > 0 {
            let used = (first, first.saturating_add(done));
            self.store.work(|db| rows::drop_nonces(db, key, used))?;
            self.nonces.drop_all(key, used);
        }
        let number = first.saturating_add(number);
        // Another worker may have got new shares just now.
        self.look_again()?;
        let held = self.share(key, epoch).or_else(|| self.signing(key).cloned());
        let Some(Held::Ed25519(share, _)) = held.as_deref() else { return Ok(nothing) };
        let row = self.store.read(|db| db.first(rows::NONCES, &values![&key.0, number]))?;
        if let Some(mut row) = row {
            let sealed = row.bytes(0)?;
            let (seal, sealed) = self.seals.key_of(&sealed)?;
            let batch = ed25519::NonceBatch::open(sealed, &seal, VOUCHED)?;
            if batch.package_id() == share.package_id() {
                return Ok(Nonces { published: batch.publish().to_bytes(), ..nothing });
            }
            // Of shares that were replaced: the gateway takes them no more, and they sign nothing.
            let gone = (number, number.saturating_add(1));
            self.store.work(|db| rows::drop_nonces(db, key, gone))?;
        }
        let batch = share.precompute(usize::from(count.min(MOST)), &mut UnwrapErr(SysRng));
        let sealed = self.seals.stamped(&batch.seal(self.seals.current()));
        let row = values![&key.0, number, share.epoch(), &sealed];
        let stored = self.store.work(|work| {
            work.release(&sealed);
            work.execute(rows::PUT_NONCES, &row)
        })?;
        if stored == 0 {
            // Another worker was quicker.
            return self.replenish(gateway, order);
        }
        let published = batch.publish().to_bytes();
        self.nonces.insert(key, number, batch);
        Ok(Nonces { published, ..nothing })
    }

    /// The batch that holds a pair, from the database if another worker has made it.
    pub(super) fn batch_of(
        &mut self,
        key: KeyId,
        pair: &[u8; 32],
    ) -> Result<Option<&mut ed25519::NonceBatch>, Failure> {
        let known = self.nonces.places.contains_key(pair) || self.nonces.spent.contains(pair);
        if !known {
            for row in self.store.read(|db| db.query(rows::NUMBERS, &values![&key.0]))? {
                let number = row.number(0)?;
                // The oldest are used first, so what is looked for is in one of the first that are not here.
                if !self.nonces.batches.contains_key(&(key, number)) {
                    self.load_batch(key, number)?;
                }
                if self.nonces.places.contains_key(pair) {
                    break;
                }
            }
        }
        Ok(self.nonces.batch(pair))
    }

    fn load_batch(&mut self, key: KeyId, number: u64) -> Result<(), Failure> {
        let row = self.store.read(|db| db.first(rows::NONCES, &values![&key.0, number]))?;
        let Some(mut row) = row else { return Ok(()) };
        let sealed = row.bytes(0)?;
        let (seal, sealed) = self.seals.key_of(&sealed)?;
        // One that does not open hinders no other.
        if let Ok(batch) = ed25519::NonceBatch::open(sealed, &seal, VOUCHED) {
            self.nonces.insert(key, number, batch);
            let row = values![&key.0, number];
            for row in self.store.read(|db| db.query(rows::SPENT_PAIRS, &row))? {
                self.nonces.spent(&row.array(0)?);
            }
        }
        Ok(())
    }

    /// The rows that say that pairs are spent, each with what it is spent on; they are used no more.
    pub(super) fn spend_pairs(&mut self, spent: &[([u8; 32], [u8; 32])]) -> Vec<SpentPair> {
        let mut rows: Vec<SpentPair> = Vec::new();
        for (name, digest) in spent {
            if let Some((key, number)) = self.nonces.places.get(name).copied() {
                self.nonces.spent(name);
                rows.push((key, number, *name, *digest));
            }
        }
        // In one order at all workers, so that two do not wait for each other in a circle.
        rows.sort_unstable();
        rows
    }

    /// Stores that a pair is spent which the ledger knows: a process that died between the two has not done so.
    pub(super) fn note_spent(
        &mut self,
        key: KeyId,
        pair: &[u8; 32],
        digest: &[u8; 32],
    ) -> Result<(), Failure> {
        if self.nonces.spent.contains(pair) || self.batch_of(key, pair)?.is_none() {
            return Ok(());
        }
        let rows = self.spend_pairs(&[(*pair, *digest)]);
        Ok(self.store.work(|db| put_spent(db, &rows))?)
    }
}

/// Stores that pairs are spent. One that is spent on something else already is an error: nothing of it may be sent.
pub(super) fn put_spent(db: &mut dyn Sql, pairs: &[SpentPair]) -> sql::Result<()> {
    let rows: Vec<_> = pairs
        .iter()
        .map(|(key, number, name, digest)| values![&key.0, *number, name, digest].to_vec())
        .collect();
    let stored = db.execute_set(&rows::SPEND_PAIRS, &rows)?;
    if usize::try_from(stored).is_ok_and(|stored| stored == pairs.len()) {
        return Ok(());
    }
    Err(sql::Error::other("a pair of nonces is spent on something that the ledger does not know"))
}
