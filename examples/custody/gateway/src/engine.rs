//! The gateway's state, and its turns.
//!
//! A turn takes in what has arrived, stores what follows from it in one transaction, and only then gives out orders and
//! replies. All that is not in the database can be asked for again: after a crash the gateway continues from its database.

use std::collections::{BTreeMap, BTreeSet};

use custody_core::{
    Answer, AnswerMessage, Callers, Child, KeyDescription, KeyId, KeyList, OLDEST, Order, Page,
    Reason, Refusal, RequestDescription, RequestId, RequestList, SignedCertificate, SignedRequest,
    Verified, Versions,
};
use quorate::PartyId;
use quorate_envelope::{Directory, Member, Name};
use quorate_store::Error;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use crate::config::{Config, Now, millis};
use crate::database::{Space, Table, Write};
use crate::keys::{Known, Votes};
use crate::metrics::Metrics;
use crate::nodes::Node;
use crate::orders::{Batch, Orders, Task};
use crate::requests::{Open, OpenRow};
use crate::scheme::Item;
use crate::signing::cheater_name;
use crate::state::{Record, State, refuse};

/// A reply to a caller, later.
pub(crate) type ReplyTo<T> = oneshot::Sender<Result<T, Refusal>>;

/// A question or a request of a caller.
pub(crate) enum Ask {
    /// Takes a request. The reply comes when it is stored, or if the caller waits, when it has ended.
    Submit(Box<(SignedRequest, Verified)>, ReplyTo<RequestDescription>),
    /// Describes a request: now, or if the caller waits, when it has ended.
    Request(RequestId, bool, ReplyTo<RequestDescription>),
    Requests(Page<RequestId>, ReplyTo<RequestList>),
    Keys(Page<KeyId>, ReplyTo<KeyList>),
    Key(KeyId, Option<Child>, ReplyTo<KeyDescription>),
    Audit(PartyId, SignedRequest, ReplyTo<Vec<String>>),
    Metrics(oneshot::Sender<Metrics>),
}

/// An input of a turn.
pub(crate) enum Input {
    /// The answers of an envelope, and the room that they take while they wait.
    Answers(PartyId, Vec<AnswerMessage>, OwnedSemaphorePermit),
    /// The versions that a node has announced.
    Versions(PartyId, Versions),
    Ask(Ask),
    Stop,
}

/// Slow duties are looked after at this interval, in milliseconds.
const TICK: u64 = 50;
/// Attempts that have begun are asked for at this interval, in milliseconds.
const POLL: u64 = 50;
/// Rows that are pruned in a turn, and the interval of that in milliseconds.
const PRUNED: usize = 256;
const PRUNE: u64 = 1000;

/// The state of a gateway.
pub(crate) struct Engine {
    pub(crate) config: Config,
    pub(crate) salt: [u8; 32],
    pub(crate) directory: Directory,
    pub(crate) table: Table,
    /// `true` if the database has failed: the turn ends there.
    pub(crate) broken: bool,
    pub(crate) writes: Vec<Write>,
    pub(crate) orders: Orders,
    pub(crate) nodes: BTreeMap<PartyId, Node>,
    pub(crate) keys: BTreeMap<KeyId, Known>,
    pub(crate) votes: BTreeMap<KeyId, Votes>,
    pub(crate) requests: BTreeMap<RequestId, Open>,
    /// Requests that need an attempt: those of keys with priority first, then the oldest.
    pub(crate) waiting: BTreeSet<(bool, u64, RequestId)>,
    pub(crate) deadlines: BTreeSet<(u64, RequestId)>,
    /// Requests without a result that this turn has changed.
    pub(crate) changed: BTreeSet<RequestId>,
    /// Callers that wait for the ends of requests.
    pub(crate) waits: BTreeMap<RequestId, Vec<ReplyTo<RequestDescription>>>,
    /// Replies about requests that have ended in this turn.
    pub(crate) replies: Vec<(ReplyTo<RequestDescription>, RequestDescription)>,
    /// Callers that are told how a request is once the turn is stored.
    told: Vec<(RequestId, ReplyTo<RequestDescription>)>,
    audits: BTreeMap<u64, ReplyTo<Vec<String>>>,
    next_audit: u64,
    pub(crate) metrics: Metrics,
    next_tick: u64,
    next_prune: u64,
}

