//! Backups: a party's share, encrypted to a key that is kept offline, with a proof that it is that share.
//!
//! | file | who has it |
//! |---|---|
//! | `offline.key` | the custodian, on a machine without shares: it opens backups. Encrypted under a passphrase of its own |
//! | `offline.key.pub` | the parties, and whoever verifies backups |
//! | a backup | anybody: it holds nothing in clear |

use core::fmt::Write;
use std::path::{Path, PathBuf};

use getrandom::SysRng;
use quorate::keys::{
    Backup, BackupError, BackupKey, BackupRecipient, HealthChallenge, Mismatch, SharedKey,
};
use quorate::session::rand_core::UnwrapErr;
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use quorate_paillier::Level;

use super::commands::read;
use super::disk::{Privacy, write_first};
use super::family::WalletFamily;
use super::home::{Home, name};
use super::life::Sealing;
use super::making::Protection;
use super::passphrase::Source;
use super::repair::{back, check_lost, check_settled};
use super::shares::{self, SHARE};
use super::vault::Vault;

/// The name under which the offline key is sealed, wherever its file is moved.
const OFFLINE: &str = "offline key";

/// Makes an offline key.
pub(crate) fn make_key<F: WalletFamily>(
    path: &Path,
    protection: &Protection,
    out: &mut Out,
) -> Result<(), Failure> {
    let vault = protection.vault()?;
    let key = BackupKey::<F>::generate(&mut UnwrapErr(SysRng))?;
    let public = public_half(path);
    write_new(path, &vault.close(OFFLINE, &key.to_bytes())?, Privacy::OwnerOnly)?;
    write_new(&public, &key.recipient().to_bytes(), Privacy::Everyone)?;
    let (path, public) = (path.display(), public.display());
    writeln!(out, "  {path}: secret, {protection}; it belongs on a machine without shares")?;
    writeln!(out, "  {public}: for the parties, who seal their backups to it")?;
    writeln!(out, "  whoever has the key and the backups of enough parties has the wallet's key:")?;
    writeln!(out, "  make one for each party, with another custodian")?;
    Ok(())
}

/// `offline.key.pub`.
fn public_half(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".pub");
    name.into()
}

/// Seals a party's share.
pub(crate) fn backup<F: WalletFamily>(
    home: &Home,
    wanted: &Sealing,
    out: &mut Out,
) -> Result<(), Failure> {
    let Sealing { party, recipient, to, label } = wanted;
    let key = shares::current::<F>(home.dir())?;
    check_settled(home, &key)?;
    let share = shares::share(home, *party, &key)?;
    let bytes = read(recipient)?;
    let recipient = BackupRecipient::<F>::from_bytes(&bytes).map_err(|error| {
        let path = recipient.display();
        Failure::new(format!("{path} is not the public half of a backup key: {error}"))
    })?;
    let rng = &mut UnwrapErr(SysRng);
    let backup = Backup::seal(&share, &key, &recipient, label.as_bytes(), rng)?;
    // As anybody can who has the public key of the wallet.
    backup.verify(&key, &recipient)?;
    write_new(to, &backup.to_bytes(), Privacy::OwnerOnly)?;
    let (path, epoch) = (to.display(), key.epoch());
    writeln!(out, "  {path}: the share of party {party} in epoch {epoch} of the key")?;
    writeln!(out, "  it verifies, and holds nothing in clear; show with `drill` that it opens")?;
    writeln!(
        out,
        "  `refresh` and `reshare` end its time: then make another, and destroy this one"
    )?;
    Ok(())
}

