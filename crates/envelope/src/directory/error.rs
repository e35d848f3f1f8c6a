//! Why a directory is refused.

use core::fmt;

use quorate_session::container::ContainerError;

use crate::keys::KeyId;
use crate::malformed::Malformed;
use crate::name::Name;

/// A reason why there is no such directory.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DirectoryError {
    /// The bytes are not the stored form.
    Container(ContainerError),
    /// The content of the stored form is not one that this library writes.
    Malformed,
    /// There are more bytes than the longest directory has.
    TooLong(usize),
    /// There are more members or administrators than a directory has.
    TooMany,
    /// The threshold is above the number of administrators, or only one of the two is zero.
    Threshold,
    /// The name stands in the directory already.
    SecondEntry(Name),
    /// No member has this name.
    UnknownMember(Name),
    /// A key is one that anybody could sign or open with, or is not in its canonical encoding.
    Key {
        /// The member or administrator.
        name: Name,
        /// The reason.
        error: Malformed,
    },
    /// A key of one name is a key of another, or stands twice under one name.
    SharedKey {
        /// The second name.
        name: Name,
        /// The first name.
        owner: Name,
    },
    /// The member is the same party as another one.
    SharedParty(Name),
    /// The version is 0, or cannot rise any more.
    Version,
    /// The rotation is for another deployment, or for keys that are not the member's current ones.
    OtherRotation {
        /// The member.
        name: Name,
        /// The keys that the rotation replaces.
        replaces: KeyId,
    },
    /// The rotation is not signed by the member's current key.
    RotationSignature(Name),
}

impl fmt::Display for DirectoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Container(why) => why.fmt(f),
            Self::Malformed => f.write_str("expected a directory as this library writes it, got other content"),
            Self::TooLong(bytes) => write!(f, "expected a directory, got {bytes} bytes, which is more than one has"),
            Self::TooMany => f.write_str("expected at most 4096 members and 32 administrators, got more"),
            Self::Threshold => f.write_str(
                "expected a threshold between 1 and the number of administrators, or 0 and no administrator",
            ),
            Self::SecondEntry(name) => write!(f, "{name} is in the directory twice, expected once"),
            Self::UnknownMember(name) => write!(f, "{name} is not a member of the directory"),
            Self::Key { name, error } => write!(f, "a key of {name}: {error}"),
            Self::SharedKey { name, owner } => {
                write!(f, "a key of {name} is a key of {owner} too: make new keys for one of them")
            }
            Self::SharedParty(name) => write!(f, "{name} is the same party as another member"),
            Self::Version => f.write_str("expected a version from 1 to 2^64 - 1"),
            Self::OtherRotation { name, replaces } => write!(
                f,
                "the rotation replaces key {replaces} of {name}, which is not its current key in this deployment"
            ),
            Self::RotationSignature(name) => {
                write!(f, "the rotation is not signed by the current key of {name}")
            }
        }
    }
}

impl core::error::Error for DirectoryError {}

impl From<ContainerError> for DirectoryError {
    fn from(error: ContainerError) -> Self {
        Self::Container(error)
    }
}
