//! The rounds, each a struct that holds what the party remembers.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_session::{
    Abort, Check, Fault, Inbox, Judgement, Message, Next, Outbox, ParamError, PartyId, Run,
    wire::Reader,
};
use quorate_sharing::{Polynomial, lagrange};

use super::{Reshare, ReshareParams, Reshared, complaints_len};
use crate::deal::{Complaint, Deal, Dealer, Finding, Keys, Label, OpeningKey, View, blame};
use crate::wire::Encoded;
use crate::{Family, Point, Scalar, SecretShare, ShareState, SharedKey};

/// A value from each peer.
pub(crate) type Received<T> = Result<Vec<(PartyId, T)>, Abort>;

/// The first byte of a message of round 3.
const CONFIRMS: u8 = 0;
const COMPLAINS: u8 = 1;

/// Bytes of a message of round 3.
pub(super) fn last_length<F: Family>(dealers: usize) -> usize {
    complaints_len::<F>(dealers).max(33)
}

/// Round 1 is sent: the opening key of a member of the new committee.
pub(super) struct Opening<F: Family> {
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

    /// Deals, if this party does. Nothing that it deals was drawn before.
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
        Ok((
            Dealing { params, key: key.map(|key| key.secret), keys, dealer },
            Outbox::broadcast(body),
        ))
    }

    /// The opening key of each peer that has one.
    pub(super) fn each(&self, inbox: Inbox<'_>) -> Received<Option<Encoded<F::Curve>>> {
        let committee = self.params.plan.committee();
        inbox.verify(|from, message| opening_key(committee.contains(from), message))
    }
}

/// The opening key of a peer that is to have one.
pub(crate) fn opening_key<C: Curve>(
    expected: bool,
    message: Message<'_>,
) -> Result<Option<Encoded<C>>, Fault> {
    let length = if expected { crate::wire::point_len::<C>() } else { 0 };
    if message.broadcast.len() != length {
        return Err(Fault::WrongLength);
    }
    expected.then(|| Encoded::read(&mut Reader::new(message.broadcast))).transpose()
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
    Deal::make(run, &polynomial, keys).ok()
}

/// Round 2 is sent: the opening keys of all, and the own deal.
pub(super) struct Dealing<F: Family> {
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
        let (own, dealt) =
            dealer.map_or((None, None), |dealer| (dealer.own, Some((params.me, dealer.deal))));
        let mut deals: Vec<_> =
            received.into_iter().filter_map(|(id, deal)| Some((id, deal?))).chain(dealt).collect();
        deals.sort_unstable_by_key(|(id, _)| *id);
        let recipients = params.plan.committee().parties().iter().collect();
        let view = View { context: run.context(), keys, recipients, deals };
        let internal = || Abort::unattributed(run.round(), Check::Internal);
        let sum = view.sum().ok_or_else(internal)?;
        let outcome = match &key {
            Some(key) => view.receive(params.me, own.as_ref(), &sum, key).map(Some),
            None => Ok(None),
        };
        let plan = &params.plan;
        let epoch = plan.old().epoch().saturating_add(1);
        let committee = plan.committee().clone();
        // None where a point is neutral. Who complains comes first: a dealer that made a neutral coefficient from
        // the others' cannot know the shares of it, and is found by those.
        let public = SharedKey::new(committee, epoch, sum, plan.old().extra().clone()).ok();
        let public = public.filter(|public| public.key() == plan.old().key());
        let digest = digest(run, &view, public.as_ref());
        let (secret, liars) = match outcome {
            Ok(secret) => (secret, Vec::new()),
            Err(liars) => (None, liars),
        };
        let share = secret.zip(public.as_ref()).and_then(|(secret, public)| {
            SecretShare::new(params.me, public, secret, ShareState::Unconfirmed).ok()
        });
        let body = match &key {
            Some(key) if !liars.is_empty() => {
                let complaints = view.complain(run, Label::Share, key, &liars);
                [&[COMPLAINS], complaints.map_err(|_| internal())?.as_slice()].concat()
            }
            _ => [&[CONFIRMS], digest.as_slice()].concat(),
        };
        Ok((Confirming { view, digest, public, share, liars }, Outbox::broadcast(body)))
    }

    /// Each deal, alone: its form, its proof, its constant.
    pub(super) fn each(&self, run: &Run, inbox: Inbox<'_>) -> Received<Option<Deal<F::Curve>>> {
        let plan = &self.params.plan;
        let constants = constants(plan.old(), plan.dealers().as_slice());
        inbox.verify(|from, message| {
            let Ok(place) = plan.dealers().as_slice().binary_search(&from) else {
                return if message.broadcast.is_empty() {
                    Ok(None)
                } else {
                    Err(Fault::WrongLength)
                };
            };
            let (threshold, recipients) =
                (plan.committee().points(), plan.committee().parties().as_slice());
            let deal = Deal::read(message.broadcast, &run.context(), from, threshold, recipients)?;
            // F_i(0) = λ_i·S_i
            if constants.get(place) != Some(deal.commitment.constant()) {
                return Err(Fault::InvalidSum);
            }
            Ok(Some(deal))
        })
    }
}

