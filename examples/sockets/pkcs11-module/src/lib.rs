//! A PKCS#11 module whose keys are those of a committee.
//!
//! Programs that keep their keys in a security module load a library with the interface Cryptoki of PKCS#11, and call it. This
//! library holds no share and speaks no protocol of signing. It asks `quorate-sockets` on a Unix socket, whose path is in the
//! variable `QUORATE_PKCS11_SOCKET`, or else `/run/quorate/pkcs11.sock`.
//!
//! The library implements version 3.0 of the interface, and 2.40 for programs that ask for no other. Its state is the sessions,
//! the list of the keys, and the PIN of the login, which it sends with each request and wipes at logout. It starts no thread.
//! Each call that needs the daemon has a connection of its own. So a process may fork at any time, and the child has the sessions
//! and the login of its parent. A daemon that starts again finds every consumer where it was.
//!
//! A signature is verified under the key's own public key before the program gets it.

mod attributes;
mod daemon;
mod entry;
mod keygen;
mod library;
mod mechanism;
mod object;
mod output;
mod rv;
mod session;
mod sign;
mod state;
mod token;
mod verify;

pub use entry::{C_GetFunctionList, C_GetInterface, C_GetInterfaceList};
