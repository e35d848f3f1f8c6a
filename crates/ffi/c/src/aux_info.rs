//! The auxiliary information of threshold ECDSA.

use core::mem::MaybeUninit;
use std::sync::Arc;

use quorate_ffi::{AuxInfo, AuxSearch, AuxSecrets};

use crate::enums::QuorateLevel;
use crate::error::QuorateError;
use crate::handle::{Given as _, shared};
use crate::memory::{bytes, call, free, give, give_some, numbers};
use crate::seal_key::QuorateSealKey;
use crate::values::{QuorateBytes, QuorateParties};

/// The search for a party's primes, which takes seconds to minutes. Free it to cancel.
pub struct QuorateAuxSearch(Arc<AuxSearch>);

/// A party's own primes, for `quorate_task_make_aux_info`. They are not stored: the last sealed search gives them again.
pub struct QuorateAuxSecrets(Arc<AuxSecrets>);

/// A party's auxiliary information: its own secrets, and the proved public values of all parties. It serves any number of
/// keys, of either curve.
pub struct QuorateAuxInfo(Arc<AuxInfo>);

shared! { QuorateAuxSearch: AuxSearch; QuorateAuxSecrets: AuxSecrets; QuorateAuxInfo: AuxInfo; }

/// Begins a search. `level` is a `QuorateLevel`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_search_start(
    level: u32,
    out: Option<&mut MaybeUninit<*mut QuorateAuxSearch>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(AuxSearch::start(QuorateLevel::read(level)?)?)))
}

/// Resumes a search that was sealed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_search_open(
    sealed: *const u8,
    sealed_len: usize,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<*mut QuorateAuxSearch>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let sealed = bytes("the sealed search", sealed, sealed_len)?;
        Ok(give(AuxSearch::open(sealed, key.get()?)?))
    })
}

/// Gives the search, encrypted and authenticated, to be resumed later with the same result. Keep the last one until the
/// auxiliary information is made: the secrets can be restored from it.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_search_seal(
    search: Option<&QuorateAuxSearch>,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(search.get()?.seal(key.get()?)?.into()))
}

/// Continues for at most `budget` tests of candidates, of some milliseconds each. Gives the secrets when all primes are found,
/// and NULL before.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_search_step(
    search: Option<&QuorateAuxSearch>,
    budget: u32,
    out: Option<&mut MaybeUninit<*mut QuorateAuxSecrets>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give_some(search.get()?.step(budget)?)))
}

/// Gives the part of the work that is done, from 0 to 1: a guess, as primes come by chance.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_search_progress(
    search: Option<&QuorateAuxSearch>,
    out: Option<&mut MaybeUninit<f64>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || search.get()?.progress())
}

/// Wipes and frees the search. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_search_free(search: Option<Box<QuorateAuxSearch>>) {
    free(search);
}

/// Gives the level of both moduli.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_secrets_level(
    secrets: Option<&QuorateAuxSecrets>,
    out: Option<&mut MaybeUninit<QuorateLevel>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(secrets.get()?.level()?.into()))
}

/// Wipes and frees the secrets. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_secrets_free(secrets: Option<Box<QuorateAuxSecrets>>) {
    free(secrets);
}

/// Opens sealed auxiliary information.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_info_open(
    sealed: *const u8,
    sealed_len: usize,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<*mut QuorateAuxInfo>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let sealed = bytes("the sealed auxiliary information", sealed, sealed_len)?;
        Ok(give(AuxInfo::open(sealed, key.get()?)?))
    })
}

/// Gives the auxiliary information, encrypted and authenticated.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_info_seal(
    aux: Option<&QuorateAuxInfo>,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(aux.get()?.seal(key.get()?)?.into()))
}

/// Gives the number of the party whose secrets are here.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_info_id(
    aux: Option<&QuorateAuxInfo>,
    out: Option<&mut MaybeUninit<u16>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(aux.get()?.id()))
}

/// Gives the parties.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_info_parties(
    aux: Option<&QuorateAuxInfo>,
    out: Option<&mut MaybeUninit<QuorateParties>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(aux.get()?.parties().into()))
}

/// Gives the parties among these for which it has no values. It has to be made again with them before they presign.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_info_lacks(
    aux: Option<&QuorateAuxInfo>,
    of: *const u16,
    of_len: usize,
    out: Option<&mut MaybeUninit<QuorateParties>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(aux.get()?.lacks(numbers(of, of_len)?)?.into()))
}

/// Gives whether all parties have confirmed it. Unconfirmed auxiliary information does not presign.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_info_is_confirmed(
    aux: Option<&QuorateAuxInfo>,
    out: Option<&mut MaybeUninit<bool>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(aux.get()?.is_confirmed()))
}

/// Gives a digest of its public part, 32 bytes.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_info_digest(
    aux: Option<&QuorateAuxInfo>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(aux.get()?.digest().into()))
}

/// Gives this auxiliary information, marked as confirmed by your own decision. Compare the digest of **all** parties first,
/// over channels that you trust.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_info_confirmed(
    aux: Option<&QuorateAuxInfo>,
    out: Option<&mut MaybeUninit<*mut QuorateAuxInfo>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(aux.get()?.confirmed()?)))
}

/// Wipes and frees the auxiliary information. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_aux_info_free(aux: Option<Box<QuorateAuxInfo>>) {
    free(aux);
}
