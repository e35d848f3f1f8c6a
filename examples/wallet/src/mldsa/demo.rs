//! `demo` for ML-DSA.

use core::fmt::Write;
use std::path::Path;

use quorate::mldsa::{Dkg, DkgParams, Sign};
use quorate::{Parties, PartyId};

use super::commands::{make, open_signature, sign_with};
use super::folder::{self, open_signers};
use super::{MldsaSuite, attempts, openssl};
use crate::commands::{read, signature_path};
use crate::demo::{self, PARTIES, THRESHOLD, parties, party};
use crate::home::Home;
use crate::making::New;
use crate::rounds::{self, Letter, Run, RunError, fresh_sid};
use quorate::session::frame::Header;
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;

/// Shows one suite.
pub(crate) fn suite<L: MldsaSuite>(
    file: &Path,
    message: &[u8],
    new: &New,
    out: &mut Out,
) -> Result<(), Failure> {
    demo::begin(&format!("{} (FIPS 204), experimental", L::LEVEL), out)?;
    let home = make::<L>(new, out)?;
    sign::<L>(file, message, &home, out)?;
    cheat_in_signing::<L>(message, &home, out)?;
    cheat_in_keygen::<L>(out)
}

/// The first and the third party sign, and the signature is stored.
fn sign<L: MldsaSuite>(
    file: &Path,
    message: &[u8],
    home: &Home,
    out: &mut Out,
) -> Result<(), Failure> {
    let shares = open_signers::<L>(home, &parties(&[1, 3])?)?;
    writeln!(out, "\nParties 1 and 3 sign {} ({} bytes).", file.display(), message.len())?;
    let path = signature_path(home.dir(), file, L::SUITE);
    sign_with(home, &shares, (message, b""), &path, out)?;
    writeln!(out, "  written to {}", path.display())?;
    // What counts is what is in the file.
    let signature = open_signature::<L>(&read(&path)?, &path)?;
    let public = folder::public::<L>(home.dir())?;
    let check = |message: &[u8]| public.verifying_key().verify(message, b"", &signature);
    demo::verify(message, check, out)?;
    openssl::verify(home.dir(), (file, message), &path, b"", out)
}

/// Parties 1 and 2 sign, and party 2 opens another commitment than it has made.
fn cheat_in_signing<L: MldsaSuite>(
    message: &[u8],
    home: &Home,
    out: &mut Out,
) -> Result<(), Failure> {
    let (cheater, signers) = (party(2)?, parties(&[1, 2])?);
    let shares = open_signers::<L>(home, &signers)?;
    let public = folder::public::<L>(home.dir())?;
    let mu = public.verifying_key().represent(message, b"")?;
    let (sid, signers) = (fresh_sid(), Parties::new(signers)?);
    let attempt = attempts::record(home, &shares, (sid, &signers), mu)?;
    writeln!(
        out,
        "\nParties 1 and 2 sign, and party {cheater} shows other commitments than it has promised:"
    )?;
    let network = |letter: &mut Letter| spoil(letter, cheater, 2);
    let run = rounds::run_as::<Sign>(sid, &signers, attempt.params, network, |_, _| Ok(()));
    Ok(writeln!(out, "  {}\n  nobody has a signature", caught(run, cheater)?)?)
}

/// A new key is to be made, and party 1 shows other public shares than it has promised.
fn cheat_in_keygen<L: MldsaSuite>(out: &mut Out) -> Result<(), Failure> {
    let cheater = party(1)?;
    writeln!(
        out,
        "\nA new key is to be made, and party {cheater} shows other public shares than it has promised:"
    )?;
    let params = core::iter::repeat_with(|| DkgParams::new(L::LEVEL, THRESHOLD));
    let network = |letter: &mut Letter| spoil(letter, cheater, 4);
    let run = rounds::run::<Dkg>(&Parties::numbered(PARTIES)?, params, network);
    Ok(writeln!(out, "  {}\n  nobody has a key\n", caught(run, cheater)?)?)
}

/// The error of a run that names this party alone.
fn caught<T>(run: Result<Run<T>, RunError>, cheater: PartyId) -> Result<RunError, Failure> {
    match run {
        Err(error) => match &error {
            RunError::Aborted { why, .. } if why.culprits().eq([cheater]) => Ok(error),
            _ => Err(Failure::new(format!("the wrong party is blamed: {error}"))),
        },
        Ok(_) => Err(Failure::new("nobody noticed")),
    }
}

/// Flips a bit of the last coefficient in a party's message of a round.
fn spoil(letter: &mut Letter, cheater: PartyId, round: u8) {
    let found = Header::parse(&letter.bytes).map(|header| header.round.get());
    let byte = letter.bytes.iter_mut().nth_back(1);
    if let Some(byte) = byte.filter(|_| letter.from == cheater && found == Some(round)) {
        *byte ^= 1;
    }
}
