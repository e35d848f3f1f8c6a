//! The functions that the library has.
//!
//! A program promises what PKCS#11 demands: each pointer is null, or valid for what it points to during the call. That is what
//! the functions of [`crate::output`] need, and the reason why each block below is sound.

use core::ffi::c_void;

use cryptoki_sys::*;
use getrandom::SysRng;
use getrandom::rand_core::TryRng as _;
use sockets_pkcs11_wire::MAX_MESSAGE;

use super::guard;
use crate::output::{Output, Place, Wanted, bytes, fill_all, template, value};
use crate::rv::Rv;
use crate::{keygen, library, session, sign, state, token, verify};

pub(super) unsafe extern "C" fn initialize(arguments: *mut c_void) -> CK_RV {
    guard(|| {
        if !arguments.is_null() {
            // SAFETY: the pointer is valid for a read.
            let arguments = unsafe { value(arguments.cast::<CK_C_INITIALIZE_ARGS>()) }?;
            check_locks(&arguments)?;
        }
        library::initialize()
    })
}

/// The library locks with what the operating system has. A program whose own locks have to be used cannot have it.
fn check_locks(arguments: &CK_C_INITIALIZE_ARGS) -> Result<(), Rv> {
    if !arguments.pReserved.is_null() {
        return Err(Rv(CKR_ARGUMENTS_BAD));
    }
    let own = [
        arguments.CreateMutex.is_some(),
        arguments.DestroyMutex.is_some(),
        arguments.LockMutex.is_some(),
        arguments.UnlockMutex.is_some(),
    ];
    match (own.contains(&true), own.contains(&false)) {
        (true, true) => Err(Rv(CKR_ARGUMENTS_BAD)),
        (true, false) if arguments.flags & CKF_OS_LOCKING_OK == 0 => Err(Rv(CKR_CANT_LOCK)),
        _ => Ok(()),
    }
}

pub(super) unsafe extern "C" fn finalize(reserved: *mut c_void) -> CK_RV {
    guard(|| if reserved.is_null() { library::finalize() } else { Err(Rv(CKR_ARGUMENTS_BAD)) })
}

pub(super) unsafe extern "C" fn get_info(to: *mut CK_INFO) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for a write.
        let mut to = unsafe { Place::new(to) }?;
        to.set(token::library()?);
        Ok(())
    })
}

pub(super) unsafe extern "C" fn get_slot_list(
    with_token: CK_BBOOL,
    list: *mut CK_SLOT_ID,
    count: *mut CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointers are valid for the list and its count.
        let mut list = unsafe { Output::new(list, count) }?;
        list.fill(&token::slots(with_token != CK_FALSE)?)
    })
}

pub(super) unsafe extern "C" fn get_slot_info(slot: CK_SLOT_ID, to: *mut CK_SLOT_INFO) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for a write.
        let mut to = unsafe { Place::new(to) }?;
        to.set(token::slot_info(slot)?);
        Ok(())
    })
}

pub(super) unsafe extern "C" fn get_token_info(slot: CK_SLOT_ID, to: *mut CK_TOKEN_INFO) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for a write.
        let mut to = unsafe { Place::new(to) }?;
        to.set(token::token_info(slot)?);
        Ok(())
    })
}

pub(super) unsafe extern "C" fn get_mechanism_list(
    slot: CK_SLOT_ID,
    list: *mut CK_MECHANISM_TYPE,
    count: *mut CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointers are valid for the list and its count.
        let mut list = unsafe { Output::new(list, count) }?;
        list.fill(&token::mechanisms(slot)?)
    })
}

pub(super) unsafe extern "C" fn get_mechanism_info(
    slot: CK_SLOT_ID,
    mechanism: CK_MECHANISM_TYPE,
    to: *mut CK_MECHANISM_INFO,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for a write.
        let mut to = unsafe { Place::new(to) }?;
        to.set(token::mechanism_info(slot, mechanism)?);
        Ok(())
    })
}

