//! Signing with FROST: nonces, packages, signature shares, and the coordinator.

use core::mem::MaybeUninit;
use std::sync::Arc;

use quorate_ffi::{NonceStock, Nonces, SigningPackage, SigningSession};

use crate::claim::QuorateShareClaim;
use crate::enums::{QuorateContinuity, QuorateScheme};
use crate::error::QuorateError;
use crate::handle::{Given as _, shared};
use crate::key_share::QuorateKeyShare;
use crate::lists::QuorateCommitments;
use crate::memory::{bytes, call, check, free, give, received};
use crate::public_key_package::QuoratePublicKeyPackage;
use crate::seal_key::QuorateSealKey;
use crate::values::{QuorateBytes, QuorateParties, QuorateReceived, QuorateSignature};

/// A pair of secret nonces for one signature. It signs once and cannot be stored: see `QuorateNonceStock`.
pub struct QuorateNonces(Arc<Nonces>);

/// The message, with the commitments of all signers, for a signer to sign.
pub struct QuorateSigningPackage(Arc<SigningPackage>);

/// Pairs of nonces made ahead of time, each of which signs once.
///
/// Seal and store it before its commitments leave, and after each signature; a later one replaces an earlier one, and never
/// the reverse.
pub struct QuorateNonceStock(Arc<NonceStock>);

/// The coordinator's side of one signature. It holds no secret.
pub struct QuorateSigningSession(Arc<SigningSession>);

shared! {
    QuorateNonces: Nonces;
    QuorateSigningPackage: SigningPackage;
    QuorateNonceStock: NonceStock;
    QuorateSigningSession: SigningSession;
}

/// Makes a fresh pair of nonces: round one of FROST. The nonces stay here, and their commitments go to the coordinator.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_commit(
    share: Option<&QuorateKeyShare>,
    out: Option<&mut MaybeUninit<*mut QuorateNonces>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(share.get()?.commit()?)))
}

/// Gives this party's signature share: round two of FROST. The nonces are used up, whether it succeeds or not. **Look at the
/// message of the package first.**
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_sign(
    share: Option<&QuorateKeyShare>,
    package: Option<&QuorateSigningPackage>,
    nonces: Option<&QuorateNonces>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(share.get()?.sign(package.get()?, nonces.get()?)?.into()))
}

/// Makes pairs of nonces ahead of time, 1 to 65 536, which can be stored.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_precompute(
    share: Option<&QuorateKeyShare>,
    count: u32,
    out: Option<&mut MaybeUninit<*mut QuorateNonceStock>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(share.get()?.precompute(count)?)))
}

/// Gives the commitments to the nonces, for the coordinator.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_nonces_commitments(
    nonces: Option<&QuorateNonces>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(nonces.get()?.commitments().into()))
}

/// Wipes and frees the nonces. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_nonces_free(nonces: Option<Box<QuorateNonces>>) {
    free(nonces);
}

/// Reads the package that a coordinator sent. `scheme` is a `QuorateScheme`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signing_package_from_bytes(
    scheme: u32,
    data: *const u8,
    data_len: usize,
    out: Option<&mut MaybeUninit<*mut QuorateSigningPackage>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let data = bytes("the signing package", data, data_len)?;
        Ok(give(SigningPackage::from_bytes(QuorateScheme::read(scheme)?, data)?))
    })
}

/// Gives the sent form.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signing_package_to_bytes(
    package: Option<&QuorateSigningPackage>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(package.get()?.to_bytes()?.into()))
}

/// Gives the message. **Look at it before you sign**: the library does not.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signing_package_message(
    package: Option<&QuorateSigningPackage>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(package.get()?.message()?.into()))
}

/// Gives the signers.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signing_package_signers(
    package: Option<&QuorateSigningPackage>,
    out: Option<&mut MaybeUninit<QuorateParties>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(package.get()?.signers()?.into()))
}

/// Frees the package. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signing_package_free(package: Option<Box<QuorateSigningPackage>>) {
    free(package);
}

