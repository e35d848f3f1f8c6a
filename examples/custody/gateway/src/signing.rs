//! Requests to sign: attempts with the signers that answer, until their shares give a signature.

use std::collections::{BTreeMap, BTreeSet};

use custody_core::{Answer, KeyId, Material, Order, Reason, Refusal, RequestId, Sign};
use quorate::PartyId;
use quorate_envelope::Member;
use quorate_purpose::Purpose;

use crate::config::{Config, Now, millis};
use crate::database::{Space, Write};
use crate::earlier::{Bound, Earlier, other_time};
use crate::engine::Engine;
use crate::keys::Known;
use crate::orders::Task;
use crate::requests::{Open, Work};
use crate::scheme::{AttemptState, Failed, Item, Session};
use crate::state::{Outcome, Signature, State, refuse};

/// The most attempts for one request.
const MOST_ATTEMPTS: u32 = 16;

/// The first version of the wire format that has orders to raise marks.
const MARKS: u8 = 2;

/// The work for a request to sign.
pub(crate) struct Signing {
    pub(crate) key: KeyId,
    pub(crate) sign: Sign,
    pub(crate) attempts: BTreeMap<u32, Attempt>,
    pub(crate) next: u32,
    /// Nodes that refuse the request for good.
    refused: BTreeMap<PartyId, Refusal>,
    /// Nodes that are left out as long as others are there: silent ones, and those whose shares did not fit.
    without: BTreeSet<PartyId>,
    /// `true` once a share has come, or signers have begun to sign together. What they make may be with one that lies.
    pub(crate) is_out: bool,
    /// Attempts that gave no signature without anybody's fault.
    pub(crate) luckless: u32,
    /// Votes of which nodes have given shares, and which differ from this request in the time stamp alone.
    pub(crate) earlier: Vec<Earlier>,
    /// The nodes that have given a share of a vote, with what they have named.
    pub(crate) bound: BTreeMap<PartyId, Bound>,
    /// The time of the last attempt.
    last: u64,
}

/// An attempt to sign with certain signers.
pub(crate) struct Attempt {
    signers: Vec<PartyId>,
    session: Box<dyn Session>,
    material: Material,
    /// The items that it spends.
    items: Vec<Item>,
    since: u64,
    /// Signers that want approvals.
    awaiting: BTreeSet<PartyId>,
    /// Signers that have begun to sign with the others.
    begun: BTreeSet<PartyId>,
    /// Signers that have answered as one does that takes part.
    took_part: BTreeSet<PartyId>,
    /// `true` once another attempt was begun because of silent signers.
    is_replaced: bool,
}

impl Signing {
    pub(crate) fn new(key: KeyId, sign: Sign) -> Self {
        let (attempts, refused, without, earlier, bound) = <_>::default();
        let (next, luckless, last) = (0, 0, 0);
        Self {
            key,
            sign,
            attempts,
            next,
            refused,
            without,
            is_out: false,
            luckless,
            earlier,
            bound,
            last,
        }
    }

    /// The items that the attempts spend, by their numbers.
    pub(crate) fn items(&self) -> Vec<(u32, Vec<Item>)> {
        self.attempts.iter().map(|(number, attempt)| (*number, attempt.items.clone())).collect()
    }

    /// Returns whether what is signed must not be contradicted.
    fn has_watermark(&self) -> bool {
        Purpose::from_bytes(&self.sign.purpose).is_ok_and(|purpose| purpose.watermark().is_some())
    }

    /// Returns whether nodes are excluded.
    pub(crate) fn is_choosy(&self) -> bool {
        !self.refused.is_empty() || !self.without.is_empty()
    }

    /// Returns whether no attempt is under way. One that was replaced may never end.
    fn needs_attempt(&self) -> bool {
        self.attempts.values().all(|attempt| attempt.is_replaced)
    }

    /// The time that an attempt is given: twice that of the one before.
    fn patience(&self, number: u32, config: &Config) -> u64 {
        let doubled = number.saturating_sub(self.luckless).min(12);
        millis(config.times.patience).saturating_mul(1_u64 << doubled)
    }

    pub(crate) fn excludes(&self, party: PartyId) -> bool {
        self.refused.contains_key(&party) || self.without.contains(&party)
    }
}

