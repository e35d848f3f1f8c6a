//! The pointers of the caller: everything that has to trust it is here.
//!
//! The header states the contract: a pointer is NULL or points to as much as its length says, a handle comes from this library
//! and was not freed, and nobody writes to an argument during the call. Handles and outputs are `Option` of a reference or of
//! a box in the functions themselves, which have the same form as a pointer that may be NULL.

use core::ffi::{CStr, c_char};
use core::mem::{self, MaybeUninit};
use core::panic::AssertUnwindSafe;
use core::ptr;
use core::slice;
use std::ffi::CString;
use std::panic::catch_unwind;

use quorate_ffi::{ErrorKind, QuorateError as Failure, Received};

use crate::error::QuorateError;
use crate::values::QuorateReceived;

/// The result of what a call does.
pub(crate) type Result<T, E = Failure> = core::result::Result<T, E>;

/// An error that blames nobody.
pub(crate) fn failure(kind: ErrorKind, check: impl Into<String>) -> Failure {
    Failure::Failed { kind, culprits: Vec::new(), check: check.into() }
}

/// The error for arguments that do not fit.
pub(crate) fn arguments(check: impl Into<String>) -> Failure {
    failure(ErrorKind::Arguments, check)
}

/// Makes a call: runs it, writes its result to `out` or its error to `error`, and returns whether it succeeded. A panic does
/// not leave the library.
pub(crate) fn call<T>(
    out: Option<&mut MaybeUninit<T>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
    run: impl FnOnce() -> Result<T>,
) -> bool {
    check(error, || {
        let out = out.ok_or_else(|| arguments("the pointer for the result is NULL"))?;
        out.write(run()?);
        Ok(())
    })
}

/// Makes a call that gives nothing.
pub(crate) fn check(
    error: Option<&mut MaybeUninit<QuorateError>>,
    run: impl FnOnce() -> Result<()>,
) -> bool {
    let defect = |_| Err(failure(ErrorKind::Defect, "the library panicked: please report it"));
    let result = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(defect);
    let Err(failure) = result else { return true };
    if let Some(error) = error {
        error.write(failure.into());
    }
    false
}

/// Frees a handle.
pub(crate) fn free<T>(handle: Option<Box<T>>) {
    // There is nobody to tell if a destructor panics; the memory then leaks.
    catch_unwind(AssertUnwindSafe(|| drop(handle))).unwrap_or(());
}

/// A handle for the caller, which frees it.
pub(crate) fn give<T>(value: impl Into<T>) -> *mut T {
    Box::into_raw(Box::new(value.into()))
}

/// A handle for the caller, or NULL.
pub(crate) fn give_some<T, V: Into<T>>(value: Option<V>) -> *mut T {
    value.map_or(ptr::null_mut(), give)
}

/// An array of the caller.
pub(crate) fn array<'a, T>(what: &str, data: *const T, len: usize) -> Result<&'a [T]> {
    if len == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(arguments(format!("{what}: the pointer is NULL, and the length is {len}")));
    }
    let fits = len.checked_mul(size_of::<T>()).is_some_and(|size| isize::try_from(size).is_ok());
    if !data.is_aligned() || !fits {
        return Err(arguments(format!("{what}: the pointer or the length {len} is impossible")));
    }
    // SAFETY: the pointer is not NULL and is aligned, the size is possible, and the caller promises that `len` values are there
    // for the length of the call.
    Ok(unsafe { slice::from_raw_parts(data, len) })
}

/// Bytes of the caller, copied.
pub(crate) fn bytes(what: &str, data: *const u8, len: usize) -> Result<Vec<u8>> {
    array(what, data, len).map(<[u8]>::to_vec)
}

/// Numbers of parties of the caller.
pub(crate) fn numbers(data: *const u16, len: usize) -> Result<Vec<u16>> {
    array("the parties", data, len).map(<[u16]>::to_vec)
}

/// Messages of the caller with their senders.
pub(crate) fn received(data: *const QuorateReceived, len: usize) -> Result<Vec<Received>> {
    let all = array("the messages", data, len)?.iter();
    all.map(|one| {
        Ok(Received { sender: one.sender, bytes: bytes("a message", one.data, one.len)? })
    })
    .collect()
}

