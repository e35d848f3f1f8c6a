//! Folders for the examples' files.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use getrandom::SysRng;
use quorate::session::rand_core::{Rng, UnwrapErr};

use crate::failure::Failure;

/// A name that nobody else uses: `prefix` and random digits.
#[must_use]
pub fn fresh_name(prefix: &str) -> String {
    format!("{prefix}{:016x}", UnwrapErr(SysRng).next_u64())
}

/// Refuses a folder that has something in it.
///
/// # Errors
/// A [`Failure`] that says so.
pub fn check_empty(dir: &Path) -> Result<(), Failure> {
    match fs::read_dir(dir).map(|mut entries| entries.next().is_some()) {
        Ok(true) => {
            Err(Failure::new(format!("{} is not empty; choose a new folder", dir.display())))
        }
        Ok(false) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::file("use", dir)(error)),
    }
}

/// Bytes in hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A path as one word of a shell's command line, to be printed for somebody who copies it. Control characters, which a
/// terminal would act upon, become question marks.
#[must_use]
pub fn shell_word(path: &Path) -> String {
    let text: String = path.to_string_lossy().chars().map(printable).collect();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn printable(c: char) -> char {
    if c.is_control() { '?' } else { c }
}
