//! Marks that only rise, for purposes of which two must not contradict each other.

use std::rc::Rc;

use custody_core::{KeyId, Reason, Refusal};
use quorate_purpose::{Mark, Purpose};
use quorate_store::{AnyStore, Ledger};

use crate::held::Held;
use crate::rows::{Stored, internal, ledger, name};

/// A mark that follows the last one of its slot.
pub(crate) struct Raised {
    row: Vec<u8>,
    mark: Mark,
}

/// Compares the watermark of a purpose with the last one; `None` if it has none.
pub(crate) fn check(
    rows: &mut Ledger<'_>,
    (key, threshold): (&KeyId, u16),
    purpose: &Purpose,
) -> Stored<Result<Option<Raised>, Refusal>> {
    let Some(watermark) = purpose.watermark() else { return Ok(Ok(None)) };
    if threshold <= unaware(rows, key)? {
        let detail = "signers of an earlier committee may have signed what this node does not know of: \
                      an operator accepts its marks of this key";
        return Ok(Err(Refusal::new(Reason::RolledBack, detail)));
    }
    if let Err(why) = check_kept(rows, key)? {
        return Ok(Err(why));
    }
    let row = name(&[key.as_bytes(), watermark.slot().as_bytes()]);
    let last = match rows.get(ledger::WATERMARKS, &row)?.map(|bytes| Mark::from_bytes(&bytes)) {
        Some(None) => return Ok(Err(internal("a stored watermark is damaged"))),
        last => last.flatten(),
    };
    let mark = watermark.mark();
    Ok(match mark.check_follows(last.as_ref()) {
        Ok(_) => Ok(Some(Raised { row, mark })),
        Err(why) => {
            Err(Refusal::new(Reason::Watermark, format_args!("{}: {why}", watermark.slot())))
        }
    })
}

/// Checks that the ledger has everything that the node has recorded about signatures of a key, as far as it knows.
pub(crate) fn check_kept(rows: &mut Ledger<'_>, key: &KeyId) -> Stored<Result<(), Refusal>> {
    let lost = rows.get(ledger::LOST, &[])?.is_some();
    if lost && rows.get(ledger::LOST, key.as_bytes())?.is_none() {
        let detail = "the node was restored, and may have forgotten marks or attempts of this key: an operator accepts those that it has";
        return Ok(Err(Refusal::new(Reason::RolledBack, detail)));
    }
    Ok(Ok(()))
}

/// Raises the mark of a purpose, if it has one.
pub(crate) fn raise(
    rows: &mut Ledger<'_>,
    key: (&KeyId, u16),
    purpose: &Purpose,
) -> Stored<Result<(), Refusal>> {
    match check(rows, key, purpose)? {
        Ok(raised) => raised.iter().try_for_each(|raised| raised.store(rows)).map(Ok),
        Err(why) => Ok(Err(why)),
    }
}

/// Records that marks of all keys may be lost: the ledger was restored to an older copy.
pub(crate) fn lose(store: &mut AnyStore) -> Result<(), Refusal> {
    let lose = |rows: &mut Ledger<'_>| {
        rows.remove_all(ledger::LOST, &[])?;
        rows.put(ledger::LOST, &[], &[])
    };
    store.spend(lose).map_err(internal)
}

/// Records that no mark of a key was lost: it is made after all that the node has forgotten.
pub(crate) fn begin(store: &mut AnyStore, key: &KeyId) -> Result<(), Refusal> {
    let lost = store.read_ledger(|rows| rows.get(ledger::LOST, &[])).map_err(internal)?;
    let begin = |rows: &mut Ledger<'_>| rows.put(ledger::LOST, key.as_bytes(), &[]);
    lost.map_or(Ok(()), |_| store.spend(begin).map_err(internal))
}

/// Records that the marks of a key are taken as they are.
pub(crate) fn accept(store: &mut AnyStore, key: &KeyId) -> Result<(), Refusal> {
    let accept = |rows: &mut Ledger<'_>| {
        rows.remove(ledger::UNAWARE, key.as_bytes())?;
        rows.put(ledger::LOST, key.as_bytes(), &[])
    };
    store.spend(accept).map_err(internal)
}

/// The members of an earlier committee that together may know nothing of a mark. More signers than that include one who does.
fn unaware(rows: &mut Ledger<'_>, key: &KeyId) -> Stored<u16> {
    let row = rows.get(ledger::UNAWARE, key.as_bytes())?;
    // A damaged row lets nobody sign.
    Ok(row.map_or(0, |row| row.try_into().map_or(u16::MAX, u16::from_be_bytes)))
}

/// Records that the shares of a key change. `before` is the share that the node had: without one it knows of no mark.
pub(crate) fn move_from(
    store: &mut AnyStore,
    key: &KeyId,
    before: Option<&Rc<dyn Held>>,
) -> Result<(), Refusal> {
    let now =
        before.map_or(u16::MAX, |held| held.parties().count().saturating_sub(held.threshold()));
    let raise = |rows: &mut Ledger<'_>| {
        let most = unaware(rows, key)?.max(now);
        rows.put(ledger::UNAWARE, key.as_bytes(), &most.to_be_bytes())
    };
    store.spend(raise).map_err(internal)
}

impl Raised {
    /// Stores the mark.
    pub(crate) fn store(&self, rows: &mut Ledger<'_>) -> Stored<()> {
        rows.put(ledger::WATERMARKS, &self.row, &self.mark.to_bytes())
    }
}
