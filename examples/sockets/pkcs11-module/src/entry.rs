//! The functions that programs call.
//!
//! Each turns pointers into values, and a panic into `CKR_GENERAL_ERROR`: none crosses the boundary.
#![allow(unsafe_code, reason = "the interface of C")]

mod calls;
mod list;
mod rest;

use core::mem;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use cryptoki_sys::*;

use crate::rv::Result;

/// Calls a function of the library. A panic is an error.
fn guard(call: impl FnOnce() -> Result<()>) -> CK_RV {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => CKR_OK,
        Ok(Err(why)) => why.0,
        Err(panic) => {
            // To drop it could panic again.
            mem::forget(panic);
            CKR_GENERAL_ERROR
        }
    }
}

/// Gives the functions of version 2.40.
///
/// # Safety
/// The pointer is null, or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetFunctionList(list: *mut *mut CK_FUNCTION_LIST) -> CK_RV {
    // SAFETY: the caller says so.
    unsafe { list::get_function_list(list) }
}

/// Gives the interfaces: versions 3.0 and 2.40.
///
/// # Safety
/// The pointer to the count is null, or valid for a read and a write. The list is null, or valid for writes of that count.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetInterfaceList(
    list: *mut CK_INTERFACE,
    count: *mut CK_ULONG,
) -> CK_RV {
    // SAFETY: the caller says so.
    unsafe { list::get_interface_list(list, count) }
}

/// Gives an interface by its name and version, which may be null, and its flags.
///
/// # Safety
/// The name is null, or ends with a zero. The version is null, or valid for a read. The place of the interface is null, or
/// valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn C_GetInterface(
    name: *mut CK_UTF8CHAR,
    version: *mut CK_VERSION,
    interface: *mut *mut CK_INTERFACE,
    flags: CK_FLAGS,
) -> CK_RV {
    // SAFETY: the caller says so.
    unsafe { list::get_interface(name, version, interface, flags) }
}
