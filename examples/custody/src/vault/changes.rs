//! Changes of a key's shares: for which new ones the node has given its word, and what goes when all have theirs.
//!
//! A node gives its word for one kind of shares of each epoch of a key, and for no other after that. So of all that were made
//! for an epoch one kind at most is ever stored by all, and the others go when it is. What nobody has asked the node's word for
//! in time goes as well: without that word nobody counts on it.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate::keys::ShareState;
use quorate::runner::Time;
use quorate_examples::failure::Failure;

use super::{Held, Vault, rows};
use crate::orders::{Body, Kind};
use crate::request::{KeyId, Scheme};
use crate::side::Side;
use crate::sql::{self, Sql};
use crate::values;
use crate::wire::{Holding, Stands, holding};

/// The public sides of the shares that the node has given its word for, by key and epoch.
pub(super) type Words = BTreeMap<(KeyId, u32), Vec<u8>>;

/// The public sides of the shares that all have stored, of the latest such epoch of each key.
pub(super) type Settled = BTreeMap<KeyId, (u32, Scheme, Vec<u8>)>;

impl Vault {
    /// Gives the node's word for shares, once for each epoch of a key, or says why not.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn promise(&mut self, body: &Body) -> Result<Result<(), String>, Failure> {
        self.look_again()?;
        let (key, epoch) = (body.key, body.epoch);
        let held = self.share_of(body).map(|held| (held.public(), Some(held.package())));
        let (public, package) = match held {
            Some(held) => held,
            None => match self.parted(key, epoch)? {
                Some(public) if is_meant(body, &public) => (public, None),
                _ => return Ok(Err(format!("this node has no such shares of epoch {epoch}"))),
            },
        };
        let other = || format!("this node has given its word for other shares of epoch {epoch}");
        if self.is_replaced(key, epoch, &public) {
            return Ok(Err(other()));
        }
        let given = self.store.work(|work| {
            // Whoever drops what is too late does this first, too.
            let row = values![&key.0, &public];
            let asked = work.execute(rows::ASK, &row)?;
            if let Some(package) = package
                && work.first(rows::KEY, &values![&key.0, &package])?.is_none()
            {
                return Ok(None);
            }
            let new = work.execute(rows::GIVE_WORD, &values![&key.0, epoch, &public])?;
            if asked.saturating_add(new) > 0 {
                work.execute(rows::CHANGED, &[])?;
            }
            let mut row = work.one(rows::WORD, &values![&key.0, epoch])?;
            row.bytes(0).map(Some)
        })?;
        Ok(match given {
            Some(given) if given == public => Ok(()),
            Some(_) => Err(other()),
            None => Err(format!("this node has dropped its shares of epoch {epoch}: too late")),
        })
    }

    /// The share that a body is about: that of its epoch with its public side, if it names one.
    #[must_use]
    pub fn share_of(&self, body: &Body) -> Option<Arc<Held>> {
        if body.public.is_empty() {
            return self.share(body.key, body.epoch);
        }
        let mut of = self.shares(body.key).iter().filter(|held| held.epoch() == body.epoch);
        of.find(|held| held.public() == body.public).cloned()
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

    /// Whether shares are of the key that the node knows by this name, if it knows one.
    #[must_use]
    pub fn is_same_key(&self, kind: Kind, key: KeyId, public: &[u8]) -> bool {
        let name = |scheme, public: &[u8]| Some((scheme, Side::read(scheme, public)?.key));
        let Some(new) = kind.scheme().and_then(|scheme| name(scheme, public)) else { return false };
        let settled = self.settled.get(&key).map(|(_, scheme, public)| name(*scheme, public));
        let held = self.shares(key).iter().map(|held| name(held.scheme(), &held.public()));
        held.chain(settled).all(|known| known == Some(new))
    }

    /// The epoch and the public side of the latest shares of a key that all have stored, as the node knows since they were new.
    #[must_use]
    pub fn settled(&self, key: KeyId) -> Option<(u32, &[u8])> {
        self.settled.get(&key).map(|(epoch, _, public)| (*epoch, public.as_slice()))
    }

    /// What the node holds of keys.
    #[must_use]
    pub fn holdings(&self) -> &[Holding] {
        &self.holdings.0
    }

    /// The digest of what the node holds of keys.
    #[must_use]
    pub const fn holds(&self) -> [u8; 32] {
        self.holdings.1
    }

    /// Whether the node has given its word for shares.
    #[must_use]
    pub fn has_promised(&self, key: KeyId, held: &Held) -> bool {
        self.words.get(&(key, held.epoch())).is_some_and(|public| *public == held.public())
    }

    /// Drops new shares that nobody has asked the node's word for, now that it is too late; says how many. Those of an epoch
    /// for which words were given stay, here or by a peer as it says: if they are divided the next ones are made of them.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn drop_unasked(
        &mut self,
        now: Time,
        counts: impl Fn(KeyId, &[u8]) -> bool,
    ) -> Result<usize, Failure> {
        let gone = self.store.work(|work| {
            let mut count = 0_usize;
            for mut row in work.query(rows::TOO_LATE, &values![now])? {
                let (key, public): ([u8; 16], _) = (row.array(0)?, row.bytes(1)?);
                let late = !counts(KeyId(key), &public);
                // Another worker may be asked just now.
                if late && work.execute(rows::ASK, &values![&key, &public])? > 0 {
                    work.execute(rows::DROP_SHARE, &values![&key, &public])?;
                    count = count.saturating_add(1);
                }
            }
            if count > 0 {
                work.execute(rows::CHANGED, &[])?;
            }
            Ok(count)
        })?;
        if gone > 0 {
            self.look_again()?;
        }
        Ok(gone)
    }

    /// Drops all shares of a key but these, which all have stored, as the node knows from others.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn conclude(
        &mut self,
        (key, scheme): (KeyId, Scheme),
        epoch: u32,
        public: &[u8],
    ) -> Result<(), Failure> {
        self.store.work(|work| settle(work, (key, scheme), epoch, public))?;
        self.look_again()?;
        self.nonces.forget(key);
        Ok(())
    }

    pub(super) fn load_changes(&mut self) -> Result<(), Failure> {
        let words = self.store.read(|db| db.query(rows::WORDS, &[]))?.into_iter().map(|mut row| {
            Ok::<_, Failure>(((KeyId(row.array(0)?), row.number(1)?), row.bytes(2)?))
        });
        self.words = words.collect::<Result<_, _>>()?;
        let settled = self.store.read(|db| db.query(rows::ALL_SETTLED, &[]))?;
        let settled = settled.into_iter().map(|mut row| {
            let scheme =
                Scheme::from_code(row.number(2)?).ok_or_else(|| Failure::new("no scheme"))?;
            Ok::<_, Failure>((KeyId(row.array(0)?), (row.number(1)?, scheme, row.bytes(3)?)))
        });
        self.settled = settled.collect::<Result<_, _>>()?;
        let list = holding::bounded(self.all_holdings());
        let digest = holding::digest(&list);
        self.holdings = (list, digest);
        Ok(())
    }

    fn all_holdings(&self) -> Vec<Holding> {
        let held = self.keys.iter().flat_map(|(key, all)| {
            all.iter().map(|held| {
                let stands = match held.state() {
                    ShareState::Ready => Stands::Stored,
                    _ if self.has_promised(*key, held) => Stands::Promised,
                    _ => Stands::Made,
                };
                Holding { key: *key, scheme: held.scheme(), stands, public: held.public() }
            })
        });
        let left = self.settled.iter().filter_map(|(key, (_, scheme, public))| {
            let held = self.shares(*key).iter().any(|held| held.public() == *public);
            let (key, scheme, public) = (*key, *scheme, public.clone());
            (!held).then_some(Holding { key, scheme, stands: Stands::Left, public })
        });
        held.chain(left).collect()
    }
}

fn is_meant(body: &Body, public: &[u8]) -> bool {
    body.public.is_empty() || body.public == public
}

/// All have stored these shares: what is of epochs before goes, and so do others of this epoch, of which nobody can have heard
/// that all have stored them, since this node has not given its word.
pub(super) fn settle(
    work: &mut dyn Sql,
    (key, scheme): (KeyId, Scheme),
    epoch: u32,
    public: &[u8],
) -> sql::Result<()> {
    work.execute(rows::SETTLE, &values![&key.0, epoch, scheme.code(), public])?;
    work.execute(rows::DROP_OTHERS, &values![&key.0, epoch, public])?;
    work.execute(rows::FORGET_WORDS, &values![&key.0, epoch])?;
    work.execute(rows::FORGET_UNASKED, &values![&key.0, epoch])?;
    rows::drop_before(work, key, epoch)?;
    work.execute(rows::CHANGED, &[]).map(drop)
}

/// Whether an order of this kind makes new shares of a key.
pub(super) const fn reshares(kind: Kind) -> bool {
    matches!(kind, Kind::ReshareEcdsa | Kind::ReshareEd25519)
}
