//! The agreement about new shares (`docs/spec/agreement.md`).
//!
//! The parties run [`quorate_keys::agreement::Agreement`] itself. The model surrounds them with stores, crashes, a
//! restore from an older copy, a network that loses, repeats and reorders, and a member that lies. Its coordinator orders
//! anything.
//!
//! - **Network.** What an honest party ever sent can be heard by anybody, in any order, again, or never.
//! - **Lies.** A liar's statement is there whenever a certificate needs it. A party that does not hear it is one that does
//!   not take the step.
//! - **Crash.** A party's memory is a function of its stores, so a crash is a step whose list of stores is carried out in
//!   part. The property `crash` checks that function.
//! - **Restore.** One copy of one honest party's stores is made at any time, and restored once: one store, both, or one after
//!   the other.

mod case;
mod liveness;
mod party;
mod properties;
mod steps;
mod world;

pub use case::{Case, Restore, Variant, cases, early_deletion, large, live, variants};
pub use liveness::{Liveness, liveness};
pub use steps::Act;
pub use world::World;
