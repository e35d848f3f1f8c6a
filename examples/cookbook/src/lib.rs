//! The code that the recipes share: processes over Unix sockets, the loop of a run, and signing in both families.
//!
//! A recipe is a program of separate processes: [`mesh::main`] starts one for each party. Party 1 is the wallet: it says what is
//! to be signed ([`frost::Key::sign`], [`ecdsa::Key::sign`]). The others look at that, with the recipe's own eyes, before
//! they answer (`cosign`). In life the parties are machines, the sockets are TLS with certificates on both sides, and keys and
//! records of what was spent lie in a database, as in `examples/custody`.

pub mod coin;
pub mod ecdsa;
pub mod ethereum;
pub mod frost;
pub mod mesh;
pub mod oprf;
pub mod prf;
pub mod run;
pub mod signer;
pub mod tool;

/// Anything that ends a recipe.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
