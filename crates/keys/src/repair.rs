//! Repair: t or more helpers give a party its lost share back, and learn nothing, as a [`Session`].
//!
//! The share recovery of Herzberg et al. (1995, §4), with dealing that is verifiable by everybody. The enrolment
//! protocol of Laing and Stinson (2018) sends half as much, and its sums name nobody.
//!
//! Helpers H with shares `s_i` of the key's polynomial f; target r, who gets `s_r = f(r)`.
//!
//! 1. Everybody broadcasts an opening key `Y_j`.
//! 2. Every helper k draws `δ_k` of degree t − 1 with `δ_k(r) = 0`, and broadcasts its commitment `Δ_k`, `D_k`
//!    with the proof of `d_k`, and each `δ_k(i)` sealed to helper i. Everybody checks `Δ_k(r) = O`.
//! 3. Every helper i checks its shares, and broadcasts `v_i = s_i + Σ_k δ_k(i)`, sealed to r; or complaints
//!    against those who dealt it wrong ones, and everybody sees who lied.
//! 4. The target checks `v_i·G = S_i + Σ_k Δ_k(i)` for each helper, and interpolates `s_r` at r. It broadcasts that
//!    it has its share; or complaints against the helpers whose v_i is wrong, and everybody sees who lied.
//!
//! The target learns the polynomial `f + Σ δ_k` at the helpers' places. As long as one helper is honest that is a
//! random one of degree t − 1 among those with the value `s_r` at r, so it learns `s_r` and no more. A helper learns
//! its masks, which are independent of f.
//!
//! [`Session`]: quorate_session::Session

mod judge;
mod params;
mod plan;
mod result;
mod rounds;
mod view;

pub use params::RepairParams;
pub use plan::RepairPlan;
pub use result::Repaired;

use alloc::vec::Vec;
use core::marker::PhantomData;

use quorate_session::rounds::Logged;
use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};
use zeroize::Zeroizing;

use self::rounds::Opening;
use crate::KeyTypes;
use crate::deal::{self, Complaint};
use crate::wire::{hedge, point_len, scalar_len};

/// The repair of a lost share, a protocol for [`quorate_session::Session`] whose parties are the helpers and the
/// target.
pub struct Repair<F>(PhantomData<F>);

/// Where a party stands in the repair.
pub type State<F> = Logged<rounds::State<F>>;

impl<F: KeyTypes> Protocol for Repair<F> {
    const NAME: &'static str = "quorate-keys repair";
    const CODE: u8 = 33;
    const ROUNDS: u8 = 4;

    type Params = RepairParams<F>;
    type State = State<F>;
    type Output = Repaired<F>;

    fn bind(params: &RepairParams<F>, binding: &mut Binding) {
        params.plan.bind(binding);
    }

    fn hedge(params: &RepairParams<F>) -> Option<Zeroizing<Vec<u8>>> {
        params.share.as_ref().map(hedge::<F>)
    }

    fn limits(params: &RepairParams<F>, parties: usize, round: Round) -> Limits {
        let helpers = parties.saturating_sub(1);
        let broadcast = match round {
            Round(1) => point_len::<F::Curve>(),
            Round(2) => deal::length::<F::Curve>(params.plan.key().threshold().into(), helpers),
            Round(3) => Complaint::<F::Curve>::message_len(helpers)
                .max(scalar_len::<F::Curve>().saturating_add(1)),
            _ => Complaint::<F::Curve>::message_len(helpers),
        };
        Limits { broadcast, direct: 0 }
    }

    fn start(params: RepairParams<F>, run: &Run) -> Result<(State<F>, Outbox), ParamError> {
        if *run.parties() != params.plan.parties() {
            return Err(ParamError::Inconsistent(
                "the helpers and the target have to take part, and nobody else",
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

    fn judge(state: State<F>, run: &Run, inbox: Inbox<'_>) -> Judgement<Repaired<F>> {
        state.judge(run, inbox)
    }
}
