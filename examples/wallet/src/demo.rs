//! `demo`: everything on one file.

use core::fmt::Write;
use std::path::{Path, PathBuf};

use quorate::frost::generic::{Coordinator, Dkg, DkgParams, Signature};
use quorate::keys::derive::DerivationPath;
use quorate::session::Protocol;
use quorate::{Parties, PartyId};
use quorate_paillier::Level;

use super::home::Home;
use super::making::{New, Protection};
use super::passphrase::VARIABLE;
use super::suites::{Suite, WalletSuite};
use super::{cheats, commands, report, signing};
use quorate_examples::failure::Failure;
use quorate_examples::files::fresh_name;
use quorate_examples::out::Out;

/// Two of three.
pub(crate) const THRESHOLD: u16 = 2;
pub(crate) const PARTIES: u16 = 3;

/// Shows each of `suites` on `file`, with wallets in folders under `dir`.
pub(crate) fn demo(
    file: &Path,
    suites: &[Suite],
    dir: Option<PathBuf>,
    level: Option<Level>,
    mut protection: Protection,
    out: &mut Out,
) -> Result<(), Failure> {
    let message = commands::read(file)?;
    let new = || std::env::temp_dir().join(fresh_name("quorate-wallet-"));
    let dir = dir.unwrap_or_else(new);
    let made_up = protection.make_up();
    if let Some(passphrase) = &made_up {
        writeln!(
            out,
            "Secrets are encrypted, under a passphrase made up for this: {passphrase}\n"
        )?;
    }
    for suite in suites {
        let (dir, protection) = (dir.join(suite.name), protection.clone());
        let level = level.filter(|_| suite.presign.is_some());
        let new = New { dir, threshold: THRESHOLD, parties: PARTIES, level, protection };
        (suite.demo)(file, &message, &new, out)?;
    }
    if let Some(suite) = suites.first() {
        let (dir, file) = (dir.join(suite.name), file.display());
        writeln!(out, "Now you. Other parties can sign, but not one alone:")?;
        if let Some(passphrase) = made_up {
            writeln!(out, "  {VARIABLE}={passphrase} \\")?;
        }
        writeln!(out, "  cargo run -p quorate-wallet -- \\")?;
        writeln!(out, "    sign --dir {} --signers 2,3 {file}", dir.display())?;
        if suites.iter().all(|suite| suite.presign.is_none()) {
            writeln!(out, "And threshold ECDSA, with presignatures:")?;
            writeln!(out, "  cargo run -p quorate-wallet -- \\")?;
            writeln!(out, "    demo --suite ecdsa-secp256k1 {file}")?;
        }
    }
    Ok(())
}

/// Shows one suite.
pub(crate) fn suite<S: WalletSuite>(
    file: &Path,
    message: &[u8],
    new: &New,
    out: &mut Out,
) -> Result<(), Failure> {
    begin(S::TITLE, out)?;
    let home = commands::make::<S>(new, out)?;

    // Everything from here on is read from the files, as if a day had passed.
    let (coordinator, signature) = sign::<S>(file, message, &home, out)?;
    let check = |message: &[u8]| coordinator.public().verifying_key().verify(message, &signature);
    verify(message, check, out)?;
    cheat_in_signing::<S>(message, &home, out)?;
    cheat_in_keygen::<Dkg<S>>(|| DkgParams::new(THRESHOLD), out)
}

/// The beginning of the demonstration of a suite.
pub(crate) fn begin(title: &str, out: &mut Out) -> Result<(), Failure> {
    writeln!(out, "== {title}: {THRESHOLD} of {PARTIES} ==")?;
    writeln!(out, "\n{PARTIES} parties make a key together. Nobody ever holds all of it.")?;
    Ok(())
}

/// A signature, and who has put it together.
type Signed<K> = (Coordinator<<K as WalletSuite>::Signs>, Signature<<K as WalletSuite>::Signs>);

/// The first and the third party sign, and the signature is stored.
fn sign<S: WalletSuite>(
    file: &Path,
    message: &[u8],
    home: &Home,
    out: &mut Out,
) -> Result<Signed<S>, Failure> {
    let itself = DerivationPath::default();
    let (public, shares) = signing::open_signers::<S>(home, &parties(&[1, 3])?, &itself)?;
    let coordinator = Coordinator::new(public);
    writeln!(out, "\nParties 1 and 3 sign {} ({} bytes).", file.display(), message.len())?;
    let (signature, report) = signing::sign(&coordinator, &shares, message)?;
    report::signing(&report, out);
    let path = commands::signature_path(home.dir(), file, S::NAME);
    commands::write_signature(&path, &signature)?;
    writeln!(out, "  written to {}", path.display())?;
    // What counts is what is in the file.
    Ok((coordinator, Signature::from_bytes(&commands::read(&path)?)?))
}

/// The signature verifies, and not for another message.
pub(crate) fn verify<E: core::error::Error>(
    message: &[u8],
    check: impl Fn(&[u8]) -> Result<(), E>,
    out: &mut Out,
) -> Result<(), Failure> {
    check(message)?;
    writeln!(out, "  the signature verifies")?;
    let mut altered = message.to_vec();
    altered.push(b'!');
    match check(&altered) {
        Ok(()) => Err(Failure::new("the signature verifies for an altered file")),
        Err(refusal) => Ok(writeln!(out, "  the file with one more byte: {refusal}")?),
    }
}

/// All three sign; first one of them cheats, then two.
fn cheat_in_signing<S: WalletSuite>(
    message: &[u8],
    home: &Home,
    out: &mut Out,
) -> Result<(), Failure> {
    let itself = DerivationPath::default();
    let (public, shares) = signing::open_signers::<S>(home, &parties(&[1, 2, 3])?, &itself)?;
    let coordinator = Coordinator::new(public);
    writeln!(out, "\nAll three sign, and some send wrong shares. What the coordinator says:")?;
    for cheaters in [parties(&[2])?, parties(&[1, 3])?] {
        let error = cheats::in_signing(&coordinator, &shares, message, &cheaters)?;
        if error.culprits() != cheaters {
            return Err(Failure::new(format!("the wrong parties are blamed: {error}")));
        }
        let count = cheaters.len();
        writeln!(out, "  {count} of 3 cheat:  {error}")?;
    }
    Ok(())
}

/// A new key is to be made, and one party deals another a wrong share.
pub(crate) fn cheat_in_keygen<P: Protocol>(
    params: impl FnMut() -> P::Params,
    out: &mut Out,
) -> Result<(), Failure> {
    let (victim, cheater) = (party(1)?, party(2)?);
    writeln!(
        out,
        "\nA new key is to be made, and party {cheater} sends party {victim} a wrong share:"
    )?;
    let group = Parties::numbered(PARTIES)?;
    let params = core::iter::repeat_with(params);
    let error = cheats::in_private::<P>(&group, params, [cheater, victim])?;
    Ok(writeln!(out, "  {error}\n  nobody has a key\n")?)
}

pub(crate) fn parties(numbers: &[u16]) -> Result<Vec<PartyId>, Failure> {
    numbers.iter().map(|number| party(*number)).collect()
}

pub(crate) fn party(number: u16) -> Result<PartyId, Failure> {
    Ok(PartyId::try_from(number)?)
}
