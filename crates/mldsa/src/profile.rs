//! The two profiles of a key's parameters.

use core::fmt;

/// The choice of parameters with which a key signs for all its life. Signatures of both profiles verify alike.
///
/// Both profiles come from the same formulae. They differ in the number of attempts to sign that the proof covers,
/// and so in the cost of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Profile {
    /// The sets of ePrint 2026/013, Figures 9 to 11: for 2^27 to 2^37 attempts over all parties, by level and
    /// shape. A share counts its part of them, [`PublicKeyPackage::attempts`](crate::PublicKeyPackage::attempts).
    #[default]
    Published,
    /// Sets for at least 2^50 attempts over all parties, in the mean over keys and challenges, for a key that signs
    /// more than the published sets allow. An attempt takes up to three and a half times the bytes, and fewer
    /// shapes are offered.
    Strict,
}

impl Profile {
    /// The two profiles.
    pub const ALL: [Self; 2] = [Self::Published, Self::Strict];

    /// The name, which a key generation binds.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Strict => "strict",
        }
    }

    /// The byte of a stored form.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Published => 0,
            Self::Strict => 1,
        }
    }

    /// The profile of a stored form.
    pub(crate) fn of(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.code() == code)
    }
}

/// The [name](Profile::name).
impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
