//! Backups: a party's share, encrypted to a key that is kept offline, with a proof that it is that share.
//!
//! | file | who has it |
//! |---|---|
//! | `offline.key` | the custodian, on a machine without shares: it opens backups. Encrypted under a passphrase of its own |
//! | `offline.key.pub` | the parties, and anyone who verifies backups |
//! | a backup | anyone: it holds nothing in clear |

use std::path::{Path, PathBuf};

use clap::Args;
use getrandom::SysRng;
use quorate::PartyId;
use quorate::keys::{
    Backup, BackupError, BackupKey, BackupRecipient, HealthChallenge, Mismatch, SharedKey,
};
use quorate::session::rand_core::UnwrapErr;
use quorate_examples::args::party;
use quorate_examples::{Failure, Out, Result};
use quorate_paillier::Level;

use super::cli::OfflineSecrets;
use super::commands::read;
use super::disk::{self, Privacy};
use super::family::KeyFamily;
use super::home::{Home, name};
use super::making::Protection;
use super::repair::{back, check_lost, check_settled};
use super::shares::{self, SHARE};
use super::vault::Vault;

/// The name under which the offline key is sealed, wherever its file is moved.
const OFFLINE: &str = "offline key";

/// A backup that the user asks for.
#[derive(Clone, Debug, Args)]
pub(crate) struct Sealing {
    /// The party whose share it is
    #[arg(long, value_parser = party)]
    party: PartyId,
    /// The public half of the offline key
    #[arg(long = "for", value_name = "KEY.pub")]
    recipient: PathBuf,
    /// Where the backup goes
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Words that anybody can read in it: a date, a place
    #[arg(long, value_name = "TEXT", default_value_t, hide_default_value = true)]
    label: String,
}

/// A backup, and the offline key that opens it.
#[derive(Clone, Debug, Args)]
pub(crate) struct Opening {
    /// The backup
    #[arg(long, value_name = "FILE")]
    backup: PathBuf,
    /// The secret half of the offline key
    #[arg(long, value_name = "KEY")]
    key: PathBuf,
    #[command(flatten)]
    offline: OfflineSecrets,
}

/// Makes an offline key.
pub(crate) fn make_key<F: KeyFamily>(
    path: &Path,
    protection: &Protection,
    out: &mut Out,
) -> Result {
    let vault = protection.vault()?;
    let key = BackupKey::<F>::generate(&mut UnwrapErr(SysRng))?;
    let public = public_half(path);
    disk::create_new(path, &vault.close(OFFLINE, &key.to_bytes())?, Privacy::OwnerOnly)?;
    disk::create_new(&public, &key.recipient().to_bytes(), Privacy::Everyone)?;
    let (path, public) = (path.display(), public.display());
    writeln!(out, "  {path}: secret, {protection}; it belongs on a machine without shares");
    writeln!(out, "  {public}: for the parties, who seal their backups to it");
    writeln!(out, "  whoever has the key and the backups of enough parties has the wallet's key:");
    writeln!(out, "  make one for each party, with another custodian");
    Ok(())
}

/// `offline.key.pub`.
fn public_half(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".pub");
    name.into()
}

/// Seals a party's share.
pub(crate) fn backup<F: KeyFamily>(home: &Home, wanted: &Sealing, out: &mut Out) -> Result {
    let Sealing { party, recipient, to, label } = wanted;
    let key = shares::current::<F>(home.dir())?;
    check_settled(home, &key)?;
    let share = shares::share(home, *party, &key)?;
    let bytes = read(recipient)?;
    let recipient = BackupRecipient::<F>::from_bytes(&bytes)
        .map_err(Failure::about(recipient, "is not the public half of a backup key"))?;
    let rng = &mut UnwrapErr(SysRng);
    let backup = Backup::seal(&share, &key, &recipient, label.as_bytes(), rng)?;
    // Anyone with the public key of the wallet can do the same.
    backup.verify(&key, &recipient)?;
    disk::create_new(to, &backup.to_bytes(), Privacy::OwnerOnly)?;
    let (path, epoch) = (to.display(), key.epoch());
    writeln!(out, "  {path}: the share of party {party} in epoch {epoch} of the key");
    writeln!(out, "  it verifies, and holds nothing in clear; show with `drill` that it opens");
    writeln!(
        out,
        "  `refresh` and `reshare` end its time: then make another, and destroy this one"
    );
    Ok(())
}

/// Shows that a backup could be restored. Neither the share nor the wallet changes.
pub(crate) fn drill<F: KeyFamily>(dir: &Path, opened: &Opening, out: &mut Out) -> Result {
    let key = shares::current::<F>(dir)?;
    let (backup, offline) = opened.open(&key)?;
    let rng = &mut UnwrapErr(SysRng);
    let challenge = HealthChallenge::new(rng)?;
    let drill = offline.drill(&backup, &key, &challenge, rng);
    let drill = drill.map_err(|error| opened.refusal(&key, error))?;
    // The proof is all that would leave the custodian's machine.
    drill.verify(&backup, &key, &challenge)?;
    let (path, party, epoch) = (opened.backup.display(), backup.id(), key.epoch());
    writeln!(out, "  {path}: the share of party {party} in epoch {epoch}{}", label(&backup));
    writeln!(out, "  it opens, and what is in it is the share; no share was written");
    Ok(())
}

/// Restores a party's share.
pub(crate) fn restore<F: KeyFamily>(
    home: &Home,
    opened: &Opening,
    level: Option<Level>,
    out: &mut Out,
) -> Result {
    let key = shares::current::<F>(home.dir())?;
    check_settled(home, &key)?;
    let (backup, offline) = opened.open(&key)?;
    let share = offline.restore(&backup, &key).map_err(|error| opened.refusal(&key, error))?;
    let party = share.id();
    check_lost(home, party, &key)?;
    home.keep_secret(&name(party, SHARE), &share.to_bytes())?;
    let epoch = key.epoch();
    writeln!(out, "  party {party} has its share of epoch {epoch} again{}", label(&backup));
    back(home, &key, level, out)
}

fn label<F: KeyFamily>(backup: &Backup<F>) -> String {
    match backup.label() {
        [] => String::new(),
        label => format!(", labelled {:?}", String::from_utf8_lossy(label)),
    }
}

impl Opening {
    /// Both, the backup not yet opened.
    fn open<F: KeyFamily>(&self, key: &SharedKey<F>) -> Result<(Backup<F>, BackupKey<F>)> {
        let unusable = format!("is no usable backup for {}", F::SUITE);
        let backup = Backup::from_bytes(&read(&self.backup)?)
            .map_err(Failure::about(&self.backup, unusable))?;
        // Before the passphrase is asked for.
        if let Err(why) = backup.package_id().check_belongs_to(&key.package_id()) {
            return Err(self.refusal(key, BackupError::Mismatch(why)));
        }
        let vault = Vault::of_wallet(self.offline.source());
        let bytes = vault.open(OFFLINE, &self.key, &read(&self.key)?)?;
        let unusable = format!("is no offline key for {}", F::SUITE);
        let offline = BackupKey::from_bytes(&bytes).map_err(Failure::about(&self.key, unusable))?;
        Ok((backup, offline))
    }

    /// The reason why the backup cannot be used, and what to do.
    fn refusal<F: KeyFamily>(&self, key: &SharedKey<F>, error: BackupError) -> Failure {
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
