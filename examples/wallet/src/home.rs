//! A wallet that is there: its folder, the lock on it, and what opens its secrets.
//!
//! | file | what it is |
//! |---|---|
//! | `plan` | what the wallet was to become; written first |
//! | `public.key` | the public side of the key; written last: with it the wallet is complete |
//! | `party-1.share` | the party's share of the key, secret |
//! | `public.next`, `party-1.next` | the same in the next epoch, until all parties have acknowledged it: see [`change`](super::change) |
//! | `party-1.seal` | the key that the party seals its working state with, secret |
//! | `lock` | see [`lock`](super::lock) |
//!
//! Secrets are encrypted, or all of them in clear: see [`vault`](super::vault).

use core::ops::RangeInclusive;
use std::fs;
use std::path::{Path, PathBuf};

use getrandom::SysRng;
use quorate::session::container::family_code;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::zeroize::Zeroizing;
use quorate::{Parties, PartyId, SealKey};
use quorate_examples::failure::Failure;

use super::disk::{self, Privacy, write_whole};
use super::lock::Lock;
use super::making::{self, PLAN, PRIMES, Protection};
use super::passphrase::Source;
use super::suites::{SUITES, Suite};
use super::vault::Vault;

const PUBLIC: &str = "public.key";

/// An open wallet. Others that sign may have it open, too; nobody changes it meanwhile.
pub struct Home {
    dir: PathBuf,
    vault: Vault,
    _lock: Lock,
}

impl Home {
    /// Opens a wallet for signing.
    ///
    /// # Errors
    /// A [`Failure`] if there is none, or another process changes it.
    pub fn open(dir: &Path, source: Source) -> Result<Self, Failure> {
        public(dir)?;
        let lock = Lock::shared(dir)?;
        making::tidy(dir)?;
        Ok(Self::with(dir, Vault::of_wallet(source), lock))
    }

    /// Opens a wallet in this process alone, for `doing` something that others will be told of.
    ///
    /// # Errors
    /// A [`Failure`] if there is none, or another process has it open.
    pub fn open_alone(dir: &Path, source: Source, doing: &str) -> Result<Self, Failure> {
        public(dir)?;
        let lock = Lock::alone(dir, doing)?;
        disk::delete_unfinished(dir)?;
        Ok(Self::with(dir, Vault::of_wallet(source), lock))
    }

    /// Opens a wallet in this process alone, to put a secret back. If none is left, the next ones are protected as
    /// `protection` says.
    ///
    /// # Errors
    /// A [`Failure`] if there is no wallet, another process has it open, or the passphrase is wrong.
    pub fn open_to_restore(dir: &Path, protection: Protection) -> Result<Self, Failure> {
        let source = match &protection {
            Protection::Passphrase(source) => source.clone(),
            Protection::Plaintext => Source::default(),
        };
        let home = Self::open_alone(dir, source, "restore")?;
        match home.secrets()?.first() {
            // What tells how the others are closed.
            Some(name) => home.secret(name).map(drop)?,
            None => return Ok(Self { vault: protection.vault()?, ..home }),
        }
        Ok(home)
    }

    /// The names of the parties' secret files.
    fn secrets(&self) -> Result<Vec<String>, Failure> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.dir).map_err(Failure::file("read", &self.dir))? {
            names.extend(entry?.file_name().into_string().ok());
        }
        names.retain(|name| name.starts_with("party-") && !name.ends_with(PRIMES));
        Ok(names)
    }

    pub(crate) fn with(dir: &Path, vault: Vault, lock: Lock) -> Self {
        Self { dir: dir.to_owned(), vault, _lock: lock }
    }

    /// A wallet that was just made: the lock is shared from now on.
    pub(crate) fn share(self) -> Result<Self, Failure> {
        let Self { dir, vault, _lock } = self;
        drop(_lock);
        Ok(Self { _lock: Lock::shared(&dir)?, dir, vault })
    }

    /// The wallet's folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A secret file's content.
    ///
    /// # Errors
    /// A [`Failure`] if it is not there or does not open.
    pub fn secret(&self, name: &str) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let path = self.dir.join(name);
        let bytes = Zeroizing::new(fs::read(&path).map_err(Failure::file("read", &path))?);
        self.vault.open(&path, &bytes)
    }

    /// A secret file's content, if it is there.
    ///
    /// # Errors
    /// A [`Failure`] if it does not open.
    pub fn secret_if_there(&self, name: &str) -> Result<Option<Zeroizing<Vec<u8>>>, Failure> {
        if self.dir.join(name).exists() { self.secret(name).map(Some) } else { Ok(None) }
    }

    /// Writes a secret file.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be written.
    pub fn keep_secret(&self, name: &str, content: &[u8]) -> Result<(), Failure> {
        let bytes = Zeroizing::new(self.vault.close(name, content)?);
        write_whole(&self.dir.join(name), &bytes, Privacy::OwnerOnly)
    }

    /// The key that a party seals with.
    ///
    /// # Errors
    /// A [`Failure`] if it is not there or does not open.
    pub fn seal_key(&self, party: PartyId) -> Result<SealKey, Failure> {
        let name = name(party, "seal");
        let key = <[u8; 32]>::try_from(self.secret(&name)?.as_slice());
        let damaged = |_| Failure::new(format!("{} is damaged", self.dir.join(&name).display()));
        key.map(SealKey::new).map_err(damaged)
    }

    /// Makes the key that a party seals with, unless it is there.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be written, or is there and does not open.
    pub(crate) fn make_seal_key(&self, party: PartyId) -> Result<SealKey, Failure> {
        let name = name(party, "seal");
        if !self.dir.join(&name).exists() {
            let mut seal = Zeroizing::new([0; 32]);
            UnwrapErr(SysRng).fill_bytes(seal.as_mut_slice());
            self.keep_secret(&name, seal.as_slice())?;
        }
        self.seal_key(party)
    }
}

