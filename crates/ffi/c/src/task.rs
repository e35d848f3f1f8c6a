//! The task of a session: every protocol with its parameters.

use core::mem::MaybeUninit;

use quorate_ffi::Task;

use crate::aux_info::{QuorateAuxInfo, QuorateAuxSecrets};
use crate::enums::{QuorateMlDsaLevel, QuorateScheme};
use crate::error::QuorateError;
use crate::frost::QuorateSigningPackage;
use crate::handle::{Given as _, Handle};
use crate::key_share::QuorateKeyShare;
use crate::memory::{Result, bytes, call, free, give, numbers};
use crate::ml_dsa::QuorateMlDsaAttempt;
use crate::public_key_package::QuoratePublicKeyPackage;
use crate::seal_key::QuorateSealKey;

/// The task of a session. All parties of a run agree on it beforehand, and each has its own part in it. A task may begin
/// several sessions, except one with an attempt of ML-DSA. It shares the objects that it was made of, which may be freed.
pub struct QuorateTask(Task);

impl Handle for QuorateTask {
    type Object = Task;

    fn object(&self) -> &Task {
        &self.0
    }
}

impl From<Task> for QuorateTask {
    fn from(task: Task) -> Self {
        Self(task)
    }
}

type Made<'a> = Option<&'a mut MaybeUninit<*mut QuorateTask>>;
type Failed<'a> = Option<&'a mut MaybeUninit<QuorateError>>;

fn make(out: Made<'_>, error: Failed<'_>, task: impl FnOnce() -> Result<Task>) -> bool {
    call(out, error, || task().map(give))
}

/// Frees the task. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_free(task: Option<Box<QuorateTask>>) {
    free(task);
}

/// Makes a key for all parties of the session, of which any `threshold` sign together. `scheme` is a `QuorateScheme`. The
/// outcome has a key share.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_keygen(
    scheme: u32,
    threshold: u16,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || Ok(Task::Keygen { scheme: QuorateScheme::read(scheme)?, threshold }))
}

/// Makes ECDSA's auxiliary information, once for any number of keys of the same parties. `secrets` has this party's primes.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_make_aux_info(
    secrets: Option<&QuorateAuxSecrets>,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || Ok(Task::MakeAuxInfo { secrets: secrets.get()? }))
}

/// Makes ECDSA's auxiliary information for another set of parties, by a party that has proved its primes before.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_carry_aux_info(
    aux: Option<&QuorateAuxInfo>,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || Ok(Task::CarryAuxInfo { aux: aux.get()? }))
}

/// Makes a presignature by all parties of the session.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_presign(
    share: Option<&QuorateKeyShare>,
    aux: Option<&QuorateAuxInfo>,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || Ok(Task::Presign { share: share.get()?, aux: aux.get()? }))
}

/// Makes `count` presignatures at once, 1 to 1024. Bound a number that comes from elsewhere: time and memory grow with it.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_presign_many(
    share: Option<&QuorateKeyShare>,
    aux: Option<&QuorateAuxInfo>,
    count: u16,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || Ok(Task::PresignMany { share: share.get()?, aux: aux.get()?, count }))
}

/// Makes an ECDSA signature of a digest by all parties of the session, without a presignature. `digest` is 32 bytes: the hash
/// of a message that this party has looked at.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_sign_digest(
    share: Option<&QuorateKeyShare>,
    aux: Option<&QuorateAuxInfo>,
    digest: *const u8,
    digest_len: usize,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || {
        let digest = bytes("the digest", digest, digest_len)?;
        Ok(Task::SignDigest { share: share.get()?, aux: aux.get()?, digest })
    })
}

/// Makes a FROST signature without a coordinator: every signer of a package sends its signature share to all others.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_exchange_shares(
    public: Option<&QuoratePublicKeyPackage>,
    package: Option<&QuorateSigningPackage>,
    signature_share: *const u8,
    signature_share_len: usize,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || {
        let signature_share = bytes("the signature share", signature_share, signature_share_len)?;
        Ok(Task::ExchangeShares { public: public.get()?, package: package.get()?, signature_share })
    })
}

/// Makes new shares of a key, for the same committee (a refresh) or another one. `dealers` are at least t parties that have
/// shares. `share` is that of a dealer, and NULL for a party that does not deal. `threshold` is that of the new committee.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_reshare(
    public: Option<&QuoratePublicKeyPackage>,
    share: Option<&QuorateKeyShare>,
    dealers: *const u16,
    dealers_len: usize,
    committee: *const u16,
    committee_len: usize,
    threshold: u16,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || {
        let (dealers, committee) =
            (numbers(dealers, dealers_len)?, numbers(committee, committee_len)?);
        let share = share.map(|share| share.object().clone());
        Ok(Task::Reshare { public: public.get()?, share, dealers, committee, threshold })
    })
}

/// Repairs the lost share of `target`. `share` is that of a helper, and NULL for the party that has lost its own. `helpers` are
/// at least t parties that have shares.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_repair(
    public: Option<&QuoratePublicKeyPackage>,
    share: Option<&QuorateKeyShare>,
    helpers: *const u16,
    helpers_len: usize,
    target: u16,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || {
        let share = share.map(|share| share.object().clone());
        let helpers = numbers(helpers, helpers_len)?;
        Ok(Task::Repair { public: public.get()?, share, helpers, target })
    })
}

/// Acknowledges that this party has **stored** its new share, and waits for the same from all others. `sealed` is the share as
/// it was read back from the store, and `key` the key under which it is sealed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_acknowledge(
    sealed: *const u8,
    sealed_len: usize,
    key: Option<&QuorateSealKey>,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || {
        let sealed = bytes("the sealed share", sealed, sealed_len)?;
        Ok(Task::Acknowledge { sealed, key: key.get()? })
    })
}

/// Learns that all have stored their shares, at a party that is not in the new committee. `public` is that of the new epoch.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_listen(
    public: Option<&QuoratePublicKeyPackage>,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || Ok(Task::Listen { public: public.get()? }))
}

/// Makes a threshold ML-DSA key for all parties of the session, 6 at most, of which exactly `threshold` sign together, 2 at
/// least. `level` is a `QuorateMlDsaLevel`. **Experimental.**
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_ml_dsa_keygen(
    level: u32,
    threshold: u16,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || Ok(Task::MlDsaKeygen { level: QuorateMlDsaLevel::read(level)?, threshold }))
}

/// Attempts to sign with a threshold ML-DSA key, by all parties of the session. `attempt` is this party's part, recorded under
/// the session's id.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_task_ml_dsa_sign(
    attempt: Option<&QuorateMlDsaAttempt>,
    out: Option<&mut MaybeUninit<*mut QuorateTask>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    make(out, error, || Ok(Task::MlDsaSign { attempt: attempt.get()? }))
}
