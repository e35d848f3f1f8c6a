//! Requests, from their taking to their end.

use std::collections::{BTreeMap, BTreeSet};

use quorate::PartyId;
use quorate::frost::generic::AggregateError;
use quorate::runner::Time;
use quorate_examples::failure::Failure;

use super::Gateway;
use super::ask::{Ask, Refusal, Reply, State, Submitted};
use super::given::{Came, Given, Work, material, reopen};
use super::jobs::later;
use super::rows::{Found, GivenRow};
use super::stock::Taken;
use crate::bus::Peer;
use crate::post::SIGNING;
use crate::request::{RequestKey, Scheme, SignedRequest};
use crate::wire::{Shared, SignOrder};

/// The orders that are given for one request, at most.
const TRIES: usize = 6;
/// Latencies that are kept.
const KEPT: usize = 1024;

/// A request that has not ended.
pub(super) struct Open {
    pub(super) signed: SignedRequest,
    pub(super) digest: [u8; 32],
    pub(super) taken: Time,
    pub(super) orders: Vec<[u8; 32]>,
    /// Whether shares are out for an order that did not come to an end.
    pub(super) doubt: bool,
    /// Why the last order has failed.
    pub(super) why: Option<String>,
    /// The signers that are not asked again for this request, as long as there are others.
    pub(super) without: BTreeSet<PartyId>,
    /// The signers that have refused it, with their reasons. They are not asked again.
    pub(super) never: BTreeMap<PartyId, String>,
}

impl Gateway {
    pub(super) fn load_requests(&mut self, now: Time) -> Result<(), Failure> {
        for (signed, taken) in self.rows.open_requests()? {
            self.open_request(signed, taken);
        }
        for row in self.rows.given()? {
            let GivenRow { id, request, sign, material } = row;
            let Some(open) = self.requests.get_mut(&request) else { continue };
            let key = self.keys.get(&open.signed.request.key_id);
            let order = Given::order(&sign);
            let again = self.config.times.again;
            match order
                .zip(key)
                .and_then(|(order, key)| reopen(key, &order, &material, (now, again)))
            {
                Some(mut given) => {
                    // Now, and not after a while: nobody knows when it was given last.
                    given.again = (now, again);
                    self.due.insert((now, id));
                    self.given.insert(id, given);
                    open.orders.push(id);
                }
                // It was given with shares of another epoch.
                None => open.doubt = true,
            }
        }
        let queued: Vec<_> =
            self.requests.iter().filter(|(_, open)| open.orders.is_empty()).collect();
        let queued: Vec<_> =
            queued.into_iter().map(|(key, open)| (open.signed.request.key_id, *key)).collect();
        for (id, key) in queued {
            self.waiting.entry(id).or_default().push_back(key);
        }
        Ok(())
    }

    fn open_request(&mut self, signed: SignedRequest, taken: Time) {
        let (key, digest) = (signed.request.key, signed.request.digest());
        self.deadlines.insert((signed.request.deadline, key));
        let (orders, without) = (Vec::new(), BTreeSet::new());
        let (doubt, why, never) = (false, None, BTreeMap::new());
        let open = Open { signed, digest, taken, orders, doubt, why, without, never };
        self.requests.insert(key, open);
    }

    pub(super) fn answer(&mut self, ask: Ask, now: Time) -> Result<(), Failure> {
        match ask {
            Ask::Submit(signed, reply) => self.submitted.push((signed, reply)),
            Ask::Status(key, reply) => {
                let state = self.state(key)?;
                self.say(reply, state);
            }
            Ask::Wait(key, until, reply) => match self.state(key)? {
                Some(state) if !state.is_end() && until > now => {
                    self.waits.entry(key).or_default().push((until, reply));
                    self.waits_until.insert((until, key));
                }
                state => self.say(reply, state),
            },
            Ask::Snapshot(reply) => {
                let snapshot = Box::new(self.snapshot(now));
                self.say(reply, snapshot);
            }
            Ask::Refresh(key, reply) => {
                let done = self.refresh(key, now);
                self.say(reply, done);
            }
            Ask::Change(signed, reply) => {
                let done = self.change(&signed, now);
                self.say(reply, done);
            }
            Ask::Drain(reply) => self.draining.get_or_insert_default().push(reply),
        }
        Ok(())
    }

