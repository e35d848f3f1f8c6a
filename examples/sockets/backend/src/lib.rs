//! The needs of a socket: the keys of a committee, and signatures of purposes.
//!
//! A socket speaks the protocol of some program that exists: an SSH agent, a validator's signer, a key service. It turns what
//! that program asks for into a [`Purpose`](quorate_purpose::Purpose), and asks a [`Backend`] for the signature. It holds no
//! share and makes no decision: every signer reads the purpose itself, and asks its own policy.

mod access;
mod backend;
#[cfg(feature = "committee")]
pub mod committee;
pub mod encoding;
mod failure;
mod key;
mod limits;
mod only;
mod reading;
pub mod service;
#[cfg(all(unix, feature = "unix"))]
mod unix;

pub use access::AccessKeys;
pub use backend::{Asked, Backend, Reply, Signature};
#[cfg(feature = "committee")]
pub use committee::Committee;
pub use failure::Failure;
pub use key::Key;
pub use limits::Limits;
pub use only::Only;
pub use reading::read;
pub use service::Service;
#[cfg(all(unix, feature = "unix"))]
pub use unix::{UnixSocket, while_there};

#[doc(no_inline)]
pub use custody_core::{KeyId, KeySpec, Scheme};
