//! The rounds. Each is a struct with what the party remembers.

use alloc::vec::Vec;

use quorate_curve::{Secret, random_scalar};
use quorate_declassify::declassify;
use quorate_session::rounds::{BroadcastLog, RoundOutcome, Rounds};
use quorate_session::wire::Reader;
use quorate_session::{Abort, Blame, Check, Inbox, Judgement, Outbox, ParamError, PartyId, Run};
use quorate_sharing::{Polynomial, lagrange};

use super::params::RepairParams;
use super::result::Repaired;
use super::view::{COMPLAINS, GIVES, Given, Masks};
use crate::deal::{
    Complaint, Deal, Dealer, Finding, Keys, Label, OpeningKey, Received, blame, opening_keys,
};
use crate::wire::{Encoded, put_scalar, read_scalar};
use crate::{Family, KeyTypes, Scalar, SecretShare, ShareState, evidence};

/// The state of a party between rounds.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub enum State<F: Family> {
    Opening(Opening<F>),
    Masking(Masking<F>),
    Giving(Giving<F>),
    Ending(Ending<F>),
}

impl<F: KeyTypes> Rounds for State<F> {
    type Output = Repaired<F>;

    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<RoundOutcome<Self, Repaired<F>>, Abort> {
        match self {
            Self::Opening(round) => Ok(RoundOutcome::round(round.next(run, inbox)?, Self::Masking)),
            Self::Masking(round) => Ok(RoundOutcome::round(round.next(run, inbox)?, Self::Giving)),
            Self::Giving(round) => Ok(RoundOutcome::round(round.next(run, inbox)?, Self::Ending)),
            Self::Ending(round) => round.next(inbox),
        }
    }

    fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<Repaired<F>> {
        match self {
            Self::Opening(round) => round.each(inbox).into(),
            Self::Masking(round) => round.each(run, inbox).into(),
            Self::Giving(round) => round.given_up(inbox).into(),
            Self::Ending(round) => round.judge(inbox),
        }
    }

    fn attach(log: &BroadcastLog<'_>, blames: &mut [Blame]) {
        evidence::attach(log, blames);
    }
}

/// Round 1 is sent: the opening key.
pub struct Opening<F: Family> {
    params: RepairParams<F>,
    key: OpeningKey<F::Curve>,
}

impl<F: Family> Opening<F> {
    pub(super) fn new(params: RepairParams<F>, run: &Run) -> Result<(Self, Outbox), ParamError> {
        let key = OpeningKey::<F::Curve>::new(run).map_err(|_| ParamError::Randomness)?;
        let body = key.public.bytes.as_ref().to_vec();
        Ok((Self { params, key }, Outbox::broadcast(body)))
    }

    /// Deals a helper's mask. It draws everything that it deals at this moment.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Masking<F>, Outbox), Abort> {
        let received = self.each(inbox)?;
        let Self { params, key } = self;
        let own = (params.me, key.public);
        let mut keys: Keys<F::Curve> =
            received.into_iter().filter_map(|(id, key)| Some((id, key?))).chain([own]).collect();
        keys.sort_unstable_by_key(|(id, _)| *id);
        let internal = Abort::unattributed(run.round(), Check::Internal);
        let dealer = match &params.share {
            Some(_) => Some(mask(&params, &keys, run).ok_or(internal)?),
            None => None,
        };
        let body = dealer.as_ref().map(|dealer| dealer.deal.to_bytes()).unwrap_or_default();
        Ok((Masking { params, key: key.secret, keys, dealer }, Outbox::broadcast(body)))
    }

    pub(super) fn each(&self, inbox: Inbox<'_>) -> Received<Option<Encoded<F::Curve>>> {
        opening_keys(inbox, |_| true)
    }
}

