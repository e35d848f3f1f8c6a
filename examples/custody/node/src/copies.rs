//! Copies of new shares in the ledger: rule R3 of the agreement.
//!
//! A node says that it has committed to a share when no restore can lose it. No backup brings the ledger back, so a copy in it is
//! there when the other database is restored to one from before the share was stored.

use custody_core::{KeyId, Refusal, Scheme};
use quorate_store::{AnyStore, Ledger, RecordRow, Records};

use crate::agree::share_row;
use crate::held::Held;
use crate::rows::{CopyRow, KeyRow, Stored, decode, encode, internal, ledger, space};
use crate::settings::Settings;
use crate::vault::{open_share, package_name};

/// Puts a copy of a share into the ledger, with what opens it. A copy that is there stays as it was made: only auxiliary information
/// that it lacks is added.
pub(crate) fn put(
    store: &mut AnyStore,
    settings: &Settings,
    (id, key): (&KeyId, &KeyRow),
    held: &dyn Held,
) -> Result<(), Refusal> {
    let name = package_name(id, &held.package_id());
    let row = store.read_ledger(|rows| rows.get(ledger::COPIES, &name)).map_err(internal)?;
    let known: Option<CopyRow> = row.and_then(|row| decode(&row).ok());
    let key = known.as_ref().map_or(key, |copy| &copy.key);
    let aux = store.read_records(|rows| rows.get(space::AUX, key.aux.as_bytes()));
    let aux = aux.map_err(internal)?;
    if known.as_ref().is_some_and(|copy| copy.aux.is_some() || aux.is_none()) {
        return Ok(());
    }
    let copy = encode(&CopyRow { share: share_row(settings, id, held), key: key.clone(), aux })?;
    store.spend(|rows| rows.put(ledger::COPIES, &name, &copy)).map_err(internal)
}

/// Takes what only the ledger has into a database that was restored. A copy that does not open is logged, and left out.
pub(crate) fn restore(store: &mut AnyStore, settings: &Settings) -> Result<(), Refusal> {
    let copies = store.read_ledger(|rows| rows.all(ledger::COPIES, &[])).map_err(internal)?;
    let mut lost = Vec::new();
    for row in copies {
        let here = store.read_records(|rows| rows.get(space::SHARES, &row.name));
        if here.map_err(internal)?.is_some() {
            continue;
        }
        match open(settings, &row) {
            Ok((epoch, copy)) => lost.push((epoch, row.name, copy)),
            Err(why) => tracing::error!(%why, "a copy of a share does not open"),
        }
    }
    // The specification of the latest share is the key's.
    lost.sort_by_key(|(epoch, ..)| *epoch);
    for (epoch, name, CopyRow { share, key, aux }) in lost {
        // A later share is here, so this one was deleted before.
        if highest(store, settings, &name, key.spec.scheme)?.is_some_and(|here| here > epoch) {
            continue;
        }
        let (share, row) = (encode(&share)?, encode(&key)?);
        let put = |rows: &mut Records<'_>| -> Stored<()> {
            if let Some(aux) = &aux {
                rows.put(space::AUX, key.aux.as_bytes(), aux)?;
            }
            rows.put(space::KEYS, name.get(..32).unwrap_or_default(), &row)?;
            rows.put(space::SHARES, &name, &share)
        };
        store.records(put).map_err(internal)?;
        tracing::warn!(epoch, "a share was restored from its copy in the ledger");
    }
    Ok(())
}

/// The highest epoch of the shares of a key, whose id the name begins with.
fn highest(
    store: &mut AnyStore,
    settings: &Settings,
    name: &[u8],
    scheme: Scheme,
) -> Result<Option<u32>, Refusal> {
    let id = key_of(name)?;
    let rows = store.read_records(|rows| rows.all(space::SHARES, id.as_bytes()));
    rows.map_err(internal)?.iter().try_fold(None, |highest, row| {
        let held = open_share(settings, (&id, scheme), &decode(&row.content)?)?;
        Ok(highest.max(Some(held.package_id().epoch())))
    })
}

/// The key whose id a name begins with.
fn key_of(name: &[u8]) -> Result<KeyId, Refusal> {
    let id = name.first_chunk().ok_or_else(|| internal("a row of no key"))?;
    Ok(KeyId::new(*id))
}

/// Opens a copy, and checks that it is of this node and under its own name. Returns the epoch of the share.
fn open(settings: &Settings, row: &RecordRow) -> Result<(u32, CopyRow), Refusal> {
    let copy: CopyRow = decode(&row.content)?;
    let (id, scheme) = (key_of(&row.name)?, copy.key.spec.scheme);
    let held = open_share(settings, (&id, scheme), &copy.share)?;
    let package = held.package_id();
    let is_own = held.agreed().is_ok_and(|agreed| agreed.id() == settings.me)
        && KeyId::of(scheme, &held.public_key()) == id
        && package_name(&id, &package) == row.name;
    if is_own { Ok((package.epoch(), copy)) } else { Err(internal("it is of another key or node")) }
}

/// Deletes copies in a form that no release has read.
pub(crate) fn drop_old(store: &mut AnyStore) -> Result<(), Refusal> {
    if store.read_ledger(|rows| rows.last(ledger::OLD_COPIES)).map_err(internal)?.is_none() {
        return Ok(());
    }
    let remove = |rows: &mut Ledger<'_>| rows.remove_all(ledger::OLD_COPIES, &[]).map(drop);
    store.spend(remove).map_err(internal)
}
