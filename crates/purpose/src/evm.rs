//! Transactions of EVM chains.

mod authorization;
mod blob;
mod call;
mod rlp;
mod set_code;
mod transaction;
mod unsigned;

pub use authorization::Authorization;
pub use blob::BlobTransaction;
pub use call::Call;
pub use set_code::{SetCodeTransaction, SignedAuthorization};
pub use transaction::Transaction;
pub use unsigned::{AccessListItem, Fees, Unsigned};