impl Attempt {
    fn order(&self, open: &Open) -> Order {
        let (request, material) = (open.record.signed.clone(), self.material.clone());
        Order::Sign { request, approvals: open.approvals(), material }
    }
}

impl Engine {
    /// Begins attempts for the requests that need one, those of keys with priority first.
    pub(crate) fn assign(&mut self, now: Now) {
        let mut exhausted = BTreeSet::new();
        let mut begun = BTreeSet::new();
        let room = self.config.max_attempts.saturating_sub(self.ordinary_attempts());
        let mut room = room;
        for entry in self.waiting.clone() {
            let (is_ordinary, _, id) = entry;
            let Some((key, is_choosy)) = self.wants_attempt(id) else {
                begun.insert(entry);
                continue;
            };
            if exhausted.contains(&key) && !is_choosy || is_ordinary && room == 0 {
                continue;
            }
            if self.attempt(id, now) {
                begun.insert(entry);
                room = room.saturating_sub(usize::from(is_ordinary));
            } else if !is_choosy {
                exhausted.insert(key);
            }
        }
        self.waiting.retain(|entry| !begun.contains(entry));
    }

    fn ordinary_attempts(&self) -> usize {
        let ordinary = self.requests.values().filter(|open| open.is_ordinary);
        let attempts = ordinary.filter_map(Open::signing).flat_map(|one| one.attempts.values());
        attempts.filter(|attempt| !attempt.is_replaced).count()
    }

    /// The key of a request that may begin an attempt, and whether nodes are excluded.
    fn wants_attempt(&self, id: RequestId) -> Option<(KeyId, bool)> {
        let signing = self.requests.get(&id)?.signing()?;
        Some((signing.key, signing.is_choosy()))
    }

    /// Begins an attempt. Returns `false` if nothing is ready for one.
    fn attempt(&mut self, id: RequestId, now: Now) -> bool {
        if let Some(items) = self.take_items(id, now) {
            return self.begin(id, items, now);
        }
        // Nodes that were left out may be asked again rather than nobody, but not at once: one of them may answer at once.
        let signing = self.requests.get_mut(&id).and_then(|open| open.signing_mut());
        let had = signing.is_some_and(|signing| {
            let patience = signing.patience(signing.next.saturating_sub(1), &self.config);
            let waited = now.tick.saturating_sub(signing.last) >= patience;
            let again = waited && signing.needs_attempt() && !signing.without.is_empty();
            if again {
                signing.without.clear();
            }
            again
        });
        had && self.take_items(id, now).is_some_and(|items| self.begin(id, items, now))
    }

    fn take_items(&mut self, id: RequestId, now: Now) -> Option<Vec<Item>> {
        let signing = self.requests.get(&id)?.signing()?;
        let known = self.keys.get(&signing.key)?;
        let usable = self.usable(known.members(), |party| signing.excludes(party), now);
        let key = signing.key;
        self.keys.get_mut(&key)?.take(&usable)
    }

    /// Stores an attempt, and orders shares.
    fn begin(&mut self, id: RequestId, items: Vec<Item>, now: Now) -> bool {
        let Some(open) = self.requests.get_mut(&id) else { return true };
        let Work::Sign(signing) = &mut open.work else { return true };
        let number = signing.next;
        let known = self.keys.get(&signing.key);
        let tries = known.map_or(1, |known| known.certificate().spec.scheme.tries());
        let most = MOST_ATTEMPTS.saturating_mul(tries);
        if number >= most {
            let last = open.reasons.values().last().map(|why| format!(": {why}"));
            let why = format!("{most} attempts failed{}", last.unwrap_or_default());
            self.end(id, State::Refused(refuse(Reason::RunFailed, why)), now);
            return true;
        }
        signing.next = number.saturating_add(1);
        self.changed.insert(id);
        self.open_attempt(id, number, items, now);
        true
    }