impl Engine {
    /// Loads the state from the database.
    pub(crate) fn load(
        config: Config,
        directory: Directory,
        me: &Name,
        mut table: Table,
        callers: &Callers,
        now: Now,
    ) -> Result<Self, Error> {
        let cheaters = table.all(Space::Cheaters, &[])?;
        let finding = |party: PartyId, member: &Member| {
            let name = cheater_name(party, member);
            let row = cheaters.iter().find(|row| row.name == name)?;
            Some(String::from_utf8_lossy(&row.content).into_owned())
        };
        let node = |party| {
            let member = directory.member_of(party)?;
            Some((party, Node::new(member.name.to_string(), finding(party, member))))
        };
        let parties = directory.members().filter_map(|member| member.party);
        let nodes = parties.filter_map(node).collect();
        let mut engine = Self {
            config,
            salt: *KeyId::of(custody_core::Scheme::Ed25519, me.as_str().as_bytes()).as_bytes(),
            directory,
            table,
            broken: false,
            writes: Vec::new(),
            orders: Orders::default(),
            nodes,
            keys: BTreeMap::new(),
            votes: BTreeMap::new(),
            requests: BTreeMap::new(),
            waiting: BTreeSet::new(),
            deadlines: BTreeSet::new(),
            changed: BTreeSet::new(),
            waits: BTreeMap::new(),
            replies: Vec::new(),
            told: Vec::new(),
            audits: BTreeMap::new(),
            next_audit: 0,
            metrics: Metrics::default(),
            next_tick: 0,
            next_prune: 0,
        };
        engine.load_keys(now)?;
        engine.load_requests(callers, now)?;
        Ok(engine)
    }

    fn load_keys(&mut self, now: Now) -> Result<(), Error> {
        for row in self.table.all(Space::Keys, &[])? {
            let Ok(signed) = SignedCertificate::from_bytes(&row.content) else { continue };
            let key = signed.certificate.key;
            match signed.verify(&self.directory).map(drop) {
                Ok(()) => {
                    let known = Known::open(signed, self.salt).ok();
                    self.keys.extend(known.map(|known| (key, known)));
                }
                // It is of an earlier directory.
                Err(_) => self.ask_for_certificate(key, now),
            }
        }
        Ok(())
    }

    fn load_requests(&mut self, callers: &Callers, now: Now) -> Result<(), Error> {
        for row in self.table.all(Space::Open, &[])? {
            let id = row.name.first_chunk().map(|id| RequestId::new(*id));
            let open = postcard::from_bytes::<OpenRow>(&row.content).ok();
            let Some((id, OpenRow { record, next, luckless, attempts })) = id.zip(open) else {
                tracing::error!(name = ?row.name, "an open request is damaged, and gets no result");
                continue;
            };
            let mut approvals = BTreeMap::new();
            for row in self.table.all(Space::Approvals, id.as_bytes())? {
                let approval = row.name.last_chunk().map(|id| RequestId::new(*id));
                if let (Some(of), Some(record)) = (approval, Record::from_bytes(&row.content)) {
                    approvals.insert(of, (record.caller, record.signed));
                }
            }
            // It was valid when it was accepted. If its caller is not in the list any more, nodes refuse it, too.
            let verified = record.signed.verify(callers, record.accepted);
            let work = verified.and_then(|verified| self.work_of(&verified.operation));
            match work {
                Ok(work) => {
                    self.open_request(id, record, work, approvals, now);
                    self.load_attempts(id, (next, luckless), attempts, now);
                }
                Err(why) => {
                    self.writes.push(Write::Remove(Space::Open, row.name));
                    self.insert_ended(id, Record { state: State::Refused(why), ..record }, now);
                }
            }
        }
        Ok(())
    }

    /// Opens the stored attempts of a request. Nodes give the same shares again.
    fn load_attempts(
        &mut self,
        id: RequestId,
        (next, luckless): (u32, u32),
        attempts: Vec<(u32, Vec<Item>)>,
        now: Now,
    ) {
        let Some(open) = self.requests.get_mut(&id) else { return };
        open.name_approvers();
        let Some(signing) = open.signing_mut() else { return };
        (signing.next, signing.luckless) = (next, luckless);
        if !attempts.is_empty() {
            self.waiting.retain(|(_, _, waiting)| *waiting != id);
        }
        for (number, items) in attempts {
            self.open_attempt(id, number, items, now);
        }
    }

