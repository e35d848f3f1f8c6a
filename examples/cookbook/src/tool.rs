//! Independent verifiers that are programs.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::Failure;

/// A folder for a verifier's files, removed in the end.
pub struct Desk(PathBuf);

impl Desk {
    /// A new folder.
    ///
    /// # Errors
    /// The system's.
    pub fn new() -> Result<Self, Failure> {
        let mut name = [0; 8];
        getrandom::fill(&mut name)?;
        let dir =
            std::env::temp_dir().join(format!("quorate-desk-{:016x}", u64::from_be_bytes(name)));
        fs::create_dir(&dir)?;
        Ok(Self(dir))
    }

    /// Writes a file, and gives its path.
    ///
    /// # Errors
    /// The system's.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> Result<String, Failure> {
        let path = self.0.join(name);
        fs::write(&path, content)?;
        Ok(path.display().to_string())
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// Runs a program on this input; gives what it says.
///
/// # Errors
/// The program's output if it fails, or that the program is missing.
pub fn run(program: &str, args: &[&str], input: &[u8]) -> Result<String, Failure> {
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("{program}: {error}"))?;
    child.stdin.take().ok_or("no input")?.write_all(input)?;
    let output = child.wait_with_output()?;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    if output.status.success() { Ok(said) } else { Err(format!("{program}: {said}").into()) }
}

/// Checks what a recipe promises.
///
/// # Errors
/// This text, if it does not hold.
pub fn check(holds: bool, otherwise: &str) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}

/// Returns whether this machine has the program.
#[must_use]
pub fn is_there(program: &str) -> bool {
    Command::new(program).arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Base64 of RFC 4648, with the alphabet for URLs and without padding, or the ordinary one with padding.
#[must_use]
pub fn base64(bytes: &[u8], for_urls: bool) -> String {
    use bitcoin::base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD, Engine};
    if for_urls { BASE64_URL_SAFE_NO_PAD.encode(bytes) } else { BASE64_STANDARD.encode(bytes) }
}
