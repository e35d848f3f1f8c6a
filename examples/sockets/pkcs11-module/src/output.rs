//! Memory of the caller.
//!
//! This file turns pointers of C into values of Rust. Its functions are unsafe: their callers pass on what PKCS#11 demands of
//! a program, which is that a pointer is null or valid for the length beside it.
#![allow(unsafe_code, reason = "pointers of C")]

use core::marker::PhantomData;
use core::ptr;

use cryptoki_sys::*;

use crate::rv::{Result, Rv, ulong};

/// The most attributes of a template.
const ATTRIBUTES: usize = 256;

const BAD: Rv = Rv(CKR_ARGUMENTS_BAD);

/// Bytes of the caller. A null pointer is no bytes if the length is zero.
///
/// # Safety
/// The pointer is null, or valid for reads of the length for as long as the result is used.
pub(crate) unsafe fn bytes<'a>(at: *const CK_BYTE, length: CK_ULONG) -> Result<&'a [u8]> {
    let length = usize::try_from(length).map_err(|_| BAD)?;
    match (at.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(BAD),
        // No object has more bytes than `isize` counts.
        (false, _) if isize::try_from(length).is_err() => Err(BAD),
        // SAFETY: the caller says that the pointer is valid for this length, which an object can have.
        (false, _) => Ok(unsafe { core::slice::from_raw_parts(at, length) }),
    }
}

/// A value of the caller.
///
/// # Safety
/// The pointer is null, or valid for a read.
pub(crate) unsafe fn value<T: Copy>(at: *const T) -> Result<T> {
    if at.is_null() {
        return Err(BAD);
    }
    // SAFETY: the pointer is not null, so it is valid for a read. Programs may have it unaligned.
    Ok(unsafe { at.read_unaligned() })
}

/// An attribute of a template of the caller.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute<'a> {
    pub(crate) kind: CK_ATTRIBUTE_TYPE,
    pub(crate) value: &'a [u8],
}

/// The attributes of a template of the caller.
///
/// # Safety
/// The pointer is null, or valid for reads of this number of attributes, whose values are null or valid for reads of their
/// lengths, for as long as the result is used.
pub(crate) unsafe fn template<'a>(
    at: *const CK_ATTRIBUTE,
    count: CK_ULONG,
) -> Result<Vec<Attribute<'a>>> {
    let count = usize::try_from(count).ok().filter(|count| *count <= ATTRIBUTES).ok_or(BAD)?;
    let attribute = |place| {
        // SAFETY: the pointer is null, or valid for the template, in which this place is.
        let attribute = unsafe { value(at.wrapping_add(place)) }?;
        // SAFETY: the value is null or valid for its length.
        let value = unsafe { bytes(attribute.pValue.cast(), attribute.ulValueLen) }?;
        Ok(Attribute { kind: attribute.type_, value })
    };
    if count > 0 && at.is_null() {
        return Err(BAD);
    }
    (0..count).map(attribute).collect()
}

/// A place of the caller for one value.
pub(crate) struct Place<'a, T>(*mut T, PhantomData<&'a mut T>);

impl<T: Copy> Place<'_, T> {
    /// A place.
    ///
    /// # Safety
    /// The pointer is null, or valid for a write for as long as the place is used.
    pub(crate) unsafe fn new(at: *mut T) -> Result<Self> {
        if at.is_null() { Err(BAD) } else { Ok(Self(at, PhantomData)) }
    }

    pub(crate) fn set(&mut self, value: T) {
        // SAFETY: the pointer is not null, so it is valid for a write, as `new` demands.
        unsafe { self.0.write_unaligned(value) };
    }
}

/// A buffer of the caller, by the convention of two calls: without a buffer, the length alone is asked for.
pub(crate) struct Output<'a, T> {
    at: *mut T,
    room: usize,
    length: Place<'a, CK_ULONG>,
}

