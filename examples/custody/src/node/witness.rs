//! Nodes witness each other: each keeps the end of the chain of what each other one has released, and tells it what that was.
//!
//! A node whose chain does not have what a peer has seen was put back, with its ledger perhaps: it signs nothing, drops all
//! that it had made ahead and all open runs, and begins a new epoch. What was released within the last second before may be
//! unknown to the peers, since marks travel with the signs of life.
//!
//! That no peer knows better says nothing if all were put back together. So a node that starts uses what it had made ahead
//! only if peers vouch for the end of its chain that have stayed up: in their own present life they have heard it from this
//! node while it relied on it. If all have been restarted, nobody can. Then the node begins a new epoch, too, which costs
//! some milliseconds for each presignature. A [counter](crate::counter) outside keeps them.
//!
//! What peers say counts only as the answer to a random challenge of this life: the bus may keep old words, and withhold new
//! ones, but it cannot answer.

mod state;
mod table;

use getrandom::SysRng;
use quorate::PartyId;
use quorate::runner::Time;
use quorate::session::rand_core::TryRng;
use quorate_examples::failure::Failure;

pub(super) use self::state::{Own, State};
pub(super) use self::table::SCHEMA;
use super::{Config, Node};
use crate::bus::Peer;
use crate::orders::{Order, Shard};
use crate::post;
use crate::sql::{self, Db, Settings};
use crate::store::{self, Runs};
use crate::vault::rows;
use crate::wire::{Beat, Mark, Message, Witness};

/// A peer may have seen so many epochs and steps more than the node knows. Its numbers go on after those, and more than these
/// would use up what a database can count.
const FARTHEST: (u64, u64) = (1 << 16, 1 << 40);

/// A node that begins an epoch because nobody vouches for its history leaves out a random number of epochs, below this. It may
/// have begun some since a backup of everybody of which it knows nothing, and they had other numbers, but for a chance.
const LEFT_OUT: u8 = 64;

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
        Ok(match u64::from(epoch) {
            epoch if epoch == mine => Standing::Now,
            epoch if epoch > mine => Standing::Never(format!(
                "ordered in epoch {epoch} of this node, which is in epoch {mine}"
            )),
            epoch => Standing::Never(format!(
                "ordered in epoch {epoch} of this node, which is in epoch {mine}: it has dropped what was under way"
            )),
        })
    }

    /// The end of the chain.
    pub(super) fn mark(&self) -> Result<Mark, Failure> {
        Ok(wire(self.runs.head()?))
    }

    /// Keeps what another node says of its chain, and tells it what was kept. What it cannot have come to since is not kept.
    pub(super) fn seen(&mut self, from: PartyId, beat: &Beat) -> Result<(), Failure> {
        // What was there before: what it has just said tells it nothing.
        let seen = self.kept(from)?;
        let witness = Witness {
            echo: beat.challenge,
            seen,
            vouches: self.witness.kept.contains(&from),
            mark: self.mark()?,
            relies: self.refuses().is_none(),
        };
        if !self.keep(from, &beat.mark, &seen)? {
            let epoch = beat.mark.epoch;
            let what = format!("node {from} says that it is in epoch {epoch}, and is not believed");
            self.tell_gateways(&Message::Notice(what));
        }
        let route = post::packets(Shard::Keygen);
        self.post.put(Peer::Node(from), route, &Message::Witness(witness));
        Ok(())
    }

    /// Takes in what a peer has answered: what it has seen of this node, and how far it has come itself.
    pub(super) fn witnessed(
        &mut self,
        from: PartyId,
        word: &Witness,
        now: Time,
    ) -> Result<(), Failure> {
        if word.echo != self.witness.challenge {
            return self.pass_on(from, word);
        }
        let kept = self.kept(from)?;
        let keeps = self.keep(from, &word.mark, &kept)?;
        if keeps && word.relies {
            self.witness.kept.insert(from);
        }
        let behind = word.mark.epoch < kept.epoch && word.relies;
        if self.witness.has_stood(from, behind, now) {
            self.keep_instead(from, &word.mark)?;
        }
        match self.compare(&word.seen)? {
            Compared::Far => {
                self.tell_gateways(&Message::Notice(format!(
                    "node {from} has seen no history of this"
                )));
                // It says as little as one that has seen nothing.
                self.witness.answered.insert(from);
            }
            Compared::Ahead => {
                if self.witness.believed.insert(from) {
                    self.witness.ahead.insert(from, word.seen);
                }
            }
            Compared::Known { latest } => {
                // Later ones count all the same: this one may have been late.
                self.witness.answered.insert(from);
                if word.vouches && latest {
                    self.witness.vouching.insert(from);
                }
            }
        }
        Ok(())
    }

    /// How what a peer has seen stands to what this node knows.
    fn compare(&self, seen: &Mark) -> Result<Compared, Failure> {
        let mine = self.mark()?;
        let Some(mark) = store_mark(seen).filter(|_| is_near(seen, &mine)) else {
            return Ok(Compared::Far);
        };
        if seen.number == 0 {
            return Ok(Compared::Known { latest: false });
        }
        Ok(match self.runs.standing(&mark)? {
            store::Standing::Known => Compared::Known { latest: true },
            store::Standing::Older => Compared::Known { latest: false },
            // One of an epoch that is over is of no interest.
            store::Standing::Unknown if seen.epoch < mine.epoch => {
                Compared::Known { latest: false }
            }
            store::Standing::Unknown => Compared::Ahead,
        })
    }

    /// Passes an answer on to the worker of this node whose challenge it answers. If it says that the node was put back, this
    /// worker hears it by its own.
    fn pass_on(&self, from: PartyId, word: &Witness) -> Result<(), Failure> {
        let Some(worker) = self.worker_of(&word.echo)? else { return Ok(()) };
        let kept = self.kept(from)?;
        let keeps = self.keep(from, &word.mark, &kept)? && word.relies;
        if let Compared::Known { latest } = self.compare(&word.seen)? {
            let flags = (word.vouches && latest, keeps);
            self.answer((worker, &word.echo), from, flags)?;
        }
        Ok(())
    }

    /// Begins a new epoch if the database was put back, or if nobody vouches for it.
    pub(super) fn rejoin(&mut self, now: Time) -> Result<(), Failure> {
        let mut seen: Vec<Mark> = self.witness.ahead.values().copied().collect();
        let others = (self.config.nodes.len().saturating_sub(1), self.config.worker.1 > 1);
        let alone = self.witness.is_alone(self.config.witnesses, others, now);
        if !alone && (seen.is_empty() || !self.config.rejoins) {
            return Ok(());
        }
        if alone {
            let mine = self.mark()?;
            let mut random = [0; 1];
            SysRng.try_fill_bytes(&mut random)?;
            let [left_out] = random.map(|byte| u64::from(byte & (LEFT_OUT - 1)));
            seen.push(Mark { epoch: mine.epoch.saturating_add(left_out), ..mine });
        }
        let ends = u32::try_from(self.witness.epoch)?;
        self.begin_anew(rejoin(&self.config, &seen, ends)?)?;
        if alone {
            self.tell_gateways(&Message::Notice(
                "nobody vouches for its history, since all were restarted: it has dropped what it had made ahead"
                    .to_owned(),
            ));
        }
        Ok(())
    }

    /// Goes along if another worker has begun a new epoch.
    pub(super) fn go_along(&mut self) -> Result<(), Failure> {
        let epoch = self.mark()?.epoch;
        if epoch < self.witness.epoch {
            return Err(Failure::new("the database was put back while this process was up"));
        }
        if epoch != self.witness.epoch && self.witness.epoch != 0 {
            return self.begin_anew(self.runs.fresh());
        }
        self.witness.epoch = epoch;
        Ok(())
    }

    /// Forgets everything but what it knows about its own standing.
    pub(super) fn begin_anew(&mut self, runs: Runs) -> Result<(), Failure> {
        let policy = core::mem::replace(&mut self.policy, Box::new(crate::policy::Deny));
        let (witness, may) = (core::mem::take(&mut self.witness), core::mem::take(&mut self.may));
        *self = Self::over(self.config.clone(), policy, runs)?.work_on(may);
        self.witness = witness.in_epoch(self.witness.epoch);
        Ok(())
    }
}

