//! Memory that valgrind's memcheck takes for defined. Outside valgrind, and on other machines than x86-64, nothing happens.

/// Memcheck's requests: its two letters, and a number.
const TOOL: u64 = (b'M' as u64) << 24 | (b'C' as u64) << 16;
const MAKE_UNDEFINED: u64 = TOOL + 1;
const MAKE_DEFINED: u64 = TOOL + 2;
/// The request of valgrind itself that tells whether it is there.
const RUNNING: u64 = 0x1001;

/// Returns whether this program runs under valgrind.
pub(crate) fn watched() -> bool {
    request(RUNNING, core::ptr::null(), 0) != 0
}

/// Marks bytes as secret: what is computed from them is then secret too.
pub(crate) fn hide(bytes: &[u8]) {
    request(MAKE_UNDEFINED, bytes.as_ptr(), bytes.len());
}

/// Marks bytes as public.
pub(crate) fn show(bytes: &[u8]) {
    request(MAKE_DEFINED, bytes.as_ptr(), bytes.len());
}

/// Marks a value without pointers as public.
pub(crate) fn show_value<T: Copy>(value: &mut T) {
    show_at(core::ptr::from_mut(value).cast(), size_of::<T>());
}

/// Marks bytes as public, by address and length.
pub(crate) fn show_at(address: *mut u8, len: usize) {
    request(MAKE_DEFINED, address, len);
}

/// A request to valgrind about some bytes; 0 if it is not there.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "valgrind is spoken to by a sequence of instructions")]
fn request(code: u64, address: *const u8, len: usize) -> u64 {
    let arguments: [u64; 6] = [code, address as u64, len as u64, 0, 0, 0];
    let mut answer = 0u64;
    // SAFETY: the rotations of rdi by 128 bits in all leave it as it was, and the exchange of rbx with itself does
    // nothing. Valgrind knows the sequence, reads the six words at rax, and answers in rdx; of the program's memory
    // it reads and writes nothing, only its own notes on it.
    unsafe {
        core::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") arguments.as_ptr(),
            inout("rdx") answer,
            options(nostack),
        );
    }
    answer
}

#[cfg(not(target_arch = "x86_64"))]
fn request(_code: u64, _address: *const u8, _len: usize) -> u64 {
    0
}
