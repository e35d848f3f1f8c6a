//! `keygen`, `sign` and `verify` for ML-DSA.

use core::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use quorate::Parties;
use quorate::mldsa::{KeyShare, PublicKeyPackage, Signature};

use super::signing::Tried;
use super::{MldsaSuite, absent, folder, keygen, openssl, signing};
use crate::commands::{NO_LEVEL, check_threshold, read, verified, write_signature};
use crate::home::{Home, check_pem};
use crate::making::{Making, New};
use crate::report;
use crate::suites::{Signing, Verifying};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;
use quorate_examples::out::Out;

pub(super) const KEYGEN_ROUNDS: [&str; 5] = [
    "hashes, secret keys of sets",
    "openings, complaints",
    "hashes of public shares",
    "public shares",
    "confirmations",
];
const SIGN_ROUNDS: [&str; 3] = ["hashes of masks", "masked commitments", "responses"];

/// Makes a wallet.
pub(crate) fn keygen<L: MldsaSuite>(new: &New, out: &mut Out) -> Result<(), Failure> {
    make::<L>(new, out).map(drop)
}

/// Makes a wallet, and says what happens.
pub(super) fn make<L: MldsaSuite>(new: &New, out: &mut Out) -> Result<Home, Failure> {
    check_threshold(new.threshold, new.parties)?;
    if new.level.is_some() {
        return Err(Failure::usage(NO_LEVEL));
    }
    let parties = Parties::numbered(new.parties)?;
    keygen::check::<L>(new.threshold, &parties)?;
    let making = Making::begin(new, L::SUITE, out)?;
    let keys = keygen::key::<L>(&making, new.threshold, &parties)?;
    report::rounds(&keys.traffic, &KEYGEN_ROUNDS, "checks, key kept", out);
    let public = keys.results.first().map(KeyShare::public);
    let public = public.ok_or_else(|| Failure::new("there are no parties"))?;
    folder::fill(&making.home, public)?;
    let home = making.finish(&public.to_bytes())?;
    describe(new, public, out)?;
    Ok(home)
}

fn describe(new: &New, public: &PublicKeyPackage, out: &mut Out) -> Result<(), Failure> {
    let (threshold, parties) = (public.threshold(), public.parties().len());
    writeln!(out, "\n  exactly {threshold} of {parties} sign for the {} key", public.level())?;
    writeln!(
        out,
        "  experimental: no cryptographer outside of its project has read the arguments for the scheme"
    )?;
    let key = hex(&public.verifying_key().to_bytes());
    writeln!(out, "  {}… ({} bytes)", key.get(..64).unwrap_or(&key), key.len().div_ceil(2))?;
    writeln!(out, "  a share makes at most {} attempts to sign", public.attempts())?;
    writeln!(out, "  written to {}:", new.dir.display())?;
    let shares = format!("party-1.share to party-{parties}.share");
    for (file, what) in [
        (shares.as_str(), format!("secret, one for each party; {}", new.protection)),
        ("public.key, public.pem", "for everybody".to_owned()),
        ("attempts", "a folder, which counts attempts; never restore it".to_owned()),
    ] {
        writeln!(out, "    {file:<32} {what}")?;
    }
    Ok(())
}

/// Signs a file.
pub(crate) fn sign<L: MldsaSuite>(
    home: &Home,
    wanted: &Signing,
    out: &mut Out,
) -> Result<(), Failure> {
    if !wanted.key.indices().is_empty() {
        return Err(absent::refusal(L::SUITE, "--path"));
    }
    let message = read(&wanted.file)?;
    let shares = folder::open_signers::<L>(home, &wanted.signers)?;
    let path = wanted.path(home, L::SUITE);
    sign_with(home, &shares, (&message, wanted.context()), &path, out)?;
    wanted.describe(&path, out)
}

/// Signs, and writes the signature.
pub(super) fn sign_with(
    home: &Home,
    shares: &[Arc<KeyShare>],
    (message, context): (&[u8], &[u8]),
    path: &Path,
    out: &mut Out,
) -> Result<Signature, Failure> {
    let public = shares.first().map(|share| share.public());
    let public = public.ok_or_else(|| Failure::new("there are no signers"))?;
    let mu = public.verifying_key().represent(message, context)?;
    let signature = signing::sign(home, shares, mu, |tried| describe_attempt(tried, out))?;
    write_signature(path, &signature.to_bytes())?;
    Ok(signature)
}

fn describe_attempt(tried: &Tried, out: &mut Out) -> Result<(), Failure> {
    let Tried { number, attempted, traffic } = tried;
    if attempted.signature.is_none() {
        return Ok(writeln!(out, "  attempt {number}: no luck, as about every second time")?);
    }
    writeln!(out, "  attempt {number}:")?;
    report::rounds(traffic, &SIGN_ROUNDS, "checks, signature", out);
    Ok(())
}

/// Verifies a file's signature.
pub(crate) fn verify<L: MldsaSuite>(
    dir: &Path,
    wanted: &Verifying,
    out: &mut Out,
) -> Result<(), Failure> {
    if !wanted.key.indices().is_empty() {
        return Err(absent::refusal(L::SUITE, "--path"));
    }
    let Verifying { file, signature: path, .. } = wanted;
    let (message, bytes) = (read(file)?, read(path)?);
    let public = folder::public::<L>(dir)?;
    check_pem(dir, &public.verifying_key().to_spki_pem())?;
    let signature = open_signature::<L>(&bytes, path)?;
    let checked = public.verifying_key().verify(&message, wanted.context(), &signature);
    verified(file, checked, out)?;
    openssl::verify(dir, (file, &message), path, wanted.context(), out)
}

/// Reads a signature.
pub(super) fn open_signature<L: MldsaSuite>(
    bytes: &[u8],
    path: &Path,
) -> Result<Signature, Failure> {
    Signature::from_bytes(L::LEVEL, bytes).map_err(|error| {
        Failure::new(format!("{} is no {} signature: {error}", path.display(), L::SUITE))
    })
}
