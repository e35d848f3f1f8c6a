//! Votes that were signed before with another time stamp.
//!
//! A node that has given a share of a vote gives none of the same vote with another time stamp. It names the earlier request instead,
//! with its share and the material of it. The gateway continues with its own request as long as enough other nodes are left. At the
//! same time it takes the shares of the earlier vote in, and once it cannot have a signature of its own, it orders the rest
//! of them. It begins no attempt of its own for the earlier vote, so there is one signature, whoever has ordered it.

use std::collections::BTreeSet;

use custody_core::{
    Answer, EarlierAttempt, Material, Order, Reason, Refusal, RequestId, Sign, SignedHead,
    SignedRequest,
};
use quorate::PartyId;
use quorate_purpose::Purpose;

use crate::config::Now;
use crate::engine::Engine;
use crate::orders::Task;
use crate::requests::Open;
use crate::scheme::{AttemptState, Session};
use crate::state::{Outcome, Signature, State, refuse};

/// The most earlier attempts of a request. Honest nodes name fewer.
const MOST: usize = 64;
/// The longest request for a vote, in bytes.
const MOST_BYTES: usize = 8 << 10;

/// An attempt of another request, which nodes have named.
pub(crate) struct Earlier {
    request: SignedRequest,
    material: Material,
    signers: Vec<PartyId>,
    /// `None` once the shares have turned out to give no signature.
    session: Option<Box<dyn Session>>,
    /// Signers whose share has come.
    given: BTreeSet<PartyId>,
    /// `true` once the rest of the shares is ordered.
    is_ordered: bool,
}

/// The vote of which a node has given a share.
pub(crate) struct Bound {
    purpose: Vec<u8>,
    /// The material that the node has named last.
    material: Material,
}

impl Bound {
    /// The vote of the request itself.
    pub(crate) fn own(sign: &Sign, material: &Material) -> Self {
        Self { purpose: sign.purpose.clone(), material: material.clone() }
    }
}

impl Earlier {
    fn order(&self) -> Order {
        let (request, material) = (self.request.clone(), self.material.clone());
        Order::Sign { request, approvals: vec![], material }
    }
}

/// The refusal of a node that is bound to another time stamp.
pub(crate) fn other_time() -> Refusal {
    let why = "the node has given its share of the same vote with another time stamp";
    refuse(Reason::Watermark, why)
}

impl Engine {
    /// Takes in that a node has given a share of an earlier vote. Returns `false` if the request has its signature by that.
    pub(crate) fn recorded(
        &mut self,
        from: PartyId,
        id: RequestId,
        recorded: EarlierAttempt,
        now: Now,
    ) -> bool {
        let EarlierAttempt { request, material, share } = recorded;
        self.bind(from, id, &request, &material);
        let place = match self.place_of(id, &request, &material) {
            Some(place) => Some(place),
            None => self.open_earlier(id, request, material),
        };
        place.is_none_or(|place| !self.take_share(from, (id, place), &share, now))
    }

    /// Takes note of the vote that a node is bound to.
    fn bind(&mut self, from: PartyId, id: RequestId, request: &SignedRequest, material: &Material) {
        let signing = self.requests.get_mut(&id).and_then(Open::signing_mut);
        let Some(signing) = signing else { return };
        if let Some(sign) = same_but_for_time(&signing.sign, request) {
            signing.bound.insert(from, Bound { purpose: sign.purpose, material: material.clone() });
        }
    }

    fn place_of(
        &self,
        id: RequestId,
        request: &SignedRequest,
        material: &Material,
    ) -> Option<usize> {
        let earlier = &self.requests.get(&id)?.signing()?.earlier;
        earlier.iter().position(|one| one.request == *request && one.material == *material)
    }

    /// Opens an attempt of another request, if it differs in the time stamp alone. Nothing in it is believed: the signature is
    /// verified, and nodes verify the request.
    fn open_earlier(
        &mut self,
        id: RequestId,
        request: SignedRequest,
        material: Material,
    ) -> Option<usize> {
        let open = self.requests.get_mut(&id)?;
        let signing = open.signing_mut()?;
        let sign = same_but_for_time(&signing.sign, &request)?;
        let family = &self.keys.get(&signing.key)?.family;
        let begun = family.join(&sign, &material);
        let begun = begun.inspect_err(|why| tracing::warn!(request = %id, %why, "an earlier vote"));
        let (signers, session) = begun.ok().filter(|_| signing.earlier.len() < MOST)?;
        let (given, is_ordered) = (BTreeSet::new(), false);
        let session = Some(session);
        signing.earlier.push(Earlier { request, material, signers, session, given, is_ordered });
        signing.earlier.len().checked_sub(1)
    }

    /// Takes a share of an earlier vote in. Returns whether it was the last, so that the request has ended.
    fn take_share(
        &mut self,
        from: PartyId,
        (id, place): (RequestId, usize),
        share: &[u8],
        now: Now,
    ) -> bool {
        let signing = self.requests.get_mut(&id).and_then(Open::signing_mut);
        let Some(earlier) = signing.and_then(|signing| signing.earlier.get_mut(place)) else {
            return false;
        };
        let Some(session) = earlier.session.as_mut().filter(|_| earlier.signers.contains(&from))
        else {
            return false;
        };
        if !earlier.given.insert(from) {
            return false;
        }
        match session.receive(from, share) {
            AttemptState::Waiting => false,
            AttemptState::Signed(signature) => {
                self.end_with(id, place, signature, now);
                true
            }
            AttemptState::Failed(failed) => {
                // The node that named it may lie about the material, so no signer is accused.
                tracing::warn!(request = %id, why = %failed.why, "shares of an earlier vote");
                earlier.session = None;
                false
            }
        }
    }

