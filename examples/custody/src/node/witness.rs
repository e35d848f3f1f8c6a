//! Nodes witness each other: each keeps the end of the chain of what each other one has released, and tells it what that was.
//!
//! A node whose chain does not have what a peer has seen was put back, with its ledger perhaps: it signs nothing, drops all
//! that it had made ahead and all open runs, and begins a new epoch. What was released within the last second before may be
//! unknown to the peers, since marks travel with the signs of life.

use core::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use quorate::PartyId;
use quorate::runner::Time;
use quorate_examples::failure::Failure;

use super::{Config, Node};
use crate::bus::Peer;
use crate::orders::{Kind, Order};
use crate::post;
use crate::sql::{Db, Settings, Sql};
use crate::store::{self, Runs};
use crate::values;
use crate::vault::rows;
use crate::wire::{Beat, Mark, Message};

pub(super) const SCHEMA: &str = "
    -- The end of the chain of each other node, as far as this one knows.
    CREATE TABLE IF NOT EXISTS witnessed (
        node BIGINT PRIMARY KEY, epoch BIGINT NOT NULL, number BIGINT NOT NULL, head BYTEA NOT NULL);
    -- When each other node has last told what this one knows, too.
    CREATE TABLE IF NOT EXISTS heard (node BIGINT PRIMARY KEY, at BIGINT NOT NULL);
";

const HEARD: &str = "INSERT INTO heard (node, at) VALUES ($1, $2)
    ON CONFLICT (node) DO UPDATE SET at = excluded.at";

const FORGET: &str = "DELETE FROM witnessed WHERE node = $1";

const KEEP: &str = "INSERT INTO witnessed AS w (node, epoch, number, head) VALUES ($1, $2, $3, $4)
    ON CONFLICT (node) DO UPDATE SET epoch = excluded.epoch, number = excluded.number, head = excluded.head
    WHERE excluded.epoch > w.epoch OR (excluded.epoch = w.epoch AND excluded.number > w.number)";

/// The words of witnesses are looked for often for so many milliseconds.
const SOON: Time = 3000;

/// A peer may have seen so many epochs and steps more than the node knows. Its numbers go on after those, and more than these
/// would use up what a database can count.
const FARTHEST: (u64, u64) = (1 << 16, 1 << 40);

/// For so many milliseconds a node that begins waits for all of its witnesses; after that one is enough. A peer that lies and
/// one that is down have to be told apart, and nothing else does that: one that lives has answered by then.
const PATIENCE: Time = 10_000;
/// A node that has said for so many milliseconds that it is behind what a peer has kept of it, and refuses nothing although it
/// was told each time, has said something before that was not so: the peer keeps what it says now.
const STANDS: Time = 60_000;
/// Signs of life with a longer pause between them are no row.
const ROW: Time = 10_000;

/// What a node knows about its own standing.
#[derive(Default)]
pub(super) struct State {
    /// The peers that have told what they have seen, to any worker since this one began.
    heard: BTreeSet<PartyId>,
    /// Those that have told this worker what it does not know. Each is believed once in a life: a lie costs the node one
    /// epoch.
    believed: BTreeSet<PartyId>,
    since: Option<Time>,
    /// Whether it has waited long enough for those who are silent.
    waited: bool,
    /// The peers that say that they are behind what is kept of them: since when, and when they have last said so.
    behind: BTreeMap<PartyId, (Time, Time)>,
    /// What they have seen that this node does not know.
    ahead: BTreeMap<PartyId, Mark>,
    /// The epoch in which the node was started.
    epoch: u64,
}

impl State {
    pub(super) fn new(runs: &Runs) -> Result<Self, Failure> {
        let epoch = wire(runs.head()?).epoch;
        Ok(Self { epoch, ..Self::default() })
    }

    /// Knows what was known before, which is true whatever was stored of it; unless an epoch has begun meanwhile.
    pub(super) fn back_to(&mut self, before: Self) {
        if self.epoch == before.epoch {
            *self = before;
        }
    }

    /// Whether words of witnesses are missing that may come at any moment, since it has just begun.
    pub(super) fn listens(&self, witnesses: usize, now: Time) -> bool {
        let soon = |since: Time| now < since.saturating_add(SOON);
        self.heard.len() < witnesses && self.since.is_none_or(soon)
    }

    pub(super) fn refuses(&self, witnesses: usize) -> Option<String> {
        if let Some((peer, mark)) = self.ahead.first_key_value() {
            return Some(format!(
                "its database was put back: node {peer} has seen step {} of epoch {}",
                mark.number, mark.epoch
            ));
        }
        let (heard, of) =
            (self.heard.len(), if self.waited { witnesses.min(1) } else { witnesses });
        (heard < of).then(|| format!("it has heard from {heard} of {of} witnesses"))
    }
}

