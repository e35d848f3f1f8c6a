//! Requests that nodes carry out together: keys are made and changed, requests are cancelled.

use std::collections::{BTreeMap, BTreeSet};

use custody_core::{Answer, KeyId, KeySpec, Operation, Order, Reason, Refusal, RequestId};
use quorate::PartyId;

use crate::config::Now;
use crate::engine::Engine;
use crate::orders::Task;
use crate::requests::{Open, Work};
use crate::state::{Outcome, State, refuse};

/// The work that nodes do together for a request.
pub(crate) struct Members {
    job: Job,
    /// The nodes that take part.
    all: Vec<PartyId>,
    /// The nodes that leave the key: nobody waits for them.
    leaving: Vec<PartyId>,
    /// The nodes that have carried out the order, with the key that they made.
    done: BTreeMap<PartyId, Option<KeyId>>,
    /// The nodes that want approvals.
    awaiting: BTreeSet<PartyId>,
    /// The statements of the agreement about new shares.
    statements: BTreeSet<Vec<u8>>,
    /// The nodes that count on no older shares.
    agreed: BTreeSet<PartyId>,
    /// The nodes that have answered the statements that there are, and those of them that never vote about these shares.
    heard: BTreeSet<PartyId>,
    barred: BTreeMap<PartyId, Refusal>,
}

enum Job {
    Generate,
    /// A change of a key. It gets new shares if there is the number of the epoch before.
    Change {
        key: KeyId,
        epoch: Option<u32>,
        committee: Option<(u16, Vec<PartyId>)>,
    },
    Cancel {
        target: RequestId,
        enough: usize,
    },
    Replenish {
        key: KeyId,
        count: usize,
    },
}

impl Members {
    /// The nodes that a request waits for.
    fn needed(&self) -> impl Iterator<Item = PartyId> + '_ {
        self.all.iter().copied().filter(|party| !self.leaving.contains(party))
    }

    /// Returns whether all of these count on no older shares.
    fn have_agreed(&self) -> bool {
        self.needed().all(|party| self.agreed.contains(&party))
    }

    /// The refusal of a node that never votes about the new shares, once nobody has anything new to say. All others have voted then, so
    /// that the next change finds them alike.
    fn cannot_agree(&self) -> Option<&Refusal> {
        let answered = |party| self.heard.contains(&party) || self.agreed.contains(&party);
        self.needed().all(answered).then_some(())?;
        self.needed().find_map(|party| self.barred.get(&party))
    }
}

impl Engine {
    /// The members and the job of an operation.
    pub(crate) fn members_of(&self, operation: &Operation) -> Result<Members, Refusal> {
        let (job, all) = match operation {
            Operation::CreateKey(spec) => (Job::Generate, spec.members.clone()),
            Operation::Cancel(target) => self.cancel_of(*target),
            Operation::Replenish(key, body) => {
                let known = self.known(*key)?;
                if !known.has_stock() {
                    let scheme = known.certificate().spec.scheme;
                    let why = format_args!("nothing is made ahead for keys of {scheme}");
                    return Err(refuse(Reason::Unsupported, why));
                }
                let count = usize::try_from(body.count).unwrap_or(usize::MAX);
                (Job::Replenish { key: *key, count }, Vec::new())
            }
            Operation::Refresh(key) => self.change_of(*key, true, None)?,
            Operation::Reshare(key, to) => {
                self.change_of(*key, true, Some((to.threshold, to.members.clone())))?
            }
            Operation::Disable(key)
            | Operation::Enable(key)
            | Operation::ScheduleDeletion(key, _)
            | Operation::CancelDeletion(key) => self.change_of(*key, false, None)?,
            _ => {
                return Err(refuse(Reason::Unsupported, "the gateway does not know the operation"));
            }
        };
        if let Some(stranger) = all.iter().find(|party| !self.nodes.contains_key(party)) {
            let why = format_args!("the directory has no node {stranger}");
            return Err(refuse(Reason::Limit, why));
        }
        let (done, awaiting) = (BTreeMap::new(), BTreeSet::new());
        let (statements, agreed, heard, barred) = <_>::default();
        let stay = match &job {
            Job::Change { committee: Some((_, members)), .. } => members.clone(),
            _ => all.clone(),
        };
        let leaving = all.iter().copied().filter(|party| !stay.contains(party)).collect();
        Ok(Members { job, all, leaving, done, awaiting, statements, agreed, heard, barred })
    }

