//! A new wallet, from its plan to its public key. If the process is killed at any moment, the same command resumes the work; if the
//! wallet was complete, whichever opens it next does what was left.

use core::fmt;
use core::ops::RangeInclusive;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::{Args, value_parser};
use getrandom::SysRng;
use quorate::session::passphrase::Argon2id;
use quorate::session::rand_core::UnwrapErr;
use quorate::session::wire::Reader;
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Protocol, Record};
use quorate::{Parties, PartyId, Session, SessionId};
use quorate_examples::args::level;
use quorate_examples::files::fresh_name;
use quorate_examples::{Failure, Out, Result, bail, ensure};
use quorate_paillier::Level;

use super::disk::{self, Privacy, private_dir};
use super::home::{Home, PUBLIC, name};
use super::lock::{self, Lock};
use super::passphrase::Source;
use super::rounds::{self, Run, Stored, fresh_sid};
use super::sessions::{self, SessionFile};
use super::suites::Suite;
use super::vault::{self, Vault};

/// The public side of a key, until its generation has ended.
pub(crate) const MADE: &str = "public.made";
/// The ending of the file with a party's search for primes.
pub(crate) const PRIMES: &str = "primes";
/// The plan's name.
pub(crate) const PLAN: &str = "plan";
/// The beginning of a plan, with the number of its version.
const PLAN_MAGIC: &[u8] = b"QUORATEP\x02";

/// The protection of a new wallet's secrets: encrypted under a passphrase, or in clear.
#[derive(Clone, Debug, Args)]
pub struct Protection {
    #[command(flatten)]
    pub(crate) source: Source,
    /// Do not encrypt the secrets
    #[arg(long, conflicts_with = "passphrase_file")]
    pub(crate) plaintext: bool,
}

impl Protection {
    /// For a demonstration without a given passphrase: makes one up, and returns it.
    pub(crate) fn make_up(&mut self) -> Option<String> {
        if !self.plaintext && self.source.is_silent() {
            self.source.public = Some(fresh_name("demo-"));
        }
        self.source.public.clone()
    }

    /// The vault of a wallet without any secret yet.
    pub(crate) fn vault(&self) -> Result<Vault> {
        if self.plaintext {
            return Ok(Vault::plaintext());
        }
        let (passphrase, rng) = (self.source.new_one()?, &mut UnwrapErr(SysRng));
        Vault::encrypted(self.source.clone(), &passphrase, Argon2id::fresh(rng))
    }
}

impl fmt::Display for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.plaintext { "not encrypted" } else { "encrypted" })
    }
}

/// The parties, and the number of them that it takes to sign: one process plays them all.
pub(crate) const NUMBERS: RangeInclusive<i64> = 2..=100;

/// The wallet that the user asks for.
#[derive(Clone, Debug, Args)]
pub struct New {
    /// Its folder, which must be new or empty
    #[arg(long)]
    pub(crate) dir: PathBuf,
    /// The signatures that it makes. Those named ecdsa-… are ECDSA, those named ml-dsa-… are ML-DSA (FIPS 204), experimental, all
    /// others are Schnorr
    #[arg(long)]
    pub(crate) suite: Suite,
    /// How many parties it takes to sign
    #[arg(long, value_parser = value_parser!(u16).range(NUMBERS))]
    pub(crate) threshold: u16,
    /// How many parties there are
    #[arg(long, value_parser = value_parser!(u16).range(NUMBERS))]
    pub(crate) parties: u16,
    /// The level of the big moduli of ECDSA: 128, of 3072 bits, or 112, of 2048. 128 unless given
    #[arg(long, value_parser = level())]
    pub(crate) level: Option<Level>,
    /// Make a PRF key with it, by which the parties derive hardened children; not for ML-DSA. Nothing adds one later
    #[arg(long)]
    pub(crate) hardened: bool,
    #[command(flatten)]
    pub(crate) protection: Protection,
}

/// The ids of the sessions that make a wallet.
pub(crate) struct Plan {
    /// The session that makes the key.
    pub(crate) keygen: SessionId,
    /// The session that makes the auxiliary information.
    pub(crate) aux_info: SessionId,
}

