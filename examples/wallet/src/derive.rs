//! Child keys: the keys below the wallet's, for programs that only watch.

use core::any::Any;
use std::path::Path;

use quorate::ecdsa::curves::{Curve, Secp256k1};
use quorate::keys::derive::{Derivable, DerivationPath, ExtendedKey, Network, Standard};
use quorate_examples::files::hex;
use quorate_examples::{Out, Result};

use super::family::KeyFamily;
use super::shares;

/// Prints the key at `path`.
pub(crate) fn derive<F: KeyFamily>(dir: &Path, path: &DerivationPath, out: &mut Out) -> Result {
    let key = shares::current::<F>(dir)?;
    let root = key.extended_key(F::chain_code(&key));
    let child = root.derive(path)?;
    let standard = match F::Curve::STANDARD {
        Standard::Bip32 => "BIP-32",
        Standard::Slip10 => "SLIP-10",
        Standard::Additive => "Quorate additive derivation, version 1",
    };
    writeln!(out, "  {path} of the {} key, by {standard}", F::TITLE);
    writeln!(out, "  key         {}", hex(F::Curve::encode_point(child.key()).as_ref()));
    writeln!(out, "  chain code  {}", hex(child.chain_code()));
    if let (Some(xpub), Some(root)) = (xpub(&child), xpub(&root)) {
        writeln!(out, "  extended    {xpub}");
        writeln!(out, "  from        {root}");
    }
    F::describe_child(&key, path, out)?;
    writeln!(out, "  sign for it with `sign --path {path}`");
    Ok(())
}

/// The text that wallets read, over the one curve that has it.
fn xpub<C: Derivable>(key: &ExtendedKey<C>) -> Option<String> {
    let key: &ExtendedKey<Secp256k1> = (key as &dyn Any).downcast_ref()?;
    Some(key.to_xpub(Network::Main))
}
