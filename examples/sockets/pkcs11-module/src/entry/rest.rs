//! The functions that the library does not have: a function for each list of parameters.

use core::ffi::c_void;

use cryptoki_sys::*;

type Session = CK_SESSION_HANDLE;
type Key = CK_OBJECT_HANDLE;
type Bytes = *mut CK_BYTE;
type Length = *mut CK_ULONG;
type Mechanism = *mut CK_MECHANISM;
type Template = *mut CK_ATTRIBUTE;
type Handle = *mut CK_OBJECT_HANDLE;
type Parameter = *mut c_void;

/// Defines functions that are not supported.
macro_rules! not_supported {
    ($($name:ident($($kind:ty),*);)*) => {$(
        pub(super) unsafe extern "C" fn $name($(_: $kind),*) -> CK_RV {
            CKR_FUNCTION_NOT_SUPPORTED
        }
    )*};
}

not_supported! {
    init_token(CK_SLOT_ID, Bytes, CK_ULONG, Bytes);
    set_pin(Session, Bytes, CK_ULONG, Bytes, CK_ULONG);
    login_user(Session, CK_USER_TYPE, Bytes, CK_ULONG, Bytes, CK_ULONG);
    wait(CK_FLAGS, *mut CK_SLOT_ID, Parameter);
    session(Session);
    bytes_in(Session, Bytes, CK_ULONG);
    bytes_out(Session, Bytes, Length);
    bytes_in_out(Session, Bytes, CK_ULONG, Bytes, Length);
    set_state(Session, Bytes, CK_ULONG, Key, Key);
    object(Session, Key);
    create(Session, Template, CK_ULONG, Handle);
    copy(Session, Key, Template, CK_ULONG, Handle);
    size(Session, Key, Length);
    set_attributes(Session, Key, Template, CK_ULONG);
    init(Session, Mechanism, Key);
    digest_init(Session, Mechanism);
    generate(Session, Mechanism, Template, CK_ULONG, Handle);
    wrap(Session, Mechanism, Key, Key, Bytes, Length);
    unwrap(Session, Mechanism, Key, Bytes, CK_ULONG, Template, CK_ULONG, Handle);
    derive(Session, Mechanism, Key, Template, CK_ULONG, Handle);
    message(Session, Parameter, CK_ULONG, Bytes, CK_ULONG, Bytes, CK_ULONG, Bytes, Length);
    message_begin(Session, Parameter, CK_ULONG, Bytes, CK_ULONG);
    message_next(Session, Parameter, CK_ULONG, Bytes, CK_ULONG, Bytes, Length, CK_FLAGS);
    sign_message(Session, Parameter, CK_ULONG, Bytes, CK_ULONG, Bytes, Length);
    sign_message_begin(Session, Parameter, CK_ULONG);
    verify_message(Session, Parameter, CK_ULONG, Bytes, CK_ULONG, Bytes, CK_ULONG);
}

/// The functions of old versions for calls that run in parallel, which nobody has had since 2.0.
pub(super) unsafe extern "C" fn not_parallel(_: Session) -> CK_RV {
    CKR_FUNCTION_NOT_PARALLEL
}

/// Nobody adds to the randomness of the operating system.
pub(super) unsafe extern "C" fn seed_random(_: Session, _: Bytes, _: CK_ULONG) -> CK_RV {
    CKR_RANDOM_SEED_NOT_SUPPORTED
}