/// The parts of a result, each in a file of its own.
pub(crate) struct Form<T> {
    /// The public part, the same for all parties; empty if there is none.
    pub(crate) public: fn(&T) -> Vec<u8>,
    /// The file with the public part.
    pub(crate) made: &'static str,
    /// The ending of the file with the secret part.
    pub(crate) file: &'static str,
    /// The secret part.
    pub(crate) secret: fn(&T) -> Zeroizing<Vec<u8>>,
}

/// A wallet that is being made, in this process alone.
pub struct Making {
    pub(crate) home: Home,
    pub(crate) new: New,
    pub(crate) parties: Parties,
    pub(crate) plan: Plan,
}

impl Making {
    /// Begins a wallet, or resumes the one in the folder.
    pub(crate) fn begin(new: &New, suite: &str, out: &mut Out) -> Result<Self> {
        let dir = &new.dir;
        check_folder(dir)?;
        if let Some(parent) = dir.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(Failure::file("create", parent))?;
        }
        private_dir(dir)?;
        // Before there is a secret in it.
        disk::tighten(dir)?;
        let lock = Lock::alone(dir, "keygen")?;
        // No other process writes from here on. A file that a killed process has left unfinished may be a secret.
        check_folder(dir)?;
        disk::delete_unfinished(dir)?;
        let what = new.what(suite);
        let (plan, vault) = match Plan::read(dir, &what, &new.protection)? {
            None => Plan::write(dir, &what, &new.protection)?,
            Some(found) => {
                writeln!(out, "Resumes the wallet in {}.\n", dir.display());
                found
            }
        };
        // Not before there is a plan, because a folder without one must be empty.
        disk::delete_unfinished(&sessions::folder(dir)?)?;
        let (home, parties) = (Home::with(dir, vault, lock), Parties::numbered(new.parties)?);
        Ok(Self { home, new: new.clone(), parties, plan })
    }

    /// Runs a protocol among all parties, or resumes it where it was interrupted. Each party's result is stored with the end of
    /// its run, then in its files.
    pub(crate) fn run<P: Protocol<Output: Record>>(
        &self,
        sid: SessionId,
        params: impl Fn(PartyId) -> Result<P::Params>,
        form: &Form<P::Output>,
    ) -> Result<Run<P::Output>> {
        let (mut all, parties) = (Vec::new(), &self.parties);
        for me in parties.iter() {
            let params = params(me)?;
            let context = Session::<P>::context_of(sid, parties, &params);
            let file = SessionFile::of(&self.home, me, context)?;
            let stored: Stored<_> = (file, Record::to_bytes, Record::from_bytes);
            all.push((params, Some(stored)));
        }
        let keep = &mut |me, output: &P::Output| self.keep(me, form, output);
        Ok(rounds::resume::<P>((sid, parties), all, &mut |_| {}, keep)?)
    }

    /// Stores a party's result in its files, unless it is there: the public side of the key before the share.
    fn keep<T>(&self, me: PartyId, form: &Form<T>, output: &T) -> Result {
        let (path, public) = (self.home.path(form.made), (form.public)(output));
        match disk::read(&path)? {
            _ if public.is_empty() => {}
            None => disk::replace(&path, &public, Privacy::Everyone)?,
            Some(of_others) => {
                ensure!(of_others == public, "party {me} has another public key than the others");
            }
        }
        let file = name(me, form.file);
        match self.home.secret_if_there(&file)? {
            Some(_) => Ok(()),
            None => self.home.keep_secret(&file, &(form.secret)(output)),
        }
    }

    /// Writes the public side of the key, with which the wallet is complete.
    pub(crate) fn finish(self, public: &[u8]) -> Result {
        disk::replace(&self.home.path(PUBLIC), public, Privacy::Everyone)?;
        // The wallet is complete. What fails here is done again by the next process that opens it.
        end(self.home.dir()).and_then(|()| tidy(self.home.dir())).ok();
        Ok(())
    }
}

impl New {
    fn what(&self, suite: &str) -> String {
        let Self { threshold, parties, .. } = self;
        let level = match self.level {
            None => "",
            Some(Level::Bits112) => ", level 112",
            Some(_) => ", level 128",
        };
        let hardened = if self.hardened { ", hardened children" } else { "" };
        format!("{suite}, threshold {threshold} of {parties}{level}{hardened}")
    }
}

