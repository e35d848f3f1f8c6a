//! Refresh: new shares of the same key, as a [`Session`]. Old and new shares do not fit together: a
//! thief of t − 1 old ones has to begin again.
//!
//! All parties of the key take part, in three rounds:
//!
//! 1. each party i broadcasts a commitment to a random polynomial g_i of degree t − 1 with
//!    g_i(0) = 0; the constant is not sent, so nobody can choose another;
//! 2. it sends g_i(j) to each other party j in private;
//! 3. it broadcasts a digest of its view and of the new public key package, and has its new share,
//!    s_j + Σ g_i(j), when all n digests agree.
//!
//! A refresh that aborts changes nothing: the old share stays good. A refresh that has ended for this
//! party may not have ended for the others. So the new share is [`ShareState::Pending`]: store it and
//! its package **beside** the old ones. Delete the old ones when all parties have acknowledged that
//! theirs are stored, in a session of [`Acknowledge`](crate::Acknowledge), which gives the order.
//! Until then both shares sign; the signing package says which of them is needed.
//!
//! [`Session`]: quorate_session::Session

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_curve::{Curve, Secret};
use quorate_session::{
    Abort, AnyRound, Binding, Check, Fault, Inbox, Judgement, Limits, Next, Outbox, ParamError,
    PartyId, PerParty, Protocol, Round, RoundState, Run,
};
use quorate_sharing::{Commitment, Polynomial};
use zeroize::Zeroizing;

use crate::confirm::{Confirming, blame};
use crate::dkg::DkgOutput;
use crate::keys::{KeyShare, PublicKeyPackage, ShareState};
use crate::shares::{Received, deal, receive, receive_each, wrong_dealers};
use crate::suite::{KeySuite, Scalar, point_len, scalar_len};

/// The refresh of a key's shares, a protocol for [`quorate_session::Session`] whose parties are
/// all the parties of the key.
pub struct Refresh<S>(PhantomData<S>);

/// The parameters of a refresh: this party's share, and the group's package.
pub struct RefreshParams<S: KeySuite> {
    me: PartyId,
    state: ShareState,
    secret: Secret<Scalar<S>>,
    public: PublicKeyPackage<S>,
}

impl<S: KeySuite> RefreshParams<S> {
    /// A refresh of this share. The share itself stays with the caller, and stays good.
    #[must_use]
    pub fn new(share: &KeyShare<S>, public: &PublicKeyPackage<S>) -> Self {
        let secret = Secret::new(*share.secret.expose());
        Self { me: share.id, state: share.state, secret, public: public.clone() }
    }

    /// The threshold, as a length.
    fn threshold(&self) -> usize {
        usize::from(self.public.threshold)
    }
}

impl<S: KeySuite> fmt::Debug for RefreshParams<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RefreshParams").field("public", &self.public).finish_non_exhaustive()
    }
}

impl<S: KeySuite> Protocol for Refresh<S> {
    const NAME: &'static str = "quorate-frost refresh";
    const CODE: u8 = 3;
    const ROUNDS: u8 = 3;

    type Params = RefreshParams<S>;
    type State = AnyRound<Self>;
    type Output = DkgOutput<S>;

    fn bind(params: &RefreshParams<S>, binding: &mut Binding) {
        binding.append("suite", S::CONTEXT.as_bytes());
        binding.append("package", &params.public.to_bytes());
    }

    fn hedge(params: &RefreshParams<S>) -> Option<Zeroizing<Vec<u8>>> {
        let bytes = Zeroizing::new(S::Curve::encode_scalar(params.secret.expose()));
        Some(Zeroizing::new((*bytes).as_ref().to_vec()))
    }

    fn limits(params: &RefreshParams<S>, _parties: usize, round: Round) -> Limits {
        match round {
            Round(1) => Limits { broadcast: announcement_len::<S>(params.threshold()), direct: 0 },
            Round(2) => Limits { broadcast: 0, direct: scalar_len::<S>() },
            _ => Limits { broadcast: 32, direct: 0 },
        }
    }

    fn start(params: RefreshParams<S>, run: &Run) -> Result<(AnyRound<Self>, Outbox), ParamError> {
        let found = S::Curve::encode_point(&S::Curve::mul_base(params.secret.expose()));
        if *run.parties() != params.public.parties {
            return Err(ParamError::Inconsistent("all parties of the key have to take part"));
        }
        if run.me() != params.me || params.public.verifying_share(params.me) != Some(&found) {
            return Err(ParamError::Inconsistent("the share is not this party's of this key"));
        }
        if params.state == ShareState::Unconfirmed {
            return Err(ParamError::Inconsistent("the share is not confirmed"));
        }
        let (round, outbox) = Announced::new(params, run)?;
        Ok((Box::new(round), outbox))
    }

    fn next(round: AnyRound<Self>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        round.next(run, inbox)
    }

    fn judge(round: AnyRound<Self>, run: &Run, inbox: Inbox<'_>) -> Judgement<DkgOutput<S>> {
        round.judge(run, inbox)
    }
}

/// Bytes of the commitment without its constant.
fn announcement_len<S: KeySuite>(threshold: usize) -> usize {
    threshold.saturating_sub(1).saturating_mul(point_len::<S>())
}

