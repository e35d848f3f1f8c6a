//! Keys that all members have certified.

use std::collections::{BTreeMap, BTreeSet};

use custody_core::{
    Answer, Certificate, Child, ChildDescription, Endorsement, KeyCondition, KeyDescription, KeyId,
    KeyInfo, KeyState, Order, Reason, Refusal, SignedCertificate, Stock,
};
use quorate::PartyId;

use crate::config::Now;
use crate::database::{Space, Write};
use crate::engine::Engine;
use crate::orders::Task;
use crate::pool::Pool;
use crate::scheme::{self, Family};
use crate::state::refuse;

/// A key. Its certificate is verified.
pub(crate) struct Known {
    pub(crate) signed: SignedCertificate,
    pub(crate) family: Box<dyn Family>,
    pub(crate) pool: Pool,
    /// The members' descriptions, which the gateway cannot verify.
    infos: BTreeMap<PartyId, KeyInfo>,
    /// Runs of presigning.
    pub(crate) runs: BTreeMap<[u8; 32], Run>,
    /// The stock that an administrator has asked for, until it is there.
    pub(crate) wanted: usize,
    /// The tick until which nothing is made ahead, because it has failed.
    pub(crate) rests_until: u64,
    /// The members that list a stock of a later epoch than the certificate's.
    ahead: BTreeSet<PartyId>,
}

/// A run of presigning that has not ended.
pub(crate) struct Run {
    pub(crate) signers: Vec<PartyId>,
    pub(crate) since: u64,
}

/// The answers of nodes that were asked to certify a key: a certificate, or no such key.
pub(crate) type Votes = BTreeMap<PartyId, Option<(Certificate, Endorsement)>>;

/// The most keys that are being certified at a time.
const MOST_VOTES: usize = 256;
/// As many of them at most because a node lists them, which may be the only one that has them. The rest is for requests.
const MOST_LISTED: usize = 128;
/// The longest public key package, in bytes. One of ML-DSA of 3 of 6 members has 66 kB.
const MOST_PACKAGE: usize = 1 << 17;

impl Known {
    /// Opens a certified key. The salt is the gateway's.
    pub(crate) fn open(signed: SignedCertificate, salt: [u8; 32]) -> Result<Self, Refusal> {
        let family = scheme::open(&signed.certificate)?;
        let (infos, runs, ahead) = <_>::default();
        let pool = Pool::new(salt);
        Ok(Self { signed, family, pool, infos, runs, wanted: 0, rests_until: 0, ahead })
    }

    pub(crate) const fn certificate(&self) -> &Certificate {
        &self.signed.certificate
    }

    pub(crate) fn members(&self) -> &[PartyId] {
        &self.signed.certificate.spec.members
    }

    pub(crate) fn has_member(&self, party: PartyId) -> bool {
        self.members().contains(&party)
    }

    pub(crate) fn threshold(&self) -> usize {
        self.signed.certificate.spec.threshold.into()
    }

    /// Returns whether the key has new shares whose certificate has not arrived: what is made from them is not counted, and would be
    /// ordered again. Fewer members than the threshold lie, so they cannot stop the stock.
    pub(crate) fn awaits_certificate(&self) -> bool {
        self.ahead.len() >= self.threshold()
    }

    /// Returns whether presignatures or nonces are made ahead.
    pub(crate) const fn has_stock(&self) -> bool {
        !self.certificate().spec.scheme.is_interactive()
    }

    /// The number of runs of presigning with this node that take longer than this.
    pub(crate) fn slow_runs(&self, party: PartyId, longest: u64, now: Now) -> u32 {
        let is_slow = |run: &&Run| {
            run.signers.contains(&party) && now.tick.saturating_sub(run.since) >= longest
        };
        u32::try_from(self.runs.values().filter(is_slow).count()).unwrap_or(u32::MAX)
    }

    /// The state of the key: enabled if as many members as the threshold, or nobody, say anything.
    pub(crate) fn condition(&self) -> (KeyCondition, Option<u64>) {
        let enabled = self.infos.values().filter(|info| info.state == KeyState::Enabled).count();
        let states = self.infos.values().map(|info| info.state);
        let others: Vec<KeyState> = states.filter(|state| *state != KeyState::Enabled).collect();
        if enabled >= self.threshold() || others.is_empty() {
            return (KeyCondition::Enabled, None);
        }
        let deletion = others.iter().find_map(|state| match state {
            KeyState::DeletionScheduled { at } => Some(*at),
            _ => None,
        });
        let scheduled = deletion.map(|at| (KeyCondition::DeletionScheduled, Some(at)));
        scheduled.unwrap_or((KeyCondition::Disabled, None))
    }

