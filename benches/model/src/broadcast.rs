//! The promise of a session about broadcasts and blame (`docs/spec/models.md`).
//!
//! A run has three rounds. Round 1 is a broadcast. Round 2 is a broadcast that answers round 1, and in some cases a message to
//! each party; both carry the echo of round 1. Round 3 is a broadcast that confirms the result, with the echo of round 2.
//! Corrupt parties send anything to anybody. The network delivers, in any order, again or never, what was ever sent; it
//! delivers frames to the wrong party and frames of another run. Parties crash, and one is restored to an older copy.
//!
//! [`Session`] has the states and the guards of `quorate_session::Session`; each method names the function that it follows.
//! The test `sessions` runs both in lockstep over everything that one party can receive.

mod case;
mod frame;
mod memory;
mod properties;
mod session;
mod steps;
mod world;

pub use case::{Case, Guard, Store, cases, large, variants};
pub use frame::{Bits, Content, Frame, Kind, has};
pub use session::{End, EndKind, Fate, Progress, Session};
pub use steps::{Act, Go};
pub use world::{Party, World};
