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

mod rounds;

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_curve::Secret;
use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Parties, PartyId, Protocol,
    Round, Run,
};
use zeroize::Zeroizing;

use crate::deal;
use crate::error::PlanError;
use crate::reshare::{bind_key, complaints_len, enough, hedge};
use crate::wire::{point_len, scalar_len};
use crate::{Family, Scalar, SecretShare, ShareState, SharedKey};

/// The repair of a lost share, a protocol for [`quorate_session::Session`] whose parties are the helpers and the
/// target.
pub struct Repair<F>(PhantomData<F>);

/// Whose share is repaired, of which key, by whom, and, with a helper, by which share.
pub struct RepairParams<F: Family> {
    key: SharedKey<F>,
    target: PartyId,
    /// The helpers and the target.
    parties: Parties,
    me: PartyId,
    /// A helper's share.
    share: Option<Secret<Scalar<F>>>,
}

impl<F: Family> RepairParams<F> {
    /// The part of a helper: it has a share. `parties` are the helpers and the target.
    ///
    /// # Errors
    /// [`PlanError`] if there are fewer helpers than the threshold, one of the parties holds no share of the
    /// key, the target is not one of them, or the share is of another key, epoch or package, or unconfirmed.
    pub fn helper(
        share: &SecretShare<F>,
        key: &SharedKey<F>,
        parties: &Parties,
        target: PartyId,
    ) -> Result<Self, PlanError> {
        let me = share.party();
        share.expect(key)?;
        if share.state() == ShareState::Unconfirmed {
            return Err(PlanError::Unconfirmed);
        }
        if me == target {
            return Err(PlanError::OtherPart(me));
        }
        let secret = Secret::new(*share.secret().expose());
        Self::new(me, key, parties, target, Some(secret))
    }

    /// The part of the target: it has lost its share. `parties` are the helpers and the target.
    ///
    /// # Errors
    /// As [`helper`](Self::helper).
    pub fn target(me: PartyId, key: &SharedKey<F>, parties: &Parties) -> Result<Self, PlanError> {
        Self::new(me, key, parties, me, None)
    }

    fn new(
        me: PartyId,
        key: &SharedKey<F>,
        parties: &Parties,
        target: PartyId,
        share: Option<Secret<Scalar<F>>>,
    ) -> Result<Self, PlanError> {
        if let Some(stranger) = parties.iter().find(|party| !key.parties().contains(*party)) {
            return Err(PlanError::NotAHolder(stranger));
        }
        if let Some(absent) = [me, target].into_iter().find(|party| !parties.contains(*party)) {
            return Err(PlanError::OtherPart(absent));
        }
        enough(key, parties.len().saturating_sub(1))?;
        Ok(Self { key: key.clone(), target, parties: parties.clone(), me, share })
    }

    /// The helpers, ascending.
    fn helpers(&self) -> Vec<PartyId> {
        self.parties.iter().filter(|party| *party != self.target).collect()
    }
}

impl<F: Family> fmt::Debug for RepairParams<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepairParams")
            .field("key", &self.key.package_id())
            .field("target", &self.target)
            .field("me", &self.me)
            .finish_non_exhaustive()
    }
}

/// The result of a repair for one party.
pub enum Repaired<F: Family> {
    /// To a helper: the target says that it has its share.
    Helped,
    /// To the target: its share, [`ShareState::Ready`] in epoch 0 and [`ShareState::Pending`] later, because
    /// nobody can know what its owner had acknowledged.
    Share(F::Share),
}

impl<F: Family> fmt::Debug for Repaired<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Helped => "Repaired::Helped",
            Self::Share(_) => "Repaired::Share(..)",
        })
    }
}

/// Where a party stands in the repair.
pub struct State<F: Family>(At<F>);

enum At<F: Family> {
    Opening(rounds::Opening<F>),
    Masking(rounds::Masking<F>),
    Giving(rounds::Giving<F>),
    Ending(rounds::Ending<F>),
}

impl<F: Family> fmt::Debug for State<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl<F: Family> Protocol for Repair<F> {
    const NAME: &'static str = "quorate-keys repair";
    const CODE: u8 = 33;
    const ROUNDS: u8 = 4;

    type Params = RepairParams<F>;
    type State = State<F>;
    type Output = Repaired<F>;

    fn bind(params: &RepairParams<F>, binding: &mut Binding) {
        bind_key(&params.key, binding);
        binding.append_u64("target", params.target.get().into());
    }

    fn hedge(params: &RepairParams<F>) -> Option<Zeroizing<Vec<u8>>> {
        params.share.as_ref().map(hedge::<F>)
    }

    fn limits(params: &RepairParams<F>, parties: usize, round: Round) -> Limits {
        let helpers = parties.saturating_sub(1);
        let broadcast = match round {
            Round(1) => point_len::<F::Curve>(),
            Round(2) => deal::length::<F::Curve>(params.key.threshold().into(), helpers),
            Round(3) => {
                complaints_len::<F>(helpers).max(scalar_len::<F::Curve>().saturating_add(1))
            }
            _ => complaints_len::<F>(helpers),
        };
        Limits { broadcast, direct: 0 }
    }

    fn start(params: RepairParams<F>, run: &Run) -> Result<(State<F>, Outbox), ParamError> {
        if *run.parties() != params.parties {
            return Err(ParamError::Inconsistent(
                "the helpers and the target have to take part, and nobody else",
            ));
        }
        if run.me() != params.me {
            return Err(ParamError::Inconsistent("the part is another party's"));
        }
        let (state, outbox) = rounds::Opening::new(params, run)?;
        Ok((State(At::Opening(state)), outbox))
    }

    fn next(state: State<F>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let (at, outbox) = match state.0 {
            At::Opening(round) => {
                let (state, outbox) = round.next(run, inbox)?;
                (At::Masking(state), outbox)
            }
            At::Masking(round) => {
                let (state, outbox) = round.next(run, inbox)?;
                (At::Giving(state), outbox)
            }
            At::Giving(round) => {
                let (state, outbox) = round.next(run, inbox)?;
                (At::Ending(state), outbox)
            }
            At::Ending(round) => return round.next(inbox),
        };
        Ok(Next::Round(State(at), outbox))
    }

    fn judge(state: State<F>, run: &Run, inbox: Inbox<'_>) -> Judgement<Repaired<F>> {
        match state.0 {
            At::Opening(round) => round.each(inbox).into(),
            At::Masking(round) => round.each(run, inbox).into(),
            At::Giving(round) => round.each(inbox).into(),
            At::Ending(round) => round.judge(inbox),
        }
    }
}