    /// The number of signatures for which there are presignatures or nonces.
    pub(crate) fn stock(&self) -> usize {
        let mut counts: Vec<usize> = self.pool.counts().map(|(_, count)| count).collect();
        if self.certificate().spec.scheme.is_presigned() {
            return counts.iter().sum();
        }
        counts.sort_unstable_by(|one, other| other.cmp(one));
        counts.get(self.threshold().saturating_sub(1)).copied().unwrap_or(0)
    }

    /// The description for callers.
    pub(crate) fn describe(&self, child: Option<&Child>) -> Result<KeyDescription, Refusal> {
        let certificate = self.certificate();
        let (state, deletion_at) = self.condition();
        let info = self.infos.values().next();
        Ok(KeyDescription {
            key: certificate.key,
            request: info.map_or(custody_core::RequestId::new([0; 32]), |info| info.request),
            spec: certificate.spec.clone(),
            state,
            deletion_at,
            epoch: certificate.epoch,
            stock: u32::try_from(self.stock()).unwrap_or(u32::MAX),
            public_key: certificate.public_key.clone(),
            spki: self.family.spki(&certificate.public_key),
            root: certificate.root.clone(),
            certificate: self.signed.to_bytes().ok(),
            child: child.map(|child| self.describe_child(child)).transpose()?,
        })
    }

    fn describe_child(&self, child: &Child) -> Result<ChildDescription, Refusal> {
        let certificate = self.certificate();
        let none = || refuse(Reason::WrongPath, "the key has no children");
        let root = certificate.root.as_ref().ok_or_else(none)?;
        let public_key = root.public_key(certificate.spec.scheme, child)?;
        let spki = self.family.spki(&public_key);
        let Child { path, merkle_root } = child.clone();
        Ok(ChildDescription { path, merkle_root, public_key, spki })
    }
}

impl Engine {
    /// Asks nodes to certify a key of which no certificate, or only one of an earlier epoch, is known.
    pub(crate) fn ask_for_certificate(&mut self, key: KeyId, now: Now) {
        if self.votes.len() >= MOST_VOTES && !self.votes.contains_key(&key) {
            return;
        }
        self.votes.entry(key).or_default();
        let pause = self.soon(now);
        for party in self.nodes.keys() {
            self.orders.give(*party, Task::Certify(key), Order::Certify { key }, pause);
        }
    }

    /// Takes in a node's answer about a certificate.
    pub(crate) fn certified(&mut self, from: PartyId, key: KeyId, answer: Answer, now: Now) {
        let vote = match answer {
            Answer::Certificate { certificate, endorsement }
                if certificate.key == key && certificate.package.len() <= MOST_PACKAGE =>
            {
                (endorsement.party == from).then_some((*certificate, endorsement))
            }
            Answer::Refused(refusal) if refusal.is_retryable() => {
                let pause = self.later(now);
                return self.orders.give_later(
                    from,
                    Task::Certify(key),
                    Order::Certify { key },
                    pause,
                );
            }
            _ => None,
        };
        let Some(votes) = self.votes.get_mut(&key) else { return };
        votes.insert(from, vote);
        let Some(signed) = complete(votes) else { return self.maybe_unknown(key, now) };
        if signed.verify(&self.directory).is_err() || !self.may_follow(&signed.certificate) {
            return;
        }
        self.votes.remove(&key);
        self.orders.withdraw_all(Task::Certify(key));
        self.adopt(signed, now);
    }

    /// Returns whether a certificate may replace the one that is known. Members of the earlier committee that are too few to
    /// sign cannot vouch for another committee, unless a request of a caller asks for it.
    fn may_follow(&self, next: &Certificate) -> bool {
        let Some(known) = self.keys.get(&next.key) else { return true };
        let stay = known.members().iter().filter(|party| next.spec.members.contains(party));
        next.epoch > known.certificate().epoch
            && (stay.count() >= known.threshold() || self.is_wanted(&next.key, &next.spec))
    }

    fn adopt(&mut self, signed: SignedCertificate, now: Now) {
        let key = signed.certificate.key;
        let bytes = signed.to_bytes();
        let mut known = match Known::open(signed, self.salt) {
            Ok(known) => known,
            Err(why) => return tracing::warn!(%key, %why, "a certified key cannot be used"),
        };
        if let Ok(bytes) = bytes {
            self.writes.push(Write::Put(Space::Keys, key.as_bytes().to_vec(), bytes));
        }
        if let Some(earlier) = self.keys.remove(&key) {
            earlier.runs.keys().for_each(|run| self.orders.withdraw_all(Task::Presign(key, *run)));
            known.wanted = earlier.wanted;
        }
        self.orders.withdraw_all(Task::Stock(key));
        self.orders.withdraw_all(Task::Nonces(key));
        self.orders.withdraw_all(Task::Confirm(key));
        tracing::info!(%key, epoch = known.certificate().epoch, "a key is certified by all members");
        let members = known.members().to_vec();
        self.keys.insert(key, known);
        for party in members {
            self.list_stock(key, party, now);
            self.confirm(key, party, self.soon(now));
        }
        self.restart_attempts(key, now);
        self.key_is_known(key, now);
    }

