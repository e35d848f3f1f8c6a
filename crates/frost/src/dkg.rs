//! Distributed key generation: Pedersen's, with proofs of possession, as a [`Session`].
//!
//! The key generation of the FROST paper (Komlo and Goldberg, 2020, Figure 1), which RFC 9591
//! leaves out, in three rounds:
//!
//! 1. everybody broadcasts a commitment to a random polynomial f_i of degree t − 1 and a proof
//!    that it knows f_i(0), bound to the session;
//! 2. everybody sends f_i(j) to each other party j in private, and with it a digest of the
//!    broadcasts it saw (the session's echo);
//! 3. everybody broadcasts a digest of all it has and of the key that came out, and has the key
//!    only when all n digests agree, so that a key that one party believes in is one that all
//!    hold (in the manner of ChillDKG's certified equality).
//!
//! A digest that differs is its sender's fault, as it follows from what the sender has echoed. It
//! costs the others nothing: where a digest is wrong or never comes, the session stops and hands
//! out the result as [unconfirmed](crate::ShareState::Unconfirmed), marked so in its stored form.
//!
//! Differences from the paper: the proof's context is the session's, and shares are checked by
//! their sum, each dealer's alone only when the sum is wrong.
//!
//! [`Session`]: quorate_session::Session

pub mod parts;
pub(crate) mod rounds;

use core::fmt;
use core::marker::PhantomData;

use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};

use crate::keys::{KeyShare, PublicKeyPackage, threshold_fits};
use crate::suite::{KeySuite, point_len, scalar_len};
use rounds::{Confirming, Dealing};

/// The distributed key generation of a suite, a protocol for [`quorate_session::Session`].
pub struct Dkg<S>(PhantomData<S>);

/// The parameters of a key generation, on which its parties agree beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DkgParams<S> {
    threshold: u16,
    suite: PhantomData<S>,
}

impl<S: KeySuite> DkgParams<S> {
    /// A key of which any `threshold` parties can sign.
    #[must_use]
    pub fn new(threshold: u16) -> Self {
        Self { threshold, suite: PhantomData }
    }
}

/// The result of a key generation for one party.
pub struct DkgOutput<S: KeySuite> {
    /// This party's share. Store it before you tell anybody the key. After a refresh it is
    /// [pending](crate::ShareState::Pending): store it beside the old one.
    pub share: KeyShare<S>,
    /// The group's public key package, the same for all.
    pub public: PublicKeyPackage<S>,
}

impl<S: KeySuite> fmt::Debug for DkgOutput<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DkgOutput").field("public", &self.public).finish_non_exhaustive()
    }
}

/// Where a party stands in the key generation.
pub struct State<S: KeySuite>(At<S>);

#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
enum At<S: KeySuite> {
    Announced(rounds::Announced<S>),
    Dealing(Dealing<S>),
    Confirming(Confirming<S>),
}

impl<S: KeySuite> Protocol for Dkg<S> {
    const NAME: &'static str = "quorate-frost dkg";
    const CODE: u8 = 1;
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
        if !threshold_fits(params.threshold, run.parties()) {
            return Err(ParamError::Threshold);
        }
        let (state, outbox) = rounds::Announced::new(params, run)?;
        Ok((State(At::Announced(state)), outbox))
    }

    fn next(state: State<S>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        match state.0 {
            At::Announced(round) => {
                let (state, outbox) = round.next(run, inbox)?;
                Ok(Next::Round(State(At::Dealing(state)), outbox))
            }
            At::Dealing(round) => {
                let (state, outbox) = round.next(run, inbox)?;
                Ok(Next::Round(State(At::Confirming(state)), outbox))
            }
            At::Confirming(round) => Ok(round.next(inbox)),
        }
    }

    fn judge(state: State<S>, run: &Run, inbox: Inbox<'_>) -> Judgement<DkgOutput<S>> {
        match state.0 {
            At::Announced(round) => round.each(run, inbox).into(),
            At::Dealing(round) => round.each(run, inbox).into(),
            At::Confirming(round) => round.judge(inbox),
        }
    }
}