/// The state when round 1 is sent: the polynomial and its commitment.
struct Announced<S: KeySuite> {
    params: RefreshParams<S>,
    polynomial: Polynomial<S::Curve>,
    commitment: Commitment<S::Curve>,
}

impl<S: KeySuite> Announced<S> {
    fn new(params: RefreshParams<S>, run: &Run) -> Result<(Self, Outbox), ParamError> {
        let mut rng = run.rng("polynomial");
        let polynomial = Polynomial::zero_constant(params.public.threshold, &mut rng)
            .map_err(|_| ParamError::Randomness)?;
        let commitment = polynomial.commit();
        let mut body = Vec::with_capacity(announcement_len::<S>(params.threshold()));
        commitment.encode_after_constant_into(&mut body);
        Ok((Self { params, polynomial, commitment }, Outbox::broadcast(body)))
    }

    /// Each commitment, alone.
    fn each(&self, inbox: Inbox<'_>) -> Received<Commitment<S::Curve>> {
        let threshold = self.params.threshold();
        inbox.verify(|_, message| {
            if message.broadcast.len() != announcement_len::<S>(threshold) {
                return Err(Fault::WrongLength);
            }
            Commitment::<S::Curve>::decode_zero_constant(message.broadcast, threshold)
                .map_err(|_| Fault::InvalidPoint)
        })
    }
}

impl<S: KeySuite> RoundState<Refresh<S>> for Announced<S> {
    fn next(self: Box<Self>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Refresh<S>>, Abort> {
        let mut commitments = self.each(inbox)?;
        let Self { params, polynomial, commitment } = *self;
        let others: Vec<PartyId> = run.others().collect();
        let direct = deal::<S>(&others, &polynomial.evaluate_many(&others));
        let own = Secret::new(polynomial.evaluate(run.me()));
        commitments.insert(run.me(), commitment);
        let dealing = Dealing { params, own, commitments };
        Ok(Next::round(dealing, Outbox { broadcast: None, direct }))
    }

    fn judge(self: Box<Self>, _run: &Run, inbox: Inbox<'_>) -> Judgement<DkgOutput<S>> {
        self.each(inbox).into()
    }
}

/// The state when round 2 is sent: all commitments, and the own share of the own polynomial.
struct Dealing<S: KeySuite> {
    params: RefreshParams<S>,
    own: Secret<Scalar<S>>,
    commitments: PerParty<Commitment<S::Curve>>,
}

impl<S: KeySuite> Dealing<S> {
    /// The new share and the new package: the old ones plus the sum of the shares that were dealt.
    fn refreshed(
        &self,
        commitment: &Commitment<S::Curve>,
        sum: &Secret<Scalar<S>>,
    ) -> Option<DkgOutput<S>> {
        let old = &self.params.public;
        let epoch = old.epoch().checked_add(1)?;
        let dealt = commitment.evaluate_all_vartime(old.parties.as_slice());
        let points = old.shares.iter().zip(dealt).map(|(share, dealt)| *share + dealt).collect();
        let (parties, key) = (old.parties.clone(), old.key);
        let public = PublicKeyPackage::assemble(old.threshold, epoch, parties, key, points)?;
        let secret = *self.params.secret.expose() + *sum.expose();
        Some(DkgOutput { share: KeyShare::assemble(self.params.me, &public, secret), public })
    }

    /// The digest of everything that all parties must agree on.
    fn digest(&self, run: &Run, output: &DkgOutput<S>) -> [u8; 32] {
        let mut transcript = run.transcript("quorate-frost refresh confirm");
        let encode = |commitment: &Commitment<S::Curve>| {
            let mut bytes = Vec::new();
            commitment.encode_after_constant_into(&mut bytes);
            bytes
        };
        let commitments = self.commitments.values().map(encode);
        transcript.append_list("commitments", commitments);
        transcript.append("package", &output.public.to_bytes());
        transcript.finish32()
    }
}

impl<S: KeySuite> RoundState<Refresh<S>> for Dealing<S> {
    fn next(self: Box<Self>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Refresh<S>>, Abort> {
        let dealt = |dealer| self.commitments.get(dealer);
        let shares = receive::<S>(run, inbox, dealt)?;
        let internal = Abort::unattributed(run.round(), Check::ResultMismatch);
        let sum = shares.values().fold(*self.own.expose(), |sum, share| sum + *share.expose());
        let sum = Secret::new(sum);
        let Some(commitment) = Commitment::sum(self.commitments.values()) else {
            return Err(internal);
        };
        if !commitment.verify_share_vartime(run.me(), sum.expose()) {
            let wrong = wrong_dealers::<S>(run.me(), shares.as_slice(), dealt);
            return Err(blame(&inbox, wrong, Fault::InvalidShare));
        }
        let output = self.refreshed(&commitment, &sum).ok_or(internal)?;
        Ok(Confirming::begin(self.digest(run, &output), output, ShareState::Pending))
    }

    fn judge(self: Box<Self>, run: &Run, inbox: Inbox<'_>) -> Judgement<DkgOutput<S>> {
        receive_each::<S>(run, inbox, |dealer| self.commitments.get(dealer)).into()
    }
}
