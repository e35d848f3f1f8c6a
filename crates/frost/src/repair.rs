//! Repair: t or more helpers give a party its lost share back, and learn nothing
//! (Laing and Stinson, 2018, §3, the enrolment protocol), as a [`Session`].
//!
//! 1. Helper i splits λ_i·s_i, its part of the lost share, into random addends, and sends one to
//!    each helper (itself included), in private.
//! 2. Every helper sends the sum of the addends it has to the target, in private.
//! 3. The target adds the sums up, and keeps the result if it is the share that the public key
//!    package says it has to be.
//!
//! The addends carry no proof, so a wrong result cannot be pinned on one helper: the target notices
//! it, and [`Check::ResultMismatch`] names no culprit. Try again with other helpers.
//!
//! [`Session`]: quorate_session::Session

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_curve::{Curve, Secret, random_scalar};
use quorate_session::{
    Abort, Binding, Check, Fault, Inbox, Judgement, Limits, Next, Outbox, ParamError, PartyId,
    Protocol, Round, Run,
};
use quorate_sharing::lagrange;
use zeroize::Zeroizing;

use crate::keys::{KeyShare, PublicKeyPackage, ShareState};
use crate::shares::Received;
use crate::suite::{KeySuite, Scalar, scalar_len};
use crate::wire::{read_share, share_bytes};

/// The repair of a lost share, a protocol for [`quorate_session::Session`] whose parties are the
/// helpers and the target.
pub struct Repair<S>(PhantomData<S>);

/// The parameters of a repair: the party whose share is lost, its key, and a helper's own share.
pub struct RepairParams<S: KeySuite> {
    target: PartyId,
    public: PublicKeyPackage<S>,
    helper: Option<(PartyId, Secret<Scalar<S>>)>,
    /// The state of a helper's share; the target has none.
    state: ShareState,
}

impl<S: KeySuite> RepairParams<S> {
    /// A helper's part: it has a share.
    #[must_use]
    pub fn helper(share: &KeyShare<S>, public: &PublicKeyPackage<S>, target: PartyId) -> Self {
        let secret = Secret::new(*share.secret.expose());
        let helper = Some((share.id, secret));
        Self { target, public: public.clone(), helper, state: share.state }
    }

    /// The target's part: it has lost its share.
    #[must_use]
    pub fn target(me: PartyId, public: &PublicKeyPackage<S>) -> Self {
        Self { target: me, public: public.clone(), helper: None, state: ShareState::Ready }
    }
}

impl<S: KeySuite> fmt::Debug for RepairParams<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepairParams").field("target", &self.target).finish_non_exhaustive()
    }
}

/// The result of a repair for one party.
pub enum RepairOutput<S: KeySuite> {
    /// To a helper: nothing. Whether it worked, the target knows.
    Helped,
    /// To the target: its share.
    Repaired(KeyShare<S>),
}

impl<S: KeySuite> fmt::Debug for RepairOutput<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Helped => "RepairOutput::Helped",
            Self::Repaired(_) => "RepairOutput::Repaired(..)",
        })
    }
}

/// The state of a party in the repair.
pub struct State<S: KeySuite> {
    params: RepairParams<S>,
    /// A helper's sum so far: its own addend, then all of them.
    sum: Secret<Scalar<S>>,
}

impl<S: KeySuite> Protocol for Repair<S> {
    const NAME: &'static str = "quorate-frost repair";
    const CODE: u8 = 2;
    const ROUNDS: u8 = 2;

    type Params = RepairParams<S>;
    type State = State<S>;
    type Output = RepairOutput<S>;

    fn bind(params: &RepairParams<S>, binding: &mut Binding) {
        binding.append("suite", S::CONTEXT.as_bytes());
        binding.append("package", &params.public.to_bytes());
        binding.append_u64("target", u64::from(params.target.get()));
    }

    fn hedge(params: &RepairParams<S>) -> Option<Zeroizing<Vec<u8>>> {
        let (_, secret) = params.helper.as_ref()?;
        let bytes = Zeroizing::new(S::Curve::encode_scalar(secret.expose()));
        Some(Zeroizing::new((*bytes).as_ref().to_vec()))
    }

    fn limits(_params: &RepairParams<S>, _parties: usize, _round: Round) -> Limits {
        Limits { broadcast: 0, direct: scalar_len::<S>() }
    }

