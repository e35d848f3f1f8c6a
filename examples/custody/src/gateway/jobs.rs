//! Jobs of the nodes' runners: keys, auxiliary information, presignatures, new shares.

use std::collections::{BTreeMap, BTreeSet};

use quorate::keys::Committee;
use quorate::runner::Time;
use quorate::session::wire::Reader;
use quorate::{Parties, PartyId, SessionId};
use quorate_cggmp::{PresignatureInfo, Secp256k1};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;

use super::Gateway;
use super::ask::Refusal;
use super::key::{Key, Public};
use super::rows::Closed;
use crate::bus::Peer;
use crate::change::{Change, SignedChange};
use crate::orders::{Body, Kind, Name, Order};
use crate::post;
use crate::records::Answer;
use crate::request::{KeyId, Scheme};
use crate::side::Side;
use crate::wire::Message;

/// Jobs of one kind that may fail in a row before a gateway that gives up does.
const PATIENCE: u32 = 3;
/// A job is given up so long after its deadline: a node that lives has answered by then.
const GRACE: Time = 5000;

/// After so many failures in a row the pause before the next job of a kind grows no more.
const RESTS: u32 = 8;

/// A job that is not closed.
pub(super) struct JobOpen {
    pub(super) order: Order,
    pub(super) answers: BTreeMap<PartyId, Answer>,
    /// When it is given again, and the pause after that.
    pub(super) again: (Time, Time),
    /// Those who have said that they work on it.
    begun: BTreeSet<PartyId>,
    /// When it was given first, in this life of the gateway.
    given: Option<Time>,
    /// Whether somebody has kept it waiting for so long that others were looked for.
    stalled: bool,
}

impl JobOpen {
    fn new(order: Order, answers: BTreeMap<PartyId, Answer>, again: (Time, Time)) -> Self {
        Self { order, answers, again, begun: BTreeSet::new(), given: None, stalled: false }
    }

    /// Those who have not said that they work on it or have done so, if they had so much time.
    fn silent(&self, patience: Time, now: Time) -> Vec<PartyId> {
        let waited = self.given.map_or(0, |given| now.saturating_sub(given));
        let silent =
            |node: &PartyId| !self.begun.contains(node) && !self.answers.contains_key(node);
        let all = self.order.job.parties.iter().filter(silent);
        if waited >= patience { all.collect() } else { Vec::new() }
    }

    /// Those who have not answered.
    fn owing(&self) -> Vec<PartyId> {
        self.order.job.parties.iter().filter(|id| !self.answers.contains_key(id)).collect()
    }
}

impl Gateway {
    pub(super) fn load_jobs(&mut self) -> Result<(), Failure> {
        self.numbers = self.rows.next_numbers()?;
        let parties: Vec<u8> =
            self.config.nodes.iter().flat_map(|id| id.get().to_be_bytes()).collect();
        self.has_aux = self.rows.has_done(Kind::AuxInfo, &parties)?;
        for (order, answers) in self.rows.open_jobs()? {
            let sid = *order.job.sid.as_bytes();
            let again = (0, self.config.times.again);
            self.jobs.insert(sid, JobOpen::new(order, answers, again));
        }
        Ok(())
    }

    /// The job of a kind that is open, if there is one that this says is meant.
    pub(super) fn job_open(&self, kind: Kind, is: impl Fn(&Order) -> bool) -> bool {
        self.jobs.values().any(|job| job.order.kind == kind && is(&job.order))
    }

    /// How many jobs of this kind have failed in a row.
    fn failed(&self, kind: Kind) -> u32 {
        self.failed.get(&kind).map_or(0, |(failed, _)| *failed)
    }

    /// Whether the last job of this kind has failed so lately that the next would, too.
    pub(super) fn pauses(&self, kind: Kind, now: Time) -> bool {
        self.failed.get(&kind).is_some_and(|(_, until)| now < *until)
    }

    /// Whether the epochs of all these nodes are known, without which nothing is ordered of them.
    pub(super) fn knows(&self, parties: &Parties) -> bool {
        parties.iter().all(|node| self.nodes.get(&node).is_some_and(|seen| seen.epoch > 0))
    }

