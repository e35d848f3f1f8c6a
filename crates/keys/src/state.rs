//! How far a share may be relied on.

use crate::error::DecodeError;

/// How far a share may be relied on. It is kept in the share's stored form.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum ShareState {
    /// All parties of the committee have stored their shares.
    Ready,
    /// Not all parties have acknowledged that they have stored theirs: it signs, and the share of
    /// the epoch before has to be kept. See [`Acknowledge`](crate::Acknowledge).
    Pending,
    /// This party has verified all that went into the share, but not every other one has confirmed
    /// the result: the last round failed, or was given up. It must not sign; see
    /// [`SecretShare::confirm`](crate::SecretShare::confirm).
    Unconfirmed,
}

impl ShareState {
    /// The state of a share of which only this party knows that it is stored: of epoch 0 there is
    /// none before it that could be missed.
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
            // Only a session raises the epoch, and only it makes shares that are pending.
            1 if epoch > 0 => Ok(Self::Pending),
            2 => Ok(Self::Unconfirmed),
            found => Err(DecodeError::BadState(found)),
        }
    }
}