impl State {
    /// For how long the node has lived.
    pub(super) fn lives(&self, now: Time) -> Time {
        self.since.map_or(0, |since| now.saturating_sub(since))
    }

    /// Whether a peer has said for long enough, again and again, that it is behind what is kept of it.
    fn has_stood(&mut self, peer: PartyId, behind: bool, now: Time) -> bool {
        let before = self.behind.remove(&peer).filter(|_| behind);
        if !behind {
            return false;
        }
        let in_row = before.filter(|(_, last)| now.saturating_sub(*last) <= ROW);
        let since = in_row.map_or(now, |(since, _)| since);
        let stood = now.saturating_sub(since) >= STANDS;
        if !stood {
            self.behind.insert(peer, (since, now));
        }
        stood
    }
}

/// How many of its peers have to have told a node what they have seen of it before it signs: a threshold, so that one of them
/// is honest if fewer than a threshold are not, or all that there are.
#[must_use]
pub fn witnesses(nodes: u16, threshold: u16) -> usize {
    usize::from(threshold.min(nodes.saturating_sub(1)))
}

/// How an order stands to the history of the node.
pub(super) enum Standing {
    /// It was ordered in this epoch.
    Now,
    /// It was not, for this reason: what was begun of it nobody knows any more, or it is of an epoch that this node is not in.
    Never(String),
    /// This node has not heard what its peers have seen.
    Unknown,
}

impl Node {
    /// How an order stands to this node's history.
    pub(super) fn standing(&self, order: &Order) -> Result<Standing, Failure> {
        let Some(epoch) = order.epoch_of(self.config.me) else {
            return Ok(Standing::Never("an order whose name is not its own".to_owned()));
        };
        if self.refuses().is_some() {
            return Ok(Standing::Unknown);
        }
        // A node that has released nothing yet is in its first epoch.
        let mine = self.mark()?.epoch.max(1);
        Ok(match mine.cmp(&epoch.into()) {
            Ordering::Equal => Standing::Now,
            Ordering::Less => Standing::Never(format!(
                "ordered in epoch {epoch} of this node, which is in epoch {mine}"
            )),
            Ordering::Greater => Standing::Never(format!(
                "ordered in epoch {epoch} of this node, which is in epoch {mine}: its database was put back"
            )),
        })
    }

    /// The end of the chain.
    pub(super) fn mark(&self) -> Result<Mark, Failure> {
        Ok(wire(self.runs.head()?))
    }

    /// Keeps what another node says of its chain, and tells it what was kept. What it cannot have come to since is not kept.
    pub(super) fn seen(&mut self, from: PartyId, beat: &Beat, now: Time) -> Result<(), Failure> {
        let mark = beat.mark;
        let row = self.runs.read(|db| {
            db.first(
                "SELECT epoch, number, head FROM witnessed WHERE node = $1",
                &values![from.get()],
            )
        })?;
        let kept = match row {
            Some(row) => {
                Mark { epoch: row.number(0)?, number: row.number(1)?, head: row.array(2)? }
            }
            None => Mark::default(),
        };
        let ahead = (mark.epoch, mark.number) > (kept.epoch, kept.number);
        if ahead && is_near(&mark, &kept) {
            self.keep(from, &mark)?;
        } else if ahead {
            let epoch = mark.epoch;
            let what = format!("node {from} says that it is in epoch {epoch}, and is not believed");
            self.tell_gateways(&Message::Notice(what));
        }
        let behind = mark.epoch < kept.epoch && beat.refuses.is_none();
        if self.witness.has_stood(from, behind, now) {
            self.runs.work(|db| db.execute(FORGET, &values![from.get()]))?;
            self.keep(from, &mark)?;
        }
        // What was there before: what it has just said tells it nothing.
        let route = post::packets(Kind::Keygen);
        self.post.put(Peer::Node(from), route, &Message::Witness(kept));
        Ok(())
    }

    fn keep(&self, from: PartyId, mark: &Mark) -> Result<(), Failure> {
        let row = values![from.get(), mark.epoch, mark.number, &mark.head];
        self.runs.work(|db| db.execute(KEEP, &row))?;
        Ok(())
    }

