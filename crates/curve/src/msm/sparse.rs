//! Coefficients with few digits, for equations that are checked many at a time.

use rand_core::Rng;

use crate::Curve;

/// Digits of a coefficient. As many as the width-5 non-adjacent form of 75 bits has on the average,
/// instead of the 21 of 128 bits: among 252 positions there is room enough to choose from.
const DIGITS: usize = 15;

/// Places to choose from: a digit at the k-th chosen place stands 4k positions higher, so that any
/// two are at least five apart and the top one ends below bit 252.
const PLACES: u8 = 192;

/// A random positive integer, as a scalar, whose width-5 non-adjacent form has [`DIGITS`] digits.
///
/// The form is unique. The integers are below 2^251, less than the order of the curves that use
/// this. So there are C(192, 15)·2^59 > 2^131 of them, all equally likely, and no two are the same
/// scalar. At most one of them cancels an equation that does not hold.
pub(crate) fn coefficient<C: Curve>(rng: &mut impl Rng) -> C::Scalar {
    let mut taken = [0u64; 3];
    let mut left = DIGITS;
    while left > 0 {
        let [place, ..] = rng.next_u64().to_le_bytes();
        if place >= PLACES {
            continue;
        }
        let (limb, bit) = (usize::from(place >> 6), 1u64 << (place & 63));
        if let Some(limb) = taken.get_mut(limb)
            && *limb & bit == 0
        {
            *limb |= bit;
            left -= 1;
        }
    }
    // Three bits of size and a sign for each digit; the top digit is positive.
    let mut random = rng.next_u64() & !(1 << (4 * DIGITS - 1));
    let (mut plus, mut minus) = ([0u64; 8], [0u64; 8]);
    let mut gap = 0;
    for (limb, base) in taken.iter().zip([0u32, 64, 128]) {
        let mut rest = *limb;
        while rest != 0 {
            let position = base + rest.trailing_zeros() + gap;
            rest &= rest - 1;
            gap += 4;
            let size = (random & 7) * 2 + 1;
            put(if random & 8 == 0 { &mut plus } else { &mut minus }, position, size);
            random >>= 4;
        }
    }
    C::scalar_from_limbs(&plus) - C::scalar_from_limbs(&minus)
}

/// Adds `size`, of four bits that are still zero, at a position.
fn put(limbs: &mut [u64; 8], position: u32, size: u64) {
    let at = position & 63;
    let places = limbs.iter_mut().skip((position >> 6) as usize);
    for (limb, part) in places.zip([size << at, (size >> 1) >> (63 - at)]) {
        *limb |= part;
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use chacha20::ChaCha20Rng;
    use chacha20::rand_core::SeedableRng;

    use super::*;
    use crate::msm::non_adjacent;
    use crate::{Ed25519, Ristretto255};

    fn forms<C: Curve>() {
        let mut rng = ChaCha20Rng::from_seed([5; 32]);
        let (mut seen, mut ends) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..2000 {
            let limbs = C::scalar_limbs(&coefficient::<C>(&mut rng));
            assert!(limbs[3] >> 59 == 0 && limbs[4..] == [0; 4], "2^251 or more");
            let mut digits = Vec::new();
            non_adjacent(&limbs, 5, |position, digit| digits.push((position, digit)));
            assert_eq!(digits.len(), DIGITS);
            assert!(digits.last().is_some_and(|(_, digit)| *digit > 0));
            ends.extend([digits[0], digits[DIGITS - 1], digits[7]]);
            assert!(seen.insert(limbs), "one twice");
        }
        assert!(ends.iter().any(|(position, _)| *position == 0));
        assert!(ends.iter().any(|(position, _)| *position == 247));
        let digits: BTreeSet<i8> = ends.iter().map(|(_, digit)| *digit).collect();
        assert_eq!(digits, (-15..16).filter(|digit| digit & 1 == 1).collect());
    }

    #[test]
    fn coefficients_have_fifteen_digits() {
        forms::<Ed25519>();
        forms::<Ristretto255>();
    }
}
