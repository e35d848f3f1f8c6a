//! Reshare, as a [`Session`]: any t parties of a key give it to another committee. If the committee is the same,
//! this is a **refresh**.
//!
//! The key stays, the epoch increases by one, and old and new shares do not fit together. The parties of the run
//! are the dealers and the new committee. Old members that neither deal nor stay are not needed.
//!
//! The old shares are `s_i` with `S_i = s_i·G`. The dealers are T with |T| ≥ t, and `λ_i` are their Lagrange
//! coefficients at zero. The new committee is N with threshold t'.
//!
//! 1. Every j in N broadcasts its opening key `Y_j`.
//! 2. Every dealer i draws `f_i` of degree t' − 1 with `f_i(0) = λ_i·s_i`. It broadcasts its commitment `F_i`,
//!    `D_i` with the proof of `d_i`, and each `f_i(j)` sealed to j. Every party checks `F_i(0) = λ_i·S_i`.
//! 3. Every party broadcasts a digest of all that and of the new [`SharedKey`], whose commitment is `F = Σ F_i`,
//!    so that `F(0) = Σ λ_i·S_i = X`. j keeps `s'_j = Σ f_i(j)` after checking `s'_j·G = F(j)`. If that fails, it
//!    broadcasts complaints against the dealers of wrong shares instead, and every party sees who lied.
//!
//! This is the redistribution of Desmedt and Jajodia (1997), made verifiable as by Wong, Wang and Wing (2002). In
//! place of their witness of the old secret, each constant is checked against the dealer's own public share,
//! which names a dealer that fails. As a refresh, it replaces the sharing of zero of Herzberg et al. (1995).
//!
//! A run that aborts changes nothing. A run that has ended for this party has not ended for the others yet, so
//! the new share is [`ShareState::Pending`]. [`Acknowledge`](crate::Acknowledge) describes what to do with it.
//!
//! [`Session`]: quorate_session::Session
//! [`ShareState::Pending`]: crate::ShareState::Pending

mod judge;
mod params;
mod plan;
mod result;
mod rounds;
mod view;

pub use params::ReshareParams;
pub use plan::ResharePlan;
pub(crate) use plan::holders;
pub use result::Reshared;

use alloc::vec::Vec;
use core::marker::PhantomData;

use quorate_session::rounds::Logged;
use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};
use zeroize::Zeroizing;

use crate::KeyTypes;
use crate::deal;
use crate::wire::{hedge, point_len};

/// Resharing and refresh, a protocol for [`quorate_session::Session`] whose parties are those of the
/// [`ResharePlan`].
pub struct Reshare<F>(PhantomData<F>);

/// The state of a party in the resharing.
pub type State<F> = Logged<rounds::State<F>>;

impl<F: KeyTypes> Protocol for Reshare<F> {
    const NAME: &'static str = "quorate-keys reshare";
    const CODE: u8 = 32;
    const FAMILY: &'static str = F::NAME;
    const ROUNDS: u8 = 3;

    type Params = ReshareParams<F>;
    type State = State<F>;
    type Output = Reshared<F>;

    fn bind(params: &ReshareParams<F>, binding: &mut Binding) {
        params.plan.bind(binding);
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
        if run.party_id() != params.me {
            return Err(ParamError::Inconsistent("the part is another party's"));
        }
        Ok(Logged::start(Self::CODE, rounds::State::start(params, run)?, |state| state))
    }

    fn next(state: State<F>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox)
    }

    fn judge(state: State<F>, run: &Run, inbox: Inbox<'_>) -> Judgement<Reshared<F>> {
        state.judge(run, inbox)
    }
}
