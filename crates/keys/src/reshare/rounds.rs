//! The rounds. Each is a struct with what the party remembers.

mod before;

use alloc::vec::Vec;

use quorate_curve::Secret;
use quorate_session::rounds::{BroadcastLog, RoundOutcome, Rounds};
use quorate_session::{Abort, Blame, Check, Inbox, Judgement, Outbox, ParamError, PartyId, Run};
use quorate_sharing::{Commitment, Polynomial, lagrange};
use zeroize::Zeroizing;

use super::params::ReshareParams;
use super::plan::ResharePlan;
use super::result::Reshared;
use super::view::{COMPLAINS, CONFIRMS, Expected};
use crate::deal::{
    Complaint, Deal, Dealer, Finding, Keys, Label, OpeningKey, Received, blame, opening_keys,
};
use crate::wire::Encoded;
use crate::{Family, KeyTypes, Scalar, SecretShare, ShareState, SharedKey, checkpoint, evidence};
use before::{Before, LAST, Noted, Passed, Seen};

/// The state of a party between rounds.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum State<F: Family> {
    Opening(Opening<F>),
    Dealing(Dealing<F>),
    Confirming(Confirming<F>),
    /// The state of a session that is opened in the last round, with the result of its checkpoint.
    Passing(Before<F>),
}

impl<F: Family> State<F> {
    /// Round 1.
    pub(super) fn start(params: ReshareParams<F>, run: &Run) -> Result<(Self, Outbox), ParamError> {
        if run.checkpoint(LAST).is_some()
            && let Some(sent) = run.recalled()
        {
            return Ok((Self::Passing(Before::new(params, run, &sent)), sent));
        }
        let (round, outbox) = Opening::new(params, run)?;
        Ok((Self::Opening(round), outbox))
    }
}

impl<F: KeyTypes> Rounds for State<F> {
    type Output = Reshared<F>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, Reshared<F>>, Abort> {
        match self {
            Self::Opening(round) => Ok(RoundOutcome::round(round.next(run, inbox)?, Self::Dealing)),
            Self::Dealing(round) => {
                Ok(RoundOutcome::round(round.next(run, inbox)?, Self::Confirming))
            }
            Self::Confirming(round) => round.next(run, inbox),
            Self::Passing(before) => {
                let internal = || Abort::unattributed(run.round(), Check::Internal);
                Ok(match before.next(run, inbox).ok_or_else(internal)? {
                    Passed::On(before, sent) => RoundOutcome::Round(Self::Passing(before), sent),
                    Passed::Last(before, checkpoint, sent) => RoundOutcome::Round(
                        Self::Confirming(Confirming::recall(before, *checkpoint)),
                        sent,
                    ),
                })
            }
        }
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<Reshared<F>> {
        match self {
            Self::Opening(round) => round.each(inbox).into(),
            Self::Dealing(round) => round.each(run, inbox).into(),
            Self::Confirming(round) => round.judge(inbox),
            // Only while a session is opened.
            Self::Passing(_) => Judgement::default(),
        }
    }

    fn attach(log: &BroadcastLog<'_>, blames: &mut [Blame]) {
        evidence::attach(log, blames);
    }
}

/// Bytes of a message of round 3.
pub(super) fn last_length<F: Family>(dealers: usize) -> usize {
    Complaint::<F::Curve>::message_len(dealers).max(33)
}

/// Round 1 is sent: the opening key of a member of the new committee.
pub struct Opening<F: Family> {
    params: ReshareParams<F>,
    key: Option<OpeningKey<F::Curve>>,
}

impl<F: Family> Opening<F> {
    pub(super) fn new(params: ReshareParams<F>, run: &Run) -> Result<(Self, Outbox), ParamError> {
        let member = params.plan.committee().contains(params.me);
        let key = member
            .then(|| OpeningKey::<F::Curve>::new(run))
            .transpose()
            .map_err(|_| ParamError::Randomness)?;
        let body = key.as_ref().map(|key| key.public.bytes.as_ref().to_vec());
        Ok((Self { params, key }, Outbox::broadcast(body.unwrap_or_default())))
    }

    /// Deals, if this party does. It draws everything that it deals at this moment.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Dealing<F>, Outbox), Abort> {
        let received = self.each(inbox)?;
        let Self { params, key } = self;
        let own = key.as_ref().map(|key| (params.me, key.public));
        let mut keys: Keys<F::Curve> =
            received.into_iter().filter_map(|(id, key)| Some((id, key?))).chain(own).collect();
        keys.sort_unstable_by_key(|(id, _)| *id);
        let internal = Abort::unattributed(run.round(), Check::Internal);
        let dealer = match &params.share {
            Some(share) => Some(deal(&params, share, &keys, run).ok_or(internal)?),
            None => None,
        };
        let body = dealer.as_ref().map(|dealer| dealer.deal.to_bytes()).unwrap_or_default();
        let key = key.map(|key| key.secret);
        Ok((Dealing { params, key, keys, dealer }, Outbox::broadcast(body)))
    }

