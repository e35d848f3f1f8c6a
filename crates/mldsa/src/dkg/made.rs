//! The values that a party derives from the keys of its sets.

use alloc::vec::Vec;

use quorate_session::Run;

use crate::dkg::terms::{Terms, rho};
use crate::matrix::Matrix;
use crate::packing::put_full;
use crate::secret::{Seed, SubsetKey, image, seed};
use crate::subset::Subset;

/// The values that a party has derived from the keys: its secrets and their public values.
pub(crate) struct Made {
    /// r_1 ‖ … ‖ r_N
    pub(crate) parts: Vec<u8>,
    pub(crate) rho: [u8; 32],
    pub(crate) seeds: Vec<(Subset, Seed)>,
    /// t_S of the sets that this party is a member of, packed.
    pub(crate) images: Vec<(Subset, Vec<u8>)>,
}

/// ρ, and the seed and the value t_S of each set that this party is a member of.
pub(crate) fn make(terms: &Terms, parts: Vec<u8>, keys: &[(Subset, SubsetKey)], run: &Run) -> Made {
    let (context, level) = (run.context(), terms.set.level);
    let rho = rho(&context, &parts);
    let a = Matrix::expand(level, &rho);
    let common = [&context, &parts[..]].concat();
    let (mut seeds, mut images) = (Vec::new(), Vec::new());
    // In the order of the sets, as in a share.
    for set in terms.sets_of(run.party_id()) {
        let Some((_, key)) = keys.iter().find(|(of, _)| *of == set) else { continue };
        let threshold = terms.shape.threshold.into();
        let seed = seed((level, threshold, &terms.parties), &common, set, key);
        let mut packed = Vec::with_capacity(terms.image_len());
        image(level, &a, &seed).iter().for_each(|t| put_full(&mut packed, t));
        seeds.push((set, seed));
        images.push((set, packed));
    }
    Made { parts, rho, seeds, images }
}