/// `δ_k = (x − r)·q` for a random q of t − 1 coefficients, dealt. `None` if the generator is broken.
fn mask<F: Family>(
    params: &RepairParams<F>,
    keys: &Keys<F::Curve>,
    run: &Run,
) -> Option<Dealer<F::Curve>> {
    let plan = &params.plan;
    let mut rng = run.rng("mask");
    let threshold = usize::from(plan.key().threshold());
    let r = Scalar::<F>::from(u64::from(plan.target().get()));
    let zero = Scalar::<F>::default;
    // The capacities are exact. A vector that grew would leave its coefficients behind, unwiped.
    let mut q = Secret::new(Vec::with_capacity(threshold));
    q.expose_mut().extend((1..threshold).map(|_| random_scalar::<F::Curve>(&mut rng)));
    let all_zero = q.expose().iter().fold(true, |all, one| all & (*one == zero()));
    // With a working generator this is never true.
    if declassify(all_zero) {
        return None;
    }
    let mut coefficients = Vec::with_capacity(threshold);
    // δ_0 = −r·q_0, δ_j = q_(j−1) − r·q_j, δ_(t−1) = q_(t−2)
    let mut before = zero();
    for one in q.expose() {
        coefficients.push(before - r * *one);
        before = *one;
    }
    coefficients.push(before);
    let helpers: Keys<F::Curve> =
        keys.iter().filter(|(id, _)| *id != plan.target()).copied().collect();
    let polynomial = Polynomial::from_coefficients(coefficients);
    let Some(sent) = run.recalled() else { return Deal::make(run, &polynomial, &helpers).ok() };
    Deal::recall(run, &polynomial, plan.helpers().as_slice(), sent.broadcast.as_deref()?)
}

/// Round 2 is sent: the state has the opening keys of all, and the party's own mask.
pub struct Masking<F: Family> {
    params: RepairParams<F>,
    /// `y_j`.
    key: Secret<Scalar<F>>,
    keys: Keys<F::Curve>,
    dealer: Option<Dealer<F::Curve>>,
}

impl<F: Family> Masking<F> {
    /// Verifies the masks. A helper then gives its masked share, or complains.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Giving<F>, Outbox), Abort> {
        let received = self.each(run, inbox)?;
        let Self { params, key, keys, dealer } = self;
        let internal = || Abort::unattributed(run.round(), Check::Internal);
        let (own, d, dealt) = match dealer {
            Some(Dealer { deal, key, own }) => (own, Some(key), Some((params.me, deal))),
            None => (None, None, None),
        };
        let mut deals: Vec<_> =
            received.into_iter().filter_map(|(id, deal)| Some((id, deal?))).chain(dealt).collect();
        deals.sort_unstable_by_key(|(id, _)| *id);
        let masks = Masks::new(params.plan, run.context(), keys, deals).ok_or_else(internal)?;
        let mut giving =
            Giving { share: params.share, key, masks, liars: Vec::new(), sealed: None };
        let body = match (own, d) {
            (Some(own), Some(d)) => giving.give(run, &own, &d).ok_or_else(internal)?,
            _ => Vec::new(),
        };
        Ok((giving, Outbox::broadcast(body)))
    }

    /// Checks each mask by itself.
    pub(super) fn each(&self, run: &Run, inbox: Inbox<'_>) -> Received<Option<Deal<F::Curve>>> {
        let context = run.context();
        let plan = &self.params.plan;
        let mut decoded = plan.decoded(inbox.each().map(|one| (one.from, one.broadcast)));
        if run.is_verified() {
            return inbox.verify(|from, message| {
                plan.known_mask(from, message.broadcast, decoded.take(from))
            });
        }
        inbox.verify(|from, message| {
            plan.mask(&context, from, message.broadcast, decoded.take(from))
        })
    }
}

/// Round 3 is sent: a helper's masked share, or its complaints.
pub struct Giving<F: Family> {
    /// A helper's `s_i`.
    share: Option<Secret<Scalar<F>>>,
    /// `y_j`.
    key: Secret<Scalar<F>>,
    masks: Masks<F>,
    /// The parties against which this party has complained.
    liars: Vec<PartyId>,
    /// The masked share that this helper has sealed for the target.
    sealed: Option<Scalar<F>>,
}

