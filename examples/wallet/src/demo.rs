//! `demo`: everything on one file.

use std::path::{Path, PathBuf};

use quorate::keys::Family;
use quorate::keys::derive::DerivationPath;
use quorate::session::container::Kind;
use quorate::session::{Protocol, To};
use quorate::{Parties, PartyId};
use quorate_examples::files::fresh_name;
use quorate_examples::{Failure, Out, Result, bail, failure};
use quorate_paillier::Level;

use super::commands::{self, Request, Signed, Statement};
use super::family::Scheme;
use super::home::Home;
use super::making::{New, Protection};
use super::passphrase::VARIABLE;
use super::rounds::{self, Message, Run, RunError};
use super::suites::Suite;

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
) -> Result {
    let message = commands::read(file)?;
    let new = || std::env::temp_dir().join(fresh_name("quorate-wallet-"));
    let dir = dir.unwrap_or_else(new);
    let made_up = protection.make_up();
    if let Some(passphrase) = &made_up {
        let text = "Secrets are encrypted, under a passphrase made up for this:";
        writeln!(out, "{text} {passphrase}\n");
    }
    for suite in suites {
        let (dir, protection) = (dir.join(suite.name), protection.clone());
        let (suite, threshold, parties) = (*suite, THRESHOLD, PARTIES);
        let new = New { dir, suite, threshold, parties, level, protection };
        (suite.demo)(file, &message, &new, out)?;
    }
    if let Some(suite) = suites.first() {
        let (dir, file) = (dir.join(suite.name), file.display());
        writeln!(out, "Now you. Other parties can sign, but not one alone:");
        if let Some(passphrase) = made_up {
            writeln!(out, "  {VARIABLE}={passphrase} \\");
        }
        writeln!(out, "  cargo run -p quorate-wallet -- \\");
        writeln!(out, "    sign --dir {} --signers 2,3 {file}", dir.display());
        if suites.iter().all(|suite| suite.presign.is_none()) {
            writeln!(out, "And threshold ECDSA, with presignatures:");
            writeln!(out, "  cargo run -p quorate-wallet -- \\");
            writeln!(out, "    demo --suite ecdsa-secp256k1 {file}");
        }
    }
    Ok(())
}

/// Shows one suite.
pub(crate) fn suite<F: Scheme>(file: &Path, message: &[u8], new: &New, out: &mut Out) -> Result {
    writeln!(out, "== {}: {THRESHOLD} of {PARTIES} ==", F::TITLE);
    writeln!(out, "\n{PARTIES} parties make a key together. Nobody ever holds all of it.");
    if F::HAS_LEVEL && new.level.is_none() {
        writeln!(out, "(With moduli of 2048 bits, to be quick: --level 128 takes 3072.)");
    }
    let level = F::HAS_LEVEL.then(|| new.level.unwrap_or(Level::Bits112));
    let (home, package) = commands::keygen::<F>(&New { level, ..new.clone() }, out)?;

    // From here on everything is read from the files, as if a day had passed.
    let who = F::demo_before_signing(&home, out)?;
    writeln!(out, "\n{who} sign {} ({} bytes).", file.display(), message.len());
    let signature = sign::<F>(&home, &[1, 3], message, out)?;
    let path = &commands::signature_path(home.dir(), file, F::SUITE);
    commands::keep_signature::<F>(path, &signature, true)?;
    writeln!(out, "  written to {}", path.display());
    // The signature in the file is the one that counts.
    verify::<F>(&package, message, &commands::read(path)?, out)?;
    let itself = DerivationPath::default();
    let signed = Signed { file, statement: own(&itself, message), signature: path };
    F::show_others(home.dir(), &signed, out)?;
    F::demo(&home, message, out)
}

/// A message for the wallet's own key, whose path is the empty one.
pub(crate) const fn own<'a>(itself: &'a DerivationPath, message: &'a [u8]) -> Statement<'a> {
    Statement { path: itself, context: b"", message }
}

/// Has these parties sign with the wallet's own key.
pub(crate) fn sign<F: Scheme>(
    home: &Home,
    signers: &[u16],
    message: &[u8],
    out: &mut Out,
) -> Result<Vec<u8>> {
    let (signers, itself) = (&parties(signers)?, DerivationPath::default());
    F::sign(&Request { home, signers, statement: own(&itself, message) }, out)
}

