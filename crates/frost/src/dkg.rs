//! Distributed key generation: Pedersen's, with proofs of possession, as a [`Session`].
//!
//! The key generation of the FROST paper (Komlo and Goldberg, 2020, Figure 1), which RFC 9591
//! leaves out, in three rounds:
//!
//! 1. Each party i broadcasts a commitment to a random polynomial f_i of degree t − 1, and a proof that it knows
//!    f_i(0), bound to the session.
//! 2. It sends f_i(j) to each other party j in private, together with a digest of the broadcasts that it saw (the
//!    session's echo).
//! 3. It broadcasts a digest of its view and of the resulting key. It has the key when all n digests agree (in the
//!    manner of ChillDKG's certified equality).
//!
//! A digest that differs is its sender's fault, because it follows from what the sender has echoed. It costs the
//! others nothing. If a digest is wrong or never comes, the session stops and hands out the result as
//! [unconfirmed](crate::ShareState::Unconfirmed), marked so in its stored form.
//!
//! # A neutral share
//!
//! If the key or a verifying share comes out as the neutral element, the run ends with
//! [`Check::ResultMismatch`](quorate_session::Check::ResultMismatch), and nobody is named. Honest dealers cause it with
//! negligible probability. A corrupt dealer can cause it only if it knows what the others will deal to that place. It
//! commits to its own polynomial before any share is sent, and the others check their shares against that commitment.
//! So it must have seen the same polynomials before: in an earlier life of this session that all honest parties have
//! forgotten, because their stores were restored. A new session id ends this. In a resharing, dealers commit and deal in
//! one round, and whoever accepts a neutral share is named there.
//!
//! Differences from the paper: the proof's context is the session's, and shares are checked by
//! their sum. Each dealer's share is checked alone only when the sum is wrong.
//!
//! [`Session`]: quorate_session::Session

#[cfg(not(feature = "testing"))]
#[allow(unreachable_pub, reason = "public with the feature `testing`")]
mod parts;
#[cfg(feature = "testing")]
pub mod parts;
mod rounds;
mod shares;
mod types;

pub use types::{Dkg, DkgOutput, DkgParams};

use quorate_session::rounds::Rounds as _;
use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};

use crate::key::committee;
use crate::suite::{KeySuite, point_len, scalar_len};
use rounds::State;

impl<S: KeySuite> Protocol for Dkg<S> {
    const NAME: &'static str = "quorate-frost dkg";
    const CODE: u8 = 1;
    const FAMILY: &'static str = S::CONTEXT;
    const ROUNDS: u8 = 3;

    type Params = DkgParams<S>;
    type State = State<S>;
    type Output = DkgOutput<S>;

    fn bind(params: &DkgParams<S>, binding: &mut Binding) {
        binding.append("suite", S::CONTEXT.as_bytes());
        binding.append_u64("threshold", u64::from(params.threshold));
    }

    fn limits(params: &DkgParams<S>, _parties: usize, round: Round) -> Limits {
        let points = usize::from(params.threshold).saturating_add(1);
        let announcement =
            points.saturating_mul(point_len::<S>()).saturating_add(scalar_len::<S>());
        match round {
            Round(1) => Limits { broadcast: announcement, direct: 0 },
            Round(2) => Limits { broadcast: 0, direct: scalar_len::<S>() },
            _ => Limits { broadcast: 32, direct: 0 },
        }
    }

    fn start(params: DkgParams<S>, run: &Run) -> Result<(State<S>, Outbox), ParamError> {
        if committee(params.threshold, run.parties()).is_err() {
            return Err(ParamError::Threshold);
        }
        State::start(params, run)
    }

    fn next(state: State<S>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox).map(Next::from)
    }

    fn judge(state: State<S>, run: &Run, inbox: Inbox<'_>) -> Judgement<DkgOutput<S>> {
        state.judge(run, inbox)
    }
}
