//! Figure 10 — signing from a presignature, without interaction.
//!
//! 1. The signers agree on a presignature that all of them hold, on a message, and on a path from
//!    the presignature's key to the descendant that signs; the empty path is the key itself.
//! 2. Each [claims](crate::Presignature::claim) its part for path and message, stores the claim's
//!    [record](Claim::record), and for the receipt [releases](Claim::release) its share of the
//!    signature, σ_i.
//! 3. Anyone with all shares [aggregates them](crate::PresignatureInfo::aggregate).
//!
//! [`Sign`] does all of it in one session, presigning included, for messages that are known
//! beforehand.
//!
//! # One pool for a key and all its descendants
//!
//! Γ of a presignature is known before the message and the path. An attacker that could then choose the number
//! that is signed, or shift the key, could turn one signature into another: the search for a shift
//! is a 4-list problem of about 2^85 steps (Groth and Shoup, eprint 2021/1330). So Γ itself is never used as a
//! nonce. The nonce point of a signature is Γ' = ρΓ, where ρ is a hash of the presignature, the
//! tweak e of the path, the key X' = X + eG that signs, and the message:
//!
//! ```text
//! r' = x(Γ'),    k̃'_i = k̃_i/ρ,    χ̃'_i = (χ̃_i + e·k̃_i)/ρ,    σ_i = k̃'_i·m + r'·χ̃'_i
//! ```
//!
//! No signature is made with the nonce Γ itself: [`Sign`] uses ρΓ too, with e = 0. The argument is in `docs/spec/arguments-ecdsa.md`.
//! Two more barriers stand before it. The message is hashed by this crate, and the tweak is derived
//! by each signer from its own share and a path; neither is taken from a caller. A digest from
//! elsewhere takes [`Sign`], where it is fixed before any nonce exists.

mod aggregate;
mod claim;
mod messages;
pub(crate) mod rerandomized;
mod rounds;
pub(crate) mod view;

pub use claim::{Claim, MessageDigest};
pub use messages::SignatureShare;

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};
use zeroize::Zeroizing;

use self::rounds::State;
use crate::presign::rounds::start;
use crate::{EcdsaCurve, PresignParams, RawDigest, Signature};
use quorate_session::rounds::Logged;

/// Figures 8 and 10 in one session of four rounds: presigning, then the shares of the signature,
/// for a message and a key that are fixed from the start.
///
/// The parties of the session are the signers. All of them learn the signature.
pub struct Sign<C>(PhantomData<C>);

/// The parameters of [`Sign`] at a signer: those of presigning, and the digest to sign.
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

impl<C: EcdsaCurve> Protocol for Sign<C> {
    const NAME: &'static str = "quorate-cggmp sign";
    const CODE: u8 = 19;
    const FAMILY: &'static str = C::FAMILY;
    /// The rounds of presigning, then the shares. A red alert, of two rounds, takes the place of the
    /// shares.
    const ROUNDS: u8 = 5;

    type Params = SignParams<C>;
    type State = Logged<State<C>>;
    type Output = Signature<C>;

    fn bind(params: &SignParams<C>, binding: &mut Binding) {
        params.presign.bind(binding);
        binding.append("digest", params.digest.as_bytes());
    }

    fn limits(params: &SignParams<C>, parties: usize, round: Round) -> Limits {
        // A red alert is longer than a share.
        params.presign.sizes(1).limits(parties, round)
    }

    fn hedge(params: &SignParams<C>) -> Option<Zeroizing<Vec<u8>>> {
        Some(params.presign.hedge())
    }

    fn start(params: SignParams<C>, run: &Run) -> Result<(Self::State, Outbox), ParamError> {
        let SignParams { presign, digest } = params;
        let first = start(presign, 1, run)?;
        Ok(Logged::start(Self::CODE, first, |state| State::Presigning { state, digest }))
    }

    fn next(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox)
    }

    fn judge(state: Self::State, run: &Run, inbox: Inbox<'_>) -> Judgement<Signature<C>> {
        state.judge(run, inbox)
    }
}
