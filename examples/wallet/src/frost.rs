//! Schnorr signatures by FROST in the wallet: [`Scheme::generate`] and [`signing`] are the part to read.

pub mod signing;

use std::path::Path;

use quorate::PartyId;
use quorate::frost::generic::keys::Family;
use quorate::frost::generic::{
    Coordinator, Dkg, DkgOutput, DkgParams, Frost, PublicKeyPackage, RootSuite, Signature,
    VerifyingKey,
};
use quorate::frost::secp256k1_tr::TaprootInternal;
use quorate::keys::SharedKey;
use quorate::keys::derive::DerivationPath;
use quorate::session::container::Kind;
use quorate::session::zeroize::Zeroizing;
use quorate_examples::files::hex;
use quorate_examples::{Out, Result};

use super::commands::{OWN, Statement, no_key};
use super::demo::{self, parties, party};
use super::family::{KeyFamily, Scheme, StoredKey};
use super::home::{Home, public_as};
use super::making::{Form, MADE, Making};
use super::shares::SHARE;
use super::traffic::SigningReport;

/// A suite of FROST for the keys of a wallet, with its names. The keys that sign are those derived from the wallet's.
pub trait FrostSuite: RootSuite {
    /// The suite's name on the command line.
    const NAME: &'static str;
    /// The suite's name in a sentence.
    const TITLE: &'static str;
}

/// The suite of a wallet's keys: Taproot's are internal keys, whose descendants are output keys (BIP-86).
macro_rules! suite_of_keys {
    (secp256k1_tr $suite:ty) => {
        TaprootInternal
    };
    ($module:ident $suite:ty) => {
        $suite
    };
}
pub(super) use suite_of_keys;

macro_rules! frost_suites {
    ($($module:ident: $suite:ty, $name:literal, $title:literal;)*) => {
        $(impl FrostSuite for suite_of_keys!($module $suite) {
            const NAME: &'static str = $name;
            const TITLE: &'static str = $title;
        })*
    };
}

quorate::for_each_frost_suite!(frost_suites);

/// The messages of a key generation, by round.
pub(crate) const KEYGEN_ROUNDS: [&str; 3] =
    ["commitments, proofs", "secret shares", "confirmations"];

impl<K: FrostSuite> Scheme for Frost<K> {
    const SUITE: &'static str = K::NAME;
    const TITLE: &'static str = K::TITLE;
    const FAMILY: u8 = <Self as Family>::CODE;
    const FILES: &'static [[&'static str; 2]] = &[["public.key", "for everybody"]];

    type Package = PublicKeyPackage<K>;
    type Signature = Signature<K::Descendant>;

    fn package(dir: &Path) -> Result<Self::Package> {
        public_as(dir, PublicKeyPackage::from_bytes)
    }

    fn package_bytes(package: &Self::Package) -> Vec<u8> {
        package.to_bytes()
    }

    /// Distributed key generation: every party runs a session, and no party ever sees the key.
    fn generate(making: &Making, out: &mut Out) -> Result<Self::Package> {
        let form = Form::<DkgOutput<K>> {
            public: |output| output.public.to_bytes(),
            made: MADE,
            file: SHARE,
            secret: |output| output.share.to_bytes(),
        };
        let params = |_| Ok(DkgParams::new(making.new.threshold));
        let run = making.run::<Dkg<K>>(making.plan.keygen, params, &form)?;
        run.traffic.print(&KEYGEN_ROUNDS, "checks, key kept", out);
        Ok(run.first()?.public.clone())
    }

    fn describe(package: &Self::Package, out: &mut Out) -> Result {
        let (threshold, parties) = (package.threshold(), package.parties().len());
        writeln!(out, "  any {threshold} of {parties} can sign for the {} key", K::TITLE);
        let signs = signing::package::<K>(package.shared(), &OWN)?;
        writeln!(out, "  {}", hex(signs.verifying_key().as_bytes().as_ref()));
        Ok(())
    }

    fn parse(bytes: &[u8]) -> Result<Self::Signature> {
        Ok(Signature::from_bytes(bytes)?)
    }

    fn verify(package: &Self::Package, what: Statement<'_>, signature: &Self::Signature) -> Result {
        let signs = signing::package::<K>(package.shared(), what.path)?;
        Ok(signs.verifying_key().verify(what.message, signature)?)
    }

    fn sign(home: &Home, by: &[PartyId], what: Statement<'_>, out: &mut Out) -> Result<Vec<u8>> {
        let (public, shares) = signing::open_signers::<K>(home, by, what, out)?;
        signing::sign(&Coordinator::new(public), &shares, what.message, out)
    }

    fn demo(home: &Home, message: &[u8], out: &mut Out) -> Result {
        let (all, what) = (parties(&[1, 2, 3])?, Statement::own(message));
        let (public, shares) = signing::open_signers::<K>(home, &all, what, out)?;
        let coordinator = Coordinator::new(public);
        let blamed = |cheaters: &[PartyId]| {
            let network = |from, share: &mut Vec<u8>| {
                if cheaters.contains(&from) {
                    demo::spoil_share::<Frost<K::Descendant>>(share, from, SIGNATURE_SHARE);
                }
            };
            let report = &mut SigningReport::new();
            let session = signing::gather(&coordinator, &shares, message, report, network)?;
            let error = coordinator.aggregate(session).err();
            Ok(error.map(|error| (error.culprits().to_vec(), error.to_string())))
        };
        demo::wrong_shares("the coordinator", blamed, out)?;
        let (params, cheats) = (DkgParams::new(demo::THRESHOLD), (party(2)?, demo::WRONG_SHARE));
        demo::cheat_in_keygen::<Dkg<K>>(params, cheats, demo::spoil_private, out)
    }
}

/// A share of a signature, for the cheaters of the demonstration.
const SIGNATURE_SHARE: Kind = Kind { code: 6, name: "a signature share", version: 1 };

/// A party needs nothing but its share.
impl<K: FrostSuite> StoredKey for Frost<K> {
    const OF: &'static str = K::NAME;

    fn public_bytes(public: &Self::Public) -> Vec<u8> {
        public.to_bytes()
    }

    fn share_bytes(share: &Self::Share) -> Zeroizing<Vec<u8>> {
        share.to_bytes()
    }
}

impl<K: FrostSuite> KeyFamily for Frost<K> {
    fn child_extra(_: &SharedKey<Self>, _: &[u8; 32]) {}

    fn verifying_key(key: &SharedKey<Self>, path: &DerivationPath) -> Result<Vec<u8>> {
        Ok(signing::package::<K>(key, path)?.verifying_key().as_bytes().as_ref().to_vec())
    }

    fn verify_by(key: &[u8], message: &[u8], signature: &Self::Signature) -> Result {
        let key = VerifyingKey::<K::Descendant>::from_bytes(key).map_err(no_key::<Self>)?;
        Ok(key.verify(message, signature)?)
    }

    /// A package has no chain code, so this is the one that follows from the key.
    fn chain_code(key: &SharedKey<Self>) -> [u8; 32] {
        key.public_chain_code()
    }

    fn describe_child(key: &SharedKey<Self>, path: &DerivationPath, out: &mut Out) -> Result {
        let signs = signing::package::<K>(key, path)?;
        // What signs for a Taproot key is an output key.
        if K::NAME == TaprootInternal::NAME
            && let [_, x @ ..] = signs.verifying_key().as_bytes().as_ref()
        {
            writeln!(out, "  output key  {}  (BIP-86)", hex(x));
            writeln!(out, "  script      5120{}", hex(x));
        }
        Ok(())
    }
}
