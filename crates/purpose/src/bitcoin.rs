//! Spends of Bitcoin: Taproot (BIP-341) and version 0 of segregated witness (BIP-143).

mod body;
mod compact;
mod facts;
mod map;
mod previous;
mod psbt;
mod script;
mod sighash;
mod spend;
mod transaction;
mod version_2;

pub use spend::{Path, SighashType, Spend};
pub use transaction::{Input, Output, Transaction};
