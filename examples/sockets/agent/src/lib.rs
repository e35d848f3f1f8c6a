//! An SSH agent whose keys are those of a committee.
//!
//! The agent speaks the protocol of `ssh-agent` (draft-ietf-sshm-ssh-agent) on a Unix socket. OpenSSH, git and whatever else finds
//! an agent by `SSH_AUTH_SOCK` sign with it, and need no change. An agent is given bytes to sign. This one reads them as a
//! login ([`SshUserAuth`](quorate_purpose::SshUserAuth)) or as the signature of a file
//! ([`SshSignature`](quorate_purpose::SshSignature)), and asks the committee for a signature of that. It refuses all other
//! bytes, and so does every signer.
//!
//! Keys are those of Ed25519 and of ECDSA over P-256 that may sign either of the two. Keys are not added, removed or locked
//! here: such requests fail, as all that the protocol has beside.

mod agent;
mod message;
mod serve;

pub use agent::{Agent, Refused};
pub use message::{Answer, MAX_LENGTH, Malformed, Request};
pub use serve::serve;