/// `λ_i·S_i` of each dealer. None at all if there were no such coefficients.
fn constants<F: Family>(old: &SharedKey<F>, dealers: &[PartyId]) -> Vec<Point<F>> {
    let lambdas = lagrange::all_at_zero::<F::Curve>(dealers).unwrap_or_default();
    let each = dealers.iter().zip(lambdas).filter_map(|(dealer, lambda)| {
        Some(F::Curve::msm_vartime(&[lambda], &[*old.share_point(*dealer)?]))
    });
    each.collect()
}

/// Everything that all parties must agree on.
fn digest<F: Family>(run: &Run, view: &View<F::Curve>, public: Option<&SharedKey<F>>) -> [u8; 32] {
    let mut transcript = run.transcript("quorate-keys reshare confirm");
    transcript.append("deals", &view.digest());
    transcript.append_list("package", public.iter().map(|public| public.to_bytes()));
    transcript.finish32()
}

/// Round 3 is sent: the result, unconfirmed until all have confirmed it.
pub(super) struct Confirming<F: Family> {
    view: View<F::Curve>,
    digest: [u8; 32],
    /// `None` if a point of it is neutral.
    public: Option<SharedKey<F>>,
    share: Option<SecretShare<F>>,
    /// Those against whom this party has complained.
    liars: Vec<PartyId>,
}

impl<F: Family> Confirming<F> {
    /// All confirm: the share is pending. Else whoever lied is named; a result that this party has
    /// verified is not lost by that.
    pub(super) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Next<Reshare<F>>, Abort> {
        match self.verdict(inbox) {
            Ok(()) => {
                let result = self.result(ShareState::Pending);
                result
                    .map(Next::Done)
                    .ok_or(Abort::unattributed(run.round(), Check::ResultMismatch))
            }
            Err(abort) => match self.result(ShareState::Unconfirmed) {
                Some(result) => Ok(Next::Unconfirmed(result, abort)),
                None => Err(abort),
            },
        }
    }

    pub(super) fn judge(self, inbox: Inbox<'_>) -> Judgement<Reshared<F>> {
        let abort = self.verdict(inbox).err();
        Judgement { abort, unconfirmed: self.result(ShareState::Unconfirmed) }
    }

    /// What this party has verified; nothing if it was dealt a wrong share.
    fn result(self, state: ShareState) -> Option<Reshared<F>> {
        let public = self.public.filter(|_| self.liars.is_empty())?;
        Some(Reshared::new(public, self.share.map(|share| share.mark(state))))
    }

    /// The digest follows from the broadcasts of rounds 1 and 2, and the echo in this one said that its
    /// sender saw the same ones as this party: one that differs is the sender's fault. So is a complaint
    /// without ground; one that is right is the dealer's.
    fn verdict(&self, inbox: Inbox<'_>) -> Result<(), Abort> {
        let found = |culprit| Finding { culprit, fault: Fault::InvalidShare, accuser: None };
        let mut findings: Vec<Finding> = self.liars.iter().copied().map(found).collect();
        for message in inbox.each() {
            findings.extend(self.hear(message));
        }
        blame(&inbox, findings)
    }

    fn hear(&self, message: Message<'_>) -> Vec<Finding> {
        let lie = |fault| Vec::from([Finding { culprit: message.from, fault, accuser: None }]);
        match message.broadcast.split_first() {
            Some((&CONFIRMS, digest)) if digest.len() != self.digest.len() => {
                lie(Fault::WrongLength)
            }
            Some((&CONFIRMS, digest)) if digest != self.digest => lie(Fault::InvalidConfirmation),
            Some((&CONFIRMS, _)) => Vec::new(),
            Some((&COMPLAINS, rest)) => match Complaint::read_all(rest) {
                Ok(complaints) => self.view.judge(message.from, &complaints),
                Err(fault) => lie(fault),
            },
            Some(_) => lie(Fault::Malformed),
            None => lie(Fault::WrongLength),
        }
    }
}
