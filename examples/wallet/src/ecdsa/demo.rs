//! The parts of the demonstration for ECDSA alone.

use std::fs;

use quorate::PartyId;
use quorate::session::container::Kind;
use quorate_cggmp::{Ecdsa, Keygen, KeygenParams, MessageDigest, Presign, Presignature};
use quorate_examples::{Out, Result, bail};

use super::EcdsaSuite;
use super::signing::{self, Group, PRESIGN_ROUNDS, Signer};
use super::stock::{STOCK, keep, take};
use crate::commands::{OWN, Statement};
use crate::demo::{self, THRESHOLD, parties, party};
use crate::family::Scheme;
use crate::home::Home;
use crate::rounds::{self, Run};
use crate::traffic::SigningReport;

/// A share of a signature, for the cheaters.
const SHARE: Kind = Kind { code: 37, name: "a share of a signature", version: 1 };

fn presign_once<C: EcdsaSuite>(group: &Group<C>) -> Result<Run<Presignature<C>>> {
    let params = group.signers.iter().map(Signer::params);
    Ok(rounds::run::<Presign<C>>(&group.parties, params, |_| {})?)
}

/// The first and the third party presign.
pub(super) fn presign<C: EcdsaSuite>(home: &Home, out: &mut Out) -> Result {
    writeln!(out, "\nParties 1 and 3 presign, before there is a message.");
    let run = presign_once(&Group::<C>::open(home, &parties(&[1, 3])?)?)?;
    keep(home, &run.results, out)?;
    run.traffic.print(&PRESIGN_ROUNDS, "checks, presignature kept", out);
    Ok(())
}

/// Makes a presignature, copies it, spends it, and restores the copy.
pub(super) fn spend_twice<C: EcdsaSuite>(home: &Home, message: &[u8], out: &mut Out) -> Result {
    let group = Group::<C>::open(home, &parties(&[1, 2])?)?;
    keep(home, &presign_once(&group)?.results, out)?;
    let copy = take(home, &group, out)?.unwrap_or_default();
    keep(home, &copy, out)?;
    let sign = |message| {
        signing::sign(home, &group, Statement::own(message), &mut Out::captured()).map(drop)
    };
    sign(message)?;
    keep(home, &copy, out)?;
    writeln!(out, "\nA presignature that was spent is restored from a backup. The next file:");
    let twice = sign(b"another file");
    // Only this demonstration has the copies.
    for entry in fs::read_dir(home.path(STOCK))? {
        fs::remove_file(entry?.path())?;
    }
    let Err(refusal) = twice else { bail!("a presignature was spent twice") };
    writeln!(out, "  {refusal}");
    Ok(())
}

/// Signs without presignatures.
pub(super) fn one_go<C: EcdsaSuite>(home: &Home, message: &[u8], out: &mut Out) -> Result {
    writeln!(out, "\nParties 2 and 3 sign it, too.");
    let signature = Ecdsa::<C>::sign(home, &parties(&[2, 3])?, Statement::own(message), out)?;
    demo::verify::<Ecdsa<C>>(&Ecdsa::package(home.dir())?, message, &signature, out)
}

/// Cheats in signing, in presigning, in key generation.
pub(super) fn cheat<C: EcdsaSuite>(home: &Home, message: &[u8], out: &mut Out) -> Result {
    let group = Group::<C>::open(home, &parties(&[1, 2, 3])?)?;
    let made = presign_once(&group)?;
    let (info, key) = (made.first()?.info().clone(), group.package.derivation(&OWN)?);
    let (statement, report) = (Statement::own(message), &mut SigningReport::new());
    let shares = signing::shares(home, &group, made.results, statement, report)?;
    let blamed = |cheaters: &[PartyId]| {
        let received = shares.iter().map(|(from, share)| {
            let mut share = share.clone();
            if cheaters.contains(from) {
                demo::spoil_share::<Ecdsa<C>>(&mut share, *from, SHARE);
            }
            (*from, share)
        });
        let error = info.aggregate(&key, MessageDigest::sha256(message), received).err();
        Ok(error.map(|error| (error.culprits().collect(), error.to_string())))
    };
    demo::wrong_shares("whoever adds them up", blamed, out)?;
    writeln!(out, "\nThey presign, and party 2 sends party 1 a wrong proof:");
    let params = group.signers.iter().map(Signer::params);
    let run = rounds::run::<Presign<C>>(&group.parties, params, demo::spoil_private);
    writeln!(out, "  {}\n  nobody has a presignature", demo::caught(run, party(2)?)?);
    let (params, cheats) = (KeygenParams::new(THRESHOLD), (party(2)?, demo::WRONG_SHARE));
    demo::cheat_in_keygen::<Keygen<C>>(params, cheats, demo::spoil_private, out)
}
