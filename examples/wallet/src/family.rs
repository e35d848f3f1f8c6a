//! The parts of a wallet that depend on the kind of its key. Everything else is one piece of code for all of them.

use std::path::Path;

use quorate::keys::derive::{Derivable, DerivationPath};
use quorate::keys::{Family, KeyTypes, SharedKey};
use quorate::session::zeroize::Zeroizing;
use quorate::{Parties, PartyId};
use quorate_examples::{Out, Result};
use quorate_paillier::Level;

use super::commands::{Signed, Statement};
use super::home::{self, Home, PUBLIC};
use super::making::Making;
use super::shares::{NEXT, NEXT_PUBLIC, SHARE};

/// A kind of key: a suite of FROST, a curve of ECDSA, or a parameter set of ML-DSA.
pub trait Scheme: 'static {
    /// The name on the command line.
    const SUITE: &'static str;
    /// The name in a sentence.
    const TITLE: &'static str;
    /// The byte that stands for it in `public.key`.
    const FAMILY: u8;
    /// `true` if a key has big moduli, of a level that the user chooses.
    const HAS_LEVEL: bool = false;
    /// The names of a wallet's files for all parties, and what they are.
    const FILES: &'static [[&'static str; 2]];
    /// The folders of a wallet.
    const FOLDERS: &'static [&'static str] = &[];

    /// The public side of a key.
    type Package;
    /// A signature.
    type Signature;

    /// The public side of the key of the wallet in `dir`.
    fn package(dir: &Path) -> Result<Self::Package>;

    /// The stored form of the public side.
    fn package_bytes(package: &Self::Package) -> Vec<u8>;

    /// The public key for others, if they have a form for it.
    fn pem(_package: &Self::Package) -> Option<String> {
        None
    }

    /// Refuses a key of this shape, before anything is written.
    fn check(_threshold: u16, _parties: &Parties) -> Result {
        Ok(())
    }

    /// Makes a key among all parties, and everything else that they need to sign. Prints each step.
    fn generate(making: &Making, out: &mut Out) -> Result<Self::Package>;

    /// Prints a new key.
    fn describe(package: &Self::Package, out: &mut Out) -> Result;

    /// Reads a signature.
    fn parse(bytes: &[u8]) -> Result<Self::Signature>;

    /// Verifies a signature.
    fn verify(package: &Self::Package, what: Statement<'_>, signature: &Self::Signature) -> Result;

    /// Has these parties, in ascending order, sign, and prints the steps. Returns the signature's stored form.
    fn sign(home: &Home, by: &[PartyId], what: Statement<'_>, out: &mut Out) -> Result<Vec<u8>>;

    /// Prints how others verify the signature of a file by the wallet's own key, and what OpenSSL says of it.
    fn show_others(_dir: &Path, _signed: &Signed<'_>, _out: &mut Out) -> Result {
        Ok(())
    }

    /// Prepares the signature of parties 1 and 3 in the demonstration.
    fn demo_before_signing(_home: &Home, _out: &mut Out) -> Result {
        Ok(())
    }

    /// Ends the demonstration: shows parties that cheat, among others.
    fn demo(home: &Home, message: &[u8], out: &mut Out) -> Result;
}

/// A key whose shares can be changed, repaired and backed up: one that signs, or the PRF key [beside it](super::hardened).
pub trait StoredKey: KeyTypes {
    /// The name in errors: that of its suite, or what it is.
    const OF: &'static str;
    /// The file with its public side.
    const PUBLIC: &'static str = PUBLIC;
    /// The file with its public side in the next epoch.
    const NEXT_PUBLIC: &'static str = NEXT_PUBLIC;
    /// The ending of a file with a share.
    const SHARE: &'static str = SHARE;
    /// The ending of a file with a share of the next epoch.
    const NEXT: &'static str = NEXT;

    /// The stored public side.
    fn read_public(dir: &Path) -> Result<Vec<u8>> {
        home::public(dir)
    }

    /// The stored form of the public side.
    fn public_bytes(public: &Self::Public) -> Vec<u8>;

    /// The stored form of a share, that of [`SecretShare::to_bytes`](quorate::keys::SecretShare::to_bytes).
    fn share_bytes(share: &Self::Share) -> Zeroizing<Vec<u8>>;

    /// Makes everything that these parties need for signing besides shares, and stores it beside what they have. Nothing
    /// changes for the others. The next call resumes.
    fn equip(_: &Home, _: &Parties, _: Option<Level>, _: &mut Out) -> Result {
        Ok(())
    }

    /// Puts what [`equip`](Self::equip) made in its place, and drops what this package of the key has no use for. The next call
    /// resumes.
    fn settle(_: &Home, _: &SharedKey<Self>, _: &mut Out) -> Result {
        Ok(())
    }
}

/// A kind of key that signs, and that has children: FROST and ECDSA.
pub trait KeyFamily:
    Scheme<Package = <Self as KeyTypes>::Public> + Family<Curve: Derivable> + StoredKey
{
    /// What is kept beside a hardened child, if this is a chain code for it.
    fn child_extra(parent: &SharedKey<Self>, chain_code: &[u8; 32]) -> Self::Extra;

    /// The encoding of the key at a path, as a verifier reads it.
    fn verifying_key(key: &SharedKey<Self>, path: &DerivationPath) -> Result<Vec<u8>>;

    /// Verifies a signature by the key with this encoding.
    fn verify_by(key: &[u8], message: &[u8], signature: &Self::Signature) -> Result;

    /// The chain code with which child keys are derived.
    fn chain_code(key: &SharedKey<Self>) -> [u8; 32];

    /// Lines about the key at a path that other families do not have.
    fn describe_child(key: &SharedKey<Self>, path: &DerivationPath, out: &mut Out) -> Result;
}