    /// Takes in what has arrived, and does what is due. Returns what is to be sent, the orders of an envelope together.
    ///
    /// # Errors
    /// An error of the database. Nothing is sent then, and the state has to be loaded again.
    pub(crate) fn turn(&mut self, inputs: Vec<Input>, now: Now) -> Result<Vec<Batch>, Error> {
        for input in inputs {
            match input {
                Input::Answers(from, answers, room) => {
                    self.heard(from, now);
                    answers.into_iter().for_each(|answer| self.take_answer(from, answer, now));
                    drop(room);
                }
                Input::Versions(from, versions) => {
                    self.nodes.entry(from).and_modify(|node| node.versions = Some(versions));
                }
                Input::Ask(ask) => self.take_ask(ask, now),
                Input::Stop => {}
            }
        }
        self.expire(now);
        if now.tick >= self.next_tick {
            self.next_tick = now.tick.saturating_add(TICK);
            self.ask_nodes(now);
            self.replace_silent(now);
            self.fill(now);
        }
        self.assign(now);
        self.orders.repeat(now.tick, millis(self.config.times.repeat));
        self.prune(now)?;
        if self.broken {
            return Err(Error::Database("a request could not be read".into()));
        }
        self.write_changed();
        self.table.write(&core::mem::take(&mut self.writes))?;
        self.reply();
        let (nodes, own, times) = (&self.nodes, self.config.versions, self.config.times);
        let version = |party| nodes.get(&party).map_or(OLDEST, |one| one.version(own, times, now));
        Ok(self.orders.take_outgoing(version))
    }

    fn take_answer(&mut self, from: PartyId, message: AnswerMessage, now: Now) {
        let AnswerMessage { number, answer } = message;
        let Some(task) = self.orders.task(from, number) else { return };
        if answer == Answer::Pending {
            let mut pause = millis(self.config.times.repeat);
            if let Task::Sign(request, attempt) = task {
                self.has_begun(from, request, attempt);
                pause = pause.min(POLL);
            }
            return self.orders.poll(number, now.tick, pause);
        }
        self.orders.withdraw(task, from);
        match task {
            Task::Status => self.status(from, answer, now),
            Task::Keys => self.listed(from, answer, now),
            Task::Certify(key) => self.certified(from, key, answer, now),
            Task::Stock(key) => self.stocked(from, key, answer, now),
            Task::Nonces(key) => self.made_nonces(from, key, &answer, now),
            Task::Presign(key, run) => self.presigned(from, (key, run), &answer, now),
            Task::Sign(request, attempt) => self.shared(from, request, attempt, answer, now),
            // A node that refuses has a later mark, or its own reason: the shares are others'.
            Task::Mark(_) => {}
            Task::Latest(request) => self.latest_shared(from, request, answer, now),
            Task::Earlier(request, place) => {
                self.earlier_shared(from, (request, place), answer, now)
            }
            Task::Work(request) => self.worked(from, request, answer, now),
            Task::Agree(request) => self.agreed(from, request, answer, now),
            Task::Confirm(key) => self.confirmed(from, key, &answer, now),
            Task::Audit(number) => self.audited(number, answer),
            Task::Accusations => self.accused(from, answer),
        }
    }

    fn take_ask(&mut self, ask: Ask, now: Now) {
        // A caller that has gone needs no reply.
        match ask {
            Ask::Submit(request, reply) => {
                let (signed, verified) = *request;
                match self.submit(signed, &verified, now) {
                    Ok(()) => self.tell(verified.id, verified.wait > 0, reply),
                    Err(why) => drop(reply.send(Err(why))),
                }
            }
            Ask::Request(id, waits, reply) => self.tell(id, waits, reply),
            Ask::Requests(page, reply) => drop(reply.send(Ok(self.list_requests(page)))),
            Ask::Keys(page, reply) => drop(reply.send(self.list_keys(page))),
            Ask::Key(key, child, reply) => {
                let unknown = || refuse(Reason::UnknownKey, format_args!("there is no key {key}"));
                let known = self.keys.get(&key).ok_or_else(unknown);
                drop(reply.send(known.and_then(|known| known.describe(child.as_ref()))));
            }
            Ask::Audit(node, _, reply) if !self.nodes.contains_key(&node) => {
                let why = format_args!("the directory has no node {node}");
                drop(reply.send(Err(refuse(Reason::Limit, why))));
            }
            Ask::Audit(node, request, reply) => {
                let number = self.next_audit;
                self.next_audit = number.saturating_add(1);
                self.audits.retain(|_, reply| !reply.is_closed());
                self.audits.insert(number, reply);
                let pause = self.soon(now);
                self.orders.give(node, Task::Audit(number), Order::Audit { request }, pause);
            }
            Ask::Metrics(reply) => drop(reply.send(self.metrics(now))),
        }
    }