    /// Stores an order to nodes whose epochs are [known](Self::knows); it is given with this turn. Gives its session.
    pub(super) fn order(
        &mut self,
        kind: Kind,
        parties: &Parties,
        body: &Body,
        now: Time,
    ) -> Option<[u8; 32]> {
        let time = match kind {
            Kind::Presign => self.config.times.presigning,
            _ => self.config.times.making,
        };
        let epoch = |node| self.nodes.get(&node).map_or(0, |seen| seen.epoch);
        let members = parties.iter().map(|node| (node, epoch(node))).collect();
        let number = self.numbers.entry(kind).or_insert(0);
        let name = Name::new(&self.config.custody, kind, (self.config.number, *number));
        let order = Order::new((name, kind), &members, body, now.saturating_add(time));
        let order = order?;
        self.writes.orders.push((order.clone(), *number));
        let (sid, again) = (*order.job.sid.as_bytes(), (0, self.config.times.again));
        let job = JobOpen::new(order, BTreeMap::new(), again);
        *number = number.saturating_add(1);
        self.jobs.insert(sid, job);
        Some(sid)
    }

    /// Orders new shares of a key for those who hold shares; says whether there is such a key, nothing under
    /// way for it, and every one of them heard of.
    pub(super) fn refresh(&mut self, key: KeyId, now: Time) -> bool {
        let Some(known) = self.keys.get(&key) else { return false };
        let (committee, count) = (known.parties().clone(), known.threshold());
        self.reshare(key, &committee, count, now).is_ok()
    }

    /// Orders what a requester has signed about a key; gives the epoch that the key will have.
    pub(super) fn change(&mut self, signed: &SignedChange, now: Time) -> Result<u32, String> {
        let Change { key, epoch, threshold, committee, deadline } = &signed.change;
        let known = |all: &BTreeSet<_>| all.contains(&signed.requester);
        if !self.config.requesters.as_ref().is_none_or(known) || !signed.verifies() {
            return Err(Refusal::Unsigned.text().to_owned());
        }
        if self.draining.is_some() {
            return Err(Refusal::Draining.text().to_owned());
        }
        if *deadline <= now || *deadline > now.saturating_add(self.config.times.longest) {
            return Err(Refusal::Deadline.text().to_owned());
        }
        let found = self.keys.get(key).ok_or(Refusal::NoKey.text())?.epoch();
        if found != *epoch {
            return Err(format!("the key is in epoch {found}"));
        }
        let members = Parties::new(committee.iter().copied()).map_err(|why| why.to_string())?;
        self.reshare(*key, &members, *threshold, now)?;
        Ok(epoch.saturating_add(1))
    }

    /// Orders new shares of a key for this committee. Those who hold shares and stay deal, and at first those who leave and live,
    /// too; all of them do where nobody joins or leaves.
    fn reshare(
        &mut self,
        key: KeyId,
        committee: &Parties,
        count: u16,
        now: Time,
    ) -> Result<(), String> {
        let known = self.keys.get(&key).ok_or("there is no such key")?;
        Committee::new(committee.clone(), count).map_err(|why| why.to_string())?;
        if let Some(stranger) = committee.iter().find(|node| !self.config.nodes.contains(*node)) {
            return Err(format!("there is no node {stranger}"));
        }
        let (kind, storing) = (Kind::resharing(known.scheme()), Kind::storing(known.scheme()));
        let at = known.epoch();
        let of_key = |order: &Order| {
            let body = Body::from_bytes(&order.job.body).filter(|body| body.key == key);
            // Of what is asked again nothing hangs.
            body.is_some_and(|body| kind == order.kind || body.epoch > at && body.count == 0)
        };
        if self.job_open(kind, of_key) || self.job_open(storing, of_key) {
            return Err("new shares of this key are being made".to_owned());
        }
        let stays = |node: &PartyId| committee.contains(*node);
        let (failed, unstored) = (self.failed(kind), self.failed(storing));
        // Whoever leaves may be why, and does not have to deal.
        let alone = failed > 0 || unstored > 0;
        let leave = known.parties().iter().any(|node| !stays(&node));
        let attempt = failed.saturating_sub(u32::from(leave && unstored == 0));
        let base = self.base(key, attempt, unstored > 0).ok_or("there is no such key")?;
        let mut dealers: Vec<PartyId> =
            base.parties.iter().filter(|node| base.holds(*node) && stays(node)).collect();
        if !alone || dealers.len() < usize::from(base.threshold) {
            let leaves =
                |node: &PartyId| base.holds(*node) && !stays(node) && self.lives(*node, now);
            dealers.extend(base.parties.iter().filter(leaves));
        }
        if dealers.len() < usize::from(base.threshold) {
            return Err(format!("of the nodes that hold the key, {} answer", dealers.len()));
        }
        let joining = committee.iter().filter(|node| !dealers.contains(node));
        let all: BTreeSet<PartyId> = dealers.iter().copied().chain(joining).collect();
        let parties = Parties::new(all).map_err(|why| why.to_string())?;
        if !self.knows(&parties) {
            return Err("some of the nodes were not heard yet".to_owned());
        }
        let (epoch, public) = (base.epoch, base.public);
        let body = Body { key, epoch, count, committee: committee.iter().collect(), public };
        self.order(kind, &parties, &body, now);
        Ok(())
    }

