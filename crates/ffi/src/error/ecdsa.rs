//! The errors of threshold ECDSA.

use quorate::ecdsa::{AggregateError, ClaimError, DecodeError, InvalidSignature, NumberError};

use super::{ErrorKind, QuorateError};

impl From<NumberError> for QuorateError {
    fn from(error: NumberError) -> Self {
        Self::new(ErrorKind::Arguments, error)
    }
}

impl From<InvalidSignature> for QuorateError {
    fn from(error: InvalidSignature) -> Self {
        Self::new(ErrorKind::InvalidSignature, error)
    }
}

impl From<DecodeError> for QuorateError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::Mismatch(why) => why.into(),
            other => Self::new(ErrorKind::Encoding, other),
        }
    }
}

impl From<AggregateError> for QuorateError {
    fn from(error: AggregateError) -> Self {
        let otherwise = match error {
            AggregateError::Mismatch(_) => ErrorKind::Mismatch,
            AggregateError::Missing(_) => ErrorKind::Missing,
            AggregateError::Inconsistent => ErrorKind::Defect,
            _ => ErrorKind::Arguments,
        };
        Self::judged(error.culprits(), otherwise, &error)
    }
}

impl From<ClaimError> for QuorateError {
    fn from(error: ClaimError) -> Self {
        let kind = match error {
            ClaimError::Unknown => ErrorKind::Consumed,
            ClaimError::OtherParty | ClaimError::Mismatch(_) => ErrorKind::Mismatch,
            ClaimError::Unconfirmed => ErrorKind::Unconfirmed,
            ClaimError::OtherReceipt => ErrorKind::Defect,
            _ => ErrorKind::Arguments,
        };
        Self::new(kind, error)
    }
}
