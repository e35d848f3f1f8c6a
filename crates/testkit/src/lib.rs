//! Helpers for the tests, the fuzz targets and the benchmarks of all crates. Never published. A helper panics at
//! anything unexpected.
//!
//! | module | what it has | feature |
//! |---|---|---|
//! | here | seeded generators, hexadecimal digits, tables that the documentation has to show | |
//! | [`heap`] | an allocator that looks for secrets in freed memory | |
//! | [`golden`] | stored forms that open for ever | |
//! | [`lockstep`] | parties, and runs of any protocol that are recorded, altered and played again | `session` |
//! | [`counting`] | a curve that counts its multiplications | `counting`, for threshold ECDSA `counting-ecdsa` |
//! | [`opened`] | sessions that are opened at every slot | `session` |
//! | [`schedules`] | random schedules with a corrupt party, and sessions opened at any moment | `session` |
//! | [`forge`] | deals and complaints of a corrupt party, for the life of a key | `forge` |
//! | [`encodings`], [`mutation`] | wrong values of every kind of field | `mutation` |
//! | [`numbers`] | conversions to and from `num-bigint` | `numbers` |
//! | [`fixtures`] | primes, Paillier keys, ring-Pedersen setups | `fixtures` |
//! | [`ecdsa`] | keys and auxiliary information of a group | `ecdsa` |
//!
//! [`suite_tests`] and [`for_every_suite`] make tests of all ciphersuites in the registry of the crate `quorate`.

#[cfg(feature = "counting")]
pub mod counting;
mod documented;
#[cfg(feature = "ecdsa")]
pub mod ecdsa;
#[cfg(feature = "mutation")]
pub mod encodings;
#[cfg(feature = "fixtures")]
pub mod fixtures;
#[cfg(feature = "forge")]
pub mod forge;
pub mod golden;
pub mod heap;
mod hex;
#[cfg(feature = "session")]
pub mod lockstep;
#[cfg(feature = "mutation")]
pub mod mutation;
#[cfg(feature = "numbers")]
pub mod numbers;
#[cfg(feature = "session")]
pub mod opened;
mod rng;
#[cfg(feature = "session")]
pub mod schedules;
mod suites;

pub use documented::documented;
pub use hex::{hex, unhex};
pub use rng::{Lcg, Stuck, rng, rng_of};
