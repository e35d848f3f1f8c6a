//! The release of a share: decision, claim, watermark and share in one transaction.

use custody_core::{Answer, Reason, Refusal};
use quorate::session::TableEntry;
use quorate_store::Ledger;

use super::ready::{Content, OnHand, Ready};
use super::{Outcome, SignOrder};
use crate::audit::{self, Log};
use crate::decide::{judge, put_request};
use crate::held::{Share, Spend};
use crate::request::{Released, RequestRow, Verdict};
use crate::rows::Stored;
use crate::settings::Settings;
use crate::vault::Vault;
use crate::{recorded, state, watermark};

/// A share that has not left yet, with the threshold of its key.
pub(super) type Given = Result<(Share, u16), Refusal>;

/// Answers an order about this content within the transaction. What it gives has a name; `give` makes it, and the threshold of its
/// key, if nothing was given under the name before.
pub(super) fn answer(
    rows: &mut Ledger<'_>,
    log: &mut Log<'_>,
    vault: &Vault,
    (order, content, name): (&SignOrder, &Content, [u8; 32]),
    now: u64,
    give: impl FnOnce(&mut Ledger<'_>) -> Stored<Given>,
) -> Stored<Outcome> {
    let Ok(key) = vault.key(&order.key) else { return Ok(Err(gone())) };
    if let Err(why) = state::check_enabled(rows, &order.key)? {
        return Ok(Err(why));
    }
    let question = content.question((&order.key, key), (&order.asked, &order.sign), now);
    let judged = judge(rows, log, &question)?;
    let earlier = match recorded::other(rows, &order.key, &content.purpose)? {
        Ok(earlier) => earlier,
        Err(why) => return Ok(Err(why)),
    };
    let (mut row, is_new) = match (judged, earlier) {
        (Ok((row, is_new)), Some(earlier)) => {
            if is_new {
                put_request(rows, &order.asked, &row)?;
            }
            return Ok(Ok(Answer::Earlier(earlier.recorded.into())));
        }
        // The caller asks again under the nonce of the vote, with another time stamp.
        (Err(why), Some(earlier))
            if why.reason == Reason::RequestConflict && earlier.request == order.asked.id() =>
        {
            return Ok(Ok(Answer::Earlier(earlier.recorded.into())));
        }
        (Ok(judged), None) => judged,
        (Err(why), _) => return Ok(Err(why)),
    };
    if let Some(before) = row.released.iter().find(|one| one.name == name) {
        return Ok(Ok(Answer::Share { bytes: before.share.clone() }));
    }
    let outcome = release(rows, log.settings, (order, content), &row, give)?;
    let logged = match &outcome {
        Ok(share) => {
            row.released.push(Released { name, share: share.bytes.clone() });
            Some(audit::released(share.claim.id))
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
    Ok(outcome.map(|share| Answer::Share { bytes: share.bytes }))
}

/// Spends the material of an order.
pub(super) fn spend(settings: &Settings, ready: &Ready) -> Given {
    let OnHand { sealed, held, .. } = ready.made.as_ref().ok_or_else(gone)?;
    let Content { message, child, .. } = &ready.content;
    let spend = Spend { spends: &ready.spends, message, child };
    let share = held.spend(sealed, &spend, &settings.seal_key)?;
    if share.claim.id == ready.spends.name { Ok((share, held.threshold())) } else { Err(gone()) }
}

/// Makes what is given, and records its claim and the watermark. The caller records the share.
fn release(
    rows: &mut Ledger<'_>,
    settings: &Settings,
    (order, content): (&SignOrder, &Content),
    row: &RequestRow,
    give: impl FnOnce(&mut Ledger<'_>) -> Stored<Given>,
) -> Stored<Result<Share, Refusal>> {
    let most = settings.limits.attempts.saturating_mul(content.tries);
    if row.released.len() >= most {
        return Ok(Err(Refusal::new(
            Reason::Limit,
            format_args!("the node has given {most} shares for this request"),
        )));
    }
    let (share, threshold) = match give(rows)? {
        Ok(given) => given,
        Err(why) => return Ok(Err(why)),
    };
    let raised = match watermark::check(rows, (&order.key, threshold), &content.purpose)? {
        Ok(raised) => raised,
        Err(why) => return Ok(Err(why)),
    };
    if rows.claim(&share.claim)? != TableEntry::New {
        return Ok(Err(gone()));
    }
    if let Some(raised) = raised {
        raised.store(rows)?;
        recorded::record(rows, order, &content.purpose, &share)?;
    }
    Ok(Ok(share))
}

fn gone() -> Refusal {
    Refusal::new(
        Reason::UnknownMaterial,
        "this node does not have it: it was spent, dropped or never made",
    )
}
