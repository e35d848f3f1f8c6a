//! The rounds, each a struct that holds what the party remembers.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret, random_scalar};
use quorate_session::{
    Abort, Check, Fault, Inbox, Judgement, Message, Next, Outbox, ParamError, PartyId, Run,
    wire::Reader,
};
use quorate_sharing::{Commitment, Polynomial, lagrange};

use super::{Repair, RepairParams, Repaired};
use crate::deal::{Complaint, Deal, Dealer, Finding, Keys, Label, OpeningKey, View, blame};
use crate::reshare::rounds::{Received, opening_key};
use crate::wire::{Encoded, put_scalar, read_scalar, scalar_len};
use crate::{Family, Scalar, SecretShare, ShareState};

/// The first byte of a message of rounds 3 and 4.
const GIVES: u8 = 0;
const COMPLAINS: u8 = 1;

/// Round 1 is sent: the opening key.
pub(super) struct Opening<F: Family> {
    params: RepairParams<F>,
    key: OpeningKey<F::Curve>,
}

impl<F: Family> Opening<F> {
    pub(super) fn new(params: RepairParams<F>, run: &Run) -> Result<(Self, Outbox), ParamError> {
        let key = OpeningKey::<F::Curve>::new(run).map_err(|_| ParamError::Randomness)?;
        let body = key.public.bytes.as_ref().to_vec();
        Ok((Self { params, key }, Outbox::broadcast(body)))
    }

    /// A helper deals its mask.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Masking<F>, Outbox), Abort> {
        let received = self.each(inbox)?;
        let Self { params, key } = self;
        let own = (params.me, key.public);
        let mut keys: Keys<F::Curve> =
            received.into_iter().filter_map(|(id, key)| Some((id, key?))).chain([own]).collect();
        keys.sort_unstable_by_key(|(id, _)| *id);
        let dealer = match &params.share {
            Some(_) => Some(
                mask(&params, &keys, run)
                    .ok_or(Abort::unattributed(run.round(), Check::Internal))?,
            ),
            None => None,
        };
        let body = dealer.as_ref().map(|dealer| dealer.deal.to_bytes()).unwrap_or_default();
        Ok((Masking { params, key: key.secret, keys, dealer }, Outbox::broadcast(body)))
    }

    pub(super) fn each(&self, inbox: Inbox<'_>) -> Received<Option<Encoded<F::Curve>>> {
        inbox.verify(|_, message| opening_key(true, message))
    }
}

/// `δ_k = (x − r)·q` for a random q of t − 1 coefficients, dealt. `None` if the generator is broken.
fn mask<F: Family>(
    params: &RepairParams<F>,
    keys: &Keys<F::Curve>,
    run: &Run,
) -> Option<Dealer<F::Curve>> {
    let mut rng = run.rng("mask");
    let threshold = usize::from(params.key.threshold());
    let r = Scalar::<F>::from(u64::from(params.target.get()));
    let zero = Scalar::<F>::default;
    // The capacities are exact: a vector that grew would leave its coefficients behind, unwiped.
    let mut q = Secret::new(Vec::with_capacity(threshold));
    q.expose_mut().extend((1..threshold).map(|_| random_scalar::<F::Curve>(&mut rng)));
    if q.expose().iter().all(|one| *one == zero()) {
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
        keys.iter().filter(|(id, _)| *id != params.target).copied().collect();
    Deal::make(run, &Polynomial::from_coefficients(coefficients), &helpers).ok()
}

/// Round 2 is sent: the opening keys of all, and the own mask.
pub(super) struct Masking<F: Family> {
    params: RepairParams<F>,
    /// `y_j`.
    key: Secret<Scalar<F>>,
    keys: Keys<F::Curve>,
    dealer: Option<Dealer<F::Curve>>,
}

impl<F: Family> Masking<F> {
    /// Verifies the masks; a helper gives its masked share, or complains.
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
        let view = View { context: run.context(), keys, recipients: params.helpers(), deals };
        let masks = view.sum().ok_or_else(internal)?;
        let digest = view.digest();
        let mut giving =
            Giving { params, key, view, digest, masks, liars: Vec::new(), sealed: None };
        let body = match (own, d) {
            (Some(own), Some(d)) => giving.give(run, &own, &d).ok_or_else(internal)?,
            _ => Vec::new(),
        };
        Ok((giving, Outbox::broadcast(body)))
    }

    /// Each mask, alone: its form, its proof, its zero.
    pub(super) fn each(&self, run: &Run, inbox: Inbox<'_>) -> Received<Option<Deal<F::Curve>>> {
        let (target, helpers) = (self.params.target, self.params.helpers());
        let threshold = usize::from(self.params.key.threshold());
        inbox.verify(|from, message| {
            if from == target {
                return if message.broadcast.is_empty() {
                    Ok(None)
                } else {
                    Err(Fault::WrongLength)
                };
            }
            let deal = Deal::read(message.broadcast, &run.context(), from, threshold, &helpers)?;
            // Δ_k(r) = O
            if F::Curve::is_identity(&deal.commitment.evaluate_vartime(target)) {
                Ok(Some(deal))
            } else {
                Err(Fault::InvalidSum)
            }
        })
    }
}

