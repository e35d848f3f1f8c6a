//! The results of sessions.

use core::mem::MaybeUninit;
use std::sync::Arc;

use quorate_ffi::{ErrorKind, Outcome};

use crate::aux_info::QuorateAuxInfo;
use crate::error::QuorateError;
use crate::handle::{Given as _, Handle, at};
use crate::key_share::{QuorateKeyShare, QuorateStoredByAll};
use crate::memory::{Result, arguments, call, failure, free, give, give_some};
use crate::ml_dsa::QuorateMlDsaKeyShare;
use crate::presignature::QuoratePresignature;
use crate::public_key_package::QuoratePublicKeyPackage;
use crate::values::QuorateSignature;

/// The kind of a result, by the task that gave it.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum QuorateOutcomeKind {
    /// A key was made: see `quorate_outcome_key_share`.
    KeyMade = 0,
    /// Auxiliary information was made or carried over: see `quorate_outcome_aux_info`.
    AuxInfoMade = 1,
    /// Presignatures were made: see `quorate_outcome_presignature`.
    Presigned = 2,
    /// A digest, or a package, was signed: see `quorate_outcome_signature`.
    Signed = 3,
    /// New shares were made: see `quorate_outcome_public` and `quorate_outcome_key_share`.
    Reshared = 4,
    /// A share was repaired: see `quorate_outcome_key_share`.
    Repaired = 5,
    /// An acknowledgement ended: all parties have stored their shares. See `quorate_outcome_stored_by_all`.
    Acknowledged = 6,
    /// An ML-DSA key was made: see `quorate_outcome_ml_dsa_key_share`.
    MlDsaKeyMade = 7,
    /// An attempt of ML-DSA has ended: see `quorate_outcome_signature` and `quorate_outcome_ml_dsa_accepted`.
    MlDsaAttempted = 8,
}

/// The result of a session. Seal and store its secret parts before the tombstone. Each call below gives a handle of its own,
/// which outlives the outcome.
pub struct QuorateOutcome(Arc<Outcome>);

impl Handle for QuorateOutcome {
    type Object = Arc<Outcome>;

    fn object(&self) -> &Self::Object {
        &self.0
    }
}

impl From<Outcome> for QuorateOutcome {
    fn from(outcome: Outcome) -> Self {
        Self(Arc::new(outcome))
    }
}

impl QuorateOutcome {
    /// Another handle of the same result.
    pub(crate) fn again(outcome: &Arc<Outcome>) -> Self {
        Self(Arc::clone(outcome))
    }
}

/// The error for a part that a result does not have.
fn none<T>(outcome: &Outcome, what: &str) -> Result<T> {
    Err(arguments(format!("an outcome of the kind {:?} has no {what}", kind(outcome))))
}

fn kind(outcome: &Outcome) -> QuorateOutcomeKind {
    match outcome {
        Outcome::KeyMade { .. } => QuorateOutcomeKind::KeyMade,
        Outcome::AuxInfoMade { .. } => QuorateOutcomeKind::AuxInfoMade,
        Outcome::Presigned { .. } => QuorateOutcomeKind::Presigned,
        Outcome::Signed { .. } => QuorateOutcomeKind::Signed,
        Outcome::Reshared { .. } => QuorateOutcomeKind::Reshared,
        Outcome::Repaired { .. } => QuorateOutcomeKind::Repaired,
        Outcome::Acknowledged { .. } => QuorateOutcomeKind::Acknowledged,
        Outcome::MlDsaKeyMade { .. } => QuorateOutcomeKind::MlDsaKeyMade,
        Outcome::MlDsaAttempted { .. } => QuorateOutcomeKind::MlDsaAttempted,
    }
}

/// Gives the kind.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outcome_kind(
    outcome: Option<&QuorateOutcome>,
    out: Option<&mut MaybeUninit<QuorateOutcomeKind>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(kind(&*outcome.get()?)))
}

