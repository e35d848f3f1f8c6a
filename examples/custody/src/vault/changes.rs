//! Changes of a key's shares: what goes when all have their new ones, and what the node tells others of its shares.
//!
//! Of all that were made for an epoch one kind at most is ever stored by all (see [`Word`](super::Word)), and the others go when
//! it is. What nobody has asked the node's word for in time goes as well: until then it has not said that it keeps it.

use std::collections::{BTreeMap, BTreeSet};
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

/// Public sides of keys that were given to others, by key and epoch.
pub(super) type Parted = BTreeMap<(KeyId, u32), Vec<u8>>;

/// The public sides of the shares that all have stored, of the latest such epoch of each key.
pub(super) type Settled = BTreeMap<KeyId, (u32, Scheme, Vec<u8>)>;

impl Vault {
    /// The share that a body is about: that of its epoch with its public side, if it names one.
    #[must_use]
    pub fn share_of(&self, body: &Body) -> Option<Arc<Held>> {
        if body.public.is_empty() {
            return self.share(body.key, body.epoch);
        }
        let mut of = self.shares(body.key).iter().filter(|held| held.epoch() == body.epoch);
        of.find(|held| held.public() == body.public).cloned()
    }

    /// Whether shares are of the key of this name: that which the node knows by it, if it knows one.
    #[must_use]
    pub fn is_same_key(&self, kind: Kind, key: KeyId, public: &[u8]) -> bool {
        let Some(scheme) = kind.scheme() else { return false };
        let Some(new) = Side::read(scheme, public) else { return false };
        let of = |scheme, public: &[u8]| Some((scheme, Side::read(scheme, public)?.key));
        let settled = self.settled.get(&key).map(|(_, scheme, public)| of(*scheme, public));
        let held = self.shares(key).iter().map(|held| Some((held.scheme(), held.key())));
        let mut known = held.chain(settled).peekable();
        if known.peek().is_none() {
            return new.name == key;
        }
        known.all(|known| known == Some((scheme, new.key)))
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

    /// Drops new shares that nobody has asked the node's word for, now that it is too late; says how many.
    ///
    /// # Errors
    /// A [`Failure`] of the database.
    pub fn drop_unasked(&mut self, now: Time) -> Result<usize, Failure> {
        let gone = self.store.work(|work| {
            let mut count = 0_usize;
            for mut row in work.query(rows::TOO_LATE, &values![now])? {
                let (key, public): ([u8; 16], _) = (row.array(0)?, row.bytes(1)?);
                // Another worker may be asked just now.
                if work.execute(rows::ASK, &values![&key, &public])? > 0 {
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
        let parted = self.store.read(|db| db.query(rows::ALL_PARTED, &[]))?.into_iter();
        let parted = parted.map(|mut row| {
            Ok::<_, Failure>(((KeyId(row.array(0)?), row.number(1)?), row.bytes(2)?))
        });
        self.parted = parted.collect::<Result<_, _>>()?;
        let unasked = self.store.read(|db| db.query(rows::UNASKED, &[]))?.into_iter();
        let unasked =
            unasked.map(|mut row| Ok::<_, Failure>((KeyId(row.array(0)?), row.bytes(1)?)));
        let unasked = unasked.collect::<Result<_, _>>()?;
        let list = holding::bounded(self.all_holdings(&unasked));
        let digest = holding::digest(&list);
        self.holdings = (list, digest);
        Ok(())
    }

    fn all_holdings(&self, unasked: &BTreeSet<(KeyId, Vec<u8>)>) -> Vec<Holding> {
        let held = self.keys.iter().flat_map(|(key, all)| {
            all.iter().map(|held| {
                let (key, public) = (*key, held.public());
                let stands = match held.state() {
                    ShareState::Ready => Stands::Stored,
                    _ if self.has_promised(key, held) => Stands::Promised,
                    _ if unasked.contains(&(key, public.clone())) => Stands::Made,
                    _ => Stands::Kept,
                };
                Holding { key, scheme: held.scheme(), stands, public }
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
