//! A wallet's folder: `public.key`, `party-1.share`, `party-2.share`, …
//!
//! Files appear whole or not at all: each is written under another name and then renamed. A new
//! wallet is made in a folder of another name, so it is never there by halves either.

use core::ops::RangeInclusive;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use quorate::PartyId;
use quorate::frost::generic::{KeyShare, PublicKeyPackage};
use quorate::session::zeroize::Zeroizing;

use super::suites::{SUITES, Suite, WalletSuite};
use quorate_examples::failure::Failure;
use quorate_examples::files::{check_empty, fresh_name};

const PUBLIC: &str = "public.key";

/// Where a party's share is.
#[must_use]
pub fn share_path(dir: &Path, party: PartyId) -> PathBuf {
    dir.join(format!("party-{}.share", party.get()))
}

/// Where the public key package is.
#[must_use]
pub fn public_path(dir: &Path) -> PathBuf {
    dir.join(PUBLIC)
}

/// Refuses a folder that has something in it.
///
/// # Errors
/// A [`Failure`] that says what is there.
pub fn check_new(dir: &Path) -> Result<(), Failure> {
    if public_path(dir).exists() {
        let dir = dir.display();
        return Err(Failure::new(format!("{dir} already holds a wallet; it is not overwritten")));
    }
    check_empty(dir)
}

/// Makes a new wallet, in a folder that `fill` puts the files into.
///
/// # Errors
/// A [`Failure`]; then nothing has been written.
pub fn create(dir: &Path, fill: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
    check_new(dir)?;
    let name = dir
        .file_name()
        .ok_or_else(|| Failure::new(format!("{} is no name for a new folder", dir.display())))?;
    if let Some(parent) = dir.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(parent).map_err(Failure::file("create", parent))?;
    }
    let hidden = format!(".{}.", name.to_string_lossy());
    let new = dir.with_file_name(fresh_name(&hidden));
    let made = private_dir(&new).map_err(Failure::file("create", &new));
    let written = made.and_then(|()| fill(&new)).and_then(|()| {
        // Refused by the system if somebody else has put a wallet there in the meantime.
        fs::rename(&new, dir).map_err(Failure::file("create", dir))
    });
    if written.is_err() {
        fs::remove_dir_all(&new).ok();
    }
    written
}

/// Which suite the wallet in `dir` has.
///
/// # Errors
/// A [`Failure`] if there is no wallet, or if it has another suite than `expected`.
pub fn suite_of(dir: &Path, expected: Option<Suite>) -> Result<Suite, Failure> {
    let path = public_path(dir);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let dir = dir.display();
            return Err(Failure::new(format!("there is no wallet in {dir} (no {PUBLIC})")));
        }
        Err(error) => return Err(Failure::file("read", &path)(error)),
    };
    // The second and the third byte of every stored form: what it is, and of which suite.
    let found = SUITES.iter().find(|suite| bytes.get(1..3) == Some(&suite.head));
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

/// Reads the public key package.
///
/// # Errors
/// A [`Failure`] if it is not there or is damaged.
pub fn open_public<S: WalletSuite>(dir: &Path) -> Result<PublicKeyPackage<S>, Failure> {
    let path = public_path(dir);
    let bytes = fs::read(&path).map_err(Failure::file("read", &path))?;
    PublicKeyPackage::from_bytes(&bytes)
        .map_err(|error| Failure::new(format!("{} is damaged: {error}", path.display())))
}

/// Reads a party's share and makes sure that it is this party's share of this key.
///
/// # Errors
/// A [`Failure`] if the party has none, or if it is damaged or another one.
pub fn open_share<S: WalletSuite>(
    dir: &Path,
    party: PartyId,
    public: &PublicKeyPackage<S>,
) -> Result<KeyShare<S>, Failure> {
    let Some(expected) = public.verifying_share(party) else {
        let count = public.parties().len();
        return Err(Failure::new(format!(
            "party {party} is not one of the {count} of this wallet"
        )));
    };
    let path = share_path(dir, party);
    let bytes = Zeroizing::new(fs::read(&path).map_err(Failure::file("read", &path))?);
    let share = KeyShare::<S>::from_bytes(&bytes).map_err(|error| {
        let path = path.display();
        Failure::new(format!("{path} is no usable key share for {}: {error}", S::NAME))
    })?;
    let same_group = share.verifying_key() == public.verifying_key()
        && share.threshold() == public.threshold()
        && share.epoch() == public.epoch()
        && share.parties() == public.parties();
    if share.id() != party || share.verifying_share() != expected || !same_group {
        let path = path.display();
        return Err(Failure::new(format!(
            "{path} is not party {party}'s share of this wallet's key"
        )));
    }
    Ok(share)
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

/// Writes a file that appears whole or not at all, in the place of another if there is one.
pub(crate) fn write_whole(path: &Path, bytes: &[u8], privacy: Privacy) -> Result<(), Failure> {
    let new = path.with_file_name(fresh_name(".new."));
    let written = write_new(&new, bytes, privacy)
        .and_then(|()| fs::rename(&new, path).map_err(Failure::file("write", path)));
    if written.is_err() {
        fs::remove_file(&new).ok();
    }
    written
}

/// Who may read a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Privacy {
    Everyone,
    OwnerOnly,
}

/// Writes a file that is not there yet, down to the disk.
pub(crate) fn write_new(path: &Path, bytes: &[u8], privacy: Privacy) -> Result<(), Failure> {
    let write = || -> std::io::Result<()> {
        let mut file = open_new(path, privacy)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(Failure::file("write", path))
}

pub(crate) fn open_new(path: &Path, privacy: Privacy) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if privacy == Privacy::OwnerOnly {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    // Elsewhere the folder's access rights decide.
    #[cfg(not(unix))]
    let _ = privacy;
    options.open(path)
}

pub(crate) fn private_dir(dir: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}
