//! The offline key of backups. Its public file seals, and the key opens.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use getrandom::SysRng;
use getrandom::rand_core::TryRng as _;
use quorate_envelope::{Identity, Name, PublicIdentity};
use quorate_store::file;
use zeroize::Zeroizing;

/// The name of the recipient of backups. No member has it.
const NAME: &str = "backup-key";

pub(super) fn name() -> Result<Name> {
    Ok(Name::new(NAME)?)
}

/// Makes a key, and beside it the file that nodes are given. It prints the path of this file.
pub(crate) fn make_key(out: &Path) -> Result<String> {
    ensure!(!out.exists(), "{} exists already", out.display());
    let mut seed = Zeroizing::new([0; 32]);
    SysRng.try_fill_bytes(seed.as_mut_slice()).context("no randomness")?;
    let identity = Identity::from_seed(name()?, &seed);
    file::replace(out, seed.as_slice()).with_context(|| out.display().to_string())?;
    let public = public_path(out);
    let text = STANDARD.encode(identity.public().to_bytes()) + "\n";
    fs::write(&public, text).with_context(|| public.display().to_string())?;
    Ok(format!("{}\n", public.display()))
}

fn public_path(key: &Path) -> PathBuf {
    let mut path = key.as_os_str().to_owned();
    path.push(".pub");
    path.into()
}

/// Reads the file that seals.
pub(super) fn read_public(path: &Path) -> Result<PublicIdentity> {
    let named = || format!("{}: expected the public file of a backup key", path.display());
    let text = fs::read_to_string(path).with_context(named)?;
    let bytes = STANDARD.decode(text.trim()).with_context(named)?;
    PublicIdentity::from_bytes(&bytes).with_context(named)
}

/// Reads the key that opens.
pub(super) fn read(path: &Path) -> Result<Identity> {
    let seed = file::read_existing(path)?;
    let seed: &[u8; 32] = seed
        .as_slice()
        .try_into()
        .with_context(|| format!("{}: expected a backup key of 32 bytes", path.display()))?;
    Ok(Identity::from_seed(name()?, seed))
}
