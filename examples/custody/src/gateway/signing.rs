//! What is done for requests that are open: orders to sign are given, again and to others, until their shares make a signature.

use quorate::PartyId;
use quorate::frost::generic::AggregateError;
use quorate::runner::Time;

use super::Gateway;
use super::ask::State;
use super::given::{Came, Failed, Given, Work, material};
use super::jobs::later;
use super::rows::GivenRow;
use super::stock::Taken;
use crate::bus::Peer;
use crate::post::SIGNING;
use crate::request::{RequestKey, Scheme};
use crate::wire::{Shared, SignOrder};

/// The orders that are given for one request, at most.
const TRIES: usize = 6;
/// Latencies that are kept.
const KEPT: usize = 1024;

impl Gateway {
    /// Gives requests that wait something to be signed with.
    pub(super) fn assign(&mut self, now: Time) {
        let keys: Vec<_> = self.waiting.keys().copied().collect();
        for id in keys {
            let mut left = Vec::new();
            while let Some(key) = self.waiting.get_mut(&id).and_then(|queue| queue.pop_front()) {
                // One that has ended meanwhile is passed over.
                let Some(open) = self.requests.get(&key) else { continue };
                let choosy = !open.never.is_empty();
                if self.give_to_any(key, now) {
                    continue;
                }
                left.push(key);
                // Those whom nobody has refused have more to choose from.
                if !choosy {
                    break;
                }
            }
            let queue = self.waiting.entry(id).or_default();
            left.into_iter().rev().for_each(|key| queue.push_front(key));
        }
        self.waiting.retain(|_, queue| !queue.is_empty());
    }

    /// Gives an order for a request, to signers that have failed it if there are no others.
    fn give_to_any(&mut self, key: RequestKey, now: Time) -> bool {
        self.give(key, now)
            || self.requests.get_mut(&key).is_some_and(|open| {
                let failed = !open.without.is_empty();
                open.without.clear();
                failed
            }) && self.give(key, now)
    }

    /// Gives an order for a request; says whether there was something to give.
    fn give(&mut self, key: RequestKey, now: Time) -> bool {
        let Some(open) = self.requests.get(&key) else { return true };
        let (signed, mut without) = (open.signed.clone(), open.without.clone());
        without.extend(open.never.keys());
        without.extend(self.nodes.iter().filter(|(_, seen)| seen.cheated).map(|(node, _)| *node));
        let Some(taken) = self.take_stock(&signed.request, &without, now) else { return false };
        let Taken { material: spent, signers, numbers, work, spends } = taken;
        let stored = material(&work, &numbers);
        let order = SignOrder { request: signed, material: spent };
        let (id, again) = (order.id(), self.config.times.again);
        let given = Given::new(&order, (signers, numbers), work, (now, again));
        let row = GivenRow { id, request: key, sign: given.bytes.clone(), material: stored };
        self.writes.given.push((row, spends));
        for signer in &given.signers {
            self.post.bytes(Peer::Node(*signer), SIGNING, given.bytes.clone());
        }
        self.due.insert((given.again.0, id));
        self.given.insert(id, given);
        if let Some(open) = self.requests.get_mut(&key) {
            open.orders.push(id);
        }
        true
    }

    /// Gives orders again that are not answered, and asks others where a signer is silent.
    pub(super) fn repeat(&mut self, now: Time) {
        let mut silent = Vec::new();
        while let Some((due, id)) = self.due.first().copied().filter(|(due, _)| *due <= now) {
            self.due.remove(&(due, id));
            let Some(given) = self.given.get_mut(&id) else { continue };
            given.again = later(given.again, now, self.config.times.again);
            for signer in &given.owing {
                self.post.bytes(Peer::Node(*signer), SIGNING, given.bytes.clone());
                self.counts.repeated = self.counts.repeated.saturating_add(1);
            }
            self.due.insert((given.again.0, id));
            if now.saturating_sub(given.first) >= self.config.times.patience {
                silent.push((id, given.request, given.owing.clone(), given.refused));
            }
        }
        for (id, key, owing, refused) in silent {
            self.in_vain(owing.iter().copied());
            if refused {
                // It comes to nothing, whatever the others would say.
                self.drop_order(&id, false);
                let open = self.requests.get_mut(&key);
                let why = open.and_then(|open| {
                    open.without.extend(owing);
                    open.why.clone()
                });
                self.try_again(key, why.unwrap_or_default(), now);
                continue;
            }
            let Some(open) = self.requests.get_mut(&key) else { continue };
            // Once for each order: the last one has to have been waited for.
            let fresh = owing.iter().any(|node| !open.without.contains(node));
            if fresh && open.orders.len() < TRIES {
                open.without.extend(owing);
                if !self.give(key, now)
                    && let Some(open) = self.requests.get_mut(&key)
                {
                    // Nobody else can: whoever is silent may come back.
                    open.without.clear();
                }
            }
        }
    }