    /// Compares what a peer has seen of this node with what it knows.
    pub(super) fn witnessed(
        &mut self,
        from: PartyId,
        mark: Mark,
        now: Time,
    ) -> Result<(), Failure> {
        let mine = self.mark()?;
        let Some(kept) = store_mark(&mark).filter(|_| is_near(&mark, &mine)) else {
            self.tell_gateways(&Message::Notice(format!(
                "node {from} has seen no history of this"
            )));
            // It says as little as one that has seen nothing.
            return self.hear(from, now);
        };
        let known = mark.number == 0 || self.runs.standing(&kept)? != store::Standing::Unknown;
        // One of an epoch that is over is of no interest.
        if known || mark.epoch < mine.epoch {
            return self.hear(from, now);
        }
        if self.witness.believed.insert(from) {
            self.witness.ahead.insert(from, mark);
        }
        Ok(())
    }

    fn hear(&mut self, from: PartyId, now: Time) -> Result<(), Failure> {
        // Later words count all the same: this one may have been late.
        self.witness.heard.insert(from);
        // Each time: another worker may have begun since the last one.
        self.runs.work(|db| db.execute(HEARD, &values![from.get(), now]))?;
        Ok(())
    }

    /// Looks who has told another worker of this node, since this one began.
    pub(super) fn look_who_told(&mut self, now: Time) -> Result<(), Failure> {
        let since = *self.witness.since.get_or_insert(now);
        self.witness.waited = self.witness.lives(now) >= PATIENCE;
        let sql = "SELECT node FROM heard WHERE at >= $1";
        for row in self.runs.read(|db| db.query(sql, &values![since]))? {
            self.witness.heard.insert(row.party(0)?);
        }
        Ok(())
    }

    /// Begins a new epoch if the database was put back.
    pub(super) fn rejoin(&mut self) -> Result<(), Failure> {
        let ahead: Vec<Mark> = self.witness.ahead.values().copied().collect();
        if ahead.is_empty() || !self.config.rejoins {
            return Ok(());
        }
        let ends = u32::try_from(self.witness.epoch)?;
        self.begin_anew(rejoin(&self.config, &ahead, ends)?)
    }

    /// Goes along if another worker has begun a new epoch.
    pub(super) fn go_along(&mut self) -> Result<(), Failure> {
        let epoch = self.mark()?.epoch;
        if epoch != self.witness.epoch && self.witness.epoch != 0 {
            return self.begin_anew(self.runs.fresh());
        }
        self.witness.epoch = epoch;
        Ok(())
    }

    /// Forgets everything but who was heard.
    pub(super) fn begin_anew(&mut self, runs: Runs) -> Result<(), Failure> {
        let policy = core::mem::replace(&mut self.policy, Box::new(crate::policy::Deny));
        // Those who were ahead are not any more.
        let mut heard = core::mem::take(&mut self.witness.heard);
        heard.extend(self.witness.ahead.keys());
        let believed = core::mem::take(&mut self.witness.believed);
        let (since, waited) = (self.witness.since, self.witness.waited);
        let (behind, may) =
            (core::mem::take(&mut self.witness.behind), core::mem::take(&mut self.may));
        *self = Self::over(self.config.clone(), policy, runs)?.work_on(may);
        let State { ahead, epoch, .. } = State::new(&self.runs)?;
        self.witness = State { heard, believed, since, waited, behind, ahead, epoch };
        Ok(())
    }
}

/// Opens a database that was put back, without what it had made ahead, in the epoch after the one that ends.
pub(super) fn rejoin(config: &Config, seen: &[Mark], ends: u32) -> Result<Runs, Failure> {
    let seen: Vec<store::Mark> = seen.iter().filter_map(store_mark).collect();
    let (runs, ledger) = (&config.database, &config.ledger);
    // A database that is new has no such tables yet.
    Db::open(runs, Settings::default())?.schema(rows::SCHEMA)?;
    Ok(Runs::rejoin((runs, ledger), Settings::default(), (&seen, ends), rows::drop_made_ahead)?)
}

/// Whether a node whose history ends here may have had this mark.
const fn is_near(mark: &Mark, mine: &Mark) -> bool {
    mark.epoch.saturating_sub(mine.epoch) <= FARTHEST.0
        && mark.number.saturating_sub(mine.number) <= FARTHEST.1
}

fn wire(mark: Option<store::Mark>) -> Mark {
    mark.map_or(Mark::default(), |mark| Mark {
        epoch: mark.epoch.into(),
        number: mark.number,
        head: mark.head,
    })
}

fn store_mark(mark: &Mark) -> Option<store::Mark> {
    let epoch = u32::try_from(mark.epoch).ok()?;
    Some(store::Mark { epoch, number: mark.number, head: mark.head })
}
