//! The encodings of keys and signatures that consumers take.

pub mod der;
pub mod ec;
pub mod spki;
pub mod ssh;
