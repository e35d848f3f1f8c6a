//! The command line. The comments on commands and arguments are the texts of `--help`.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, value_parser};
use quorate::PartyId;
use quorate::keys::derive::DerivationPath;
use quorate_examples::args::{level, party};
use quorate_examples::{Failure, Out, Result};
use quorate_paillier::Level;

use super::backup::{Opening, Sealing};
use super::change::Wanted;
use super::commands::{NO_LEVEL, Signing, Verifying};
use super::demo;
use super::home::{Home, suite_of};
use super::making::{NUMBERS, New, Protection};
use super::passphrase::Source;
use super::suites::{Life, SUITES, Suite};

/// A threshold wallet: its parties make a key together, and any THRESHOLD of them can sign
#[derive(Debug, Parser)]
#[command(name = "wallet", disable_help_subcommand = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a 2-of-3 wallet, sign FILE with it, and show what happens to cheaters
    Demo {
        /// The file to sign
        file: PathBuf,
        /// The suite to show, or all of them
        #[arg(long, value_parser = suite_or_all(), default_value = "ed25519")]
        suite: String,
        /// Where to put the wallets; a new folder for temporary files unless given
        #[arg(long)]
        dir: Option<PathBuf>,
        /// The level of the big moduli of ECDSA: 112, of 2048 bits, or 128, of 3072. The demo takes 112 unless told otherwise,
        /// to be quick
        #[arg(long, value_parser = level())]
        level: Option<Level>,
        #[command(flatten)]
        protection: Protection,
    },
    /// Make a wallet, or resume one whose making was interrupted
    Keygen(New),
    /// Make presignatures, each of which saves its signers all but one message of a signature; for ECDSA
    Presign {
        #[command(flatten)]
        wallet: LockedWallet,
        /// The parties that sign, such as 1,3
        #[arg(long, required = true, value_delimiter = ',', value_parser = party)]
        signers: Vec<PartyId>,
        /// How many
        #[arg(long, value_parser = value_parser!(u16).range(1..))]
        count: u16,
    },
    /// Sign FILE
    Sign {
        #[command(flatten)]
        wallet: LockedWallet,
        #[command(flatten)]
        signing: Signing,
    },
    /// Verify the signature SIG of FILE
    Verify {
        #[command(flatten)]
        wallet: Wallet,
        #[command(flatten)]
        verifying: Verifying,
    },
    #[command(flatten)]
    Later(Later),
}

/// The commands for a key after its first signature.
#[derive(Debug, Subcommand)]
enum Later {
    /// Give every party a new share of the same key, so that shares that were stolen are worth nothing. Run it again if it was
    /// interrupted
    Refresh(LockedWallet),
    /// Give the key to other parties, or change the threshold: the public key stays. Run it again if it was interrupted
    Reshare {
        #[command(flatten)]
        wallet: LockedWallet,
        /// The parties that have shares from then on, such as 1,2,5
        #[arg(long, value_name = "PARTIES", required = true, value_delimiter = ',', value_parser = party)]
        to: Vec<PartyId>,
        /// How many of them it takes to sign; as many as now unless given
        #[arg(long, value_parser = value_parser!(u16).range(NUMBERS))]
        threshold: Option<u16>,
        /// The parties that give their shares, as many as it takes to sign; all that have one unless given
        #[arg(long, value_name = "PARTIES", value_delimiter = ',', value_parser = party)]
        dealers: Vec<PartyId>,
    },
    /// Give PARTY its lost share back, with the help of as many others as it takes to sign
    Repair {
        #[command(flatten)]
        wallet: LockedWallet,
        /// The party that has lost its share
        #[arg(long, value_parser = party)]
        party: PartyId,
        /// The parties that help; all others that have their shares unless given
        #[arg(long, value_name = "PARTIES", value_delimiter = ',', value_parser = party)]
        helpers: Vec<PartyId>,
    },
    /// Print the child key at PATH, and what wallets need that only watch; sign for it with sign --path
    Derive {
        #[command(flatten)]
        wallet: Wallet,
        /// The child key to use, such as m/0/7; the wallet's own key unless given
        #[arg(long)]
        path: DerivationPath,
    },
    /// Make an offline key, which opens backups: FILE for its custodian, and FILE.pub for the parties
    BackupKey {
        /// The suite of the wallet to back up
        #[arg(long)]
        suite: Suite,
        /// Where the secret half goes
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
        #[command(flatten)]
        offline: OfflineSecrets,
        /// Do not encrypt the secrets
        #[arg(long, conflicts_with = "key_passphrase_file")]
        plaintext: bool,
    },
    /// Encrypt the share of PARTY to an offline key, and prove that it is this share
    Backup {
        #[command(flatten)]
        wallet: LockedWallet,
        #[command(flatten)]
        sealing: Sealing,
    },
    /// Show that a backup could be restored: it is opened and its share proved, and nothing is written
    Drill {
        #[command(flatten)]
        wallet: Wallet,
        #[command(flatten)]
        opening: Opening,
    },
    /// Give a party that has lost its share the one in a backup
    Restore {
        #[command(flatten)]
        wallet: Wallet,
        #[command(flatten)]
        opening: Opening,
        #[command(flatten)]
        protection: Protection,
        /// The level of the big moduli of ECDSA, if no party has its own left: 128 unless given
        #[arg(long, value_parser = level())]
        level: Option<Level>,
    },
}