    fn known(&self, key: KeyId) -> Result<&crate::keys::Known, Refusal> {
        self.keys.get(&key).ok_or_else(|| {
            if self.votes.contains_key(&key) {
                let why = "the members are asked for the certificate of the key";
                return refuse(Reason::KeyUnconfirmed, why);
            }
            refuse(Reason::UnknownKey, format_args!("no key {key} is certified"))
        })
    }

    fn change_of(
        &self,
        key: KeyId,
        has_shares: bool,
        committee: Option<(u16, Vec<PartyId>)>,
    ) -> Result<(Job, Vec<PartyId>), Refusal> {
        let known = self.known(key)?;
        let epoch = has_shares.then(|| known.certificate().epoch);
        let joining = committee.iter().flat_map(|(_, members)| members);
        let all: BTreeSet<PartyId> = known.members().iter().chain(joining).copied().collect();
        Ok((Job::Change { key, epoch, committee }, all.into_iter().collect()))
    }

    /// A request is cancelled when the nodes that might still give a share for it are too few to sign.
    fn cancel_of(&self, target: RequestId) -> (Job, Vec<PartyId>) {
        let signing = self.requests.get(&target).and_then(|open| open.signing());
        let known = signing.and_then(|signing| self.keys.get(&signing.key));
        let (all, threshold) =
            known.map_or((Vec::new(), 1), |known| (known.members().to_vec(), known.threshold()));
        let is_idle = signing.is_none_or(|signing| signing.next == 0);
        let rest = all.len().saturating_sub(threshold) + 1;
        let enough = if is_idle { 0 } else { rest };
        (Job::Cancel { target, enough }, all)
    }

    /// The order that members carry out for a request.
    fn order_of(&self, open: &Open) -> Option<Order> {
        let (request, approvals) = (open.record.signed.clone(), open.approvals());
        let Work::Members(members) = &open.work else { return None };
        Some(match &members.job {
            Job::Generate => Order::Generate { request, approvals },
            Job::Change { key, .. } => {
                let known = self.keys.get(key);
                let certificate = known.map(|known| Box::new(known.signed.clone()));
                Order::Change { request, approvals, certificate }
            }
            Job::Cancel { .. } => Order::Cancel { request },
            Job::Replenish { .. } => return None,
        })
    }

    /// Gives the orders of a request to the members that have not carried them out.
    pub(crate) fn order_work(&mut self, id: RequestId, now: Now) {
        let order = self.requests.get(&id).and_then(|open| self.order_of(open));
        let pause = self.soon(now);
        let Some(open) = self.requests.get_mut(&id) else { return };
        let Work::Members(members) = &mut open.work else { return };
        members.awaiting.clear();
        open.record.state = State::Ordered;
        if let Job::Replenish { key, count } = members.job
            && let Some(known) = self.keys.get_mut(&key)
        {
            known.wanted = known.wanted.max(count);
        }
        let owing = members.all.iter().filter(|party| !members.done.contains_key(party));
        for (party, order) in owing.zip(order.into_iter().cycle()) {
            self.orders.give(*party, Task::Work(id), order, pause);
        }
        self.look_at_work(id, now);
    }

    /// Takes in a node's answer to an order of a request.
    pub(crate) fn worked(&mut self, from: PartyId, id: RequestId, answer: Answer, now: Now) {
        let Some(open) = self.requests.get_mut(&id) else { return };
        let Work::Members(members) = &mut open.work else { return };
        match answer {
            Answer::Done => drop(members.done.insert(from, None)),
            Answer::Made { key } => drop(members.done.insert(from, Some(key))),
            Answer::Refused(refusal) => return self.work_refused(from, id, refusal, now),
            _ => return,
        }
        open.reasons.remove(&from);
        self.look_at_work(id, now);
    }

