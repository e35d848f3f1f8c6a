//! Errors, one small enum for each thing that a caller does.

mod decode;
mod keys;
mod signing;

pub use decode::{BatchError, DecodeError, InvalidSignature};
pub use keys::{AcceptError, DealError, TweakError};
pub use signing::{
    AggregateError, ClaimError, PackageError, ReceiptError, ShareRejected, SignError,
};
