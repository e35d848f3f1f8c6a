//! The secret of a subset, stored as its seed.

use alloc::boxed::Box;
use alloc::vec::Vec;

use quorate_declassify::declassify_slice;
use quorate_session::{Parties, Transcript};
use zeroize::{Zeroize, Zeroizing};

use crate::level::Level;
use crate::matrix::Matrix;
use crate::poly::{Poly, SecretVector, add_all, transforms};
use crate::sample;
use crate::subset::Subset;

/// Bytes of a seed.
pub(crate) const SEED: usize = 64;

/// Secret bytes at a fixed address on the heap. A move leaves no copy behind.
pub(crate) struct Secret<const L: usize>(Box<[u8; L]>);

/// A seed: ρ′_S of a subset's secret, or that of an attempt's masks.
pub(crate) type Seed = Secret<SEED>;

/// A key K_S that the members of a subset share, from which its seed follows.
pub(crate) type SubsetKey = Secret<32>;

impl<const L: usize> Secret<L> {
    /// The bytes that `fill` writes.
    pub(crate) fn filled(fill: impl FnOnce(&mut [u8; L])) -> Self {
        let mut secret = Self(Box::new([0; L]));
        fill(&mut secret.0);
        secret
    }

    /// A copy of the bytes.
    pub(crate) fn again(&self) -> Self {
        Self::filled(|bytes| *bytes = *self.0)
    }

    /// The bytes.
    pub(crate) const fn expose(&self) -> &[u8; L] {
        &self.0
    }
}

impl<const L: usize> Drop for Secret<L> {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

/// The seed of a subset's secret, from the key K_S that its members share and the values on which all parties
/// agree.
pub(crate) fn seed(
    (level, threshold, parties): (Level, u16, &Parties),
    common: &[u8],
    subset: Subset,
    key: &SubsetKey,
) -> Seed {
    let mut transcript = Transcript::new("quorate-mldsa share");
    transcript.append("level", level.name().as_bytes());
    transcript.append_u64("threshold", threshold.into());
    transcript.append_list("parties", parties.iter().map(|party| party.get().to_be_bytes()));
    transcript.append("common", common);
    transcript.append_u64("subset", subset.0.into());
    transcript.append("key", key.expose());
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
    // An instance of MLWE, which all parties receive.
    image.iter_mut().for_each(|t| declassify_slice(&mut t.0));
    image.iter_mut().for_each(Poly::canonicalize);
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::h;
    use crate::verify::VerifyingKey;
    use quorate_testkit::{hex, unhex};

    /// The public key of ML-DSA.KeyGen_internal (FIPS 204, Algorithm 6).
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
