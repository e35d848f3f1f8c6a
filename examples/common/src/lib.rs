//! What the example programs have in common: how they read their command line and print, the
//! search for primes, and verifiers that are not Quorate's.

pub mod args;
pub mod failure;
pub mod files;
pub mod out;
pub mod primes;
pub mod progress;
pub mod table;
pub mod verifiers;
