//! The secret of a subset, by its seed.

use alloc::boxed::Box;
use alloc::vec::Vec;

use quorate_session::{Parties, Transcript};
use zeroize::{Zeroize, Zeroizing};

use crate::level::Level;
use crate::matrix::Matrix;
use crate::poly::{Poly, SecretVector, add_all, transforms};
use crate::sample;
use crate::subset::Subset;

/// Bytes of a seed.
pub(crate) const SEED: usize = 64;

/// A seed: ρ′_S of a subset's secret, or that of an attempt's masks. It stays where it is on the heap: a move leaves no
/// copy behind.
pub(crate) struct Seed(Box<[u8; SEED]>);

impl Seed {
    /// The seed that `fill` writes.
    pub(crate) fn filled(fill: impl FnOnce(&mut [u8; SEED])) -> Self {
        let mut seed = Self(Box::new([0; SEED]));
        fill(&mut seed.0);
        seed
    }

    /// The seed once more.
    pub(crate) fn again(&self) -> Self {
        Self::filled(|bytes| *bytes = *self.0)
    }

    /// The bytes.
    pub(crate) const fn expose(&self) -> &[u8; SEED] {
        &self.0
    }
}

impl Drop for Seed {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// The seed of a subset's secret, from the key K_S that its members share and what all parties agree on.
pub(crate) fn seed(
    (level, threshold, parties): (Level, u16, &Parties),
    common: &[u8],
    subset: Subset,
    key: &[u8; 32],
) -> Seed {
    let mut transcript = Transcript::new("quorate-mldsa share");
    transcript.append("level", level.name().as_bytes());
    transcript.append_u64("threshold", threshold.into());
    transcript.append_list("parties", parties.iter().map(|party| party.get().to_be_bytes()));
    transcript.append("common", common);
    transcript.append_u64("subset", subset.0.into());
    transcript.append("key", key);
    Seed::filled(|bytes| *bytes = transcript.finish())
}

/// s_S = (s1, s2) of a seed (ExpandS).
pub(crate) fn expand(level: Level, seed: &Seed) -> (SecretVector, SecretVector) {
    sample::secret(level, seed.expose())
}

/// t_S = A·s1 + s2, with coefficients from 0 to q − 1, which is public.
pub(crate) fn image(level: Level, a: &Matrix, seed: &Seed) -> Vec<Poly> {
    let (s1, s2) = expand(level, seed);
    let transformed = Zeroizing::new(transforms(&s1));
    let mut image = a.apply(&transformed);
    add_all(&mut image, &s2);
    image.iter_mut().for_each(Poly::canonicalize);
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::h;
    use crate::verify::VerifyingKey;
    use quorate_testkit::{hex, unhex};

    /// ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6), the public key.
    fn keygen(level: Level, xi: &[u8]) -> VerifyingKey {
        let [k, l] = [level.k(), level.l()].map(|n| u8::try_from(n).unwrap());
        let expanded: [u8; 128] = h(&[xi, &[k, l]]);
        let rho: [u8; 32] = expanded[..32].try_into().unwrap();
        let seed = Seed::filled(|bytes| bytes.copy_from_slice(&expanded[32..96]));
        let t = image(level, &Matrix::expand(level, &rho), &seed);
        VerifyingKey::of(level, rho, &t)
    }

    #[test]
    fn keys_of_nist_come_out() {
        let mut counts = [0; 3];
        for line in
            include_str!("../tests/keygen.txt").lines().filter(|line| !line.starts_with('#'))
        {
            let parts: Vec<&str> = line.split(' ').collect();
            let at = Level::ALL.iter().position(|level| level.name() == parts[0]).unwrap();
            let key = keygen(Level::ALL[at], &unhex(parts[1]));
            assert_eq!(hex(&h::<64>(&[&key.to_bytes()])), parts[2], "{}", parts[1]);
            counts[at] += 1;
        }
        assert_eq!(counts, [25; 3]);
    }
}
