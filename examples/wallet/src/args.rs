//! The command line.

mod grammar;

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, CommandFactory, Error, FromArgMatches, Parser};
use quorate::PartyId;
use quorate::keys::derive::DerivationPath;
use quorate_examples::failure::Failure;
use quorate_paillier::Level;

use super::backup::Opening;
use super::home::{Home, suite_of};
use super::life::Sealing;
use super::making::Protection;
use super::passphrase::Source;
use super::suites::{Suite, Verifying};

/// A command line.
#[derive(Debug)]
pub struct Cli {
    pub(crate) command: Doing,
}

/// A command with its arguments.
#[derive(Debug)]
pub(crate) enum Doing {
    Demo {
        file: PathBuf,
        suite: String,
        dir: Option<PathBuf>,
        level: Option<Level>,
        secrets: NewSecrets,
    },
    Keygen {
        dir: PathBuf,
        suite: Suite,
        threshold: u16,
        parties: u16,
        level: Option<Level>,
        secrets: NewSecrets,
    },
    Presign {
        wallet: Wallet,
        secrets: Secrets,
        signers: Signers,
        count: u16,
    },
    Sign {
        wallet: Wallet,
        secrets: Secrets,
        signers: Signers,
        key: DerivationPath,
        context: Option<String>,
        file: PathBuf,
        signature: Option<PathBuf>,
    },
    Verify {
        wallet: Wallet,
        wanted: Verifying,
    },
    Later(Later),
}

/// A command for a key that is there, with its arguments.
#[derive(Debug)]
pub(crate) enum Later {
    Refresh {
        wallet: Wallet,
        secrets: Secrets,
    },
    Reshare {
        wallet: Wallet,
        secrets: Secrets,
        to: Signers,
        threshold: Option<u16>,
        dealers: Signers,
    },
    Repair {
        wallet: Wallet,
        secrets: Secrets,
        party: PartyId,
        helpers: Signers,
    },
    Derive {
        wallet: Wallet,
        key: DerivationPath,
    },
    BackupKey {
        suite: Suite,
        to: PathBuf,
        secrets: NewSecrets,
    },
    Backup {
        wallet: Wallet,
        secrets: Secrets,
        sealing: Sealing,
    },
    Drill {
        wallet: Wallet,
        opening: Opening,
    },
    Restore {
        wallet: Wallet,
        secrets: NewSecrets,
        opening: Opening,
        level: Option<Level>,
    },
}

/// The values of a command line, by their names.
struct Values<'m>(&'m mut ArgMatches);

impl Values<'_> {
    fn find<T: Clone + Send + Sync + 'static>(&mut self, name: &str) -> Option<T> {
        self.0.remove_one(name)
    }

    fn take<T: Clone + Send + Sync + 'static>(&mut self, name: &str) -> Result<T, Error> {
        self.find(name).ok_or_else(|| Error::new(ErrorKind::MissingRequiredArgument))
    }

    fn wallet(&mut self) -> Result<Wallet, Error> {
        Ok(Wallet { dir: self.take("dir")?, suite: self.find("suite") })
    }

    fn secrets(&mut self) -> Secrets {
        Secrets { passphrase_file: self.find("passphrase-file") }
    }

    fn new_secrets(&mut self) -> NewSecrets {
        let plaintext = self.find("plaintext").unwrap_or_default();
        NewSecrets { source: self.secrets().source(), plaintext }
    }

    /// The parties of an option.
    fn parties(&mut self, name: &'static str) -> Signers {
        let signers = self.0.remove_many(name);
        Signers { signers: signers.map(Iterator::collect).unwrap_or_default(), role: name }
    }

    /// The key below the wallet's; the wallet's own unless given.
    fn key(&mut self) -> DerivationPath {
        self.find("path").unwrap_or_default()
    }

    fn offline_source(&mut self) -> Source {
        let file = self.find("key-passphrase-file");
        Source { file, offline: true, ..Source::default() }
    }

    fn opening(&mut self) -> Result<Opening, Error> {
        let (backup, key) = (self.take("backup")?, self.take("key")?);
        Ok(Opening { backup, key, source: self.offline_source() })
    }

    /// A command for a key that is there.
    fn later(&mut self, name: &str) -> Result<Later, Error> {
        Ok(match name {
            "refresh" => Later::Refresh { wallet: self.wallet()?, secrets: self.secrets() },
            "reshare" => Later::Reshare {
                wallet: self.wallet()?,
                secrets: self.secrets(),
                to: self.parties("to"),
                threshold: self.find("threshold"),
                dealers: self.parties("dealers"),
            },
            "repair" => Later::Repair {
                wallet: self.wallet()?,
                secrets: self.secrets(),
                party: self.take("party")?,
                helpers: self.parties("helpers"),
            },
            "derive" => Later::Derive { wallet: self.wallet()?, key: self.key() },
            "backup-key" => Later::BackupKey {
                suite: self.take("suite")?,
                to: self.take("to")?,
                secrets: NewSecrets {
                    source: self.offline_source(),
                    plaintext: self.find("plaintext").unwrap_or_default(),
                },
            },
            "backup" => Later::Backup {
                wallet: self.wallet()?,
                secrets: self.secrets(),
                sealing: Sealing {
                    party: self.take("party")?,
                    recipient: self.take("for")?,
                    to: self.take("to")?,
                    label: self.find("label").unwrap_or_default(),
                },
            },
            "drill" => Later::Drill { wallet: self.wallet()?, opening: self.opening()? },
            "restore" => Later::Restore {
                wallet: self.wallet()?,
                opening: self.opening()?,
                secrets: self.new_secrets(),
                level: self.find("level"),
            },
            _ => return Err(Error::new(ErrorKind::MissingSubcommand)),
        })
    }
}

