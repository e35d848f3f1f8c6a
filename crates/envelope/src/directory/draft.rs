//! The making of a directory, and of its next version.

use alloc::collections::BTreeMap;

use super::{Administrators, Directory, Member};
use crate::directory::error::DirectoryError;
use crate::keys::PublicIdentity;
use crate::name::Name;
use crate::rotation::Rotation;

/// A directory in the making. The first change that is not possible is the error of [`finish`](Self::finish).
#[derive(Debug)]
#[must_use = "a draft is a directory after `finish`"]
pub struct Draft {
    directory: Directory,
    error: Option<DirectoryError>,
}

impl Directory {
    /// A draft of the first version for a deployment, in which nothing stands yet.
    ///
    /// No two deployments of the same administrators may have one name.
    pub const fn first(deployment: Name) -> Draft {
        let administrators = Administrators { threshold: 0, keys: BTreeMap::new() };
        let members = BTreeMap::new();
        let signatures = BTreeMap::new();
        let directory = Self { deployment, version: 1, administrators, members, signatures };
        Draft { directory, error: None }
    }

    /// A draft of the next version, in which everything stands as in this one.
    pub fn next_version(&self) -> Draft {
        let version = self.version.checked_add(1);
        let error = if version.is_none() { Some(DirectoryError::Version) } else { None };
        let version = version.unwrap_or_default();
        let directory = Self { version, signatures: BTreeMap::new(), ..self.clone() };
        Draft { directory, error }
    }
}

impl Draft {
    /// Adds an administrator. A version with other administrators than the one before has to be confirmed by hand.
    pub fn administrator(self, name: &Name, keys: &PublicIdentity) -> Self {
        self.change(|directory| {
            let before = directory.administrators.keys.insert(name.clone(), keys.clone());
            if before.is_some() { Err(DirectoryError::SecondEntry(name.clone())) } else { Ok(()) }
        })
    }

    /// Removes all administrators, and sets the threshold to 0.
    pub fn without_administrators(self) -> Self {
        self.change(|directory| {
            directory.administrators = Administrators { threshold: 0, keys: BTreeMap::new() };
            Ok(())
        })
    }

    /// Sets the number of administrators that have to sign each new version.
    pub fn threshold(self, threshold: u8) -> Self {
        self.change(|directory| {
            directory.administrators.threshold = threshold;
            Ok(())
        })
    }

    /// Adds a member.
    pub fn member(self, member: Member) -> Self {
        self.change(|directory| {
            let name = member.name.clone();
            let before = directory.members.insert(name.clone(), member);
            if before.is_some() { Err(DirectoryError::SecondEntry(name)) } else { Ok(()) }
        })
    }

    /// Replaces the keys of a member by those that it has announced under its current key. Envelopes under the current
    /// key are accepted until [`end_rotation`](Self::end_rotation), those under the key before it no more.
    ///
    /// A rotation proves that its maker has the current key. After a theft use [`replace`](Self::replace).
    pub fn rotate(self, rotation: &Rotation) -> Self {
        self.change(|directory| {
            let name = &rotation.name;
            let unknown = || DirectoryError::UnknownMember(name.clone());
            let member = directory.members.get_mut(name).ok_or_else(unknown)?;
            let replaces = rotation.replaces;
            if rotation.deployment != directory.deployment || replaces != member.current.id() {
                return Err(DirectoryError::OtherRotation { name: name.clone(), replaces });
            }
            if !rotation.is_signed_by(&member.current) {
                return Err(DirectoryError::RotationSignature(name.clone()));
            }
            let current = core::mem::replace(&mut member.current, rotation.next.clone());
            member.previous = Some(current);
            Ok(())
        })
    }

    /// Removes the previous key of a member: envelopes under it are refused from this version on.
    pub fn end_rotation(self, name: &Name) -> Self {
        self.change_member(name, |member| member.previous = None)
    }

    /// Revokes all keys of a member, and gives it new ones: envelopes under the others are refused from this version on.
    pub fn replace(self, name: &Name, keys: &PublicIdentity) -> Self {
        self.change_member(name, |member| {
            member.current = keys.clone();
            member.previous = None;
        })
    }

    /// Removes a member and all its keys: its envelopes are refused from this version on.
    pub fn remove(self, name: &Name) -> Self {
        self.change(|directory| {
            let unknown = || DirectoryError::UnknownMember(name.clone());
            directory.members.remove(name).map(drop).ok_or_else(unknown)
        })
    }

    /// The directory.
    ///
    /// # Errors
    /// The [`DirectoryError`] of the first change that was not possible, or of the whole.
    pub fn finish(self) -> Result<Directory, DirectoryError> {
        self.error.map_or(Ok(()), Err)?;
        self.directory.check()
    }

    fn change_member(self, name: &Name, change: impl FnOnce(&mut Member)) -> Self {
        self.change(|directory| {
            let unknown = || DirectoryError::UnknownMember(name.clone());
            directory.members.get_mut(name).map(change).ok_or_else(unknown)
        })
    }

    fn change(mut self, change: impl FnOnce(&mut Directory) -> Result<(), DirectoryError>) -> Self {
        if self.error.is_none() {
            self.error = change(&mut self.directory).err();
        }
        self
    }
}