/// How what a peer has seen stands to what a node knows.
enum Compared {
    /// It cannot be of this node.
    Far,
    /// The node knows it; as the latest that it could have come to, or not.
    Known { latest: bool },
    /// The node does not know it.
    Ahead,
}

/// Opens a database that was put back, without what it had made ahead, in the epoch after the one that ends.
pub(super) fn rejoin(config: &Config, seen: &[Mark], ends: u32) -> Result<Runs, Failure> {
    let mut seen: Vec<store::Mark> = seen.iter().filter_map(store_mark).collect();
    for counter in &config.counters {
        seen.extend(counter.read()?);
    }
    let (runs, ledger) = (&config.database, &config.ledger);
    // A database that is new has no such tables yet.
    Db::open(runs, Settings::default())?.schema(rows::SCHEMA)?;
    Ok(Runs::rejoin((runs, ledger), Settings::default(), (&seen, ends), rows::drop_made_ahead)?)
}

/// How a database stands to what counters remember of it: whether one knows that it is the latest, unless one knows that it
/// was put back, which is an error.
pub(super) fn remembered(config: &Config, runs: &Runs) -> Result<bool, store::OpenError> {
    let mut latest = false;
    for counter in &config.counters {
        let read = counter.read().map_err(|why| sql::Error::other(why.to_string()))?;
        let Some(seen) = read else { continue };
        match runs.standing(&seen)? {
            store::Standing::Known => latest = true,
            store::Standing::Older => {}
            store::Standing::Unknown => {
                let last = runs.head()?;
                return Err(store::OpenError::PutBack {
                    database: config.database.to_string(),
                    at: last.map_or(0, |mark| mark.number),
                    seen: seen.number,
                    epoch: last.map_or(0, |mark| mark.epoch),
                });
            }
        }
    }
    Ok(latest)
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
