//! Errors: the faults of numbers that a caller passes.

use core::fmt;

/// The reason why numbers were refused.
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
    /// An exponent is longer than its declared bound.
    ExponentTooLong,
    /// A number that has to be inverted has a common factor with the modulus.
    NotInvertible,
    /// Two lists that belong together have different lengths.
    LengthMismatch,
    /// Bytes that do not encode a number of the expected size.
    Encoding,
    /// The primes of a factored modulus are equal, or one of them is not an odd number of at least two bits.
    BadFactors,
    /// The parameters of a search or a table are outside what it supports.
    Unsupported,
    /// An engine gave no value where one is due, or was given numbers of a wrong length. This is a defect of the
    /// engine or of the library under it.
    NoValue,
    /// A generator of random numbers gave none of the required kind in hundreds of tries, so it is broken.
    Randomness,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EvenModulus => "the modulus is even, expected an odd one",
            Self::SmallModulus => "the modulus is smaller than 3, the least that is supported",
            Self::LargeModulus => "the modulus has more bits than are supported",
            Self::BaseNotReduced => "the base is not smaller than its modulus: reduce it first",
            Self::ExponentTooLong => "the exponent is longer than the bound it was announced with",
            Self::NotInvertible => "the number shares a factor with the modulus and has no inverse",
            Self::LengthMismatch => "two lists that belong together have different lengths",
            Self::Encoding => {
                "expected the encoding of a number of this size, or a saved search, got other bytes"
            }
            Self::BadFactors => "expected two different odd factors",
            Self::Unsupported => "the length is outside of what this search or table supports",
            Self::NoValue => "the engine gave no value: a defect in it or in the library under it",
            Self::Randomness => "the generator of random numbers is broken",
        })
    }
}

impl core::error::Error for Error {}
