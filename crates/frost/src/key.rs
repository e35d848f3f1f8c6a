//! Key shares and public key packages, which the parties keep.

mod package;
mod parties;
mod share;
mod types;

pub use package::PublicKeyPackage;
pub(crate) use parties::{committee, put_parties, read_parties};
pub use share::KeyShare;
