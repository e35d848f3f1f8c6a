//! Presigning and signing in one session.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_session::{
    Abort, Binding, Fault, Inbox, Judgement, Limits, Message, Next, Outbox, ParamError, PartyId,
    Protocol, Round, Run,
};
use zeroize::Zeroizing;

use super::PartialSignature;
use crate::history::BroadcastLog;
use crate::presign::{self, PresignParams, Staged};
use crate::proofs::mismatch;
use crate::wire::SCALAR;
use crate::{CombineError, EcdsaCurve, PresignatureInfo, RawDigest, Signature};

/// Figures 8 and 10 in one session of four rounds: presigning, then the shares of the signature,
/// for a message and a key that are fixed from the start.
///
/// The parties of the session are the signers. All of them learn the signature.
pub struct Sign<C>(PhantomData<C>);

/// What a signer brings to [`Sign`]: what it takes to presign, and the digest to sign.
pub struct SignParams<C: EcdsaCurve> {
    presign: PresignParams<C>,
    digest: RawDigest,
}

impl<C: EcdsaCurve> SignParams<C> {
    /// Signs `digest` with the share in `presign`, which is that of the derived key where one is to
    /// sign. Look at the message first.
    #[must_use]
    pub const fn new(presign: PresignParams<C>, digest: RawDigest) -> Self {
        Self { presign, digest }
    }
}

impl<C: EcdsaCurve> Clone for SignParams<C> {
    fn clone(&self) -> Self {
        Self { presign: self.presign.clone(), digest: self.digest }
    }
}

impl<C: EcdsaCurve> fmt::Debug for SignParams<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignParams")
            .field("presign", &self.presign)
            .field("digest", &self.digest)
            .finish()
    }
}

/// Where a signer stands.
pub struct State<C: EcdsaCurve> {
    digest: RawDigest,
    at: Stage<C>,
}

#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
enum Stage<C: EcdsaCurve> {
    Presigning(presign::Stage<C>),
    /// The own share is sent.
    Signing(PresignatureInfo<C>, PartialSignature<C>, BroadcastLog),
}

impl<C: EcdsaCurve> fmt::Debug for State<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl<C: EcdsaCurve> Protocol for Sign<C> {
    const NAME: &'static str = "quorate-cggmp sign";
    const CODE: u8 = 19;
    /// Those of presigning, then the shares. A red alert, of two rounds, takes the place of the
    /// shares.
    const ROUNDS: u8 = 5;

    type Params = SignParams<C>;
    type State = State<C>;
    type Output = Signature<C>;

    fn bind(params: &SignParams<C>, binding: &mut Binding) {
        params.presign.bind(binding);
        binding.append("digest", params.digest.as_bytes());
    }

    fn limits(params: &SignParams<C>, parties: usize, round: Round) -> Limits {
        // A red alert is longer than a share.
        presign::limits(params.presign.level(), parties, round)
    }

    fn hedge(params: &SignParams<C>) -> Option<Zeroizing<Vec<u8>>> {
        Some(params.presign.hedge())
    }

    fn start(params: SignParams<C>, run: &Run) -> Result<(State<C>, Outbox), ParamError> {
        let (at, outbox) = presign::Stage::start(params.presign, run, Self::CODE)?;
        Ok((State { digest: params.digest, at: Stage::Presigning(at) }, outbox))
    }

    fn next(state: State<C>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let State { digest, at } = state;
        let at = match at {
            Stage::Presigning(at) => at,
            Stage::Signing(info, own, history) => {
                let finished = finish(&info, own, &digest, run, inbox);
                return finished.map(Next::Done).map_err(|abort| history.attach(run, abort));
            }
        };
        let (at, outbox) = match at.next(run, inbox)? {
            Staged::Next(at, outbox) => (Stage::Presigning(at), outbox),
            Staged::Work(at) => {
                return Ok(Next::Work(State { digest, at: Stage::Presigning(at) }));
            }
            Staged::Done(presignature, mut history) => {
                let own = PartialSignature::new(&presignature, &digest);
                let sigma = C::encode_scalar(own.sigma()).to_vec();
                let info = presignature.info().clone();
                let outbox = Outbox::broadcast(sigma);
                history.sent(&outbox);
                (Stage::Signing(info, own, history), outbox)
            }
        };
        Ok(Next::Round(State { digest, at }, outbox))
    }

    fn judge(state: State<C>, run: &Run, inbox: Inbox<'_>) -> Judgement<Signature<C>> {
        match state.at {
            Stage::Presigning(stage) => stage.judge(run, inbox).into(),
            Stage::Signing(info, _, history) => {
                let each = inbox.verify(|from, message| {
                    let partial = read(&info, &state.digest, from, message)?;
                    let verdict = info.verify_partial_digest(&state.digest, &partial);
                    verdict.map_err(|_| Fault::InvalidSignatureShare)
                });
                each.map_err(|abort| history.attach(run, abort)).into()
            }
        }
    }
}

/// σ_j, as it was received.
fn read<C: EcdsaCurve>(
    info: &PresignatureInfo<C>,
    digest: &RawDigest,
    from: PartyId,
    message: Message<'_>,
) -> Result<PartialSignature<C>, Fault> {
    let bytes = <[u8; SCALAR]>::try_from(message.broadcast).map_err(|_| Fault::WrongLength)?;
    let sigma = C::decode_scalar(&bytes).ok_or(Fault::InvalidScalar)?;
    Ok(PartialSignature::received(from, info, digest, sigma))
}

/// Figure 10: puts the shares together.
fn finish<C: EcdsaCurve>(
    info: &PresignatureInfo<C>,
    own: PartialSignature<C>,
    digest: &RawDigest,
    run: &Run,
    inbox: Inbox<'_>,
) -> Result<Signature<C>, Abort> {
    let received = inbox.verify(|from, message| read(info, digest, from, message))?;
    let mut partials: Vec<_> = received.into_iter().map(|(_, partial)| partial).collect();
    partials.push(own);
    info.combine_digest(digest, &partials).map_err(|error| match error {
        CombineError::Cheaters(cheaters) => {
            let blamed = cheaters.into_iter().filter(|(party, _)| *party != run.me());
            let blamed = blamed.map(|(party, _)| (party, Fault::InvalidSignatureShare));
            inbox.blame(blamed)
        }
        _ => mismatch(run),
    })
}
