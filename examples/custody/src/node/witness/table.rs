//! What a node keeps of its peers' histories, and what its workers tell each other of what they were answered.

use quorate::PartyId;
use quorate::runner::Time;
use quorate_examples::failure::Failure;

use super::{Own, is_near};
use crate::node::Node;
use crate::sql::{self, Row, Sql};
use crate::values;
use crate::wire::{Challenge, Mark};

pub(in crate::node) const SCHEMA: &str = "
    -- The end of the chain of each other node, as far as this one knows.
    CREATE TABLE IF NOT EXISTS witnessed (
        node BIGINT PRIMARY KEY, epoch BIGINT NOT NULL, number BIGINT NOT NULL, head BYTEA NOT NULL);
    -- The challenge of each worker of this node that was begun last.
    CREATE TABLE IF NOT EXISTS lives (worker BIGINT PRIMARY KEY, challenge BYTEA NOT NULL);
    -- The answers to a worker's challenge that another one got: of peers, and under this node's own number of that worker.
    CREATE TABLE IF NOT EXISTS answered (
        worker BIGINT NOT NULL, node BIGINT NOT NULL, challenge BYTEA NOT NULL, vouches BIGINT NOT NULL,
        kept BIGINT NOT NULL, PRIMARY KEY (worker, node));
";

const LIVE: &str = "INSERT INTO lives (worker, challenge) VALUES ($1, $2)
    ON CONFLICT (worker) DO UPDATE SET challenge = excluded.challenge";

const LIFE: &str = "SELECT worker FROM lives WHERE challenge = $1";

const LIVES: &str = "SELECT worker, challenge FROM lives WHERE worker <> $1 ORDER BY worker";

/// What was answered to a challenge once stays so.
const ANSWER: &str = "INSERT INTO answered AS a (worker, node, challenge, vouches, kept)
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (worker, node) DO UPDATE SET challenge = excluded.challenge,
        vouches = excluded.vouches | CASE WHEN a.challenge = excluded.challenge THEN a.vouches ELSE 0 END,
        kept = excluded.kept | CASE WHEN a.challenge = excluded.challenge THEN a.kept ELSE 0 END
    WHERE a.challenge <> excluded.challenge OR a.vouches < excluded.vouches OR a.kept < excluded.kept";

const ANSWERS: &str =
    "SELECT node, vouches, kept FROM answered WHERE worker = $1 AND challenge = $2";

const KEPT: &str = "SELECT epoch, number, head FROM witnessed WHERE node = $1";

const FORGET: &str = "DELETE FROM witnessed WHERE node = $1";

const KEEP: &str = "INSERT INTO witnessed AS w (node, epoch, number, head) VALUES ($1, $2, $3, $4)
    ON CONFLICT (node) DO UPDATE SET epoch = excluded.epoch, number = excluded.number, head = excluded.head
    WHERE excluded.epoch > w.epoch OR (excluded.epoch = w.epoch AND excluded.number > w.number)";

impl Node {
    /// What is kept of a peer's chain.
    pub(super) fn kept(&self, of: PartyId) -> Result<Mark, Failure> {
        let read = |row: Row| {
            let (epoch, number) = (row.number(0)?, row.number(1)?);
            Ok::<_, sql::Error>(Mark { epoch, number, head: row.array(2)? })
        };
        let row = self.runs.read(|db| db.first(KEPT, &values![of.get()])?.map(read).transpose())?;
        Ok(row.unwrap_or_default())
    }

    /// Keeps the mark of a peer if it is after the one that is kept; says whether the peer may have come to it.
    pub(super) fn keep(&self, from: PartyId, mark: &Mark, kept: &Mark) -> Result<bool, Failure> {
        if !is_near(mark, kept) {
            return Ok(false);
        }
        if (mark.epoch, mark.number) > (kept.epoch, kept.number) {
            self.put_kept(from, mark)?;
        }
        Ok(true)
    }

    fn put_kept(&self, from: PartyId, mark: &Mark) -> Result<(), Failure> {
        let row = values![from.get(), mark.epoch, mark.number, &mark.head];
        self.runs.work(|db| db.execute(KEEP, &row))?;
        Ok(())
    }

    /// Keeps this mark of a peer instead of whatever is kept.
    pub(super) fn keep_instead(&self, from: PartyId, mark: &Mark) -> Result<(), Failure> {
        self.runs.work(|db| db.execute(FORGET, &values![from.get()]))?;
        self.put_kept(from, mark)
    }

    /// The worker of this node whose last life has this challenge.
    pub(super) fn worker_of(&self, challenge: &Challenge) -> Result<Option<u16>, Failure> {
        let row = self.runs.read(|db| db.first(LIFE, &values![challenge]))?;
        Ok(row.map(|row| row.number(0)).transpose()?)
    }

    /// Notes what was answered to the challenge of another worker.
    pub(super) fn answer(
        &self,
        (worker, challenge): (u16, &Challenge),
        node: PartyId,
        (vouches, kept): (bool, bool),
    ) -> Result<(), Failure> {
        let row = values![worker, node.get(), challenge, vouches, kept];
        self.runs.work(|db| db.execute(ANSWER, &row))?;
        Ok(())
    }

    /// Says that this worker has begun, for the node's other workers.
    pub(in crate::node) fn announce(&self) -> Result<(), Failure> {
        let row = values![self.config.worker.0, &self.witness.challenge];
        self.runs.work(|db| db.execute(LIVE, &row))?;
        Ok(())
    }

    /// Looks what another worker of this node was answered for this one.
    pub(in crate::node) fn look_who_told(&mut self, now: Time) -> Result<(), Failure> {
        self.witness.lives(now);
        let (worker, workers) = self.config.worker;
        if workers <= 1 {
            return Ok(());
        }
        let row = values![worker, &self.witness.challenge];
        for row in self.runs.read(|db| db.query(ANSWERS, &row))? {
            let (node, vouches, kept): (_, u8, u8) =
                (row.party(0)?, row.number(1)?, row.number(2)?);
            if node == self.config.me {
                self.witness.own = Own::Remembered;
                continue;
            }
            self.witness.answered.insert(node);
            if vouches > 0 {
                self.witness.vouching.insert(node);
            }
            if kept > 0 {
                self.witness.kept.insert(node);
            }
        }
        Ok(())
    }

    /// Vouches for the database to the node's other workers: this one has stayed up with it.
    pub(in crate::node) fn vouch_here(&self) -> Result<(), Failure> {
        let (worker, workers) = self.config.worker;
        if workers <= 1 || self.refuses().is_some() || !self.runs.goes_on()? {
            return Ok(());
        }
        for row in self.runs.read(|db| db.query(LIVES, &values![worker]))? {
            let (other, challenge): (u16, Challenge) = (row.number(0)?, row.array(1)?);
            self.answer((other, &challenge), self.config.me, (true, false))?;
        }
        Ok(())
    }
}
