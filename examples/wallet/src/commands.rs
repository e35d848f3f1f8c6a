//! `keygen`, `sign` and `verify`, for keys of every kind.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::Args;
use quorate::keys::derive::DerivationPath;
use quorate::{Parties, PartyId};
use quorate_examples::args::party;
use quorate_examples::{Failure, Out, Result, ensure, failure};

use super::derive::hardened;
use super::disk::{self, Privacy};
use super::family::{KeyFamily, Scheme};
use super::home::{self, Home, check_pem};
use super::making::{Making, New};

pub(crate) const NO_LEVEL: &str = "--level is for the suites of ECDSA";

/// A signature that the user asks for.
#[derive(Clone, Debug, Args)]
pub(crate) struct Signing {
    /// The parties that sign, such as 1,3
    #[arg(long, required = true, value_delimiter = ',', value_parser = party)]
    pub(crate) signers: Vec<PartyId>,
    /// Sign with the hardened child at this path, or with --path for a child key below that
    #[arg(long, value_name = "PATH", value_parser = hardened)]
    pub(crate) hardened: Option<DerivationPath>,
    #[command(flatten)]
    pub(crate) subject: Subject,
    /// Where the signature goes; into the wallet's folder unless given
    #[arg(long, value_name = "SIG")]
    out: Option<PathBuf>,
    /// Replace the signature that is there; without it, nothing is overwritten
    #[arg(long)]
    replace: bool,
}

/// A signature that is to be verified.
#[derive(Clone, Debug, Args)]
pub(crate) struct Verifying {
    /// The key in hexadecimal that has to have signed, such as a hardened child; the wallet's unless given
    #[arg(long, conflicts_with = "path")]
    pub(crate) key: Option<String>,
    #[command(flatten)]
    pub(crate) subject: Subject,
    /// The file with the signature
    #[arg(value_name = "SIG")]
    signature: PathBuf,
}

/// The file that is signed, and the key that signs it.
#[derive(Clone, Debug, Args)]
pub(crate) struct Subject {
    /// The child key to use, such as m/0/7; the wallet's own key unless given
    #[arg(long, default_value_t, hide_default_value = true)]
    pub(crate) path: DerivationPath,
    /// A context, at most 255 bytes, without which the signature does not verify; for ML-DSA
    #[arg(long, value_name = "TEXT")]
    pub(crate) context: Option<String>,
    /// The file that is signed
    file: PathBuf,
}

impl Subject {
    fn statement<'a>(&'a self, message: &'a [u8]) -> Statement<'a> {
        let context = self.context.as_deref().unwrap_or_default().as_bytes();
        Statement { hardened: None, path: &self.path, context, message }
    }
}

/// A message to sign, and the key that signs it.
#[derive(Clone, Copy)]
pub struct Statement<'a> {
    /// The path of the hardened child that signs, or of which a descendant does; `None` for the wallet's key.
    pub(crate) hardened: Option<&'a DerivationPath>,
    /// The path from that key to the one that signs.
    pub(crate) path: &'a DerivationPath,
    /// The context of ML-DSA; empty unless given.
    pub(crate) context: &'a [u8],
    pub(crate) message: &'a [u8],
}

/// The path of the wallet's own key.
pub(crate) static OWN: LazyLock<DerivationPath> = LazyLock::new(DerivationPath::default);

impl<'a> Statement<'a> {
    /// A message for the wallet's own key.
    pub(crate) fn own(message: &'a [u8]) -> Self {
        Self { hardened: None, path: &OWN, context: b"", message }
    }
}

/// A file with its signature.
#[derive(Clone, Copy)]
pub struct Signed<'a> {
    pub(crate) file: &'a Path,
    /// The content of the file, and the key that has signed.
    pub(crate) statement: Statement<'a>,
    pub(crate) signature: &'a Path,
}

/// Makes a wallet, and prints each step.
pub(crate) fn keygen<F: Scheme>(new: &New, out: &mut Out) -> Result {
    keygen_with::<F>(new, |_, _, _| Ok(()), out)
}

/// As [`keygen`]; `also` makes another key for this one before the wallet is complete.
pub(crate) fn keygen_with<F: Scheme>(
    new: &New,
    also: fn(&Making, &F::Package, &mut Out) -> Result,
    out: &mut Out,
) -> Result {
    check_threshold(new.threshold, new.parties)?;
    if new.level.is_some() && !F::HAS_LEVEL {
        return Err(Failure::usage(NO_LEVEL));
    }
    let level = F::HAS_LEVEL.then(|| new.level.unwrap_or_default());
    let new = New { level, ..new.clone() };
    F::check(new.threshold, &Parties::numbered(new.parties)?)?;
    let making = Making::begin(&new, F::SUITE, out)?;
    let package = F::generate(&making, out)?;
    also(&making, &package, out)?;
    complete::<F>(&making.home, &package)?;
    making.finish(&F::package_bytes(&package))?;
    writeln!(out);
    F::describe(&package, out)?;
    writeln!(out, "  written to {}:", new.dir.display());
    let secrets = format!("party-1.* to party-{}.*", new.parties);
    writeln!(out, "    {secrets:<32} secret, for each party; {}", new.protection);
    let prf = new.hardened.then_some(["prf.key, prf.bound", "for everybody"]);
    for [file, what] in F::FILES.iter().chain(&prf) {
        writeln!(out, "    {file:<32} {what}");
    }
    Ok(())
}