    /// Takes in what a signer says to an order.
    pub(super) fn shared(&mut self, node: PartyId, id: &[u8; 32], share: Shared, now: Time) {
        let Some(given) = self.given.get_mut(id) else { return };
        if !given.signers.contains(&node) {
            return;
        }
        let key = given.request;
        let Some(open) = self.requests.get(&key) else { return };
        let scheme = open.signed.request.scheme;
        match share {
            // The others' shares of an order that one has refused are of no use.
            Shared::Share(_) if given.refused => drop(given.owing.remove(&node)),
            Shared::Share(bytes) => {
                given.owing.remove(&node);
                match given.work.receive(&open.signed.request, node, bytes) {
                    Came::Waiting => {}
                    Came::Complete => {
                        let id_of = open.signed.request.key_id;
                        self.complete.entry(id_of).or_default().push(*id);
                    }
                    Came::Signed(signature) => {
                        for signer in given.signers.clone() {
                            self.nodes.entry(signer).and_modify(|seen| seen.failures = 0);
                        }
                        self.signed(key, signature, scheme, now);
                    }
                    Came::Failed(failed) => self.no_signature(id, failed, now),
                }
            }
            Shared::NotYet(why) => {
                if let Some(open) = self.requests.get_mut(&key) {
                    open.why = Some(format!("node {node}: {why}"));
                }
            }
            Shared::Never(why) => {
                given.owing.remove(&node);
                given.refused = true;
                self.never(key, node, why, now);
            }
            Shared::Gone(why) => {
                self.in_vain([node]);
                self.drop_order(id, false);
                self.gone(key, node, now);
                self.try_again(key, format!("node {node}: {why}"), now);
            }
        }
        self.leave_refused(id, now);
    }

    /// A signer refuses a request: it ends if those who are left are too few.
    fn never(&mut self, key: RequestKey, node: PartyId, why: String, now: Time) {
        let Some(open) = self.requests.get_mut(&key) else { return };
        open.never.insert(node, why);
        let all = open.never.iter().map(|(node, why)| format!("node {node}: {why}"));
        let why = all.collect::<Vec<_>>().join("; ");
        open.why = Some(why.clone());
        let Some(of) = self.keys.get(&open.signed.request.key_id) else { return };
        let left = of.parties().iter().filter(|node| !open.never.contains_key(node)).count();
        let (too_few, certain) = (left < usize::from(of.threshold()), !open.doubt);
        if too_few && self.comes_to_nothing(key) {
            self.end(key, State::Refused { why, certain }, now);
        }
    }

    /// Whether no order for a request can come to a signature.
    fn comes_to_nothing(&self, key: RequestKey) -> bool {
        let orders = self.requests.get(&key).map(|open| open.orders.as_slice()).unwrap_or_default();
        orders.iter().filter_map(|id| self.given.get(id)).all(|given| given.refused)
    }

    /// Gives a refused order up once all have answered it: until then it is not known who else refuses.
    fn leave_refused(&mut self, id: &[u8; 32], now: Time) {
        let answered = |given: &&Given| given.refused && given.owing.is_empty();
        let Some(given) = self.given.get(id).filter(answered) else { return };
        let key = given.request;
        self.drop_order(id, false);
        let why = self.requests.get(&key).and_then(|open| open.why.clone()).unwrap_or_default();
        self.try_again(key, why, now);
    }

    /// What else was made with a signer may be gone, too: others are asked first for a request, if enough of them live.
    fn gone(&mut self, key: RequestKey, node: PartyId, now: Time) {
        let Some(open) = self.requests.get(&key) else { return };
        let may = |other: &PartyId| {
            *other != node && !open.without.contains(other) && self.lives(*other, now)
        };
        let others = self.nodes.keys().filter(|other| may(other)).count();
        let enough = others >= usize::from(self.config.threshold);
        if let Some(open) = self.requests.get_mut(&key) {
            if enough {
                open.without.insert(node);
            } else {
                // Nobody is left out, so that an order that a silent signer owes is followed by another one.
                open.without.clear();
            }
        }
    }