/// Shows that a backup could be restored. Neither the share nor the wallet changes.
pub(crate) fn drill<F: WalletFamily>(
    dir: &Path,
    opened: &Opening,
    out: &mut Out,
) -> Result<(), Failure> {
    let key = shares::current::<F>(dir)?;
    let (backup, offline) = opened.open(&key)?;
    let rng = &mut UnwrapErr(SysRng);
    let challenge = HealthChallenge::new(rng)?;
    let drill = offline.drill(&backup, &key, &challenge, rng);
    let drill = drill.map_err(|error| opened.refusal(&key, error))?;
    // The proof is all that would leave the custodian's machine.
    drill.verify(&backup, &key, &challenge)?;
    let (path, party, epoch) = (opened.backup.display(), backup.party(), key.epoch());
    writeln!(out, "  {path}: the share of party {party} in epoch {epoch}{}", label(&backup))?;
    writeln!(out, "  it opens, and what is in it is the share; no share was written")?;
    Ok(())
}

/// Gives a party its share back.
pub(crate) fn restore<F: WalletFamily>(
    home: &Home,
    opened: &Opening,
    level: Option<Level>,
    out: &mut Out,
) -> Result<(), Failure> {
    let key = shares::current::<F>(home.dir())?;
    check_settled(home, &key)?;
    let (backup, offline) = opened.open(&key)?;
    let share = offline.restore(&backup, &key).map_err(|error| opened.refusal(&key, error))?;
    let party = share.party();
    check_lost(home, party, &key)?;
    home.keep_secret(&name(party, SHARE), &share.to_bytes())?;
    let epoch = key.epoch();
    writeln!(out, "  party {party} has its share of epoch {epoch} again{}", label(&backup))?;
    back(home, &key, level, out)
}

fn label<F: WalletFamily>(backup: &Backup<F>) -> String {
    match backup.label() {
        [] => String::new(),
        label => format!(", labelled {:?}", String::from_utf8_lossy(label)),
    }
}

/// A backup, and the offline key that opens it.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The backup's file.
    pub backup: PathBuf,
    /// The offline key's file.
    pub key: PathBuf,
    /// The source of the offline key's passphrase.
    pub source: Source,
}

impl Opening {
    /// Both, the backup not yet opened.
    fn open<F: WalletFamily>(
        &self,
        key: &SharedKey<F>,
    ) -> Result<(Backup<F>, BackupKey<F>), Failure> {
        let bytes = read(&self.backup)?;
        let backup = Backup::from_bytes(&bytes).map_err(|error| {
            let path = self.backup.display();
            Failure::new(format!("{path} is no usable backup for {}: {error}", F::SUITE))
        })?;
        // Before the passphrase is asked for.
        if let Err(why) = key.package_id().expect(&backup.package_id()) {
            return Err(self.refusal(key, BackupError::Mismatch(why)));
        }
        let vault = Vault::of_wallet(self.source.clone());
        let bytes = vault.open_named(OFFLINE, &self.key, &read(&self.key)?)?;
        let offline = BackupKey::from_bytes(&bytes).map_err(|error| {
            let path = self.key.display();
            Failure::new(format!("{path} is no offline key for {}: {error}", F::SUITE))
        })?;
        Ok((backup, offline))
    }

    /// Why the backup does not serve, and what to do.
    fn refusal<F: WalletFamily>(&self, key: &SharedKey<F>, error: BackupError) -> Failure {
        let path = self.backup.display();
        Failure::new(match error {
            BackupError::WrongRecipient => {
                format!("{path} is sealed to another offline key than {}", self.key.display())
            }
            BackupError::Mismatch(Mismatch::WrongKey) => {
                format!("{path} is a backup of another wallet's key")
            }
            BackupError::Mismatch(Mismatch::WrongEpoch { got, .. }) if got < key.epoch() => {
                format!(
                    "{path} is a backup of epoch {got}, and the key is in epoch {}: the share in it is worth nothing. \
                 Destroy it; `repair` gives a lost share back",
                    key.epoch()
                )
            }
            error => format!("{path}: {error}"),
        })
    }
}

/// Writes a file that must not be there.
fn write_new(path: &Path, bytes: &[u8], privacy: Privacy) -> Result<(), Failure> {
    match write_first(path, bytes, privacy).map_err(Failure::file("write", path))? {
        true => Ok(()),
        false => Err(Failure::new(format!("{} is there; it is not overwritten", path.display()))),
    }
}
