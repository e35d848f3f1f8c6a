//! The parts of a wallet that depend on the family of keys: all else in the life of a key is one piece of code for FROST
//! and ECDSA.

use quorate::Parties;
use quorate::frost::generic::Frost;
use quorate::keys::derive::{Derivable, DerivationPath};
use quorate::keys::{Family, KeyTypes, SharedKey};
use quorate::session::zeroize::Zeroizing;
use quorate_cggmp::Ecdsa;
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use quorate_paillier::Level;

use super::ecdsa::{self, EcdsaSuite};
use super::home::Home;
use super::signing;
use super::suites::WalletSuite;

/// A family of keys, as a wallet has it.
pub trait WalletFamily: Family<Curve: Derivable> + KeyTypes {
    /// Its name on the command line.
    const SUITE: &'static str;
    /// Its name in a sentence.
    const TITLE: &'static str;

    /// The stored form of a public value, that of [`SharedKey::to_bytes`].
    fn public_bytes(public: &Self::Public) -> Vec<u8>;

    /// The stored form of a share, that of [`SecretShare::to_bytes`](quorate::keys::SecretShare::to_bytes).
    fn share_bytes(share: &Self::Share) -> Zeroizing<Vec<u8>>;

    /// The chain code that child keys are derived with.
    fn chain_code(key: &SharedKey<Self>) -> [u8; 32];

    /// The key at a path under which signatures verify, encoded.
    ///
    /// # Errors
    /// A [`Failure`] if there is none.
    fn verifying_key(key: &SharedKey<Self>, path: &DerivationPath) -> Result<Vec<u8>, Failure>;

    /// Lines about the key at a path that other families do not have.
    ///
    /// # Errors
    /// A [`Failure`] if there is no such key.
    fn describe_child(
        key: &SharedKey<Self>,
        path: &DerivationPath,
        out: &mut Out,
    ) -> Result<(), Failure>;

    /// Makes for these parties what signing takes besides shares, and stores it beside what they have. Nothing changes
    /// for the others.
    ///
    /// # Errors
    /// A [`Failure`]; run again, it goes on.
    fn equip(
        home: &Home,
        parties: &Parties,
        level: Option<Level>,
        out: &mut Out,
    ) -> Result<(), Failure>;

    /// Puts that in its place, and drops what this package of the key has no use for.
    ///
    /// # Errors
    /// A [`Failure`]; run again, it goes on.
    fn settle(home: &Home, key: &SharedKey<Self>, out: &mut Out) -> Result<(), Failure>;
}

/// Nothing but shares.
impl<K: WalletSuite> WalletFamily for Frost<K> {
    const SUITE: &'static str = K::NAME;
    const TITLE: &'static str = K::TITLE;

    fn public_bytes(public: &Self::Public) -> Vec<u8> {
        public.to_bytes()
    }

    fn share_bytes(share: &Self::Share) -> Zeroizing<Vec<u8>> {
        share.to_bytes()
    }

    /// A package has none, so it is the one that follows from the key.
    fn chain_code(key: &SharedKey<Self>) -> [u8; 32] {
        key.public_chain_code()
    }

    fn verifying_key(key: &SharedKey<Self>, path: &DerivationPath) -> Result<Vec<u8>, Failure> {
        let key = signing::package::<K>(key, path)?;
        Ok(key.verifying_key().as_bytes().as_ref().to_vec())
    }

    fn describe_child(
        key: &SharedKey<Self>,
        path: &DerivationPath,
        out: &mut Out,
    ) -> Result<(), Failure> {
        K::describe_child(&signing::package::<K>(key, path)?, out)
    }

    fn equip(_: &Home, _: &Parties, _: Option<Level>, _: &mut Out) -> Result<(), Failure> {
        Ok(())
    }

    fn settle(_: &Home, _: &SharedKey<Self>, _: &mut Out) -> Result<(), Failure> {
        Ok(())
    }
}

/// Shares and auxiliary information, presignatures and the record of those that are spent.
impl<C: EcdsaSuite> WalletFamily for Ecdsa<C> {
    const SUITE: &'static str = C::SUITE;
    const TITLE: &'static str = C::TITLE;

    fn public_bytes(public: &Self::Public) -> Vec<u8> {
        public.to_bytes()
    }

    fn share_bytes(share: &Self::Share) -> Zeroizing<Vec<u8>> {
        share.to_bytes()
    }

    fn chain_code(key: &SharedKey<Self>) -> [u8; 32] {
        key.extra().chain_code
    }

    fn verifying_key(key: &SharedKey<Self>, path: &DerivationPath) -> Result<Vec<u8>, Failure> {
        Ok(ecdsa::signing::child(key, path)?.key.as_bytes().as_ref().to_vec())
    }

    fn describe_child(
        key: &SharedKey<Self>,
        path: &DerivationPath,
        out: &mut Out,
    ) -> Result<(), Failure> {
        out.line(ecdsa::signing::child(key, path)?.key.to_spki_pem().trim_end());
        Ok(())
    }

    fn equip(
        home: &Home,
        parties: &Parties,
        level: Option<Level>,
        out: &mut Out,
    ) -> Result<(), Failure> {
        ecdsa::aux::equip(home, parties, level, out)
    }

    fn settle(home: &Home, key: &SharedKey<Self>, out: &mut Out) -> Result<(), Failure> {
        ecdsa::folder::settle(home, key, out)
    }
}