    fn work_refused(&mut self, from: PartyId, id: RequestId, refusal: Refusal, now: Now) {
        let order = self.requests.get(&id).and_then(|open| self.order_of(open));
        let pause = self.later(now);
        let Some(open) = self.requests.get_mut(&id) else { return };
        open.reasons.insert(from, refusal.clone());
        let Work::Members(members) = &mut open.work else { return };
        match order {
            // A member that leaves is not always needed.
            _ if members.leaving.contains(&from) && !refusal.is_retryable() => {
                members.done.insert(from, None);
            }
            _ if refusal.reason == Reason::ApprovalsMissing => {
                members.awaiting.insert(from);
                open.record.state = State::ApprovalsMissing;
            }
            // Others may be enough.
            Some(Order::Cancel { .. }) | None => {}
            Some(order) if refusal.is_retryable() => {
                self.orders.give_later(from, Task::Work(id), order, pause);
            }
            Some(_) => {
                let why = self.named(&BTreeMap::from([(from, refusal.clone())]), &refusal);
                self.end(id, State::Refused(why), now);
            }
        }
    }

    /// Ends a request whose members have done enough, or goes to its next step.
    fn look_at_work(&mut self, id: RequestId, now: Now) {
        let Some(open) = self.requests.get(&id) else { return };
        let Work::Members(members) = &open.work else { return };
        let all_done = members.needed().all(|party| members.done.contains_key(&party));
        match &members.job {
            Job::Generate if all_done => self.all_have_made(id, now),
            Job::Change { epoch: None, .. } if all_done => {
                self.end(id, State::Done(Outcome::Done), now);
            }
            Job::Change { epoch: Some(_), .. } if all_done => self.agree(id, now),
            Job::Cancel { target, enough } if members.done.len() >= *enough => {
                let target = *target;
                let signing = self.requests.get(&target).and_then(|open| open.signing());
                if signing.is_some_and(|signing| !signing.is_out) {
                    self.end(target, State::Cancelled, now);
                }
            }
            _ => {}
        }
    }

    /// Asks for the certificate of a key that all have made, if it is one key.
    fn all_have_made(&mut self, id: RequestId, now: Now) {
        let Some(Work::Members(members)) = self.requests.get(&id).map(|open| &open.work) else {
            return;
        };
        let keys: BTreeSet<Option<KeyId>> = members.done.values().copied().collect();
        match keys.first().copied().flatten().filter(|_| keys.len() == 1) {
            Some(key) if self.keys.contains_key(&key) => {
                self.end(id, State::Done(Outcome::Key(key)), now);
            }
            Some(key) => self.ask_for_certificate(key, now),
            None => {
                let why = refuse(Reason::RunFailed, "the members name different keys");
                self.end(id, State::Refused(why), now);
            }
        }
    }

    /// Carries the statements of members to those that have not agreed.
    fn agree(&mut self, id: RequestId, now: Now) {
        let Some(Work::Members(members)) = self.requests.get(&id).map(|open| &open.work) else {
            return;
        };
        let Job::Change { key, epoch: Some(before), .. } = members.job else { return };
        if members.have_agreed() {
            let known = self.keys.get(&key);
            if known.is_some_and(|known| known.certificate().epoch > before) {
                return self.end(id, State::Done(Outcome::Done), now);
            }
            return self.ask_for_certificate(key, now);
        }
        let statements: Vec<Vec<u8>> = members.statements.iter().cloned().collect();
        let pause = self.soon(now);
        for party in members.all.iter().filter(|party| !members.agreed.contains(party)) {
            let order = Order::Agree { key, statements: statements.clone() };
            self.orders.give(*party, Task::Agree(id), order, pause);
        }
    }

    /// Takes in how far the agreement has come at a node.
    pub(crate) fn agreed(&mut self, from: PartyId, id: RequestId, answer: Answer, now: Now) {
        let Some(open) = self.requests.get_mut(&id) else { return };
        let Work::Members(members) = &mut open.work else { return };
        let Job::Change { key, epoch: Some(before), .. } = members.job else { return };
        let mut is_news = false;
        match answer {
            Answer::Refused(why) => {
                open.reasons.insert(from, why.clone());
                if why.reason == Reason::RolledBack {
                    members.heard.insert(from);
                    members.barred.insert(from, why);
                }
            }
            Answer::Agreement { statements, epoch, done } => {
                open.reasons.remove(&from);
                members.heard.insert(from);
                members.barred.remove(&from);
                for statement in statements {
                    let has_room = members.statements.len() < Order::MAX_STATEMENTS;
                    is_news |= has_room && members.statements.insert(statement);
                }
                if done && epoch > before {
                    members.agreed.insert(from);
                }
            }
            _ => {}
        }
        if is_news {
            // Everybody is asked again.
            members.heard.clear();
        } else if let Some(why) = members.cannot_agree().cloned() {
            let reasons = open.reasons.clone();
            let why = self.named(&reasons, &why);
            return self.end(id, State::Refused(why), now);
        }
        if is_news {
            self.orders.withdraw_all(Task::Agree(id));
        } else if !members.agreed.contains(&from) {
            let statements = members.statements.iter().cloned().collect();
            let pause = self.soon(now);
            let order = Order::Agree { key, statements };
            self.orders.give_later(from, Task::Agree(id), order, pause);
        }
        self.agree(id, now);
    }

