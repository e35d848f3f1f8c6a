//! The rule that nothing is spent twice, whatever crashes and is restored (`docs/spec/models.md`).
//!
//! One party has a database of its runs, a database of what was spent, and a stock of nonces in a file. Workers of the party
//! share them. They crash between any two transactions, and an older copy of one, two or all of the three is restored.
//!
//! - [`Database`] follows `crates/store/src/pair.rs`, and the worker follows `store.rs` and `settle.rs` there.
//! - Receipts come from `quorate_session::ClaimRecord::store`, and the fate of a stock from `Continuity::keeps_stock`.

mod case;
mod database;
mod properties;
mod steps;
mod store;
mod worker;
mod world;

pub use case::{Case, Guard, Restore, Thing, When, apart, cases, unnoticed, variants};
pub use database::{Database, Head, RolledBack, Session};
pub use steps::Act;
pub use worker::{Ready, Receipt, Stage, Steps, Use, Worker};
pub use world::{Gap, World};
