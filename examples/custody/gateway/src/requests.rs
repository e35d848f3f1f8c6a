//! Requests: accepted once, kept until they have ended, and described to callers.

use std::collections::BTreeMap;

use custody_core::{
    KeyId, Operation, Order, Page, Reason, Refusal, RequestDescription, RequestId, RequestList,
    SignedRequest, Verified,
};
use quorate::PartyId;
use serde::{Deserialize, Serialize};

use crate::config::Now;
use crate::database::{Space, Write};
use crate::engine::Engine;
use crate::orders::Task;
use crate::scheme::Item;
use crate::signing::Signing;
use crate::state::{Outcome, Record, State, refuse};
use crate::work::Members;

/// A request that has not ended.
pub(crate) struct Open {
    pub(crate) record: Record,
    pub(crate) work: Work,
    /// The approvals, with the names of the callers that gave them.
    approvals: BTreeMap<RequestId, (String, SignedRequest)>,
    /// The last reasons of nodes that delay or refuse it.
    pub(crate) reasons: BTreeMap<PartyId, Refusal>,
    /// The tick at which it was accepted, or loaded.
    pub(crate) since: u64,
    /// `false` for requests of keys with priority.
    pub(crate) is_ordinary: bool,
    /// `true` once it has a row.
    is_stored: bool,
}

/// A request that has not ended, as it is stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct OpenRow {
    pub(crate) record: Record,
    /// The number of the next attempt.
    pub(crate) next: u32,
    /// The number of attempts that gave no signature without anybody's fault.
    pub(crate) luckless: u32,
    /// The items that the attempts spend, by their numbers.
    pub(crate) attempts: Vec<(u32, Vec<Item>)>,
}

/// The work for a request.
pub(crate) enum Work {
    /// A signature.
    Sign(Signing),
    /// Something that nodes do together.
    Members(Members),
}

impl Open {
    pub(crate) const fn signing(&self) -> Option<&Signing> {
        if let Work::Sign(signing) = &self.work { Some(signing) } else { None }
    }

    pub(crate) const fn signing_mut(&mut self) -> Option<&mut Signing> {
        if let Work::Sign(signing) = &mut self.work { Some(signing) } else { None }
    }

    pub(crate) fn approvals(&self) -> Vec<SignedRequest> {
        self.approvals.values().map(|(_, signed)| signed.clone()).collect()
    }

    /// Takes the names of the approvers into the record.
    pub(crate) fn name_approvers(&mut self) {
        self.record.approvals = self.approvals.values().map(|(name, _)| name.clone()).collect();
    }

    fn row(&self) -> Vec<u8> {
        let (record, signing) = (self.record.clone(), self.signing());
        let attempts = signing.map(Signing::items).unwrap_or_default();
        let (next, luckless) = signing.map_or((0, 0), |signing| (signing.next, signing.luckless));
        let row = OpenRow { record, next, luckless, attempts };
        // Nothing in it fails to serialize.
        postcard::to_stdvec(&row).unwrap_or_default()
    }
}

type Result<T> = core::result::Result<T, Refusal>;

impl Engine {
    /// Takes a request, or finds the one with its id.
    pub(crate) fn submit(
        &mut self,
        signed: SignedRequest,
        verified: &Verified,
        now: Now,
    ) -> Result<()> {
        let id = verified.id;
        if let Some(digest) = self.digest(id)? {
            return verified.check_same(digest);
        }
        if verified.expires <= now.wall {
            return Err(refuse(Reason::Expired, "the deadline has passed"));
        }
        if self.requests.len() >= self.config.max_open {
            let most = self.config.max_open;
            return Err(refuse(
                Reason::Busy,
                format_args!("expected at most {most} open requests"),
            ));
        }
        let record = Record::new(signed, verified, now.wall);
        match &verified.operation {
            Operation::Approve(target, body) => {
                self.approve(id, &record, *target, body.digest, now)?;
                self.insert_ended(id, record, now);
            }
            Operation::Cancel(target) => {
                self.check_cancel(*target, verified)?;
                self.insert(id, record, &verified.operation, now)?;
            }
            operation => self.insert(id, record, operation, now)?,
        }
        self.metrics.accepted = self.metrics.accepted.saturating_add(1);
        Ok(())
    }

    fn digest(&mut self, id: RequestId) -> Result<Option<custody_core::RequestDigest>> {
        if let Some(open) = self.requests.get(&id) {
            return Ok(Some(open.record.digest));
        }
        Ok(self.stored(id)?.map(|record| record.digest))
    }

