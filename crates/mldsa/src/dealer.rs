//! The trusted dealer.

#[cfg(not(target_has_atomic = "ptr"))]
use alloc::rc::Rc as Shared;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc as Shared;
use alloc::vec::Vec;
use core::fmt;

use quorate_declassify::declassify;
use quorate_session::Parties;
use rand_core::CryptoRng;

use crate::error::KeyError;
use crate::level::Level;
use crate::matrix::Matrix;
use crate::package::PublicKeyPackage;
use crate::profile::Profile;
use crate::secret::{Seed, SubsetKey, image, seed};
use crate::share::KeyShare;
use crate::subset::Subset;

/// The output of a trusted dealer: a share for each party, to be sent over a confidential channel, and the public
/// side for all.
///
/// The dealer knows the key and can deal different keys to two parties. So the parties compare
/// [`PublicKeyPackage::digest`], which each share determines.
pub struct Dealing {
    /// One share for each party, in the order of the parties.
    pub shares: Vec<KeyShare>,
    /// The public side of the key.
    pub public: PublicKeyPackage,
}

impl Dealing {
    /// Deals a new key among `parties`, of which exactly `threshold` sign, with the [published](Profile::Published)
    /// parameters.
    ///
    /// # Errors
    /// The errors of [`with_profile`](Self::with_profile).
    pub fn new(
        level: Level,
        threshold: u16,
        parties: &Parties,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, KeyError> {
        Self::with_profile(Profile::Published, level, threshold, parties, rng)
    }

    /// Deals a new key of a profile among `parties`, of which exactly `threshold` sign.
    ///
    /// # Errors
    /// [`KeyError::NotOffered`] for a threshold outside 2 to N, for more than six parties, for six parties if an
    /// attempt would take more than a megabyte, and for strict 4 of 5 of ML-DSA-65. [`KeyError::Randomness`] if the
    /// generator gives zeros only.
    pub fn with_profile(
        profile: Profile,
        level: Level,
        threshold: u16,
        parties: &Parties,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, KeyError> {
        let parameters = PublicKeyPackage::parameters((level, profile), threshold, parties)?;
        let mut rho = [0; 32];
        rng.fill_bytes(&mut rho);
        let rho = declassify(rho);
        let a = Matrix::expand(level, &rho);
        let mut seeds: Vec<(Subset, Seed)> = Vec::new();
        for subset in parameters.1.subsets() {
            let key = SubsetKey::filled(|bytes| rng.fill_bytes(bytes));
            if declassify(key.expose().iter().fold(0, |all, byte| all | byte)) == 0 {
                return Err(KeyError::Randomness);
            }
            seeds.push((subset, seed((level, threshold, parties), &rho, subset, &key)));
        }
        let mut each = seeds.iter();
        let mut image = |_| each.next().map_or_else(Vec::new, |(_, seed)| image(level, &a, seed));
        let public = PublicKeyPackage::new(parameters, parties.clone(), rho, &mut image);
        let public = Shared::new(public);
        let share = |(party, position)| {
            let own = seeds.iter().filter(|(subset, _)| subset.contains(position));
            let own = own.map(|(subset, seed)| (*subset, seed.again())).collect();
            KeyShare::new(party, Shared::clone(&public), own)
        };
        let shares = parties.iter().zip(0..).map(share).collect();
        Ok(Self { shares, public: PublicKeyPackage::clone(&public) })
    }
}

impl fmt::Debug for Dealing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dealing").field("public", &self.public).finish_non_exhaustive()
    }
}
