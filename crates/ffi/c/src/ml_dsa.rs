//! Threshold ML-DSA, experimental: keys, shares, and attempts to sign.

use core::ffi::c_char;
use core::mem::MaybeUninit;
use std::sync::Arc;

use quorate_ffi::{MlDsaAttempt, MlDsaKeyShare, MlDsaPublicKeyPackage};

use crate::claim::QuorateAttemptClaim;
use crate::enums::QuorateMlDsaLevel;
use crate::error::QuorateError;
use crate::handle::{Given as _, shared};
use crate::memory::{bytes, call, check, free, give, give_text, numbers};
use crate::seal_key::QuorateSealKey;
use crate::values::{QuorateBytes, QuorateParties};

/// The public side of a threshold ML-DSA key, equal at all its parties. **Experimental.**
pub struct QuorateMlDsaPublicKeyPackage(Arc<MlDsaPublicKeyPackage>);

/// One party's share of a threshold ML-DSA key. It leaves this library sealed. The share may be restored from a backup; the
/// table of attempts must not. **Experimental.**
pub struct QuorateMlDsaKeyShare(Arc<MlDsaKeyShare>);

/// A recorded attempt to sign. It begins one session, whichever handle of it is used.
pub struct QuorateMlDsaAttempt(Arc<MlDsaAttempt>);

shared! {
    QuorateMlDsaPublicKeyPackage: MlDsaPublicKeyPackage;
    QuorateMlDsaKeyShare: MlDsaKeyShare;
    QuorateMlDsaAttempt: MlDsaAttempt;
}

/// Opens a sealed share, of any level.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_key_share_open(
    sealed: *const u8,
    sealed_len: usize,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<*mut QuorateMlDsaKeyShare>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let sealed = bytes("the sealed share", sealed, sealed_len)?;
        Ok(give(MlDsaKeyShare::open(sealed, key.get()?)?))
    })
}

/// Gives the share, with the public side of the key, encrypted and authenticated.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_key_share_seal(
    share: Option<&QuorateMlDsaKeyShare>,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(share.get()?.seal(key.get()?).into()))
}

/// Gives the number of the party whose share this is.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_key_share_id(
    share: Option<&QuorateMlDsaKeyShare>,
    out: Option<&mut MaybeUninit<u16>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(share.get()?.id()))
}

/// Gives the public side of the key.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_key_share_public(
    share: Option<&QuorateMlDsaKeyShare>,
    out: Option<&mut MaybeUninit<*mut QuorateMlDsaPublicKeyPackage>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(share.get()?.public())))
}

/// Gives whether all parties have confirmed the run that made it. An unconfirmed share does not sign.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_key_share_is_confirmed(
    share: Option<&QuorateMlDsaKeyShare>,
    out: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(share.get()?.is_confirmed()))
}

/// Gives the share, taken for confirmed by your own decision. Ask **all** parties for the digest of their public key first,
/// over channels that you trust.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_key_share_confirmed(
    share: Option<&QuorateMlDsaKeyShare>,
    out: Option<&mut MaybeUninit<*mut QuorateMlDsaKeyShare>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(share.get()?.confirmed()?)))
}

/// Claims an attempt to sign a message by exactly as many signers as the threshold says, **before** there is a session. Its
/// session is of `quorate_task_ml_dsa_sign`, under this session id. A party counts its attempts from 0. About every second
/// attempt gives no signature: take the next number, and another session id. To **open** the session again from its seal, call
/// this again with the same arguments. **Look at the message first.**
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_key_share_claim_attempt(
    share: Option<&QuorateMlDsaKeyShare>,
    number: u64,
    session_id: *const u8,
    session_id_len: usize,
    signers: *const u16,
    signers_len: usize,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
    out: Option<&mut MaybeUninit<*mut QuorateAttemptClaim>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let session_id = bytes("the session id", session_id, session_id_len)?;
        let signers = numbers(signers, signers_len)?;
        let message = bytes("the message", message, message_len)?;
        let context = bytes("the context", context, context_len)?;
        Ok(give(share.get()?.claim_attempt(number, session_id, signers, message, context)?))
    })
}

/// Wipes and frees the share. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_key_share_free(share: Option<Box<QuorateMlDsaKeyShare>>) {
    free(share);
}

/// Gives the number of the attempt.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_attempt_number(
    attempt: Option<&QuorateMlDsaAttempt>,
    out: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(attempt.get()?.number()))
}

/// Wipes and frees the attempt. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_attempt_free(attempt: Option<Box<QuorateMlDsaAttempt>>) {
    free(attempt);
}

/// Reads the stored form, of any level.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_public_key_package_from_bytes(
    data: *const u8,
    data_len: usize,
    out: Option<&mut MaybeUninit<*mut QuorateMlDsaPublicKeyPackage>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        Ok(give(MlDsaPublicKeyPackage::from_bytes(bytes(
            "the public key package",
            data,
            data_len,
        )?)?))
    })
}

/// Gives the stored form, which is public. Keep it authentic: culprits are named by it.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_public_key_package_to_bytes(
    public: Option<&QuorateMlDsaPublicKeyPackage>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.to_bytes().into()))
}

/// Gives the level.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_public_key_package_level(
    public: Option<&QuorateMlDsaPublicKeyPackage>,
    out: Option<&mut MaybeUninit<QuorateMlDsaLevel>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.level().into()))
}

/// Gives the verifying key of FIPS 204: 1312, 1952 or 2592 bytes.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_public_key_package_verifying_key(
    public: Option<&QuorateMlDsaPublicKeyPackage>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.verifying_key().into()))
}

/// Gives the verifying key as a `PUBLIC KEY` in PEM (RFC 9881). Free it with `quorate_text_free`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_public_key_package_pem(
    public: Option<&QuorateMlDsaPublicKeyPackage>,
    out: Option<&mut MaybeUninit<*mut c_char>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give_text(&public.get()?.pem())))
}

/// Gives the number of parties that sign: exactly as many take part in a signature.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_public_key_package_threshold(
    public: Option<&QuorateMlDsaPublicKeyPackage>,
    out: Option<&mut MaybeUninit<u16>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.threshold()))
}

/// Gives the parties that hold shares.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_public_key_package_parties(
    public: Option<&QuorateMlDsaPublicKeyPackage>,
    out: Option<&mut MaybeUninit<QuorateParties>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.parties().into()))
}

/// Gives the number of attempts that a share of this key may make in its life.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_public_key_package_attempts(
    public: Option<&QuorateMlDsaPublicKeyPackage>,
    out: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.attempts()))
}

/// Gives a digest of the whole package, 32 bytes. Parties compare it before they confirm a share.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_public_key_package_digest(
    public: Option<&QuorateMlDsaPublicKeyPackage>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.digest().into()))
}

/// Verifies a signature of a message under a context, which is empty or has at most 255 bytes.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_public_key_package_verify(
    public: Option<&QuorateMlDsaPublicKeyPackage>,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
    signature: *const u8,
    signature_len: usize,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    check(error, || {
        let message = bytes("the message", message, message_len)?;
        let context = bytes("the context", context, context_len)?;
        public.get()?.verify(message, context, bytes("the signature", signature, signature_len)?)
    })
}

/// Frees the package. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_ml_dsa_public_key_package_free(
    public: Option<Box<QuorateMlDsaPublicKeyPackage>>,
) {
    free(public);
}