    /// The opening key of each peer that has one.
    pub(super) fn each(&self, inbox: Inbox<'_>) -> Received<Option<Encoded<F::Curve>>> {
        opening_keys(inbox, |from| self.params.plan.committee().contains(from))
    }
}

/// `f_i` with `f_i(0) = λ_i·s_i`, dealt. `None` if the generator is broken.
fn deal<F: Family>(
    params: &ReshareParams<F>,
    share: &Secret<Scalar<F>>,
    keys: &Keys<F::Curve>,
    run: &Run,
) -> Option<Dealer<F::Curve>> {
    let lambda = lagrange::one_at_zero::<F::Curve>(params.plan.dealers().as_slice(), params.me)?;
    let constant = Secret::make(|| lambda * *share.expose());
    let threshold = params.plan.committee().threshold();
    let mut rng = run.rng("polynomial");
    let polynomial = Polynomial::with_constant(constant.expose(), threshold, &mut rng).ok()?;
    let Some(sent) = run.recalled() else { return Deal::make(run, &polynomial, keys).ok() };
    let recipients = params.plan.committee().parties().as_slice();
    Deal::recall(run, &polynomial, recipients, sent.broadcast.as_deref()?)
}

/// Round 2 is sent: the state has the opening keys of all, and the party's own deal.
pub struct Dealing<F: Family> {
    params: ReshareParams<F>,
    /// `y_j` of a member of the new committee.
    key: Option<Secret<Scalar<F>>>,
    keys: Keys<F::Curve>,
    dealer: Option<Dealer<F::Curve>>,
}

impl<F: Family> Dealing<F> {
    /// Verifies the deals, and confirms the result or complains.
    pub(super) fn next(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<(Confirming<F>, Outbox), Abort> {
        let received = self.each(run, inbox)?;
        let Self { params, key, keys, dealer } = self;
        let internal = || Abort::unattributed(run.round(), Check::Internal);
        let (own, dealt) =
            dealer.map_or((None, None), |dealer| (dealer.own, Some((params.me, dealer.deal))));
        let mut deals: Vec<_> =
            received.into_iter().filter_map(|(id, deal)| Some((id, deal?))).chain(dealt).collect();
        deals.sort_unstable_by_key(|(id, _)| *id);
        let view = params.plan.view(run.context(), keys, deals);
        let sum = view.sum().ok_or_else(internal)?;
        let (public, expected) = params.plan.outcome(&view, &sum);
        let mut confirming = Confirming {
            seen: Seen::View(view),
            expected,
            public,
            share: None,
            member: key.is_some(),
            liars: Vec::new(),
        };
        let outbox = match (run.recalled(), &key) {
            // A party that confirms has a checkpoint with the result, and does not reach this branch.
            (Some(sent), _) => {
                confirming.liars = accused::<F>(&sent);
                sent
            }
            (None, Some(key)) => {
                confirming.speak(run, own.as_ref(), (&sum, key)).ok_or_else(internal)?
            }
            (None, None) => confirming.confirm(),
        };
        Ok((confirming, outbox))
    }

    /// Checks each deal by itself.
    pub(super) fn each(&self, run: &Run, inbox: Inbox<'_>) -> Received<Option<Deal<F::Curve>>> {
        let plan = &self.params.plan;
        let mut decoded = plan.decoded(inbox.each().map(|one| (one.from, one.broadcast)));
        if run.is_verified() {
            return inbox.verify(|from, message| {
                plan.known_deal(from, message.broadcast, decoded.take(from))
            });
        }
        let (context, constants) = (run.context(), plan.constants());
        inbox.verify(|from, message| {
            plan.deal(&context, &constants, from, message.broadcast, decoded.take(from))
        })
    }
}

/// The parties that this message accuses.
fn accused<F: Family>(sent: &Outbox) -> Vec<PartyId> {
    let body = sent.broadcast.as_deref().unwrap_or_default();
    let Some((&COMPLAINS, complaints)) = body.split_first() else { return Vec::new() };
    Complaint::<F::Curve>::accused(complaints).unwrap_or_default()
}

/// Round 3 is sent: the result, unconfirmed until all have confirmed it.
pub struct Confirming<F: Family> {
    seen: Seen<F>,
    expected: Expected,
    /// `None` if a point of the new public value is neutral.
    public: Option<SharedKey<F>>,
    share: Option<SecretShare<F>>,
    /// `true` if this party is in the new committee.
    member: bool,
    /// The parties against which this party has complained.
    liars: Vec<PartyId>,
}

impl<F: Family> Confirming<F> {
    /// The state of an opened session, with its checkpoint.
    fn recall(before: Before<F>, checkpoint: Noted<F>) -> Self {
        let Noted { digest, public, share, member } = checkpoint;
        let seen = Seen::Bodies(before);
        let expected = Expected { digest, neutral: Vec::new() };
        Self { seen, expected, public: Some(public), share, member, liars: Vec::new() }
    }

