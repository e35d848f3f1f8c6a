//! A node's rows under another seal key.

use custody_core::{KeyId, Refusal, RequestId};
use quorate::SealKey;
use quorate_store::{AnyStore, RecordRow, Records};

use crate::rows::{CopyRow, ShareRow, Stored, decode, encode, internal, ledger, space};
use crate::{copies, seal, stock};

/// The rows that a transaction reseals. Auxiliary information has some kilobytes.
const PAGE: usize = 64;

/// The spaces with something sealed, those of the ledger with `true`.
const SEALED: [(bool, u8); 5] = [
    (false, space::SHARES),
    (false, space::AUX),
    (false, space::PRIMES),
    (true, ledger::SPECS),
    (true, ledger::COPIES),
];

/// Seals everything secret in the databases of a node under the key `to`, in small transactions, and drops what was made ahead.
/// Returns the number of rows that are under the new key since this call.
///
/// The node must not run, and must not be started until this has succeeded. A call that fails or is killed in the middle leaves some
/// rows under each key, and the next call with the same two keys continues with those that are left.
///
/// Every row is opened before the first one changes: one that is damaged is refused while all others are as they were.
///
/// A database keeps old contents in pages that it has freed, and in its write-ahead log, until it is vacuumed.
///
/// # Errors
/// A [`Refusal`] if a row opens under neither key, is damaged, or the databases fail. Copies of shares that do not open stay as
/// they are.
pub fn reseal(store: &mut AnyStore, from: &SealKey, to: &SealKey) -> Result<u64, Refusal> {
    store.check_reseal(from, to).map_err(internal)?;
    for place in SEALED {
        walk(store, place, (from, to), false)?;
    }
    // Presignatures and nonces are cheap: the gateway orders others.
    stock::drop_all(store, None)?;
    copies::drop_old(store)?;
    let mut moved = store.reseal(from, to).map_err(internal)?.moved;
    for place in SEALED {
        moved = moved.saturating_add(walk(store, place, (from, to), true)?);
    }
    Ok(moved)
}

/// Opens the rows of a space, and stores those that are under the old key under the new one if `stores`. Returns their number.
fn walk(
    store: &mut AnyStore,
    (is_spent, space): (bool, u8),
    keys: (&SealKey, &SealKey),
    stores: bool,
) -> Result<u64, Refusal> {
    let (mut after, mut moved) = (None::<Vec<u8>>, 0_u64);
    loop {
        let list = |rows: &mut Records<'_>| rows.list(space, &[], after.as_deref(), PAGE);
        let page = if is_spent { store.read_ledger(list) } else { store.read_records(list) };
        let page = page.map_err(internal)?;
        let Some(last) = page.last() else { return Ok(moved) };
        after = Some(last.name.clone());
        let page = page.iter().map(|row| Ok((&row.name, resealed(space, row, keys)?)));
        let page = page.collect::<Result<Vec<_>, Refusal>>()?;
        let news = page.iter().filter_map(|(name, row)| Some((name, row.as_ref()?)));
        let put = |rows: &mut Records<'_>| -> Stored<()> {
            news.clone().try_for_each(|(name, row)| rows.put(space, name, row))
        };
        let done = match (stores, is_spent) {
            (false, _) => Ok(()),
            (true, true) => store.spend(|rows| put(rows)),
            (true, false) => store.records(put),
        };
        done.map_err(internal)?;
        moved = moved.saturating_add(u64::try_from(news.count()).unwrap_or(u64::MAX));
    }
}

/// The content of a row under the new key; `None` if it is under that key.
fn resealed(
    space: u8,
    row: &RecordRow,
    keys: (&SealKey, &SealKey),
) -> Result<Option<Vec<u8>>, Refusal> {
    let key = || {
        let id = row.name.first_chunk().ok_or_else(|| internal("a row of no key"))?;
        Ok::<_, Refusal>(KeyId::new(*id).to_string())
    };
    match space {
        space::SHARES => {
            let ShareRow { public, sealed } = decode(&row.content)?;
            let sealed = again(seal::SHARE, &key()?, &sealed, keys)?;
            sealed.map(|sealed| encode(&ShareRow { public, sealed })).transpose()
        }
        ledger::COPIES => {
            // One that does not open stays as it is: the start names it, and needs none.
            let Ok(CopyRow { share, key: of, aux }) = decode(&row.content) else { return Ok(None) };
            let Ok(Some(sealed)) = again(seal::SHARE, &key()?, &share.sealed, keys) else {
                return Ok(None);
            };
            let name = of.aux.to_string();
            let aux = aux.map(|aux| Ok(again(seal::AUX, &name, &aux, keys)?.unwrap_or(aux)));
            let (share, aux) = (ShareRow { sealed, ..share }, aux.transpose()?);
            encode(&CopyRow { share, key: of, aux }).map(Some)
        }
        space::AUX => {
            let request = RequestId::new(row.name.as_slice().try_into().map_err(internal)?);
            again(seal::AUX, &request.to_string(), &row.content, keys)
        }
        ledger::SPECS => again(seal::SPEC, &key()?, &row.content, keys),
        _ => again(seal::PRIMES, "", &row.content, keys),
    }
}

fn again(
    purpose: &'static str,
    name: &str,
    sealed: &[u8],
    (from, to): (&SealKey, &SealKey),
) -> Result<Option<Vec<u8>>, Refusal> {
    if seal::open(to, purpose, name, sealed).is_ok() {
        return Ok(None);
    }
    let secret = seal::open(from, purpose, name, sealed)?;
    Ok(Some(seal::seal(to, purpose, name, &secret)))
}
