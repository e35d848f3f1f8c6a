//! The stock of presignatures in a wallet's folder, and the records of those that are spent.
//!
//! A stock that was copied, or restored from a backup, is dropped: see [`here`]. A presignature that is damaged is deleted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use quorate::keys::SharedKey;
use quorate::session::SealError;
use quorate::{Parties, PartyId, SealKey};
use quorate_cggmp::{Ecdsa, Presignature};
use quorate_examples::files::hex;
use quorate_examples::{Failure, Out, Result};

use super::signing::Group;
use super::{EcdsaSuite, here};
use crate::disk::{self, Privacy};
use crate::home::Home;
use crate::lock::Lock;

/// The folder of presignatures.
pub(super) const STOCK: &str = "presignatures";
/// The folder of the records, a file for each part that a signer has spent.
pub(super) const SPENT: &str = "spent";

/// The name of one signer's part of a presignature, and of its record that the part is spent.
pub(super) fn name_of(id: &str, party: PartyId) -> String {
    format!("{id}.party-{}", party.get())
}

/// The name of a presignature.
fn id_of<C: EcdsaSuite>(part: &Presignature<C>) -> String {
    hex(&part.id().name())
}

/// The parties that have a part, by presignature.
fn parts(stock: &Path) -> Result<BTreeMap<String, BTreeSet<PartyId>>> {
    let mut parts = BTreeMap::<String, BTreeSet<PartyId>>::new();
    for name in disk::names(stock)? {
        if let Some((id, party)) = name.split_once(".party-")
            && let Some(party) = party.parse().ok().and_then(PartyId::new)
        {
            parts.entry(id.to_owned()).or_default().insert(party);
        }
    }
    Ok(parts)
}

/// Deletes the parts of a presignature.
fn delete(stock: &Path, (id, of): (&String, &BTreeSet<PartyId>)) -> Result {
    of.iter().try_for_each(|party| disk::delete(&stock.join(name_of(id, *party))))
}

/// Puts every signer's part of a presignature into the stock.
pub(super) fn keep<C: EcdsaSuite>(home: &Home, new: &[Presignature<C>], out: &mut Out) -> Result {
    let stock = home.path(STOCK);
    let _lock = Lock::wait(&stock)?;
    drop_copies(&stock, out)?;
    here::renew(&stock)?;
    for part in new {
        let party = part.party_id();
        let sealed = part.seal(&home.seal_key(party)?);
        disk::replace(&stock.join(name_of(&id_of(part), party)), &sealed, Privacy::OwnerOnly)?;
    }
    Ok(())
}

/// Takes a presignature of exactly these signers, and of this epoch of their key, out of the stock, if one is left. Gives its parts
/// in ascending order of the signers.
///
/// A presignature that was taken never returns to the stock. Processes take turns, so no two of them take the same one.
pub(super) fn take<C: EcdsaSuite>(
    home: &Home,
    group: &Group<C>,
    out: &mut Out,
) -> Result<Option<Vec<Presignature<C>>>> {
    let stock = home.path(STOCK);
    let _lock = Lock::wait(&stock)?;
    drop_copies(&stock, out)?;
    let keys = seal_keys(home, &group.parties)?;
    let serves = |part: &Presignature<C>| {
        let info = part.info();
        *info.signers() == group.parties && info.check_belongs_to(&group.package).is_ok()
    };
    let (mut taken, mut damaged) = (None, 0);
    for (id, of) in parts(&stock)?.iter().filter(|(_, of)| of.iter().eq(keys.keys())) {
        let parts = keys.iter().map(|(party, key)| open_part(&stock, id, *party, key));
        match parts.collect::<Result<Vec<_>, _>>() {
            Ok(parts) if parts.iter().all(serves) => taken = Some(parts),
            Ok(_) => continue,
            Err(Unopened::OtherKey(why)) => return Err(why),
            // Its signers can never use it.
            Err(Unopened::Damaged) => damaged += 1,
        }
        here::renew(&stock)?;
        delete(&stock, (id, of))?;
        if taken.is_some() {
            break;
        }
    }
    if damaged > 0 {
        writeln!(out, "  {} damaged, and deleted", one_or_more(damaged));
    }
    Ok(taken)
}

/// Empties a stock that has not been here since it last changed.
fn drop_copies(stock: &Path, out: &mut Out) -> Result {
    if here::continuity(stock)?.keeps_stock() {
        return Ok(());
    }
    let parts = parts(stock)?;
    parts.iter().try_for_each(|one| delete(stock, one))?;
    if !parts.is_empty() {
        let why = "this folder was copied, or has come back from a backup";
        let dropped = one_or_more(parts.len());
        writeln!(out, "  {why}: {dropped} dropped, since another copy may spend them");
    }
    Ok(())
}

pub(super) fn one_or_more(count: usize) -> String {
    if count == 1 { "1 presignature is".to_owned() } else { format!("{count} presignatures are") }
}

/// Deletes the presignatures that cannot be spent: those of another epoch, of parties that have left, or with a part that is
/// lost or does not open. Returns their number.
pub(super) fn keep_only<C: EcdsaSuite>(home: &Home, key: &SharedKey<Ecdsa<C>>) -> Result<usize> {
    let stock = home.path(STOCK);
    let _lock = Lock::wait(&stock)?;
    let keys = seal_keys(home, key.parties())?;
    let serves = |id: &str, of: &BTreeSet<PartyId>| {
        let open = |party: &PartyId| open_part::<C>(&stock, id, *party, keys.get(party)?).ok();
        let is_current = |part: Presignature<C>| {
            let info = part.info();
            info.package_id() == key.package_id() && info.signers().iter().eq(of.iter().copied())
        };
        of.iter().all(|party| open(party).is_some_and(is_current))
    };
    let mut parts = parts(&stock)?;
    parts.retain(|id, of| !serves(id, of));
    parts.iter().try_for_each(|one| delete(&stock, one))?;
    Ok(parts.len())
}

fn seal_keys(home: &Home, parties: &Parties) -> Result<BTreeMap<PartyId, SealKey>> {
    parties.iter().map(|party| Ok((party, home.seal_key(party)?))).collect()
}

/// The reason why a part of a presignature does not open.
enum Unopened {
    /// The part is whole, and sealed with another key, or the file cannot be read.
    OtherKey(Failure),
    /// The bytes are not those that were written.
    Damaged,
}

/// One signer's part of a presignature.
fn open_part<C: EcdsaSuite>(
    stock: &Path,
    id: &str,
    party: PartyId,
    key: &SealKey,
) -> Result<Presignature<C>, Unopened> {
    let path = stock.join(name_of(id, party));
    let sealed = disk::read(&path).map_err(Unopened::OtherKey)?.unwrap_or_default();
    match Presignature::<C>::open(&sealed, key) {
        Ok(part) if id_of(&part) == id && part.party_id() == party => Ok(part),
        // Either this file or the party's key was exchanged; which one is not known.
        Err(why @ SealError::Unauthentic) => {
            Err(Unopened::OtherKey(Failure::about(&path, "does not open")(why)))
        }
        _ => Err(Unopened::Damaged),
    }
}
