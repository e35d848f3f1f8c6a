//! The exchange of proof shares without a coordinator, as a [`Session`](quorate_session::Session) of one round.
//!
//! The parties are the contributors of a [`ProofPackage`], and each has made its share by [`ProofPackage::prove`]. The
//! package is a term of the run, so all parties judge by the same equations. The session holds no secret.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_curve::Curve;
use quorate_frost::{Frost, Scalar};
use quorate_session::{
    Abort, Binding, Check, Fault, Inbox, Judgement, Limits, Next, Outbox, ParamError, PerParty,
    Protocol, Round, Run,
};

use super::share::scalar_bytes;
use super::{ProofPackage, ProofShare, Provable};
use crate::error::AggregateError;
use crate::wire::scalar_len;

/// The exchange of the shares of a joint proof, a protocol for [`quorate_session::Session`]: one round, and every party has
/// the proof.
pub struct ProofExchange<K>(PhantomData<K>);

/// A party's part in an exchange of proof shares.
pub struct ProofExchangeParams<K: Provable> {
    package: Arc<ProofPackage<K>>,
    own: ProofShare<K>,
}

impl<K: Provable> ProofExchangeParams<K> {
    /// `own` is this party's share of the proof of `package`.
    #[must_use]
    pub fn new(package: Arc<ProofPackage<K>>, own: ProofShare<K>) -> Self {
        Self { package, own }
    }

    fn check(&self, run: &Run) -> Result<(), ParamError> {
        let Self { package, own } = self;
        if !run.parties().iter().eq(package.parties()) {
            return Err(ParamError::Inconsistent("the parties are not the contributors"));
        }
        if own.id != run.party_id() || own.package != package.digest {
            return Err(ParamError::Inconsistent("the share is not this party's for the package"));
        }
        Ok(())
    }
}

impl<K: Provable> fmt::Debug for ProofExchangeParams<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProofExchangeParams")
            .field("package", &self.package)
            .finish_non_exhaustive()
    }
}

/// The state while shares are on their way.
pub struct AwaitingProofShares<K: Provable>(ProofExchangeParams<K>);

impl<K: Provable> Protocol for ProofExchange<K> {
    const NAME: &'static str = "quorate-prf proof exchange";
    const CODE: u8 = 25;
    const FAMILY: &'static str = K::CONTEXT;
    const ROUNDS: u8 = 1;
    const LAST_ROUND_DRAWS: bool = false;

    type Params = ProofExchangeParams<K>;
    type State = AwaitingProofShares<K>;
    type Output = K::Proof;

    fn bind(params: &Self::Params, binding: &mut Binding) {
        binding.append("kind", K::CONTEXT.as_bytes());
        params.package.query.of.bind::<Frost<K>>(binding);
        // The query, the contributors and their commitments.
        binding.append("contributions", &params.package.digest);
    }

    fn limits(_: &Self::Params, _parties: usize, _: Round) -> Limits {
        Limits { broadcast: scalar_len::<K>(), direct: 0 }
    }

    fn start(params: Self::Params, run: &Run) -> Result<(Self::State, Outbox), ParamError> {
        params.check(run)?;
        let share = scalar_bytes(&params.own);
        Ok((AwaitingProofShares(params), Outbox::broadcast(share)))
    }

    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let internal = || Abort::unattributed(run.round(), Check::Internal);
        let AwaitingProofShares(params) = state;
        let read = inbox.verify(|_, message| decode::<K>(message.broadcast));
        // If one does not decode, the shares of the others are still checked, so that all culprits are named.
        let shares = read.or_else(|_| params.each(inbox))?;
        let shares = shares.with(run.party_id(), params.own.s);
        match params.package.sum(&shares.values().copied().collect::<Vec<_>>()) {
            Ok(proof) => Ok(Next::Done(proof)),
            Err(AggregateError::Cheaters(cheaters)) => {
                let others = cheaters.into_iter().filter(|party| *party != run.party_id());
                Err(inbox.blame(others.map(|party| (party, Fault::InvalidSignatureShare))))
            }
            Err(_) => Err(internal()),
        }
    }

    fn judge(state: Self::State, _: &Run, inbox: Inbox<'_>) -> Judgement<K::Proof> {
        state.0.each(inbox).into()
    }
}

impl<K: Provable> ProofExchangeParams<K> {
    /// Each share alone, in both bases.
    fn each(&self, inbox: Inbox<'_>) -> Result<PerParty<Scalar<K>>, Abort> {
        inbox.verify(|from, message| {
            let s = decode::<K>(message.broadcast)?;
            let at = self.package.position(from);
            match at.and_then(|at| self.package.is_right(at, &s)) {
                Some(false) => Err(Fault::InvalidSignatureShare),
                _ => Ok(s),
            }
        })
    }
}

fn decode<K: Provable>(bytes: &[u8]) -> Result<Scalar<K>, Fault> {
    if bytes.len() != scalar_len::<K>() {
        return Err(Fault::WrongLength);
    }
    K::Curve::decode_scalar(bytes).ok_or(Fault::InvalidScalar)
}