    pub(super) fn answered(&mut self, node: PartyId, sid: SessionId, answer: Answer) {
        let Some(job) = self.jobs.get_mut(sid.as_bytes()) else { return };
        if !job.order.job.parties.contains(node) || job.answers.contains_key(&node) {
            return;
        }
        job.answers.insert(node, answer.clone());
        self.writes.answers.push((sid, node, answer));
    }

    pub(super) fn begun(&mut self, node: PartyId, sid: SessionId) {
        if let Some(job) = self.jobs.get_mut(sid.as_bytes()) {
            job.begun.insert(node);
        }
    }

    /// Notices who keeps presigning waiting, so that it is ordered from others: those who do not say within seconds that they
    /// work on it, and, after a part of its time, all who have not answered. It may be done yet.
    pub(super) fn look_after_presigning(&mut self, now: Time) {
        let times = self.config.times;
        let (soon, late) = (times.patience.saturating_mul(2), times.presigning >> 2);
        let mut slow = Vec::new();
        for job in self.jobs.values_mut() {
            if job.stalled || job.order.kind != Kind::Presign {
                continue;
            }
            let mut nodes = job.silent(soon, now);
            if job.given.is_some_and(|given| now.saturating_sub(given) >= late) {
                nodes = job.owing();
            }
            job.stalled = !nodes.is_empty();
            slow.extend(nodes);
        }
        self.in_vain(slow);
    }

    /// Closes jobs that all have answered, and gives the others again.
    pub(super) fn close_jobs(&mut self, now: Time) -> Result<(), Failure> {
        let all: Vec<_> = self.jobs.values().filter_map(|job| self.stored(job)).collect();
        for (id, scheme, public) in all {
            let kept = self.keep_key(id, scheme, &public);
            let line = || format!("new shares of {} are stored", self.shown(id));
            let line = kept.map_or_else(|why| why, |()| line());
            self.lines.push(line);
        }
        let over = |job: &JobOpen| {
            let Order { job: of, .. } = &job.order;
            of.parties.iter().all(|node| job.answers.contains_key(&node))
                || now > of.deadline.saturating_add(GRACE)
        };
        let done: Vec<[u8; 32]> =
            self.jobs.iter().filter(|(_, job)| over(job)).map(|(sid, _)| *sid).collect();
        for sid in done {
            if let Some(job) = self.jobs.remove(&sid) {
                self.close(&job, now)?;
            }
        }
        Ok(())
    }

    /// Gives what is open to the nodes that have not answered.
    pub(super) fn give_jobs(&mut self, now: Time) {
        for job in self.jobs.values_mut().filter(|job| now >= job.again.0) {
            job.again = later(job.again, now, self.config.times.again);
            job.given.get_or_insert(now);
            let message = Message::Order(job.order.clone()).to_bytes();
            for node in job.owing() {
                self.post.bytes(
                    Peer::Node(node),
                    post::jobs(job.order.kind.shard()),
                    message.clone(),
                );
            }
        }
    }

    fn close(&mut self, job: &JobOpen, now: Time) -> Result<(), Failure> {
        let (kind, sid) = (job.order.kind, job.order.job.sid);
        let result = common(job);
        let kept =
            result.and_then(|result| self.keep(job, &result, now).map(|line| (line, result)));
        match kept {
            Ok((line, _)) => {
                self.failed.remove(&kind);
                self.writes.closed.push((sid, Closed::Done));
                self.lines.push(line);
                Ok(())
            }
            Err(why) => {
                self.writes.closed.push((sid, Closed::Failed));
                let rest = self.config.times.again;
                let (failed, until) = self.failed.entry(kind).or_default();
                *failed = failed.saturating_add(1);
                *until = now.saturating_add(rest.saturating_mul(1 << (*failed).min(RESTS)));
                let notices: String =
                    self.noticed.iter().map(|notice| format!("\n  {notice}")).collect();
                let text = format!("{} has failed:\n  {why}{notices}", kind.name());
                let making = !matches!(kind, Kind::Presign);
                if self.config.gives_up && (making || *failed >= PATIENCE) {
                    // What has become of it is stored all the same.
                    self.store(now)?;
                    return Err(Failure::new(text));
                }
                self.lines.push(text);
                let until = *until;
                if matches!(kind, Kind::Presign) {
                    self.in_vain(job.order.job.parties.iter());
                }
                if let (Some(scheme), Some(body)) =
                    (kind.scheme(), Body::from_bytes(&job.order.job.body))
                    && kind == Kind::storing(scheme)
                    && !self.is_past(&body)
                {
                    // The shares are there: it is asked again until all of the committee have said so. Whoever has left
                    // hears of it from them.
                    let parties = keepers(&body, scheme, &job.order.job.parties);
                    let body = Body { count: body.count.saturating_add(1), ..body };
                    if let Some(sid) = self.order(kind, &parties, &body, now) {
                        self.jobs.entry(sid).and_modify(|job| job.again.0 = until);
                    }
                }
                Ok(())
            }
        }
    }