impl CommandFactory for Cli {
    fn command() -> Command {
        grammar::command()
    }

    fn command_for_update() -> Command {
        grammar::command()
    }
}

impl FromArgMatches for Cli {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Self::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        let missing = || Error::new(ErrorKind::MissingSubcommand);
        let (name, mut matches) = matches.remove_subcommand().ok_or_else(missing)?;
        let mut values = Values(&mut matches);
        let command = match &*name {
            "demo" => Doing::Demo {
                file: values.take("file")?,
                suite: values.take("suite")?,
                dir: values.find("dir"),
                level: values.find("level"),
                secrets: values.new_secrets(),
            },
            "keygen" => Doing::Keygen {
                dir: values.take("dir")?,
                suite: values.take("suite")?,
                threshold: values.take("threshold")?,
                parties: values.take("parties")?,
                level: values.find("level"),
                secrets: values.new_secrets(),
            },
            "presign" => Doing::Presign {
                wallet: values.wallet()?,
                secrets: values.secrets(),
                signers: values.parties("signers"),
                count: values.take("count")?,
            },
            "sign" => Doing::Sign {
                wallet: values.wallet()?,
                secrets: values.secrets(),
                signers: values.parties("signers"),
                key: values.key(),
                context: values.find("context"),
                file: values.take("file")?,
                signature: values.find("out"),
            },
            "verify" => Doing::Verify {
                wallet: values.wallet()?,
                wanted: Verifying {
                    key: values.key(),
                    context: values.find("context"),
                    file: values.take("file")?,
                    signature: values.take("signature")?,
                },
            },
            later => Doing::Later(values.later(later)?),
        };
        Ok(Self { command })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Parser for Cli {}

/// A wallet that is there.
#[derive(Debug)]
pub(crate) struct Wallet {
    /// The wallet's folder.
    pub(crate) dir: PathBuf,
    /// The suite that the wallet must have.
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
#[derive(Debug)]
pub(crate) struct Secrets {
    /// A file that holds the passphrase. Without one, it is taken from the environment variable
    /// QUORATE_PASSPHRASE, or asked for.
    passphrase_file: Option<PathBuf>,
}

impl Secrets {
    pub(crate) fn source(self) -> Source {
        Source { file: self.passphrase_file, ..Source::default() }
    }
}

/// The protection of a new wallet's secrets.
#[derive(Debug)]
pub(crate) struct NewSecrets {
    source: Source,
    /// Do not encrypt the secrets.
    plaintext: bool,
}

impl NewSecrets {
    pub(crate) fn protection(self) -> Protection {
        if self.plaintext {
            return Protection::Plaintext;
        }
        Protection::Passphrase(self.source)
    }
}

/// Parties, such as 1,3.
#[derive(Debug)]
pub(crate) struct Signers {
    signers: Vec<PartyId>,
    /// The option that names them.
    role: &'static str,
}

impl Signers {
    /// The parties in ascending order.
    pub(crate) fn sorted(self) -> Result<Vec<PartyId>, Failure> {
        let mut signers = self.signers;
        signers.sort_unstable();
        match signers
            .windows(2)
            .find_map(|pair| pair.first().filter(|one| pair.get(1) == Some(one)))
        {
            Some(twice) => {
                let role = self.role;
                Err(Failure::usage(format!("party {twice} is listed twice after --{role}")))
            }
            None => Ok(signers),
        }
    }
}