    fn stored(&mut self, id: RequestId) -> Result<Option<Record>> {
        // What this turn has written is not stored yet.
        let name = id.as_bytes();
        let written = self.writes.iter().rev().find_map(|write| match write {
            Write::Put(Space::Requests, of, bytes) if of == name => Some(bytes.clone()),
            _ => None,
        });
        let bytes = match written {
            Some(bytes) => Some(bytes),
            None => self.table.get(Space::Requests, name).map_err(|error| {
                self.broken = true;
                refuse(Reason::Internal, error)
            })?,
        };
        let damaged = || refuse(Reason::Internal, "the row of the request is damaged");
        bytes.map(|bytes| Record::from_bytes(&bytes).ok_or_else(damaged)).transpose()
    }

    fn insert(
        &mut self,
        id: RequestId,
        record: Record,
        operation: &Operation,
        now: Now,
    ) -> Result<()> {
        let work = self.work_of(operation)?;
        self.changed.insert(id);
        self.open_request(id, record, work, BTreeMap::new(), now);
        Ok(())
    }

    /// Writes the requests that have changed in this turn and have not ended.
    pub(crate) fn write_changed(&mut self) {
        for id in core::mem::take(&mut self.changed) {
            if let Some(open) = self.requests.get_mut(&id) {
                open.is_stored = true;
                self.writes.push(Write::Put(Space::Open, id.as_bytes().to_vec(), open.row()));
            }
        }
    }

    /// Begins to work on a request that is stored, or is going to be with this turn.
    pub(crate) fn open_request(
        &mut self,
        id: RequestId,
        record: Record,
        work: Work,
        approvals: BTreeMap<RequestId, (String, SignedRequest)>,
        now: Now,
    ) {
        // One that is loaded is not among those that have changed.
        let is_stored = !self.changed.contains(&id);
        let is_ordinary = !record.key.is_some_and(|key| self.has_priority(key));
        self.deadlines.insert((record.expires, id));
        let (reasons, since) = (BTreeMap::new(), now.tick);
        let open = Open { record, work, approvals, reasons, since, is_ordinary, is_stored };
        let key = open.signing().map(|signing| signing.key);
        self.requests.insert(id, open);
        match key {
            None => self.order_work(id, now),
            Some(key) if self.keys.contains_key(&key) => self.wait_for_attempt(id),
            Some(key) => self.ask_for_certificate(key, now),
        }
    }

    fn has_priority(&self, key: KeyId) -> bool {
        let (label, value) = &self.config.priority;
        let known = self.keys.get(&key);
        known.is_some_and(|known| known.certificate().spec.labels.get(label) == Some(value))
    }

    /// The work for an operation.
    pub(crate) fn work_of(&self, operation: &Operation) -> Result<Work> {
        let Operation::Sign(key, sign) = operation else {
            return self.members_of(operation).map(Work::Members);
        };
        if let Some(known) = self.keys.get(key) {
            known.family.check(sign)?;
        }
        Ok(Work::Sign(Signing::new(*key, sign.clone())))
    }

    /// Ends a request. Its state is final.
    pub(crate) fn end(&mut self, id: RequestId, state: State, now: Now) {
        let Some(open) = self.requests.remove(&id) else { return };
        let Open { mut record, work, approvals, is_ordinary, is_stored, since, .. } = open;
        self.deadlines.remove(&(record.expires, id));
        self.waiting.remove(&(is_ordinary, since, id));
        if let Work::Sign(signing) = work {
            for number in signing.attempts.keys() {
                self.orders.withdraw_all(Task::Sign(id, *number));
            }
            self.orders.withdraw_all(Task::Latest(id));
            for place in 0..signing.earlier.len() {
                self.orders.withdraw_all(Task::Earlier(id, place));
            }
        }
        if is_stored {
            self.writes.push(Write::Remove(Space::Open, id.as_bytes().to_vec()));
        }
        if !approvals.is_empty() {
            self.writes.push(Write::RemoveAll(Space::Approvals, id.as_bytes().to_vec()));
        }
        self.orders.withdraw_all(Task::Mark(id));
        self.orders.withdraw_all(Task::Work(id));
        self.orders.withdraw_all(Task::Agree(id));
        let is_cancelled = state == State::Cancelled;
        record.state = state;
        self.insert_ended(id, record, now);
        self.target_ended(id, is_cancelled, now);
    }

    /// Stores a request that has ended.
    pub(crate) fn insert_ended(&mut self, id: RequestId, mut record: Record, now: Now) {
        if !record.state.has_ended() {
            record.state = State::Done(Outcome::Done);
        }
        let count = self.metrics.ended.entry(record.state.name()).or_default();
        *count = count.saturating_add(1);
        self.writes.push(Write::Put(Space::Requests, id.as_bytes().to_vec(), record.to_bytes()));
        let name = [now.wall.to_be_bytes().as_slice(), id.as_bytes()].concat();
        self.writes.push(Write::Put(Space::Ended, name, Vec::new()));
        if let Some(waiting) = self.waits.remove(&id) {
            self.replies.extend(waiting.into_iter().map(|to| (to, record.describe(id, None))));
        }
    }