impl<F: Family> Giving<F> {
    /// The message of a helper: `v_i = s_i + Σ δ_k(i)` sealed to the target, or complaints. `None` for a defect.
    fn give(
        &mut self,
        run: &Run,
        own: &Secret<Scalar<F>>,
        d: &Secret<Scalar<F>>,
    ) -> Option<Vec<u8>> {
        let share = self.share.as_ref()?;
        if let Some(sent) = run.recalled() {
            let body = sent.broadcast?;
            match body.split_first()? {
                (&GIVES, sealed) => {
                    self.sealed = Some(read_scalar::<F::Curve>(&mut Reader::new(sealed)).ok()?);
                }
                (_, complaints) => self.liars = accused::<F>(complaints)?,
            }
            return Some(body);
        }
        match self.masks.view.receive(run.party_id(), Some(own), &self.masks.sum, &self.key) {
            Ok(mask) => {
                let masked = Secret::make(|| *share.expose() + *mask.expose());
                let envelope = self.masks.envelope(run.party_id())?;
                let sealed = envelope.seal(&envelope.sent(d.expose()), masked.expose());
                self.sealed = Some(sealed);
                let mut body = Vec::from([GIVES]);
                put_scalar::<F::Curve>(&mut body, &sealed);
                Some(body)
            }
            // Right shares cannot have a wrong sum.
            Err(liars) if liars.is_empty() => None,
            Err(liars) => {
                let complaints =
                    self.masks.view.complain(run, Label::Share, &self.key, &liars).ok()?;
                self.liars = liars;
                Some([&[COMPLAINS], complaints.as_slice()].concat())
            }
        }
    }

    /// Puts the target's share together, or complains.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Ending<F>, Outbox), Abort> {
        let internal = || Abort::unattributed(run.round(), Check::Internal);
        let mut given = self.each(inbox)?;
        if let Some(sealed) = self.sealed {
            given.insert(run.party_id(), sealed);
        }
        if self.share.is_some() {
            let ending = Ending { masks: self.masks, given, share: None, liars: Vec::new() };
            return Ok((ending, Outbox::default()));
        }
        if let Some(sent) = run.recalled() {
            return self.recall(given, sent).ok_or_else(internal);
        }
        match self.put_together(&given).ok_or_else(internal)? {
            Ok(share) => {
                let outbox = Outbox {
                    checkpoint: share.to_bytes(),
                    ..Outbox::broadcast(Vec::from([GIVES]))
                };
                let ending =
                    Ending { masks: self.masks, given, share: Some(share), liars: Vec::new() };
                Ok((ending, outbox))
            }
            Err(liars) => {
                let complaints =
                    self.masks.view.complain(run, self.masks.label(), &self.key, &liars);
                let body = [&[COMPLAINS], complaints.map_err(|_| internal())?.as_slice()].concat();
                Ok((
                    Ending { masks: self.masks, given, share: None, liars },
                    Outbox::broadcast(body),
                ))
            }
        }
    }

    /// The end of the target's run in an opened session, from its messages and its checkpoint.
    fn recall(self, given: Given<F>, sent: Outbox) -> Option<(Ending<F>, Outbox)> {
        let (share, liars) = match sent.broadcast.as_deref()?.split_first()? {
            (&GIVES, _) => {
                let share = SecretShare::from_bytes(&sent.checkpoint).ok()?;
                share.check_belongs_to(self.masks.plan.key()).ok()?;
                (Some(share), Vec::new())
            }
            (_, complaints) => (None, accused::<F>(complaints)?),
        };
        Some((Ending { masks: self.masks, given, share, liars }, sent))
    }

    /// The sealed masked share of each helper, if nobody complains; otherwise the liars.
    pub(super) fn each(&self, inbox: Inbox<'_>) -> Received<Scalar<F>> {
        self.read(inbox, false)
    }

    /// As [`Self::each`], in a run that ends here.
    fn given_up(&self, inbox: Inbox<'_>) -> Received<Scalar<F>> {
        self.read(inbox, true)
    }

    /// `ends` says that no round comes after this one, whatever is found.
    fn read(&self, inbox: Inbox<'_>, ends: bool) -> Received<Scalar<F>> {
        let mut findings: Vec<Finding> =
            self.liars.iter().copied().map(Finding::sealed_wrong).collect();
        let mut given = Given::<F>::new();
        for message in inbox.each() {
            match self.masks.given(message.from, message.broadcast) {
                Ok(Some(sealed)) => drop(given.insert(message.from, sealed)),
                Ok(None) => {}
                Err(more) => findings.extend(more),
            }
        }
        // The run is over, so the target also names the parties that lied to it alone, without evidence. Opening
        // what they have sealed for it would take a complaint, and no round is left for one. Their frames have shown
        // that they saw the same masks.
        if (ends || !findings.is_empty()) && self.share.is_none() {
            let lied = given.iter().filter(|(helper, sealed)| self.open(*helper, sealed).is_none());
            findings.extend(lied.map(|(helper, _)| Finding::sealed_wrong_unseen(helper)));
        }
        blame(&inbox, findings).map(|()| given)
    }

    /// The target's share, from the masked shares of all helpers; or the helpers whose masked shares are wrong.
    /// `None` for a defect.
    fn put_together(&self, given: &Given<F>) -> Option<Result<SecretShare<F>, Vec<PartyId>>> {
        let mut liars = Vec::new();
        let mut values = Vec::with_capacity(given.len());
        for (helper, sealed) in given {
            match self.open(helper, sealed) {
                Some(value) => values.push(value),
                None => liars.push(helper),
            }
        }
        if !liars.is_empty() {
            return Some(Err(liars));
        }
        let (key, target) = (self.masks.plan.key(), self.masks.plan.target());
        let ids: Vec<PartyId> = given.iter().map(|(helper, _)| helper).collect();
        let lambdas = lagrange::all_at::<F::Curve>(&ids, target)?;
        let terms = || lambdas.iter().zip(&values).map(|(lambda, value)| *lambda * *value.expose());
        let sum = Secret::make(|| terms().fold(Scalar::<F>::default(), |sum, term| sum + term));
        SecretShare::new(target, key, sum, ShareState::alone_in(key.epoch())).ok().map(Ok)
    }

    /// A helper's masked share, opened by the target, if it is right.
    fn open(&self, helper: PartyId, sealed: &Scalar<F>) -> Option<Secret<Scalar<F>>> {
        let envelope = self.masks.envelope(helper)?;
        let value = envelope.open(&envelope.shared(self.key.expose()), sealed);
        self.masks.fits(helper, &value).then_some(value)
    }
}

