//! The one error: its kind, the culprits, and the check that found it.

use core::ffi::c_char;
use core::ptr;

use quorate_ffi::{ErrorKind, QuorateError as Failure};

use crate::memory::{give_array, give_text, take_array, take_text};

/// The kind of an error, which determines what to do next.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum QuorateErrorKind {
    /// No error.
    None = 0,
    /// The parties in `culprits` provably misbehaved: never empty. Continue without them.
    Misbehaviour = 1,
    /// A check failed, and its failure does not show who misbehaved. Begin again, under another session id.
    Unattributed = 2,
    /// The run was given up, or shares have not come; the text lists the silent parties. Silence proves nothing.
    Missing = 3,
    /// A frame or a share was not taken. Nothing has changed; `culprits` has the sender if the sender is at fault.
    Rejected = 4,
    /// The object was used up before. Make another.
    Consumed = 5,
    /// The session has not ended yet.
    NotYet = 6,
    /// The table of spent names has this name for something else, or for a session that was started before: never use this
    /// presignature, these nonces or this number of an attempt again.
    Spent = 7,
    /// The table of spent names gave no answer. No call of this library gives it: an answer that is none fails with
    /// `QUORATE_ERROR_KIND_ARGUMENTS`.
    Table = 8,
    /// The arguments do not fit together, or not the scheme; or a pointer is NULL.
    Arguments = 9,
    /// The object belongs to another key, epoch, party or scheme. Nobody is to blame.
    Mismatch = 10,
    /// The share, or the auxiliary information, is not confirmed by all parties.
    Unconfirmed = 11,
    /// The bytes do not encode the object.
    Encoding = 12,
    /// Something sealed does not open: another key, altered bytes, or a run that has ended.
    Seal = 13,
    /// The signature is not one of this message under this key.
    InvalidSignature = 14,
    /// The system's generator of random numbers failed.
    Randomness = 15,
    /// A defect of the library: please report it.
    Defect = 16,
}

impl From<ErrorKind> for QuorateErrorKind {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Misbehaviour => Self::Misbehaviour,
            ErrorKind::Unattributed => Self::Unattributed,
            ErrorKind::Missing => Self::Missing,
            ErrorKind::Rejected => Self::Rejected,
            ErrorKind::Consumed => Self::Consumed,
            ErrorKind::NotYet => Self::NotYet,
            ErrorKind::Spent => Self::Spent,
            ErrorKind::Table => Self::Table,
            ErrorKind::Arguments => Self::Arguments,
            ErrorKind::Mismatch => Self::Mismatch,
            ErrorKind::Unconfirmed => Self::Unconfirmed,
            ErrorKind::Encoding => Self::Encoding,
            ErrorKind::Seal => Self::Seal,
            ErrorKind::InvalidSignature => Self::InvalidSignature,
            ErrorKind::Randomness => Self::Randomness,
            // The other kinds are a runner's, and there is none here.
            ErrorKind::Defect | ErrorKind::Store | ErrorKind::Busy | ErrorKind::Discontinued => {
                Self::Defect
            }
        }
    }
}

/// An error. A call that fails fills the struct that its last argument points to, unless that is NULL; a call that succeeds
/// leaves it alone. Free it with `quorate_error_free`.
#[repr(C)]
pub struct QuorateError {
    /// The kind.
    pub kind: QuorateErrorKind,
    /// The parties that are to blame, ascending; NULL where nobody is.
    pub culprits: *mut u16,
    /// The number of culprits.
    pub culprits_len: usize,
    /// The check that failed, in words, with NUL at the end. It has no secret in it.
    pub check: *mut c_char,
}

impl QuorateError {
    /// No error.
    pub(crate) const NONE: Self = Self {
        kind: QuorateErrorKind::None,
        culprits: ptr::null_mut(),
        culprits_len: 0,
        check: ptr::null_mut(),
    };
}

impl From<Failure> for QuorateError {
    fn from(Failure::Failed { kind, culprits, check }: Failure) -> Self {
        let (culprits, culprits_len) = give_array(&culprits);
        Self { kind: kind.into(), culprits, culprits_len, check: give_text(&check) }
    }
}

/// Frees the parts of an error, and leaves it with the kind `QUORATE_ERROR_KIND_NONE`. NULL, an error that is all zero, and an
/// error that was freed before are allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_error_free(error: Option<&mut QuorateError>) {
    if let Some(error) = error {
        drop(take_array(&mut error.culprits, &mut error.culprits_len));
        take_text(&mut error.check);
        error.kind = QuorateErrorKind::None;
    }
}
