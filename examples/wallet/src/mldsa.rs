//! Threshold ML-DSA in the wallet, **experimental**: [`Scheme::generate`] and [`signing`] are the part to read, with
//! [`attempts`]: every attempt to sign begins with such a record. A key can only sign: `refusal` says why.
//!
//! | file | what it is, beside those of every [wallet](crate::home) |
//! |---|---|
//! | `attempts/7.party-1` | the record that party 1 has begun attempt 7 to sign; never deleted: see [`attempts`] |

pub mod attempts;
mod demo;
pub mod signing;

use std::path::Path;

use getrandom::SysRng;
use quorate::mldsa::{Dkg, DkgParams, KeyShare, Level, PublicKeyPackage, Signature};
use quorate::session::rand_core::UnwrapErr;
use quorate::{Parties, PartyId, Session};
use quorate_examples::files::hex;
use quorate_examples::{Failure, Out, Result, failure};

use super::commands::{Signed, Statement};
use super::family::Scheme;
use super::home::{Home, public_as};
use super::making::{Form, MADE, Making};
use super::openssl;
use super::rounds::fresh_sid;
use super::shares::SHARE;

/// The parameter set of FIPS 204 with this number, which stands for it in `public.key`: 44, 65, or else 87.
#[derive(Debug)]
pub struct MlDsa<const NUMBER: u8>;

impl<const NUMBER: u8> MlDsa<NUMBER> {
    /// The set, its name on the command line, and its name in a sentence.
    const SET: (Level, &'static str, &'static str) = match NUMBER {
        44 => (Level::MlDsa44, "ml-dsa-44", "ML-DSA-44 (FIPS 204), experimental"),
        65 => (Level::MlDsa65, "ml-dsa-65", "ML-DSA-65 (FIPS 204), experimental"),
        _ => (Level::MlDsa87, "ml-dsa-87", "ML-DSA-87 (FIPS 204), experimental"),
    };
    const LEVEL: Level = Self::SET.0;
}

const KEYGEN_ROUNDS: [&str; 5] = [
    "hashes, secret keys of sets",
    "openings, complaints",
    "hashes of public shares",
    "public shares",
    "confirmations",
];

impl<const NUMBER: u8> Scheme for MlDsa<NUMBER> {
    const SUITE: &'static str = Self::SET.1;
    const TITLE: &'static str = Self::SET.2;
    const FAMILY: u8 = NUMBER;
    const FILES: &'static [[&'static str; 2]] = &[
        ["public.key, public.pem", "for everybody"],
        ["attempts", "a folder, which counts attempts; never restore it"],
    ];
    const FOLDERS: &'static [&'static str] = &[attempts::FOLDER];

    type Package = PublicKeyPackage;
    type Signature = Signature;

    fn package(dir: &Path) -> Result<Self::Package> {
        public_as(dir, |bytes| PublicKeyPackage::from_bytes(Self::LEVEL, bytes))
    }

    fn package_bytes(package: &Self::Package) -> Vec<u8> {
        package.to_bytes()
    }

    fn pem(package: &Self::Package) -> Option<String> {
        Some(package.verifying_key().to_spki_pem())
    }

    fn check(threshold: u16, parties: &Parties) -> Result {
        let me = parties.as_slice().first().ok_or_else(|| Failure::new("there are no parties"))?;
        let (params, rng) = (DkgParams::new(Self::LEVEL, threshold), &mut UnwrapErr(SysRng));
        let started = Session::<Dkg>::start(fresh_sid(), *me, parties, params, rng);
        started.map(drop).map_err(|_| {
            let (level, count) = (Self::LEVEL, parties.len());
            failure!(
                "no parameters of {level} are offered for {threshold} of {count} parties: there are at most 6, and of 6 \
                 those whose attempts stay below a megabyte"
            )
        })
    }

    /// Distributed key generation in five rounds: no party ever sees the key.
    fn generate(making: &Making, out: &mut Out) -> Result<Self::Package> {
        let form = Form::<KeyShare> {
            public: |share| share.public().to_bytes(),
            made: MADE,
            file: SHARE,
            secret: KeyShare::to_bytes,
        };
        let params = |_| Ok(DkgParams::new(Self::LEVEL, making.new.threshold));
        let run = making.run::<Dkg>(making.plan.keygen, params, &form)?;
        run.traffic.print(&KEYGEN_ROUNDS, "checks, key kept", out);
        Ok(run.first()?.public().clone())
    }

    fn describe(package: &Self::Package, out: &mut Out) -> Result {
        let (threshold, parties) = (package.threshold(), package.parties().len());
        writeln!(out, "  exactly {threshold} of {parties} sign for the {} key", package.level());
        let nobody =
            "no cryptographer outside of its project has read the arguments for the scheme";
        writeln!(out, "  experimental: {nobody}");
        let key = hex(&package.verifying_key().to_bytes());
        writeln!(out, "  {}… ({} bytes)", key.get(..64).unwrap_or(&key), key.len().div_ceil(2));
        writeln!(out, "  a share makes at most {} attempts to sign", package.attempts());
        Ok(())
    }

    fn parse(bytes: &[u8]) -> Result<Self::Signature> {
        Ok(Signature::from_bytes(Self::LEVEL, bytes)?)
    }

    fn verify(package: &Self::Package, what: Statement<'_>, signature: &Self::Signature) -> Result {
        Ok(package.verifying_key().verify(what.message, what.context, signature)?)
    }

    fn sign(home: &Home, by: &[PartyId], what: Statement<'_>, out: &mut Out) -> Result<Vec<u8>> {
        let shares = signing::open_signers::<NUMBER>(home, by)?;
        Ok(signing::sign(home, &shares, what, out)?.to_bytes())
    }

    fn show_others(dir: &Path, signed: &Signed<'_>, out: &mut Out) -> Result {
        openssl::ml_dsa(dir, signed, out)
    }

    fn demo(home: &Home, message: &[u8], out: &mut Out) -> Result {
        demo::cheat_in_signing::<NUMBER>(home, message, out)?;
        demo::cheat_in_keygen::<NUMBER>(out)
    }
}

/// The text for a command or an option that there is not for a key of ML-DSA.
pub(crate) fn refusal(suite: &str, command: &str) -> Failure {
    let why = match command {
        "refresh" | "reshare" => {
            "no way is proven to give the parties other shares, for what is added to secrets makes them longer, and long \
             ones show in signatures; make a new key"
        }
        "repair" => {
            "what a lost share consists of is not sent a second time; the other parties sign as long as they are as many as \
             it takes, so keep a copy of the encrypted share"
        }
        "derive" | "--path" | "--hardened" | "--key" => {
            "there is no algebra for child keys; `--context` keeps the purposes of one key apart"
        }
        _ => {
            "what proves that a backup is this share is for points of a curve; copy the encrypted share and nothing else, \
             least of all the folder `attempts`, whose records must not come back from a backup"
        }
    };
    failure!("no `{command}` for {suite}: {why}")
}
