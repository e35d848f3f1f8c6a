//! Typed data of EVM chains (EIP-712).

mod bounds;
mod data;
mod domain;
mod from_json;
mod kinds;
mod schema;
mod typed;

pub use typed::TypedData;
