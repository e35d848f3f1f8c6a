//! `keygen`, `presign`, `sign` and `verify` for ECDSA.

use core::fmt::Write;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use quorate::keys::derive::DerivationPath;
use quorate::{Parties, PartyId};
use quorate_cggmp::{Ecdsa, KeyInfo, Signature};

use super::EcdsaSuite;
use super::folder::{self, open_signers};
use super::signing::{self, Signer};
use super::{keygen, openssl, primes, stock};
use crate::commands::{check_threshold, read, verified};
use crate::home::{Home, check_pem};
use crate::making::{Making, New};
use crate::suites::{Signing, Verifying};
use crate::{report, shares};
use quorate_examples::failure::Failure;
use quorate_examples::files::hex;
use quorate_examples::out::Out;
use quorate_examples::table::{Table, time};

const KEYGEN_ROUNDS: [&str; 4] = ["commitments", "openings, key shares", "proofs", "confirmations"];
pub(super) const AUX_ROUNDS: [&str; 4] = ["commitments", "big moduli", "proofs", "confirmations"];
pub(super) const PRESIGN_ROUNDS: [&str; 4] =
    ["encryptions, proofs", "products, proofs", "sums, proofs", "echo of the sums"];
const SIGN_ROUNDS: [&str; 4] =
    ["encryptions, proofs", "products, proofs", "sums, proofs", "signature shares"];

/// The lengths that a signature can have in DER, but for a chance of 2^-40.
const DER_LENGTHS: core::ops::RangeInclusive<u64> = 62..=72;

/// Makes a wallet.
pub(crate) fn keygen<C: EcdsaSuite>(new: &New, out: &mut Out) -> Result<(), Failure> {
    make::<C>(new, out).map(drop)
}

/// Makes a wallet, and says what happens.
pub(super) fn make<C: EcdsaSuite>(new: &New, out: &mut Out) -> Result<(Home, KeyInfo<C>), Failure> {
    check_threshold(new.threshold, new.parties)?;
    let level = new.level.unwrap_or_default();
    let new = New { level: Some(level), ..new.clone() };
    let making = Making::begin(&new, C::SUITE, out)?;
    let parties = &Parties::numbered(new.parties)?;
    let keys = keygen::key::<C>(&making, new.threshold, parties)?;
    report::rounds(&keys.traffic, &KEYGEN_ROUNDS, "checks, key kept", out);

    let bits = level.modulus_bits();
    writeln!(out, "\nEach searches for its primes, for two moduli of {bits} bits.")?;
    let mut secrets = BTreeMap::new();
    let mut table = Table::new(&["party", "primes", "time"]);
    let mut progress = out.progress();
    for party in parties.iter() {
        let (found, elapsed) = primes::search(&making.home, level, party, &mut progress)?;
        secrets.insert(party, Arc::new(found));
        table.row(vec![party.to_string(), "2, and 2 safe ones".to_owned(), time(elapsed)]);
    }
    drop(progress);
    table.print(out);

    writeln!(out, "\nAnd proves to the others that the moduli are what they must be.")?;
    let aux = keygen::aux_info(&making, parties, secrets)?;
    report::rounds(&aux.traffic, &AUX_ROUNDS, "checks, moduli kept", out);

    let public = keys.results.first().map(|key| key.info().clone());
    let public = public.ok_or_else(|| Failure::new("there are no parties"))?;
    folder::fill(&making.home, &public)?;
    let home = making.finish(&public.to_bytes())?;
    describe(&new, &public, out)?;
    Ok((home, public))
}

fn describe<C: EcdsaSuite>(new: &New, public: &KeyInfo<C>, out: &mut Out) -> Result<(), Failure> {
    let (threshold, parties) = (public.threshold(), public.parties().len());
    let secret = format!("secret, for each party; {}", new.protection);
    writeln!(out, "\n  any {threshold} of {parties} can sign for the key of {}", C::TITLE)?;
    writeln!(out, "  {}", hex(public.verifying_key().as_bytes()))?;
    writeln!(out, "  written to {}:", new.dir.display())?;
    for (file, what) in [
        (format!("party-1.* to party-{parties}.*"), &*secret),
        ("public.key, public.pem".to_owned(), "for everybody"),
        ("presignatures, spent".to_owned(), "folders, empty so far"),
    ] {
        writeln!(out, "    {file:<32} {what}")?;
    }
    Ok(())
}

/// The presignatures of one run: from about as many on, one more costs what each costs.
const BATCH: u16 = 32;

