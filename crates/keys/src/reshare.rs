//! Reshare: any t parties of a key give it to another committee, as a [`Session`]. **Refresh** is the case
//! of the same committee.
//!
//! The key stays, the epoch is one more, and old and new shares do not fit together. The parties of the run
//! are the dealers and the new committee; old members that neither deal nor stay are not needed.
//!
//! Old shares `s_i` with `S_i = s_i·G`, dealers T with |T| ≥ t, `λ_i` their Lagrange coefficients at
//! zero; new committee N with threshold t'.
//!
//! 1. Every j in N broadcasts its opening key `Y_j`.
//! 2. Every dealer i draws `f_i` of degree t' − 1 with `f_i(0) = λ_i·s_i`, and broadcasts its commitment
//!    `F_i`, `D_i` with the proof of `d_i`, and each `f_i(j)` sealed to j. Everybody checks
//!    `F_i(0) = λ_i·S_i`.
//! 3. Everybody broadcasts a digest of all that and of the new [`SharedKey`], whose commitment is
//!    `F = Σ F_i`; so `F(0) = Σ λ_i·S_i = X`. j keeps `s'_j = Σ f_i(j)` after checking
//!    `s'_j·G = F(j)`. If that fails, it broadcasts complaints against those who dealt wrong shares
//!    instead, and everybody sees who lied.
//!
//! This is the redistribution of Desmedt and Jajodia (1997), verifiable as by Wong, Wang and Wing (2002): their
//! witness of the old secret is here the check of each constant against the dealer's own public share,
//! which names the dealer that fails. As a refresh it replaces the sharing of zero of Herzberg et al. (1995).
//!
//! A run that aborts changes nothing. One that ends for this party has not ended for the others yet, so the
//! new share is [`ShareState::Pending`]; what to do with it says [`Acknowledge`](crate::Acknowledge).
//!
//! [`Session`]: quorate_session::Session
//! [`ShareState::Pending`]: crate::ShareState::Pending

mod plan;
pub(crate) mod rounds;
mod view;

pub use plan::ResharePlan;
pub(crate) use plan::holders;

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_curve::Secret;
use quorate_session::rounds::Logged;
use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, PartyId, Protocol, Round,
    Run,
};
use zeroize::Zeroizing;

use self::rounds::Opening;
use crate::deal::{self, Complaint};
use crate::error::PlanError;
use crate::wire::{point_len, put_scalar, scalar_len};
use crate::{Family, Scalar, SecretShare, ShareState, SharedKey};

/// Resharing and refresh, a protocol for [`quorate_session::Session`] whose parties are those of the
/// [`ResharePlan`].
pub struct Reshare<F>(PhantomData<F>);

/// The plan, and this party's part in it.
pub struct ReshareParams<F: Family> {
    plan: ResharePlan<F>,
    me: PartyId,
    /// A dealer's share.
    share: Option<Secret<Scalar<F>>>,
}

impl<F: Family> ReshareParams<F> {
    /// The part of a dealer, whether it stays in the committee or not. The share itself stays with the
    /// caller, and stays good.
    ///
    /// # Errors
    /// [`PlanError`] if the plan names no such dealer, or the share is of another key, epoch or package, or
    /// unconfirmed.
    pub fn dealer(plan: &ResharePlan<F>, share: &SecretShare<F>) -> Result<Self, PlanError> {
        let me = share.party();
        if !plan.dealers().contains(me) {
            return Err(PlanError::OtherPart(me));
        }
        share.expect(plan.old())?;
        if share.state() == ShareState::Unconfirmed {
            return Err(PlanError::Unconfirmed);
        }
        let secret = Secret::new(*share.secret().expose());
        Ok(Self { plan: plan.clone(), me, share: Some(secret) })
    }

