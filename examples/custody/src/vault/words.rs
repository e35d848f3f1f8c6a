//! The node's word for new shares of a key, after which others may drop older ones.
//!
//! A node gives its word for one kind of shares of each epoch of a key, and for no other after that. So of all that were made
//! for an epoch one kind at most is ever stored by all. It gives it once it has heard from all of the committee that they keep
//! theirs, and it keeps its own from when it is first asked: so where an honest node has given its word all honest ones of the
//! committee have shares of that kind, and the next ones can be made of those, whoever is gone.
//!
//! The word is in the ledger as well: a database that is put back does not forget it.

use std::collections::{BTreeMap, BTreeSet};

use quorate::PartyId;
use quorate::session::Transcript;
use quorate_examples::failure::Failure;

use super::{Held, Vault, rows};
use crate::orders::Body;
use crate::request::{KeyId, Scheme};
use crate::side::Side;
use crate::sql::Sql;
use crate::values;

/// The public sides of the shares that the node has given its word for, by key and epoch.
pub(super) type Words = BTreeMap<(KeyId, u32), Vec<u8>>;

/// What comes of the question for the node's word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Word {
    /// It is given, now or before.
    Given,
    /// The node keeps its share, and has not heard yet that all others of the committee do.
    Waits,
    /// It is not, for this reason.
    Refused(String),
}

impl Vault {
    /// Gives the node's word for shares, once for each epoch of a key, after all of their committee have said that they keep
    /// theirs; or says why not.
    ///
    /// # Errors
    /// A [`Failure`] of a database.
    pub fn promise(&mut self, scheme: Scheme, body: &Body) -> Result<Word, Failure> {
        self.look_again()?;
        let (key, epoch) = (body.key, body.epoch);
        let held = self.share_of(body).map(|held| (held.public(), Some(held.package())));
        let (public, package) = match held {
            Some(held) => held,
            None => match self.parted(key, epoch)? {
                Some(public) if is_meant(body, &public) => (public, None),
                _ => {
                    let why = format!("this node has no such shares of epoch {epoch}");
                    return Ok(Word::Refused(why));
                }
            },
        };
        if self.words.get(&(key, epoch)) == Some(&public) {
            return Ok(Word::Given);
        }
        let other = || format!("this node has given its word for other shares of epoch {epoch}");
        if self.is_replaced(key, epoch, &public) {
            return Ok(Word::Refused(other()));
        }
        if !self.keep(key, &public, package)? {
            let why = format!("this node has dropped its shares of epoch {epoch}: too late");
            return Ok(Word::Refused(why));
        }
        if !self.all_keep((key, scheme), epoch, &public)? {
            return Ok(Word::Waits);
        }
        let name = digest(&public);
        let given = self.store.ledger(|ledger| ledger.promise(&key.0, epoch, &name))?;
        if given == name {
            self.note_word(key, epoch, &public)?;
            return Ok(Word::Given);
        }
        // By another worker, or before the database was put back: peers have to know which.
        let of = self.shares(key).iter().filter(|held| held.epoch() == epoch);
        let before = of.map(|held| held.public()).find(|public| digest(public) == given);
        before.map_or(Ok(()), |public| self.note_word(key, epoch, &public))?;
        Ok(Word::Refused(other()))
    }

    fn note_word(&mut self, key: KeyId, epoch: u32, public: &[u8]) -> Result<(), Failure> {
        self.store.work(|work| {
            work.execute(rows::GIVE_WORD, &values![&key.0, epoch, public])?;
            work.execute(rows::CHANGED, &[])
        })?;
        Ok(())
    }

    /// Keeps a share from now on that nobody had asked the node's word for, if it is there yet.
    fn keep(
        &mut self,
        key: KeyId,
        public: &[u8],
        package: Option<[u8; 32]>,
    ) -> Result<bool, Failure> {
        let kept = self.store.work(|work| {
            // Whoever drops what is too late does this first, too.
            let asked = work.execute(rows::ASK, &values![&key.0, public])?;
            if let Some(package) = package
                && work.first(rows::KEY, &values![&key.0, &package])?.is_none()
            {
                return Ok(false);
            }
            if asked > 0 {
                // Others rely on it: a database from before is one that was put back.
                work.release(&digest(public));
                work.execute(rows::CHANGED, &[])?;
            }
            Ok(true)
        })?;
        Ok(kept)
    }

