//! A wallet on the command line: keys in files, made by all parties together, signing with some of them.
//!
//! The part to read is what a [`Scheme`](family::Scheme) does to make a key, and how it signs: [`frost`] and
//! [`frost::signing`], [`ecdsa::keygen`] and [`ecdsa::signing`]. Beneath them are [`rounds`], where each party has a session.
//! The later steps in a key's life are the same for both kinds, over the trait [`KeyFamily`](family::KeyFamily):
//! [`change`], [`backup`], and the repair of a share. With a PRF key beside it, a key has [`hardened`] children. Keys of ML-DSA, **experimental**, can only sign: [`mldsa`].
//!
//! In this example all parties run in one process and hand each other their messages as bytes. In a real wallet each runs on a
//! machine of its own, over channels that are authenticated and, for the shares of a key, confidential. [`home`], [`making`]
//! and [`vault`] describe the stored files and their protection. A function that returns a [`Result`] fails with a text for the
//! user, and the same command may be run again.
//!
//! **Never copy the folder of an ECDSA wallet that has presignatures, nor restore it from a backup**: two copies spend one
//! presignature on two files, which gives the key away. A copy drops its presignatures when it notices that it is a copy, but
//! it cannot notice a snapshot of the whole disk. Use the command `backup` for shares.

pub mod backup;
pub mod change;
mod cli;
mod commands;
mod demo;
mod derive;
pub mod disk;
pub mod ecdsa;
pub mod family;
pub mod frost;
pub mod hardened;
pub mod home;
pub mod lock;
pub mod making;
pub mod mldsa;
pub mod openssl;
pub mod passphrase;
mod repair;
pub mod rounds;
pub mod sessions;
pub mod shares;
pub mod suites;
pub mod traffic;
pub mod vault;

use std::ffi::OsString;

use quorate_examples::{Out, Result};

/// Runs one command; what it prints goes to `out`, up to the point where it fails.
pub fn run(args: impl Iterator<Item = OsString>, out: &mut Out) -> Result {
    // None if help was asked for, which is printed.
    let cli = quorate_examples::args::parse::<cli::Cli>(args, out)?;
    cli.map_or(Ok(()), |cli| cli.run(out))
}