pub(super) unsafe extern "C" fn open_session(
    slot: CK_SLOT_ID,
    flags: CK_FLAGS,
    _: *mut c_void,
    _: CK_NOTIFY,
    to: *mut CK_SESSION_HANDLE,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for a write.
        let mut to = unsafe { Place::new(to) }?;
        to.set(session::open(slot, flags)?);
        Ok(())
    })
}

pub(super) unsafe extern "C" fn close_session(handle: CK_SESSION_HANDLE) -> CK_RV {
    guard(|| state::with(|library| library.close(handle)))
}

pub(super) unsafe extern "C" fn close_all_sessions(slot: CK_SLOT_ID) -> CK_RV {
    guard(|| session::close_all(slot))
}

pub(super) unsafe extern "C" fn get_session_info(
    handle: CK_SESSION_HANDLE,
    to: *mut CK_SESSION_INFO,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for a write.
        let mut to = unsafe { Place::new(to) }?;
        to.set(session::info(handle)?);
        Ok(())
    })
}

pub(super) unsafe extern "C" fn session_cancel(
    handle: CK_SESSION_HANDLE,
    flags: CK_FLAGS,
) -> CK_RV {
    guard(|| session::cancel(handle, flags))
}

pub(super) unsafe extern "C" fn login(
    handle: CK_SESSION_HANDLE,
    user: CK_USER_TYPE,
    pin: *mut CK_UTF8CHAR,
    length: CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for the length.
        let pin = unsafe { bytes(pin, length) }?;
        session::login(handle, user, pin)
    })
}

pub(super) unsafe extern "C" fn logout(handle: CK_SESSION_HANDLE) -> CK_RV {
    guard(|| session::logout(handle))
}

pub(super) unsafe extern "C" fn get_attribute_value(
    handle: CK_SESSION_HANDLE,
    object: CK_OBJECT_HANDLE,
    attributes: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for the template and its values.
        let mut wanted = unsafe { Wanted::new(attributes, count) }?;
        state::with(|library| {
            library.session(handle)?;
            let object = library.object(object).ok_or(Rv(CKR_OBJECT_HANDLE_INVALID))?;
            let needs_login = library.needs_login();
            wanted.fill(|kind| crate::attributes::value(object, kind, needs_login))
        })
    })
}

pub(super) unsafe extern "C" fn find_objects_init(
    handle: CK_SESSION_HANDLE,
    attributes: *mut CK_ATTRIBUTE,
    count: CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for the template and its values.
        let template = unsafe { template(attributes, count) }?;
        session::find(handle, &template)
    })
}

pub(super) unsafe extern "C" fn find_objects(
    handle: CK_SESSION_HANDLE,
    list: *mut CK_OBJECT_HANDLE,
    room: CK_ULONG,
    count: *mut CK_ULONG,
) -> CK_RV {
    guard(|| {
        if list.is_null() && room > 0 {
            return Err(Rv(CKR_ARGUMENTS_BAD));
        }
        // SAFETY: the pointers are valid for the list and its count.
        let mut list = unsafe { Output::with_room(list, room, count) }?;
        let found = session::found(handle, usize::try_from(room).unwrap_or(usize::MAX))?;
        list.fill(&found)
    })
}

pub(super) unsafe extern "C" fn find_objects_final(handle: CK_SESSION_HANDLE) -> CK_RV {
    guard(|| session::end_of_search(handle))
}

pub(super) unsafe extern "C" fn sign_init(
    handle: CK_SESSION_HANDLE,
    mechanism: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
) -> CK_RV {
    guard(|| {
        if mechanism.is_null() {
            return sign::cancel(handle);
        }
        // SAFETY: the pointer is valid for a read.
        sign::init(handle, unsafe { value(mechanism) }?, key)
    })
}

pub(super) unsafe extern "C" fn sign(
    handle: CK_SESSION_HANDLE,
    message: *mut CK_BYTE,
    length: CK_ULONG,
    signature: *mut CK_BYTE,
    signature_length: *mut CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for the length.
        let message = unsafe { bytes(message, length) }?;
        // The signature may be wanted in the place of the message, so this is a copy. A message that is too long is refused by
        // its length, so no more of it is copied.
        let message = message.get(..=MAX_MESSAGE).unwrap_or(message).to_vec();
        // SAFETY: the pointers are valid for the signature and its length.
        sign::sign(handle, &message, unsafe { Output::new(signature, signature_length) }?)
    })
}

