//! Requests: how they are taken, what is said of them, and how they end. Between the two they are [signed](super::signing).

use std::collections::{BTreeMap, BTreeSet};

use quorate::PartyId;
use quorate::runner::Time;
use quorate_examples::failure::Failure;

use super::Gateway;
use super::ask::{Ask, Refusal, Reply, State, Submitted};
use super::given::{Given, reopen};
use super::rows::{Found, GivenRow};
use crate::request::{RequestKey, SignedRequest};

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

    /// A request ends, and everybody who waits for it is told.
    pub(super) fn end(&mut self, key: RequestKey, state: State, now: Time) {
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
