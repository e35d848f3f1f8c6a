//! The exchange of signature shares without a coordinator, as a [`Session`](quorate_session::Session).
//!
//! Every signer of a [`SigningPackage`] has made its share by [`KeyShare::sign`](crate::KeyShare::sign), against the
//! record of its nonces. In one round each sends it to all others, and each adds the shares up and verifies the signature
//! (RFC 9591 §5.3). A share that is wrong is a fault of its sender: package, message and key are terms of the run, so all
//! parties judge by the same equation.
//!
//! The session holds no secret, since signature shares are public once they are released. From whatever state it
//! is restored, it sends the share that it was given. Releasing a share for other nonces or another message must
//! not happen twice. The release comes before the session starts, and [`Claim`](crate::Claim) guards it.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_curve::Curve;
use quorate_session::{
    Abort, Binding, Check, Fault, Inbox, Judgement, Limits, Next, Outbox, ParamError, PartyId,
    PerParty, Protocol, Round, Run,
};

use crate::binding::SigningContext;
use crate::error::AggregateError;
use crate::family::Frost;
use crate::key::PublicKeyPackage;
use crate::package::SigningPackage;
use crate::sign::SignatureShare;
use crate::signature::Signature;
use crate::suite::{Ciphersuite, Scalar, scalar_len};

/// The exchange of signature shares among the signers of a package, a protocol for
/// [`quorate_session::Session`]: one round, and every signer has the signature.
///
/// The parties of the session are the signers of the package.
pub struct ShareExchange<S>(PhantomData<S>);

/// A signer's part in an exchange of signature shares.
pub struct ShareExchangeParams<S: Ciphersuite> {
    public: Arc<PublicKeyPackage<S>>,
    package: Arc<SigningPackage<S>>,
    own: SignatureShare<S>,
}

impl<S: Ciphersuite> ShareExchangeParams<S> {
    /// `own` is this party's share of the signature of `package`, by the key of `public`.
    #[must_use]
    pub fn new(
        public: Arc<PublicKeyPackage<S>>,
        package: Arc<SigningPackage<S>>,
        own: SignatureShare<S>,
    ) -> Self {
        Self { public, package, own }
    }

    /// Checks that the parts belong together, for this run.
    fn check(&self, run: &Run) -> Result<(), ParamError> {
        let Self { public, package, own } = self;
        if !run.parties().iter().eq(package.ids.iter().copied()) {
            return Err(ParamError::Inconsistent("the parties are not the signers of the package"));
        }
        if own.id != run.party_id() || own.package != package.digest(None) {
            return Err(ParamError::Inconsistent("the share is not this party's for the package"));
        }
        public.aggregator().check(package).map_err(|why| match why {
            AggregateError::UnknownParty(party) => ParamError::NotAParty(party),
            AggregateError::TooFewSigners { .. } => ParamError::Threshold,
            _ => ParamError::Inconsistent("the package is for another key or epoch"),
        })
    }

    fn context(&self) -> Option<SigningContext<S>> {
        SigningContext::new(&self.package, &self.public.key)
    }
}

impl<S: Ciphersuite> fmt::Debug for ShareExchangeParams<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShareExchangeParams")
            .field("package", &self.package)
            .finish_non_exhaustive()
    }
}

/// The state while shares are on their way.
pub struct AwaitingShares<S: Ciphersuite>(ShareExchangeParams<S>);

impl<S: Ciphersuite> Protocol for ShareExchange<S> {
    const NAME: &'static str = "quorate-frost share exchange";
    const CODE: u8 = 2;
    const FAMILY: &'static str = S::CONTEXT;
    const ROUNDS: u8 = 1;

    type Params = ShareExchangeParams<S>;
    type State = AwaitingShares<S>;
    type Output = Signature<S>;

    fn bind(params: &ShareExchangeParams<S>, binding: &mut Binding) {
        binding.append("suite", S::CONTEXT.as_bytes());
        params.public.package_id().bind::<Frost<S>>(binding);
        // The signers, their commitments, and the message.
        binding.append("signing package", &params.package.digest(None));
    }

    fn limits(_: &ShareExchangeParams<S>, _parties: usize, _: Round) -> Limits {
        Limits { broadcast: scalar_len::<S>(), direct: 0 }
    }

    fn start(
        params: ShareExchangeParams<S>,
        run: &Run,
    ) -> Result<(AwaitingShares<S>, Outbox), ParamError> {
        params.check(run)?;
        let share = S::Curve::encode_scalar(&params.own.z).as_ref().to_vec();
        Ok((AwaitingShares(params), Outbox::broadcast(share)))
    }

    fn next(state: AwaitingShares<S>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let internal = || Abort::unattributed(run.round(), Check::Internal);
        let AwaitingShares(params) = state;
        // If one does not decode, the shares of the others are still checked, so that all culprits are named.
        let shares = read::<S>(inbox).or_else(|_| params.each(inbox))?;
        let shares = shares.with(run.party_id(), params.own.z);
        let z: Vec<Scalar<S>> = shares.values().copied().collect();
        let context = params.context().ok_or_else(internal)?;
        match params.public.aggregator().sum(&params.package, &context, &z) {
            Ok(signature) => Ok(Next::Done(signature)),
            Err(AggregateError::Cheaters(cheaters)) => {
                let others = cheaters.into_iter().filter(|party| *party != run.party_id());
                Err(inbox.blame(others.map(|party| (party, Fault::InvalidSignatureShare))))
            }
            Err(_) => Err(internal()),
        }
    }

    fn judge(state: AwaitingShares<S>, _: &Run, inbox: Inbox<'_>) -> Judgement<Signature<S>> {
        state.0.each(inbox).into()
    }
}

impl<S: Ciphersuite> ShareExchangeParams<S> {
    /// Each share alone: z_i·G = R_i + λ_i·c·Y_i.
    fn each(&self, inbox: Inbox<'_>) -> Result<PerParty<Scalar<S>>, Abort> {
        let context = self.context();
        inbox.verify(|from, message| {
            let z = decode::<S>(message.broadcast)?;
            self.verify(context.as_ref(), from, z).map(|()| z)
        })
    }

    fn verify(
        &self,
        context: Option<&SigningContext<S>>,
        from: PartyId,
        z: Scalar<S>,
    ) -> Result<(), Fault> {
        // Without a context there is no equation, so nobody can be blamed.
        let Some(context) = context else { return Ok(()) };
        match self.public.aggregator().verify_one(&self.package, context, from, z) {
            Err(AggregateError::Cheaters(_)) => Err(Fault::InvalidSignatureShare),
            _ => Ok(()),
        }
    }
}

fn decode<S: Ciphersuite>(bytes: &[u8]) -> Result<Scalar<S>, Fault> {
    if bytes.len() != scalar_len::<S>() {
        return Err(Fault::WrongLength);
    }
    S::Curve::decode_scalar(bytes).ok_or(Fault::InvalidScalar)
}

fn read<S: Ciphersuite>(inbox: Inbox<'_>) -> Result<PerParty<Scalar<S>>, Abort> {
    inbox.verify(|_, message| decode::<S>(message.broadcast))
}
