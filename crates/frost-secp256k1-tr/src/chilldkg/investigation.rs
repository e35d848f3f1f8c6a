//! The search for the party to blame for a share that does not fit.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_declassify::declassify;
use quorate_frost::session::PartyId;

use super::error::Error;
use super::messages::SharesForOne;
use super::params::Params;
use super::wire::{add_to, sum_of};
use super::{Point, Scalar};

/// A run whose share did not fit. The coordinator's [investigation message](super::Coordinator::investigate) for
/// this participant shows which party is to blame.
pub struct Investigation {
    pub(super) params: Params,
    pub(super) me: PartyId,
    /// The sum of the encrypted shares, as the coordinator said it.
    pub(super) encrypted: Scalar,
    /// The expected product of the generator and the sum of the shares.
    pub(super) public: Point,
    pub(super) pads: Secret<Vec<Scalar>>,
}

impl Investigation {
    /// *participant_investigate*: finds the party to blame, by the coordinator's investigation message.
    ///
    /// The error is [`Error::WrongShare`], or one of those that [suspect](Error::suspect) the coordinator.
    #[must_use]
    pub fn judge(self, message: &[u8]) -> Error {
        self.verdict(message).err().unwrap_or(Error::NothingWrong)
    }

    fn verdict(&self, message: &[u8]) -> Result<(), Error> {
        let forwarded = SharesForOne::read(message, self.params.count());
        let SharesForOne { shares, public_shares } =
            forwarded.map_err(Error::BadCoordinatorMessage)?;
        if sum_of(&public_shares) != self.public {
            return Err(Error::PublicSharesDoNotAddUp);
        }
        // The pads are the same in both sums: the encrypted shares add up as the shares do.
        let mut sum = [Scalar::default()];
        shares.iter().for_each(|share| add_to(&mut sum, core::slice::from_ref(share)));
        if sum != [self.encrypted] {
            return Err(Error::SharesDoNotAddUp);
        }
        let dealt = shares.iter().zip(self.pads.expose()).zip(&public_shares);
        for (of, ((encrypted, pad), public)) in self.params.parties().iter().zip(dealt) {
            let share = Secret::make(|| *encrypted - *pad);
            // The verdict is told to all.
            if declassify(Secp256k1::mul_base(share.expose()) != *public) {
                let own = of == self.me;
                return Err(if own { Error::OwnShareAltered } else { Error::WrongShare { of } });
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Investigation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Investigation").field("me", &self.me).finish_non_exhaustive()
    }
}
