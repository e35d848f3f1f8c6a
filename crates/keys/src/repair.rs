//! Repair, as a [`Session`]: t or more helpers give a party its lost share again, and learn nothing.
//!
//! The protocol is the share recovery of Herzberg et al. (1995, §4), with publicly verifiable dealing. The enrolment
//! protocol of Laing and Stinson (2018) sends half as much, but a wrong sum does not identify who made it.
//!
//! The helpers H have shares `s_i` of the key's polynomial f. The target r gets `s_r = f(r)`.
//!
//! 1. Every party broadcasts an opening key `Y_j`.
//! 2. Every helper k draws `δ_k` of degree t − 1 with `δ_k(r) = 0`. It broadcasts its commitment `Δ_k`, `D_k`
//!    with the proof of `d_k`, and each `δ_k(i)` sealed to helper i. Every party checks `Δ_k(r) = O`.
//! 3. Every helper i checks its shares, and broadcasts `v_i = s_i + Σ_k δ_k(i)`, sealed to r. If some shares are
//!    wrong, it broadcasts complaints against their dealers instead, and every party sees who lied.
//! 4. The target checks `v_i·G = S_i + Σ_k Δ_k(i)` for each helper, and interpolates `s_r` at r. It broadcasts
//!    that it has its share. If some v_i are wrong, it broadcasts complaints against those helpers instead, and
//!    every party sees who lied.
//!
//! A complaint in round 3 ends the run. The target then also names the helpers whose v_i is wrong, for its own
//! information. These blames have no [`evidence`](quorate_session::Blame::evidence), since the target alone can
//! open the v_i. All other parties name those that the complaints convict.
//!
//! The target learns the polynomial `f + Σ δ_k` at the helpers' places. If at least one helper is honest, that is
//! a random polynomial of degree t − 1 among those with the value `s_r` at r. So the target learns `s_r` and no
//! more. A helper learns its masks, which are independent of f.
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

/// The state of a party in the repair.
pub type State<F> = Logged<rounds::State<F>>;

impl<F: KeyTypes> Protocol for Repair<F> {
    const NAME: &'static str = "quorate-keys repair";
    const CODE: u8 = 33;
    const FAMILY: &'static str = F::NAME;
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
        if run.party_id() != params.me {
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