    /// The part of a member of the new committee that deals nothing: it is new, or the plan does
    /// without its share.
    ///
    /// # Errors
    /// [`PlanError::OtherPart`] if the party is not in the new committee, or is named as a dealer.
    pub fn member(plan: &ResharePlan<F>, me: PartyId) -> Result<Self, PlanError> {
        if plan.dealers().contains(me) || !plan.committee().contains(me) {
            return Err(PlanError::OtherPart(me));
        }
        Ok(Self { plan: plan.clone(), me, share: None })
    }
}

impl<F: Family> fmt::Debug for ReshareParams<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReshareParams")
            .field("plan", &self.plan)
            .field("me", &self.me)
            .field("deals", &self.share.is_some())
            .finish_non_exhaustive()
    }
}

/// The result of a resharing for one party.
pub struct Reshared<F: Family> {
    /// The new public value.
    pub public: F::Public,
    /// The new share, of a member of the new committee.
    pub share: Option<F::Share>,
}

impl<F: Family> Reshared<F> {
    fn new(public: SharedKey<F>, share: Option<SecretShare<F>>) -> Self {
        let share = share.map(|share| F::share(share, &public));
        Self { public: F::public(public), share }
    }
}

impl<F: Family> fmt::Debug for Reshared<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reshared").field("share", &self.share.is_some()).finish_non_exhaustive()
    }
}

/// Where a party stands in the resharing.
pub type State<F> = Logged<rounds::State<F>>;

impl<F: Family> Protocol for Reshare<F> {
    const NAME: &'static str = "quorate-keys reshare";
    const CODE: u8 = 32;
    const ROUNDS: u8 = 3;

    type Params = ReshareParams<F>;
    type State = State<F>;
    type Output = Reshared<F>;

    fn bind(params: &ReshareParams<F>, binding: &mut Binding) {
        bind(&params.plan, binding);
    }

    fn hedge(params: &ReshareParams<F>) -> Option<Zeroizing<Vec<u8>>> {
        params.share.as_ref().map(hedge::<F>)
    }

    fn limits(params: &ReshareParams<F>, _parties: usize, round: Round) -> Limits {
        let committee = params.plan.committee();
        let broadcast = match round {
            Round(1) => point_len::<F::Curve>(),
            Round(2) => deal::length::<F::Curve>(committee.points(), committee.parties().len()),
            _ => rounds::last_length::<F>(params.plan.dealers().len()),
        };
        Limits { broadcast, direct: 0 }
    }

    fn start(params: ReshareParams<F>, run: &Run) -> Result<(State<F>, Outbox), ParamError> {
        if *run.parties() != params.plan.parties() {
            return Err(ParamError::Inconsistent(
                "the dealers and the new committee have to take part, and nobody else",
            ));
        }
        if run.me() != params.me {
            return Err(ParamError::Inconsistent("the part is another party's"));
        }
        Ok(Logged::start(Self::CODE, Opening::new(params, run)?, rounds::State::Opening))
    }

    fn next(state: State<F>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox)
    }

    fn judge(state: State<F>, run: &Run, inbox: Inbox<'_>) -> Judgement<Reshared<F>> {
        state.judge(run, inbox)
    }
}

fn bind<F: Family>(plan: &ResharePlan<F>, binding: &mut Binding) {
    plan.old().package_id().bind::<F>(binding);
    binding.append_list("dealers", plan.dealers().iter().map(|party| party.get().to_be_bytes()));
    binding.append("new committee", &plan.committee().to_bytes());
}

/// A share, mixed into the seed of the run.
pub(crate) fn hedge<F: Family>(share: &Secret<Scalar<F>>) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(scalar_len::<F::Curve>()));
    put_scalar::<F::Curve>(&mut bytes, share.expose());
    bytes
}

/// Bytes of a message that is a byte and then complaints against so many.
pub(crate) const fn complaints_len<F: Family>(accused: usize) -> usize {
    accused.saturating_mul(Complaint::<F::Curve>::LENGTH).saturating_add(1)
}
