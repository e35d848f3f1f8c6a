//! `demo`: everything on one file.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;
use quorate::keys::Family;
use quorate::session::container::Kind;
use quorate::session::{Protocol, To};
use quorate::{Parties, PartyId};
use quorate_examples::args::level;
use quorate_examples::files::fresh_name;
use quorate_examples::{Failure, Out, Result, bail, failure};
use quorate_paillier::Level;

use super::commands::{self, Signed, Statement};
use super::family::Scheme;
use super::home::Home;
use super::making::{New, Protection};
use super::passphrase::VARIABLE;
use super::rounds::{self, Message, Run, RunError};
use super::suites::{SUITES, Suite};

/// Two of three.
pub(crate) const THRESHOLD: u16 = 2;
pub(crate) const PARTIES: u16 = 3;

/// The demonstration that the user asks for.
#[derive(Clone, Debug, Args)]
pub(crate) struct Demo {
    /// The file to sign
    file: PathBuf,
    /// The suite to show, or all of them
    #[arg(long, value_parser = suite_or_all(), default_value = "ed25519")]
    suite: String,
    /// Where to put the wallets; a new folder for temporary files unless given
    #[arg(long)]
    dir: Option<PathBuf>,
    /// The level of the big moduli of ECDSA: 112, of 2048 bits, or 128, of 3072. The demo takes 112 unless told otherwise, to be
    /// quick
    #[arg(long, value_parser = level())]
    level: Option<Level>,
    #[command(flatten)]
    protection: Protection,
}

fn suite_or_all() -> PossibleValuesParser {
    PossibleValuesParser::new(SUITES.iter().map(|suite| suite.name).chain(["all"]))
}

impl Demo {
    /// Shows each suite, with wallets in folders under `dir`.
    pub(crate) fn run(self, out: &mut Out) -> Result {
        let Self { file, suite, dir, level, mut protection } = self;
        let message = commands::read(&file)?;
        let new = || std::env::temp_dir().join(fresh_name("quorate-wallet-"));
        let dir = dir.unwrap_or_else(new);
        let made_up = protection.make_up();
        if let Some(passphrase) = &made_up {
            let text = "Secrets are encrypted, under a passphrase made up for this:";
            writeln!(out, "{text} {passphrase}\n");
        }
        let named = |one: &&Suite| suite == "all" || suite == one.name;
        let suites: Vec<_> = SUITES.iter().filter(named).collect();
        for suite in &suites {
            let (dir, protection) = (dir.join(suite.name), protection.clone());
            let (suite, threshold, parties) = (**suite, THRESHOLD, PARTIES);
            let new = New { dir, suite, threshold, parties, level, hardened: false, protection };
            (suite.demo)(&file, &message, &new, out)?;
        }
        let Some(first) = suites.first() else { return Ok(()) };
        let (dir, file) = (dir.join(first.name), file.display());
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
        Ok(())
    }
}

/// Shows one suite.
pub(crate) fn suite<F: Scheme>(file: &Path, message: &[u8], new: &New, out: &mut Out) -> Result {
    writeln!(out, "== {}: {THRESHOLD} of {PARTIES} ==", F::TITLE);
    writeln!(out, "\n{PARTIES} parties make a key together. Nobody ever holds all of it.");
    if F::HAS_LEVEL && new.level.is_none() {
        writeln!(out, "(With moduli of 2048 bits, to be quick: --level 128 takes 3072.)");
    }
    let level = F::HAS_LEVEL.then(|| new.level.unwrap_or(Level::Bits112));
    commands::keygen::<F>(&New { level, ..new.clone() }, out)?;

    // From here on everything is read from the files, as if a day had passed.
    let home = Home::open(&new.dir, new.protection.source.clone())?;
    let package = F::package(home.dir())?;
    F::demo_before_signing(&home, out)?;
    writeln!(out, "\nParties 1 and 3 sign {} ({} bytes).", file.display(), message.len());
    let statement = Statement::own(message);
    let signature = F::sign(&home, &parties(&[1, 3])?, statement, out)?;
    let path = &commands::signature_path(home.dir(), file, F::SUITE);
    commands::keep_signature::<F>(path, &signature, true)?;
    writeln!(out, "  written to {}", path.display());
    // The signature in the file is the one that counts.
    verify::<F>(&package, message, &commands::read(path)?, out)?;
    F::show_others(home.dir(), &Signed { file, statement, signature: path }, out)?;
    F::demo(&home, message, out)
}

/// The signature verifies, and not for another message.
pub(crate) fn verify<F: Scheme>(
    package: &F::Package,
    message: &[u8],
    signature: &[u8],
    out: &mut Out,
) -> Result {
    let signature = F::parse(signature)?;
    let check = |message: &[u8]| F::verify(package, Statement::own(message), &signature);
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

/// A new key is to be made, and a party cheats: `what` says how, and `network` does it.
pub(crate) fn cheat_in_keygen<P: Protocol<Params: Clone>>(
    params: P::Params,
    (cheater, what): (PartyId, &str),
    network: impl FnMut(&mut Message),
    out: &mut Out,
) -> Result {
    writeln!(out, "\nA new key is to be made, and party {cheater} {what}:");
    let (parties, params) = (Parties::numbered(PARTIES)?, core::iter::repeat(params));
    let error = caught(rounds::run::<P>(&parties, params, network), cheater)?;
    writeln!(out, "  {error}\n  nobody has a key\n");
    Ok(())
}

/// The effect of [`spoil_private`] on a key generation.
pub(crate) const WRONG_SHARE: &str = "sends party 1 a wrong share";

/// Party 2 sends party 1 wrong messages in private, in each round that has any.
pub(crate) fn spoil_private(frame: &mut Message) {
    if frame.from.get() == 2 && matches!(frame.to, To::Only(to) if to.get() == 1) {
        spoil(&mut frame.bytes, frame.from);
    }
}

/// The error of a run that names this party alone.
pub(crate) fn caught<T>(run: Result<Run<T>, RunError>, cheater: PartyId) -> Result<RunError> {
    match run {
        Ok(_) => bail!("nobody noticed"),
        Err(error) if error.culprits == [cheater] => Ok(error),
        Err(error) => Err(wrong_party(&error)),
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
