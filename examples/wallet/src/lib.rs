//! A wallet on the command line: keys in files, made by all parties together, signing with some of
//! them. [`keygen`] and [`signing`] are the part to read, with [`rounds`] beneath them; for ECDSA,
//! [`ecdsa::keygen`] and [`ecdsa::signing`].
//!
//! All parties run in one process here and hand each other their messages as bytes. In a real
//! wallet each runs on a machine of its own, over channels that are authenticated and, for the
//! shares of a key, confidential. What is stored, and how it is protected, is in [`home`],
//! [`making`] and [`vault`].

pub mod args;
pub mod cheats;
mod commands;
mod demo;
pub mod disk;
pub mod ecdsa;
pub mod folder;
pub mod home;
pub mod keygen;
pub mod lock;
pub mod making;
pub mod passphrase;
pub mod refresh;
pub(crate) mod report;
pub mod rounds;
mod sessions;
pub mod signing;
pub mod suites;
pub mod vault;

use std::ffi::OsString;

use args::{Cli, Doing};
use making::New;
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use suites::{SUITES, Suite};

/// Runs one command; what it prints goes to `out`, up to the point where it fails.
///
/// # Errors
/// A [`Failure`] with the text for the user.
pub fn run(args: impl Iterator<Item = OsString>, out: &mut Out) -> Result<(), Failure> {
    let Some(cli) = quorate_examples::args::parse::<Cli>(args, out)? else { return Ok(()) };
    match cli.command {
        Doing::Demo { file, suite, dir, level, secrets } => {
            let suites = if suite == "all" { SUITES.to_vec() } else { vec![Suite::named(&suite)?] };
            demo::demo(&file, &suites, dir, level, secrets.protection(), out)
        }
        Doing::Keygen { dir, suite, threshold, parties, level, secrets } => {
            let protection = secrets.protection();
            (suite.keygen)(&New { dir, threshold, parties, level, protection }, out)
        }
        Doing::Presign { wallet, secrets, signers, count } => {
            let (home, suite) = wallet.open(secrets)?;
            (suite.presign()?)(&home, &signers.sorted()?, count, out)
        }
        Doing::Refresh { wallet, secrets } => {
            let (home, suite) = wallet.open_alone(secrets, "refresh")?;
            (suite.refresh()?)(&home, out)
        }
        Doing::Sign { wallet, secrets, signers, file, signature } => {
            let (home, suite) = wallet.open(secrets)?;
            (suite.sign)(&home, &signers.sorted()?, &file, signature, out)
        }
        Doing::Verify { wallet, file, signature } => {
            let suite = home::suite_of(&wallet.dir, wallet.suite)?;
            (suite.verify)(&wallet.dir, &file, &signature, out)
        }
    }
}