    /// Whether all others of the committee of shares have said that they keep theirs.
    fn all_keep(
        &mut self,
        (key, scheme): (KeyId, Scheme),
        epoch: u32,
        public: &[u8],
    ) -> Result<bool, Failure> {
        let Some(side) = Side::read(scheme, public).filter(|side| side.epoch == epoch) else {
            return Ok(false);
        };
        let digest = digest(public);
        let row = values![&key.0, &digest];
        let keepers = self.store.read(|db| db.query(rows::KEEPERS, &row))?;
        let keepers: BTreeSet<PartyId> =
            keepers.iter().map(|row| row.party(0)).collect::<Result<_, _>>()?;
        let says = |party: PartyId| party == self.me || keepers.contains(&party);
        Ok(side.parties.iter().all(says))
    }

    /// Takes in that a peer keeps shares, as it says, of kinds that this node has and not all have stored.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn note_keeper<'s>(
        &mut self,
        from: PartyId,
        shares: impl Iterator<Item = (KeyId, &'s [u8])>,
    ) -> Result<(), Failure> {
        let epoch = |(key, public)| Some((key, self.waits_for(key, public)?, digest(public)));
        let all: BTreeSet<(KeyId, u32, [u8; 32])> = shares.filter_map(epoch).collect();
        if all.is_empty() {
            return Ok(());
        }
        // One worker of the node hears peers, and nobody else writes here.
        self.store.work(|work| {
            for (key, epoch, digest) in &all {
                let row = values![&key.0, digest, *epoch, from.get()];
                work.execute(rows::NOTE_KEEPER, &row)?;
            }
            work.execute(rows::FORGET_KEEPERS, &[])
        })?;
        Ok(())
    }

    /// The epoch of shares that this node has, or has made for others, and that not all have stored as far as it knows.
    fn waits_for(&self, key: KeyId, public: &[u8]) -> Option<u32> {
        let ready = quorate::keys::ShareState::Ready;
        let held = self.shares(key).iter().filter(|held| held.state() != ready);
        let mut held = held.filter(|held| held.public() == public).map(|held| held.epoch());
        let after = self.settled(key).map_or(0, |(settled, _)| settled.saturating_add(1));
        let parted = self.parted.range((key, after)..=(key, u32::MAX));
        let mut parted = parted.filter(|(_, by)| *by == public).map(|((_, epoch), _)| *epoch);
        held.next().or_else(|| parted.next())
    }

    /// Why no shares are made of those of an epoch any more: the node has given its word for some that were made of them.
    #[must_use]
    pub fn goes_on(&self, key: KeyId, epoch: u32) -> Option<String> {
        let next = epoch.checked_add(1)?;
        let given = self.words.contains_key(&(key, next));
        given.then(|| format!("this node has given its word for shares of epoch {next}"))
    }

    /// Whether shares are of no use, since all have stored others of their epoch of a key or a later one, or this node has given
    /// its word for others.
    #[must_use]
    pub fn is_replaced(&self, key: KeyId, epoch: u32, public: &[u8]) -> bool {
        let settled = self
            .settled
            .get(&key)
            .is_some_and(|(settled, _, by)| *settled > epoch || *settled == epoch && by != public);
        settled || self.words.get(&(key, epoch)).is_some_and(|given| given != public)
    }

    /// Whether the node has given its word for shares.
    #[must_use]
    pub fn has_promised(&self, key: KeyId, held: &Held) -> bool {
        self.words.get(&(key, held.epoch())).is_some_and(|public| *public == held.public())
    }
}

fn is_meant(body: &Body, public: &[u8]) -> bool {
    body.public.is_empty() || body.public == public
}

/// A short name of shares.
fn digest(public: &[u8]) -> [u8; 32] {
    let mut transcript = Transcript::new("custody shares");
    transcript.append("public", public);
    transcript.finish32()
}
