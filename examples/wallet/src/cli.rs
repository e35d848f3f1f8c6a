//! The command line. The comments on commands and arguments are the texts of `--help`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, value_parser};
use quorate::PartyId;
use quorate_examples::args::{level, party};
use quorate_examples::{Failure, Out, Result};
use quorate_paillier::Level;

use super::backup::{Opening, Sealing};
use super::change::Wanted;
use super::commands::{NO_LEVEL, Signing, Verifying};
use super::demo::Demo;
use super::derive::Deriving;
use super::home::{Home, suite_of};
use super::making::{New, Protection};
use super::passphrase::Source;
use super::suites::{Life, Suite};

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
    Demo(Demo),
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
    Sign(With<LockedWallet, Signing>),
    /// Verify the signature SIG of FILE
    Verify(With<Wallet, Verifying>),
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
    Reshare(With<LockedWallet, Wanted>),
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
    /// Print the child key at PATH, and what wallets need that only watch; sign for it with sign --path or --hardened
    Derive(With<LockedWallet, Deriving>),
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
    Backup(With<LockedWallet, Sealing>),
    /// Show that a backup could be restored: it is opened and its share proved, and nothing is written
    Drill(With<Wallet, Opening>),
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

/// A wallet, and what to do with it.
#[derive(Debug, Args)]
#[group(skip)]
struct With<W: Args, T: Args> {
    #[command(flatten)]
    wallet: W,
    #[command(flatten)]
    what: T,
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
type LockedWallet = With<Wallet, Source>;

/// The passphrase of an offline key.
#[derive(Clone, Debug, Args)]
pub(crate) struct OfflineSecrets {
    /// A file that holds the passphrase of the offline key. Without one, it is taken from the environment variable
    /// QUORATE_OFFLINE_PASSPHRASE, or asked for
    #[arg(long, value_name = "FILE")]
    key_passphrase_file: Option<PathBuf>,
}

impl Wallet {
    fn suite(&self) -> Result<Suite> {
        suite_of(&self.dir, self.suite)
    }
}

impl LockedWallet {
    fn open(self) -> Result<(Home, Suite)> {
        let suite = self.wallet.suite()?;
        Ok((Home::open(&self.wallet.dir, self.what)?, suite))
    }

    fn open_alone(self, command: &str) -> Result<(Home, Life)> {
        let suite = self.wallet.suite()?;
        let home = Home::open_alone(&self.wallet.dir, self.what, command)?;
        Ok((home, suite.life(command)?))
    }
}

impl OfflineSecrets {
    pub(crate) fn source(&self) -> Source {
        Source { file: self.key_passphrase_file.clone(), offline: true, ..Source::default() }
    }
}

/// The signers, in ascending order.
fn sorted(mut signers: Vec<PartyId>) -> Result<Vec<PartyId>> {
    signers.sort_unstable();
    match signers.windows(2).find(|pair| pair.first() == pair.last()) {
        Some([twice, ..]) => Err(Failure::usage(format!("party {twice} is listed twice"))),
        _ => Ok(signers),
    }
}

impl Cli {
    pub(crate) fn run(self, out: &mut Out) -> Result {
        match self.command {
            Command::Demo(demo) => demo.run(out),
            Command::Keygen(new) if new.hardened => {
                (new.suite.life("--hardened")?.keygen_hardened)(&new, out)
            }
            Command::Keygen(new) => (new.suite.keygen)(&new, out),
            Command::Presign { wallet, signers, count } => {
                let (home, suite) = wallet.open()?;
                (suite.presign()?)(&home, &sorted(signers)?, count, out)
            }
            Command::Sign(With { wallet, what: mut signing }) => {
                let (home, suite) = wallet.open()?;
                suite.check(&signing.subject)?;
                signing.hardened.as_ref().map_or(Ok(()), |_| suite.life("--hardened").map(drop))?;
                signing.signers = sorted(signing.signers)?;
                (suite.sign)(&home, &signing, out)
            }
            Command::Verify(With { wallet, what: verifying }) => {
                let suite = wallet.suite()?;
                suite.check(&verifying.subject)?;
                if let Some(key) = &verifying.key {
                    return (suite.life("--key")?.verify_by)(&verifying, key, out);
                }
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
            Self::Reshare(With { wallet, what: wanted }) => {
                let (home, life) = wallet.open_alone("reshare")?;
                (life.change)(&home, &wanted, out)
            }
            Self::Repair { wallet, party, helpers } => {
                let (home, life) = wallet.open_alone("repair")?;
                (life.repair)(&home, party, &helpers, out)
            }
            Self::Derive(With { wallet, what: mut deriving }) => {
                let life = wallet.wallet.suite()?.life("derive")?;
                if deriving.hardened.is_none() {
                    return (life.derive)(&wallet.wallet.dir, &deriving, out);
                }
                deriving.signers = sorted(deriving.signers)?;
                (life.derive_hardened)(&wallet.open()?.0, &deriving, out)
            }
            Self::BackupKey { suite, to, offline, plaintext } => {
                let protection = Protection { source: offline.source(), plaintext };
                (suite.life("backup-key")?.backup_key)(&to, &protection, out)
            }
            Self::Backup(With { wallet, what: sealing }) => {
                let (home, suite) = wallet.open()?;
                (suite.life("backup")?.backup)(&home, &sealing, out)
            }
            Self::Drill(With { wallet, what: opening }) => {
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
