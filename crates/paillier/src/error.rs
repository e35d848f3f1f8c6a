//! Errors of keys, ciphertexts and commitments.

use core::fmt;

/// The reason why something was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Bytes of another length than the level's.
    Length,
    /// A stored form of another version or another level.
    Version,
    /// A modulus is even, or has not exactly the length of its level.
    Modulus,
    /// A prime has not exactly the length of its level.
    PrimeSize,
    /// A prime is not 3 modulo 4.
    NotBlum,
    /// A factor is not prime.
    NotPrime,
    /// A factor of `N̂` is not a safe prime: either p or (p - 1) / 2 is composite.
    NotSafe,
    /// The two primes are equal, or too close to each other.
    ClosePrimes,
    /// A number is zero, or not smaller than its modulus.
    OutOfRange,
    /// A number has a common factor with its modulus.
    NotUnit,
    /// The bases of a ring-Pedersen setup are trivial or equal.
    TrivialBase,
    /// A number of one key was passed to another.
    OtherKey,
    /// The parts of a stored form do not belong together.
    Inconsistent,
    /// The crate `quorate-bignum` refused the numbers.
    Number(quorate_bignum::Error),
}

impl From<quorate_bignum::Error> for Error {
    fn from(error: quorate_bignum::Error) -> Self {
        Self::Number(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "bytes of another length than this level's numbers have",
            Self::Version => "a stored form of another version or level: open it with its own",
            Self::Modulus => "the modulus is even or has not the length of its level",
            Self::PrimeSize => {
                "a prime has not the length of its level: search for one of that length"
            }
            Self::NotBlum => "a prime is not 3 modulo 4, expected one that is",
            Self::NotPrime => "a factor is not prime",
            Self::NotSafe => "a factor is not a safe prime: search for one that is",
            Self::ClosePrimes => {
                "the primes are equal or too close to each other: take fresh random ones"
            }
            Self::OutOfRange => "a number is zero or not smaller than its modulus",
            Self::NotUnit => "a number has a factor in common with its modulus",
            Self::TrivialBase => "the bases of the commitments are trivial or equal",
            Self::OtherKey => "a number of one key was handed to another",
            Self::Inconsistent => "the parts of a stored form do not belong together",
            Self::Number(error) => return fmt::Display::fmt(error, f),
        })
    }
}

impl core::error::Error for Error {}
