//! The passphrase, and the three places that it can come from.

use std::env::VarError;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use quorate::session::zeroize::Zeroizing;
use quorate_examples::{Failure, Result, bail, ensure, failure};

/// The environment variable for scripts. A file is better: some systems show the environment of a process to others.
pub const VARIABLE: &str = "QUORATE_PASSPHRASE";

/// The environment variable for the passphrase of an offline key.
pub const OFFLINE_VARIABLE: &str = "QUORATE_OFFLINE_PASSPHRASE";

/// The fewest characters of a new passphrase.
const FEWEST: usize = 8;
/// The most bytes of a passphrase.
const LONGEST: usize = 4096;

/// The source of the passphrase: a file, the environment, the terminal, in this order.
#[derive(Clone, Debug, Default, Args)]
pub struct Source {
    /// A file that holds the passphrase. Without one, it is taken from the environment variable QUORATE_PASSPHRASE, or asked for
    #[arg(long = "passphrase-file", id = "passphrase_file", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The passphrase of a demonstration, which is not secret. It is taken before all others.
    #[arg(skip)]
    pub(crate) public: Option<String>,
    /// `true` for the passphrase of an offline key, `false` for that of a wallet.
    #[arg(skip)]
    pub(crate) offline: bool,
}

/// A passphrase, wiped when it is dropped.
pub type Passphrase = Zeroizing<Vec<u8>>;

impl Source {
    /// The passphrase of a wallet that is there.
    pub fn known(&self) -> Result<Passphrase> {
        let prompt = || format!("Passphrase of the {}: ", self.whose());
        self.given()?.map_or_else(|| self.ask(&prompt()), Ok)
    }

    /// The passphrase of a new wallet, which is asked for twice. One that is too short is refused.
    pub fn new_one(&self) -> Result<Passphrase> {
        let passphrase = match self.given()? {
            Some(passphrase) => passphrase,
            None => {
                let first = self.ask("New passphrase: ")?;
                ensure!(first == self.ask("The same again: ")?, "the two passphrases differ");
                first
            }
        };
        let text = String::from_utf8_lossy(&passphrase);
        let length = Zeroizing::new(text.into_owned()).chars().count();
        ensure!(
            length >= FEWEST,
            "a passphrase has at least {FEWEST} characters; this one has {length}"
        );
        Ok(passphrase)
    }

    /// Returns whether the user would have to be asked.
    pub(crate) fn is_silent(&self) -> bool {
        self.public.is_none() && self.file.is_none() && std::env::var_os(self.variable()).is_none()
    }

    fn given(&self) -> Result<Option<Passphrase>> {
        if let Some(text) = &self.public {
            return Ok(Some(Zeroizing::new(text.clone().into_bytes())));
        }
        if let Some(path) = &self.file {
            return read(path).map(Some);
        }
        let variable = self.variable();
        match std::env::var(variable) {
            Ok(text) => Ok(Some(Zeroizing::new(text.into_bytes()))),
            Err(VarError::NotPresent) => Ok(None),
            Err(error) => bail!("{variable}: {error}"),
        }
    }

    const fn whose(&self) -> &'static str {
        if self.offline { "offline key" } else { "wallet" }
    }

    const fn variable(&self) -> &'static str {
        if self.offline { OFFLINE_VARIABLE } else { VARIABLE }
    }

    /// Asks at the terminal, which does not show what is typed.
    fn ask(&self, prompt: &str) -> Result<Passphrase> {
        let typed = rpassword::prompt_password(prompt).map_err(|error| {
            let option = if self.offline { "--key-passphrase-file" } else { "--passphrase-file" };
            failure!(
                "the {} needs a passphrase, and there is no terminal to ask at ({error}): \
                 give {option} FILE, or set {}",
                self.whose(),
                self.variable()
            )
        });
        Ok(Zeroizing::new(typed?.into_bytes()))
    }
}

/// Reads a file that holds a passphrase and, as editors leave it there, one line break at its end.
fn read(path: &Path) -> Result<Passphrase> {
    // Room for all of it: a buffer that grew would leave its content behind.
    let mut bytes = Zeroizing::new(Vec::with_capacity(LONGEST.saturating_add(1)));
    let most = u64::try_from(LONGEST)?.saturating_add(1);
    let read = File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes));
    read.map_err(Failure::file("read", path))?;
    if bytes.len() > LONGEST {
        let long = format!("is longer than {LONGEST} bytes: no passphrase");
        return Err(Failure::at(path, long));
    }
    for end in *b"\n\r" {
        bytes.pop_if(|last| *last == end);
    }
    Ok(bytes)
}
