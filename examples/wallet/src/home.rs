//! An existing wallet: its folder, the lock on it, and the vault that opens its secrets.
//!
//! | file | what it is |
//! |---|---|
//! | `plan` | the plan of the wallet; written first |
//! | `public.key` | the public side of the key; written last: with it the wallet is complete |
//! | `public.pem` | the public key for others; of ECDSA and ML-DSA |
//! | `party-1.share` | the party's share of the key, secret |
//! | `public.next`, `party-1.next` | the same in the next epoch, until all parties have acknowledged it: see [`change`](super::change) |
//! | `prf.key`, `party-1.prf`, `prf.bound` | of a key with [hardened children](super::hardened) |
//! | `party-1.seal` | the key with which the party seals its working state, secret |
//! | `lock` | see [`lock`](super::lock) |
//!
//! Secrets are encrypted, or all of them in clear: see [`vault`](super::vault).

use std::fs;
use std::path::{Path, PathBuf};

use getrandom::SysRng;
use quorate::session::container::family_code;
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate::{Parties, PartyId, SealKey};
use quorate_examples::{Failure, Result, bail, ensure};

use super::disk::{self, Privacy};
use super::lock::Lock;
use super::making::{self, MADE, PLAN, Protection};
use super::passphrase::Source;
use super::suites::{SUITES, Suite};
use super::vault::Vault;

/// The name of the public side of the key.
pub(crate) const PUBLIC: &str = "public.key";
/// The name of the public key for others.
pub(crate) const PEM: &str = "public.pem";

/// An open wallet. Other processes that sign may have it open, too; no other process changes it meanwhile.
pub struct Home {
    dir: PathBuf,
    vault: Vault,
    _lock: Lock,
}

impl Home {
    /// Opens a wallet for signing.
    pub fn open(dir: &Path, source: Source) -> Result<Self> {
        Self::open_under(dir, source, Lock::shared)
    }

    /// Opens a wallet in this process alone. `doing` tells other processes what it is doing.
    pub fn open_alone(dir: &Path, source: Source, doing: &str) -> Result<Self> {
        let home = Self::open_under(dir, source, |dir| Lock::alone(dir, doing))?;
        disk::delete_unfinished(dir)?;
        Ok(home)
    }

    fn open_under(
        dir: &Path,
        source: Source,
        take: impl FnOnce(&Path) -> Result<Lock>,
    ) -> Result<Self> {
        public(dir)?;
        // Nobody else can exchange its files.
        disk::check_folder(dir)?;
        let paths = disk::names(dir)?.into_iter().map(|name| dir.join(name));
        paths.filter(|path| path.is_dir()).try_for_each(|path| disk::check_folder(&path))?;
        // The key generation was killed when the wallet was complete. If others have it open, one of the next does it.
        if dir.join(MADE).exists()
            && let Ok(_alone) = Lock::alone(dir, "keygen")
        {
            making::end(dir)?;
        }
        let lock = take(dir)?;
        making::tidy(dir)?;
        Ok(Self::with(dir, Vault::of_wallet(source), lock))
    }

    /// Opens a wallet in this process alone, to restore a secret. If no secret is left, the next ones are protected as
    /// `protection` says.
    pub(crate) fn open_to_restore(dir: &Path, protection: &Protection) -> Result<Self> {
        let home = Self::open_alone(dir, protection.source.clone(), "restore")?;
        match disk::names(dir)?.iter().find(|name| name.starts_with("party-")) {
            // Opening one shows how the others are protected.
            Some(name) => home.secret(name).map(drop)?,
            None => return Ok(Self { vault: protection.vault()?, ..home }),
        }
        Ok(home)
    }

    pub(crate) fn with(dir: &Path, vault: Vault, lock: Lock) -> Self {
        Self { dir: dir.to_owned(), vault, _lock: lock }
    }

