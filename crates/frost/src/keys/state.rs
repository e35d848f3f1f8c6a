//! How far a key share may be relied on.

use super::KeyShare;
use crate::error::DecodeError;
use crate::suite::KeySuite;

/// How far a key share may be relied on. It is kept in the share's stored form.
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
    /// [`KeyShare::confirm`].
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

impl<S: KeySuite> KeyShare<S> {
    /// How far the share may be relied on.
    #[must_use]
    pub fn state(&self) -> ShareState {
        self.state
    }

    /// Takes an unconfirmed share for confirmed: the caller's own decision, and one to be stored.
    ///
    /// Whatever the last round was like, the share lies on the polynomials that all parties saw
    /// committed to; what is not known is who else has kept theirs. So ask all parties, over
    /// channels that you trust, for the [`package_id`](KeyShare::package_id) of theirs, or have them
    /// run [`Acknowledge`](crate::Acknowledge), which does just that. Use a new key only if **all**
    /// name this package: with fewer than all, those that are missing can make it unusable later;
    /// with fewer than t, it is unusable now.
    ///
    /// A refreshed share is [`ShareState::Pending`] after this, any other [`ShareState::Ready`]. To
    /// confirm a refreshed share asks nothing of the others: it signs beside the old one, which stays
    /// until all have acknowledged.
    pub fn confirm(&mut self) {
        if self.state == ShareState::Unconfirmed {
            let refreshed = self.epoch() > 0;
            self.state = if refreshed { ShareState::Pending } else { ShareState::Ready };
        }
    }
}
