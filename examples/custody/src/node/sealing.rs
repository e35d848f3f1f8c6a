//! The key under which this worker seals: it looks for another one about once a second, and says in the database which it is.
//!
//! A worker that finds another current key begins anew with it, on the same databases, as after a restart: whatever is under
//! another key it opens all the same.

use quorate::runner::Time;
use quorate_examples::failure::Failure;

use super::Node;
use crate::sql::Sql;
use crate::values;
use crate::wire::Message;

pub(super) const SCHEMA: &str = "
    -- The key under which each worker seals, and when it has last said so.
    CREATE TABLE IF NOT EXISTS sealing (worker BIGINT PRIMARY KEY, key BIGINT NOT NULL, at BIGINT NOT NULL);
";

const SAY: &str = "INSERT INTO sealing (worker, key, at) VALUES ($1, $2, $3)
    ON CONFLICT (worker) DO UPDATE SET key = excluded.key, at = excluded.at";

impl Node {
    /// Seals under the current key from now on.
    pub(super) fn look_for_key(&mut self, now: Time) -> Result<(), Failure> {
        match self.config.seal_key.current() {
            Ok(id) if id != self.seals.current_id() => {
                let (post, orders) =
                    (core::mem::take(&mut self.post), core::mem::take(&mut self.orders));
                self.begin_anew(self.runs.fresh())?;
                (self.post, self.orders) = (post, orders);
            }
            Ok(_) => {}
            // It goes on with the one that it has.
            Err(why) => self.tell_gateways(&Message::Notice(format!("the seal key: {why}"))),
        }
        let row = values![self.config.worker.0, self.seals.current_id().get(), now];
        self.runs.work(|db| db.execute(SAY, &row))?;
        Ok(())
    }
}
