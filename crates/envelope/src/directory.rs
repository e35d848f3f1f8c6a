//! The directory: the members, their names and their keys.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::fmt;

use quorate_session::container::{Kind, Label, NO_CURVE};
use quorate_session::{PartyId, Transcript, wire::bounded};

use crate::id::DirectoryId;
use crate::identity::Identity;
use crate::keys::{KeyId, PublicIdentity};
use crate::name::Name;
pub use draft::Draft;
pub use error::DirectoryError;

mod decode;
mod draft;
mod error;

pub(super) const DIRECTORY: Label = Label {
    kind: Kind { code: 120, name: "a directory", version: 1 },
    curve: NO_CURVE,
    family: "quorate-envelope",
    family_code: 0,
};

/// A member of a directory: a party of threshold signing, or a gateway, a requester, an auditor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// The name.
    pub name: Name,
    /// The party that the member is, if it is one.
    pub party: Option<PartyId>,
    /// The keys that messages for the member are sealed to, and that it signs with.
    pub current: PublicIdentity,
    /// The keys before the last rotation, under which its envelopes are still accepted.
    pub previous: Option<PublicIdentity>,
}

/// The administrators: which of them may sign the next version, and how many have to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Administrators {
    threshold: u8,
    keys: BTreeMap<Name, PublicIdentity>,
}

/// A version of the directory of one deployment.
///
/// The type shows that it is well-formed, and no more: anybody can make one. Envelopes are sealed and opened with a
/// [`TrustedDirectory`](crate::TrustedDirectory).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Directory {
    deployment: Name,
    version: u64,
    administrators: Administrators,
    members: BTreeMap<Name, Member>,
    /// Of administrators; not verified, and not part of the digest.
    signatures: BTreeMap<Name, [u8; 64]>,
}

impl Member {
    /// A member with its keys.
    #[must_use]
    pub const fn new(name: Name, keys: PublicIdentity) -> Self {
        Self { name, party: None, current: keys, previous: None }
    }

    /// Makes the member this party of threshold signing.
    #[must_use]
    pub fn with_party(self, party: PartyId) -> Self {
        Self { party: Some(party), ..self }
    }

    /// The keys with this id, if they are the member's current or previous ones.
    #[must_use]
    pub fn key(&self, id: KeyId) -> Option<&PublicIdentity> {
        [Some(&self.current), self.previous.as_ref()]
            .into_iter()
            .flatten()
            .find(|key| key.id() == id)
    }
}

impl Administrators {
    /// The most administrators.
    pub const MAX: usize = 32;

    /// The number of administrators that have to sign a new version. 0 if new versions are confirmed by hand alone.
    #[must_use]
    pub const fn threshold(&self) -> u8 {
        self.threshold
    }

    /// Their names, ascending.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.keys.keys()
    }
}

impl Directory {
    /// The most members.
    pub const MAX_MEMBERS: usize = 4096;
    /// No encoding is longer, in bytes.
    pub const MAX_BYTES: usize = 1 << 20;

    /// The name of the deployment. Envelopes and signatures of one deployment are void in another.
    #[must_use]
    pub const fn deployment(&self) -> &Name {
        &self.deployment
    }

    /// The version, which rises by each change.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// The administrators. They are the same in all versions that administrators sign.
    #[must_use]
    pub const fn administrators(&self) -> &Administrators {
        &self.administrators
    }

    /// A member.
    #[must_use]
    pub fn member(&self, name: &Name) -> Option<&Member> {
        self.members.get(name)
    }

    /// The member that is this party.
    #[must_use]
    pub fn member_of(&self, party: PartyId) -> Option<&Member> {
        self.members.values().find(|member| member.party == Some(party))
    }

    /// Lists the members, ascending by their names.
    pub fn members(&self) -> impl Iterator<Item = &Member> {
        self.members.values()
    }

    /// The version and the digest of all but the signatures: for operators to compare.
    #[must_use]
    pub fn id(&self) -> DirectoryId {
        let mut transcript = Transcript::new("envelope directory");
        transcript.append("directory", &self.body());
        DirectoryId { version: self.version, digest: transcript.finish32() }
    }

