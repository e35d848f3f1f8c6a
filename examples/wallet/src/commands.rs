//! `keygen`, `sign` and `verify` for FROST: the library's work between reading and writing files.

use core::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use quorate::Parties;
use quorate::frost::generic::{Coordinator, Frost, PublicKeyPackage, Signature};
use quorate::keys::derive::DerivationPath;

use super::home::{self, Home};
use super::making::{Making, New};
use super::suites::{Signing, Verifying, WalletSuite};
use super::{keygen, report, shares, signing};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;
use quorate_examples::out::Out;

pub(crate) const NO_LEVEL: &str = "--level is for the suites of ECDSA";

/// Makes a wallet.
pub(crate) fn keygen<S: WalletSuite>(new: &New, out: &mut Out) -> Result<(), Failure> {
    make::<S>(new, out).map(drop)
}

/// Makes a wallet, and says what happens.
pub(crate) fn make<S: WalletSuite>(new: &New, out: &mut Out) -> Result<Home, Failure> {
    check_threshold(new.threshold, new.parties)?;
    if new.level.is_some() {
        return Err(Failure::usage(NO_LEVEL));
    }
    let making = Making::begin(new, S::NAME, out)?;
    let parties = Parties::numbered(new.parties)?;
    let keys = keygen::generate::<S>(&making, new.threshold, &parties)?;
    let home = making.finish(&keys.public.to_bytes())?;
    report::rounds(&keys.traffic, &KEYGEN_ROUNDS, "checks, key kept", out);
    writeln!(out)?;
    describe(new, &keys.public, out)?;
    Ok(home)
}

/// The messages of a key generation, by round.
pub(crate) const KEYGEN_ROUNDS: [&str; 3] =
    ["commitments, proofs", "secret shares", "confirmations"];

pub(crate) fn check_threshold(threshold: u16, parties: u16) -> Result<(), Failure> {
    if (2..=parties).contains(&threshold) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "a wallet cannot have a threshold of {threshold} with {parties} parties: \
         it is at least 2 and at most the number of parties"
    )))
}

/// Says what is in a new wallet's folder.
fn describe<S: WalletSuite>(
    new: &New,
    public: &PublicKeyPackage<S>,
    out: &mut Out,
) -> Result<(), Failure> {
    let (threshold, parties) = (public.threshold(), public.parties().len());
    writeln!(out, "  any {threshold} of {parties} can sign for the {} key", S::TITLE)?;
    let signs = signing::package::<S>(public.shared(), &DerivationPath::default())?;
    writeln!(out, "  {}", hex(signs.verifying_key().as_bytes().as_ref()))?;
    writeln!(out, "  written to {}:", new.dir.display())?;
    let shares = format!("party-1.share to party-{parties}.share");
    writeln!(out, "    {shares:<32} secret, one for each party; {}", new.protection)?;
    writeln!(out, "    {:<32} for everybody", "public.key")?;
    Ok(())
}

/// Signs a file.
pub(crate) fn sign<S: WalletSuite>(
    home: &Home,
    wanted: &Signing,
    out: &mut Out,
) -> Result<(), Failure> {
    let message = read(&wanted.file)?;
    let (public, shares) = signing::open_signers::<S>(home, &wanted.signers, &wanted.key)?;
    let (signature, report) = signing::sign(&Coordinator::new(public), &shares, &message)?;

    let path = wanted.path(home, S::NAME);
    write_signature(&path, &signature)?;
    report::signing(&report, out);
    wanted.describe(&path, out)
}

/// Verifies a file's signature.
pub(crate) fn verify<S: WalletSuite>(
    dir: &Path,
    wanted: &Verifying,
    out: &mut Out,
) -> Result<(), Failure> {
    let Verifying { key, file, signature: path, .. } = wanted;
    let message = read(file)?;
    let bytes = read(path)?;
    let public = signing::package::<S>(&shares::current::<Frost<S>>(dir)?, key)?;
    let signature = Signature::<S::Signs>::from_bytes(&bytes).map_err(|error| {
        Failure::new(format!("{} is no {} signature: {error}", path.display(), S::NAME))
    })?;
    verified(file, public.verifying_key().verify(&message, &signature), out)
}

impl Signing {
    /// Where the signature goes.
    pub(crate) fn path(&self, home: &Home, suite: &str) -> PathBuf {
        let path = || signature_path(home.dir(), &self.file, suite);
        self.signature.clone().unwrap_or_else(path)
    }

    /// Says where it is, and how a child's is verified.
    pub(crate) fn describe(&self, path: &Path, out: &mut Out) -> Result<(), Failure> {
        writeln!(out, "\n  signature of {}: {}", self.file.display(), path.display())?;
        if !self.key.indices().is_empty() {
            writeln!(out, "  it verifies under the child key: `verify --path {}`", self.key)?;
        }
        Ok(())
    }
}

/// Says whether the signature of a file verifies.
pub(crate) fn verified<E: core::error::Error>(
    file: &Path,
    checked: Result<(), E>,
    out: &mut Out,
) -> Result<(), Failure> {
    checked.map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    Ok(writeln!(out, "  the signature of {} verifies", file.display())?)
}

/// Reads a file that the user has named.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(Failure::file("read", path))
}

/// The path of a file's signature: `README.md.ed25519.sig` in the wallet's folder.
pub(crate) fn signature_path(dir: &Path, file: &Path, suite: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{suite}.sig"));
    dir.join(name)
}

/// Writes a signature, all of which have one length.
pub(crate) fn write_signature(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let length = bytes.len() as u64;
    home::write_signature(path, bytes, length..=length)
}
