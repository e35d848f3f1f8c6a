//! Claims: the caller stores a record, and gives the answer of its table of spent names.

use core::mem::MaybeUninit;
use std::sync::Arc;

use quorate_ffi::{AttemptClaim, ShareClaim, TableEntry};

use crate::error::QuorateError;
use crate::handle::{Given as _, shared};
use crate::memory::{Result, arguments, bytes, call, free, give};
use crate::ml_dsa::QuorateMlDsaAttempt;
use crate::values::QuorateBytes;

/// A signature share that waits until a table has recorded what it is spent on.
///
/// The table is yours: a map from names to digests that only grows, and that outlives every restore of a backup. A name that is
/// spent twice gives the key away. Store the digest under the name unless something is stored there, durably, so that of all
/// calls with one name **one** at the most finds it new. In SQL: `INSERT … ON CONFLICT DO NOTHING`, `SELECT` if nothing was
/// inserted, and the commit. Then call release with the answer. If the table failed, call nothing: the name may be an old one.
/// A claim that is freed leaves the presignature or the nonces used up.
pub struct QuorateShareClaim(Arc<ShareClaim>);

/// An attempt of ML-DSA that waits until a table has recorded its number. See `QuorateShareClaim`.
pub struct QuorateAttemptClaim(Arc<AttemptClaim>);

shared! { QuorateShareClaim: ShareClaim; QuorateAttemptClaim: AttemptClaim; }

/// The answer of the table. Zero is refused, so that an answer has to be given on purpose.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum QuorateTableEntry {
    /// Nothing was stored under the name; the digest of this claim is stored now. The digest in the call is NULL and 0.
    New = 1,
    /// A digest was stored under the name before, and is there still: the digest in the call, 32 bytes.
    Before = 2,
}

/// The answer of the table, which is refused before the claim is used up.
fn answer(entry: u32, digest: *const u8, digest_len: usize) -> Result<TableEntry> {
    const NEW: u32 = QuorateTableEntry::New as u32;
    const BEFORE: u32 = QuorateTableEntry::Before as u32;
    match (entry, digest_len) {
        (NEW, 0) if digest.is_null() => Ok(TableEntry::New),
        (BEFORE, 32) => {
            Ok(TableEntry::Before { digest: bytes("the stored digest", digest, digest_len)? })
        }
        (NEW, _) => Err(arguments("the name is new, and there is a stored digest")),
        (BEFORE, _) => {
            Err(arguments(format!("the stored digest has {digest_len} bytes, expected 32")))
        }
        _ => Err(arguments(format!("{entry} is no value of QuorateTableEntry"))),
    }
}

/// Gives the name, 32 bytes. It is not secret.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_share_claim_id(
    claim: Option<&QuorateShareClaim>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(claim.get()?.id().into()))
}

/// Gives the digest of everything that the signature share depends on, 32 bytes. It is not secret.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_share_claim_digest(
    claim: Option<&QuorateShareClaim>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(claim.get()?.digest().into()))
}

/// Gives the signature share, once the table has answered. `entry` is a `QuorateTableEntry`, and `digest` the digest that was
/// stored under the name **before** this claim; NULL and 0 for a name that was new. An answer of another form fails with
/// `QUORATE_ERROR_KIND_ARGUMENTS` and leaves the claim as it was. Otherwise the claim is used up even if the call fails, and
/// still has to be freed. It fails with `QUORATE_ERROR_KIND_SPENT` if the table has another digest under the name.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_share_claim_release(
    claim: Option<&QuorateShareClaim>,
    entry: u32,
    digest: *const u8,
    digest_len: usize,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(claim.get()?.release(answer(entry, digest, digest_len)?)?.into()))
}

/// Wipes and frees the claim. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_share_claim_free(claim: Option<Box<QuorateShareClaim>>) {
    free(claim);
}

/// Gives the name, 32 bytes. It is not secret.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_attempt_claim_id(
    claim: Option<&QuorateAttemptClaim>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(claim.get()?.id().into()))
}

/// Gives the digest of everything that the attempt depends on, 32 bytes. It is not secret.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_attempt_claim_digest(
    claim: Option<&QuorateAttemptClaim>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(claim.get()?.digest().into()))
}

/// Gives the attempt, once the table has answered: see `quorate_share_claim_release`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_attempt_claim_release(
    claim: Option<&QuorateAttemptClaim>,
    entry: u32,
    digest: *const u8,
    digest_len: usize,
    out: Option<&mut MaybeUninit<*mut QuorateMlDsaAttempt>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(claim.get()?.release(answer(entry, digest, digest_len)?)?)))
}

/// Wipes and frees the claim. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_attempt_claim_free(claim: Option<Box<QuorateAttemptClaim>>) {
    free(claim);
}
