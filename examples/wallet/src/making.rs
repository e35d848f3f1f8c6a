//! A new wallet, from its plan to its public key. Killed at any moment, it is gone on with by the
//! same command.

use core::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use getrandom::SysRng;
use quorate::session::Protocol;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::{Parties, PartyId, Session, SessionId};
use quorate_examples::failure::Failure;
use quorate_examples::files::{fresh_name, hex};
use quorate_examples::out::Out;
use quorate_paillier::Level;

use super::disk::{self, Privacy, private_dir, write_whole};
use super::form::Form;
use super::home::{Home, name, public_path};
use super::lock::{self, Lock};
use super::passphrase::Source;
use super::rounds::{self, Run, Seat};
use super::sessions::{self, Found, SessionStore};
use super::vault::{Kdf, Vault};

/// The public side of a key, until all parties have it.
const MADE: &str = "public.made";
/// The ending of the file with a party's search for primes.
pub(crate) const PRIMES: &str = "primes";
/// The plan's name.
pub(crate) const PLAN: &str = "plan";
const VERSION: &str = "quorate wallet 1";

/// The protection of a new wallet's secrets.
#[derive(Clone, Debug)]
pub enum Protection {
    /// Encrypted, under this passphrase.
    Passphrase(Source),
    /// In clear.
    Plaintext,
}

impl Protection {
    /// For a demonstration, where nothing was said about a passphrase: makes one up, and says
    /// which.
    pub(crate) fn make_up(&mut self) -> Option<String> {
        match self {
            Self::Passphrase(source) if source.is_silent() => {
                source.public = Some(fresh_name("demo-"));
                source.public.clone()
            }
            _ => None,
        }
    }

    /// The vault of a wallet of which there is no secret yet.
    pub(crate) fn vault(&self) -> Result<Vault, Failure> {
        match self {
            Self::Plaintext => Ok(Vault::plaintext()),
            Self::Passphrase(source) => Ok(Vault::encrypted(source.new_one()?, Kdf::fresh())),
        }
    }
}

impl fmt::Display for Protection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passphrase(_) => "encrypted",
            Self::Plaintext => "not encrypted",
        })
    }
}

/// The wallet that the user asks for.
#[derive(Clone, Debug)]
pub struct New {
    /// The wallet's folder.
    pub dir: PathBuf,
    /// The threshold.
    pub threshold: u16,
    /// The number of parties.
    pub parties: u16,
    /// The level of ECDSA.
    pub level: Option<Level>,
    /// The protection of the secrets.
    pub protection: Protection,
}

/// The plan of a wallet, written before anything else. Not secret.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Plan {
    /// Suite, threshold, parties, level: the same line means the same wallet.
    what: String,
    /// Under which the secrets are; none for those in clear.
    kdf: Option<Kdf>,
    /// The ids of the two sessions.
    keygen: [u8; 32],
    aux_info: [u8; 32],
}

/// A wallet that is being made, in this process alone.
pub(crate) struct Making {
    pub(crate) home: Home,
    plan: Plan,
}