    fn audited(&mut self, number: u64, answer: Answer) {
        let Some(reply) = self.audits.remove(&number) else { return };
        drop(reply.send(match answer {
            Answer::Audit(entries) => Ok(entries),
            Answer::Refused(why) => Err(why),
            _ => Err(refuse(Reason::Internal, "the node has answered something else")),
        }));
    }

    fn status(&mut self, from: PartyId, answer: Answer, now: Now) {
        if let (Answer::Status(status), Some(node)) = (answer, self.nodes.get_mut(&from)) {
            node.status = Some(status);
            self.heard(from, now);
        }
    }

    fn accused(&mut self, from: PartyId, answer: Answer) {
        if let (Answer::Accusations(all), Some(node)) = (answer, self.nodes.get_mut(&from)) {
            node.accuses = all;
        }
    }

    fn list_keys(&self, page: Page<KeyId>) -> Result<KeyList, Refusal> {
        let mut all =
            self.keys.iter().filter(|(key, _)| page.after.is_none_or(|after| **key > after));
        let some = all.by_ref().take(page.limit.into());
        let keys = some.map(|(_, known)| known.describe(None)).collect::<Result<_, _>>()?;
        Ok(KeyList { keys, more: all.next().is_some() })
    }

    fn metrics(&self, now: Now) -> Metrics {
        let (own, times) = (self.config.versions, self.config.times);
        let view = |(party, node): (&PartyId, &Node)| (*party, node.view(own, times, now));
        Metrics {
            orders: self.orders.sent,
            repeated: self.orders.repeated,
            open: self.requests.len(),
            pending_orders: self.orders.len(),
            stock: self
                .keys
                .iter()
                .filter(|(_, known)| known.has_stock())
                .map(|(key, known)| (*key, known.stock()))
                .collect(),
            epochs: self.keys.iter().map(|(key, one)| (*key, one.certificate().epoch)).collect(),
            nodes: self.nodes.iter().map(view).collect(),
            ..self.metrics.clone()
        }
    }

    /// Removes requests that have ended long ago.
    fn prune(&mut self, now: Now) -> Result<(), Error> {
        if now.tick < self.next_prune {
            return Ok(());
        }
        let oldest = now.wall.saturating_sub(self.config.retention.as_secs());
        let rows = self.table.first(Space::Ended, PRUNED)?;
        let mut pruned = 0_usize;
        for row in rows {
            let ended = row.name.first_chunk().map(|bytes| u64::from_be_bytes(*bytes));
            let Some((_, id)) = row.name.split_at_checked(8) else { continue };
            if ended.is_some_and(|ended| ended >= oldest) {
                break;
            }
            self.writes.push(Write::Remove(Space::Requests, id.to_vec()));
            self.writes.push(Write::Remove(Space::Signers, row.name.clone()));
            self.writes.push(Write::Remove(Space::Ended, row.name));
            pruned = pruned.saturating_add(1);
        }
        let is_full = pruned == PRUNED;
        self.next_prune = now.tick.saturating_add(if is_full { TICK } else { PRUNE });
        Ok(())
    }

    /// Replies about a request: after this turn, or when it has ended.
    fn tell(&mut self, id: RequestId, waits: bool, reply: ReplyTo<RequestDescription>) {
        if waits && self.requests.contains_key(&id) {
            self.waits.entry(id).or_default().push(reply);
        } else {
            self.told.push((id, reply));
        }
    }

    /// Replies to callers, now that everything is stored.
    fn reply(&mut self) {
        for (reply, description) in core::mem::take(&mut self.replies) {
            drop(reply.send(Ok(description)));
        }
        for (id, reply) in core::mem::take(&mut self.told) {
            drop(reply.send(self.describe(id)));
        }
        self.waits.retain(|_, replies| {
            replies.retain(|reply| !reply.is_closed());
            !replies.is_empty()
        });
    }

    /// The milliseconds until something is due.
    pub(crate) fn pause(&self, now: Now) -> u64 {
        let due = self.orders.next_due().unwrap_or(u64::MAX).min(self.next_tick);
        due.saturating_sub(now.tick)
    }
}