/// Makes presignatures.
pub(crate) fn presign<C: EcdsaSuite>(
    home: &Home,
    signers: &[PartyId],
    count: u16,
    out: &mut Out,
) -> Result<(), Failure> {
    let signers = open_signers::<C>(home, signers)?;
    let parties = signing::together(&signers)?;
    let mut progress = out.progress();
    let mut made = 0;
    while made < count {
        progress.show("presigning", f64::from(made) / f64::from(count));
        let batch = BATCH.min(count.saturating_sub(made));
        let run = signing::presign_many(&parties, &signers, batch)?;
        for of_one in &run.results {
            stock::keep(home, of_one)?;
        }
        if made == 0 {
            report::rounds(&run.traffic, &PRESIGN_ROUNDS, "checks, presignatures kept", out);
        }
        made = made.saturating_add(batch);
    }
    drop(progress);
    let folder = stock::stock(home.dir());
    writeln!(out, "\n  {count} made; each is good for one signature: {}", folder.display())?;
    Ok(())
}

/// Signs a file.
pub(crate) fn sign<C: EcdsaSuite>(
    home: &Home,
    wanted: &Signing,
    out: &mut Out,
) -> Result<(), Failure> {
    let message = read(&wanted.file)?;
    let signers = open_signers::<C>(home, &wanted.signers)?;
    let path = wanted.path(home, C::SUITE);
    sign_with(home, &signers, (&wanted.key, &message), &path, out)?;
    wanted.describe(&path, out)
}

/// Signs from a presignature of these signers, or, when none is left, in one go, and writes the
/// signature. `key` leads from the wallet's key to the one that signs.
pub(super) fn sign_with<C: EcdsaSuite>(
    home: &Home,
    signers: &[Signer<C>],
    (key, message): (&DerivationPath, &[u8]),
    path: &Path,
    out: &mut Out,
) -> Result<Signature<C>, Failure> {
    let parties = signing::together(signers)?;
    let signature = match stock::take::<C>(home, signers)? {
        Some(presignatures) => {
            writeln!(out, "  from a presignature, which is spent now")?;
            spend(home, signers, presignatures, (key, message), out)?
        }
        None => {
            writeln!(out, "  no presignature of these signers is left: all rounds in one go")?;
            let signers = signers.iter().map(|signer| signer.child(key));
            let signers = signers.collect::<Result<Vec<_>, _>>()?;
            let run = signing::interactively(&parties, &signers, message)?;
            report::rounds(&run.traffic, &SIGN_ROUNDS, "checks, signature", out);
            // All of them have the same.
            let first = run.results.into_iter().next();
            first.ok_or_else(|| Failure::new("there are no signers"))?
        }
    };
    crate::home::write_signature(path, &signature.to_der(), DER_LENGTHS)?;
    Ok(signature)
}

fn spend<C: EcdsaSuite>(
    home: &Home,
    signers: &[Signer<C>],
    presignatures: Vec<quorate_cggmp::Presignature<C>>,
    (path, message): (&DerivationPath, &[u8]),
    out: &mut Out,
) -> Result<Signature<C>, Failure> {
    let info = presignatures.first().map(|first| first.info().clone());
    let info = info.ok_or_else(|| Failure::new("there are no signers"))?;
    let key = signers.first().ok_or_else(|| Failure::new("there are no signers"))?.key.info();
    let mut report = Vec::new();
    let table = |party| stock::Spent::of(home, party);
    let shares = signing::shares(signers, presignatures, (path, message), &mut report, table)?;
    let clock = std::time::Instant::now();
    let signature = signing::combine(&info, &key.derivation(path)?, &shares, message)?;
    let whole = signature.to_compact();
    report.push(crate::signing::Message::new(None, "signature", &whole, clock));
    report::signing(&report, out);
    Ok(signature)
}

/// Verifies a file's signature.
pub(crate) fn verify<C: EcdsaSuite>(
    dir: &Path,
    wanted: &Verifying,
    out: &mut Out,
) -> Result<(), Failure> {
    let Verifying { key, file, signature: path, .. } = wanted;
    let message = read(file)?;
    let der = read(path)?;
    let public = shares::current::<Ecdsa<C>>(dir)?;
    check_pem(dir, &KeyInfo::from(public.clone()).verifying_key().to_spki_pem())?;
    let child = signing::child(&public, key)?;
    let signature = open_signature(&der, path)?;
    verified(file, child.key.verify(&message, &signature), out)?;
    if key.indices().is_empty() { openssl::verify(dir, file, path, out) } else { Ok(()) }
}

/// Reads a signature in DER.
pub(super) fn open_signature<C: EcdsaSuite>(
    der: &[u8],
    path: &Path,
) -> Result<Signature<C>, Failure> {
    Signature::from_der(der).map_err(|error| {
        Failure::new(format!("{} is no {} signature: {error}", path.display(), C::SUITE))
    })
}
