//! Signing with ECDSA's presignatures.

use core::ffi::c_char;
use core::mem::MaybeUninit;
use std::sync::Arc;

use quorate_ffi::{Presignature, PresignatureInfo};

use crate::claim::QuorateShareClaim;
use crate::enums::{QuorateMessageHash, QuorateScheme};
use crate::error::QuorateError;
use crate::handle::{Given as _, shared};
use crate::key_share::QuorateKeyShare;
use crate::memory::{bytes, call, free, give, received, text};
use crate::public_key_package::QuoratePublicKeyPackage;
use crate::seal_key::QuorateSealKey;
use crate::values::{QuorateBytes, QuorateParties, QuorateReceived, QuorateSignature};

/// One signer's part of a presignature: a signature takes this, the message and the path.
///
/// **It signs once**, whichever handle of it is used. A stored presignature can be restored; the table of spent names keeps it
/// from being spent twice.
pub struct QuoratePresignature(Arc<Presignature>);

/// The public side of a presignature: enough to aggregate signature shares.
pub struct QuoratePresignatureInfo(Arc<PresignatureInfo>);

shared! { QuoratePresignature: Presignature; QuoratePresignatureInfo: PresignatureInfo; }

/// Opens a sealed presignature. `scheme` is a `QuorateScheme`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_presignature_open(
    scheme: u32,
    sealed: *const u8,
    sealed_len: usize,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<*mut QuoratePresignature>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let sealed = bytes("the sealed presignature", sealed, sealed_len)?;
        Ok(give(Presignature::open(QuorateScheme::read(scheme)?, sealed, key.get()?)?))
    })
}

/// Gives the presignature, encrypted and authenticated. Delete it once its signature share is sent.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_presignature_seal(
    presignature: Option<&QuoratePresignature>,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(presignature.get()?.seal(key.get()?)?.into()))
}

/// Gives the public side of it, equal at all its signers.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_presignature_info(
    presignature: Option<&QuoratePresignature>,
    out: Option<&mut MaybeUninit<*mut QuoratePresignatureInfo>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(presignature.get()?.info())))
}

/// Claims the presignature for a message, with the key at `at`, a path such as `m/0/7`, or `m` for the key itself. `hash` is a
/// `QuorateMessageHash`. The presignature is used up even if the call fails. **Look at the message first.** See
/// `QuorateShareClaim`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_presignature_claim(
    presignature: Option<&QuoratePresignature>,
    share: Option<&QuorateKeyShare>,
    at: *const c_char,
    message: *const u8,
    message_len: usize,
    hash: u32,
    out: Option<&mut MaybeUninit<*mut QuorateShareClaim>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let message = bytes("the message", message, message_len)?;
        let (at, hash) = (text("the path", at)?, QuorateMessageHash::read(hash)?);
        Ok(give(presignature.get()?.claim(share.get()?, at, message, hash)?))
    })
}

/// Wipes and frees the presignature. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_presignature_free(presignature: Option<Box<QuoratePresignature>>) {
    free(presignature);
}

/// Reads the stored form. `scheme` is a `QuorateScheme`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_presignature_info_from_bytes(
    scheme: u32,
    data: *const u8,
    data_len: usize,
    out: Option<&mut MaybeUninit<*mut QuoratePresignatureInfo>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let data = bytes("the public side of a presignature", data, data_len)?;
        Ok(give(PresignatureInfo::from_bytes(QuorateScheme::read(scheme)?, data)?))
    })
}

/// Gives the stored form, which is public.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_presignature_info_to_bytes(
    info: Option<&QuoratePresignatureInfo>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(info.get()?.to_bytes()?.into()))
}

/// Gives the name, 36 bytes, equal at all its signers.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_presignature_info_id(
    info: Option<&QuoratePresignatureInfo>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(info.get()?.id()?.into()))
}

/// Gives the signers. All of them have to take part.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_presignature_info_signers(
    info: Option<&QuoratePresignatureInfo>,
    out: Option<&mut MaybeUninit<QuorateParties>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(info.get()?.signers()?.into()))
}

/// Aggregates the signature shares of all signers, and verifies the signature. `public` is the key that was presigned for, and
/// `at` the path of the one that signs; `hash` is a `QuorateMessageHash`. Each share comes with its sender, as the
/// **authenticated** transport names it. `QUORATE_ERROR_KIND_MISBEHAVIOUR` names the signers whose shares are wrong.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_presignature_info_aggregate(
    info: Option<&QuoratePresignatureInfo>,
    public: Option<&QuoratePublicKeyPackage>,
    at: *const c_char,
    message: *const u8,
    message_len: usize,
    hash: u32,
    signature_shares: *const QuorateReceived,
    signature_shares_len: usize,
    out: Option<&mut MaybeUninit<QuorateSignature>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let message = bytes("the message", message, message_len)?;
        let (at, hash) = (text("the path", at)?, QuorateMessageHash::read(hash)?);
        let shares = received(signature_shares, signature_shares_len)?;
        Ok(info.get()?.aggregate(public.get()?, at, message, hash, shares)?.into())
    })
}

/// Frees the public side. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_presignature_info_free(info: Option<Box<QuoratePresignatureInfo>>) {
    free(info);
}
