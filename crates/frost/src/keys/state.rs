//! The states of a key share.

use crate::error::DecodeError;

/// The state of a key share, which says how far it may be relied on. It is part of the stored form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum ShareState {
    /// All parties have the share that the public key package gives them.
    Ready,
    /// A refreshed share that not all parties have acknowledged to have stored: it signs, and the
    /// share of the epoch before it has to be kept. See [`Acknowledge`](crate::Acknowledge).
    Pending,
    /// This party has verified all that went into the share, but not every other one has confirmed
    /// the result: the last round failed, or was given up. It does not sign; see
    /// [`KeyShare::confirm`](crate::KeyShare::confirm).
    Unconfirmed,
}

impl ShareState {
    pub(crate) const fn to_byte(self) -> u8 {
        match self {
            Self::Ready => 0,
            Self::Pending => 1,
            Self::Unconfirmed => 2,
        }
    }

    pub(crate) const fn of_byte(byte: u8) -> Result<Self, DecodeError> {
        match byte {
            0 => Ok(Self::Ready),
            1 => Ok(Self::Pending),
            2 => Ok(Self::Unconfirmed),
            found => Err(DecodeError::BadState(found)),
        }
    }
}