    /// The wallet's folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The path of a file.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// A secret file's content.
    pub(crate) fn secret(&self, name: &str) -> Result<Zeroizing<Vec<u8>>> {
        let path = self.path(name);
        let bytes = Zeroizing::new(fs::read(&path).map_err(Failure::file("read", &path))?);
        self.vault.open(name, &path, &bytes)
    }

    /// A secret file's content, if it is there.
    pub(crate) fn secret_if_there(&self, name: &str) -> Result<Option<Zeroizing<Vec<u8>>>> {
        if self.path(name).exists() { self.secret(name).map(Some) } else { Ok(None) }
    }

    /// Writes a secret file.
    pub(crate) fn keep_secret(&self, name: &str, content: &[u8]) -> Result {
        let bytes = Zeroizing::new(self.vault.close(name, content)?);
        disk::replace(&self.path(name), &bytes, Privacy::OwnerOnly)
    }

    /// The key with which a party seals.
    pub(crate) fn seal_key(&self, party: PartyId) -> Result<SealKey> {
        let name = name(party, "seal");
        let key = <[u8; 32]>::try_from(self.secret(&name)?.as_slice());
        let damaged = |_| Failure::at(&self.path(&name), "is damaged");
        key.map(SealKey::new).map_err(damaged)
    }

    /// Makes the key with which a party seals, unless it is there.
    pub(crate) fn make_seal_key(&self, party: PartyId) -> Result<SealKey> {
        let name = name(party, "seal");
        if !self.path(&name).exists() {
            let key = SealKey::generate(&mut UnwrapErr(SysRng))?;
            self.keep_secret(&name, key.to_secret_bytes().as_slice())?;
        }
        self.seal_key(party)
    }
}

/// The name of one of a party's files: `party-1.share`.
#[must_use]
pub fn name(party: PartyId, what: &str) -> String {
    format!("party-{}.{what}", party.get())
}

/// Makes sure that the public key for others, if it is there, is that of this wallet.
pub(crate) fn check_pem(dir: &Path, pem: &str) -> Result {
    let path = dir.join(PEM);
    let own = disk::read(&path)?.is_none_or(|found| found == pem.as_bytes());
    if own { Ok(()) } else { Err(Failure::at(&path, "is not the public key of this wallet")) }
}

/// The public side of the key, as it was written.
pub(crate) fn public(dir: &Path) -> Result<Vec<u8>> {
    let shown = dir.display();
    match disk::read(&dir.join(PUBLIC))? {
        Some(bytes) => Ok(bytes),
        None if dir.join(PLAN).exists() => {
            // If another process is at work on it, the error should say that.
            Lock::shared(dir)?;
            bail!("the wallet in {shown} is not complete: run its keygen again, which resumes it")
        }
        None => bail!("there is no wallet in {shown} (no {PUBLIC})"),
    }
}

/// The public side of the key, decoded.
pub(crate) fn public_as<T, E: core::fmt::Display>(
    dir: &Path,
    decode: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T> {
    decode(&public(dir)?).map_err(Failure::about(&dir.join(PUBLIC), "is damaged"))
}

/// Refuses a party that the wallet does not have.
pub(crate) fn check_party(party: PartyId, parties: &Parties) -> Result {
    let count = parties.len();
    ensure!(parties.contains(party), "party {party} is not one of the {count} of this wallet");
    Ok(())
}

/// The suite of the wallet in `dir`, which must be the `expected` one.
pub(crate) fn suite_of(dir: &Path, expected: Option<Suite>) -> Result<Suite> {
    let family = family_code(&public(dir)?).ok();
    let found = SUITES.iter().find(|suite| family == Some(suite.family));
    let damaged = || Failure::at(&dir.join(PUBLIC), "is damaged: it names no suite");
    let found = found.ok_or_else(damaged)?;
    match expected {
        Some(expected) if expected.name != found.name => bail!(
            "wrong suite: the wallet in {} is for {}, not {}",
            dir.display(),
            found.name,
            expected.name
        ),
        _ => Ok(*found),
    }
}