    /// Shows a member that all have certified the key. It needs that if its run ended without knowing so.
    pub(crate) fn confirm(&mut self, key: KeyId, party: PartyId, times: (u64, u64)) {
        let statement = self.keys.get(&key).and_then(|known| known.signed.to_statement().ok());
        let order = Order::Agree { key, statements: statement.into_iter().collect() };
        self.orders.give_later(party, Task::Confirm(key), order, times);
    }

    /// Takes in a member's answer to that.
    pub(crate) fn confirmed(&mut self, from: PartyId, key: KeyId, answer: &Answer, now: Now) {
        match answer {
            Answer::Refused(why) if why.is_retryable() => self.confirm(key, from, self.later(now)),
            _ => self.list_stock(key, from, now),
        }
    }

    /// Asks a node what it has ready for a key.
    pub(crate) fn list_stock(&mut self, key: KeyId, party: PartyId, now: Now) {
        if let Some(known) = self.keys.get_mut(&key) {
            known.pool.restart_list(party);
        }
        self.orders.withdraw(Task::Stock(key), party);
        let pause = self.soon(now);
        self.orders.give(party, Task::Stock(key), Order::Stock { key, after: None }, pause);
    }

    /// Takes in a part of a node's stock.
    pub(crate) fn stocked(&mut self, from: PartyId, key: KeyId, answer: Answer, now: Now) {
        let Answer::Stock(Stock { epoch, material, next, .. }) = answer else { return };
        let Some(known) = self.keys.get_mut(&key) else { return };
        if epoch > known.certificate().epoch && known.has_member(from) {
            known.ahead.insert(from);
        } else {
            known.ahead.remove(&from);
        }
        let (mut items, mut listed) = (Vec::new(), Vec::new());
        for bytes in material {
            match known.pool.read_before(from, &bytes) {
                Some(item) => items.push(item),
                None => listed.push(bytes),
            }
        }
        items.extend(known.family.items(from, listed));
        known.pool.list(from, items, next.is_none());
        if next.is_some() {
            let pause = self.soon(now);
            let order = Order::Stock { key, after: next };
            self.orders.give(from, Task::Stock(key), order, pause);
        }
    }

    /// Takes in a part of a node's list of keys.
    pub(crate) fn listed(&mut self, from: PartyId, answer: Answer, now: Now) {
        let Answer::Keys(list) = answer else { return };
        let last = list.last().map(|info| info.key).filter(|_| list.len() >= Answer::MAX_KEYS);
        for info in list {
            let (key, is_changing) = (info.key, self.is_changing(&info.key));
            let known = self.keys.get_mut(&key);
            if let Some(known) = known.filter(|known| known.certificate().epoch >= info.epoch) {
                if known.has_member(from) {
                    known.infos.insert(from, info);
                }
            } else if !is_changing && self.votes.len() < MOST_LISTED {
                self.ask_for_certificate(key, now);
            }
        }
        if last.is_some() {
            let pause = self.soon(now);
            self.orders.give(from, Task::Keys, Order::Keys { after: last }, pause);
        }
    }

    /// Ends requests for a key that no node has. One node alone is not believed.
    fn maybe_unknown(&mut self, key: KeyId, now: Now) {
        let Some(votes) = self.votes.get(&key) else { return };
        let says_no = |party: &PartyId| votes.get(party).is_some_and(Option::is_none);
        let all = self.nodes.keys().all(|party| says_no(party) || !self.is_up(*party, now));
        let silent = self.nodes.keys().filter(|party| says_no(party)).count();
        if all && silent > 1 && !self.keys.contains_key(&key) {
            self.votes.remove(&key);
            self.orders.withdraw_all(Task::Certify(key));
            let why = refuse(Reason::UnknownKey, format_args!("no node has the key {key}"));
            self.key_is_unknown(key, &why, now);
        }
    }
}

/// The certificate of which all members have sent the same, with their signatures.
fn complete(votes: &Votes) -> Option<SignedCertificate> {
    let mut given = votes.values().flatten();
    let certificate = given.find_map(|(certificate, _)| {
        let agrees = |party: &PartyId| {
            votes.get(party).and_then(Option::as_ref).is_some_and(|(other, _)| other == certificate)
        };
        certificate.spec.members.iter().all(agrees).then_some(certificate)
    })?;
    let signature = |party: &PartyId| Some(votes.get(party)?.as_ref()?.1.clone());
    let signatures = certificate.spec.members.iter().filter_map(signature).collect();
    Some(SignedCertificate { certificate: certificate.clone(), signatures })
}