/// Round 3 is sent: a helper's masked share, or its complaints.
pub(super) struct Giving<F: Family> {
    params: RepairParams<F>,
    /// `y_j`.
    key: Secret<Scalar<F>>,
    view: View<F::Curve>,
    /// Of the view.
    digest: [u8; 32],
    /// The commitment to `Σ δ_k`.
    masks: Commitment<F::Curve>,
    /// Those against whom this party has complained.
    liars: Vec<PartyId>,
    /// What this helper has sealed for the target.
    sealed: Option<Scalar<F>>,
}

impl<F: Family> Giving<F> {
    /// The message of a helper: `v_i = s_i + Σ δ_k(i)` sealed to the target, or complaints.
    fn give(
        &mut self,
        run: &Run,
        own: &Secret<Scalar<F>>,
        d: &Secret<Scalar<F>>,
    ) -> Option<Vec<u8>> {
        let share = self.params.share.as_ref()?;
        match self.view.receive(run.me(), Some(own), &self.masks, &self.key) {
            Ok(mask) => {
                let masked = Secret::make(|| *share.expose() + *mask.expose());
                let envelope =
                    self.view.envelope(Label::Masked(self.digest), run.me(), self.params.target)?;
                let sealed = envelope.seal(d.expose(), masked.expose());
                self.sealed = Some(sealed);
                let mut body = Vec::from([GIVES]);
                put_scalar::<F::Curve>(&mut body, &sealed);
                Some(body)
            }
            Err(liars) => {
                let complaints = self.view.complain(run, Label::Share, &self.key, &liars).ok()?;
                self.liars = liars;
                Some([&[COMPLAINS], complaints.as_slice()].concat())
            }
        }
    }

    /// The target puts its share together, or complains.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<(Ending<F>, Outbox), Abort> {
        let mut given = self.each(inbox)?;
        given.extend(self.sealed.map(|sealed| (self.params.me, sealed)));
        let helper = self.params.share.is_some();
        let (mut share, mut liars, mut body) = (None, Vec::new(), Vec::new());
        if !helper {
            let internal = || Abort::unattributed(run.round(), Check::Internal);
            match self.put_together(&given).ok_or_else(internal)? {
                Ok(found) => (share, body) = (Some(found), Vec::from([GIVES])),
                Err(found) => {
                    let label = Label::Masked(self.digest);
                    let complaints = self.view.complain(run, label, &self.key, &found);
                    body = [&[COMPLAINS], complaints.map_err(|_| internal())?.as_slice()].concat();
                    liars = found;
                }
            }
        }
        Ok((Ending { round: self, given, share, liars }, Outbox::broadcast(body)))
    }

    /// The sealed masked share of each helper, if nobody complains; else who lied.
    pub(super) fn each(&self, inbox: Inbox<'_>) -> Received<Scalar<F>> {
        let found = |culprit| Finding { culprit, fault: Fault::InvalidShare, accuser: None };
        let mut findings: Vec<Finding> = self.liars.iter().copied().map(found).collect();
        let mut given = Vec::new();
        for message in inbox.each() {
            match self.hear(message) {
                Ok(sealed) => given.extend(sealed.map(|sealed| (message.from, sealed))),
                Err(more) => findings.extend(more),
            }
        }
        // The run is over: the target names those that lied to it alone as well.
        if !findings.is_empty() && self.params.share.is_none() {
            let lied = given.iter().filter(|(helper, sealed)| self.open(*helper, sealed).is_none());
            findings.extend(lied.map(|(helper, _)| found(*helper)));
        }
        blame(&inbox, findings).map(|()| given)
    }

    /// A helper's sealed masked share; nothing from the target; or who lied.
    fn hear(&self, message: Message<'_>) -> Result<Option<Scalar<F>>, Vec<Finding>> {
        let from = message.from;
        let lie = |fault| Vec::from([Finding { culprit: from, fault, accuser: None }]);
        match message.broadcast.split_first() {
            None if from == self.params.target => Ok(None),
            Some(_) if from == self.params.target => Err(lie(Fault::WrongLength)),
            Some((&GIVES, sealed)) if sealed.len() == scalar_len::<F::Curve>() => {
                read_scalar::<F::Curve>(&mut Reader::new(sealed)).map(Some).map_err(lie)
            }
            Some((&COMPLAINS, rest)) => match Complaint::read_all(rest) {
                Ok(complaints) => Err(self.view.judge(from, &complaints)),
                Err(fault) => Err(lie(fault)),
            },
            Some((&GIVES, _)) | None => Err(lie(Fault::WrongLength)),
            Some(_) => Err(lie(Fault::Malformed)),
        }
    }

    /// The target's share, from the masked shares of all helpers; or whose are wrong. `None` for a defect.
    fn put_together(
        &self,
        given: &[(PartyId, Scalar<F>)],
    ) -> Option<Result<SecretShare<F>, Vec<PartyId>>> {
        let mut liars = Vec::new();
        let mut values = Vec::with_capacity(given.len());
        for (helper, sealed) in given {
            match self.open(*helper, sealed) {
                Some(value) => values.push(value),
                None => liars.push(*helper),
            }
        }
        if !liars.is_empty() {
            return Some(Err(liars));
        }
        let ids: Vec<PartyId> = given.iter().map(|(helper, _)| *helper).collect();
        let lambdas = lagrange::all_at::<F::Curve>(&ids, self.params.target)?;
        let terms = || lambdas.iter().zip(&values).map(|(lambda, value)| *lambda * *value.expose());
        let sum = Secret::make(|| terms().fold(Scalar::<F>::default(), |sum, term| sum + term));
        let state = ShareState::alone_in(self.params.key.epoch());
        SecretShare::new(self.params.target, &self.params.key, sum, state).ok().map(Ok)
    }

    /// A helper's masked share, at the target, if it is right.
    fn open(&self, helper: PartyId, sealed: &Scalar<F>) -> Option<Secret<Scalar<F>>> {
        let envelope =
            self.view.envelope(Label::Masked(self.digest), helper, self.params.target)?;
        let value = envelope.open(&envelope.shared(self.key.expose()), sealed);
        self.fits(helper, &value).then_some(value)
    }

    /// `v_i·G = S_i + Σ Δ_k(i)`.
    fn fits(&self, helper: PartyId, value: &Secret<Scalar<F>>) -> bool {
        self.params.key.share_point(helper).is_some_and(|share| {
            F::Curve::mul_base(value.expose()) == *share + self.masks.evaluate_vartime(helper)
        })
    }

    /// Whom the target's complaints convict: those that it accuses, or the target.
    fn judge(
        &self,
        given: &[(PartyId, Scalar<F>)],
        complaints: &[Complaint<F::Curve>],
    ) -> Vec<Finding> {
        let target = self.params.target;
        let each = complaints.iter().map(|complaint| {
            let helper = complaint.against;
            let lie = |fault| Finding { culprit: target, fault, accuser: None };
            let sealed = given.iter().find(|(id, _)| *id == helper).map(|(_, sealed)| sealed);
            let envelope = self.view.envelope(Label::Masked(self.digest), helper, target);
            let Some((sealed, envelope)) = sealed.zip(envelope) else {
                return lie(Fault::Malformed);
            };
            match complaint.opened(&envelope, sealed) {
                Err(fault) => lie(fault),
                Ok(value) if self.fits(helper, &value) => lie(Fault::InvalidConfirmation),
                Ok(_) => {
                    Finding { culprit: helper, fault: Fault::InvalidShare, accuser: Some(target) }
                }
            }
        });
        each.collect()
    }
}