/// The name of one of a party's files: `party-1.share`.
#[must_use]
pub fn name(party: PartyId, what: &str) -> String {
    format!("party-{}.{what}", party.get())
}

/// The path of the public side of the key.
#[must_use]
pub fn public_path(dir: &Path) -> PathBuf {
    dir.join(PUBLIC)
}

/// The public key for others.
pub(crate) fn pem_path(dir: &Path) -> PathBuf {
    dir.join("public.pem")
}

/// Writes the public key for others.
pub(crate) fn write_pem(dir: &Path, pem: &str) -> Result<(), Failure> {
    write_whole(&pem_path(dir), pem.as_bytes(), Privacy::Everyone)
}

/// Makes sure that the public key for others, if it is there, is that of this wallet.
///
/// # Errors
/// A [`Failure`] if it is not.
pub(crate) fn check_pem(dir: &Path, pem: &str) -> Result<(), Failure> {
    let path = pem_path(dir);
    if disk::read(&path)?.is_none_or(|found| found == pem.as_bytes()) {
        return Ok(());
    }
    Err(Failure::new(format!("{} is not the public key of this wallet", path.display())))
}

/// The public side of the key, as it was written.
///
/// # Errors
/// A [`Failure`] if there is no wallet, or it is not complete.
pub fn public(dir: &Path) -> Result<Vec<u8>, Failure> {
    let shown = dir.display();
    match disk::read(&public_path(dir))? {
        Some(bytes) => Ok(bytes),
        None if dir.join(PLAN).exists() => {
            // If somebody is at work on it, that is the thing to say.
            Lock::shared(dir)?;
            Err(Failure::new(format!(
                "the wallet in {shown} is not complete: run its keygen again, which goes on with it"
            )))
        }
        None => Err(Failure::new(format!("there is no wallet in {shown} (no {PUBLIC})"))),
    }
}

/// The public side of the key, decoded.
///
/// # Errors
/// A [`Failure`] if it is not there or is damaged.
pub(crate) fn public_as<T, E: core::fmt::Display>(
    dir: &Path,
    decode: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T, Failure> {
    decode(&public(dir)?).map_err(|error| {
        Failure::new(format!("{} is damaged: {error}", public_path(dir).display()))
    })
}

/// The text for a party that the wallet does not have.
pub(crate) fn no_such_party(party: PartyId, parties: &Parties) -> Failure {
    Failure::new(format!("party {party} is not one of the {} of this wallet", parties.len()))
}

/// The suite of the wallet in `dir`.
///
/// # Errors
/// A [`Failure`] if there is no wallet, or if it has another suite than `expected`.
pub fn suite_of(dir: &Path, expected: Option<Suite>) -> Result<Suite, Failure> {
    let bytes = public(dir)?;
    let family = family_code(&bytes).ok();
    let found = SUITES.iter().find(|suite| family == Some(suite.family));
    let path = public_path(dir);
    let found = *found
        .ok_or_else(|| Failure::new(format!("{} is damaged: it names no suite", path.display())))?;
    match expected {
        Some(expected) if expected.name != found.name => Err(Failure::new(format!(
            "wrong suite: the wallet in {} is for {}, not {}",
            dir.display(),
            found.name,
            expected.name
        ))),
        _ => Ok(found),
    }
}

/// Writes a signature. An earlier signature, by its length, is replaced, any other file is not.
///
/// # Errors
/// A [`Failure`] if it cannot be written.
pub fn write_signature(
    path: &Path,
    signature: &[u8],
    lengths: RangeInclusive<u64>,
) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() || !lengths.contains(&there.len()) => {
            let path = path.display();
            return Err(Failure::new(format!("{path} is no signature; it is not overwritten")));
        }
        _ => {}
    }
    write_whole(path, signature, Privacy::Everyone)
}
