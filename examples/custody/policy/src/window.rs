//! Windows of amounts and counts.
//!
//! Time is cut into slots of a 24th of the period. A window is the slot of now and the 24 before it, so it covers the period
//! and up to a 24th more. The slot of now is never before the latest one of the counter: a clock that is set back
//! counts into that slot, and opens nothing.

use std::collections::BTreeMap;

use quorate_purpose::Integer;
use sha2::{Digest as _, Sha256};

use crate::facts::Seen;
use crate::integer::checked_add;

/// The slots of a period.
const SLOTS: i64 = 24;
/// Counters have no longer names than this, whatever a requester writes.
const NAME: usize = 160;
/// Longer values that split a window are replaced by their hash.
const VALUES: usize = 80;

/// The counters of one key, as the node's ledger has them.
pub trait Windows {
    /// Reads the slots of a counter that are kept, each with its total, in any order.
    ///
    /// # Errors
    /// If the ledger cannot be read. The request is then refused.
    fn slots(&self, counter: &str) -> Result<Vec<(i64, Integer)>, Unavailable>;
}

/// A counter cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unavailable(pub String);

/// An increment of a counter.
///
/// The node reads the counters, decides and writes these in one transaction. Two requests that are decided on the same totals
/// would pass a limit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The name of the counter, of at most 160 bytes.
    pub counter: String,
    /// The slot.
    pub slot: i64,
    /// The amount to add. Not negative.
    pub amount: Integer,
    /// The total of the slot after that.
    pub total: Integer,
    /// The first slot that is still of use. The node may delete those before it.
    pub oldest: i64,
}

/// A window as a policy writes it: `sum value by chain in 1d`.
pub(crate) struct Window {
    /// The fact whose values are added, or nothing for a count of requests.
    pub(crate) measure: Option<String>,
    /// The facts that split the window: each combination of values has its own counter.
    pub(crate) by: Vec<String>,
    /// The period in seconds.
    pub(crate) period: i64,
}

impl Window {
    /// The total of the window with this request, and the increment; `None` if a fact is absent, or the amount negative.
    pub(crate) fn read(
        &self,
        seen: &Seen<'_>,
        now: i64,
        windows: &dyn Windows,
    ) -> Result<Option<(Integer, Count)>, Unavailable> {
        let amount = match &self.measure {
            Some(fact) => seen.integer(fact),
            None => Some(Integer::from(1_u64)),
        };
        let (Some(amount), Some(counter)) = (amount, self.counter(seen)) else { return Ok(None) };
        if amount.is_negative() {
            return Ok(None);
        }
        let slots = windows.slots(&counter)?;
        let latest = slots.iter().map(|(slot, _)| *slot).max();
        let slot = now.div_euclid(self.slot_length()).max(latest.unwrap_or(i64::MIN));
        let oldest = slot.saturating_sub(SLOTS);
        let sum = |first: i64| {
            let kept = slots.iter().filter(|(slot, _)| *slot >= first);
            kept.map(|(_, total)| total).try_fold(amount, |sum, total| checked_add(&sum, total))
        };
        match (sum(oldest), sum(slot)) {
            (Some(all), Some(total)) => {
                Ok(Some((all, Count { counter, slot, amount, total, oldest })))
            }
            _ => Err(Unavailable(format!("the counter {counter} is beyond 256 bits, or negative"))),
        }
    }

    /// In seconds, rounded up: the slots cover the period.
    fn slot_length(&self) -> i64 {
        self.period.saturating_add(SLOTS - 1).div_euclid(SLOTS).max(1)
    }

    /// The name of the counter with the values that split it. Texts are escaped; long ones are replaced by a hash.
    fn counter(&self, seen: &Seen<'_>) -> Option<String> {
        let values = self.by.iter().map(|fact| Some(format!("{fact}={}", seen.get(fact)?)));
        let by = values.collect::<Option<Vec<_>>>()?.join(",");
        let by = if by.len() > VALUES { format!("sha256:{}", digest(&by)) } else { by };
        let name = self.named(&by);
        Some(if name.len() > NAME { format!("sha256:{}", digest(&name)) } else { name })
    }

    fn named(&self, by: &str) -> String {
        let measure = self.measure.as_ref().map_or("count".into(), |fact| format!("sum {fact}"));
        let by = if by.is_empty() { String::new() } else { format!(" by {by}") };
        format!("{measure}{by} in {}s", self.period)
    }
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Counters in memory: for tests, and for trying policies.
#[derive(Clone, Debug, Default)]
pub struct MemoryWindows(BTreeMap<String, BTreeMap<i64, Integer>>);

impl MemoryWindows {
    /// Records increments, and deletes the slots that are of no more use.
    pub fn record(&mut self, counts: &[Count]) {
        for Count { counter, slot, total, oldest, .. } in counts {
            let slots = self.0.entry(counter.clone()).or_default();
            slots.insert(*slot, *total);
            slots.retain(|slot, _| slot >= oldest);
        }
    }
}

impl Windows for MemoryWindows {
    fn slots(&self, counter: &str) -> Result<Vec<(i64, Integer)>, Unavailable> {
        Ok(self.0.get(counter).into_iter().flatten().map(|(slot, total)| (*slot, *total)).collect())
    }
}
