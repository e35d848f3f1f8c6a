//! Test vectors of whole runs, for implementations of `docs/spec` in other languages: what `docs/spec/vectors` contains is
//! made here, and made again from the seeds that it contains. `docs/spec/vectors.md` says how to use them.
//!
//! ```sh
//! cargo run --release -p quorate-vectors -- write docs/spec/vectors     # all files anew
//! cargo run --release -p quorate-vectors -- replay docs/spec/vectors    # all runs again, from the files' seeds
//! ```
//!
//! Behind the folder, names of files or their beginnings choose some of them.

mod aux_info;
mod cheat;
mod cheats;
mod disk;
mod ecdsa;
mod folder;
mod frost;
mod json;
mod keys;
mod lies;
mod play;
mod record;
mod run;
mod seeds;
mod shapes;
mod signers;
mod table;
mod terms;

pub use folder::{Problem, replay, write};
pub use table::names;
