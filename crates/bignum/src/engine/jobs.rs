//! From products to jobs and back: signs, known factors, combs.

mod halves;
mod list;
pub(super) mod public;
pub(super) mod secret;
mod signed;
mod whole;
