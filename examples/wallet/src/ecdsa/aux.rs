//! Auxiliary information in the wallet's files: `party-1.aux`, and beside it, until a change of the key has ended,
//! `party-1.aux-next` for the new committee.
//!
//! It belongs to a set of parties and to no epoch. So a refresh needs none, and a resharing only where somebody joins:
//! then who joins searches for its primes, and all of the new committee prove theirs to each other again, the others
//! with the primes that they have.

use core::fmt::Write;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use quorate::session::container::ContainerError;
use quorate::{Parties, PartyId};
use quorate_bignum::Engine;
use quorate_cggmp::{AuxInfo, AuxInfoGen, AuxInfoParams, DecodeError};
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use quorate_paillier::Level;

use super::commands::AUX_ROUNDS;
use super::primes;
use crate::change::list;
use crate::disk;
use crate::home::{Home, name};
use crate::report;
use crate::rounds::run_with;

/// The ending of the file.
pub(super) const AUX: &str = "aux";
/// The ending of what is made for the next committee.
const NEXT: &str = "aux-next";

/// Auxiliary information of either level.
pub(super) fn open(bytes: &[u8]) -> Result<AuxInfo, DecodeError> {
    let open = |level| AuxInfo::from_bytes(&Engine::detect(), level, bytes);
    match open(Level::Bits128) {
        Err(DecodeError::Container(ContainerError::WrongFamily { .. })) => open(Level::Bits112),
        other => other,
    }
}

/// A party's file, if it is there.
fn read(home: &Home, party: PartyId, ending: &str) -> Result<Option<AuxInfo>, Failure> {
    let file = name(party, ending);
    let Some(bytes) = home.secret_if_there(&file)? else { return Ok(None) };
    let aux = open(&bytes);
    let path = home.dir().join(file);
    let path = path.display();
    let aux = aux.map_err(|error| Failure::new(format!("{path} is damaged: {error}")))?;
    if aux.party() == party {
        return Ok(Some(aux));
    }
    Err(Failure::new(format!("{path} is not party {party}'s in this wallet")))
}

/// What all of these parties have in common and need among each other, in their order, each with the ending of its file;
/// none if there is no such thing.
fn common(home: &Home, parties: &Parties) -> Result<Option<Vec<(AuxInfo, &'static str)>>, Failure> {
    let mut candidates = Vec::new();
    for party in parties.iter() {
        let mut own = Vec::new();
        for ending in [AUX, NEXT] {
            let found = read(home, party, ending)?;
            own.extend(
                found.filter(|aux| aux.lacks(parties).next().is_none()).map(|aux| (aux, ending)),
            );
        }
        candidates.push(own);
    }
    let first = candidates.first().into_iter().flatten();
    let digests: Vec<_> = first.map(|(aux, _)| aux.digest()).collect();
    let of_all = |digest: &[u8; 32]| {
        candidates.iter().all(|own| own.iter().any(|(aux, _)| aux.digest() == *digest))
    };
    let Some(digest) = digests.into_iter().find(of_all) else { return Ok(None) };
    let chosen = candidates.into_iter().map(|own| {
        let mut same = own.into_iter().filter(|(aux, _)| aux.digest() == digest);
        same.next()
    });
    Ok(chosen.collect())
}

/// The auxiliary information of signers, in their order.
pub(super) fn of_signers(home: &Home, signers: &Parties) -> Result<Vec<AuxInfo>, Failure> {
    let common = common(home, signers)?;
    common.map(|own| own.into_iter().map(|(aux, _)| aux).collect()).ok_or_else(|| {
        Failure::new(format!(
            "parties {} have no auxiliary information in common. If a change of the key is under way, run the command \
             that began it again; if one has lost its own, `repair` or `restore` makes it anew together with its share",
            list(signers.iter())
        ))
    })
}

/// Makes auxiliary information for these parties, unless they have it.
pub(crate) fn equip(
    home: &Home,
    parties: &Parties,
    level: Option<Level>,
    out: &mut Out,
) -> Result<(), Failure> {
    if common(home, parties)?.is_some() {
        return Ok(());
    }
    let (mut known, mut without) = (BTreeMap::new(), Vec::new());
    for party in parties.iter() {
        match read(home, party, AUX)?
            .map_or_else(|| read(home, party, NEXT), |aux| Ok(Some(aux)))?
        {
            Some(aux) => drop(known.insert(party, aux)),
            None => without.push(party),
        }
    }
    let level = known.values().next().map(AuxInfo::level).or(level).unwrap_or_default();
    announce(parties, &without, level, out)?;
    let mut params = BTreeMap::new();
    for (party, aux) in known {
        params.insert(party, AuxInfoParams::carried_over(Engine::detect(), &aux));
    }
    let mut progress = out.progress();
    for party in &without {
        let (secrets, _) = primes::search(home, level, *party, &mut progress)?;
        params.insert(*party, AuxInfoParams::new(Engine::detect(), Arc::new(secrets)));
    }
    drop(progress);
    let keep = |me, aux: &AuxInfo| home.keep_secret(&name(me, NEXT), &aux.to_bytes());
    let run = run_with::<AuxInfoGen>(parties, params.into_values(), |_| {}, keep)?;
    report::rounds(&run.traffic, &AUX_ROUNDS, "checks, moduli kept", out);
    writeln!(out)?;
    without.into_iter().try_for_each(|party| primes::forget(home, party))
}

/// Who has to do what before the new committee can presign.
fn announce(
    parties: &Parties,
    without: &[PartyId],
    level: Level,
    out: &mut Out,
) -> Result<(), Failure> {
    if !without.is_empty() {
        let bits = level.modulus_bits();
        writeln!(
            out,
            "Without auxiliary information: party {}. The search for primes, for moduli of {bits} bits.",
            list(without.iter().copied())
        )?;
    }
    writeln!(
        out,
        "Parties {} prove their moduli to each other, before anything else:",
        list(parties.iter())
    )?;
    Ok(())
}

/// Gives these parties what they have in common as their only one, and deletes that of all others.
pub(super) fn settle(home: &Home, parties: &Parties) -> Result<(), Failure> {
    let Some(common) = common(home, parties)? else { return Ok(()) };
    for (aux, ending) in common {
        if ending != AUX {
            home.keep_secret(&name(aux.party(), AUX), &aux.to_bytes())?;
        }
    }
    let endings = [format!(".{AUX}"), format!(".{NEXT}")];
    for entry in fs::read_dir(home.dir()).map_err(Failure::file("read", home.dir()))? {
        let entry = entry?;
        let file = entry.file_name().to_string_lossy().into_owned();
        let keep = parties.iter().any(|party| file == name(party, AUX));
        if !keep && endings.iter().any(|ending| file.ends_with(ending.as_str())) {
            disk::delete(&entry.path())?;
        }
    }
    Ok(())
}
