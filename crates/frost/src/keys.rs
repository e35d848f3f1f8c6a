//! Key shares and public key packages: what the parties keep.

mod id;
mod package;
mod parties;
mod share;
mod state;

pub use id::PackageId;
pub use package::PublicKeyPackage;
pub(crate) use package::negate_if;
pub(crate) use parties::{bad_threshold, put_parties, read_parties, threshold_fits};
pub use share::KeyShare;
pub use state::ShareState;
