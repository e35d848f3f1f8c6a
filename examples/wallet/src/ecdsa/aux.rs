//! Auxiliary information in the wallet's files: `party-1.aux`, and beside it, until a change of the key has ended,
//! `party-1.aux-next` for the new committee.
//!
//! Auxiliary information belongs to a set of parties and to no epoch. So a refresh needs none, and a resharing needs it only if
//! a party joins. The new party then searches for its primes, and all of the new committee prove theirs to each other again,
//! the others with the primes that they have.

use core::fmt::Write;
use std::collections::BTreeMap;
use std::sync::Arc;

use quorate::session::container::ContainerError;
use quorate::{Parties, PartyId};
use quorate_cggmp::{AuxInfo, AuxInfoGen, AuxInfoParams, DecodeError};
use quorate_examples::{Failure, Out, Result, failure};
use quorate_paillier::Level;

use super::keygen::AUX_ROUNDS;
use super::primes;
use crate::change::list;
use crate::disk;
use crate::home::{Home, name};
use crate::rounds::{fresh_sid, run_as};

/// The ending of the file.
pub(super) const AUX: &str = "aux";
/// The ending of the file for the next committee.
const NEXT: &str = "aux-next";

/// Auxiliary information of either level.
pub(super) fn open(bytes: &[u8]) -> Result<AuxInfo, DecodeError> {
    let open = |level| AuxInfo::from_bytes(level, bytes);
    match open(Level::Bits128) {
        Err(DecodeError::Container(ContainerError::WrongFamily { .. })) => open(Level::Bits112),
        other => other,
    }
}

/// A party's file, if it is there.
fn read(home: &Home, party: PartyId, ending: &str) -> Result<Option<AuxInfo>> {
    let file = name(party, ending);
    let Some(bytes) = home.secret_if_there(&file)? else { return Ok(None) };
    let path = home.path(&file);
    let aux = open(&bytes).map_err(Failure::about(&path, "is damaged"))?;
    if aux.id() == party {
        return Ok(Some(aux));
    }
    Err(Failure::at(&path, format_args!("is not party {party}'s in this wallet")))
}

/// The auxiliary information that these parties have in common, in their order, with the ending of each file. `None` if
/// they have none in common.
fn common(home: &Home, parties: &Parties) -> Result<Option<Vec<(AuxInfo, &'static str)>>> {
    let mut candidates = Vec::new();
    for party in parties.iter() {
        let mut own = Vec::new();
        for ending in [AUX, NEXT] {
            let found = read(home, party, ending)?;
            let found = found.filter(|aux| aux.lacks(parties).next().is_none());
            own.extend(found.map(|aux| (aux, ending)));
        }
        candidates.push(own);
    }
    let first = candidates.first().into_iter().flatten();
    let digests: Vec<_> = first.map(|(aux, _)| aux.digest()).collect();
    let of_all = |digest: &[u8; 32]| {
        candidates.iter().all(|own| own.iter().any(|(aux, _)| aux.digest() == *digest))
    };
    let Some(digest) = digests.into_iter().find(of_all) else { return Ok(None) };
    let same = |own: Vec<_>| own.into_iter().find(|(aux, _): &(AuxInfo, _)| aux.digest() == digest);
    Ok(candidates.into_iter().map(same).collect())
}

/// The auxiliary information of signers, in their order.
pub(super) fn of_signers(home: &Home, signers: &Parties) -> Result<Vec<AuxInfo>> {
    let common = common(home, signers)?;
    common.map(|own| own.into_iter().map(|(aux, _)| aux).collect()).ok_or_else(|| {
        failure!(
            "parties {} have no auxiliary information in common. If a change of the key is under way, run the command \
             that began it again; if one has lost its own, `repair` or `restore` makes it anew together with its share",
            list(signers.iter())
        )
    })
}

/// Makes auxiliary information for these parties, unless they have it.
pub(super) fn equip(home: &Home, parties: &Parties, level: Option<Level>, out: &mut Out) -> Result {
    if common(home, parties)?.is_some() {
        return Ok(());
    }
    let (mut known, mut without) = (BTreeMap::new(), Vec::new());
    for party in parties.iter() {
        let next = || read(home, party, NEXT);
        match read(home, party, AUX)?.map_or_else(next, |aux| Ok(Some(aux)))? {
            Some(aux) => drop(known.insert(party, aux)),
            None => without.push(party),
        }
    }
    let level = known.values().next().map(AuxInfo::level).or(level).unwrap_or_default();
    if !without.is_empty() {
        let (bits, without) = (level.modulus_bits(), list(without.iter().copied()));
        let search = format!("The search for primes, for moduli of {bits} bits");
        writeln!(out, "Without auxiliary information: party {without}. {search}.")?;
    }
    let all = list(parties.iter());
    writeln!(out, "Parties {all} prove their moduli to each other, before anything else:")?;
    let params = known.iter().map(|(party, aux)| (*party, AuxInfoParams::carried_over(aux)));
    let mut params: BTreeMap<_, _> = params.collect();
    let mut progress = out.progress();
    for party in &without {
        let (secrets, _) = primes::search(home, level, *party, &mut progress)?;
        params.insert(*party, AuxInfoParams::new(Arc::new(secrets)));
    }
    drop(progress);
    let keep = |me, aux: &AuxInfo| home.keep_secret(&name(me, NEXT), &aux.to_bytes());
    let run = run_as::<AuxInfoGen>(fresh_sid(), parties, params.into_values(), |_| {}, keep)?;
    run.traffic.print(&AUX_ROUNDS, "checks, moduli kept", out);
    writeln!(out)?;
    without.into_iter().try_for_each(|party| primes::forget(home, party))
}

/// Keeps the auxiliary information that these parties have in common, and deletes all other.
pub(super) fn settle(home: &Home, parties: &Parties) -> Result {
    let Some(common) = common(home, parties)? else { return Ok(()) };
    for (aux, ending) in common {
        if ending != AUX {
            home.keep_secret(&name(aux.id(), AUX), &aux.to_bytes())?;
        }
    }
    for file in disk::names(home.dir())? {
        let keep = parties.iter().any(|party| file == name(party, AUX));
        let is_aux = [AUX, NEXT].iter().any(|ending| file.ends_with(&format!(".{ending}")));
        if is_aux && !keep {
            disk::delete(&home.path(&file))?;
        }
    }
    Ok(())
}