    fn start(params: RepairParams<S>, run: &Run) -> Result<(State<S>, Outbox), ParamError> {
        check(&params, run)?;
        let helpers: Vec<_> = helpers(&params, run).collect();
        let mut outbox = Outbox::default();
        let mut sum = Secret::new(Scalar::<S>::default());
        if let Some((me, secret)) = &params.helper {
            let lambda = lagrange::all_at::<S::Curve>(&helpers, params.target)
                .and_then(|all| all.get(helpers.binary_search(me).ok()?).copied())
                .ok_or(ParamError::Inconsistent("the helpers are not distinct"))?;
            let mut rng = run.rng("addends");
            let mut rest = lambda * *secret.expose();
            for helper in helpers.iter().filter(|helper| *helper != me) {
                let addend = Secret::new(random_scalar::<S::Curve>(&mut rng));
                rest = rest - *addend.expose();
                outbox.direct.push((*helper, share_bytes::<S>(addend.expose())));
            }
            sum = Secret::new(rest);
        }
        Ok((State { params, sum }, outbox))
    }

    fn next(state: State<S>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let received = received(&state, run, inbox)?;
        let State { params, sum } = state;
        let (sums, is_target) = (run.round() == Round(2), params.helper.is_none());
        let sum = received.values().fold(*sum.expose(), |sum, addend| sum + *addend.expose());
        let sum = Secret::new(sum);
        match (sums, is_target) {
            (false, true) => Ok(Next::Round(State { params, sum }, Outbox::default())),
            (false, false) => {
                let direct = alloc::vec![(params.target, share_bytes::<S>(sum.expose()))];
                let outbox = Outbox { broadcast: None, direct };
                Ok(Next::Round(State { params, sum }, outbox))
            }
            (true, false) => Ok(Next::Done(RepairOutput::Helped)),
            (true, true) => repaired(&params, &sum)
                .map(|share| Next::Done(RepairOutput::Repaired(share)))
                .ok_or(Abort::unattributed(run.round(), Check::ResultMismatch)),
        }
    }

    fn judge(state: State<S>, run: &Run, inbox: Inbox<'_>) -> Judgement<RepairOutput<S>> {
        received(&state, run, inbox).into()
    }
}

/// The scalars received: addends go from helper to helper, sums from helper to target; all else is empty.
fn received<S: KeySuite>(
    state: &State<S>,
    run: &Run,
    inbox: Inbox<'_>,
) -> Received<Secret<Scalar<S>>> {
    let State { params, .. } = state;
    let (sums, is_target) = (run.round() == Round(2), params.helper.is_none());
    inbox.verify(|from, message| {
        decode::<S>(message.direct, from != params.target && sums == is_target)
    })
}

/// The parties of the run without the target, ascending.
fn helpers<'a, S: KeySuite>(
    params: &'a RepairParams<S>,
    run: &'a Run,
) -> impl Iterator<Item = PartyId> + 'a {
    run.parties().iter().filter(|party| *party != params.target)
}

/// Checks that these parties can repair this share, and that this party plays the part that it says.
fn check<S: KeySuite>(params: &RepairParams<S>, run: &Run) -> Result<(), ParamError> {
    let me = params.helper.as_ref().map_or(params.target, |(helper, _)| *helper);
    if me != run.me() || (params.helper.is_some() && me == params.target) {
        return Err(ParamError::Inconsistent("the part is another party's"));
    }
    if !run.parties().contains(params.target) {
        return Err(ParamError::NotAParty(params.target));
    }
    if let Some(stranger) = run.parties().iter().find(|id| !params.public.parties.contains(*id)) {
        return Err(ParamError::NotAParty(stranger));
    }
    if helpers(params, run).count() < usize::from(params.public.threshold) {
        return Err(ParamError::Threshold);
    }
    if params.state == ShareState::Unconfirmed {
        return Err(ParamError::Inconsistent("the share is not confirmed"));
    }
    let Some((id, secret)) = &params.helper else { return Ok(()) };
    let expected = params.public.verifying_share(*id);
    let found = S::Curve::encode_point(&S::Curve::mul_base(secret.expose()));
    if expected == Some(&found) {
        Ok(())
    } else {
        Err(ParamError::Inconsistent("the share is not one of this key"))
    }
}

/// A scalar where one is expected, else nothing, which counts as zero.
fn decode<S: KeySuite>(body: &[u8], expected: bool) -> Result<Secret<Scalar<S>>, Fault> {
    match (expected, body.is_empty()) {
        (false, true) => Ok(Secret::new(Scalar::<S>::default())),
        (true, _) => read_share::<S>(body),
        (false, false) => Err(Fault::WrongLength),
    }
}

/// The share, if it is the one that the package says it has to be.
fn repaired<S: KeySuite>(params: &RepairParams<S>, sum: &Secret<Scalar<S>>) -> Option<KeyShare<S>> {
    KeyShare::checked(params.target, &params.public, *sum.expose())
}
