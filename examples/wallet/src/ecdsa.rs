//! Threshold ECDSA in the wallet: [`keygen`] and [`signing`] are the part to read.
//!
//! | file | what it is, beside those of every [wallet](crate::home) |
//! |---|---|
//! | `party-1.aux` | the party's auxiliary information with its primes, secret: see `aux` |
//! | `presignatures/ID.party-1` | its part of a presignature, sealed with `party-1.seal` |
//! | `presignatures/here` | the record that binds them to this folder: see `here` |
//! | `spent/ID.party-1` | the record that it is spent; never deleted |

pub(crate) mod aux;
mod demo;
pub mod here;
pub mod keygen;
pub mod signing;
pub(crate) mod stock;

use std::path::Path;

use quorate::keys::derive::DerivationPath;
use quorate::keys::{Family, SharedKey};
use quorate::session::zeroize::Zeroizing;
use quorate::{Parties, PartyId};
use quorate_cggmp::{
    Ecdsa, EcdsaCurve, KeyExtra, P256, PublicKeyPackage, Secp256k1, Signature, VerifyingKey,
};
use quorate_examples::files::hex;
use quorate_examples::{Out, Result};
use quorate_paillier::Level;

use self::signing::Group;
use super::commands::{self, Signed, Statement, no_key};
use super::family::{KeyFamily, Scheme, StoredKey};
use super::home::{Home, public_as};
use super::making::Making;
use super::openssl;

/// A curve, with its names.
pub trait EcdsaSuite: EcdsaCurve {
    /// The curve's name on the command line.
    const SUITE: &'static str;
    /// The curve's name in a sentence.
    const TITLE: &'static str;
}

impl EcdsaSuite for Secp256k1 {
    const SUITE: &'static str = "ecdsa-secp256k1";
    const TITLE: &'static str = "ECDSA over secp256k1";
}

impl EcdsaSuite for P256 {
    const SUITE: &'static str = "ecdsa-p256";
    const TITLE: &'static str = "ECDSA over P-256";
}

impl<C: EcdsaSuite> Scheme for Ecdsa<C> {
    const SUITE: &'static str = C::SUITE;
    const TITLE: &'static str = C::TITLE;
    const FAMILY: u8 = <Self as Family>::CODE;
    const HAS_LEVEL: bool = true;
    const FILES: &'static [[&'static str; 2]] = &[
        ["public.key, public.pem", "for everybody"],
        ["presignatures, spent", "folders, empty so far; never copy or restore them"],
    ];
    const FOLDERS: &'static [&'static str] = &[stock::STOCK, stock::SPENT];

    type Package = PublicKeyPackage<C>;
    type Signature = Signature<C>;

    fn package(dir: &Path) -> Result<Self::Package> {
        Ok(public_as(dir, SharedKey::from_bytes)?.into())
    }

    fn package_bytes(package: &Self::Package) -> Vec<u8> {
        package.to_bytes()
    }

    fn pem(package: &Self::Package) -> Option<String> {
        Some(package.verifying_key().to_spki_pem())
    }

    fn generate(making: &Making, out: &mut Out) -> Result<Self::Package> {
        keygen::generate(making, out)
    }

    fn describe(package: &Self::Package, out: &mut Out) -> Result {
        let (threshold, parties) = (package.threshold(), package.parties().len());
        writeln!(out, "  any {threshold} of {parties} can sign for the key of {}", C::TITLE);
        writeln!(out, "  {}", hex(package.verifying_key().as_bytes()));
        Ok(())
    }

    fn parse(bytes: &[u8]) -> Result<Self::Signature> {
        Ok(Signature::from_der(bytes)?)
    }

    fn verify(package: &Self::Package, what: Statement<'_>, signature: &Self::Signature) -> Result {
        Ok(package.derivation(what.path)?.key.verify(what.message, signature)?)
    }

    fn sign(home: &Home, by: &[PartyId], what: Statement<'_>, out: &mut Out) -> Result<Vec<u8>> {
        let mut group = Group::<C>::open(home, by)?;
        // Before a presignature is spent.
        group.derive_hardened(home, what, out)?;
        Ok(signing::sign(home, &group, what, out)?.to_der())
    }

    fn show_others(dir: &Path, signed: &Signed<'_>, out: &mut Out) -> Result {
        let own = signed.statement.path.indices().is_empty();
        if own { openssl::ecdsa(dir, signed, out) } else { Ok(()) }
    }

    fn demo_before_signing(home: &Home, out: &mut Out) -> Result {
        demo::presign::<C>(home, out)
    }

    fn demo(home: &Home, message: &[u8], out: &mut Out) -> Result {
        demo::spend_twice::<C>(home, message, out)?;
        demo::one_go::<C>(home, message, out)?;
        demo::cheat::<C>(home, message, out)
    }
}

/// A party needs its share, auxiliary information, presignatures and the record of those that are spent.
impl<C: EcdsaSuite> StoredKey for Ecdsa<C> {
    const OF: &'static str = C::SUITE;

    fn public_bytes(public: &Self::Public) -> Vec<u8> {
        public.to_bytes()
    }

    fn share_bytes(share: &Self::Share) -> Zeroizing<Vec<u8>> {
        share.to_bytes()
    }

    fn equip(home: &Home, parties: &Parties, level: Option<Level>, out: &mut Out) -> Result {
        aux::equip(home, parties, level, out)
    }

    fn settle(home: &Home, key: &SharedKey<Self>, out: &mut Out) -> Result {
        aux::settle(home, key.parties())?;
        for party in key.parties().iter() {
            home.make_seal_key(party)?;
        }
        commands::complete::<Self>(home, &key.clone().into())?;
        let dropped = stock::keep_only(home, key)?;
        if dropped > 0 {
            let presignatures = stock::one_or_more(dropped);
            writeln!(out, "  {presignatures} of no use any more, and deleted");
        }
        Ok(())
    }
}

impl<C: EcdsaSuite> KeyFamily for Ecdsa<C> {
    fn child_extra(parent: &SharedKey<Self>, chain_code: &[u8; 32]) -> KeyExtra {
        KeyExtra { chain_code: *chain_code, rid: parent.extra().rid }
    }

    fn verifying_key(key: &SharedKey<Self>, path: &DerivationPath) -> Result<Vec<u8>> {
        let child = PublicKeyPackage::from(key.clone()).derivation(path)?;
        Ok(child.key.as_bytes().to_vec())
    }

    fn verify_by(key: &[u8], message: &[u8], signature: &Self::Signature) -> Result {
        let key = key.try_into().map_err(no_key::<Self>)?;
        let key = VerifyingKey::<C>::from_bytes(key).map_err(no_key::<Self>)?;
        Ok(key.verify(message, signature)?)
    }

    fn chain_code(key: &SharedKey<Self>) -> [u8; 32] {
        key.extra().chain_code
    }

    fn describe_child(key: &SharedKey<Self>, path: &DerivationPath, out: &mut Out) -> Result {
        let child = PublicKeyPackage::from(key.clone()).derivation(path)?;
        out.line(child.key.to_spki_pem().trim_end());
        Ok(())
    }
}