    /// Keeps a result that all nodes have; says what it is.
    fn keep(&mut self, job: &JobOpen, result: &[u8], now: Time) -> Result<String, String> {
        let body = Body::from_bytes(&job.order.job.body).ok_or("a job without a body")?;
        let parties = job.order.job.parties.clone();
        match job.order.kind {
            Kind::Keygen => Ok(format!("a key: {}", self.keep_new(Scheme::Ecdsa, result)?)),
            Kind::Dkg => {
                Ok(format!("a key for Ed25519: {}", self.keep_new(Scheme::Ed25519, result)?))
            }
            Kind::AuxInfo => {
                self.has_aux = true;
                Ok("auxiliary information for any number of keys".to_owned())
            }
            Kind::Presign => {
                let count = self.keep_presignatures(body.key, result)?;
                Ok(format!("{count} presignatures from one run"))
            }
            kind @ (Kind::ReshareEcdsa | Kind::ReshareEd25519) => {
                let scheme = kind.scheme().ok_or("no scheme")?;
                let new = Key::open(body.key, scheme, result).map_err(|why| why.to_string())?;
                let public = result.to_vec();
                let of = Body { public, ..Body::of_key(body.key, new.epoch()) };
                self.order(Kind::storing(scheme), &parties, &of, now);
                Ok(format!("new shares of {}", self.shown(body.key)))
            }
            kind @ (Kind::StoredEcdsa | Kind::StoredEd25519) => {
                let scheme = kind.scheme().ok_or("no scheme")?;
                // It may be known already.
                if self.keys.get(&body.key).is_none_or(|key| key.epoch() < body.epoch) {
                    self.keep_key(body.key, scheme, result)?;
                }
                Ok(format!("all have stored their new shares of {}", self.shown(body.key)))
            }
        }
    }

    /// A key whose new shares are stored by all, as so many say that one of them does not lie, where that is not known yet. Each
    /// of them has heard it of all, and may have dropped its old share: the answers of others do not hold the key up.
    fn stored(&self, job: &JobOpen) -> Option<(KeyId, Scheme, Vec<u8>)> {
        let kind = job.order.kind;
        let scheme = kind.scheme().filter(|scheme| kind == Kind::storing(*scheme))?;
        let Body { key, epoch, public, .. } = Body::from_bytes(&job.order.job.body)?;
        self.keys.get(&key).filter(|known| known.epoch() < epoch)?;
        let new = Key::open(key, scheme, &public).ok()?;
        let says =
            |node: &PartyId| matches!(job.answers.get(node), Some(Ok(said)) if *said == public);
        let so_many = new.parties().iter().filter(says).count();
        (so_many >= usize::from(new.threshold())).then_some((key, scheme, public))
    }

    /// Keeps a key that was made, under the name that it has of itself, unless it is known; the public key, to be shown.
    fn keep_new(&mut self, scheme: Scheme, public: &[u8]) -> Result<String, String> {
        let id = Side::read(scheme, public).ok_or("not a key")?.name;
        if !self.keys.contains_key(&id) {
            self.keep_key(id, scheme, public)?;
        }
        Ok(self.shown(id))
    }

