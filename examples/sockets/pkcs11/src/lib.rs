//! The token behind the PKCS#11 module: the keys of a committee, for programs that have theirs in a security module.
//!
//! Such programs load a module, a library with the interface Cryptoki of PKCS#11. Ours has no share and speaks no protocol of
//! signing. It asks this token, on a Unix socket, with the messages of [`sockets_pkcs11_wire`].
//!
//! # What is signed
//!
//! A message is read as one of the kinds that the key is bound to: see [`read`](sockets_backend::read). Other messages are
//! opaque, and only keys that are bound to `opaque-message` sign them. A digest, which `CKM_ECDSA` has in the place of a
//! message, is always opaque. The module offers it for keys that are bound to `opaque-digest`.
//!
//! The token shows keys of ECDSA over P-256 and secp256k1, of Ed25519, and of ML-DSA-65.
//!
//! # The PIN
//!
//! A token may have a PIN. Then a request for a signature or a key has it, and the token compares it. Five wrong ones of a
//! user, each less than a minute after the one before, lock that user out for a minute. Right ones between them change
//! nothing, since another program of the same user may know the PIN. A PIN is the same for all users: policies see the user of the
//! socket as `on_behalf`.

mod making;
mod pin;
mod serve;
mod token;

pub use making::Making;
pub use pin::{PinError, TokenPin};
pub use serve::serve;
pub use token::{Refused, Settings, Token};
