//! Votes of which the node has given a share: one time stamp for each height, round and step.
//!
//! The watermark allows a vote again that differs in its time stamp alone, since a consumer that lost an answer asks with a new one.
//! Two requests with two time stamps may also come at once, through two gateways. If a node gave shares of both, there
//! could be two signatures. So a node is bound to the time stamp of the first vote at a place of which it gives a share. To
//! a request with another one it answers with what it has recorded: the earlier request, the material, and the share that it gave.
//!
//! No two votes that differ in their time stamps alone are signed. Assume that at most f members of the key are corrupt or were
//! restored, and f < 2t − n. Two votes with t shares each have 2t − n members in common, so an honest one would be bound to both.
//! A gateway that learns of the earlier vote collects the shares that were given of it. It makes no new material for it, so it
//! ends with the signature that the other gateway has.
//!
//! A node may give shares of one vote on several materials, because signers may fall silent. The row has the latest.

use custody_core::{EarlierAttempt, KeyId, Refusal, RequestId};
use quorate_purpose::{Kind, Mark, Purpose};
use quorate_store::Ledger;
use serde::{Deserialize, Serialize};

use crate::held::Share;
use crate::rows::{Stored, decode, encode, ledger, name};
use crate::sign::SignOrder;

/// The latest vote or proposal of a slot.
#[derive(Serialize, Deserialize)]
pub(crate) struct RecordedRow {
    /// Its watermark.
    mark: Vec<u8>,
    /// The purpose, which has the time stamp.
    purpose: Vec<u8>,
    /// The id of the request.
    request: RequestId,
    recorded: EarlierAttempt,
}

/// A vote that the node is bound to, and the id of the request for it.
pub(crate) struct Earlier {
    pub(crate) request: RequestId,
    pub(crate) recorded: EarlierAttempt,
}

/// Finds the vote of which the node has given a share, if this one differs from it in the time stamp alone.
pub(crate) fn other(
    rows: &mut Ledger<'_>,
    key: &KeyId,
    purpose: &Purpose,
) -> Stored<Result<Option<Earlier>, Refusal>> {
    let Some((row, mark)) = place(key, purpose) else { return Ok(Ok(None)) };
    let Some(row) = rows.get(ledger::RECORDED, &row)? else { return Ok(Ok(None)) };
    Ok(decode::<RecordedRow>(&row).map(|row| {
        let is_other = row.mark == mark.to_bytes() && row.purpose != purpose.to_bytes();
        is_other.then_some(Earlier { request: row.request, recorded: row.recorded })
    }))
}

/// Records a vote with the share of it, before the share leaves.
pub(crate) fn record(
    rows: &mut Ledger<'_>,
    order: &SignOrder,
    purpose: &Purpose,
    share: &Share,
) -> Stored<()> {
    let Some((row, mark)) = place(&order.key, purpose) else { return Ok(()) };
    let recorded = EarlierAttempt {
        request: order.request.clone(),
        material: order.material.clone(),
        share: share.bytes.clone(),
    };
    let (mark, purpose) = (mark.to_bytes().to_vec(), purpose.to_bytes());
    let content = encode(&RecordedRow { mark, purpose, request: order.asked.id(), recorded });
    let content = content.map_err(|why| quorate_store::Error::Refused(why.to_string()))?;
    rows.put(ledger::RECORDED, &row, &content)
}

/// The row and the mark of a purpose that has a time stamp beside its watermark.
fn place(key: &KeyId, purpose: &Purpose) -> Option<(Vec<u8>, Mark)> {
    if !matches!(purpose.kind(), Kind::CometVote | Kind::CometProposal) {
        return None;
    }
    let watermark = purpose.watermark()?;
    let row = name(&[key.as_bytes(), watermark.slot().as_bytes()]);
    Some((row, watermark.mark()))
}
