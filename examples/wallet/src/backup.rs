//! Backups: a party's share, encrypted to a key that is kept offline, with a proof that it is that share.
//!
//! Each file has a part for the key that signs. Behind it is one for the PRF key of [hardened children](super::hardened); a backup
//! has that if its wallet has the key.
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
use quorate::session::container::{DIGEST, HEADER};
use quorate::session::rand_core::UnwrapErr;
use quorate::session::zeroize::Zeroizing;
use quorate_examples::args::party;
use quorate_examples::{Failure, Out, Result};
use quorate_paillier::Level;

use super::cli::OfflineSecrets;
use super::commands::read;
use super::disk::{self, Privacy};
use super::family::{KeyFamily, StoredKey};
use super::hardened::{self, PrfKey};
use super::home::{Home, name};
use super::making::Protection;
use super::repair::{back, check_settled, is_lost, not_lost};
use super::shares;
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
    let (rng, public) = (&mut UnwrapErr(SysRng), public_half(path));
    let (key, prf) = (BackupKey::<F>::generate(rng)?, BackupKey::<PrfKey>::generate(rng)?);
    let secret = Zeroizing::new([&**key.to_bytes(), &**prf.to_bytes()].concat());
    let recipients = [key.recipient().to_bytes(), prf.recipient().to_bytes()].concat();
    disk::create_new(path, &vault.close(OFFLINE, &secret)?, Privacy::OwnerOnly)?;
    disk::create_new(&public, &recipients, Privacy::Everyone)?;
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

/// The part for the key that signs, and the one behind it. Each is a container, whose header has its length.
fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let length = bytes.get(8..HEADER).and_then(|length| length.try_into().ok());
    let length = length.and_then(|length| usize::try_from(u32::from_be_bytes(length)).ok());
    let end = length.unwrap_or(usize::MAX).saturating_add(HEADER + DIGEST);
    bytes.split_at_checked(end).unwrap_or((bytes, &[]))
}

/// Seals a party's shares.
pub(crate) fn backup<F: KeyFamily>(home: &Home, wanted: &Sealing, out: &mut Out) -> Result {
    let Sealing { party, recipient, to, .. } = wanted;
    let key = shares::current::<F>(home.dir())?;
    let recipients = read(recipient)?;
    let (own, other) = split(&recipients);
    let mut sealed = wanted.seal(home, &key, own)?;
    if let Some(prf) = hardened::prf_key(home.dir(), &key)? {
        sealed.extend(wanted.seal(home, &prf, other)?);
    }
    disk::create_new(to, &sealed, Privacy::OwnerOnly)?;
    let (path, epoch) = (to.display(), key.epoch());
    writeln!(out, "  {path}: the share of party {party} in epoch {epoch} of the key");
    writeln!(out, "  it verifies, and holds nothing in clear; show with `drill` that it opens");
    writeln!(
        out,
        "  `refresh` and `reshare` end its time: then make another, and destroy this one"
    );
    Ok(())
}

impl Sealing {
    /// The share of one key, sealed.
    fn seal<F: StoredKey>(
        &self,
        home: &Home,
        key: &SharedKey<F>,
        recipient: &[u8],
    ) -> Result<Vec<u8>> {
        check_settled(home, key)?;
        let share = shares::share(home, self.party, key)?;
        let recipient = BackupRecipient::<F>::from_bytes(recipient)
            .map_err(Failure::about(&self.recipient, "is not the public half of a backup key"))?;
        let rng = &mut UnwrapErr(SysRng);
        let backup = Backup::seal(&share, key, &recipient, self.label.as_bytes(), rng)?;
        // Anyone with the public key of the wallet can do the same.
        backup.verify(key, &recipient)?;
        Ok(backup.to_bytes())
    }
}

/// Shows that a backup could be restored. Neither the shares nor the wallet change.
pub(crate) fn drill<F: KeyFamily>(dir: &Path, opening: &Opening, out: &mut Out) -> Result {
    let (own, prf) = opening.open::<F>(dir)?;
    own.drill(opening)?;
    prf.iter().try_for_each(|prf| prf.drill(opening))?;
    let (path, party, epoch) = (opening.backup.display(), own.backup.id(), own.key.epoch());
    writeln!(out, "  {path}: the share of party {party} in epoch {epoch}{}", label(&own.backup));
    writeln!(out, "  it opens, and what is in it is the share; no share was written");
    Ok(())
}

