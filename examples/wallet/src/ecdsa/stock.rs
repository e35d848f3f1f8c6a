//! The stock of presignatures in a wallet's folder, and the records of those that are spent.
//!
//! A stock that was copied, or restored from a backup, is dropped: see [`here`]. A presignature that is damaged is deleted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quorate::keys::SharedKey;
use quorate::session::{SealError, SpentTable, TableEntry};
use quorate::{PartyId, SealKey};
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
/// The folder of records.
pub(super) const SPENT: &str = "spent";

/// The name of one signer's part of a presignature, and of its record that the part is spent.
fn name_of(id: &str, party: PartyId) -> String {
    format!("{id}.party-{}", party.get())
}

fn name_of_part<C: EcdsaSuite>(part: &Presignature<C>) -> String {
    name_of(&hex(&part.id().name()), part.party_id())
}

/// The names of all parts, by presignature.
fn parts(stock: &Path) -> Result<BTreeMap<String, Vec<String>>> {
    let mut parts = BTreeMap::<String, Vec<String>>::new();
    for name in disk::names(stock)? {
        if let Some((id, _)) = name.split_once(".party-") {
            parts.entry(id.to_owned()).or_default().push(name);
        }
    }
    Ok(parts)
}

/// Puts every signer's part of a presignature into the stock.
pub(super) fn keep<C: EcdsaSuite>(home: &Home, new: &[Presignature<C>], out: &mut Out) -> Result {
    let stock = home.path(STOCK);
    let _lock = Lock::wait(&stock)?;
    drop_copies(&stock, out)?;
    here::renew(&stock)?;
    for part in new {
        let sealed = part.seal(&home.seal_key(part.party_id())?);
        disk::replace(&stock.join(name_of_part(part)), &sealed, Privacy::OwnerOnly)?;
    }
    Ok(())
}

/// Takes a presignature of exactly these signers out of the stock, if one is left.
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
    let found = find(home, group, out)?;
    if let Some(parts) = &found {
        here::renew(&stock)?;
        for part in parts {
            disk::delete(&stock.join(name_of_part(part)))?;
        }
    }
    Ok(found)
}

/// Empties a stock that has not been here since it last changed.
fn drop_copies(stock: &Path, out: &mut Out) -> Result {
    if here::continuity(stock)?.keeps_stock() {
        return Ok(());
    }
    let dropped = delete_all(stock, &parts(stock)?)?;
    if dropped > 0 {
        let why = "this folder was copied, or has come back from a backup";
        let dropped = one_or_more(dropped);
        writeln!(out, "  {why}: {dropped} dropped, since another copy may spend them");
    }
    Ok(())
}

/// Deletes presignatures. Returns their number.
fn delete_all(stock: &Path, parts: &BTreeMap<String, Vec<String>>) -> Result<usize> {
    parts.values().flatten().try_for_each(|name| disk::delete(&stock.join(name)))?;
    Ok(parts.len())
}

pub(super) fn one_or_more(count: usize) -> String {
    if count == 1 { "1 presignature is".to_owned() } else { format!("{count} presignatures are") }
}

/// The parts of a presignature of exactly these signers, in ascending order, and of this epoch of their key. It stays in the
/// stock.
pub(super) fn find<C: EcdsaSuite>(
    home: &Home,
    group: &Group<C>,
    out: &mut Out,
) -> Result<Option<Vec<Presignature<C>>>> {
    let stock = home.path(STOCK);
    let keys = group.parties.iter().map(|signer| Ok((signer, home.seal_key(signer)?)));
    let keys = keys.collect::<Result<Vec<_>>>()?;
    let serves = |part: &Presignature<C>| {
        let info = part.info();
        *info.signers() == group.parties && info.check_belongs_to(&group.package).is_ok()
    };
    let (mut found, mut damaged) = (None, 0);
    for id in parts(&stock)?.keys() {
        let parts = keys.iter().map(|(party, key)| open_part(&stock, id, *party, key));
        match parts.collect::<Result<Option<Vec<_>>, _>>() {
            Ok(Some(parts)) if parts.iter().all(serves) => {
                found = Some(parts);
                break;
            }
            Ok(_) => {}
            Err(Unopened::OtherKey(why)) => return Err(why),
            // Its signers can never use it.
            Err(Unopened::Damaged) => {
                let mut names = group.parties.iter().map(|party| stock.join(name_of(id, party)));
                names.try_for_each(|name| disk::delete(&name))?;
                damaged += 1;
            }
        }
    }
    if damaged > 0 {
        writeln!(out, "  {} damaged, and deleted", one_or_more(damaged));
    }
    Ok(found)
}

/// Deletes the presignatures that cannot be spent: those of another epoch, of parties that have left, or with a part that is
/// lost or does not open. Returns their number.
pub(super) fn keep_only<C: EcdsaSuite>(home: &Home, key: &SharedKey<Ecdsa<C>>) -> Result<usize> {
    let stock = home.path(STOCK);
    let _lock = Lock::wait(&stock)?;
    let mut parts = parts(&stock)?;
    let mut keys = BTreeMap::new();
    for party in key.parties().iter() {
        keys.insert(party, home.seal_key(party)?);
    }
    let opens = |id: &str, party| {
        let key = keys.get(&party)?;
        open_part::<C>(&stock, id, party, key).ok().flatten()
    };
    let serves = |id: &str, names: &[String]| {
        let Some(first) = keys.keys().find_map(|party| opens(id, *party)) else { return false };
        let info = first.info();
        let whole = info.signers().len() == names.len();
        let current = info.package_id() == key.package_id();
        current && whole && info.signers().iter().all(|signer| opens(id, signer).is_some())
    };
    parts.retain(|id, names| !serves(id, names));
    delete_all(&stock, &parts)
}

/// The reason why a part of a presignature does not open.
enum Unopened {
    /// The part is whole, and sealed with another key, or the file cannot be read.
    OtherKey(Failure),
    /// The bytes are not those that were written.
    Damaged,
}

/// One signer's part of a presignature, if it has one.
fn open_part<C: EcdsaSuite>(
    stock: &Path,
    id: &str,
    party: PartyId,
    key: &SealKey,
) -> Result<Option<Presignature<C>>, Unopened> {
    let path = stock.join(name_of(id, party));
    let Some(sealed) = disk::read(&path).map_err(Unopened::OtherKey)? else { return Ok(None) };
    match Presignature::<C>::open(&sealed, key) {
        Ok(part) if hex(&part.id().name()) == id && part.party_id() == party => Ok(Some(part)),
        // Either this file or the party's key was exchanged; which one is not known.
        Err(why @ SealError::Unauthentic) => {
            Err(Unopened::OtherKey(Failure::about(&path, "does not open")(why)))
        }
        _ => Err(Unopened::Damaged),
    }
}

/// One signer's records of what it has spent: a file for each, which is never deleted and never written twice.
pub(super) struct Spent {
    dir: PathBuf,
    party: PartyId,
}

impl Spent {
    pub(super) fn of(home: &Home, party: PartyId) -> Self {
        Self { dir: home.path(SPENT), party }
    }
}

impl SpentTable for Spent {
    type Error = Failure;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<TableEntry> {
        disk::record(&self.dir.join(name_of(&hex(id), self.party)), b"", digest)
    }
}