pub(super) unsafe extern "C" fn sign_update(
    handle: CK_SESSION_HANDLE,
    part: *mut CK_BYTE,
    length: CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for the length.
        sign::update(handle, unsafe { bytes(part, length) }?)
    })
}

pub(super) unsafe extern "C" fn sign_final(
    handle: CK_SESSION_HANDLE,
    signature: *mut CK_BYTE,
    length: *mut CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointers are valid for the signature and its length.
        sign::finish(handle, unsafe { Output::new(signature, length) }?)
    })
}

pub(super) unsafe extern "C" fn verify_init(
    handle: CK_SESSION_HANDLE,
    mechanism: *mut CK_MECHANISM,
    key: CK_OBJECT_HANDLE,
) -> CK_RV {
    guard(|| {
        if mechanism.is_null() {
            return verify::cancel(handle);
        }
        // SAFETY: the pointer is valid for a read.
        verify::init(handle, unsafe { value(mechanism) }?, key)
    })
}

pub(super) unsafe extern "C" fn verify(
    handle: CK_SESSION_HANDLE,
    message: *mut CK_BYTE,
    length: CK_ULONG,
    signature: *mut CK_BYTE,
    signature_length: CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for the length.
        let message = unsafe { bytes(message, length) }?;
        // SAFETY: the pointer is valid for the length.
        verify::verify(handle, message, unsafe { bytes(signature, signature_length) }?)
    })
}

pub(super) unsafe extern "C" fn verify_update(
    handle: CK_SESSION_HANDLE,
    part: *mut CK_BYTE,
    length: CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for the length.
        verify::update(handle, unsafe { bytes(part, length) }?)
    })
}

pub(super) unsafe extern "C" fn verify_final(
    handle: CK_SESSION_HANDLE,
    signature: *mut CK_BYTE,
    length: CK_ULONG,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for the length.
        verify::finish(handle, unsafe { bytes(signature, length) }?)
    })
}

#[allow(clippy::too_many_arguments, reason = "as PKCS#11 has it")]
pub(super) unsafe extern "C" fn generate_key_pair(
    handle: CK_SESSION_HANDLE,
    mechanism: *mut CK_MECHANISM,
    public: *mut CK_ATTRIBUTE,
    public_count: CK_ULONG,
    private: *mut CK_ATTRIBUTE,
    private_count: CK_ULONG,
    public_key: *mut CK_OBJECT_HANDLE,
    private_key: *mut CK_OBJECT_HANDLE,
) -> CK_RV {
    guard(|| {
        // SAFETY: the pointer is valid for a read.
        let mechanism = unsafe { value(mechanism) }?;
        // SAFETY: the pointer is valid for the template and its values.
        let public = unsafe { template(public, public_count) }?;
        // SAFETY: the pointer is valid for the template and its values.
        let private = unsafe { template(private, private_count) }?;
        // SAFETY: the pointers are valid for writes.
        let (mut to_public, mut to_private) =
            unsafe { (Place::new(public_key)?, Place::new(private_key)?) };
        let (public_key, private_key) = keygen::generate(handle, mechanism, &public, &private)?;
        to_public.set(public_key);
        to_private.set(private_key);
        Ok(())
    })
}

pub(super) unsafe extern "C" fn generate_random(
    handle: CK_SESSION_HANDLE,
    to: *mut CK_BYTE,
    length: CK_ULONG,
) -> CK_RV {
    guard(|| {
        token::check_session(handle)?;
        let failed = Rv(CKR_FUNCTION_FAILED);
        // SAFETY: the pointer is valid for writes of the length.
        unsafe { fill_all(to, length, |bytes| SysRng.try_fill_bytes(bytes), failed) }
    })
}
