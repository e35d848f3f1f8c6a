//! Nonces for FROST, made ahead in batches.
//!
//! A batch is a row, sealed, that is stored before its commitments are told anybody, and never written again: what of it is
//! spent, the ledger knows. So a database that is put back cannot spend a pair twice.

use std::collections::{BTreeMap, HashMap};

use getrandom::SysRng;
use quorate::frost::ed25519;
use quorate::session::rand_core::UnwrapErr;
use quorate_examples::failure::Failure;

use super::{Held, Vault, rows};
use crate::request::KeyId;
use crate::sql::Sql;
use crate::values;
use crate::wire::{Nonces, Replenish};

/// The pairs of one order, at most. Making or opening so many holds up signing for some milliseconds.
pub const MOST: u16 = 128;

/// The numbers of a gateway's orders are those from its own times this: two gateways do not know of each other's.
const OF_A_GATEWAY: u64 = 1 << 40;

/// The batches that are in memory.
#[derive(Default)]
pub(super) struct Pool {
    batches: BTreeMap<(KeyId, u64), ed25519::NonceBatch>,
    /// The batch of each pair.
    places: HashMap<[u8; 32], (KeyId, u64)>,
}

impl Pool {
    fn insert(&mut self, key: KeyId, number: u64, batch: ed25519::NonceBatch) {
        self.places.extend(batch.ids().map(|id| (id.0, (key, number))));
        self.batches.insert((key, number), batch);
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
            let row = values![&key.0, used.0, used.1];
            self.store.work(|db| db.execute(rows::DROP_NONCES, &row))?;
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
            let (seal, sealed) = self.seals.split(&sealed)?;
            let batch = ed25519::NonceBatch::open(sealed, &seal)?;
            if batch.package_id() == share.package_id() {
                return Ok(Nonces { published: batch.publish().to_bytes(), ..nothing });
            }
            // Of shares that were replaced: the gateway takes them no more, and they sign nothing.
            let gone = values![&key.0, number];
            self.store.work(|db| db.execute(rows::DROP_LIST, &gone))?;
        }
        let batch = share.precompute(usize::from(count.min(MOST)), &mut UnwrapErr(SysRng));
        let sealed = self.seals.stamp(&batch.seal(self.seals.key()));
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
        if !self.nonces.places.contains_key(pair) {
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
        let (seal, sealed) = self.seals.split(&sealed)?;
        // One that does not open hinders no other.
        if let Ok(batch) = ed25519::NonceBatch::open(sealed, &seal) {
            self.nonces.insert(key, number, batch);
        }
        Ok(())
    }
}