/// The parties that these complaints accuse.
fn accused<F: Family>(complaints: &[u8]) -> Option<Vec<PartyId>> {
    Complaint::<F::Curve>::accused(complaints).ok()
}

/// Round 4 is sent: the target has its share or complains.
pub struct Ending<F: Family> {
    masks: Masks<F>,
    given: Given<F>,
    /// The share, if this is the target.
    share: Option<SecretShare<F>>,
    /// The parties against which the target has complained.
    liars: Vec<PartyId>,
}

impl<F: KeyTypes> Ending<F> {
    /// Returns the target's share, which is good whatever the others send now, and names the liars.
    fn next<S>(self, inbox: Inbox<'_>) -> Result<RoundOutcome<S, Repaired<F>>, Abort> {
        match (self.verdict(inbox), self.share()) {
            (Ok(()), share) => Ok(RoundOutcome::Done(share.unwrap_or(Repaired::Helped))),
            (Err(abort), Some(share)) => Ok(RoundOutcome::Unconfirmed(share, abort)),
            (Err(abort), None) => Err(abort),
        }
    }

    fn judge(self, inbox: Inbox<'_>) -> Judgement<Repaired<F>> {
        Judgement { abort: self.verdict(inbox).err(), unconfirmed: self.share() }
    }

    fn verdict(&self, inbox: Inbox<'_>) -> Result<(), Abort> {
        let mut findings: Vec<Finding> =
            self.liars.iter().copied().map(Finding::sealed_wrong).collect();
        for message in inbox.each() {
            findings.extend(self.masks.last(&self.given, message.from, message.broadcast));
        }
        blame(&inbox, findings)
    }

    fn share(self) -> Option<Repaired<F>> {
        let key = self.masks.plan.key();
        self.share.map(|share| Repaired::Share(F::key_share(share, key)))
    }
}