    /// Continues the requests that have waited for a key's certificate.
    pub(crate) fn key_is_known(&mut self, key: KeyId, now: Now) {
        let Some(known) = self.keys.get(&key) else { return };
        let epoch = known.certificate().epoch;
        let mut ends = Vec::new();
        for (id, open) in &self.requests {
            match &open.work {
                Work::Sign(signing) if signing.key == key => {
                    if let Err(why) = known.family.check(&signing.sign) {
                        ends.push((*id, State::Refused(why)));
                    }
                }
                Work::Members(members) => match &members.job {
                    Job::Generate if members.done.values().any(|made| *made == Some(key)) => {
                        ends.push((*id, State::Done(Outcome::Key(key))));
                    }
                    Job::Change { key: of, epoch: Some(before), .. }
                        if *of == key && epoch > *before && members.have_agreed() =>
                    {
                        ends.push((*id, State::Done(Outcome::Done)));
                    }
                    _ => {}
                },
                Work::Sign(_) => {}
            }
        }
        ends.into_iter().for_each(|(id, state)| self.end(id, state, now));
    }

    /// Ends the requests to sign with a key that no node has.
    pub(crate) fn key_is_unknown(&mut self, key: KeyId, why: &Refusal, now: Now) {
        let waits = |open: &Open| open.signing().is_some_and(|one| one.key == key);
        let ids: Vec<RequestId> =
            self.requests.iter().filter(|(_, open)| waits(open)).map(|(id, _)| *id).collect();
        ids.into_iter().for_each(|id| self.end(id, State::Refused(why.clone()), now));
    }

    /// Returns whether a caller wants a key to go to this committee.
    pub(crate) fn is_wanted(&self, key: &KeyId, spec: &KeySpec) -> bool {
        let committee = (spec.threshold, spec.members.clone());
        self.requests.values().any(|open| match &open.work {
            Work::Members(Members {
                job: Job::Change { key: of, committee: wanted, .. }, ..
            }) => of == key && wanted.as_ref() == Some(&committee),
            _ => false,
        })
    }

    /// Returns whether members are making new shares of a key. Their certificate is asked for when all have agreed.
    pub(crate) fn is_changing(&self, key: &KeyId) -> bool {
        self.requests.values().any(|open| match &open.work {
            Work::Members(Members { job: Job::Change { key: of, epoch: Some(_), .. }, .. }) => {
                of == key
            }
            _ => false,
        })
    }

    /// Ends the requests to cancel a request that has ended.
    pub(crate) fn target_ended(&mut self, ended: RequestId, is_cancelled: bool, now: Now) {
        let cancels = |open: &Open| match &open.work {
            Work::Members(Members { job: Job::Cancel { target, .. }, .. }) => *target == ended,
            _ => false,
        };
        let ids: Vec<RequestId> =
            self.requests.iter().filter(|(_, open)| cancels(open)).map(|(id, _)| *id).collect();
        for id in ids {
            let late = || refuse(Reason::RequestConflict, "the request has ended before");
            let state =
                if is_cancelled { State::Done(Outcome::Done) } else { State::Refused(late()) };
            self.end(id, state, now);
        }
    }

    /// Ends the requests for a stock that is there.
    pub(crate) fn look_at_stock(&mut self, now: Now) {
        let mut ends = Vec::new();
        for (id, open) in &self.requests {
            if let Work::Members(Members { job: Job::Replenish { key, count }, .. }) = &open.work
                && self.keys.get(key).is_some_and(|known| known.stock() >= *count)
            {
                ends.push((*id, *key));
            }
        }
        for (id, key) in ends {
            if let Some(known) = self.keys.get_mut(&key) {
                known.wanted = 0;
            }
            self.end(id, State::Done(Outcome::Done), now);
        }
    }
}
