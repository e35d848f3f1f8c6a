//! Child keys: the keys below the wallet's, or below a hardened child of it, for programs that only watch.

use core::any::Any;
use std::path::Path;

use clap::Args;
use quorate::PartyId;
use quorate::ecdsa::curves::{Curve, Secp256k1};
use quorate::keys::SharedKey;
use quorate::keys::derive::{
    Derivable, DerivationPath, DeriveError, ExtendedKey, Network, Standard,
};
use quorate_examples::args::party;
use quorate_examples::files::hex;
use quorate_examples::{Out, Result, failure};

use super::commands::OWN;
use super::family::KeyFamily;
use super::home::Home;
use super::{hardened, shares};

/// The child key that the user asks for.
#[derive(Clone, Debug, Args)]
pub(crate) struct Deriving {
    /// The child key to use, such as m/0/7
    #[arg(long, required_unless_present = "hardened")]
    path: Option<DerivationPath>,
    /// The hardened child at this path, or with --path a child key below that; its SIGNERS have to derive it
    #[arg(long, value_name = "PATH", requires = "signers", value_parser = hardened)]
    pub(crate) hardened: Option<DerivationPath>,
    /// The parties that derive the hardened child, as many as it takes to sign
    #[arg(long, requires = "hardened", value_delimiter = ',', value_parser = party)]
    pub(crate) signers: Vec<PartyId>,
}

/// A path whose numbers are all hardened, with or without `'`.
pub(crate) fn hardened(path: &str) -> Result<DerivationPath, DeriveError> {
    let levels = path.split('/').map(|level| level.strip_suffix('\'').unwrap_or(level));
    levels.collect::<Vec<_>>().join("/").parse()
}

/// Prints the key at a path.
pub(crate) fn derive<F: KeyFamily>(dir: &Path, wanted: &Deriving, out: &mut Out) -> Result {
    let path = wanted.path.as_ref().unwrap_or(&OWN);
    let (key, of) = (shares::current::<F>(dir)?, format!("the {} key", F::TITLE));
    print(&key, path, &of, out)?;
    writeln!(out, "  sign for it with `sign --path {path}`");
    Ok(())
}

/// Has the signers derive a hardened child, and prints it, or the key at a path below it.
pub(crate) fn derive_hardened<F: KeyFamily>(
    home: &Home,
    wanted: &Deriving,
    out: &mut Out,
) -> Result {
    let Deriving { path, hardened, signers } = wanted;
    let (path, hardened) = (path.as_ref().unwrap_or(&OWN), hardened.as_ref().unwrap_or(&OWN));
    let parent = shares::current::<F>(home.dir())?;
    let children = hardened::children(home, &parent, signers, hardened, out)?;
    let child = children.first().ok_or_else(|| failure!("there are no signers"))?.key();
    writeln!(out, "\n  a child that nobody else can derive, by the PRF key and by no standard:");
    print(child, path, &format!("the hardened child {hardened} of the {} key", F::TITLE), out)?;
    let below = if path.indices().is_empty() { String::new() } else { format!(" --path {path}") };
    writeln!(out, "  sign for it with `sign --hardened {hardened}{below}`");
    writeln!(out, "  verify with `verify --key {}`", hex(&F::verifying_key(child, path)?));
    Ok(())
}

fn print<F: KeyFamily>(
    key: &SharedKey<F>,
    path: &DerivationPath,
    of: &str,
    out: &mut Out,
) -> Result {
    let root = key.extended_key(F::chain_code(key));
    let child = root.derive(path)?;
    let standard = match F::Curve::STANDARD {
        Standard::Bip32 => "BIP-32",
        Standard::Slip10 => "SLIP-10",
        Standard::Additive => "Quorate additive derivation, version 1",
    };
    writeln!(out, "  {path} of {of}, by {standard}");
    writeln!(out, "  key         {}", hex(F::Curve::encode_point(child.key()).as_ref()));
    writeln!(out, "  chain code  {}", hex(child.chain_code()));
    if let (Some(xpub), Some(root)) = (xpub(&child), xpub(&root)) {
        writeln!(out, "  extended    {xpub}");
        writeln!(out, "  from        {root}");
    }
    F::describe_child(key, path, out)
}

/// The text that wallets read, over the one curve that has it.
fn xpub<C: Derivable>(key: &ExtendedKey<C>) -> Option<String> {
    let key: &ExtendedKey<Secp256k1> = (key as &dyn Any).downcast_ref()?;
    Some(key.to_xpub(Network::Main))
}