/// The signature verifies, and not for another message.
pub(crate) fn verify<F: Scheme>(
    package: &F::Package,
    message: &[u8],
    signature: &[u8],
    out: &mut Out,
) -> Result {
    let itself = DerivationPath::default();
    let (verifier, signature) = (F::verifier(package, &itself)?, F::parse(signature)?);
    let check = |message| F::verify(&verifier, &own(&itself, message), &signature);
    check(message)?;
    writeln!(out, "  the signature verifies");
    let Err(refusal) = check(&[message, b"!"].concat()) else {
        bail!("the signature verifies for an altered file")
    };
    writeln!(out, "  the file with one more byte: {refusal}");
    Ok(())
}

/// Has one party send a wrong signature share, then two. `blamed` gives the parties that are blamed, and the error.
pub(crate) fn wrong_shares(
    judge: &str,
    blamed: impl Fn(&[PartyId]) -> Result<Option<(Vec<PartyId>, String)>>,
    out: &mut Out,
) -> Result {
    writeln!(out, "\nAll three sign, and some send wrong shares. What {judge} says:");
    for cheaters in [parties(&[2])?, parties(&[1, 3])?] {
        match blamed(&cheaters)? {
            None => bail!("{judge} did not notice"),
            Some((culprits, error)) if culprits != cheaters => return Err(wrong_party(&error)),
            Some((_, error)) => writeln!(out, "  {} of 3 cheat:  {error}", cheaters.len()),
        }
    }
    Ok(())
}

/// A new key is to be made, and one party deals another a wrong share.
pub(crate) fn cheat_in_keygen<P: Protocol>(
    params: impl FnMut() -> P::Params,
    out: &mut Out,
) -> Result {
    let [victim, cheater] = [party(1)?, party(2)?];
    let what = format!("party {cheater} sends party {victim} a wrong share");
    writeln!(out, "\nA new key is to be made, and {what}:");
    let params = core::iter::repeat_with(params);
    let error = cheat_in_private::<P>(&Parties::numbered(PARTIES)?, params)?;
    writeln!(out, "  {error}\n  nobody has a key\n");
    Ok(())
}

/// Makes a run in which party 2 sends party 1 wrong messages in private, in each round that has any. Returns the error of party
/// 1, which blames party 2 alone.
pub(crate) fn cheat_in_private<P: Protocol>(
    group: &Parties,
    params: impl IntoIterator<Item = P::Params>,
) -> Result<RunError> {
    let [victim, cheater] = [party(1)?, party(2)?];
    let network = |frame: &mut Message| {
        if frame.from == cheater && frame.to == To::Only(victim) {
            spoil(&mut frame.bytes, cheater);
        }
    };
    let error = caught(rounds::run::<P>(group, params, network), cheater)?;
    match error {
        RunError::Aborted { by, .. } if by == victim => Ok(error),
        _ => Err(wrong_party(&error)),
    }
}

/// The error of a run that names this party alone.
pub(crate) fn caught<T>(run: Result<Run<T>, RunError>, cheater: PartyId) -> Result<RunError> {
    match run {
        Ok(_) => bail!("nobody noticed"),
        Err(error) => match &error {
            RunError::Aborted { why, .. } if why.culprits().eq([cheater]) => Ok(error),
            _ => Err(wrong_party(&error)),
        },
    }
}

fn wrong_party(error: &impl core::fmt::Display) -> Failure {
    failure!("the wrong parties are blamed: {error}")
}

/// Flips one bit in the middle of the number at the end of a message, so that it stays a number of the group. The bit differs
/// for each party, so that the errors of two of them don't cancel.
fn spoil(message: &mut [u8], party: PartyId) {
    let place = usize::from(party.get() & 7).saturating_add(8);
    if let Some(byte) = message.iter_mut().rev().nth(place) {
        *byte ^= 1;
    }
}

/// Another number in a share, with a digest to match: the digest is against accidents, and a cheater can compute it too.
pub(crate) fn spoil_share<F: Family>(share: &mut Vec<u8>, party: PartyId, kind: Kind) {
    *share = F::label(kind).altered(share, |bytes| spoil(bytes, party));
}

pub(crate) fn parties(numbers: &[u16]) -> Result<Vec<PartyId>> {
    numbers.iter().map(|number| party(*number)).collect()
}

pub(crate) fn party(number: u16) -> Result<PartyId> {
    Ok(PartyId::try_from(number)?)
}
