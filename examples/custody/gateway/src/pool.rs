//! Presignatures and nonces that nodes have ready for a key.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use quorate::PartyId;

use crate::scheme::Item;

/// Items of one node in a list are not more than this.
const MOST: usize = 8192;

/// The items of a key that nodes have listed, and those that were given to requests.
pub(crate) struct Pool {
    /// Gateways with different salts take items in different orders, so that two of them seldom take the same one.
    salt: [u8; 32],
    items: BTreeMap<[u8; 32], Listed>,
    /// The names of the items by their bytes: what comes in every list is read once.
    names: HashMap<Vec<u8>, [u8; 32]>,
    /// The items that all of their signers have listed and no request has: by signers, in the order of this gateway.
    ready: BTreeMap<Vec<PartyId>, BTreeMap<[u8; 32], [u8; 32]>>,
    /// The items that requests have, with their signers, until one of these lists the item no more.
    used: BTreeMap<[u8; 32], Vec<PartyId>>,
    /// Lists that have not ended.
    partial: BTreeMap<PartyId, Vec<Item>>,
}

struct Listed {
    item: Item,
    by: BTreeSet<PartyId>,
}

impl Pool {
    pub(crate) fn new(salt: [u8; 32]) -> Self {
        let (items, names, ready, used, partial) = <_>::default();
        Self { salt, items, names, ready, used, partial }
    }

    /// The item with these bytes, if one of its signers lists it and it was read before.
    pub(crate) fn read_before(&self, from: PartyId, bytes: &[u8]) -> Option<Item> {
        let item = &self.items.get(self.names.get(bytes)?)?.item;
        item.signers().any(|signer| signer == from).then(|| item.clone())
    }

    /// Adds a part of a node's list. The last part replaces what the node has listed before.
    pub(crate) fn list(&mut self, from: PartyId, mut items: Vec<Item>, is_last: bool) {
        let partial = self.partial.entry(from).or_default();
        items.truncate(MOST.saturating_sub(partial.len()));
        partial.append(&mut items);
        if is_last {
            let items = self.partial.remove(&from).unwrap_or_default();
            self.items.retain(|_, listed| {
                listed.by.remove(&from);
                !listed.by.is_empty()
            });
            items.into_iter().for_each(|item| self.add(from, item));
            let items = &self.items;
            self.names.retain(|_, name| items.contains_key(name));
            let lists = |name: &[u8; 32]| items.get(name).is_some_and(|one| one.by.contains(&from));
            self.used.retain(|name, signers| !signers.contains(&from) || lists(name));
            self.sort();
        }
    }

    /// Forgets what a node has listed, until it lists it again.
    pub(crate) fn drop_list(&mut self, from: PartyId) {
        self.partial.remove(&from);
        for listed in self.items.values_mut() {
            listed.by.remove(&from);
        }
        self.sort();
    }

    /// Forgets the first parts of a list that has not ended.
    pub(crate) fn restart_list(&mut self, from: PartyId) {
        self.partial.remove(&from);
    }

    fn add(&mut self, from: PartyId, item: Item) {
        let listed = self.items.entry(item.name);
        let listed = listed.or_insert_with(|| Listed { item: item.clone(), by: BTreeSet::new() });
        // Of two items with one name the first stays. The other node's does not count as listed.
        if listed.item == item {
            listed.by.insert(from);
            self.names.insert(item.bytes, item.name);
        }
    }

    fn sort(&mut self) {
        self.ready.clear();
        for (name, Listed { item, by }) in &self.items {
            let signers: Vec<PartyId> = item.signers().collect();
            let is_complete = signers.iter().all(|signer| by.contains(signer));
            if is_complete && !self.used.contains_key(name) {
                let place = salted(name, &self.salt);
                self.ready.entry(signers).or_default().insert(place, *name);
            }
        }
    }

    /// Takes note of an item that a request has.
    pub(crate) fn mark_used(&mut self, item: &Item) {
        let signers: Vec<PartyId> = item.signers().collect();
        if let Some(ready) = self.ready.get_mut(&signers) {
            ready.remove(&salted(&item.name, &self.salt));
        }
        self.used.insert(item.name, signers);
    }

    /// Takes back an item that a signer has not spent.
    pub(crate) fn give_back(&mut self, item: &Item) {
        if self.used.remove(&item.name).is_some() {
            self.sort();
        }
    }

    /// The number of items that are ready, by their signers.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (&[PartyId], usize)> {
        self.ready.iter().map(|(signers, ready)| (signers.as_slice(), ready.len()))
    }

    /// The number of items of exactly these signers that are ready.
    pub(crate) fn count(&self, signers: &[PartyId]) -> usize {
        self.ready.get(signers).map_or(0, BTreeMap::len)
    }

    /// Takes an item of exactly these signers.
    pub(crate) fn take(&mut self, signers: &[PartyId]) -> Option<Item> {
        let (_, name) = self.ready.get_mut(signers)?.pop_first()?;
        self.used.insert(name, signers.to_vec());
        self.items.get(&name).map(|listed| listed.item.clone())
    }
}