    /// Keeps a key, or its new epoch; what was made with shares of another one is dropped.
    pub(super) fn keep_key(
        &mut self,
        id: KeyId,
        scheme: Scheme,
        public: &[u8],
    ) -> Result<(), String> {
        let mut key = Key::open(id, scheme, public).map_err(|why| why.to_string())?;
        if let Some(before) = self.keys.remove(&id) {
            if before.public_key(&Default::default()) != key.public_key(&Default::default()) {
                self.keys.insert(id, before);
                return Err("another key under the name of one that is there".to_owned());
            }
            // The numbers of orders for nonces go on.
            for (node, nonces) in before.pool.nonces {
                key.pool.nonces.entry(node).or_default().next = nonces.next;
            }
            self.writes.emptied.push(id);
        }
        self.writes.keys.push((id, scheme, key.epoch(), public.to_vec()));
        self.keys.insert(id, key);
        Ok(())
    }

    fn keep_presignatures(&mut self, id: KeyId, list: &[u8]) -> Result<usize, String> {
        let all = read_infos(list).ok_or("not the public sides of presignatures")?;
        let Some(key) = self.keys.get_mut(&id) else { return Err("there is no such key".into()) };
        let mut count = 0_usize;
        for info in all {
            let (name, bytes) = (info.id().name(), info.to_bytes());
            // Those that were made with shares of another epoch are of no use.
            if key.add(info) {
                count = count.saturating_add(1);
                self.writes.presignatures.push((name, id, bytes));
            }
        }
        Ok(count)
    }

    /// The public key, to be shown.
    pub(super) fn shown(&self, id: KeyId) -> String {
        let key = self.keys.get(&id);
        hex(&key.and_then(|key| key.public_key(&Default::default())).unwrap_or_default())
    }

    /// Makes the keys that are to be there, and what they need.
    pub(super) fn fill_keys(&mut self, now: Time) {
        let nodes = self.config.nodes.clone();
        // Another gateway may have made keys before.
        if !self.knows(&nodes) || !self.all_have_told() {
            return;
        }
        let mut missing = Vec::new();
        for scheme in Scheme::ALL {
            let wanted = self.config.keys.iter().filter(|of| **of == scheme).count();
            let there = self.keys.values().filter(|key| key.scheme() == scheme).count();
            let making = Kind::making(scheme);
            if there < wanted && !self.pauses(making, now) && !self.job_open(making, |_| true) {
                missing.push(scheme);
            }
        }
        for scheme in missing {
            let body = Body::of_key(KeyId::NONE, 0);
            self.order(Kind::making(scheme), &nodes, &body, now);
        }
        let ecdsa = self.keys.values().any(|key| matches!(key.public, Public::Ecdsa(_)));
        let idle = !self.pauses(Kind::AuxInfo, now) && !self.job_open(Kind::AuxInfo, |_| true);
        if ecdsa && !self.has_aux && idle {
            let body = Body::of_key(KeyId::NONE, 0);
            self.order(Kind::AuxInfo, &nodes, &body, now);
        }
    }
}

/// Those who are asked again whether new shares are stored: the committee, without those who have left.
fn keepers(body: &Body, scheme: Scheme, before: &Parties) -> Parties {
    let Some(side) = Side::read(scheme, &body.public) else { return before.clone() };
    let asked = |node: &PartyId| side.parties.contains(*node);
    Parties::new(before.iter().filter(asked)).unwrap_or_else(|_| before.clone())
}

/// When something is given next, and the pause after that: twice as long, up to sixteen times the first one.
pub(super) fn later((_, pause): (Time, Time), now: Time, first: Time) -> (Time, Time) {
    (now.saturating_add(pause), pause.saturating_mul(2).min(first.saturating_mul(16)))
}

fn read_infos(list: &[u8]) -> Option<Vec<PresignatureInfo<Secp256k1>>> {
    let mut reader = Reader::new(list);
    let mut infos = Vec::new();
    while reader.remaining() > 0 {
        let length = usize::try_from(reader.u32().ok()?).ok()?;
        infos.push(PresignatureInfo::from_bytes(reader.bytes(length).ok()?).ok()?);
    }
    Some(infos)
}

/// The result that all nodes have, or why there is none.
fn common(job: &JobOpen) -> Result<Vec<u8>, String> {
    let mut why = Vec::new();
    let mut results = Vec::new();
    for node in job.order.job.parties.iter() {
        match job.answers.get(&node) {
            Some(Ok(result)) => results.push(result),
            Some(Err(text)) => why.push(format!("node {node}: {text}")),
            None => why.push(format!("node {node}: no answer")),
        }
    }
    match results.split_first() {
        Some((first, rest)) if why.is_empty() && rest.iter().all(|other| other == first) => {
            Ok((*first).clone())
        }
        Some(_) if why.is_empty() => Err("the nodes have different results".to_owned()),
        _ => Err(why.join("\n  ")),
    }
}
