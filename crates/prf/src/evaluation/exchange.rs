//! The exchange of evaluation shares without a coordinator, as a [`Session`](quorate_session::Session) of one round.
//!
//! Each party has made its share by [`Query::evaluate`]. It sends it to all others, and each verifies all shares and puts
//! them together. A wrong share is a fault of its sender, and the frame that contains it is the evidence: the query and the
//! public key package are terms of the run, so all judge by the same equations.
//!
//! The session holds no secret of the key. For a kind of keys whose results are [secret](KeyKind::SECRET), shares go to each
//! party alone, and have to be encrypted.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_frost::{Frost, PublicKeyPackage};
use quorate_session::wire::Reader;
use quorate_session::{
    Abort, Binding, Check, Fault, Inbox, Judgement, Limits, Message, Next, Outbox, ParamError,
    PartyId, PerParty, Protocol, Round, Run,
};

use super::aggregate::Evaluation;
use super::share::EvaluationShare;
use crate::error::AggregateError;
use crate::kinds::KeyKind;
use crate::query::Query;

/// The exchange of evaluation shares, a protocol for [`quorate_session::Session`]: one round, and every party has the
/// result.
pub struct EvaluationExchange<K>(PhantomData<K>);

/// A party's part in an exchange of evaluation shares.
pub struct EvaluationExchangeParams<K: KeyKind> {
    public: Arc<PublicKeyPackage<K>>,
    query: Arc<Query<K>>,
    own: EvaluationShare<K>,
}

impl<K: KeyKind> EvaluationExchangeParams<K> {
    /// `own` is this party's share of the evaluation of `query`, by the key of `public`.
    #[must_use]
    pub fn new(
        public: Arc<PublicKeyPackage<K>>,
        query: Arc<Query<K>>,
        own: EvaluationShare<K>,
    ) -> Self {
        Self { public, query, own }
    }

    /// Checks that the parts belong together, for this run.
    fn check(&self, run: &Run) -> Result<(), ParamError> {
        let Self { public, query, own } = self;
        if let Some(party) = run.parties().iter().find(|party| !public.parties().contains(*party)) {
            return Err(ParamError::NotAParty(party));
        }
        if run.parties().len() < usize::from(public.threshold()) {
            return Err(ParamError::Threshold);
        }
        if own.id != run.party_id() {
            return Err(ParamError::Inconsistent("the share is not this party's"));
        }
        query.verify_share(public, own).map_err(|_| {
            ParamError::Inconsistent("the share is not one of the query under this key")
        })
    }
}

impl<K: KeyKind> fmt::Debug for EvaluationExchangeParams<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluationExchangeParams")
            .field("query", &self.query)
            .finish_non_exhaustive()
    }
}

/// The state while shares are on their way.
pub struct AwaitingEvaluations<K: KeyKind>(EvaluationExchangeParams<K>);

impl<K: KeyKind> Protocol for EvaluationExchange<K> {
    const NAME: &'static str = "quorate-prf evaluation exchange";
    const CODE: u8 = 24;
    const FAMILY: &'static str = K::CONTEXT;
    const ROUNDS: u8 = 1;
    const LAST_ROUND_DRAWS: bool = false;

    type Params = EvaluationExchangeParams<K>;
    type State = AwaitingEvaluations<K>;
    type Output = Evaluation<K>;

    fn bind(params: &Self::Params, binding: &mut Binding) {
        binding.append("kind", K::CONTEXT.as_bytes());
        params.public.package_id().bind::<Frost<K>>(binding);
        binding.append("query", &params.query.digest);
    }

    fn limits(params: &Self::Params, _parties: usize, _: Round) -> Limits {
        let length = EvaluationShare::<K>::body_len(params.query.elements());
        if K::SECRET {
            Limits { broadcast: 0, direct: length }
        } else {
            Limits { broadcast: length, direct: 0 }
        }
    }

    fn start(params: Self::Params, run: &Run) -> Result<(Self::State, Outbox), ParamError> {
        params.check(run)?;
        let mut share = Vec::with_capacity(EvaluationShare::<K>::body_len(params.query.elements()));
        params.own.put(&mut share);
        let outbox = if K::SECRET {
            Outbox::new(None, run.others().map(|to| (to, share.clone())).collect())
        } else {
            Outbox::broadcast(share)
        };
        Ok((AwaitingEvaluations(params), outbox))
    }

    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let internal = || Abort::unattributed(run.round(), Check::Internal);
        let AwaitingEvaluations(params) = state;
        // If one does not decode, the shares of the others are still checked, so that all culprits are named.
        let shares = params.read(inbox).or_else(|_| params.each(inbox))?;
        let shares = shares.with(run.party_id(), params.own.clone());
        let shares: Vec<_> = shares.values().collect();
        match params.query.verify_shares(&params.public, &shares) {
            Ok(()) => params.query.combined(&shares).map(Next::Done).map_err(|_| internal()),
            Err(AggregateError::Cheaters(cheaters)) => {
                let others = cheaters.into_iter().filter(|party| *party != run.party_id());
                Err(inbox.blame(others.map(|party| (party, Fault::InvalidProof))))
            }
            Err(_) => Err(internal()),
        }
    }

    fn judge(state: Self::State, _: &Run, inbox: Inbox<'_>) -> Judgement<Evaluation<K>> {
        state.0.each(inbox).into()
    }
}

impl<K: KeyKind> EvaluationExchangeParams<K> {
    fn read(&self, inbox: Inbox<'_>) -> Result<PerParty<EvaluationShare<K>>, Abort> {
        inbox.verify(|from, message| self.decode(from, message))
    }

    /// Each share alone.
    fn each(&self, inbox: Inbox<'_>) -> Result<PerParty<EvaluationShare<K>>, Abort> {
        inbox.verify(|from, message| {
            let share = self.decode(from, message)?;
            match self.query.verify_share(&self.public, &share) {
                Ok(()) => Ok(share),
                Err(_) => Err(Fault::InvalidProof),
            }
        })
    }

    /// A peer's share. The terms of the run fix the query and the package, so another one is the peer's fault.
    fn decode(&self, from: PartyId, message: Message<'_>) -> Result<EvaluationShare<K>, Fault> {
        let body = if K::SECRET { message.direct } else { message.broadcast };
        if body.len() != EvaluationShare::<K>::body_len(self.query.elements()) {
            return Err(Fault::WrongLength);
        }
        let mut reader = Reader::new(body);
        let share = EvaluationShare::read(&mut reader).map_err(|_| Fault::Malformed)?;
        reader.finish()?;
        let fits = share.id == from
            && share.of == self.query.of
            && share.query == self.query.digest
            && share.points.len() == self.query.elements();
        if fits { Ok(share) } else { Err(Fault::Malformed) }
    }
}
