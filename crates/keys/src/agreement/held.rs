//! A share that was read back from the store.

use core::fmt;

use quorate_session::PartyId;

use super::attempt::Attempt;
use crate::error::DecodeError;
use crate::{Family, SecretShare, ShareState, SharedKey};

/// A share that **is stored**: it was read back after it was made durable. It names the party and the attempt,
/// and contains nothing secret.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Held {
    party: PartyId,
    attempt: Attempt,
    settled: bool,
}

impl Held {
    /// The share and its public side in their stored forms ([`SecretShare::to_bytes`], [`SharedKey::to_bytes`]), as read
    /// back from the database.
    ///
    /// # Errors
    /// The errors of the two `from_bytes`. [`DecodeError::Inconsistent`] if the share is not one of this public
    /// side, or is [`ShareState::Unconfirmed`]. The others may delete old shares on the strength of this one, so
    /// it has to sign. [Confirm](SecretShare::confirm) it and store that first.
    pub fn from_stored<F: Family>(share: &[u8], public: &[u8]) -> Result<Self, DecodeError> {
        let share = SecretShare::<F>::from_bytes(share)?;
        let public = SharedKey::<F>::from_bytes(public)?;
        if share.check_belongs_to(&public).is_err() {
            return Err(DecodeError::Inconsistent(
                "the share stored is not one of the public side stored",
            ));
        }
        if share.state() == ShareState::Unconfirmed {
            return Err(DecodeError::Inconsistent(
                "an unconfirmed share: confirm and store it before the agreement",
            ));
        }
        let settled = share.state() == ShareState::Ready;
        Ok(Self { party: share.id(), attempt: Attempt::of(&public), settled })
    }

    /// A share that is not stored, for a model.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub const fn invented(party: PartyId, attempt: Attempt, settled: bool) -> Self {
        Self { party, attempt, settled }
    }

    /// The party whose share it is.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.party
    }

    /// The attempt whose share it is.
    #[must_use]
    pub const fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// Returns whether all were known to have stored their shares before this agreement: those of a new key, or
    /// those that were acknowledged.
    #[must_use]
    pub const fn is_settled(&self) -> bool {
        self.settled
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held")
            .field("party", &self.party)
            .field("attempt", &self.attempt)
            .field("settled", &self.settled)
            .finish()
    }
}