/// Restores a party's shares.
pub(crate) fn restore<F: KeyFamily>(
    home: &Home,
    opening: &Opening,
    level: Option<Level>,
    out: &mut Out,
) -> Result {
    let (own, prf) = opening.open::<F>(home.dir())?;
    let (party, epoch) = (own.backup.id(), own.key.epoch());
    let mut was_lost = own.restore(home, opening)?;
    if let Some(prf) = &prf {
        was_lost |= prf.restore(home, opening)?;
    }
    if !was_lost {
        return Err(not_lost::<F>(home, party));
    }
    writeln!(out, "  party {party} has its share of epoch {epoch} again{}", label(&own.backup));
    back(home, &own.key, level, out)?;
    prf.iter().try_for_each(|prf| back(home, &prf.key, None, out))
}

fn label<F: StoredKey>(backup: &Backup<F>) -> String {
    match backup.label() {
        [] => String::new(),
        label => format!(", labelled {:?}", String::from_utf8_lossy(label)),
    }
}

impl Opening {
    /// The backup's part for the key that signs, and for the PRF key if the wallet has one.
    fn open<F: KeyFamily>(&self, dir: &Path) -> Result<(Opened<F>, Option<Opened<PrfKey>>)> {
        let key = shares::current::<F>(dir)?;
        let prf = hardened::prf_key(dir, &key)?;
        let bytes = read(&self.backup)?;
        let (own, other) = split(&bytes);
        if prf.is_none() && !other.is_empty() {
            let more = "has a share of a PRF key, too: put prf.key and prf.bound beside public.key";
            return Err(Failure::at(&self.backup, more));
        }
        // Before the passphrase is asked for.
        let own = self.read(&key, own)?;
        let prf = prf.map(|prf| Ok::<_, Failure>((self.read(&prf, other)?, prf))).transpose()?;
        let vault = Vault::of_wallet(self.offline.source());
        let bytes = vault.open(OFFLINE, &self.key, &read(&self.key)?)?;
        let (first, second) = split(&bytes);
        let own = Opened { offline: self.offline_key(first)?, backup: own, key };
        let prf = prf.map(|(backup, key)| {
            Ok::<_, Failure>(Opened { offline: self.offline_key(second)?, backup, key })
        });
        Ok((own, prf.transpose()?))
    }

    /// A backup of a share of this key, which is not opened yet.
    fn read<F: StoredKey>(&self, key: &SharedKey<F>, bytes: &[u8]) -> Result<Backup<F>> {
        let unusable = format!("is no usable backup for {}", F::OF);
        let backup = Backup::from_bytes(bytes).map_err(Failure::about(&self.backup, unusable))?;
        match backup.package_id().check_belongs_to(&key.package_id()) {
            Ok(()) => Ok(backup),
            Err(why) => Err(self.refusal(key, BackupError::Mismatch(why))),
        }
    }

    fn offline_key<F: StoredKey>(&self, bytes: &[u8]) -> Result<BackupKey<F>> {
        let unusable = format!("is no offline key for {}", F::OF);
        BackupKey::from_bytes(bytes).map_err(Failure::about(&self.key, unusable))
    }

    /// The reason why the backup cannot be used, and what to do.
    fn refusal<F: StoredKey>(&self, key: &SharedKey<F>, error: BackupError) -> Failure {
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

/// A backup of a share of one key, and the offline key that opens it.
struct Opened<F: StoredKey> {
    key: SharedKey<F>,
    backup: Backup<F>,
    offline: BackupKey<F>,
}

impl<F: StoredKey> Opened<F> {
    fn drill(&self, opening: &Opening) -> Result {
        let Self { key, backup, offline } = self;
        let rng = &mut UnwrapErr(SysRng);
        let challenge = HealthChallenge::new(rng)?;
        let drill = offline.drill(backup, key, &challenge, rng);
        let drill = drill.map_err(|error| opening.refusal(key, error))?;
        // The proof is all that would leave the custodian's machine.
        Ok(drill.verify(backup, key, &challenge)?)
    }

    /// Gives the party its share, if it has lost it.
    fn restore(&self, home: &Home, opening: &Opening) -> Result<bool> {
        let Self { key, backup, offline } = self;
        check_settled(home, key)?;
        let share = offline.restore(backup, key).map_err(|error| opening.refusal(key, error))?;
        let (party, was_lost) = (share.id(), is_lost(home, share.id(), key)?);
        if was_lost {
            home.keep_secret(&name(party, F::SHARE), &share.to_bytes())?;
        }
        Ok(was_lost)
    }
}
