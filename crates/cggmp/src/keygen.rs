//! Figure 6 — key generation, as t-of-n and with a confirm round, for [`Session`].
//!
//! 1. [`AwaitingDigests`](rounds::digests::AwaitingDigests): V_i = H(sid, i, rid_i, F_i, A_i, chain_i, u_i) is broadcast.
//! 2. [`AwaitingReveals`](rounds::reveals::AwaitingReveals): the values that V_i commits to are broadcast,
//!    and the share f_i(j) is sent to each party j in private.
//! 3. [`AwaitingProofs`](rounds::proofs::AwaitingProofs): A'_i and z_i, the rest of Πsch for the share
//!    x_i under X_i = F(i), are broadcast.
//! 4. [`AwaitingConfirmations`](quorate_session::rounds::AwaitingConfirmations): a digest of everything public is
//!    broadcast. The key is confirmed when all n digests agree; otherwise it is given out as
//!    [unconfirmed](KeyShare::state), and does not sign.
//!
//! Here f_i is party i's polynomial of exactly t coefficients, and F_i its Feldman commitment. F is the sum
//! of all F_i, x_i = Σ f_j(i), A_i the commitment of Πsch, and u_i the blinding of V_i. The values rid and
//! chain code are the exclusive or of those that all parties committed to in V, so that the last to send
//! cannot choose them.
//!
//! Every broadcast is echoed by the session in the round after it.
//!
//! # Deviations
//!
//! `docs/spec/arguments-ecdsa.md` describes all of these:
//! - The figure is n-of-n, with X_i in the place of F_i. t = n is not a second code path.
//! - Πsch proves the final share x_i, which depends on all dealers, and not the party's own contribution;
//!   all n proofs together show that the shares of F exist.
//! - The commitment of Πsch has two parts, A_i in V_i and A'_i in round 3, so that a run that is
//!   restored from an old state does not answer twice with one nonce.
//! - The figure ends with round 3. Without a confirm round one party can hold a key that another
//!   has aborted.
//! - The echo of V rides in the frames of the reveals, and not in a round of its own before them.
//!   A party that gave different V to different parties makes all of them abort one round later. That is
//!   before any proof is sent, and the contributions that it has learned are never used.
//! - The shares are checked by their sum, each dealer's alone only when the sum is wrong.
//!
//! [`Session`]: quorate_session::Session
#![allow(rustdoc::private_intra_doc_links, reason = "the rounds are private; auditors read these")]

pub(crate) mod messages;
mod rounds;
#[cfg(test)]
mod tests;
pub(crate) mod view;

use core::marker::PhantomData;

use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};

use self::rounds::State;
use crate::key::threshold_fits;
use crate::{EcdsaCurve, KeyShare, MAX_PARTIES};
use quorate_session::rounds::Logged;

/// The key generation over a curve, a protocol for [`quorate_session::Session`].
pub struct Keygen<C>(PhantomData<C>);

/// The parameters of a key generation, which all parties agree on beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeygenParams<C> {
    threshold: u16,
    curve: PhantomData<C>,
}

impl<C: EcdsaCurve> KeygenParams<C> {
    /// A key of which any `threshold` parties can sign; 2 at least, all n at most.
    #[must_use]
    pub const fn new(threshold: u16) -> Self {
        Self { threshold, curve: PhantomData }
    }
}

impl<C: EcdsaCurve> Protocol for Keygen<C> {
    const NAME: &'static str = "quorate-cggmp keygen";
    const CODE: u8 = 16;
    const FAMILY: &'static str = C::FAMILY;
    const ROUNDS: u8 = 4;

    type Params = KeygenParams<C>;
    type State = Logged<State<C>>;
    type Output = KeyShare<C>;

    fn bind(params: &KeygenParams<C>, binding: &mut Binding) {
        bind::<C>(params.threshold, binding);
    }

    fn limits(params: &KeygenParams<C>, _parties: usize, round: Round) -> Limits {
        messages::limits(params.threshold, round)
    }

    fn start(params: KeygenParams<C>, run: &Run) -> Result<(Self::State, Outbox), ParamError> {
        if run.parties().len() > MAX_PARTIES {
            return Err(ParamError::TooManyParties);
        }
        if !threshold_fits(params.threshold, run.parties()) {
            return Err(ParamError::Threshold);
        }
        let first = State::start(params.threshold, run)?;
        Ok(Logged::start(Self::CODE, first, |state| state))
    }

    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox)
    }

    fn judge(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Judgement<KeyShare<C>> {
        state.judge(run, inbox)
    }
}

/// Binds the items that all parties must agree on.
pub(crate) fn bind<C: EcdsaCurve>(threshold: u16, binding: &mut Binding) {
    binding.append("curve", C::NAME.as_bytes());
    binding.append_u64("threshold", u64::from(threshold));
}
