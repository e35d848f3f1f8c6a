//! The states of a share, which tell how far it may be relied on.

use crate::error::DecodeError;

/// The state of a share, which tells how far it may be relied on. It is part of the share's stored form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum ShareState {
    /// The state after all parties of the committee have stored their shares.
    Ready,
    /// The state in which not all parties have acknowledged that they have stored theirs. The share signs, and
    /// the share of the epoch before has to be kept. See [`Acknowledge`](crate::Acknowledge).
    Pending,
    /// The state in which this party has verified all that went into the share, but not every other party has
    /// confirmed the result: the last round failed, or was given up. The share must not sign; see
    /// [`SecretShare::confirm`](crate::SecretShare::confirm).
    Unconfirmed,
}

impl ShareState {
    /// The state of a share when only this party is known to have stored it. A share of epoch 0 is ready, since
    /// no earlier share could be lost.
    #[must_use]
    pub const fn alone_in(epoch: u32) -> Self {
        if epoch > 0 { Self::Pending } else { Self::Ready }
    }

    pub(crate) const fn to_byte(self) -> u8 {
        match self {
            Self::Ready => 0,
            Self::Pending => 1,
            Self::Unconfirmed => 2,
        }
    }

    pub(crate) const fn read(byte: u8, epoch: u32) -> Result<Self, DecodeError> {
        match byte {
            0 => Ok(Self::Ready),
            // Only a session raises the epoch, and only a session makes pending shares.
            1 if epoch > 0 => Ok(Self::Pending),
            2 => Ok(Self::Unconfirmed),
            found => Err(DecodeError::BadState(found)),
        }
    }
}