/// The file is written before anything else, and is not secret: `keygen (32) ‖ aux_info (32) ‖ the beginning of each encrypted
/// file, unless secrets are in clear ‖ what the wallet is`.
impl Plan {
    /// Plans a wallet.
    fn write(dir: &Path, what: &str, protection: &Protection) -> Result<(Self, Vault)> {
        let [keygen, aux_info] = [fresh_sid(), fresh_sid()];
        let vault = protection.vault()?;
        let (ids, header) = ([*keygen.as_bytes(), *aux_info.as_bytes()].concat(), vault.header());
        let bytes = [PLAN_MAGIC, &ids, &*header, what.as_bytes()].concat();
        disk::replace(&dir.join(PLAN), &bytes, Privacy::Everyone)?;
        Ok((Self { keygen, aux_info }, vault))
    }

    /// The plan in the folder, if there is one, and the vault with which the work is resumed; the user must want the same wallet
    /// as before.
    fn read(dir: &Path, what: &str, protection: &Protection) -> Result<Option<(Self, Vault)>> {
        let path = dir.join(PLAN);
        let Some(bytes) = disk::read(&path)? else { return Ok(None) };
        let damaged = || Failure::at(&path, "is damaged");
        let (plan, argon2id, was) = Self::parse(&bytes).ok_or_else(damaged)?;
        let (was, is) = match (argon2id, protection.plaintext) {
            _ if was != what => (was, what),
            (None, false) => ("in plaintext", "encrypted"),
            (Some(_), true) => ("encrypted", "in plaintext"),
            (None, true) => return Ok(Some((plan, Vault::plaintext()))),
            (Some(argon2id), false) => {
                let source = protection.source.clone();
                let passphrase = source.known()?;
                return Ok(Some((plan, Vault::encrypted(source, &passphrase, argon2id)?)));
            }
        };
        bail!(
            "the unfinished wallet in {} is {was}, not {is}: resume it, or delete the folder",
            dir.display()
        )
    }

    /// The plan, the parameters of the key that encrypts the secrets, and what the wallet is.
    fn parse(bytes: &[u8]) -> Option<(Self, Option<Argon2id>, &str)> {
        let mut reader = Reader::new(bytes.strip_prefix(PLAN_MAGIC)?);
        let mut sid = || reader.array().ok().map(SessionId::new);
        let plan = Self { keygen: sid()?, aux_info: sid()? };
        let rest = reader.bytes(reader.remaining()).ok()?;
        let encrypted = vault::split(rest).ok()?;
        let (argon2id, what) =
            encrypted.map_or((None, rest), |(argon2id, what)| (Some(argon2id), what));
        // Shares are sealed under it, and nothing has shown that it is this wallet's.
        let is_weak = argon2id.is_some_and(|argon2id| argon2id.is_weak());
        let what = core::str::from_utf8(what).ok()?;
        (!is_weak).then_some((plan, argon2id, what))
    }
}

/// Forgets the messages of a key generation when the wallet is complete: all parties have their results. The tombstones of the
/// sessions stay. No other process may have the wallet.
pub(crate) fn end(dir: &Path) -> Result {
    disk::delete_unfinished(dir)?;
    disk::delete_unfinished(&sessions::folder(dir)?)?;
    sessions::forget_messages(dir)?;
    disk::delete(&dir.join(MADE))
}

/// Deletes the primes of parties that have their auxiliary information. The others still need theirs for it.
pub(crate) fn tidy(dir: &Path) -> Result {
    for path in disk::names(dir)?.into_iter().map(|name| dir.join(name)) {
        let searched = path.extension() == Some(OsStr::new(PRIMES));
        if searched && path.with_extension("aux").exists() {
            disk::delete(&path)?;
        }
    }
    Ok(())
}

/// Refuses a folder with a complete wallet, or with anything that is not part of a wallet.
fn check_folder(dir: &Path) -> Result {
    if dir.join(PUBLIC).exists() {
        return Err(Failure::at(dir, "already holds a wallet; it is not overwritten"));
    }
    if dir.file_name().is_none() {
        return Err(Failure::at(dir, "is no name for a new folder"));
    }
    let names = match fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::file("use", dir)(error)),
        Ok(_) => disk::names(dir)?,
    };
    // Killed before there was a plan.
    let begun = |name: &String| name == lock::NAME || name.starts_with(disk::UNFINISHED);
    let fits = names.iter().any(|name| name == PLAN) || names.iter().all(begun);
    if fits { Ok(()) } else { Err(Failure::at(dir, "is not empty; choose a new folder")) }
}
