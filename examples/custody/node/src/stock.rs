//! Presignatures and nonces that are ready.

use custody_core::{Answer, KeyId, Order, Reason, Refusal, Stock};
use quorate_store::{AnyStore, RecordRow};

use crate::jobs::{JobRow, Task};
use crate::life::Life;
use crate::rows::{MaterialRow, decode, encode, internal, name, space};
use crate::vault::{Vault, package_name};

/// Lists what is ready, for the share that signs.
pub(crate) fn list(
    store: &mut AnyStore,
    vault: &Vault,
    id: &KeyId,
    after: Option<&[u8; 32]>,
) -> Result<Answer, Refusal> {
    let package = vault.key(id)?.signing()?.package_id();
    let prefix = package_name(id, &package);
    let after = after.map(|after| name(&[&prefix, after]));
    let most = Answer::MAX_MATERIAL;
    let rows =
        store.read_records(|rows| rows.list(space::MATERIAL, &prefix, after.as_deref(), most));
    let rows = rows.map_err(internal)?;
    let full = rows.len() >= most;
    let next = rows.last().and_then(|row| row.name.last_chunk().copied()).filter(|_| full);
    let material = rows.iter().map(|row| Ok(decode::<MaterialRow>(&row.content)?.public));
    let material = material.collect::<Result<_, Refusal>>()?;
    Ok(Answer::Stock(Stock { key: *id, epoch: package.epoch(), material, next }))
}

/// Makes nonces until there are `wanted`.
pub(crate) fn make_nonces(
    store: &mut AnyStore,
    vault: &Vault,
    id: &KeyId,
    wanted: u16,
) -> Result<Answer, Refusal> {
    let held = vault.key(id)?.signing()?;
    let prefix = package_name(id, &held.package_id());
    let there = count(store, &prefix)?;
    let wanted = u32::from(wanted.min(Order::MAX_NONCES)).min(vault.settings.limits.stock);
    let missing = u16::try_from(wanted.saturating_sub(there)).unwrap_or(Order::MAX_NONCES);
    let made = held.make_nonces(missing, &vault.settings.seal_key)?;
    let rows = made.into_iter().map(|one| {
        let row = MaterialRow { public: one.public, sealed: one.sealed };
        Ok::<_, Refusal>((name(&[&prefix, &one.name]), encode(&row)?))
    });
    let made = rows.collect::<Result<Vec<_>, _>>()?;
    // They are on the disk before anybody hears of them.
    store
        .records(|rows| {
            made.iter().try_for_each(|(name, row)| rows.put(space::MATERIAL, name, row))
        })
        .map_err(internal)?;
    Ok(Answer::Done)
}

/// The number of signatures that are ready for a package.
pub(crate) fn count(store: &mut AnyStore, prefix: &[u8]) -> Result<u32, Refusal> {
    let count = store.read_records(|rows| rows.count(space::MATERIAL, prefix)).map_err(internal)?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Checks that `more` presignatures may be made.
pub(crate) fn check_room(
    store: &mut AnyStore,
    vault: &Vault,
    prefix: &[u8],
    more: u16,
) -> Result<(), Refusal> {
    let most = vault.settings.limits.stock;
    if count(store, prefix)?.saturating_add(more.into()) <= most {
        return Ok(());
    }
    Err(Refusal::new(
        Reason::Limit,
        format_args!("the node keeps at most {most} presignatures of a key"),
    ))
}

/// Drops everything that was made ahead, also in runs whose results are not stored yet. If some of it may have been used, the
/// node has forgotten more than that, and begins another life.
pub(crate) fn drop_all(store: &mut AnyStore, other_life: Option<Life>) -> Result<(), Refusal> {
    let jobs = store.read_records(|rows| rows.all(space::JOBS, &[]));
    let presigns = |row: &RecordRow| {
        decode::<JobRow>(&row.content).is_ok_and(|job| matches!(job.task, Task::Presign { .. }))
    };
    let gone: Vec<RecordRow> = jobs.map_err(internal)?.into_iter().filter(presigns).collect();
    store
        .records(|rows| {
            gone.iter().try_for_each(|row| rows.remove(space::JOBS, &row.name).map(drop))?;
            rows.remove_all(space::MATERIAL, &[])?;
            other_life.iter().try_for_each(|life| rows.put(space::LIFE, &[], life))
        })
        .map_err(internal)
}