/// Opens a sealed stock. `scheme` is a `QuorateScheme`. `continuity` is a `QuorateContinuity`: the reason why it is known that
/// nothing of the stock was used meanwhile.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_nonce_stock_open(
    scheme: u32,
    sealed: *const u8,
    sealed_len: usize,
    key: Option<&QuorateSealKey>,
    continuity: u32,
    out: Option<&mut MaybeUninit<*mut QuorateNonceStock>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let sealed = bytes("the sealed stock", sealed, sealed_len)?;
        let (scheme, continuity) =
            (QuorateScheme::read(scheme)?, QuorateContinuity::read(continuity)?);
        Ok(give(NonceStock::open(scheme, sealed, key.get()?, continuity)?))
    })
}

/// Gives the stock, encrypted and authenticated.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_nonce_stock_seal(
    stock: Option<&QuorateNonceStock>,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(stock.get()?.seal(key.get()?)?.into()))
}

/// Gives the number of changes so far: the stock with the greater one is the later.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_nonce_stock_generation(
    stock: Option<&QuorateNonceStock>,
    out: Option<&mut MaybeUninit<u64>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || stock.get()?.generation())
}

/// Gives the commitments to all pairs that are left, in the order in which they were made, for the coordinator.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_nonce_stock_commitments(
    stock: Option<&QuorateNonceStock>,
    out: Option<&mut MaybeUninit<*mut QuorateCommitments>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(stock.get()?.commitments()?)))
}

/// Takes out the pair that the package asks for, and claims it: see `QuorateShareClaim`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_nonce_stock_claim(
    stock: Option<&QuorateNonceStock>,
    share: Option<&QuorateKeyShare>,
    package: Option<&QuorateSigningPackage>,
    out: Option<&mut MaybeUninit<*mut QuorateShareClaim>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(stock.get()?.claim(share.get()?, package.get()?)?)))
}

/// Wipes and frees the stock. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_nonce_stock_free(stock: Option<Box<QuorateNonceStock>>) {
    free(stock);
}

/// Fixes the signers, by their commitments, and the message, at the coordinator.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signing_session_start(
    public: Option<&QuoratePublicKeyPackage>,
    commitments: *const QuorateReceived,
    commitments_len: usize,
    message: *const u8,
    message_len: usize,
    out: Option<&mut MaybeUninit<*mut QuorateSigningSession>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let commitments = received(commitments, commitments_len)?;
        let message = bytes("the message", message, message_len)?;
        Ok(give(SigningSession::start(public.get()?, commitments, message)?))
    })
}

/// Gives the package to send to every signer.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signing_session_package(
    session: Option<&QuorateSigningSession>,
    out: Option<&mut MaybeUninit<*mut QuorateSigningPackage>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(session.get()?.package()?)))
}

/// Takes a signature share. `sender` is its sender, as the **authenticated** transport names it. If it is rejected, the session
/// continues.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signing_session_receive(
    session: Option<&QuorateSigningSession>,
    sender: u16,
    signature_share: *const u8,
    signature_share_len: usize,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    check(error, || {
        let signature_share = bytes("the signature share", signature_share, signature_share_len)?;
        session.get()?.receive(sender, signature_share)
    })
}

/// Gives the signers whose signature shares have not come.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signing_session_waiting_for(
    session: Option<&QuorateSigningSession>,
    out: Option<&mut MaybeUninit<QuorateParties>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(session.get()?.waiting_for()?.into()))
}

/// Aggregates the signature shares, and verifies the signature. If shares have not come, it fails with
/// `QUORATE_ERROR_KIND_MISSING`, and the session continues; `QUORATE_ERROR_KIND_MISBEHAVIOUR` names exactly the signers whose
/// shares are wrong.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signing_session_aggregate(
    session: Option<&QuorateSigningSession>,
    out: Option<&mut MaybeUninit<QuorateSignature>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(session.get()?.aggregate()?.into()))
}

/// Frees the session. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signing_session_free(session: Option<Box<QuorateSigningSession>>) {
    free(session);
}