impl<T: Copy> Output<'_, T> {
    /// A buffer.
    ///
    /// # Safety
    /// The pointer to the length is null, or valid for a read and for writes. The buffer is null, or valid for writes of that
    /// length. Both are so for as long as the output is used.
    pub(crate) unsafe fn new(at: *mut T, length: *mut CK_ULONG) -> Result<Self> {
        // SAFETY: the caller says so.
        let room = unsafe { value(length) }?;
        // SAFETY: the caller says so.
        let length = unsafe { Place::new(length) }?;
        Ok(Self { at, room: usize::try_from(room).unwrap_or(usize::MAX), length })
    }

    /// A buffer whose room is beside the place of the count.
    ///
    /// # Safety
    /// The pointer to the count is null, or valid for a write. The buffer is null, or valid for writes of the room. Both are so
    /// for as long as the output is used.
    pub(crate) unsafe fn with_room(
        at: *mut T,
        room: CK_ULONG,
        count: *mut CK_ULONG,
    ) -> Result<Self> {
        // SAFETY: the caller says so.
        let length = unsafe { Place::new(count) }?;
        Ok(Self { at, room: usize::try_from(room).unwrap_or(usize::MAX), length })
    }

    /// Tells the caller the length, and returns whether the buffer is there to be filled.
    pub(crate) fn has_room(&mut self, needed: usize) -> Result<bool> {
        self.length.set(ulong(needed));
        match self.at.is_null() {
            true => Ok(false),
            false if self.room < needed => Err(Rv(CKR_BUFFER_TOO_SMALL)),
            false => Ok(true),
        }
    }

    /// Fills the buffer, or tells its length.
    pub(crate) fn fill(&mut self, items: &[T]) -> Result<()> {
        if self.has_room(items.len())? {
            // SAFETY: the buffer is not null and has room for the items, as `new` demands. They are memory of this library, so
            // the two do not overlap.
            unsafe {
                ptr::copy_nonoverlapping(
                    items.as_ptr().cast::<u8>(),
                    self.at.cast::<u8>(),
                    size_of_val(items),
                );
            }
        }
        Ok(())
    }
}

/// Fills a buffer of the caller that has exactly this length.
///
/// # Safety
/// The pointer is null, or valid for writes of the length.
pub(crate) unsafe fn fill_all<E>(
    at: *mut CK_BYTE,
    length: CK_ULONG,
    mut fill: impl FnMut(&mut [u8]) -> core::result::Result<(), E>,
    failed: Rv,
) -> Result<()> {
    let length = usize::try_from(length).map_err(|_| BAD)?;
    if at.is_null() {
        return if length == 0 { Ok(()) } else { Err(BAD) };
    }
    // The caller's memory may not be initialised, so it is no slice: pieces are made here, and copied.
    let mut piece = zeroize::Zeroizing::new([0; 256]);
    let mut done = 0;
    while done < length {
        let next = length.saturating_sub(done).min(piece.len());
        let Some(part) = piece.get_mut(..next) else { return Err(failed) };
        fill(part).map_err(|_| failed)?;
        // SAFETY: the pointer is valid for the length, of which `done + next` are at most all. The piece is memory of this
        // library.
        unsafe { ptr::copy_nonoverlapping(part.as_ptr(), at.add(done), next) };
        done = done.saturating_add(next);
    }
    Ok(())
}

/// The attributes of a template that the caller wants filled.
pub(crate) struct Wanted<'a> {
    at: *mut CK_ATTRIBUTE,
    count: usize,
    life: PhantomData<&'a mut CK_ATTRIBUTE>,
}

impl Wanted<'_> {
    /// The attributes of a template.
    ///
    /// # Safety
    /// The pointer is null, or valid for reads and writes of this number of attributes, whose values are null or valid for
    /// writes of their lengths.
    pub(crate) unsafe fn new(at: *mut CK_ATTRIBUTE, count: CK_ULONG) -> Result<Self> {
        let count = usize::try_from(count).ok().filter(|count| *count <= ATTRIBUTES).ok_or(BAD)?;
        if count > 0 && at.is_null() {
            return Err(BAD);
        }
        Ok(Self { at, count, life: PhantomData })
    }

    /// Fills every attribute that can be filled. The result is the last error among them, as PKCS#11 has it.
    pub(crate) fn fill(
        &mut self,
        value_of: impl Fn(CK_ATTRIBUTE_TYPE) -> Result<Vec<u8>>,
    ) -> Result<()> {
        let mut result = Ok(());
        for place in 0..self.count {
            let at = self.at.wrapping_add(place);
            // SAFETY: the place is in the template, which is valid for reads, as `new` demands.
            let mut attribute = unsafe { value(at) }?;
            let filled =
                value_of(attribute.type_).and_then(|value| fill_one(&mut attribute, &value));
            if filled.is_err() {
                result = filled;
                attribute.ulValueLen = CK_UNAVAILABLE_INFORMATION;
            }
            // SAFETY: the place is valid for writes, as `new` demands.
            unsafe { at.write_unaligned(attribute) };
        }
        result
    }
}

/// Fills the value of an attribute, whose pointer is null or valid for the length beside it, as [`Wanted::new`] demands.
fn fill_one(attribute: &mut CK_ATTRIBUTE, value: &[u8]) -> Result<()> {
    let at: *mut u8 = attribute.pValue.cast();
    if !at.is_null() {
        if attribute.ulValueLen < ulong(value.len()) {
            return Err(Rv(CKR_BUFFER_TOO_SMALL));
        }
        // SAFETY: the value has room for these bytes, which are memory of this library.
        unsafe { ptr::copy_nonoverlapping(value.as_ptr(), at, value.len()) };
    }
    attribute.ulValueLen = ulong(value.len());
    Ok(())
}
