//! Numbers: public and secret, natural and signed, and their arithmetic on 64-bit words.
//!
//! Nothing here knows a modulus with what was worked out for it, a kernel or an engine.

pub(crate) mod euclid;
pub(crate) mod integer;
pub(crate) mod inverse;
pub(crate) mod natural;
pub(crate) mod random;
pub(crate) mod secret_integer;
pub(crate) mod secret_natural;
pub(crate) mod word;
pub(crate) mod words;