    fn take(&mut self, me: PartyId, secret: Secret<Scalar<F>>) {
        let public = self.public.as_ref();
        self.share = public
            .and_then(|public| SecretShare::new(me, public, secret, ShareState::Unconfirmed).ok());
    }

    /// The message of a member. It depends on the sum of the shares dealt to it, or on the shares that are wrong.
    /// `None` for a defect.
    fn speak(
        &mut self,
        run: &Run,
        own: Option<&Secret<Scalar<F>>>,
        (sum, key): (&Commitment<F::Curve>, &Secret<Scalar<F>>),
    ) -> Option<Outbox> {
        let Seen::View(view) = &self.seen else { return None };
        match view.receive(run.party_id(), own, sum, key) {
            Ok(secret) => {
                self.take(run.party_id(), secret);
                Some(self.confirm())
            }
            // Right shares cannot have a wrong sum.
            Err(liars) if liars.is_empty() => None,
            Err(liars) => {
                let complaints = view.complain(run, Label::Share, key, &liars).ok()?;
                self.liars = liars;
                Some(Outbox::broadcast([&[COMPLAINS], complaints.as_slice()].concat()))
            }
        }
    }

    /// The message of a party that does not complain.
    fn confirm(&self) -> Outbox {
        let body = [&[CONFIRMS], self.expected.digest.as_slice()].concat();
        Outbox { checkpoint: self.to_checkpoint(), ..Outbox::broadcast(body) }
    }

    /// The result, if there is one that this party confirms.
    fn to_checkpoint(&self) -> Zeroizing<Vec<u8>> {
        match &self.public {
            Some(public) if self.liars.is_empty() && self.share.is_some() == self.member => {
                checkpoint::to_checkpoint(public, self.share.as_ref())
            }
            _ => Zeroizing::new(Vec::new()),
        }
    }
}

impl<F: KeyTypes> Confirming<F> {
    /// Returns the result that this party has verified, and names liars. The result is not lost because of them.
    fn next<S>(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<S, Reshared<F>>, Abort> {
        match self.verdict(inbox) {
            Ok(()) => {
                let mismatch = Abort::unattributed(run.round(), Check::ResultMismatch);
                self.result(ShareState::Pending).map(RoundOutcome::Done).ok_or(mismatch)
            }
            Err(abort) => match self.result(ShareState::Unconfirmed) {
                Some(result) => Ok(RoundOutcome::Unconfirmed(result, abort)),
                None => Err(abort),
            },
        }
    }

    fn judge(self, inbox: Inbox<'_>) -> Judgement<Reshared<F>> {
        let abort = self.verdict(inbox).err();
        Judgement { abort, unconfirmed: self.result(ShareState::Unconfirmed) }
    }

    /// The result, or nothing if this party was dealt a wrong share or there is no result.
    fn result(self, state: ShareState) -> Option<Reshared<F>> {
        if self.share.is_some() != self.member {
            return None;
        }
        Some(Reshared::new(self.public?, self.share.map(|share| share.mark(state))))
    }

    fn verdict(&self, inbox: Inbox<'_>) -> Result<(), Abort> {
        let wrong = self.liars.iter().copied().map(Finding::sealed_wrong);
        let mut findings: Vec<Finding> = wrong.collect();
        let complains = inbox.each().any(|one| one.broadcast.first() == Some(&COMPLAINS));
        let rebuilt;
        let view = match &self.seen {
            Seen::View(view) => view,
            Seen::Bodies(before) => {
                rebuilt = before.view(complains);
                &rebuilt
            }
        };
        for message in inbox.each() {
            let heard =
                ResharePlan::<F>::last(view, &self.expected, message.from, message.broadcast);
            findings.extend(heard);
        }
        blame(&inbox, findings)
    }
}
