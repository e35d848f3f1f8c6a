//! A wallet on the command line: keys in files, made by all parties together, signing with some of
//! them. [`keygen`] and [`signing`] are the part to read, with [`rounds`] beneath them, where each party has a runner; for ECDSA,
//! [`ecdsa::keygen`] and [`ecdsa::signing`]. What comes later in a key's life is the same for both
//! kinds, over the trait [`WalletFamily`](family::WalletFamily): [`change`], [`backup`], and the repair of a share. Keys of ML-DSA,
//! **experimental**, sign and do nothing else: [`mldsa`].
//!
//! All parties run in one process here and hand each other their messages as bytes. In a real
//! wallet each runs on a machine of its own, over channels that are authenticated and, for the
//! shares of a key, confidential. What is stored, and how it is protected, is in [`home`],
//! [`making`] and [`vault`].

pub mod args;
pub mod backup;
pub mod change;
pub mod cheats;
mod commands;
mod demo;
pub(crate) mod derive;
pub mod disk;
pub mod ecdsa;
pub mod family;
mod form;
pub mod home;
pub mod keygen;
pub(crate) mod life;
pub mod lock;
pub mod making;
pub mod mldsa;
pub mod passphrase;
pub(crate) mod repair;
pub(crate) mod report;
pub mod rounds;
mod sessions;
pub mod shares;
pub mod signing;
pub mod suites;
pub mod traffic;
pub mod vault;

use std::ffi::OsString;

use args::{Cli, Doing, Later};
use change::Wanted;
use commands::NO_LEVEL;
use home::Home;
use making::New;
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use suites::{SUITES, Signing, Suite};

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
        Doing::Sign { wallet, secrets, signers, key, context, file, signature } => {
            let (home, suite) = wallet.open(secrets)?;
            suite.check_context(context.as_ref())?;
            let signers = signers.sorted()?;
            (suite.sign)(&home, &Signing { signers, key, context, file, signature }, out)
        }
        Doing::Verify { wallet, wanted } => {
            let suite = home::suite_of(&wallet.dir, wallet.suite)?;
            suite.check_context(wanted.context.as_ref())?;
            (suite.verify)(&wallet.dir, &wanted, out)
        }
        Doing::Later(later) => live(later, out),
    }
}

/// What comes later in a key's life.
fn live(later: Later, out: &mut Out) -> Result<(), Failure> {
    match later {
        Later::Refresh { wallet, secrets } => {
            let (home, suite) = wallet.open_alone(secrets, "refresh")?;
            (suite.life("refresh")?.change)(&home, &Wanted::default(), out)
        }
        Later::Reshare { wallet, secrets, to, threshold, dealers } => {
            let wanted = Wanted { to: Some(to.sorted()?), threshold, dealers: dealers.sorted()? };
            let (home, suite) = wallet.open_alone(secrets, "reshare")?;
            (suite.life("reshare")?.change)(&home, &wanted, out)
        }
        Later::Repair { wallet, secrets, party, helpers } => {
            let helpers = helpers.sorted()?;
            let (home, suite) = wallet.open_alone(secrets, "repair")?;
            (suite.life("repair")?.repair)(&home, party, &helpers, out)
        }
        Later::Derive { wallet, key } => {
            let suite = home::suite_of(&wallet.dir, wallet.suite)?;
            (suite.life("derive")?.derive)(&wallet.dir, &key, out)
        }
        Later::BackupKey { suite, to, secrets } => {
            (suite.life("backup-key")?.backup_key)(&to, &secrets.protection(), out)
        }
        Later::Backup { wallet, secrets, sealing } => {
            let (home, suite) = wallet.open(secrets)?;
            (suite.life("backup")?.backup)(&home, &sealing, out)
        }
        Later::Drill { wallet, opening } => {
            let suite = home::suite_of(&wallet.dir, wallet.suite)?;
            (suite.life("drill")?.drill)(&wallet.dir, &opening, out)
        }
        Later::Restore { wallet, secrets, opening, level } => {
            let suite = home::suite_of(&wallet.dir, wallet.suite)?;
            let life = suite.life("restore")?;
            if level.is_some() && suite.presign.is_none() {
                return Err(Failure::usage(NO_LEVEL));
            }
            let home = Home::open_to_restore(&wallet.dir, secrets.protection())?;
            (life.restore)(&home, &opening, level, out)
        }
    }
}
