//! Threshold ML-DSA: what verifiers are given, stored forms, the messages of an attempt and of a key generation, and
//! evidence.

pub(crate) mod evidence;
mod fixture;
pub(crate) mod rounds;
pub(crate) mod seeds;
pub(crate) mod signatures;
pub(crate) mod stored;
