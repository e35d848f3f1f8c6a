//! What can be wrong with the numbers that a caller hands over.

use core::fmt;

/// Why numbers were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A modulus must be odd.
    EvenModulus,
    /// A modulus must be at least 3.
    SmallModulus,
    /// A modulus of more than [`MAX_BITS`](crate::MAX_BITS) bits.
    LargeModulus,
    /// A base must be smaller than its modulus.
    BaseNotReduced,
    /// An exponent is longer than the bound it was announced with.
    ExponentTooLong,
    /// A number that has to be inverted has a common factor with the modulus.
    NotInvertible,
    /// Two lists that belong together have different lengths.
    LengthMismatch,
    /// Bytes that encode no number of the size asked for.
    Encoding,
    /// The primes of a factored modulus are equal, or one of them is no odd number of at least two bits.
    BadFactors,
    /// The parameters of a search or a table are outside what it supports.
    Unsupported,
    /// A generator of random numbers that gave none of the kind asked for in hundreds of tries: it is broken.
    Randomness,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EvenModulus => "the modulus is even",
            Self::SmallModulus => "the modulus is smaller than 3",
            Self::LargeModulus => "the modulus is larger than any supported",
            Self::BaseNotReduced => "the base is not smaller than the modulus",
            Self::ExponentTooLong => "the exponent is longer than its bound",
            Self::NotInvertible => "the number has no inverse under this modulus",
            Self::LengthMismatch => "lists of different lengths",
            Self::Encoding => "not the encoding of a number of this size",
            Self::BadFactors => "not two different odd factors",
            Self::Unsupported => "parameters outside the supported range",
            Self::Randomness => "the generator of random numbers is broken",
        })
    }
}

impl core::error::Error for Error {}
