//! What a folder was made for, written before anything else in it: the folder is gone on with by the same settings.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::Path;

use getrandom::SysRng;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;
use quorate_paillier::Level;

/// The settings of a custody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// A name that no other custody has; the ids of all sessions come from it.
    pub custody: [u8; 32],
    /// The size of the moduli.
    pub level: Level,
    /// The number of requests.
    pub requests: u32,
}

const FILE: &str = "plan";
const LOCK: &str = "lock";
/// Of a process that died before it had written the plan.
const NEW: &str = "plan.new";

impl Plan {
    /// The plan of a folder, made with these settings if the folder is new or empty; says whether it was there.
    ///
    /// # Errors
    /// A [`Failure`] if there is something else in the folder, or it was made with other settings.
    pub fn open(dir: &Path, level: Level, requests: u32) -> Result<(Self, bool), Failure> {
        let path = dir.join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => {
                let plan = Self::read(&text).ok_or_else(|| {
                    Failure::new(format!("{}: not a plan of a custody", path.display()))
                })?;
                if (plan.level, plan.requests) != (level, requests) {
                    let (bits, count) = (plan.level.modulus_bits(), plan.requests);
                    return Err(Failure::new(format!(
                        "{} was made for {count} requests and moduli of {bits} bits: give the same, or choose a new folder",
                        dir.display()
                    )));
                }
                Ok((plan, true))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let mut custody = [0; 32];
                UnwrapErr(SysRng).fill_bytes(&mut custody);
                let plan = Self { custody, level, requests };
                plan.write(dir)?;
                Ok((plan, false))
            }
            Err(error) => Err(Failure::file("read", &path)(error)),
        }
    }

    /// Writes the plan of an empty folder. It has its name when it is whole.
    fn write(&self, dir: &Path) -> Result<(), Failure> {
        let new = dir.join(NEW);
        for entry in fs::read_dir(dir).map_err(Failure::file("read", dir))? {
            if ![LOCK, NEW].iter().any(|own| entry.as_ref().is_ok_and(|it| it.file_name() == *own))
            {
                return Err(Failure::new(format!(
                    "{} is not empty, and no custody; choose a new folder",
                    dir.display()
                )));
            }
        }
        let write = || {
            let mut file = File::create(&new)?;
            let (custody, bits) = (hex(&self.custody), self.level.modulus_bits());
            write!(file, "custody {custody}\nmoduli {bits}\nrequests {}\n", self.requests)?;
            file.sync_all()?;
            fs::rename(&new, dir.join(FILE))?;
            File::open(dir)?.sync_all()
        };
        write().map_err(Failure::file("write", dir))
    }

    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut line = |name| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let (name, bits, requests) = (line("custody")?, line("moduli")?, line("requests")?);
        let mut custody = [0; 32];
        let digits: Vec<u8> = name.bytes().collect();
        let pairs = digits.chunks_exact(2);
        if pairs.len() != custody.len() || digits.len() != 2 * custody.len() {
            return None;
        }
        for (byte, pair) in custody.iter_mut().zip(pairs) {
            *byte = u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        let levels = [Level::Bits112, Level::Bits128];
        let level = levels.into_iter().find(|level| level.modulus_bits().to_string() == bits)?;
        Some(Self { custody, level, requests: requests.parse().ok()? })
    }
}

/// A folder that no other process works in, for as long as this lives.
pub struct Lock(#[allow(dead_code, reason = "it is held")] File);

impl Lock {
    /// Takes the lock of a folder.
    ///
    /// # Errors
    /// A [`Failure`] if another process has it.
    pub fn take(dir: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(dir).map_err(Failure::file("create", dir))?;
        let path = dir.join(LOCK);
        let file = File::create(&path).map_err(Failure::file("write", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => {
                Err(Failure::new(format!("another process works in {}", dir.display())))
            }
            Err(TryLockError::Error(error)) => Err(Failure::file("lock", &path)(error)),
        }
    }
}
