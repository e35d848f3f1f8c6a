//! The sizes of the moduli of threshold ECDSA.

use quorate::ecdsa;

use crate::error::{ErrorKind, QuorateError, Result};

/// The size of the moduli of threshold ECDSA.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
pub enum Level {
    /// 3072 bits: the recommended level.
    Bits128,
    /// 2048 bits, about 112 bits of security: to compare with systems that use this size.
    Bits112,
}

impl From<Level> for ecdsa::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::Bits128 => Self::Bits128,
            Level::Bits112 => Self::Bits112,
        }
    }
}

impl Level {
    /// The byte that stands for it in sealed bytes.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Bits128 => 1,
            Self::Bits112 => 2,
        }
    }

    pub(crate) fn from_code(code: u8) -> Result<Self> {
        match code {
            1 => Ok(Self::Bits128),
            2 => Ok(Self::Bits112),
            _ => Err(QuorateError::new(
                ErrorKind::Encoding,
                format_args!("no level has the code {code}"),
            )),
        }
    }

    /// The level of a session's result.
    pub(crate) fn of(level: ecdsa::Level) -> Result<Self> {
        match level {
            ecdsa::Level::Bits128 => Ok(Self::Bits128),
            ecdsa::Level::Bits112 => Ok(Self::Bits112),
            _ => Err(QuorateError::new(ErrorKind::Defect, "a level that has no name here")),
        }
    }
}