    /// Finishes the orders for Ed25519 whose shares are all there, together.
    pub(super) fn finish(&mut self, now: Time) {
        for (key, ids) in core::mem::take(&mut self.complete) {
            let (mut sessions, mut of) = (Vec::new(), Vec::new());
            for id in ids {
                let Some(given) = self.given.get_mut(&id) else { continue };
                if let Work::Ed25519(session) = &mut given.work
                    && let Some(session) = session.take()
                {
                    sessions.push(session);
                    of.push((id, given.request));
                }
            }
            let coordinator = self.keys.get(&key).and_then(|key| key.coordinator());
            let Some(coordinator) = coordinator else { continue };
            for ((id, request), result) in of.into_iter().zip(coordinator.aggregate_all(sessions)) {
                match result {
                    Ok(signature) => {
                        let bytes = signature.to_bytes().as_ref().to_vec();
                        self.signed(request, bytes, Scheme::Ed25519, now);
                    }
                    Err(AggregateError::Cheaters(cheaters)) => {
                        let why = || "its share of the signature is wrong".to_owned();
                        let cheaters = cheaters.into_iter().map(|id| (id, why())).collect();
                        self.no_signature(&id, Failed { cheaters, ..Failed::default() }, now);
                    }
                    Err(why) => {
                        self.drop_order(&id, true);
                        self.try_again(request, why.to_string(), now);
                    }
                }
            }
        }
    }

    /// The shares of an order give no signature. Signers whose shares are proved wrong are marked, and not asked again. Those
    /// whose shares are for something else are left out of this request alone.
    fn no_signature(&mut self, id: &[u8; 32], failed: Failed, now: Time) {
        let Some(request) = self.given.get(id).map(|given| given.request) else { return };
        for (node, why) in &failed.cheaters {
            if let Some(seen) = self.nodes.get_mut(node) {
                seen.cheated = true;
            }
            self.notice(format!("node {node} has sent a wrong share: {why}"));
        }
        for (node, why) in &failed.unfit {
            self.notice(format!(
                "the share of node {node} does not fit, which proves nothing: {why}"
            ));
            self.gone(request, *node, now);
        }
        self.drop_order(id, true);
        let named = failed.cheaters.iter().chain(&failed.unfit);
        let reasons = named.map(|(node, why)| format!("node {node}: {why}")).chain(failed.why);
        let why = reasons.collect::<Vec<_>>().join("; ");
        self.try_again(request, why, now);
    }

    /// Gives an order up. If shares of it may be out, nobody knows what becomes of it.
    fn drop_order(&mut self, id: &[u8; 32], doubt: bool) {
        let Some(given) = self.given.remove(id) else { return };
        self.due.remove(&(given.again.0, *id));
        if let Some(open) = self.requests.get_mut(&given.request) {
            open.orders.retain(|order| order != id);
            open.doubt |= doubt;
        }
    }

    /// Another order, if there may be one.
    fn try_again(&mut self, key: RequestKey, why: String, now: Time) {
        let Some(open) = self.requests.get_mut(&key) else { return };
        open.why = Some(why.clone());
        // Another order may be under way already.
        if !open.orders.is_empty() {
            return;
        }
        let tries = open.without.len().saturating_add(usize::from(open.doubt));
        if tries >= TRIES {
            return self.fails(key, why, now);
        }
        let id = open.signed.request.key_id;
        self.waiting.entry(id).or_default().push_front(key);
    }

    /// It was tried often enough, unless another order is under way.
    fn fails(&mut self, key: RequestKey, why: String, now: Time) {
        let Some(open) = self.requests.get_mut(&key) else { return };
        open.why = Some(why.clone());
        if open.orders.is_empty() {
            let certain = !open.doubt;
            self.end(key, State::Refused { why, certain }, now);
        }
    }

    fn signed(&mut self, key: RequestKey, signature: Vec<u8>, scheme: Scheme, now: Time) {
        let Some(open) = self.requests.get(&key) else { return };
        let request = &open.signed.request;
        let public_key =
            self.keys.get(&request.key_id).and_then(|key| key.public_key(&request.path));
        let at = usize::from(scheme == Scheme::Ed25519);
        if let Some(count) = self.counts.signed.get_mut(at) {
            *count = count.saturating_add(1);
        }
        let took = u32::try_from(now.saturating_sub(open.taken)).unwrap_or(u32::MAX);
        if self.counts.latencies.len() >= KEPT {
            self.counts.latencies.pop_front();
        }
        self.counts.latencies.push_back(took);
        let public_key = public_key.unwrap_or_default();
        self.end(key, State::Signed { signature, public_key }, now);
    }
}