fn salted(name: &[u8; 32], salt: &[u8; 32]) -> [u8; 32] {
    let mut place = *name;
    place.iter_mut().zip(salt).for_each(|(byte, salt)| *byte ^= salt);
    place
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
    use super::*;

    fn party(number: u16) -> PartyId {
        PartyId::new(number).unwrap()
    }

    /// An item of parties 1 and 2.
    fn item(number: u8) -> Item {
        Item { name: [number; 32], signers: vec![1, 2], bytes: vec![number], read: <_>::default() }
    }

    fn both() -> [PartyId; 2] {
        [party(1), party(2)]
    }

    /// A pool in which both have listed the items 1 to 3.
    fn pool() -> Pool {
        let mut pool = Pool::new([0; 32]);
        both().into_iter().for_each(|party| pool.list(party, (1..=3).map(item).collect(), true));
        pool
    }

    #[test]
    fn item_is_ready_when_all_of_its_signers_list_the_same() {
        let mut pool = Pool::new([0; 32]);
        pool.list(party(1), vec![item(1), item(2)], true);
        assert_eq!(pool.count(&both()), 0);
        let other = Item { bytes: vec![9], ..item(2) };
        pool.list(party(2), vec![item(1), other], true);
        assert_eq!(pool.take(&both()), Some(item(1)));
        assert_eq!(pool.take(&both()), None);
    }

    #[test]
    fn item_that_was_taken_stays_taken_while_a_signer_lists_it() {
        let mut pool = pool();
        let taken = pool.take(&both()).unwrap();
        for _ in 0..2 {
            both()
                .into_iter()
                .for_each(|party| pool.list(party, (1..=3).map(item).collect(), true));
            assert_eq!(pool.count(&both()), 2);
        }
        // A list of another party says nothing about it.
        pool.list(party(3), Vec::new(), true);
        both().into_iter().for_each(|party| pool.list(party, (1..=3).map(item).collect(), true));
        assert_eq!(pool.count(&both()), 2);
        assert_ne!(pool.take(&both()), Some(taken));
    }

    #[test]
    fn item_that_is_given_back_is_ready_again() {
        let mut pool = pool();
        let taken: Vec<Item> = core::iter::from_fn(|| pool.take(&both())).collect();
        assert_eq!(taken.len(), 3);
        pool.give_back(&taken[1]);
        pool.give_back(&item(9));
        assert_eq!((pool.take(&both()), pool.take(&both())), (Some(taken[1].clone()), None));
    }

    #[test]
    fn stored_attempts_keep_their_items_though_lists_come_later() {
        let mut pool = Pool::new([0; 32]);
        pool.mark_used(&item(2));
        pool.list(party(3), Vec::new(), true);
        both().into_iter().for_each(|party| pool.list(party, (1..=3).map(item).collect(), true));
        assert_eq!(pool.count(&both()), 2);
    }

    #[test]
    fn list_in_parts_replaces_the_last_when_it_ends() {
        let mut pool = pool();
        pool.list(party(1), vec![item(1)], false);
        assert_eq!(pool.count(&both()), 3);
        pool.list(party(1), vec![item(2)], true);
        assert_eq!(pool.count(&both()), 2);
        pool.list(party(1), vec![item(3)], false);
        pool.restart_list(party(1));
        pool.list(party(1), vec![item(1)], true);
        assert_eq!(pool.count(&both()), 1);
    }

    #[test]
    fn list_of_a_node_that_restarted_is_dropped() {
        let mut pool = pool();
        pool.drop_list(party(2));
        assert_eq!(pool.count(&both()), 0);
        pool.list(party(2), vec![item(3)], true);
        assert_eq!(pool.take(&both()), Some(item(3)));
    }

    #[test]
    fn item_is_read_before_for_its_signers_while_somebody_lists_it() {
        let mut pool = pool();
        assert_eq!(pool.read_before(party(1), &[2]), Some(item(2)));
        assert_eq!(pool.read_before(party(3), &[2]), None);
        assert_eq!(pool.read_before(party(1), &[9]), None);
        both().into_iter().for_each(|party| pool.list(party, vec![item(1)], true));
        assert_eq!(pool.read_before(party(1), &[2]), None);
        assert_eq!(pool.read_before(party(2), &[1]), Some(item(1)));
    }

    #[test]
    fn gateways_with_different_salts_take_items_in_different_orders() {
        let order = |salt| {
            let mut pool = Pool::new([salt; 32]);
            both().into_iter().for_each(|party| pool.list(party, (0..8).map(item).collect(), true));
            core::iter::from_fn(|| pool.take(&both())).map(|item| item.name).collect::<Vec<_>>()
        };
        let (one, other) = (order(0), order(5));
        assert_eq!((one.len(), other.len()), (8, 8));
        assert_ne!(one.first(), other.first());
    }
}