/// Gives the share of a key that was made, reshared or repaired. It is NULL for a party outside the new committee, and for a
/// helper of a repair.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outcome_key_share(
    outcome: Option<&QuorateOutcome>,
    out: Option<&mut MaybeUninit<*mut QuorateKeyShare>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || match &*outcome.get()? {
        Outcome::KeyMade { share } => Ok(give(Arc::clone(share))),
        Outcome::Reshared { share, .. } | Outcome::Repaired { share } => {
            Ok(give_some(share.clone()))
        }
        other => none(other, "key share"),
    })
}

/// Gives the public side of a reshared key, in the new epoch.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outcome_public(
    outcome: Option<&QuorateOutcome>,
    out: Option<&mut MaybeUninit<*mut QuoratePublicKeyPackage>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || match &*outcome.get()? {
        Outcome::Reshared { public, .. } => Ok(give(Arc::clone(public))),
        other => none(other, "public key package; a key share has it"),
    })
}

/// Gives the auxiliary information.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outcome_aux_info(
    outcome: Option<&QuorateOutcome>,
    out: Option<&mut MaybeUninit<*mut QuorateAuxInfo>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || match &*outcome.get()? {
        Outcome::AuxInfoMade { aux } => Ok(give(Arc::clone(aux))),
        other => none(other, "auxiliary information"),
    })
}

/// Gives the number of presignatures.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outcome_presignature_count(
    outcome: Option<&QuorateOutcome>,
    out: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || match &*outcome.get()? {
        Outcome::Presigned { presignatures } => Ok(presignatures.len()),
        other => none(other, "presignatures"),
    })
}

/// Gives a presignature, from 0, in the order in which all signers have them.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outcome_presignature(
    outcome: Option<&QuorateOutcome>,
    index: usize,
    out: Option<&mut MaybeUninit<*mut QuoratePresignature>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || match &*outcome.get()? {
        Outcome::Presigned { presignatures } => Ok(give(Arc::clone(at(presignatures, index)?))),
        other => none(other, "presignatures"),
    })
}

/// Gives the signature, which is verified. It fails with `QUORATE_ERROR_KIND_UNATTRIBUTED` for an attempt of ML-DSA that gave
/// none, as about every second does: make another attempt.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outcome_signature(
    outcome: Option<&QuorateOutcome>,
    out: Option<&mut MaybeUninit<QuorateSignature>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || match &*outcome.get()? {
        Outcome::Signed { signature }
        | Outcome::MlDsaAttempted { signature: Some(signature), .. } => {
            Ok(signature.clone().into())
        }
        Outcome::MlDsaAttempted { signature: None, .. } => {
            Err(failure(ErrorKind::Unattributed, "the attempt gave no signature: make another"))
        }
        other => none(other, "signature"),
    })
}

/// Gives the proof with which the new share is settled and old ones may be deleted.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outcome_stored_by_all(
    outcome: Option<&QuorateOutcome>,
    out: Option<&mut MaybeUninit<*mut QuorateStoredByAll>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || match &*outcome.get()? {
        Outcome::Acknowledged { by } => Ok(give(Arc::clone(by))),
        other => none(other, "acknowledgement"),
    })
}

/// Gives the share of an ML-DSA key.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outcome_ml_dsa_key_share(
    outcome: Option<&QuorateOutcome>,
    out: Option<&mut MaybeUninit<*mut QuorateMlDsaKeyShare>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || match &*outcome.get()? {
        Outcome::MlDsaKeyMade { share } => Ok(give(Arc::clone(share))),
        other => none(other, "ML-DSA key share"),
    })
}

/// Gives the number of slots that the rejection sampling of `party` let through in an attempt of ML-DSA. A signer that accepts
/// far fewer than the others over many attempts is at fault, or refuses to sign.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outcome_ml_dsa_accepted(
    outcome: Option<&QuorateOutcome>,
    party: u16,
    out: Option<&mut MaybeUninit<u16>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || match &*outcome.get()? {
        Outcome::MlDsaAttempted { accepted, .. } => {
            let found = accepted.iter().find(|one| one.party == party);
            found
                .map(|one| one.slots)
                .ok_or_else(|| arguments(format!("party {party} is not one of the signers")))
        }
        other => none(other, "attempt"),
    })
}

/// Frees the result. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_outcome_free(outcome: Option<Box<QuorateOutcome>>) {
    free(outcome);
}
