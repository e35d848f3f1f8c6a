//! One party's share of a key.

use core::ffi::c_char;
use core::mem::MaybeUninit;
use std::sync::Arc;

use quorate_ffi::{KeyShare, StoredByAll};

use crate::enums::{QuorateScheme, QuorateShareState};
use crate::error::QuorateError;
use crate::handle::{Given as _, shared};
use crate::memory::{bytes, call, free, give, text};
use crate::public_key_package::QuoratePublicKeyPackage;
use crate::seal_key::QuorateSealKey;
use crate::values::QuorateBytes;

/// One party's share of a key, of any scheme. An object does not change: to confirm or settle a share gives another one, to be
/// stored in its place. The share leaves this library sealed.
pub struct QuorateKeyShare(Arc<KeyShare>);

/// The proof that all parties have acknowledged that they have stored their shares of one epoch.
pub struct QuorateStoredByAll(Arc<StoredByAll>);

shared! { QuorateKeyShare: KeyShare; QuorateStoredByAll: StoredByAll; }

/// Opens a sealed share.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_open(
    sealed: *const u8,
    sealed_len: usize,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<*mut QuorateKeyShare>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let sealed = bytes("the sealed share", sealed, sealed_len)?;
        Ok(give(KeyShare::open(sealed, key.get()?)?))
    })
}

/// Gives the share and its public side, encrypted and authenticated.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_seal(
    share: Option<&QuorateKeyShare>,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(share.get()?.seal(key.get()?)?.into()))
}

/// Wipes and frees the share. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_free(share: Option<Box<QuorateKeyShare>>) {
    free(share);
}

/// Gives the scheme.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_scheme(
    share: Option<&QuorateKeyShare>,
    out: Option<&mut MaybeUninit<QuorateScheme>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(share.get()?.scheme().into()))
}

/// Gives the number of the party whose share this is.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_id(
    share: Option<&QuorateKeyShare>,
    out: Option<&mut MaybeUninit<u16>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || share.get()?.id())
}

/// Gives the state of this share.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_state(
    share: Option<&QuorateKeyShare>,
    out: Option<&mut MaybeUninit<QuorateShareState>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(share.get()?.state()?.into()))
}

/// Gives the public side of the key.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_public(
    share: Option<&QuorateKeyShare>,
    out: Option<&mut MaybeUninit<*mut QuoratePublicKeyPackage>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(share.get()?.public()?)))
}

/// Gives the share, taken for confirmed by your own decision. Ask **all** parties for the digest of their public key first,
/// over channels that you trust.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_confirmed(
    share: Option<&QuorateKeyShare>,
    out: Option<&mut MaybeUninit<*mut QuorateKeyShare>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(share.get()?.confirmed()?)))
}

/// Gives the share, ready since all parties have stored theirs. Seal and store it before older ones are deleted.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_settled(
    share: Option<&QuorateKeyShare>,
    by: Option<&QuorateStoredByAll>,
    out: Option<&mut MaybeUninit<*mut QuorateKeyShare>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(share.get()?.settled(by.get()?)?)))
}

/// Gives the share of the child key at a path such as `m/0/7`: see `quorate_public_key_package_child`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_key_share_child(
    share: Option<&QuorateKeyShare>,
    at: *const c_char,
    out: Option<&mut MaybeUninit<*mut QuorateKeyShare>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(share.get()?.child(text("the path", at)?)?)))
}

/// Gives whether this share may be deleted: it is of the same key, and of an epoch before the one that all have stored.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_stored_by_all_permits_deleting(
    by: Option<&QuorateStoredByAll>,
    share: Option<&QuorateKeyShare>,
    out: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || by.get()?.permits_deleting(share.get()?))
}

/// Frees the proof. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_stored_by_all_free(by: Option<Box<QuorateStoredByAll>>) {
    free(by);
}
