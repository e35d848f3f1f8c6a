//! Transactions and messages of EVM chains.

mod authorization;
mod blob;
mod call;
mod personal;
mod rlp;
mod set_code;
mod signature;
mod transaction;
mod unsigned;

pub use authorization::Authorization;
pub use blob::BlobTransaction;
pub use call::Call;
pub use personal::PersonalMessage;
pub use set_code::{SetCodeTransaction, SignedAuthorization};
pub use signature::Signature;
pub use transaction::Transaction;
pub use unsigned::{AccessListItem, Fees, Unsigned};