/// A text of the caller.
pub(crate) fn text(what: &str, data: *const c_char) -> Result<String> {
    if data.is_null() {
        return Err(arguments(format!("{what}: the pointer is NULL")));
    }
    // SAFETY: the pointer is not NULL, and the caller promises that it points to a text that ends with NUL.
    let text = unsafe { CStr::from_ptr(data) };
    text.to_str().map(str::to_owned).map_err(|_| arguments(format!("{what} is not UTF-8")))
}

/// A text for the caller.
pub(crate) fn give_text(text: &str) -> *mut c_char {
    CString::new(text.replace('\0', " ")).unwrap_or_default().into_raw()
}

/// Takes a text back that [`give_text`] gave.
pub(crate) fn take_text(text: &mut *mut c_char) {
    let text = mem::replace(text, ptr::null_mut());
    if !text.is_null() {
        // SAFETY: the pointer is from `CString::into_raw`, and NULL has just taken its place.
        drop(unsafe { CString::from_raw(text) });
    }
}

/// An array for the caller, and its length. An empty one is NULL.
pub(crate) fn give_array<T: Copy>(values: &[T]) -> (*mut T, usize) {
    if values.is_empty() {
        return (ptr::null_mut(), 0);
    }
    (Box::into_raw(Box::<[T]>::from(values)).cast(), values.len())
}

/// Takes an array back that [`give_array`] gave.
pub(crate) fn take_array<T>(data: &mut *mut T, len: &mut usize) -> Box<[T]> {
    let (data, len) = (mem::replace(data, ptr::null_mut()), mem::take(len));
    if data.is_null() {
        return Box::default();
    }
    // SAFETY: the pointer and the length are those of a box that `give_array` gave, and NULL has just taken their place.
    unsafe { Box::from_raw(ptr::slice_from_raw_parts_mut(data, len)) }
}

#[cfg(test)]
mod tests {
    use core::mem::MaybeUninit;
    use core::ptr;

    use super::{array, call, check, text};
    use crate::error::{QuorateError, QuorateErrorKind, quorate_error_free};
    use crate::values::{QuorateBytes, quorate_bytes_free};

    /// The kind of the error of a call that has to fail.
    fn kind(call: impl FnOnce(Option<&mut MaybeUninit<QuorateError>>) -> bool) -> u32 {
        let mut error = MaybeUninit::new(QuorateError::NONE);
        assert!(!call(Some(&mut error)));
        // SAFETY: it was initialised above.
        let error = unsafe { error.assume_init_mut() };
        assert!(!error.check.is_null());
        let kind = error.kind as u32;
        quorate_error_free(Some(&mut *error));
        quorate_error_free(Some(&mut *error));
        assert!(error.check.is_null());
        kind
    }

    #[test]
    fn a_panic_is_a_defect() {
        let panics = |error: Option<&mut _>| check(error, || panic!("on purpose"));
        assert_eq!(kind(panics), QuorateErrorKind::Defect as u32);
    }

    #[test]
    fn null_and_impossible_arrays_are_arguments() {
        let mut byte = MaybeUninit::<u8>::uninit();
        let arguments = QuorateErrorKind::Arguments as u32;
        assert_eq!(kind(|error| call::<u8>(None, error, || Ok(1))), arguments);
        for (data, len) in [(ptr::null(), 1), (ptr::dangling(), usize::MAX)] {
            let read = |error: Option<&mut _>| {
                call(Some(&mut byte), error, || Ok(*array::<u8>("it", data, len)?.first().unwrap()))
            };
            assert_eq!(kind(read), arguments);
        }
        let odd = ptr::without_provenance::<u16>(1);
        assert_eq!(kind(|error| check(error, || array("it", odd, 1).map(|_| ()))), arguments);
        assert!(array::<u16>("it", odd, 0).unwrap().is_empty());
        assert_eq!(kind(|error| check(error, || text("it", ptr::null()).map(|_| ()))), arguments);
        let latin1 = c"\xe4".as_ptr();
        assert_eq!(kind(|error| check(error, || text("it", latin1).map(|_| ()))), arguments);
    }

    #[test]
    fn bytes_are_freed_once() {
        let mut bytes = QuorateBytes::from(vec![1, 2, 3]);
        for _ in 0..2 {
            quorate_bytes_free(Some(&mut bytes));
            assert!(bytes.data.is_null() && bytes.len == 0);
        }
        assert!(QuorateBytes::from(Vec::new()).data.is_null());
    }
}
