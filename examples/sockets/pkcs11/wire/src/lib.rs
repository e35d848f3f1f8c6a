//! The messages between the PKCS#11 module and `quorate-sockets`.
//!
//! The module connects to a Unix socket for each call, and sends one [`Request`]. The daemon answers at once with
//! [`Answer::Wait`], which says how long the call may take, and then with the result. Then it closes the connection. A module
//! that reads the end of the connection before [`Answer::Wait`] knows that its request has not begun.
//!
//! # Bytes
//!
//! A frame is the length of its body in four bytes, big-endian, and the body: the version, the kind and the fields. A field of
//! variable length has its length in front, in four bytes. A body has one form: what is decoded encodes to the same bytes.
#![no_std]

extern crate alloc;

mod answer;
mod bytes;
mod key;
mod request;

pub use answer::{Answer, Description, Reason};
pub use bytes::Malformed;
pub use key::{KeyInfo, Scheme};
pub use request::{Input, MakeRequest, Pin, Request, SignRequest};

/// The version of the messages.
pub const VERSION: u8 = 1;
/// The longest body of a frame, in bytes.
pub const MAX_FRAME: usize = (1 << 20) + 1024;
/// The longest message that is signed, in bytes.
pub const MAX_MESSAGE: usize = (1 << 20) - 1024;
/// The longest PIN, in bytes.
pub const MAX_PIN: usize = 255;
/// The longest name of a key or token, in bytes.
pub const MAX_NAME: usize = 255;
/// The most keys of a token.
pub const MAX_KEYS: usize = 2048;
/// The longest signature, in bytes.
pub const MAX_SIGNATURE: usize = 8192;