    /// Ends a request with the signature of an earlier one, which takes its place in the description.
    fn end_with(&mut self, id: RequestId, place: usize, signature: Signature, now: Now) {
        let Some(open) = self.requests.get_mut(&id) else { return };
        let earlier = open.signing().and_then(|signing| signing.earlier.get(place));
        let Some((request, signers)) =
            earlier.map(|earlier| (earlier.request.clone(), earlier.signers.clone()))
        else {
            return;
        };
        open.record.signed = request;
        self.record_signers(id, &signers, now);
        self.end(id, State::Done(Outcome::Signature(signature)), now);
    }

    /// Orders the rest of the shares of earlier votes, if too few other nodes are up for a signature of the request itself.
    pub(crate) fn hurry_earlier(&mut self, id: RequestId, now: Now) {
        if self.lacks_members(id, |party| self.is_up(party, now)) {
            self.awaits_earlier(id, now);
        }
    }

    /// Orders the rest of the shares of earlier votes. Returns whether there are shares to wait for.
    pub(crate) fn awaits_earlier(&mut self, id: RequestId, now: Now) -> bool {
        let pause = self.soon(now);
        let Some(signing) = self.requests.get_mut(&id).and_then(Open::signing_mut) else {
            return false;
        };
        let mut awaits = false;
        for (place, earlier) in signing.earlier.iter_mut().enumerate() {
            let task = Task::Earlier(id, place);
            if earlier.session.is_some() && !core::mem::replace(&mut earlier.is_ordered, true) {
                for signer in earlier.signers.iter().filter(|one| !earlier.given.contains(*one)) {
                    self.orders.give(*signer, task, earlier.order(), pause);
                }
            }
            awaits |= earlier.session.is_some() && !self.orders.nodes(task).is_empty();
        }
        awaits
    }

    /// Asks the nodes that are bound to an earlier vote for what they give next, if enough members may give shares of it: the gateway
    /// that has ordered it may be at work. Returns whether it asks.
    pub(crate) fn asks_for_latest(&mut self, id: RequestId, now: Now) -> bool {
        let pause = self.soon(now);
        let Some(open) = self.requests.get(&id) else { return false };
        let Some(signing) = open.signing() else { return false };
        let Some(known) = self.keys.get(&signing.key) else { return false };
        let has_hope = signing.bound.values().any(|one| {
            let elsewhere = signing.bound.values().filter(|other| other.purpose != one.purpose);
            let left = known.members().len().saturating_sub(elsewhere.count());
            one.purpose != signing.sign.purpose && left >= known.threshold()
        });
        let others = signing.bound.iter().filter(|(_, one)| one.purpose != signing.sign.purpose);
        for (party, Bound { material, .. }) in others.filter(|_| has_hope) {
            let (request, material) = (open.record.signed.clone(), material.clone());
            let order = Order::Sign { request, approvals: open.approvals(), material };
            self.orders.give_later(*party, Task::Latest(id), order, pause);
        }
        has_hope
    }

    /// Takes in what a node has given since it was asked last.
    pub(crate) fn latest_shared(&mut self, from: PartyId, id: RequestId, answer: Answer, now: Now) {
        if let Answer::Earlier(recorded) = answer
            && !self.recorded(from, id, *recorded, now)
        {
            return;
        }
        self.end_by_earlier(id, other_time(), now);
    }

    /// Takes in a node's answer to an order for a share of an earlier vote.
    pub(crate) fn earlier_shared(
        &mut self,
        from: PartyId,
        (id, place): (RequestId, usize),
        answer: Answer,
        now: Now,
    ) {
        let has_ended = match answer {
            Answer::Share { bytes } => self.take_share(from, (id, place), &bytes, now),
            Answer::Earlier(recorded) => !self.recorded(from, id, *recorded, now),
            Answer::Refused(Refusal { reason: Reason::Busy | Reason::Internal, .. }) => {
                return self.order_earlier_later(from, (id, place), now);
            }
            _ => false,
        };
        if !has_ended && self.lacks_members(id, |_| true) {
            self.end_by_earlier(id, other_time(), now);
        }
    }

    /// Gives an order again that a node could not carry out now.
    fn order_earlier_later(&mut self, from: PartyId, (id, place): (RequestId, usize), now: Now) {
        let signing = self.requests.get(&id).and_then(Open::signing);
        let Some(earlier) = signing.and_then(|signing| signing.earlier.get(place)) else { return };
        let order = earlier.order();
        self.orders.give_later(from, Task::Earlier(id, place), order, self.later(now));
    }
}

/// The body of a request that differs from another one in the time stamp alone.
fn same_but_for_time(own: &Sign, request: &SignedRequest) -> Option<Sign> {
    let SignedHead { method, target, content_digest, signature_input, signature } = &request.head;
    let texts = [method, target, content_digest, signature_input, signature];
    let length = texts.iter().map(|text| text.len()).sum::<usize>();
    if length.saturating_add(request.body.len()) > MOST_BYTES {
        return None;
    }
    let sign: Sign = serde_json::from_slice(&request.body).ok()?;
    let mark = |sign: &Sign| Purpose::from_bytes(&sign.purpose).ok()?.watermark();
    let is_same = sign.child() == own.child()
        && sign.context == own.context
        && sign.purpose != own.purpose
        && mark(&sign).is_some()
        && mark(&sign) == mark(own);
    is_same.then_some(sign)
}