    /// Opens a stored attempt, and orders shares.
    pub(crate) fn open_attempt(&mut self, id: RequestId, number: u32, items: Vec<Item>, now: Now) {
        let Some(open) = self.requests.get_mut(&id) else { return };
        let Work::Sign(signing) = &mut open.work else { return };
        let Some(known) = self.keys.get_mut(&signing.key) else { return };
        if known.has_stock() {
            items.iter().for_each(|item| known.pool.mark_used(item));
        }
        let (material, session) = match known.family.begin(&signing.sign, &items) {
            Ok(begun) => begun,
            Err(why) if why.reason == Reason::WrongMaterial => {
                self.wait_for_attempt(id);
                return;
            }
            Err(why) => return self.end(id, State::Refused(why), now),
        };
        let signers: Vec<PartyId> = items.iter().flat_map(Item::signers).collect();
        let (awaiting, begun, took_part) = <_>::default();
        let is_replaced = false;
        let since = now.tick;
        let attempt = Attempt {
            signers,
            session,
            material,
            items,
            since,
            awaiting,
            begun,
            took_part,
            is_replaced,
        };
        signing.attempts.insert(number, attempt);
        signing.last = now.tick;
        open.record.state = State::Ordered;
        self.order_shares(id, number, now);
        self.order_marks(id, number, now);
    }

    /// Shows a request with a watermark to the members that give no share of it. What one of them misses, a later mark raises.
    fn order_marks(&mut self, id: RequestId, number: u32, now: Now) {
        let Some(open) = self.requests.get(&id) else { return };
        let Some(signing) = open.signing().filter(|signing| signing.has_watermark()) else {
            return;
        };
        let Some((attempt, known)) = signing.attempts.get(&number).zip(self.keys.get(&signing.key))
        else {
            return;
        };
        let (pause, versions, times) = (self.soon(now), self.config.versions, self.config.times);
        let others = known.members().iter().filter(|party| !attempt.signers.contains(party));
        for party in others {
            let node = self.nodes.get(party);
            if node.is_none_or(|node| node.version(versions, times, now) < MARKS) {
                continue;
            }
            let (request, approvals) = (open.record.signed.clone(), open.approvals());
            self.orders.give(*party, Task::Mark(id), Order::Mark { request, approvals }, pause);
        }
    }

    /// Orders the shares of an attempt from the signers that have no order.
    fn order_shares(&mut self, id: RequestId, number: u32, now: Now) {
        let Some(open) = self.requests.get(&id) else { return };
        let Some(attempt) = open.signing().and_then(|signing| signing.attempts.get(&number)) else {
            return;
        };
        let pause = self.soon(now);
        for signer in attempt.signers.iter().filter(|signer| !attempt.awaiting.contains(signer)) {
            self.orders.give(*signer, Task::Sign(id, number), attempt.order(open), pause);
        }
    }

    /// Takes in a node's answer to an order for a share.
    pub(crate) fn shared(
        &mut self,
        from: PartyId,
        id: RequestId,
        number: u32,
        answer: Answer,
        now: Now,
    ) {
        let Some(open) = self.requests.get_mut(&id) else { return };
        let Work::Sign(signing) = &mut open.work else { return };
        let is_interactive = self.keys.get(&signing.key).is_some_and(Known::is_interactive);
        let Some(attempt) = signing.attempts.get_mut(&number) else { return };
        match answer {
            Answer::Share { bytes } => {
                signing.is_out = true;
                attempt.took_part.insert(from);
                signing.bound.insert(from, Bound::own(&signing.sign, &attempt.material));
                open.reasons.remove(&from);
                match attempt.session.receive(from, &bytes) {
                    AttemptState::Waiting => {}
                    AttemptState::Signed(signature) => self.signed(id, number, signature, now),
                    AttemptState::Failed(failed) => self.failed(id, number, failed, now),
                }
            }
            Answer::Refused(refusal) => self.share_refused(from, id, number, refusal, now),
            Answer::Earlier(recorded) => {
                // The node has not spent what this attempt has of it.
                let own = attempt.items.iter().find(|item| item.signers().eq([from]));
                if let Some((known, own)) = self.keys.get_mut(&signing.key).zip(own) {
                    known.pool.give_back(own);
                }
                if self.recorded(from, id, *recorded, now) {
                    self.never(from, id, number, other_time(), now);
                    self.hurry_earlier(id, now);
                }
            }
            Answer::Done if is_interactive => {
                signing.is_out = true;
                attempt.took_part.insert(from);
                self.had_no_luck(id, number);
            }
            // This answer has ended the node's order, so the node would never count as silent: it is left out here.
            _ => {
                tracing::warn!(request = %id, %from, "this is no answer to an order to sign");
                self.drop_attempt(id, number, &[from], now);
            }
        }
    }

