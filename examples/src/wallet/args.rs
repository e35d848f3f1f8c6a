//! The command line.

use core::num::NonZeroU16;
use core::str::FromStr;
use std::ffi::OsString;
use std::path::PathBuf;

use quorate::PartyId;
use quorate_paillier::Level;

use super::failure::Failure;
use super::suites::{SUITES, Suite};

/// What `--help` prints.
pub const USAGE: &str = "\
A threshold wallet: its parties make a key together, and any THRESHOLD of them can sign.

  wallet demo FILE [--suite SUITE|all] [--dir DIR] [--level 112|128]
      makes a 2-of-3 wallet, signs FILE with it, and shows what happens to cheaters
  wallet keygen --dir DIR --suite SUITE --threshold T --parties N [--level 112|128]
      makes a wallet of N parties in the new folder DIR; any T of them can sign
  wallet presign --dir DIR --signers 1,3 --count K
      makes K presignatures for these signers, each of which saves them all but one message of a
      signature; for ECDSA
  wallet sign --dir DIR --signers 1,3 FILE [--out SIG]
      signs FILE; the signature goes to SIG, or into DIR
  wallet verify --dir DIR FILE SIG
      verifies the signature SIG of FILE

SUITE is ed25519, ristretto255, ed448, p256, secp256k1 or secp256k1-tr (Taproot), all of them
Schnorr signatures; or ecdsa-secp256k1 or ecdsa-p256. The level is that of the big moduli of ECDSA:
128, of 3072 bits, or 112, of 2048, which is what the demo takes to be quick.
";

/// The most parties that one process is asked to play.
const MOST_PARTIES: u16 = 100;

/// A command line that makes sense.
#[derive(Debug)]
pub enum Command {
    /// Print the usage.
    Help,
    /// Show everything on one file.
    Demo {
        /// The file to sign.
        file: PathBuf,
        /// Which suites to show.
        suites: Vec<Suite>,
        /// Where to put the wallets; a new folder for temporary files if `None`.
        dir: Option<PathBuf>,
        /// The level of ECDSA.
        level: Option<Level>,
    },
    /// Make a wallet.
    Keygen {
        /// Its folder, which must be new.
        dir: PathBuf,
        /// Its suite.
        suite: Suite,
        /// How many parties it takes to sign.
        threshold: u16,
        /// How many parties there are.
        parties: u16,
        /// The level of ECDSA.
        level: Option<Level>,
    },
    /// Make presignatures.
    Presign {
        /// The wallet's folder.
        dir: PathBuf,
        /// The suite that the user believes it to have.
        suite: Option<Suite>,
        /// For whom.
        signers: Vec<PartyId>,
        /// How many.
        count: u16,
    },
    /// Sign a file.
    Sign {
        /// The wallet's folder.
        dir: PathBuf,
        /// The suite that the user believes it to have.
        suite: Option<Suite>,
        /// Who signs.
        signers: Vec<PartyId>,
        /// What.
        file: PathBuf,
        /// Where to put the signature.
        signature: Option<PathBuf>,
    },
    /// Verify a signature.
    Verify {
        /// The wallet's folder.
        dir: PathBuf,
        /// The suite that the user believes it to have.
        suite: Option<Suite>,
        /// The file that was signed.
        file: PathBuf,
        /// The file with the signature.
        signature: PathBuf,
    },
}

impl Command {
    /// Reads a command line, without the name of the program.
    ///
    /// # Errors
    /// A [`Failure`] that says what to change.
    pub fn parse(mut args: impl Iterator<Item = OsString>) -> Result<Self, Failure> {
        let Some(command) = args.next() else {
            return Err(Failure::new(format!("what shall I do?\n\n{USAGE}")));
        };
        let mut args = Args::split(args)?;
        let command = match command.to_str() {
            Some("demo") => Self::demo(&mut args)?,
            Some("keygen") => Self::Keygen {
                dir: args.required("--dir")?.into(),
                suite: Suite::named(&args.required_text("--suite")?)?,
                threshold: number("--threshold", &args.required_text("--threshold")?)?,
                parties: parties(&args.required_text("--parties")?)?,
                level: args.level()?,
            },
            Some("presign") => Self::Presign {
                dir: args.required("--dir")?.into(),
                suite: args.suite()?,
                signers: signers(&args.required_text("--signers")?)?,
                count: number::<NonZeroU16>("--count", &args.required_text("--count")?)?.get(),
            },
            Some("sign") => Self::Sign {
                dir: args.required("--dir")?.into(),
                suite: args.suite()?,
                signers: signers(&args.required_text("--signers")?)?,
                file: args.file("the FILE to sign")?,
                signature: args.flag("--out").map(PathBuf::from),
            },
            Some("verify") => Self::Verify {
                dir: args.required("--dir")?.into(),
                suite: args.suite()?,
                file: args.file("the FILE that was signed")?,
                signature: args.file("SIG, the file with the signature")?,
            },
            Some("help" | "--help" | "-h") => return Ok(Self::Help),
            _ => {
                let command = command.to_string_lossy();
                return Err(Failure::new(format!("there is no command {command:?}\n\n{USAGE}")));
            }
        };
        args.finish()?;
        Ok(command)
    }

