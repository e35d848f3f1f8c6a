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
use quorate::session::Protocol;
use quorate::session::passphrase::Argon2id;
use quorate::session::rand_core::UnwrapErr;
use quorate::{Parties, PartyId, Session, SessionId};
use quorate_examples::args::level;
use quorate_examples::files::{fresh_name, hex};
use quorate_examples::{Failure, Out, Result, bail};
use quorate_paillier::Level;

use super::disk::{self, Privacy, private_dir};
use super::home::{Home, PUBLIC, name};
use super::lock::{self, Lock};
use super::passphrase::Source;
use super::rounds::{self, Form, Run, fresh_sid};
use super::sessions::{self, SessionFile};
use super::suites::Suite;
use super::vault::{self, Vault};

/// The public side of a key, until its generation has ended.
pub(crate) const MADE: &str = "public.made";
/// The ending of the file with a party's search for primes.
pub(crate) const PRIMES: &str = "primes";
/// The plan's name.
pub(crate) const PLAN: &str = "plan";
const VERSION: &str = "quorate wallet 1";

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
        Ok(self.new_vault()?.1)
    }

    fn new_vault(&self) -> Result<(Option<Argon2id>, Vault)> {
        if self.plaintext {
            return Ok((None, Vault::plaintext()));
        }
        let kdf = Argon2id::fresh(&mut UnwrapErr(SysRng));
        Ok((Some(kdf), Vault::encrypted(self.source.new_one()?, kdf)))
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
    #[command(flatten)]
    pub(crate) protection: Protection,
}

/// The plan of a wallet, written before anything else. Not secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    /// Suite, threshold, parties, level: equal lines mean the same wallet.
    what: String,
    /// The parameters of the key that encrypts the secrets; none for secrets in clear.
    kdf: Option<Argon2id>,
    /// The id of the session that makes the key.
    pub(crate) keygen: SessionId,
    /// The id of the session that makes the auxiliary information.
    pub(crate) aux_info: SessionId,
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
        let (plan, vault) = match Plan::read(dir)? {
            None => Plan::write(dir, what, &new.protection)?,
            Some(plan) => {
                let vault = plan.resume(dir, &what, &new.protection)?;
                out.line(format_args!("Resumes the wallet in {}.\n", dir.display()));
                (plan, vault)
            }
        };
        // Not before there is a plan, because a folder without one must be empty.
        disk::delete_unfinished(&sessions::folder(dir)?)?;
        let (home, parties) = (Home::with(dir, vault, lock), Parties::numbered(new.parties)?);
        Ok(Self { home, new: new.clone(), parties, plan })
    }

    /// Runs a protocol among all parties, or resumes it where it was interrupted. Each party's result is stored with the end of
    /// its run, then in its files.
    pub(crate) fn run<P: Protocol>(
        &self,
        sid: SessionId,
        params: impl Fn(PartyId) -> Result<P::Params>,
        form: &Form<P::Output>,
    ) -> Result<Run<P::Output>> {
        let (mut all, parties) = (Vec::new(), &self.parties);
        for me in parties.iter() {
            let params = params(me)?;
            let context = Session::<P>::context_of(sid, parties, &params);
            all.push((params, Some((SessionFile::of(&self.home, me, context)?, form))));
        }
        let keep = &mut |me, output: &P::Output| self.keep(me, form, output);
        Ok(rounds::resume::<P>((sid, parties), all, &mut |_| {}, keep)?)
    }

    /// Stores a party's result in its files, unless it is there.
    fn keep<T>(&self, me: PartyId, form: &Form<T>, output: &T) -> Result {
        let public = (form.public)(output);
        if !public.is_empty() {
            self.keep_public(me, &public)?;
        }
        let file = name(me, form.file);
        match self.home.secret_if_there(&file)? {
            Some(_) => Ok(()),
            None => self.home.keep_secret(&file, &(form.secret)(output)),
        }
    }

    /// Stores the public side of the key as one party has it, before that party's share.
    fn keep_public(&self, me: PartyId, public: &[u8]) -> Result {
        let path = self.home.path(MADE);
        match disk::read(&path)? {
            Some(of_others) if *of_others != *public => {
                bail!("party {me} has another public key than the others")
            }
            Some(_) => Ok(()),
            None => disk::replace(&path, public, Privacy::Everyone),
        }
    }

    /// Writes the public side of the key, with which the wallet is complete.
    pub(crate) fn finish(self, public: &[u8]) -> Result<Home> {
        disk::replace(&self.home.path(PUBLIC), public, Privacy::Everyone)?;
        // The wallet is complete. What fails here is done again by the next process that opens it.
        end(self.home.dir()).and_then(|()| tidy(self.home.dir())).ok();
        self.home.share()
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
        format!("{suite}, threshold {threshold} of {parties}{level}")
    }
}

