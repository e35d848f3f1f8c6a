//! Trust in a directory: how a node comes to it, and why it never goes back.

use alloc::vec::Vec;
use core::fmt;

use crate::directory::{Directory, DirectoryError};
use crate::id::DirectoryId;
use crate::identity::Identity;
use crate::keys::KeyId;
use crate::name::Name;

/// The directory that a node trusts: envelopes are sealed and opened with it.
///
/// There are three ways to it. [`confirm`](Self::confirm) takes the first version, whose id the operators have compared;
/// [`update`](Self::update) and [`update_by_hand`](Self::update_by_hand) a later one. Each gives a [`NewDirectory`], which
/// becomes trusted when it is recorded. After a restart [`reopen`](Self::reopen) takes the recorded bytes and id.
#[derive(Clone, Debug)]
pub struct TrustedDirectory {
    directory: Directory,
    id: DirectoryId,
}

/// A directory that may be trusted as soon as its id is recorded: see [`record`](Self::record).
#[derive(Debug)]
#[must_use = "the directory is not trusted before it is recorded"]
pub struct NewDirectory {
    trusted: TrustedDirectory,
    replaces: Option<DirectoryId>,
}

/// The record of the directory that a node trusts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrustRecord {
    /// The id that is recorded now. `None` if nothing may be recorded yet.
    pub replaces: Option<DirectoryId>,
    /// The id to record in its place.
    pub id: DirectoryId,
    /// The directory, for [`TrustedDirectory::reopen`].
    pub directory: Vec<u8>,
}

/// A reason why a directory is not trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TrustError {
    /// The bytes are not a directory.
    Directory(DirectoryError),
    /// The version is older than the one that is trusted: somebody repeats it, or a copy was restored.
    Rollback {
        /// The version that is trusted.
        trusted: u64,
        /// The version offered.
        got: u64,
    },
    /// This directory is trusted already.
    AlreadyTrusted,
    /// There are two directories of this version. Administrators have signed both, or one was exchanged.
    Fork {
        /// The id that is trusted.
        trusted: DirectoryId,
        /// The id offered.
        got: DirectoryId,
    },
    /// The directory is not the one that the operators have confirmed, or that was recorded.
    OtherDirectory {
        /// The id that was confirmed or recorded.
        expected: DirectoryId,
        /// The id of the directory.
        got: DirectoryId,
    },
    /// The directory is of another deployment.
    OtherDeployment(Name),
    /// The directory has other administrators. Such a change has to be confirmed by hand.
    OtherAdministrators,
    /// The directory that is trusted has no administrators: confirm the new one by hand.
    NoAdministrators,
    /// A signature is not of an administrator of this name.
    Signature(Name),
    /// Too few administrators have signed.
    TooFewSignatures {
        /// The number that is needed.
        needed: u8,
        /// The number of signatures.
        got: usize,
    },
}

impl TrustedDirectory {
    /// Takes the first directory of a node. The operators of all nodes have compared `confirmed`, the
    /// [id](Directory::id) of the directory, by other means than those that brought the directory.
    ///
    /// # Errors
    /// [`TrustError::OtherDirectory`] if the directory has another id.
    pub fn confirm(
        directory: Directory,
        confirmed: DirectoryId,
    ) -> Result<NewDirectory, TrustError> {
        let trusted = Self::of(directory, confirmed)?;
        Ok(NewDirectory { trusted, replaces: None })
    }

    /// Opens the recorded directory again after a restart.
    ///
    /// # Errors
    /// A [`TrustError`]: [`Rollback`](TrustError::Rollback) if the bytes are of an older directory than the recorded id.
    pub fn reopen(directory: &[u8], recorded: DirectoryId) -> Result<Self, TrustError> {
        let directory = Directory::from_bytes(directory).map_err(TrustError::Directory)?;
        if directory.version() < recorded.version() {
            let (trusted, got) = (recorded.version(), directory.version());
            return Err(TrustError::Rollback { trusted, got });
        }
        Self::of(directory, recorded)
    }

    /// Takes a later version that enough administrators have signed. Versions between may have been missed.
    ///
    /// # Errors
    /// A [`TrustError`].
    pub fn update(&self, next: Directory) -> Result<NewDirectory, TrustError> {
        self.check_later(&next)?;
        let administrators = self.directory.administrators();
        if next.administrators() != administrators {
            return Err(TrustError::OtherAdministrators);
        }
        let (needed, got) = (administrators.threshold(), next.signers().count());
        if needed == 0 {
            return Err(TrustError::NoAdministrators);
        }
        if let Some(name) = next.unverified(administrators) {
            return Err(TrustError::Signature(name.clone()));
        }
        if got < usize::from(needed) {
            return Err(TrustError::TooFewSignatures { needed, got });
        }
        let id = next.id();
        let trusted = Self { directory: next, id };
        Ok(NewDirectory { trusted, replaces: Some(self.id) })
    }

