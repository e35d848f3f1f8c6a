//! What a socket needs of a committee: its keys, and signatures of purposes.
//!
//! A socket speaks the protocol of some program that exists: an SSH agent, a validator's signer, a key service. It turns what
//! that program asks for into a [`Purpose`](quorate_purpose::Purpose), and asks a [`Backend`] for the signature. It holds no
//! share and makes no decision: every signer reads the purpose itself, and asks its own policy.

mod backend;
#[cfg(feature = "committee")]
pub mod committee;
pub mod encoding;
mod failure;
mod key;
pub mod service;

pub use backend::{Asked, Backend, Reply, Signature};
#[cfg(feature = "committee")]
pub use committee::Committee;
pub use failure::Failure;
pub use key::Key;
pub use service::Service;

#[doc(no_inline)]
pub use custody_core::{KeyId, KeySpec, Scheme};
