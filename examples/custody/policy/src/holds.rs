//! The comparisons that hold for a request.

use std::collections::{BTreeMap, BTreeSet};

use quorate_purpose::Integer;

use crate::approvals::is_same;
use crate::comparison::{Comparison, Operand};
use crate::context::Context;
use crate::facts::Seen;
use crate::window::{Count, Unavailable};

/// The comparisons that hold, and the increments of the windows.
pub(crate) struct Holds<'a> {
    pub(crate) texts: BTreeSet<&'a str>,
    pub(crate) counts: Vec<Count>,
    /// True if a comparison of approvals does not hold.
    pub(crate) lacks_approvals: bool,
}

impl<'a> Holds<'a> {
    /// Computes comparisons.
    pub(crate) fn new(
        comparisons: impl IntoIterator<Item = (&'a String, &'a Comparison)>,
        seen: &Seen<'_>,
        context: &Context<'_>,
    ) -> Result<Self, Unavailable> {
        let (mut texts, mut counts) = (BTreeSet::new(), BTreeMap::new());
        let mut lacks_approvals = false;
        for (text, comparison) in comparisons {
            let value = match &comparison.operand {
                Operand::Fact(fact) => seen.integer(fact),
                Operand::Approvals { with_requester, from } => {
                    Some(approvals(*with_requester, from, context))
                }
                Operand::Window(window) => {
                    let read = window.read(seen, context.now, context.windows)?;
                    read.map(|(total, count)| {
                        counts.insert(count.counter.clone(), count);
                        total
                    })
                }
            };
            if value.is_some_and(|value| comparison.holds(&value, context.now)) {
                texts.insert(&text[..]);
            } else {
                lacks_approvals |= matches!(comparison.operand, Operand::Approvals { .. });
            }
        }
        Ok(Self { texts, counts: counts.into_values().collect(), lacks_approvals })
    }
}

fn approvals(with_requester: bool, from: &[String], context: &Context<'_>) -> Integer {
    let counts = context.approvers.iter().filter(|approver| {
        (with_requester || !is_same(approver, &context.caller))
            && (from.is_empty() || from.iter().any(|name| name == approver.name))
    });
    u64::try_from(counts.count()).unwrap_or(0).into()
}