    /// Answers once everything is stored.
    pub(super) fn say<T: Send + 'static>(&mut self, reply: Reply<T>, answer: T) {
        self.said.push(Box::new(move || reply.send(answer)));
    }

    fn state(&mut self, key: RequestKey) -> Result<Option<State>, Failure> {
        if let Some(open) = self.requests.get(&key) {
            return Ok(Some(if open.orders.is_empty() { State::Waiting } else { State::Asked }));
        }
        if let Some(state) = self.ended(key) {
            return Ok(Some(state));
        }
        Ok(self.rows.find(&[key])?.remove(&key).map(|found| found.state))
    }

    /// The end of a request that has come in this turn: the database has it still open, and nobody tells whoever waits for it
    /// from now on.
    fn ended(&self, key: RequestKey) -> Option<State> {
        let mut ended = self.writes.ended.iter();
        ended.find(|(of, ..)| *of == key).map(|(_, state, _)| state.clone())
    }

    /// Takes the requests that were handed in, once each.
    pub(super) fn submit(&mut self, now: Time) -> Result<(), Failure> {
        let submitted = core::mem::take(&mut self.submitted);
        let unknown: BTreeSet<RequestKey> = submitted
            .iter()
            .map(|(signed, _)| signed.request.key)
            .filter(|key| !self.requests.contains_key(key))
            .collect();
        let unknown: Vec<RequestKey> = unknown.into_iter().collect();
        let found = if unknown.is_empty() { BTreeMap::new() } else { self.rows.find(&unknown)? };
        for (signed, reply) in submitted {
            let answer = self.submit_one(signed, &found, now);
            if matches!(answer, Submitted::Refused(_)) {
                self.counts.rejected = self.counts.rejected.saturating_add(1);
            }
            self.say(reply, answer);
        }
        Ok(())
    }

    fn submit_one(
        &mut self,
        signed: SignedRequest,
        found: &BTreeMap<RequestKey, Found>,
        now: Time,
    ) -> Submitted {
        // Whoever has not signed it is told nothing of another's request.
        if let Err(why) = self.known(&signed) {
            return Submitted::Refused(why);
        }
        let (key, digest) = (signed.request.key, signed.request.digest());
        if let Some(open) = self.requests.get(&key) {
            if open.digest != digest {
                return Submitted::Conflict;
            }
            let given = !open.orders.is_empty();
            return Submitted::Taken(if given { State::Asked } else { State::Waiting });
        }
        if let Some(found) = found.get(&key) {
            if found.digest != digest {
                return Submitted::Conflict;
            }
            return Submitted::Taken(self.ended(key).unwrap_or_else(|| found.state.clone()));
        }
        if let Err(why) = self.takes(&signed, now) {
            return Submitted::Refused(why);
        }
        let bytes = signed.to_bytes();
        self.writes.taken.push((signed.clone(), digest, bytes, now));
        self.waiting.entry(signed.request.key_id).or_default().push_back(key);
        self.open_request(signed, now);
        self.counts.taken = self.counts.taken.saturating_add(1);
        Submitted::Taken(State::Waiting)
    }

    fn known(&self, signed: &SignedRequest) -> Result<(), Refusal> {
        let known =
            self.config.requesters.as_ref().is_none_or(|all| all.contains(&signed.requester));
        if known && signed.verifies() { Ok(()) } else { Err(Refusal::Unsigned) }
    }

    /// Whether a new request is taken.
    fn takes(&self, signed: &SignedRequest, now: Time) -> Result<(), Refusal> {
        let request = &signed.request;
        let farthest = now.saturating_add(self.config.times.longest);
        if self.draining.is_some() {
            return Err(Refusal::Draining);
        }
        if request.deadline <= now || request.deadline > farthest {
            return Err(Refusal::Deadline);
        }
        let key = self.keys.get(&request.key_id).filter(|key| key.scheme() == request.scheme);
        let key = key.ok_or(Refusal::NoKey)?;
        key.public_key(&request.path).ok_or(Refusal::NoChild)?;
        if self.requests.len() >= self.config.open { Err(Refusal::Busy) } else { Ok(()) }
    }

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
                    Came::Wrong(who) => self.wrong(id, &who, now),
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
            for ((id, request), result) in of.into_iter().zip(coordinator.finish_all(sessions)) {
                match result {
                    Ok(signature) => {
                        let bytes = signature.to_bytes().as_ref().to_vec();
                        self.signed(request, bytes, Scheme::Ed25519, now);
                    }
                    Err(AggregateError::Cheaters(cheaters)) => {
                        let why = || "its share of the signature is wrong".to_owned();
                        let who: Vec<_> = cheaters.into_iter().map(|id| (id, why())).collect();
                        self.wrong(&id, &who, now);
                    }
                    Err(why) => {
                        self.drop_order(&id, true);
                        self.try_again(request, why.to_string(), now);
                    }
                }
            }
        }
    }

    /// Signers have sent what is no share of theirs: they are named, and done without.
    fn wrong(&mut self, id: &[u8; 32], who: &[(PartyId, String)], now: Time) {
        let Some(request) = self.given.get(id).map(|given| given.request) else { return };
        for (node, why) in who {
            if let Some(seen) = self.nodes.get_mut(node) {
                seen.cheated = true;
            }
            self.notice(format!("node {node} has sent a wrong share: {why}"));
        }
        self.drop_order(id, true);
        let names: Vec<String> =
            who.iter().map(|(node, why)| format!("node {node}: {why}")).collect();
        self.try_again(request, names.join("; "), now);
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

    /// A request ends, and everybody who waits for it is told.
    fn end(&mut self, key: RequestKey, state: State, now: Time) {
        let Some(open) = self.requests.remove(&key) else { return };
        let deadline = open.signed.request.deadline;
        for at in [deadline, deadline.saturating_add(self.config.times.grace)] {
            self.deadlines.remove(&(at, key));
        }
        for id in open.orders {
            if let Some(given) = self.given.remove(&id) {
                self.due.remove(&(given.again.0, id));
            }
        }
        if matches!(state, State::Refused { .. }) {
            self.counts.refused = self.counts.refused.saturating_add(1);
        }
        for (until, reply) in self.waits.remove(&key).unwrap_or_default() {
            self.waits_until.remove(&(until, key));
            self.say(reply, Some(state.clone()));
        }
        self.writes.ended.push((key, state, now));
        if self.requests.is_empty() {
            for reply in self.draining.as_mut().map(core::mem::take).unwrap_or_default() {
                self.say(reply, ());
            }
        }
    }

    /// Ends what is too late, and answers those who have waited long enough.
    pub(super) fn expire(&mut self, now: Time) {
        let grace = self.config.times.grace;
        while let Some((due, key)) = self.deadlines.first().copied().filter(|(due, _)| *due <= now)
        {
            self.deadlines.remove(&(due, key));
            let Some(open) = self.requests.get(&key) else { continue };
            let deadline = open.signed.request.deadline;
            if !open.orders.is_empty() && now < deadline.saturating_add(grace) {
                self.deadlines.insert((deadline.saturating_add(grace), key));
                continue;
            }
            let certain = open.orders.is_empty() && !open.doubt;
            let last = open.why.as_ref().map(|why| format!("; {why}")).unwrap_or_default();
            let why = format!("the deadline has passed{}{last}", self.silent(key));
            self.end(key, State::Refused { why, certain }, now);
        }
        while let Some((until, key)) =
            self.waits_until.first().copied().filter(|(at, _)| *at <= now)
        {
            self.waits_until.remove(&(until, key));
            let asked = self.requests.get(&key).is_some_and(|open| !open.orders.is_empty());
            let state = if asked { State::Asked } else { State::Waiting };
            let waits = self.waits.remove(&key).unwrap_or_default();
            let (over, rest): (Vec<_>, Vec<_>) = waits.into_iter().partition(|(at, _)| *at <= now);
            if !rest.is_empty() {
                self.waits.insert(key, rest);
            }
            over.into_iter().for_each(|(_, reply)| self.say(reply, Some(state.clone())));
        }
        if self.requests.is_empty() && self.draining.as_ref().is_some_and(|all| !all.is_empty()) {
            for reply in self.draining.as_mut().map(core::mem::take).unwrap_or_default() {
                self.say(reply, ());
            }
        }
    }

    /// The signers that have not answered the orders for a request.
    fn silent(&self, key: RequestKey) -> String {
        let orders = self.requests.get(&key).map(|open| open.orders.as_slice()).unwrap_or_default();
        let given = orders.iter().filter_map(|id| self.given.get(id));
        let names: BTreeSet<PartyId> =
            given.flat_map(|given| given.owing.iter().copied()).collect();
        if names.is_empty() {
            return String::new();
        }
        let names: Vec<String> = names.into_iter().map(|node| node.to_string()).collect();
        format!("; no answer of node {}", names.join(", "))
    }
}