    fn demo(args: &mut Args) -> Result<Self, Failure> {
        let suites = match args.text("--suite")?.as_deref() {
            None => vec![Suite::named("ed25519")?],
            Some("all") => SUITES.to_vec(),
            Some(name) => vec![Suite::named(name)?],
        };
        let dir = args.flag("--dir").map(PathBuf::from);
        let level = args.level()?;
        Ok(Self::Demo { file: args.file("the FILE to sign")?, suites, dir, level })
    }
}

/// The arguments, sorted into `--flag value` and the rest.
pub(crate) struct Args {
    flags: Vec<(String, OsString)>,
    files: Vec<OsString>,
}

impl Args {
    pub(crate) fn split(mut args: impl Iterator<Item = OsString>) -> Result<Self, Failure> {
        let mut split = Self { flags: Vec::new(), files: Vec::new() };
        while let Some(arg) = args.next() {
            match arg.to_str() {
                // Everything after `--` is a file, whatever its name.
                Some("--") => split.files.extend(args.by_ref()),
                Some(flag) if flag.starts_with("--") => {
                    let missing = || Failure::new(format!("{flag} needs a value"));
                    let (flag, value) = match flag.split_once('=') {
                        Some((flag, value)) => (flag, value.into()),
                        None => (flag, args.next().ok_or_else(missing)?),
                    };
                    if split.flags.iter().any(|(other, _)| other == flag) {
                        return Err(Failure::new(format!("{flag} is given twice")));
                    }
                    split.flags.push((flag.to_owned(), value));
                }
                _ => split.files.push(arg),
            }
        }
        Ok(split)
    }

    pub(crate) fn flag(&mut self, name: &str) -> Option<OsString> {
        let at = self.flags.iter().position(|(flag, _)| flag == name)?;
        Some(self.flags.remove(at).1)
    }

    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, Failure> {
        let text = self.flag(name).map(OsString::into_string).transpose();
        text.map_err(|_| Failure::new(format!("the value of {name} is not text")))
    }

    fn suite(&mut self) -> Result<Option<Suite>, Failure> {
        self.text("--suite")?.map(|name| Suite::named(&name)).transpose()
    }

    pub(crate) fn level(&mut self) -> Result<Option<Level>, Failure> {
        match self.text("--level")?.as_deref() {
            None => Ok(None),
            Some("112") => Ok(Some(Level::Bits112)),
            Some("128") => Ok(Some(Level::Bits128)),
            Some(other) => Err(Failure::new(format!("--level is 112 or 128, not {other:?}"))),
        }
    }

    fn required(&mut self, name: &str) -> Result<OsString, Failure> {
        self.flag(name).ok_or_else(|| Failure::new(format!("{name} is missing")))
    }

    fn required_text(&mut self, name: &str) -> Result<String, Failure> {
        self.text(name)?.ok_or_else(|| Failure::new(format!("{name} is missing")))
    }

    fn file(&mut self, what: &str) -> Result<PathBuf, Failure> {
        if self.files.is_empty() {
            return Err(Failure::new(format!("{what} is missing")));
        }
        Ok(self.files.remove(0).into())
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        if let Some((flag, _)) = self.flags.first() {
            return Err(Failure::new(format!("this command has no {flag}")));
        }
        match self.files.first() {
            Some(file) => Err(Failure::new(format!("one file too many: {}", file.display()))),
            None => Ok(()),
        }
    }
}

fn number<T: FromStr>(flag: &str, text: &str) -> Result<T, Failure> {
    text.parse().map_err(|_| Failure::new(format!("{flag} takes a number, not {text:?}")))
}

fn parties(text: &str) -> Result<u16, Failure> {
    let parties = number("--parties", text)?;
    if parties > MOST_PARTIES {
        return Err(Failure::new(format!("this example stops at {MOST_PARTIES} parties")));
    }
    Ok(parties)
}

/// Reads `1,3`.
fn signers(text: &str) -> Result<Vec<PartyId>, Failure> {
    let mut signers = Vec::new();
    for part in text.split(',') {
        let signer = part.trim().parse().ok().and_then(PartyId::new).ok_or_else(|| {
            Failure::new(format!("--signers takes numbers from 1, such as 1,3, not {text:?}"))
        })?;
        if signers.contains(&signer) {
            return Err(Failure::new(format!("party {signer} is listed twice among the signers")));
        }
        signers.push(signer);
    }
    Ok(signers)
}
