//! The key under which everything secret leaves.

use core::mem::MaybeUninit;
use std::sync::Arc;

use quorate_ffi::SealKey;

use crate::error::QuorateError;
use crate::handle::shared;
use crate::memory::{array, call, free, give};

/// The key under which shares, presignatures, nonces, searches and sessions are sealed. Nothing secret crosses in any other
/// form, except messages for one party.
pub struct QuorateSealKey(Arc<SealKey>);

shared! { QuorateSealKey: SealKey; }

/// Makes a key of 32 secret, uniformly random bytes. They are copied, and the library wipes its copies. Wipe yours.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_seal_key_new(
    secret: *const u8,
    secret_len: usize,
    out: Option<&mut MaybeUninit<*mut QuorateSealKey>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(SealKey::new(array("the key", secret, secret_len)?)?)))
}

/// Wipes and frees the key. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_seal_key_free(key: Option<Box<QuorateSealKey>>) {
    free(key);
}
