//! The `wallet` example: [`keygen`] and [`signing`] are the part to read, with [`rounds`] beneath
//! them; for ECDSA, [`ecdsa::keygen`] and [`ecdsa::signing`].
//!
//! All parties run in one process here and hand each other their messages as bytes. In a real
//! wallet each runs on a machine of its own, over channels that are authenticated and, for the
//! shares of a key, confidential; and what it stores is encrypted.

pub mod args;
pub mod cheats;
mod commands;
mod demo;
pub mod ecdsa;
pub mod failure;
pub mod folder;
pub mod keygen;
pub(crate) mod progress;
pub mod rounds;
pub mod signing;
pub mod suites;
pub(crate) mod table;
pub mod verifiers;

use std::ffi::OsString;

use args::Command;
use failure::Failure;

/// Runs one command; what it prints is appended to `out`, up to the point where it fails.
///
/// # Errors
/// A [`Failure`] with the text for the user.
pub fn run(args: impl Iterator<Item = OsString>, out: &mut String) -> Result<(), Failure> {
    match Command::parse(args)? {
        Command::Help => out.push_str(args::USAGE),
        Command::Demo { file, suites, dir, level } => {
            demo::demo(&file, &suites, dir, level, out)?;
        }
        Command::Keygen { dir, suite, threshold, parties, level } => {
            (suite.keygen)(&dir, threshold, parties, level, out)?;
        }
        Command::Presign { dir, suite, signers, count } => {
            let suite = folder::suite_of(&dir, suite)?;
            (suite.presign()?)(&dir, &signers, count, out)?;
        }
        Command::Sign { dir, suite, signers, file, signature } => {
            let suite = folder::suite_of(&dir, suite)?;
            (suite.sign)(&dir, &signers, &file, signature, out)?;
        }
        Command::Verify { dir, suite, file, signature } => {
            let suite = folder::suite_of(&dir, suite)?;
            (suite.verify)(&dir, &file, &signature, out)?;
        }
    }
    Ok(())
}