    /// Adds an approval to a request.
    fn approve(
        &mut self,
        id: RequestId,
        record: &Record,
        target: RequestId,
        digest: custody_core::RequestDigest,
        now: Now,
    ) -> Result<()> {
        let Some(open) = self.requests.get_mut(&target) else {
            return Err(self.not_open(target));
        };
        if open.record.digest != digest {
            let why = "the approval is for another request: look at it again";
            return Err(refuse(Reason::RequestConflict, why));
        }
        // One caller has one approval: its last one. Else it could take the places of others.
        let before = open.approvals.iter().find(|(_, (caller, _))| *caller == record.caller);
        if let Some(before) = before.map(|(before, _)| *before) {
            open.approvals.remove(&before);
            let name = [target.as_bytes().as_slice(), before.as_bytes()].concat();
            self.writes.push(Write::Remove(Space::Approvals, name));
        }
        if open.approvals.len() >= Order::MAX_APPROVALS {
            let most = Order::MAX_APPROVALS;
            return Err(refuse(Reason::Limit, format_args!("expected at most {most} approvals")));
        }
        open.approvals.insert(id, (record.caller.clone(), record.signed.clone()));
        open.name_approvers();
        let name = [target.as_bytes().as_slice(), id.as_bytes()].concat();
        self.writes.push(Write::Put(Space::Approvals, name, record.to_bytes()));
        self.approved(target, now);
        Ok(())
    }

    /// Checks that a request can be cancelled, by this caller.
    fn check_cancel(&mut self, target: RequestId, by: &Verified) -> Result<()> {
        let Some(open) = self.requests.get(&target) else { return Err(self.not_open(target)) };
        let is_admin = by.caller.roles.contains(&custody_core::Role::Administer);
        if !is_admin && open.record.caller != by.caller.name {
            let why = "a request is cancelled by its caller or an administrator";
            return Err(refuse(Reason::RoleMissing, why));
        }
        match open.signing() {
            Some(signing) if !signing.is_out => Ok(()),
            Some(_) => Err(refuse(
                Reason::RequestConflict,
                "shares of the signature are out, or are being made by signers together",
            )),
            None => Err(refuse(Reason::RequestConflict, "only requests to sign are cancelled")),
        }
    }

    fn not_open(&mut self, id: RequestId) -> Refusal {
        match self.stored(id) {
            Ok(Some(_)) => refuse(Reason::RequestConflict, "the request has ended"),
            Ok(None) => refuse(Reason::UnknownRequest, format_args!("there is no request {id}")),
            Err(why) => why,
        }
    }

    /// Ends the requests whose deadline has passed.
    pub(crate) fn expire(&mut self, now: Now) {
        while let Some((_, id)) = self.deadlines.first().copied().filter(|(at, _)| *at <= now.wall)
        {
            let Some(open) = self.requests.get(&id) else {
                self.deadlines.pop_first();
                continue;
            };
            let why = self.lateness(id, open, now);
            self.end(id, State::Refused(why), now);
        }
    }

    /// Describes a request.
    pub(crate) fn describe(&mut self, id: RequestId) -> Result<RequestDescription> {
        if let Some(open) = self.requests.get(&id) {
            return Ok(open.record.describe(id, self.delay(open)));
        }
        let unknown = || refuse(Reason::UnknownRequest, format_args!("there is no request {id}"));
        Ok(self.stored(id)?.ok_or_else(unknown)?.describe(id, None))
    }

    /// Lists requests that have not ended, the oldest first. Without the request that the page comes after, it is the first.
    pub(crate) fn list_requests(&self, page: Page<RequestId>) -> RequestList {
        let place = |id: &RequestId| self.requests.get(id).map(|open| (open.record.accepted, *id));
        let after = page.after.as_ref().and_then(place);
        let mut all: Vec<_> = self.requests.keys().filter_map(place).collect();
        all.retain(|place| after.is_none_or(|after| *place > after));
        all.sort_unstable();
        let limit = usize::from(page.limit);
        let describe = |(_, id): &(u64, RequestId)| {
            let open = self.requests.get(id)?;
            Some(open.record.describe(*id, self.delay(open)))
        };
        let requests = all.iter().take(limit).filter_map(describe).collect();
        RequestList { requests, more: all.len() > limit }
    }
}