    fn signed(&mut self, id: RequestId, number: u32, signature: Signature, now: Now) {
        let Some(open) = self.requests.get(&id) else { return };
        let Some(signing) = open.signing() else { return };
        let waited = now.tick.saturating_sub(open.since);
        // Of signers that sign together, the first gives the whole signature. The others are on record only if they have said that
        // they took part: an audit asks their logs for it.
        let took_part = |attempt: &Attempt| {
            let signers = attempt.signers.iter().copied();
            signers.filter(|signer| attempt.took_part.contains(signer)).collect::<Vec<_>>()
        };
        let signers = signing.attempts.get(&number).map(took_part);
        if let Some(known) = self.keys.get(&signing.key) {
            let scheme = known.certificate().spec.scheme.name();
            let count = self.metrics.signatures.entry(scheme).or_default();
            *count = count.saturating_add(1);
        }
        self.metrics.signing_milliseconds =
            self.metrics.signing_milliseconds.saturating_add(waited);
        let signers = signers.unwrap_or_default();
        self.record_signers(id, &signers, now);
        self.succeeded_with(signers);
        self.end(id, State::Done(Outcome::Signature(signature)), now);
    }

    /// The shares of an attempt give no signature. A node whose share has failed verification is named, and not asked again.
    fn failed(&mut self, id: RequestId, number: u32, failed: Failed, now: Now) {
        for (party, why) in &failed.cheaters {
            tracing::error!(%party, %why, "a share of this node fails verification");
            self.nodes.entry(*party).and_modify(|node| node.cheated = Some(why.clone()));
            if let Some(member) = self.directory.member_of(*party) {
                let name = cheater_name(*party, member);
                self.writes.push(Write::Put(Space::Cheaters, name, why.clone().into_bytes()));
            }
        }
        tracing::warn!(request = %id, why = %failed.why, "an attempt to sign has failed");
        let unfit: Vec<PartyId> = failed.unfit.into_iter().map(|(party, _)| party).collect();
        self.drop_attempt(id, number, &unfit, now);
    }

    /// Gives an attempt up, and waits for another one.
    fn drop_attempt(&mut self, id: RequestId, number: u32, without: &[PartyId], now: Now) {
        self.orders.withdraw_all(Task::Sign(id, number));
        self.failed_with(without.iter().copied(), now);
        self.metrics.failed_attempts = self.metrics.failed_attempts.saturating_add(1);
        let signing = self.requests.get_mut(&id).and_then(|open| open.signing_mut());
        if let Some(signing) = signing {
            signing.attempts.remove(&number);
            signing.without.extend(without);
        }
        self.wait_for_attempt(id);
    }

    fn share_refused(
        &mut self,
        from: PartyId,
        id: RequestId,
        number: u32,
        refusal: Refusal,
        now: Now,
    ) {
        let Some(open) = self.requests.get_mut(&id) else { return };
        let reason = refusal.reason;
        open.reasons.insert(from, refusal.clone());
        match reason {
            Reason::ApprovalsMissing => self.awaits_approvals(from, id, number),
            Reason::UnknownMaterial | Reason::WrongMaterial => {
                let key = open.signing().map(|signing| signing.key);
                // The node has dropped more than this, perhaps: it has restarted.
                if let Some(known) = key.and_then(|key| self.keys.get_mut(&key)) {
                    known.pool.drop_list(from);
                }
                self.drop_attempt(id, number, &[], now);
                key.into_iter().for_each(|key| self.list_stock(key, from, now));
            }
            Reason::RunFailed => self.run_failed(id, number, now),
            _ if refusal.is_retryable() => self.ask_later(from, id, number, now),
            _ => self.never(from, id, number, refusal, now),
        }
    }

    /// A node wants approvals. Its part of the attempt waits for them.
    fn awaits_approvals(&mut self, from: PartyId, id: RequestId, number: u32) {
        let Some(open) = self.requests.get_mut(&id) else { return };
        let Work::Sign(signing) = &mut open.work else { return };
        if let Some(attempt) = signing.attempts.get_mut(&number) {
            attempt.awaiting.insert(from);
            open.record.state = State::ApprovalsMissing;
        }
    }

    /// Gives an order again that a node could not carry out now.
    fn ask_later(&mut self, from: PartyId, id: RequestId, number: u32, now: Now) {
        let Some(open) = self.requests.get(&id) else { return };
        let Some(attempt) = open.signing().and_then(|signing| signing.attempts.get(&number)) else {
            return;
        };
        let order = attempt.order(open);
        self.orders.give_later(from, Task::Sign(id, number), order, self.later(now));
    }