/// A wallet that is there.
#[derive(Debug, Args)]
struct Wallet {
    /// The wallet's folder
    #[arg(long)]
    dir: PathBuf,
    /// The suite that the wallet must have
    #[arg(long)]
    suite: Option<Suite>,
}

/// A wallet whose secrets are needed.
#[derive(Debug, Args)]
struct LockedWallet {
    #[command(flatten)]
    wallet: Wallet,
    #[command(flatten)]
    secrets: Source,
}

/// The passphrase of an offline key.
#[derive(Clone, Debug, Args)]
pub(crate) struct OfflineSecrets {
    /// A file that holds the passphrase of the offline key. Without one, it is taken from the environment variable
    /// QUORATE_OFFLINE_PASSPHRASE, or asked for
    #[arg(long, value_name = "FILE")]
    key_passphrase_file: Option<PathBuf>,
}

fn suite_or_all() -> PossibleValuesParser {
    PossibleValuesParser::new(SUITES.iter().map(|suite| suite.name).chain(["all"]))
}

impl Wallet {
    fn suite(&self) -> Result<Suite> {
        suite_of(&self.dir, self.suite)
    }
}

impl LockedWallet {
    fn open(self) -> Result<(Home, Suite)> {
        let suite = self.wallet.suite()?;
        Ok((Home::open(&self.wallet.dir, self.secrets)?, suite))
    }

    fn open_alone(self, command: &str) -> Result<(Home, Life)> {
        let suite = self.wallet.suite()?;
        let home = Home::open_alone(&self.wallet.dir, self.secrets, command)?;
        Ok((home, suite.life(command)?))
    }
}

impl OfflineSecrets {
    pub(crate) fn source(&self) -> Source {
        Source { file: self.key_passphrase_file.clone(), offline: true, ..Source::default() }
    }
}

/// The parties of an option, in ascending order.
fn sorted(option: &str, mut parties: Vec<PartyId>) -> Result<Vec<PartyId>> {
    parties.sort_unstable();
    let mut pairs = parties.iter().zip(parties.iter().skip(1));
    match pairs.find(|(one, next)| one == next) {
        Some((twice, _)) => {
            Err(Failure::usage(format!("party {twice} is listed twice after --{option}")))
        }
        None => Ok(parties),
    }
}

impl Cli {
    pub(crate) fn run(self, out: &mut Out) -> Result {
        match self.command {
            Command::Demo { file, suite, dir, level, protection } => {
                let named = |one: &&Suite| suite == "all" || suite == one.name;
                let suites: Vec<_> = SUITES.iter().filter(named).copied().collect();
                demo::demo(&file, &suites, dir, level, protection, out)
            }
            Command::Keygen(new) => (new.suite.keygen)(&new, out),
            Command::Presign { wallet, signers, count } => {
                let (home, suite) = wallet.open()?;
                (suite.presign()?)(&home, &sorted("signers", signers)?, count, out)
            }
            Command::Sign { wallet, mut signing } => {
                let (home, suite) = wallet.open()?;
                suite.check(&signing.path, signing.context.as_ref())?;
                signing.signers = sorted("signers", signing.signers)?;
                (suite.sign)(&home, &signing, out)
            }
            Command::Verify { wallet, verifying } => {
                let suite = wallet.suite()?;
                suite.check(&verifying.path, verifying.context.as_ref())?;
                (suite.verify)(&wallet.dir, &verifying, out)
            }
            Command::Later(later) => later.run(out),
        }
    }
}

impl Later {
    fn run(self, out: &mut Out) -> Result {
        match self {
            Self::Refresh(wallet) => {
                let (home, life) = wallet.open_alone("refresh")?;
                (life.change)(&home, &Wanted::default(), out)
            }
            Self::Reshare { wallet, to, threshold, dealers } => {
                let (to, dealers) = (Some(sorted("to", to)?), sorted("dealers", dealers)?);
                let (home, life) = wallet.open_alone("reshare")?;
                (life.change)(&home, &Wanted { to, threshold, dealers }, out)
            }
            Self::Repair { wallet, party, helpers } => {
                let helpers = sorted("helpers", helpers)?;
                let (home, life) = wallet.open_alone("repair")?;
                (life.repair)(&home, party, &helpers, out)
            }
            Self::Derive { wallet, path } => {
                (wallet.suite()?.life("derive")?.derive)(&wallet.dir, &path, out)
            }
            Self::BackupKey { suite, to, offline, plaintext } => {
                let protection = Protection { source: offline.source(), plaintext };
                (suite.life("backup-key")?.backup_key)(&to, &protection, out)
            }
            Self::Backup { wallet, sealing } => {
                let (home, suite) = wallet.open()?;
                (suite.life("backup")?.backup)(&home, &sealing, out)
            }
            Self::Drill { wallet, opening } => {
                (wallet.suite()?.life("drill")?.drill)(&wallet.dir, &opening, out)
            }
            Self::Restore { wallet, opening, protection, level } => {
                let suite = wallet.suite()?;
                let life = suite.life("restore")?;
                if level.is_some() && suite.presign.is_none() {
                    return Err(Failure::usage(NO_LEVEL));
                }
                let home = Home::open_to_restore(&wallet.dir, &protection)?;
                (life.restore)(&home, &opening, level, out)
            }
        }
    }
}
