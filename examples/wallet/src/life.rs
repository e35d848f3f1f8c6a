//! The commands for the life of a key, once for all families.

use std::path::{Path, PathBuf};

use quorate::PartyId;
use quorate::keys::derive::DerivationPath;
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use quorate_paillier::Level;

use super::backup::{self, Opening};
use super::change::{self, Wanted};
use super::derive;
use super::family::WalletFamily;
use super::home::Home;
use super::making::Protection;
use super::repair;

/// A backup that the user asks for.
#[derive(Clone, Debug)]
pub(crate) struct Sealing {
    /// The party whose share it is.
    pub party: PartyId,
    /// The file with the public half of the offline key.
    pub recipient: PathBuf,
    /// The new file.
    pub to: PathBuf,
    /// Public words in it.
    pub label: String,
}

/// The commands for a key of some family after it was made.
#[derive(Clone, Copy)]
pub(crate) struct Life {
    pub(crate) change: fn(&Home, &Wanted, &mut Out) -> Result<(), Failure>,
    pub(crate) repair: fn(&Home, PartyId, &[PartyId], &mut Out) -> Result<(), Failure>,
    pub(crate) derive: fn(&Path, &DerivationPath, &mut Out) -> Result<(), Failure>,
    pub(crate) backup_key: fn(&Path, &Protection, &mut Out) -> Result<(), Failure>,
    pub(crate) backup: fn(&Home, &Sealing, &mut Out) -> Result<(), Failure>,
    pub(crate) drill: fn(&Path, &Opening, &mut Out) -> Result<(), Failure>,
    pub(crate) restore: fn(&Home, &Opening, Option<Level>, &mut Out) -> Result<(), Failure>,
}

impl Life {
    pub(crate) const fn for_family<F: WalletFamily>() -> Self {
        Self {
            change: |home, wanted, out| change::change::<F>(home, wanted, |_| {}, out),
            repair: repair::repair::<F>,
            derive: derive::derive::<F>,
            backup_key: backup::make_key::<F>,
            backup: backup::backup::<F>,
            drill: backup::drill::<F>,
            restore: backup::restore::<F>,
        }
    }
}