    /// Takes a later version whose id the operators have compared, as for [`confirm`](Self::confirm): where there are no
    /// administrators, where these change, or where too many of their keys are lost.
    ///
    /// # Errors
    /// A [`TrustError`].
    pub fn update_by_hand(
        &self,
        directory: Directory,
        confirmed: DirectoryId,
    ) -> Result<NewDirectory, TrustError> {
        self.check_later(&directory)?;
        let trusted = Self::of(directory, confirmed)?;
        Ok(NewDirectory { trusted, replaces: Some(self.id) })
    }

    /// The directory.
    #[must_use]
    pub const fn directory(&self) -> &Directory {
        &self.directory
    }

    /// The id of the directory.
    #[must_use]
    pub const fn id(&self) -> DirectoryId {
        self.id
    }

    fn of(directory: Directory, expected: DirectoryId) -> Result<Self, TrustError> {
        let id = directory.id();
        if id != expected {
            return Err(TrustError::OtherDirectory { expected, got: id });
        }
        Ok(Self { directory, id })
    }

    fn check_later(&self, next: &Directory) -> Result<(), TrustError> {
        if next.deployment() != self.directory.deployment() {
            return Err(TrustError::OtherDeployment(next.deployment().clone()));
        }
        let (trusted, got) = (self.id.version(), next.version());
        if got < trusted {
            return Err(TrustError::Rollback { trusted, got });
        }
        if got == trusted {
            let (trusted, got) = (self.id, next.id());
            let same = trusted == got;
            return Err(if same {
                TrustError::AlreadyTrusted
            } else {
                TrustError::Fork { trusted, got }
            });
        }
        Ok(())
    }
}

impl Identity {
    /// Checks that these keys are in the directory, under this name: to be called when a node starts.
    ///
    /// # Errors
    /// [`OtherKeys`] if they are not.
    pub fn check_belongs_to(&self, directory: &TrustedDirectory) -> Result<(), OtherKeys> {
        let member = directory.directory.member(self.name());
        let known = member.is_some_and(|member| member.key(self.id()).is_some());
        if known { Ok(()) } else { Err(OtherKeys { name: self.name().clone(), keys: self.id() }) }
    }
}

impl NewDirectory {
    /// The id that will be recorded.
    #[must_use]
    pub const fn id(&self) -> DirectoryId {
        self.trusted.id
    }

    /// The directory that will be trusted.
    #[must_use]
    pub const fn directory(&self) -> &Directory {
        &self.trusted.directory
    }

    /// Records the directory, and gives it for use.
    ///
    /// `write` stores the record durably **if the id that is stored is [`TrustRecord::replaces`]**, and is an error
    /// otherwise: so a start from an old configuration does not overwrite what an update has recorded. The id belongs
    /// where no backup restores it.
    ///
    /// # Errors
    /// The error of `write`. The directory is dropped.
    pub fn record<E>(
        self,
        write: impl FnOnce(&TrustRecord) -> Result<(), E>,
    ) -> Result<TrustedDirectory, E> {
        let Self { trusted, replaces } = self;
        let directory = trusted.directory.to_bytes();
        write(&TrustRecord { replaces, id: trusted.id, directory })?;
        Ok(trusted)
    }
}

/// An identity whose keys are not in the directory under its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherKeys {
    /// The name.
    pub name: Name,
    /// The id of its keys.
    pub keys: KeyId,
}

impl fmt::Display for OtherKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the directory has no member {} with the key {}", self.name, self.keys)
    }
}

impl core::error::Error for OtherKeys {}

impl fmt::Display for TrustError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(why) => why.fmt(f),
            Self::Rollback { trusted, got } => {
                write!(f, "expected a directory after version {trusted}, which is trusted, got version {got}")
            }
            Self::AlreadyTrusted => f.write_str("this directory is trusted already"),
            Self::Fork { trusted, got } => write!(
                f,
                "two directories of one version: {trusted} is trusted, got {got}: ask the administrators"
            ),
            Self::OtherDirectory { expected, got } => {
                write!(f, "expected directory {expected}, got {got}")
            }
            Self::OtherDeployment(got) => write!(f, "got a directory of the deployment {got}"),
            Self::OtherAdministrators => f.write_str(
                "the directory has other administrators: compare its id by hand, and confirm it",
            ),
            Self::NoAdministrators => f.write_str(
                "the trusted directory has no administrators: compare the id of the new one by hand, and confirm it",
            ),
            Self::Signature(name) => write!(f, "a signature is not of an administrator {name}"),
            Self::TooFewSignatures { needed, got } => {
                write!(f, "expected the signatures of {needed} administrators, got {got}")
            }
        }
    }
}

impl core::error::Error for TrustError {}
