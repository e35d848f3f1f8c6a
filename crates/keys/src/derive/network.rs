//! The networks that the text of an extended key names.

use core::fmt;

/// The chains that an extended key is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Network {
    /// Bitcoin's main network: `xpub…`.
    Main,
    /// Bitcoin's test networks: `tpub…`.
    Test,
}

impl Network {
    pub(super) const fn version(self) -> [u8; 4] {
        match self {
            Self::Main => [0x04, 0x88, 0xb2, 0x1e],
            Self::Test => [0x04, 0x35, 0x87, 0xcf],
        }
    }

    /// The networks' versions of private keys: `xprv…` and `tprv…`.
    pub(super) const fn private_version(self) -> [u8; 4] {
        match self {
            Self::Main => [0x04, 0x88, 0xad, 0xe4],
            Self::Test => [0x04, 0x35, 0x83, 0x94],
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Main => "the main network",
            Self::Test => "a test network",
        })
    }
}
