//! Signing: attempts in three rounds, as many as it takes. About every second one fails without anyone's fault.

use std::sync::Arc;

use quorate::mldsa::{KeyShare, PublicKeyPackage, Sign, Signature};
use quorate::{Parties, PartyId};
use quorate_examples::{Failure, Out, Result, bail, ensure, failure};

use super::{MlDsa, attempts};
use crate::commands::Statement;
use crate::family::Scheme;
use crate::home::{Home, check_party, check_pem, name};
use crate::rounds::{self, fresh_sid};
use crate::shares::SHARE;

const ROUNDS: [&str; 3] = ["hashes of masks", "masked commitments", "responses"];

/// The attempts after which chance no longer explains the failures: this many fail once in 2^80 times.
const MOST: u32 = 100;

/// The shares of the signers, exactly as many as it takes.
pub(super) fn open_signers<const NUMBER: u8>(
    home: &Home,
    signers: &[PartyId],
) -> Result<Vec<Arc<KeyShare>>> {
    let public = MlDsa::<NUMBER>::package(home.dir())?;
    check_pem(home.dir(), &public.verifying_key().to_spki_pem())?;
    let (need, got) = (public.threshold(), signers.len());
    ensure!(got == usize::from(need), "got {got} signers, it takes exactly {need}");
    signers.iter().map(|signer| Ok(Arc::new(share::<NUMBER>(home, *signer, &public)?))).collect()
}

fn share<const NUMBER: u8>(
    home: &Home,
    party: PartyId,
    public: &PublicKeyPackage,
) -> Result<KeyShare> {
    check_party(party, public.parties())?;
    let file = name(party, SHARE);
    let path = home.path(&file);
    let Some(bytes) = home.secret_if_there(&file)? else {
        bail!(
            "cannot read {}: party {party} has lost its share, and only a copy of it can come back",
            path.display()
        )
    };
    let unusable = format!("is no usable key share for {}", MlDsa::<NUMBER>::SUITE);
    let share = KeyShare::from_bytes(MlDsa::<NUMBER>::LEVEL, &bytes)
        .map_err(Failure::about(&path, unusable))?;
    if share.id() == party && share.public() == public {
        return Ok(share);
    }
    Err(Failure::at(&path, format!("is not party {party}'s share of this wallet's key")))
}

/// Has the owners of `shares` sign, and prints every attempt.
pub(super) fn sign(
    home: &Home,
    shares: &[Arc<KeyShare>],
    statement: Statement<'_>,
    out: &mut Out,
) -> Result<Signature> {
    let public = shares.first().map(|share| share.public());
    let public = public.ok_or_else(|| failure!("there are no signers"))?;
    let mu = public.verifying_key().represent(statement.message, statement.context)?;
    for _ in 0..MOST {
        // A fresh session id, the records of all signers, and only then the session.
        let sid = fresh_sid();
        let signers = Parties::new(shares.iter().map(|share| share.id()))?;
        let (number, params) = attempts::record(home, shares, (sid, &signers), mu)?;
        // In memory: a session in a file could come back from a backup, and answer a second time under one mask.
        let run = rounds::run_as::<Sign>(sid, &signers, params, |_| {}, |_, _| Ok(()))?;
        // All signers have the same result.
        if let Some(signature) = &run.first()?.signature {
            writeln!(out, "  attempt {number}:");
            run.traffic.print(&ROUNDS, "checks, signature", out);
            return Ok(signature.clone());
        }
        writeln!(out, "  attempt {number}: no luck, as about every second time");
    }
    bail!("{MOST} attempts without luck: one of the signers rejects too often")
}
