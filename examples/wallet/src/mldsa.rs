//! Threshold ML-DSA in the wallet, **experimental**: [`keygen`] and [`signing`] are the part to read, with [`attempts`], the
//! records without which no attempt to sign begins. A key has no life but signing: `absent.rs` says why.

pub(crate) mod absent;
pub mod attempts;
pub(crate) mod commands;
pub(crate) mod demo;
pub mod folder;
pub mod keygen;
pub(crate) mod openssl;
pub mod signing;

use quorate::mldsa::Level;

/// A parameter set of FIPS 204, with its names.
pub trait MldsaSuite: 'static {
    /// The set.
    const LEVEL: Level;
    /// Its name on the command line.
    const SUITE: &'static str;
    /// The byte that stands for it in `public.key`.
    const FAMILY: u8;
}

/// ML-DSA-44.
#[derive(Debug)]
pub struct MlDsa44;

/// ML-DSA-65.
#[derive(Debug)]
pub struct MlDsa65;

/// ML-DSA-87.
#[derive(Debug)]
pub struct MlDsa87;

impl MldsaSuite for MlDsa44 {
    const LEVEL: Level = Level::MlDsa44;
    const SUITE: &'static str = "ml-dsa-44";
    const FAMILY: u8 = 44;
}

impl MldsaSuite for MlDsa65 {
    const LEVEL: Level = Level::MlDsa65;
    const SUITE: &'static str = "ml-dsa-65";
    const FAMILY: u8 = 65;
}

impl MldsaSuite for MlDsa87 {
    const LEVEL: Level = Level::MlDsa87;
    const SUITE: &'static str = "ml-dsa-87";
    const FAMILY: u8 = 87;
}
