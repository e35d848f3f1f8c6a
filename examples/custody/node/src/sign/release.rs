//! The release of a share: decision, claim, watermark and share in one transaction.

use custody_core::{Reason, Refusal};
use quorate::session::TableEntry;
use quorate_store::Ledger;

use super::ready::{OnHand, Ready};
use super::{Outcome, Released, SignOrder};
use crate::audit;
use crate::decide::{decide, put_request};
use crate::held::Spend;
use crate::request::{RequestRow, Verdict};
use crate::rows::{Stored, decode, encode, ledger};
use crate::settings::Settings;
use crate::vault::Vault;
use crate::{state, watermark};

/// Answers an order within the transaction.
pub(super) fn answer(
    rows: &mut Ledger<'_>,
    vault: &Vault,
    (order, ready): (&SignOrder, &Ready),
    now: u64,
) -> Stored<Outcome> {
    let Ok(key) = vault.key(&order.key) else { return Ok(Err(gone())) };
    if let Err(why) = state::check_enabled(rows, &order.key)? {
        return Ok(Err(why));
    }
    let question = ready.content.question((&order.key, key), (&order.asked, &order.sign), now);
    let mut row = match decide(rows, &vault.settings, &question)? {
        Ok(row) => row,
        Err(why) => return Ok(Err(why)),
    };
    if let Some(released) = rows.get(ledger::RELEASED, &ready.name)? {
        return Ok(again(&released, order));
    }
    let outcome = release(rows, &vault.settings, (order, ready), &mut row)?;
    match &outcome {
        Ok(_) => {
            let answer = audit::released(ready.name);
            audit::append(rows, &vault.settings, &question, (answer, &row.policies))?;
        }
        Err(why) if why.reason == Reason::Watermark => {
            row.verdict = Verdict::Refused(why.clone());
            put_request(rows, &order.asked, &row)?;
            let answer = audit::refused(why);
            audit::append(rows, &vault.settings, &question, (answer, &row.policies))?;
        }
        Err(_) => {}
    }
    Ok(outcome)
}

/// Spends the material, and records everything that has to be known before the share leaves.
fn release(
    rows: &mut Ledger<'_>,
    settings: &Settings,
    (order, ready): (&SignOrder, &Ready),
    row: &mut RequestRow,
) -> Stored<Outcome> {
    let Some(OnHand { sealed, held, .. }) = &ready.made else { return Ok(Err(gone())) };
    if row.spent.len() >= settings.limits.attempts {
        let most = settings.limits.attempts;
        return Ok(Err(Refusal::new(
            Reason::Limit,
            format_args!("the node has given {most} shares for this request"),
        )));
    }
    let spend = Spend {
        material: &order.material,
        message: &ready.content.message,
        path: &order.sign.path,
    };
    let share = match held.spend(sealed, &spend, &settings.seal_key) {
        Ok(share) => share,
        Err(why) => return Ok(Err(why)),
    };
    let key = (&order.key, held.threshold());
    let raised = match watermark::check(rows, key, &ready.content.purpose)? {
        Ok(raised) => raised,
        Err(why) => return Ok(Err(why)),
    };
    if share.claim.id != ready.name || rows.claim(&share.claim)? != TableEntry::New {
        return Ok(Err(gone()));
    }
    if let Some(raised) = raised {
        raised.store(rows)?;
    }
    row.spent.push(ready.name);
    put_request(rows, &order.asked, row)?;
    let verified = &order.asked.verified;
    let released = Released { request: verified.id, digest: verified.digest, share: share.bytes };
    match encode(&released) {
        Ok(content) => rows.put(ledger::RELEASED, &ready.name, &content)?,
        Err(why) => return Err(quorate_store::Error::Refused(why.to_string())),
    }
    Ok(Ok(released.share))
}

/// The recorded share, for the request that it was given for.
fn again(released: &[u8], order: &SignOrder) -> Outcome {
    let released: Released = decode(released)?;
    let verified = &order.asked.verified;
    if released.request == verified.id && released.digest == verified.digest {
        Ok(released.share)
    } else {
        Err(gone())
    }
}

fn gone() -> Refusal {
    Refusal::new(
        Reason::UnknownMaterial,
        "this node does not have it: it was spent, dropped or never made",
    )
}
