//! Orders that nodes have not answered. Each is repeated until it is, or until it is withdrawn.

use std::collections::{BTreeMap, BTreeSet};

use custody_core::{KeyId, Order, OrderMessage, RequestId, batches};
use quorate::PartyId;

/// The reason for an order: the part of the gateway that awaits the answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Task {
    Status,
    Keys,
    Certify(KeyId),
    Stock(KeyId),
    Nonces(KeyId),
    Presign(KeyId, [u8; 32]),
    Sign(RequestId, u32),
    Mark(RequestId),
    /// A share of an earlier vote, by its place among those that nodes have named.
    Earlier(RequestId, usize),
    /// The latest share of an earlier vote, whatever its material is.
    Latest(RequestId),
    Work(RequestId),
    Agree(RequestId),
    Confirm(KeyId),
    Audit(u64),
    Accusations,
}

/// The orders of an envelope, behind the node that they are for.
pub(crate) type Batch = (PartyId, Vec<Vec<u8>>);

/// The orders without an answer.
#[derive(Default)]
pub(crate) struct Orders {
    pending: BTreeMap<u64, Pending>,
    numbers: BTreeMap<(Task, PartyId), u64>,
    due: BTreeSet<(u64, u64)>,
    /// Messages to send once the turn is stored.
    outgoing: Vec<u64>,
    pub(crate) sent: u64,
    pub(crate) repeated: u64,
}

struct Pending {
    to: PartyId,
    task: Task,
    message: OrderMessage,
    due: u64,
    pause: u64,
}

/// The longest pause is this many times the first.
const LONGEST: u64 = 32;

impl Orders {
    /// Gives an order, unless the same node has one for the same task already.
    pub(crate) fn give(&mut self, to: PartyId, task: Task, order: Order, times: (u64, u64)) {
        self.add(to, task, order, times, true);
    }

    fn add(
        &mut self,
        to: PartyId,
        task: Task,
        order: Order,
        (now, pause): (u64, u64),
        is_now: bool,
    ) {
        if self.numbers.contains_key(&(task, to)) {
            return;
        }
        let Ok(number) = getrandom::u64() else { return };
        let message = OrderMessage { number, order };
        if is_now {
            self.outgoing.push(number);
            self.sent = self.sent.saturating_add(1);
        }
        let due = now.saturating_add(pause);
        self.due.insert((due, number));
        self.numbers.insert((task, to), number);
        self.pending.insert(number, Pending { to, task, message, due, pause });
    }

    /// Gives an order after a pause, to a node that could not carry it out now.
    pub(crate) fn give_later(&mut self, to: PartyId, task: Task, order: Order, times: (u64, u64)) {
        self.add(to, task, order, times, false);
    }

    /// Asks for the result of an order that a node has begun, again and again at this interval.
    pub(crate) fn poll(&mut self, number: u64, now: u64, pause: u64) {
        if let Some(pending) = self.pending.get_mut(&number) {
            self.due.remove(&(pending.due, number));
            (pending.due, pending.pause) = (now.saturating_add(pause), pause);
            self.due.insert((pending.due, number));
        }
    }

    /// The task of the order with this number, if this node has it.
    pub(crate) fn task(&self, from: PartyId, number: u64) -> Option<Task> {
        self.pending.get(&number).filter(|pending| pending.to == from).map(|pending| pending.task)
    }

    /// Removes an order.
    pub(crate) fn withdraw(&mut self, task: Task, to: PartyId) {
        if let Some(number) = self.numbers.remove(&(task, to))
            && let Some(pending) = self.pending.remove(&number)
        {
            self.due.remove(&(pending.due, number));
        }
    }

    /// Removes all orders of a task.
    pub(crate) fn withdraw_all(&mut self, task: Task) {
        self.nodes(task).into_iter().for_each(|to| self.withdraw(task, to));
    }

    /// The nodes that have not answered this task.
    pub(crate) fn nodes(&self, task: Task) -> Vec<PartyId> {
        let one = PartyId::new(1);
        let from = one.into_iter().flat_map(|one| self.numbers.range((task, one)..));
        from.take_while(|((of, _), _)| *of == task).map(|((_, to), _)| *to).collect()
    }

    pub(crate) fn has(&self, task: Task, to: PartyId) -> bool {
        self.numbers.contains_key(&(task, to))
    }

    /// Repeats what is due.
    pub(crate) fn repeat(&mut self, now: u64, pause: u64) {
        while let Some((due, number)) = self.due.first().copied().filter(|(due, _)| *due <= now) {
            self.due.remove(&(due, number));
            let Some(pending) = self.pending.get_mut(&number) else { continue };
            let longest = pause.saturating_mul(LONGEST);
            pending.pause = pending.pause.saturating_mul(2).min(longest);
            pending.due = now.saturating_add(pending.pause.max(1));
            self.due.insert((pending.due, number));
            self.outgoing.push(number);
            self.sent = self.sent.saturating_add(1);
            self.repeated = self.repeated.saturating_add(1);
        }
    }

    /// Repeats everything that a node has not answered soon: it is up again.
    pub(crate) fn hurry(&mut self, node: PartyId, now: u64, pause: u64) {
        for (number, pending) in self.pending.iter_mut().filter(|(_, one)| one.to == node) {
            self.due.remove(&(pending.due, *number));
            (pending.due, pending.pause) = (now, pause);
            self.due.insert((now, *number));
        }
    }

    /// The moment at which the next order is due.
    pub(crate) fn next_due(&self) -> Option<u64> {
        self.due.first().map(|(due, _)| *due)
    }

    pub(crate) fn len(&self) -> usize {
        self.pending.len()
    }

    /// Encodes what is to be sent, for each node in the version that it reads: the orders of an envelope together.
    pub(crate) fn take_outgoing(&mut self, version: impl Fn(PartyId) -> u8) -> Vec<Batch> {
        let mut outgoing: BTreeMap<PartyId, Vec<Vec<u8>>> = BTreeMap::new();
        for number in core::mem::take(&mut self.outgoing) {
            let Some(Pending { to, task, message, .. }) = self.pending.get(&number) else {
                continue;
            };
            match message.to_bytes_in(version(*to)) {
                Ok(bytes) => outgoing.entry(*to).or_default().push(bytes),
                Err(why) => {
                    let (to, task) = (*to, *task);
                    tracing::error!(%to, ?task, %why, "an order cannot be given");
                    self.withdraw(task, to);
                }
            }
        }
        let envelopes = |(to, orders)| batches(orders).into_iter().map(move |batch| (to, batch));
        outgoing.into_iter().flat_map(envelopes).collect()
    }
}