/// Round 4 is sent: the target has its share or complains.
pub(super) struct Ending<F: Family> {
    round: Giving<F>,
    /// The sealed masked shares of all helpers.
    given: Vec<(PartyId, Scalar<F>)>,
    /// The target's.
    share: Option<SecretShare<F>>,
    /// Those against whom the target has complained.
    liars: Vec<PartyId>,
}

impl<F: Family> Ending<F> {
    pub(super) fn next(self, inbox: Inbox<'_>) -> Result<Next<Repair<F>>, Abort> {
        let verdict = self.verdict(inbox);
        match (verdict, self.result()) {
            (Ok(()), Some(share)) => Ok(Next::Done(Repaired::Share(share))),
            (Ok(()), None) => Ok(Next::Done(Repaired::Helped)),
            (Err(abort), Some(share)) => Ok(Next::Unconfirmed(Repaired::Share(share), abort)),
            (Err(abort), None) => Err(abort),
        }
    }

    pub(super) fn judge(self, inbox: Inbox<'_>) -> Judgement<Repaired<F>> {
        Judgement {
            abort: self.verdict(inbox).err(),
            unconfirmed: self.result().map(Repaired::Share),
        }
    }

    fn result(self) -> Option<F::Share> {
        let key = self.round.params.key;
        self.share.map(|share| F::share(share, &key))
    }

    fn verdict(&self, inbox: Inbox<'_>) -> Result<(), Abort> {
        let found = |culprit| Finding { culprit, fault: Fault::InvalidShare, accuser: None };
        let mut findings: Vec<Finding> = self.liars.iter().copied().map(found).collect();
        for message in inbox.each() {
            findings.extend(self.hear(message));
        }
        blame(&inbox, findings)
    }

    fn hear(&self, message: Message<'_>) -> Vec<Finding> {
        let from = message.from;
        let lie = |fault| Vec::from([Finding { culprit: from, fault, accuser: None }]);
        let target = from == self.round.params.target;
        match message.broadcast.split_first() {
            None if !target => Vec::new(),
            Some((&GIVES, [])) if target => Vec::new(),
            Some((&COMPLAINS, rest)) if target => match Complaint::read_all(rest) {
                Ok(complaints) => self.round.judge(&self.given, &complaints),
                Err(fault) => lie(fault),
            },
            Some((&GIVES, _)) | None => lie(Fault::WrongLength),
            Some(_) if target => lie(Fault::Malformed),
            Some(_) => lie(Fault::WrongLength),
        }
    }
}
