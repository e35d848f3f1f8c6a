//! `demo` for ECDSA.

use core::fmt::Write;
use std::fs;
use std::path::Path;

use quorate::Parties;
use quorate::keys::derive::DerivationPath;
use quorate::session::SpentInMemory;
use quorate_cggmp::{KeyInfo, Keygen, KeygenParams, Presign, Signature};
use quorate_paillier::Level;

use super::EcdsaSuite;
use super::commands::{PRESIGN_ROUNDS, make, open_signature, sign_with};
use super::folder::open_signers;
use super::signing::{self, Signer};
use super::stock::{find, keep, stock};
use super::{cheats, openssl};
use crate::cheats::in_private;
use crate::commands::{read, signature_path};
use crate::demo::{self, THRESHOLD, parties, party};
use crate::home::Home;
use crate::making::New;
use crate::report;
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;

/// Shows one suite.
pub(crate) fn suite<C: EcdsaSuite>(
    file: &Path,
    message: &[u8],
    new: &New,
    out: &mut Out,
) -> Result<(), Failure> {
    demo::begin(C::TITLE, out)?;
    if new.level.is_none() {
        writeln!(out, "(With moduli of 2048 bits, to be quick: --level 128 takes 3072.)")?;
    }
    let new = New { level: new.level.or(Some(Level::Bits112)), ..new.clone() };
    let (home, public) = make::<C>(&new, out)?;
    sign(file, message, &home, &public, out)?;
    spend_twice::<C>(message, &home, out)?;
    one_go(file, message, &home, &public, out)?;
    cheat::<C>(message, &home, &public, out)
}

/// The path of the wallet's key to itself.
fn itself() -> DerivationPath {
    DerivationPath::default()
}

fn open<C: EcdsaSuite>(home: &Home, numbers: &[u16]) -> Result<(Parties, Vec<Signer<C>>), Failure> {
    let signers = open_signers(home, &parties(numbers)?)?;
    Ok((signing::together(&signers)?, signers))
}

/// The first and the third party presign, and sign.
fn sign<C: EcdsaSuite>(
    file: &Path,
    message: &[u8],
    home: &Home,
    public: &KeyInfo<C>,
    out: &mut Out,
) -> Result<(), Failure> {
    writeln!(out, "\nParties 1 and 3 presign, before there is a message.")?;
    let (group, signers) = open::<C>(home, &[1, 3])?;
    let run = signing::presign(&group, &signers)?;
    keep(home, &run.results)?;
    report::rounds(&run.traffic, &PRESIGN_ROUNDS, "checks, presignature kept", out);

    writeln!(out, "\nThen they sign {} ({} bytes).", file.display(), message.len())?;
    let path = signature_path(home.dir(), file, C::SUITE);
    sign_with(home, &signers, (&itself(), message), &path, out)?;
    writeln!(out, "  written to {}", path.display())?;
    // What counts is what is in the file.
    verify(&open_signature(&read(&path)?, &path)?, message, public, out)?;
    openssl::verify(home.dir(), file, &path, out)
}

/// The signature verifies, and not for another message.
fn verify<C: EcdsaSuite>(
    signature: &Signature<C>,
    message: &[u8],
    public: &KeyInfo<C>,
    out: &mut Out,
) -> Result<(), Failure> {
    demo::verify(message, |message| public.verifying_key().verify(message, signature), out)
}

/// A presignature is made, copied, spent, and put back.
fn spend_twice<C: EcdsaSuite>(message: &[u8], home: &Home, out: &mut Out) -> Result<(), Failure> {
    let (group, signers) = open::<C>(home, &[1, 2])?;
    keep(home, &signing::presign(&group, &signers)?.results)?;
    let copy = find::<C>(home, &signers)?.unwrap_or_default();
    let path = home.dir().join("again.sig");
    sign_with(home, &signers, (&itself(), message), &path, &mut Out::captured())?;
    keep(home, &copy)?;
    writeln!(out, "\nA presignature that was spent is restored from a backup. The next file:")?;
    let twice =
        sign_with(home, &signers, (&itself(), b"another file"), &path, &mut Out::captured());
    // Nobody but this demonstration has the copies.
    for entry in fs::read_dir(stock(home.dir()))? {
        fs::remove_file(entry?.path())?;
    }
    fs::remove_file(&path)?;
    match twice {
        Ok(_) => Err(Failure::new("a presignature was spent twice")),
        Err(refusal) => Ok(writeln!(out, "  {refusal}")?),
    }
}

/// Without presignatures.
fn one_go<C: EcdsaSuite>(
    file: &Path,
    message: &[u8],
    home: &Home,
    public: &KeyInfo<C>,
    out: &mut Out,
) -> Result<(), Failure> {
    writeln!(out, "\nParties 2 and 3 sign it, too.")?;
    let (_, signers) = open::<C>(home, &[2, 3])?;
    let path = signature_path(home.dir(), file, C::SUITE);
    let signature = sign_with(home, &signers, (&itself(), message), &path, out)?;
    verify(&signature, message, public, out)
}

/// In signing, in presigning, in key generation.
fn cheat<C: EcdsaSuite>(
    message: &[u8],
    home: &Home,
    public: &KeyInfo<C>,
    out: &mut Out,
) -> Result<(), Failure> {
    let (group, signers) = open::<C>(home, &[1, 2, 3])?;
    let made = signing::presign(&group, &signers)?.results;
    let info = made.first().map(|first| first.info().clone());
    let info = info.ok_or_else(|| Failure::new("there are no signers"))?;
    let key = public.derivation(&itself())?;
    // Never stored, so there is nothing to record.
    let shares = signing::shares(&signers, made, (&itself(), message), &mut Vec::new(), |_| {
        SpentInMemory::new()
    })?;
    writeln!(out, "\nAll three sign, and some send wrong shares. What whoever adds them up says:")?;
    for cheaters in [parties(&[2])?, parties(&[1, 3])?] {
        let error = cheats::in_signing((&info, &key), &shares, message, &cheaters)?;
        let count = cheaters.len();
        writeln!(out, "  {count} of 3 cheat:  {error}")?;
    }
    let (victim, cheater) = (party(1)?, party(2)?);
    writeln!(out, "\nThey presign, and party {cheater} sends party {victim} a wrong proof:")?;
    let params = signers.iter().map(Signer::params);
    let error = in_private::<Presign<C>>(&group, params, [cheater, victim])?;
    writeln!(out, "  {error}\n  nobody has a presignature")?;
    demo::cheat_in_keygen::<Keygen<C>>(|| KeygenParams::new(THRESHOLD), out)
}
