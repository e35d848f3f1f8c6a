//! Golden files: stored forms of every version that was released, which open for ever.
//!
//! `tests/golden/v1` of a crate has a file of hexadecimal digits for each kind of object. With `QUORATE_BLESS` set, a file
//! that does not exist yet is written; an existing file is never overwritten. A kind whose body changes gets another
//! version, a folder of its own, and a reader that still reads the old files.

use std::fs;
use std::path::Path;

use crate::{hex, unhex};

/// The bytes of `tests/golden/v1/{object}.hex` in the crate with this manifest's folder. If the file is missing and may be
/// written, the bytes that are made now.
#[must_use]
pub fn file(manifest: &str, object: &str, make: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    file_of(1, manifest, object, make)
}

/// As [`file()`], of a later version of the object's kind.
#[must_use]
pub fn file_of(
    version: u8,
    manifest: &str,
    object: &str,
    make: impl FnOnce() -> Vec<u8>,
) -> Vec<u8> {
    let folder = Path::new(manifest).join(format!("tests/golden/v{version}"));
    let path = folder.join(format!("{object}.hex"));
    if !path.exists() && std::env::var_os("QUORATE_BLESS").is_some() {
        let hex = hex(&make());
        let lines: Vec<_> =
            hex.as_bytes().chunks(120).map(|line| str::from_utf8(line).expect("digits")).collect();
        fs::create_dir_all(&folder).expect("a folder that can be written");
        fs::write(&path, lines.join("\n") + "\n").expect("a file that can be written");
    }
    let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    unhex(&text.split_ascii_whitespace().collect::<String>())
}
