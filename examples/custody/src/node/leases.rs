//! Leases: which worker of a node works on which shard of the jobs. They keep sessions in the memory of one worker and two
//! workers out of each other's way; that nothing is done twice is for the slots of sessions and for the ledger to see to.

use std::collections::BTreeSet;

use quorate::runner::Time;
use quorate_examples::failure::Failure;

use super::Node;
use crate::orders::{SHARDS, Shard};
use crate::post;
use crate::sql::Sql;
use crate::values;

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS leases (shard BIGINT PRIMARY KEY, worker BIGINT NOT NULL, until BIGINT NOT NULL);
";

/// A lease is good for so many milliseconds.
const LIFE: Time = 1500;
/// It is renewed after so many.
pub(super) const RENEW: Time = 400;
/// A worker leaves those that others should have alone for so long after its start.
const SHY: Time = 1000;

const TAKE: &str = "INSERT INTO leases AS l (shard, worker, until) VALUES ($1, $2, $3)
    ON CONFLICT (shard) DO UPDATE SET worker = excluded.worker, until = excluded.until
    WHERE l.worker = excluded.worker OR l.until < $4";

impl Node {
    /// Renews the leases of this worker, and takes those that are free.
    pub(super) fn lease(&mut self, now: Time) -> Result<(), Failure> {
        let (worker, workers) = self.config.worker;
        if workers <= 1 {
            return Ok(());
        }
        let started = *self.started.get_or_insert(now);
        let shy = now < started.saturating_add(SHY);
        let own = |shard: Shard| u16::from(shard.number()).checked_rem(workers) == Some(worker);
        let may = |shard: Shard| self.may.iter().any(|kind| kind.shard() == shard);
        let wanted = SHARDS.into_iter().filter(|shard| may(*shard) && (own(*shard) || !shy));
        let wanted: Vec<Shard> = wanted.collect();
        // All of them in one transaction, since each is written to the disk; in the same order at all workers.
        let mine = self.runs.work(|db| {
            let mut mine = BTreeSet::new();
            for shard in wanted {
                let row = values![shard.number(), worker, now.saturating_add(LIFE), now];
                if db.execute(TAKE, &row)? > 0 {
                    mine.extend(shard.kinds().filter(|kind| self.may.contains(kind)));
                }
            }
            Ok(mine)
        })?;
        if mine == self.mine {
            return Ok(());
        }
        // What another worker has stored meanwhile is looked at again.
        self.vault.borrow_mut().look_again()?;
        self.passed.extend(mine.difference(&self.mine));
        self.routes = Some(post::routes(mine.iter().copied()));
        self.mine = mine;
        Ok(())
    }
}
