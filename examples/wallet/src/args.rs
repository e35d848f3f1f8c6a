//! The command line.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, value_parser};
use quorate::PartyId;
use quorate_examples::args::{level, party};
use quorate_examples::failure::Failure;
use quorate_paillier::Level;

use super::home::{Home, suite_of};
use super::making::Protection;
use super::passphrase::Source;
use super::suites::{SUITES, Suite};

/// The most parties that one process is asked to play.
const MOST_PARTIES: i64 = 100;

/// A threshold wallet: its parties make a key together, and any THRESHOLD of them can sign.
#[derive(Debug, Parser)]
#[command(name = "wallet", disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a 2-of-3 wallet, sign FILE with it, and show what happens to cheaters.
    Demo {
        /// The file to sign.
        file: PathBuf,
        /// The suite to show, or all of them.
        #[arg(long, value_parser = PossibleValuesParser::new(names().chain(["all"])), default_value = "ed25519")]
        suite: String,
        /// Where to put the wallets; a new folder for temporary files unless given.
        #[arg(long)]
        dir: Option<PathBuf>,
        /// The level of the big moduli of ECDSA: 112, of 2048 bits, or 128, of 3072. The demo
        /// takes 112 unless told otherwise, to be quick.
        #[arg(long, value_parser = level())]
        level: Option<Level>,
        #[command(flatten)]
        secrets: NewSecrets,
    },
    /// Make a wallet, or go on with one whose making was interrupted.
    Keygen {
        /// Its folder, which must be new or empty.
        #[arg(long)]
        dir: PathBuf,
        /// The signatures that it makes. Those named ecdsa-… are ECDSA, all others are Schnorr.
        #[arg(long, value_parser = suite())]
        suite: Suite,
        /// How many parties it takes to sign.
        #[arg(long, value_parser = value_parser!(u16).range(2..=MOST_PARTIES))]
        threshold: u16,
        /// How many parties there are.
        #[arg(long, value_parser = value_parser!(u16).range(2..=MOST_PARTIES))]
        parties: u16,
        /// The level of the big moduli of ECDSA: 128, of 3072 bits, or 112, of 2048. 128 unless
        /// given.
        #[arg(long, value_parser = level())]
        level: Option<Level>,
        #[command(flatten)]
        secrets: NewSecrets,
    },
    /// Make presignatures, each of which saves its signers all but one message of a signature; for
    /// ECDSA.
    Presign {
        #[command(flatten)]
        wallet: Wallet,
        #[command(flatten)]
        secrets: Secrets,
        #[command(flatten)]
        signers: Signers,
        /// How many.
        #[arg(long, value_parser = value_parser!(u16).range(1..))]
        count: u16,
    },
    /// Give every party a new share of the same key, so that shares that were stolen are worth
    /// nothing; for the suites of FROST. Run it again if it was interrupted.
    Refresh {
        #[command(flatten)]
        wallet: Wallet,
        #[command(flatten)]
        secrets: Secrets,
    },
    /// Sign FILE.
    Sign {
        #[command(flatten)]
        wallet: Wallet,
        #[command(flatten)]
        secrets: Secrets,
        #[command(flatten)]
        signers: Signers,
        /// The file to sign.
        file: PathBuf,
        /// Where the signature goes; into the wallet's folder unless given.
        #[arg(long = "out", value_name = "SIG")]
        signature: Option<PathBuf>,
    },
    /// Verify the signature SIG of FILE.
    Verify {
        #[command(flatten)]
        wallet: Wallet,
        /// The file that was signed.
        file: PathBuf,
        /// The file with the signature.
        #[arg(value_name = "SIG")]
        signature: PathBuf,
    },
}

/// A wallet that is there.
#[derive(Debug, clap::Args)]
pub(crate) struct Wallet {
    /// The wallet's folder.
    #[arg(long)]
    pub(crate) dir: PathBuf,
    /// The suite that the wallet must have.
    #[arg(long, value_parser = suite())]
    pub(crate) suite: Option<Suite>,
}

impl Wallet {
    pub(crate) fn open_alone(
        self,
        secrets: Secrets,
        doing: &str,
    ) -> Result<(Home, Suite), Failure> {
        let suite = suite_of(&self.dir, self.suite)?;
        Ok((Home::open_alone(&self.dir, secrets.source(), doing)?, suite))
    }

    pub(crate) fn open(self, secrets: Secrets) -> Result<(Home, Suite), Failure> {
        let suite = suite_of(&self.dir, self.suite)?;
        Ok((Home::open(&self.dir, secrets.source())?, suite))
    }
}

/// The passphrase for its secrets.
#[derive(Debug, clap::Args)]
pub(crate) struct Secrets {
    /// A file that holds the passphrase. Without one, it is taken from the environment variable
    /// QUORATE_PASSPHRASE, or asked for.
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

impl Secrets {
    pub(crate) fn source(self) -> Source {
        Source { file: self.passphrase_file, public: None }
    }
}

/// How the secrets of a new wallet are kept.
#[derive(Debug, clap::Args)]
pub(crate) struct NewSecrets {
    #[command(flatten)]
    secrets: Secrets,
    /// Do not encrypt the secrets.
    #[arg(long, conflicts_with = "passphrase_file")]
    plaintext: bool,
}

impl NewSecrets {
    pub(crate) fn protection(self) -> Protection {
        if self.plaintext {
            return Protection::Plaintext;
        }
        Protection::Passphrase(self.secrets.source())
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Signers {
    /// The parties that sign, such as 1,3.
    #[arg(long, value_delimiter = ',', required = true, value_parser = party)]
    signers: Vec<PartyId>,
}

impl Signers {
    /// The signers in ascending order.
    pub(crate) fn sorted(self) -> Result<Vec<PartyId>, Failure> {
        let mut signers = self.signers;
        signers.sort_unstable();
        match signers
            .windows(2)
            .find_map(|pair| pair.first().filter(|one| pair.get(1) == Some(one)))
        {
            Some(twice) => {
                Err(Failure::usage(format!("party {twice} is listed twice among the signers")))
            }
            None => Ok(signers),
        }
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    SUITES.iter().map(|suite| suite.name)
}

fn suite() -> impl TypedValueParser<Value = Suite> {
    PossibleValuesParser::new(names())
        .try_map(|name| Suite::named(&name).map_err(|failure| failure.to_string()))
}
