//! The three parameter sets (FIPS 204, §4).

use core::fmt;

use crate::poly::N;

/// A level: a parameter set of FIPS 204, Table 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// ML-DSA-44, security category 2.
    MlDsa44,
    /// ML-DSA-65, security category 3.
    MlDsa65,
    /// ML-DSA-87, security category 5.
    MlDsa87,
}

impl Level {
    /// The three levels.
    pub const ALL: [Self; 3] = [Self::MlDsa44, Self::MlDsa65, Self::MlDsa87];

    /// The name in FIPS 204.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MlDsa44 => "ML-DSA-44",
            Self::MlDsa65 => "ML-DSA-65",
            Self::MlDsa87 => "ML-DSA-87",
        }
    }

    /// Bytes of a verifying key: 1312, 1952 or 2592 (FIPS 204, Table 2).
    #[must_use]
    pub const fn verifying_key_len(self) -> usize {
        32 + self.k() * 320
    }

    /// Bytes of a signature: 2420, 3309 or 4627 (FIPS 204, Table 2).
    #[must_use]
    pub const fn signature_len(self) -> usize {
        self.challenge_len() + self.l() * self.response_len() + self.omega() + self.k()
    }

    /// The number k of rows of A.
    pub(crate) const fn k(self) -> usize {
        self.choose(4, 6, 8)
    }

    /// The number ℓ of columns of A.
    pub(crate) const fn l(self) -> usize {
        self.choose(4, 5, 7)
    }

    /// The greatest coefficient η of a secret.
    #[cfg(test)]
    pub(crate) const fn eta(self) -> i32 {
        match self {
            Self::MlDsa44 | Self::MlDsa87 => 2,
            Self::MlDsa65 => 4,
        }
    }

    /// The number τ of coefficients of a challenge that are not zero.
    pub(crate) const fn tau(self) -> usize {
        self.choose(39, 49, 60)
    }

    /// β = τη, the greatest coefficient of a challenge times a secret.
    pub(crate) const fn beta(self) -> i32 {
        match self {
            Self::MlDsa44 => 78,
            Self::MlDsa65 => 196,
            Self::MlDsa87 => 120,
        }
    }

    /// The binary logarithm of γ1. The coefficients of a response are smaller than γ1.
    pub(crate) const fn log_gamma1(self) -> u32 {
        match self {
            Self::MlDsa44 => 17,
            Self::MlDsa65 | Self::MlDsa87 => 19,
        }
    }

    /// γ1
    pub(crate) const fn gamma1(self) -> i32 {
        1 << self.log_gamma1()
    }

    /// γ2, half the length of the intervals of high bits.
    pub(crate) const fn gamma2(self) -> i32 {
        match self {
            Self::MlDsa44 => 95_232,
            Self::MlDsa65 | Self::MlDsa87 => 261_888,
        }
    }

    /// The number (q − 1)/2γ2 of values of the high bits.
    pub(crate) const fn high_values(self) -> i32 {
        match self {
            Self::MlDsa44 => 44,
            Self::MlDsa65 | Self::MlDsa87 => 16,
        }
    }

    /// The greatest number ω of ones in a hint.
    pub(crate) const fn omega(self) -> usize {
        self.choose(80, 55, 75)
    }

    /// Bytes of c̃.
    pub(crate) const fn challenge_len(self) -> usize {
        self.choose(32, 48, 64)
    }

    /// Bytes of a polynomial of a response.
    pub(crate) const fn response_len(self) -> usize {
        (self.log_gamma1() as usize + 1) * (N >> 3)
    }

    const fn choose(self, of44: usize, of65: usize, of87: usize) -> usize {
        match self {
            Self::MlDsa44 => of44,
            Self::MlDsa65 => of65,
            Self::MlDsa87 => of87,
        }
    }
}

/// The name in FIPS 204.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Level;

    #[test]
    fn sizes_are_those_of_the_standard() {
        let sizes = |of: fn(Level) -> usize| Level::ALL.map(of);
        assert_eq!(sizes(Level::verifying_key_len), [1312, 1952, 2592]);
        assert_eq!(sizes(Level::signature_len), [2420, 3309, 4627]);
        for level in Level::ALL {
            assert_eq!(
                usize::try_from(level.eta()).unwrap() * level.tau(),
                usize::try_from(level.beta()).unwrap()
            );
        }
    }
}