impl Making {
    /// Begins a wallet, or goes on with the one in the folder.
    pub(crate) fn begin(new: &New, suite: &str, out: &mut Out) -> Result<Self, Failure> {
        let dir = &new.dir;
        check_folder(dir)?;
        if let Some(parent) = dir.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(Failure::file("create", parent))?;
        }
        private_dir(dir)?;
        let lock = Lock::alone(dir, "keygen")?;
        // Nobody else writes from here on. What a process has left that was killed while it wrote
        // may be a secret.
        check_folder(dir)?;
        disk::delete_unfinished(dir)?;
        let what = new.what(suite);
        let (plan, vault, resumed) = match Plan::read(dir)? {
            Some(plan) => (plan.clone(), plan.resume(dir, &what, &new.protection)?, true),
            None => {
                let (plan, vault) = Plan::fresh(what, &new.protection)?;
                write_whole(&dir.join(PLAN), plan.text().as_bytes(), Privacy::Everyone)?;
                (plan, vault, false)
            }
        };
        disk::delete_unfinished(&sessions::folder(dir)?)?;
        if resumed {
            out.line(format_args!("Goes on with the wallet in {}.\n", dir.display()));
        }
        Ok(Self { home: Home::with(dir, vault, lock), plan })
    }

    /// Runs a protocol among all parties, or goes on with it where it was interrupted. Each party's
    /// result is stored with the end of its run, then in its files.
    pub(crate) fn run<P: Protocol>(
        &self,
        sid: SessionId,
        parties: &Parties,
        params: impl Fn(PartyId) -> Result<P::Params, Failure>,
        form: &Form<P::Output>,
    ) -> Result<Run<P::Output>, Failure> {
        let mut seats = Vec::<Seat<P, _>>::new();
        for me in parties.iter() {
            let params = params(me)?;
            let context = Session::<P>::context_of(sid, parties, &params);
            let (store, found) = SessionStore::of(&self.home, me, &context)?;
            seats.push(match found {
                Found::Run => Seat::Runs { me, key: store.key(), store, params },
                Found::Tombstone => {
                    let output = self.load(me, form);
                    let output = output.map_err(|why| rounds::over(me, &why.to_string()))?;
                    Seat::Over(output)
                }
            });
        }
        let keep = |me, output: &P::Output| self.keep(me, form, output);
        Ok(rounds::go_on((sid, parties), seats, *form, keep)?)
    }

    /// Stores a party's result in its files, unless it is there.
    fn keep<T>(&self, me: PartyId, form: &Form<T>, output: &T) -> Result<(), Failure> {
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

    /// A party's result from its files.
    fn load<T>(&self, me: PartyId, form: &Form<T>) -> Result<T, Failure> {
        let public = disk::read(&self.home.dir().join(MADE))?.unwrap_or_default();
        (form.read)(&public, &self.home.secret(&name(me, form.file))?)
    }

    /// Stores the public side of the key as one party has it, before that party's share.
    fn keep_public(&self, me: PartyId, public: &[u8]) -> Result<(), Failure> {
        let path = self.home.dir().join(MADE);
        match disk::read(&path)? {
            Some(of_others) if *of_others != *public => {
                Err(Failure::new(format!("party {me} has another public key than the others")))
            }
            Some(_) => Ok(()),
            None => write_whole(&path, public, Privacy::Everyone),
        }
    }

    /// The id of the session that makes the key.
    pub(crate) const fn keygen(&self) -> SessionId {
        SessionId::new(self.plan.keygen)
    }

    /// The id of the session that makes the auxiliary information.
    pub(crate) const fn aux_info(&self) -> SessionId {
        SessionId::new(self.plan.aux_info)
    }

    /// Writes the public side of the key, with which the wallet is complete.
    pub(crate) fn finish(self, public: &[u8]) -> Result<Home, Failure> {
        // All parties have their results, and nobody needs the messages any more. That the sessions
        // have ended is not forgotten.
        sessions::forget_messages(&self.home)?;
        write_whole(&public_path(self.home.dir()), public, Privacy::Everyone)?;
        tidy(self.home.dir())?;
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
    fn fresh(what: String, protection: &Protection) -> Result<(Self, Vault), Failure> {
        let random = || {
            let mut bytes = [0; 32];
            UnwrapErr(SysRng).fill_bytes(&mut bytes);
            bytes
        };
        let (kdf, vault) = match protection {
            Protection::Plaintext => (None, Vault::plaintext()),
            Protection::Passphrase(source) => {
                let kdf = Kdf::fresh();
                (Some(kdf), Vault::encrypted(source.new_one()?, kdf))
            }
        };
        Ok((Self { what, kdf, keygen: random(), aux_info: random() }, vault))
    }

    /// The vault to go on with; the user must want the same wallet as before.
    fn resume(&self, dir: &Path, what: &str, protection: &Protection) -> Result<Vault, Failure> {
        let other = |was: &str, is: &str| {
            Failure::new(format!(
                "the unfinished wallet in {} is {was}, not {is}: go on with it, or delete the folder",
                dir.display()
            ))
        };
        if self.what != what {
            return Err(other(&self.what, what));
        }
        match (self.kdf, protection) {
            (None, Protection::Plaintext) => Ok(Vault::plaintext()),
            (Some(kdf), Protection::Passphrase(source)) => {
                Ok(Vault::encrypted(source.known()?, kdf))
            }
            (None, Protection::Passphrase(_)) => Err(other("in plaintext", "encrypted")),
            (Some(_), Protection::Plaintext) => Err(other("encrypted", "in plaintext")),
        }
    }

    fn text(&self) -> String {
        let secrets = self.kdf.map_or("plaintext".to_owned(), |kdf| hex(&kdf.header()));
        let (keygen, aux_info) = (hex(&self.keygen), hex(&self.aux_info));
        let what = &self.what;
        format!(
            "{VERSION}\nwallet {what}\nsecrets {secrets}\nkeygen {keygen}\naux-info {aux_info}\n"
        )
    }

    fn read(dir: &Path) -> Result<Option<Self>, Failure> {
        let path = dir.join(PLAN);
        let Some(bytes) = disk::read(&path)? else { return Ok(None) };
        let plan = core::str::from_utf8(&bytes).ok().and_then(Self::parse);
        match plan {
            Some(plan) => Ok(Some(plan)),
            None => Err(Failure::new(format!("{} is damaged", path.display()))),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut line = |name: &str| lines.next()?.strip_prefix(name);
        line(VERSION)?;
        let what = line("wallet ")?.to_owned();
        let kdf = match line("secrets ")? {
            "plaintext" => None,
            header => Some(Kdf::split(&unhex(header)?).ok()??.0),
        };
        let keygen = unhex(line("keygen ")?)?.try_into().ok()?;
        let aux_info = unhex(line("aux-info ")?)?.try_into().ok()?;
        Some(Self { what, kdf, keygen, aux_info })
    }
}

/// Deletes what was needed to make a wallet that is complete. The primes of a party that has no auxiliary information
/// yet are still to become that.
pub(crate) fn tidy(dir: &Path) -> Result<(), Failure> {
    disk::delete(&dir.join(MADE))?;
    for entry in fs::read_dir(dir).map_err(Failure::file("read", dir))? {
        let path = entry?.path();
        let searched = path.extension().is_some_and(|ending| ending == PRIMES);
        if searched && path.with_extension("aux").exists() {
            disk::delete(&path)?;
        }
    }
    Ok(())
}

/// Refuses a folder with a complete wallet, or with anything that is no wallet.
fn check_folder(dir: &Path) -> Result<(), Failure> {
    let shown = dir.display();
    if public_path(dir).exists() {
        return Err(Failure::new(format!("{shown} already holds a wallet; it is not overwritten")));
    }
    if dir.file_name().is_none() {
        return Err(Failure::new(format!("{shown} is no name for a new folder")));
    }
    let names = match fs::read_dir(dir) {
        Ok(entries) => entries.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<_>>(),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    let names: Vec<_> = names.map_err(Failure::file("use", dir))?;
    // Killed before there was a plan.
    let begun = |name: &std::ffi::OsString| {
        name == lock::NAME || name.as_encoded_bytes().starts_with(disk::UNFINISHED.as_bytes())
    };
    if names.iter().any(|name| name == PLAN) || names.iter().all(begun) {
        return Ok(());
    }
    Err(Failure::new(format!("{shown} is not empty; choose a new folder")))
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect();
    let mut digits = digits?.into_iter();
    let mut bytes = Vec::new();
    while let Some(high) = digits.next() {
        bytes.push((high << 4) | digits.next()?);
    }
    Some(bytes)
}
