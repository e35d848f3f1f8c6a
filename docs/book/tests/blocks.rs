//! Every block of Rust in the README and the book, compiled as it is printed, and run.
//!
//! `build.rs` makes a module of each. A file of `tests/inside` looks into the block of its name. That a reader's project
//! compiles the blocks, with the features that a page names, is tested by `cargo run -p quorate-book --bin as-printed`.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::all,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::std_instead_of_core,
    clippy::too_many_lines,
    clippy::unwrap_used,
    reason = "programs as a reader writes them"
)]

use core::fmt::Debug;

/// The ends of a program.
trait Ended {
    fn check(self);
}

impl Ended for () {
    fn check(self) {}
}

impl<E: Debug> Ended for Result<(), E> {
    fn check(self) {
        self.unwrap();
    }
}

include!(concat!(env!("OUT_DIR"), "/blocks.rs"));
