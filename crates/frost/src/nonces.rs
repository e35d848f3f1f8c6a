//! Round one: nonces and their commitments (RFC 9591 §5.1, §4.1).

mod batch;
mod claim;
mod pair;
mod published;

pub use batch::NonceBatch;
pub use claim::Claim;
pub use pair::{Commitments, NonceId, Nonces};
pub use published::PublishedNonces;
