//! The errors of provers and verifiers.

use core::fmt;

/// Why no proof was made: a fault of the caller's, not of a peer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The witness lacks a part for which the statement asks, or has one of a wrong kind; names the component.
    Witness(&'static str),
    /// A part of the witness is longer than its interval; names the component.
    Range(&'static str),
    /// The statement's description is inconsistent.
    Relation,
    /// There are fewer values than products.
    Values,
    /// A number was refused one floor below.
    Number(quorate_paillier::Error),
}

impl From<quorate_paillier::Error> for Error {
    fn from(error: quorate_paillier::Error) -> Self {
        Self::Number(error)
    }
}

impl From<quorate_bignum::Error> for Error {
    fn from(error: quorate_bignum::Error) -> Self {
        Self::Number(error.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Witness(name) => write!(f, "the witness has no fitting part {name}"),
            Self::Range(name) => write!(f, "the witness {name} is outside its interval"),
            Self::Relation => f.write_str("the numbers of the statement do not belong together"),
            Self::Values => f.write_str("fewer values than products were handed in"),
            Self::Number(error) => fmt::Display::fmt(error, f),
        }
    }
}

impl core::error::Error for Error {}

/// Why a proof was refused: the check that it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProofFault {
    /// The proof does not have exactly the length that its statement requires.
    Length,
    /// A part is not in its one canonical form; names the part.
    Encoding(&'static str),
    /// A response is outside its interval; names the component.
    Range(&'static str),
    /// A number is zero, not below its modulus, or has a factor in common with it; names the part.
    Unit(&'static str),
    /// A point of the statement is the neutral element.
    Identity,
    /// The equations do not hold for this challenge.
    Equation,
    /// The modulus is a prime or passes for one.
    Prime,
    /// The modulus has a prime factor below 2^16.
    SmallFactor,
    /// The Jacobi symbol of `w` is not -1.
    Jacobi,
    /// The statement is inconsistent, or its numbers do not belong together. This is a fault of its author, and
    /// no party is to blame.
    Statement,
    /// The values are not those of the check's products, or the engine refused one. This is a fault of the
    /// caller, and no party is to blame.
    Values,
}

impl fmt::Display for ProofFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => f.write_str("a proof of another length than its statement asks for"),
            Self::Encoding(name) => write!(f, "{name} is not in canonical form"),
            Self::Range(name) => write!(f, "the response of {name} is out of range"),
            Self::Unit(name) => write!(f, "{name} is not a unit under its modulus"),
            Self::Identity => f.write_str("a point is the neutral element"),
            Self::Equation => f.write_str("the equations do not hold"),
            Self::Prime => f.write_str("the modulus is prime, expected a product of two primes"),
            Self::SmallFactor => f.write_str("the modulus has a prime factor below 2^16"),
            Self::Jacobi => f.write_str("the Jacobi symbol of w is not -1"),
            Self::Statement => f.write_str("the numbers of the statement do not belong together"),
            Self::Values => f.write_str(
                "the values handed in are not those of this check: a defect of the caller",
            ),
        }
    }
}

impl core::error::Error for ProofFault {}

impl ProofFault {
    /// The prover's fault, to be blamed; nothing if the verifier failed and not the proof:
    /// [`ProofFault::Statement`] and [`ProofFault::Values`].
    #[must_use]
    pub const fn blame(self) -> Option<quorate_session::Fault> {
        use quorate_session::Fault as Blamed;
        Some(match self {
            Self::Length | Self::Encoding(_) => Blamed::Malformed,
            Self::Identity => Blamed::IdentityCommitment,
            Self::Prime | Self::SmallFactor => Blamed::InvalidModulus,
            Self::Range(_) | Self::Unit(_) | Self::Equation | Self::Jacobi => Blamed::InvalidProof,
            Self::Statement | Self::Values => return None,
        })
    }
}