impl Plan {
    /// Makes a plan.
    fn write(dir: &Path, what: String, protection: &Protection) -> Result<(Self, Vault)> {
        let (kdf, vault) = protection.new_vault()?;
        let plan = Self { what, kdf, keygen: fresh_sid(), aux_info: fresh_sid() };
        disk::replace(&dir.join(PLAN), plan.text().as_bytes(), Privacy::Everyone)?;
        Ok((plan, vault))
    }

    /// The vault with which the work is resumed; the user must want the same wallet as before.
    fn resume(&self, dir: &Path, what: &str, protection: &Protection) -> Result<Vault> {
        let other = |was: &str, is: &str| {
            bail!(
                "the unfinished wallet in {} is {was}, not {is}: resume it, or delete the folder",
                dir.display()
            )
        };
        match (self.kdf, protection.plaintext) {
            _ if self.what != what => other(&self.what, what),
            (None, true) => Ok(Vault::plaintext()),
            (Some(kdf), false) => Ok(Vault::encrypted(protection.source.known()?, kdf)),
            (None, false) => other("in plaintext", "encrypted"),
            (Some(_), true) => other("encrypted", "in plaintext"),
        }
    }

    fn text(&self) -> String {
        let secrets = self.kdf.map_or("plaintext".to_owned(), |kdf| hex(&vault::header(kdf)));
        let [keygen, aux_info] = [self.keygen, self.aux_info].map(|sid| hex(sid.as_bytes()));
        let what = &self.what;
        format!(
            "{VERSION}\nwallet {what}\nsecrets {secrets}\nkeygen {keygen}\naux-info {aux_info}\n"
        )
    }

    fn read(dir: &Path) -> Result<Option<Self>> {
        let path = dir.join(PLAN);
        let Some(bytes) = disk::read(&path)? else { return Ok(None) };
        let plan = core::str::from_utf8(&bytes).ok().and_then(Self::parse);
        let damaged = || Failure::at(&path, "is damaged");
        plan.map(Some).ok_or_else(damaged)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut line = |name: &str| lines.next()?.strip_prefix(name);
        line(VERSION)?;
        let what = line("wallet ")?.to_owned();
        let kdf = match line("secrets ")? {
            "plaintext" => None,
            header => {
                let (kdf, _) = vault::split(&unhex(header)?).ok()??;
                // Shares are sealed under it, and nothing has shown that it is this wallet's.
                if kdf.is_weak() {
                    return None;
                }
                Some(kdf)
            }
        };
        let mut sid = |name| Some(SessionId::new(unhex(line(name)?)?.try_into().ok()?));
        Some(Self { what, kdf, keygen: sid("keygen ")?, aux_info: sid("aux-info ")? })
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

/// Bytes from hexadecimal digits.
fn unhex(text: &str) -> Option<Vec<u8>> {
    let byte = |at: usize| u8::from_str_radix(text.get(at..at.checked_add(2)?)?, 16).ok();
    (0..text.len()).step_by(2).map(byte).collect()
}
