//! The release of a share: decision, claim, watermark and share in one transaction.

use custody_core::{Reason, Refusal};
use quorate::session::TableEntry;
use quorate_store::Ledger;

use super::ready::{OnHand, Ready};
use super::{Outcome, SignOrder};
use crate::audit::{self, Log};
use crate::decide::{judge, put_request};
use crate::held::Spend;
use crate::request::{Released, RequestRow, Verdict};
use crate::rows::Stored;
use crate::settings::Settings;
use crate::vault::Vault;
use crate::{state, watermark};

/// Answers an order within the transaction.
pub(super) fn answer(
    rows: &mut Ledger<'_>,
    log: &mut Log<'_>,
    vault: &Vault,
    (order, ready): (&SignOrder, &Ready),
    now: u64,
) -> Stored<Outcome> {
    let Ok(key) = vault.key(&order.key) else { return Ok(Err(gone())) };
    if let Err(why) = state::check_enabled(rows, &order.key)? {
        return Ok(Err(why));
    }
    let question = ready.content.question((&order.key, key), (&order.asked, &order.sign), now);
    let (mut row, is_new) = match judge(rows, log, &question)? {
        Ok(judged) => judged,
        Err(why) => return Ok(Err(why)),
    };
    let name = ready.spends.name;
    if let Some(before) = row.released.iter().find(|one| one.name == name) {
        return Ok(Ok(before.share.clone()));
    }
    let outcome = release(rows, log.settings, (order, ready), &row)?;
    let logged = match &outcome {
        Ok(share) => {
            row.released.push(Released { name, share: share.clone() });
            Some(audit::released(name))
        }
        Err(why) if why.reason == Reason::Watermark => {
            row.verdict = Verdict::Refused(why.clone());
            Some(audit::refused(why))
        }
        Err(_) => None,
    };
    if is_new || logged.is_some() {
        put_request(rows, &order.asked, &row)?;
    }
    if let Some(answer) = logged {
        audit::append(rows, log, &question, (answer, &row.policies))?;
    }
    Ok(outcome)
}

/// Spends the material: records the claim and the watermark. The caller records the share.
fn release(
    rows: &mut Ledger<'_>,
    settings: &Settings,
    (order, ready): (&SignOrder, &Ready),
    row: &RequestRow,
) -> Stored<Outcome> {
    let Some(OnHand { sealed, held, .. }) = &ready.made else { return Ok(Err(gone())) };
    if row.released.len() >= settings.limits.attempts {
        let most = settings.limits.attempts;
        return Ok(Err(Refusal::new(
            Reason::Limit,
            format_args!("the node has given {most} shares for this request"),
        )));
    }
    let spend =
        Spend { spends: &ready.spends, message: &ready.content.message, path: &order.sign.path };
    let share = match held.spend(sealed, &spend, &settings.seal_key) {
        Ok(share) => share,
        Err(why) => return Ok(Err(why)),
    };
    let key = (&order.key, held.threshold());
    let raised = match watermark::check(rows, key, &ready.content.purpose)? {
        Ok(raised) => raised,
        Err(why) => return Ok(Err(why)),
    };
    if share.claim.id != ready.spends.name || rows.claim(&share.claim)? != TableEntry::New {
        return Ok(Err(gone()));
    }
    if let Some(raised) = raised {
        raised.store(rows)?;
    }
    Ok(Ok(share.bytes))
}

fn gone() -> Refusal {
    Refusal::new(
        Reason::UnknownMaterial,
        "this node does not have it: it was spent, dropped or never made",
    )
}