    /// A node refuses a request for good: the request ends when too few are left.
    fn never(&mut self, from: PartyId, id: RequestId, number: u32, refusal: Refusal, now: Now) {
        let signing = self.requests.get_mut(&id).and_then(|open| open.signing_mut());
        let Some(signing) = signing else { return };
        signing.refused.insert(from, refusal.clone());
        if self.lacks_members(id, |_| true) {
            return self.end_by_earlier(id, refusal, now);
        }
        self.drop_attempt(id, number, &[], now);
    }

    /// Returns whether fewer members than the threshold are left for a request, of those that the function accepts.
    pub(crate) fn lacks_members(&self, id: RequestId, accepts: impl Fn(PartyId) -> bool) -> bool {
        let Some(signing) = self.requests.get(&id).and_then(Open::signing) else { return false };
        let Some(known) = self.keys.get(&signing.key) else { return false };
        let cheated =
            |party: &PartyId| self.nodes.get(party).is_some_and(|node| node.cheated.is_some());
        let left = |party: &&PartyId| {
            !signing.refused.contains_key(party) && !cheated(party) && accepts(**party)
        };
        known.members().iter().filter(left).count() < known.threshold()
    }

    /// Ends a request that too few members are left for, unless it may have the signature of an earlier vote.
    pub(crate) fn end_by_earlier(&mut self, id: RequestId, refusal: Refusal, now: Now) {
        if self.awaits_earlier(id, now) || self.asks_for_latest(id, now) {
            return;
        }
        let Some(signing) = self.requests.get(&id).and_then(Open::signing) else { return };
        let refused = signing.refused.clone();
        let why = self.named(&refused, &refusal);
        self.end(id, State::Refused(why), now);
    }

    /// Shows new approvals to the nodes that wait for them.
    pub(crate) fn approved(&mut self, id: RequestId, now: Now) {
        let Some(open) = self.requests.get_mut(&id) else { return };
        if open.record.state == State::ApprovalsMissing {
            open.record.state = State::Ordered;
        }
        match &mut open.work {
            Work::Sign(signing) => {
                let numbers: Vec<u32> = signing.attempts.keys().copied().collect();
                signing.attempts.values_mut().for_each(|attempt| attempt.awaiting.clear());
                for number in numbers {
                    // Orders that are under way have the earlier approvals.
                    self.orders.withdraw_all(Task::Sign(id, number));
                    self.order_shares(id, number, now);
                }
            }
            Work::Members(_) => {
                self.orders.withdraw_all(Task::Work(id));
                self.order_work(id, now);
            }
        }
    }

    /// Begins other attempts where signers are silent.
    pub(crate) fn replace_silent(&mut self, now: Now) {
        let (mut silent, mut stalled) = (Vec::new(), Vec::new());
        for (id, open) in &mut self.requests {
            let Some(signing) = open.signing_mut() else { continue };
            let patience = |number| signing.patience(number, &self.config);
            let patience: Vec<u64> = signing.attempts.keys().copied().map(patience).collect();
            for ((number, attempt), patience) in signing.attempts.iter_mut().zip(patience) {
                let waited = now.tick.saturating_sub(attempt.since) >= patience;
                if !waited || attempt.is_replaced || !attempt.awaiting.is_empty() {
                    continue;
                }
                attempt.is_replaced = true;
                let mut nodes = self.orders.nodes(Task::Sign(*id, *number));
                if !nodes.is_empty() && nodes.iter().all(|node| attempt.begun.contains(node)) {
                    // Those that still wait may be the honest ones: a signer that lies has answered at once.
                    stalled.push((*id, *number, attempt.signers.clone()));
                    continue;
                }
                nodes.retain(|node| !attempt.begun.contains(node));
                signing.without.extend(nodes.iter().copied());
                silent.push((*id, nodes));
            }
        }
        for (id, nodes) in silent {
            self.failed_with(nodes, now);
            self.wait_for_attempt(id);
        }
        for (id, number, nodes) in stalled {
            self.drop_attempt(id, number, &nodes, now);
        }
    }

