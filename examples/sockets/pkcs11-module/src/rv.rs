//! Return values.

use cryptoki_sys::*;
use sockets_pkcs11_wire::Reason;

/// The return value of a call that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rv(pub(crate) CK_RV);

/// The result of a call.
pub(crate) type Result<T> = core::result::Result<T, Rv>;

/// A count or length for the caller. None here is greater than a `CK_ULONG` counts.
pub(crate) fn ulong(count: usize) -> CK_ULONG {
    CK_ULONG::try_from(count).unwrap_or(CK_ULONG::MAX)
}

/// The return value for a reason of the daemon.
pub(crate) const fn of(reason: Reason) -> Rv {
    Rv(match reason {
        Reason::Malformed | Reason::WrongPurpose => CKR_DATA_INVALID,
        Reason::NotLoggedIn => CKR_USER_NOT_LOGGED_IN,
        Reason::WrongPin => CKR_PIN_INCORRECT,
        Reason::PinLocked => CKR_PIN_LOCKED,
        Reason::NoPin => CKR_USER_PIN_NOT_INITIALIZED,
        Reason::UnknownKey => CKR_KEY_HANDLE_INVALID,
        Reason::Refused => CKR_FUNCTION_REJECTED,
        Reason::TooLong => CKR_DATA_LEN_RANGE,
        Reason::Expired => CKR_FUNCTION_FAILED,
        Reason::Unavailable => CKR_DEVICE_ERROR,
        Reason::Unsupported => CKR_FUNCTION_NOT_SUPPORTED,
        Reason::NameTaken => CKR_ATTRIBUTE_VALUE_INVALID,
        Reason::NoNewKeys => CKR_TOKEN_WRITE_PROTECTED,
        Reason::Broken => CKR_GENERAL_ERROR,
    })
}
