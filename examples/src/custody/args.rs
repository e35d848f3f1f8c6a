//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use quorate::PartyId;
use quorate_paillier::Level;

use super::step;
use crate::wallet::args::Args;
use crate::wallet::failure::Failure;

/// What `--help` prints.
pub const USAGE: &str = "\
Three nodes, each a thread with a database, make an ECDSA key of which any two can sign, and two of
them sign a message. A node that is killed goes on from its database.

  custody demo [--level 112|128] [--dir DIR]
      kills node 2 at each step in turn, then shows that a presignature is not spent twice
  custody run [--crash-at STEP] [--node 1|2|3] [--level 112|128] [--dir DIR]
      runs once; a node, 2 unless you say otherwise, is killed at STEP
  custody steps
      lists the steps

Moduli of level 112 have 2048 bits, which is the quicker; those of level 128 have 3072.
";

/// What a run is to be like.
#[derive(Debug)]
pub struct Settings {
    /// Which node is killed, and where.
    pub crash: Option<(PartyId, String)>,
    /// The size of the moduli.
    pub level: Level,
    /// A new folder for the databases; one for temporary files if `None`.
    pub dir: Option<PathBuf>,
}

/// A command line that makes sense.
#[derive(Debug)]
pub enum Command {
    /// Print the usage.
    Help,
    /// Print the steps.
    Steps,
    /// One run.
    Run(Settings),
    /// A run for each step.
    Demo(Settings),
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
            Some("demo") => Self::Demo(settings(&mut args, None)?),
            Some("run") => {
                let crash = crash(&mut args)?;
                Self::Run(settings(&mut args, crash)?)
            }
            Some("steps") => Self::Steps,
            Some("help" | "--help" | "-h") => return Ok(Self::Help),
            _ => {
                let command = command.to_string_lossy();
                return Err(Failure::new(format!("there is no command {command:?}\n\n{USAGE}")));
            }
        };
        args.finish()?;
        Ok(command)
    }
}

fn settings(args: &mut Args, crash: Option<(PartyId, String)>) -> Result<Settings, Failure> {
    let level = args.level()?.unwrap_or(Level::Bits112);
    Ok(Settings { crash, level, dir: args.flag("--dir").map(PathBuf::from) })
}

fn crash(args: &mut Args) -> Result<Option<(PartyId, String)>, Failure> {
    let node = match args.text("--node")?.as_deref() {
        None | Some("2") => 2,
        Some("1") => 1,
        Some("3") => 3,
        Some(other) => return Err(Failure::new(format!("there is no node {other:?}"))),
    };
    let Some(step) = args.text("--crash-at")? else { return Ok(None) };
    if !step::ALL.contains(&&*step) {
        let steps = step::ALL.join(", ");
        return Err(Failure::new(format!("there is no step {step:?}; there are {steps}")));
    }
    Ok(Some((PartyId::try_from(node)?, step)))
}