    /// Adds the signature of an administrator. The directory passes from one to the next, and to all nodes when enough have
    /// signed. Each node verifies the signatures by the directory that it trusts.
    ///
    /// # Errors
    /// [`DirectoryError::TooMany`] if it has the signatures of [`Administrators::MAX`] others.
    pub fn sign(mut self, administrator: &Identity) -> Result<Self, DirectoryError> {
        let signature = administrator.sign(self.signed());
        self.signatures.insert(administrator.name().clone(), signature);
        if self.signatures.len() > Administrators::MAX {
            return Err(DirectoryError::TooMany);
        }
        Ok(self)
    }

    /// The names under which there are signatures, which have not been verified.
    pub fn signers(&self) -> impl Iterator<Item = &Name> {
        self.signatures.keys()
    }

    /// The first name whose signature is not that of one of these administrators.
    pub(crate) fn unverified(&self, administrators: &Administrators) -> Option<&Name> {
        let is_bad = |(name, signature): &(&Name, &[u8; 64])| {
            let key = administrators.keys.get(*name);
            !key.is_some_and(|key| key.verifies(self.signed(), signature))
        };
        self.signatures.iter().find(is_bad).map(|(name, _)| name)
    }

    fn signed(&self) -> Transcript {
        let mut transcript = Transcript::new("envelope signed directory");
        transcript.append("directory", &self.id().to_bytes());
        transcript
    }

    /// The form in which it is stored and sent, with its signatures. Every directory has one.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = self.body();
        // `sign` has bounded it by `Administrators::MAX`.
        body.push(bounded(self.signatures.len()));
        for (name, signature) in &self.signatures {
            name.write(&mut body);
            body.extend_from_slice(signature);
        }
        let mut bytes = DIRECTORY.start(body.len());
        bytes.extend_from_slice(&body);
        DIRECTORY.end_public(bytes)
    }

    fn body(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.deployment.write(&mut out);
        out.extend_from_slice(&self.version.to_be_bytes());
        out.push(self.administrators.threshold);
        // `check` has bounded this number and the next.
        out.push(bounded(self.administrators.keys.len()));
        for (name, key) in &self.administrators.keys {
            name.write(&mut out);
            out.extend_from_slice(&key.to_bytes());
        }
        out.extend_from_slice(&bounded::<u16>(self.members.len()).to_be_bytes());
        for member in self.members.values() {
            member.name.write(&mut out);
            out.extend_from_slice(&member.party.map_or(0, PartyId::get).to_be_bytes());
            out.extend_from_slice(&member.current.to_bytes());
            out.push(member.previous.is_some().into());
            out.extend(member.previous.iter().flat_map(PublicIdentity::to_bytes));
        }
        out
    }

    /// Checks numbers, parties and keys. Names are distinct, since they are keys of maps.
    fn check(self) -> Result<Self, DirectoryError> {
        let Administrators { threshold, keys } = &self.administrators;
        if keys.len() > Administrators::MAX || self.members.len() > Self::MAX_MEMBERS {
            return Err(DirectoryError::TooMany);
        }
        if usize::from(*threshold) > keys.len() || (*threshold == 0) != keys.is_empty() {
            return Err(DirectoryError::Threshold);
        }
        let mut parties = BTreeSet::new();
        for member in self.members.values() {
            if member.party.is_some_and(|party| !parties.insert(party)) {
                return Err(DirectoryError::SharedParty(member.name.clone()));
            }
        }
        self.check_keys()
    }

    /// Checks that each key stands in one place.
    fn check_keys(self) -> Result<Self, DirectoryError> {
        let mut owners: BTreeMap<[u8; 32], &Name> = BTreeMap::new();
        let members = self.members.values().flat_map(|member| {
            let keys = [Some(&member.current), member.previous.as_ref()];
            keys.into_iter().flatten().map(|key| (&member.name, key))
        });
        for (name, key) in self.administrators.keys.iter().chain(members) {
            for key in key.each() {
                if let Some(owner) = owners.insert(key, name) {
                    let (name, owner) = (name.clone(), owner.clone());
                    return Err(DirectoryError::SharedKey { name, owner });
                }
            }
        }
        Ok(self)
    }
}

/// The deployment and the version.
impl fmt::Display for Directory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "directory {} of {}", self.version, self.deployment)
    }
}