/// Makes the files and folders of a complete wallet besides the parties' secrets and the public side of the key.
pub(crate) fn complete<F: Scheme>(home: &Home, package: &F::Package) -> Result {
    for folder in F::FOLDERS {
        disk::private_dir(&home.path(folder))?;
    }
    let Some(pem) = F::pem(package) else { return Ok(()) };
    disk::replace(&home.path(home::PEM), pem.as_bytes(), Privacy::Everyone)
}

pub(crate) fn check_threshold(threshold: u16, parties: u16) -> Result {
    ensure!(
        (2..=parties).contains(&threshold),
        "a wallet cannot have a threshold of {threshold} with {parties} parties: \
         it is at least 2 and at most the number of parties"
    );
    Ok(())
}

/// Signs a file.
pub(crate) fn sign<F: Scheme>(home: &Home, wanted: &Signing, out: &mut Out) -> Result {
    let Signing { signers, hardened, subject, out: place, replace } = wanted;
    let Subject { path, file, .. } = subject;
    let message = read(file)?;
    let default = || signature_path(home.dir(), file, F::SUITE);
    let place = place.clone().unwrap_or_else(default);
    // Before anything is spent.
    check_place::<F>(&place, *replace)?;
    let what = Statement { hardened: hardened.as_ref(), ..subject.statement(&message) };
    let signature = F::sign(home, signers, what, out)?;
    keep_signature::<F>(&place, &signature, *replace)?;
    writeln!(out, "\n  signature of {}: {}", file.display(), place.display());
    if hardened.is_some() {
        writeln!(
            out,
            "  it verifies under the child key, which `derive` prints: `verify --key KEY`"
        );
    } else if !path.indices().is_empty() {
        writeln!(out, "  it verifies under the child key: `verify --path {path}`");
    }
    Ok(())
}

/// Verifies a file's signature.
pub(crate) fn verify<F: Scheme>(dir: &Path, wanted: &Verifying, out: &mut Out) -> Result {
    let Verifying { subject, signature: place, .. } = wanted;
    let (file, message, signature) = (&subject.file, read(&subject.file)?, parse::<F>(place)?);
    let package = F::package(dir)?;
    F::pem(&package).map_or(Ok(()), |pem| check_pem(dir, &pem))?;
    let statement = subject.statement(&message);
    F::verify(&package, statement, &signature)
        .map_err(|error| failure!("{}: {error}", file.display()))?;
    writeln!(out, "  the signature of {} verifies", file.display());
    F::show_others(dir, &Signed { file, statement, signature: place }, out)
}

/// Verifies a file's signature by the key that the user gives.
pub(crate) fn verify_by<F: KeyFamily>(wanted: &Verifying, key: &str, out: &mut Out) -> Result {
    let Verifying { subject, signature: place, .. } = wanted;
    let (file, message, signature) = (&subject.file, read(&subject.file)?, parse::<F>(place)?);
    let key = bytes(key).ok_or_else(|| no_key::<F>("it is not in hexadecimal"))?;
    F::verify_by(&key, &message, &signature)?;
    writeln!(out, "  the signature of {} verifies", file.display());
    Ok(())
}

/// The failure for a key that cannot be read.
pub(crate) fn no_key<F: Scheme>(why: impl core::fmt::Display) -> Failure {
    failure!("--key is no public key for {}: {why}", F::SUITE)
}

fn parse<F: Scheme>(place: &Path) -> Result<F::Signature> {
    let other = format_args!("is no {} signature", F::SUITE);
    F::parse(&read(place)?).map_err(Failure::about(place, other))
}

/// The bytes of a text in hexadecimal.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let digit = |digit: &u8| char::from(*digit).to_digit(16).and_then(|one| u8::try_from(one).ok());
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(byte).collect()
}

/// Reads a file that the user has named.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(Failure::file("read", path))
}

/// The path of a file's signature: `README.md.ed25519.sig` in the wallet's folder.
pub(crate) fn signature_path(dir: &Path, file: &Path, suite: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{suite}.sig"));
    dir.join(name)
}

/// Writes a signature. With the user's consent it replaces another one, and nothing else.
pub(crate) fn keep_signature<F: Scheme>(place: &Path, signature: &[u8], replace: bool) -> Result {
    let is_one = check_place::<F>(place, replace)?;
    let write = if is_one { disk::replace } else { disk::create_new };
    write(place, signature, Privacy::Everyone)
}

/// Returns whether another signature is to be overwritten. Refuses to overwrite anything else, and anything without the user's
/// consent. Every signature is shorter than 10 000 bytes.
fn check_place<F: Scheme>(place: &Path, replace: bool) -> Result<bool> {
    let Ok(there) = fs::symlink_metadata(place) else { return Ok(false) };
    let why = if !replace {
        "is there; it is not overwritten. Give --replace, or another --out"
    } else if there.is_file() && there.len() < 10_000 && F::parse(&read(place)?).is_ok() {
        return Ok(true);
    } else {
        "is no signature; it is not overwritten"
    };
    Err(Failure::at(place, why))
}