    /// Takes note that a node signs together with the other signers. Where each gives a share alone, there is nothing to begin.
    pub(crate) fn has_begun(&mut self, from: PartyId, id: RequestId, number: u32) {
        let signing = self.requests.get_mut(&id).and_then(|open| open.signing_mut());
        let Some(signing) = signing else { return };
        if !self.keys.get(&signing.key).is_some_and(Known::is_interactive) {
            return;
        }
        if let Some(attempt) = signing.attempts.get_mut(&number) {
            signing.is_out = true;
            attempt.begun.insert(from);
            attempt.took_part.insert(from);
        }
    }

    /// A signer has no signature, and nobody is at fault. Another one may have it: the attempt is over when all have none.
    fn had_no_luck(&mut self, id: RequestId, number: u32) {
        if !self.orders.nodes(Task::Sign(id, number)).is_empty() {
            return;
        }
        if let Some(signing) = self.requests.get_mut(&id).and_then(|open| open.signing_mut()) {
            signing.attempts.remove(&number);
            signing.luckless = signing.luckless.saturating_add(1);
        }
        self.changed.insert(id);
        self.wait_for_attempt(id);
    }

    /// The run of an attempt has failed. The one that says so first may lie, so all signers count as failed.
    fn run_failed(&mut self, id: RequestId, number: u32, now: Now) {
        let signing = self.requests.get(&id).and_then(|open| open.signing());
        let attempt = signing.and_then(|signing| signing.attempts.get(&number));
        let signers = attempt.map(|attempt| attempt.signers.clone());
        self.drop_attempt(id, number, &signers.unwrap_or_default(), now);
    }

    /// Drops the attempts for a key whose shares have changed.
    pub(crate) fn restart_attempts(&mut self, key: KeyId, now: Now) {
        let of_key = |open: &Open| open.signing().is_some_and(|signing| signing.key == key);
        let ids: Vec<RequestId> =
            self.requests.iter().filter(|(_, open)| of_key(open)).map(|(id, _)| *id).collect();
        for id in ids {
            let signing = self.requests.get(&id).and_then(|open| open.signing());
            let numbers =
                signing.map(|signing| signing.attempts.keys().copied().collect::<Vec<_>>());
            for number in numbers.unwrap_or_default() {
                self.drop_attempt(id, number, &[], now);
            }
            self.wait_for_attempt(id);
        }
    }

    /// Puts a request among those that need an attempt, unless one is under way.
    pub(crate) fn wait_for_attempt(&mut self, id: RequestId) {
        let open = self.requests.get(&id);
        if let Some(open) = open.filter(|open| open.signing().is_none_or(Signing::needs_attempt)) {
            self.waiting.insert((open.is_ordinary, open.since, id));
        }
    }
}

impl Known {
    /// Returns whether the signers of an attempt sign together.
    fn is_interactive(&self) -> bool {
        self.certificate().spec.scheme.is_interactive()
    }

    /// Takes what an attempt needs, of signers that are among these: the first are preferred.
    fn take(&mut self, usable: &[PartyId]) -> Option<Vec<Item>> {
        if self.certificate().spec.scheme.is_presigned() {
            let fits = |signers: &&[PartyId]| signers.iter().all(|party| usable.contains(party));
            let counts = self.pool.counts().filter(|(signers, count)| *count > 0 && fits(signers));
            let signers = counts.max_by_key(|(_, count)| *count)?.0.to_vec();
            return self.pool.take(&signers).map(|item| vec![item]);
        }
        if !self.has_stock() {
            let mut signers: Vec<u16> =
                usable.iter().take(self.threshold()).map(|party| party.get()).collect();
            signers.sort_unstable();
            let mut name = [0; 32];
            getrandom::fill(&mut name).ok().filter(|()| signers.len() == self.threshold())?;
            return Some(vec![Item { name, signers, bytes: Vec::new(), read: <_>::default() }]);
        }
        let has = |party: &&PartyId| self.pool.count(&[**party]) > 0;
        let signers: Vec<PartyId> =
            usable.iter().filter(has).take(self.threshold()).copied().collect();
        if signers.len() < self.threshold() {
            return None;
        }
        signers.into_iter().map(|party| self.pool.take(&[party])).collect()
    }
}

/// The name of a cheater's row. A node whose identity is replaced starts anew.
pub(crate) fn cheater_name(party: PartyId, member: &Member) -> Vec<u8> {
    let key = member.current.id();
    [party.get().to_be_bytes().as_slice(), key.as_bytes().as_slice()].concat()
}
