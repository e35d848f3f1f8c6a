//! The names of a seal key: its id, and its fingerprint.

use core::error::Error;
use core::fmt;
use core::num::NonZeroU32;
use core::str::FromStr;

/// The id of a seal key within one store: 1 for the first, and a greater one for each that replaces it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SealKeyId(NonZeroU32);

impl SealKeyId {
    /// The id of the first key, which has sealed every row without a stamp.
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    /// The id with this number, unless it is 0.
    #[must_use]
    pub const fn new(number: u32) -> Option<Self> {
        match NonZeroU32::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// The id of the key that replaces this one. Nothing after 2³² − 1.
    #[must_use]
    pub const fn next(self) -> Option<Self> {
        match self.0.checked_add(1) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }
}

impl fmt::Display for SealKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for SealKeyId {
    type Err = InvalidId;

    fn from_str(text: &str) -> Result<Self, InvalidId> {
        let number = text.parse().map_err(|_| InvalidId)?;
        // One key has one name: no `01`, no `+1`.
        if text.starts_with(['0', '+']) { Err(InvalidId) } else { Ok(Self(number)) }
    }
}

/// A text that is not the id of a seal key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidId;

impl fmt::Display for InvalidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected the id of a seal key: a number from 1, without leading zeros")
    }
}

impl Error for InvalidId {}

/// A digest of a seal key, by which two people or programs tell whether they have the same key. It is public.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub(crate) [u8; 8]);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}
