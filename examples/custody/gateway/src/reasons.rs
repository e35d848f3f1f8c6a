//! Refusals and delays as callers see them: with the names of the nodes that have said why.

use std::collections::{BTreeMap, BTreeSet};

use custody_core::{Reason, Refusal, RequestId};
use quorate::PartyId;

use crate::config::Now;
use crate::engine::Engine;
use crate::orders::Task;
use crate::requests::Open;
use crate::state::refuse;

impl Engine {
    /// A refusal, with the names of all nodes that have given it in front.
    pub(crate) fn named(&self, all: &BTreeMap<PartyId, Refusal>, one: &Refusal) -> Refusal {
        let nodes = self.names(all.iter().filter(|(_, why)| *why == one).map(|(party, _)| *party));
        Refusal {
            policy: one.policy.clone(),
            ..refuse(one.reason, format_args!("{nodes}: {}", one.detail))
        }
    }

    /// Why an open request has no result yet, as far as nodes have said it.
    pub(crate) fn delay(&self, open: &Open) -> Option<Refusal> {
        let approvals = |why: &&Refusal| why.reason == Reason::ApprovalsMissing;
        let reasons = &open.reasons;
        let stays = |why: &&Refusal| !why.reason.is_retryable();
        let first = reasons.values().find(approvals).or_else(|| reasons.values().find(stays));
        let one = first.or_else(|| reasons.values().last())?;
        Some(self.named(reasons, one))
    }

    /// Why a request has no result at its deadline.
    pub(crate) fn lateness(&self, id: RequestId, open: &Open, now: Now) -> Refusal {
        let silent = self.silent(id, open, now);
        let silent = (!silent.is_empty()).then(|| format!("no answer from {}", self.names(silent)));
        // A long reason is cut at its end.
        let mut why: Vec<String> =
            silent.into_iter().chain(self.delay(open).map(|why| why.to_string())).collect();
        if why.is_empty() {
            let nothing = "there were no presignatures or nonces";
            let unfinished = "the nodes have not finished it";
            why.push(if open.signing().is_some() { nothing } else { unfinished }.to_owned());
        }
        refuse(Reason::Expired, format_args!("no result in time: {}", why.join("; ")))
    }

    /// The nodes that the request waits for and that have said nothing. A request without signers waits for those that are down.
    fn silent(&self, id: RequestId, open: &Open, now: Now) -> BTreeSet<PartyId> {
        let unheard = |party: &PartyId| !open.reasons.contains_key(party);
        let orders = |task: Task| self.orders.nodes(task).into_iter().filter(unheard);
        let Some(signing) = open.signing() else {
            return [Task::Work(id), Task::Agree(id)].into_iter().flat_map(orders).collect();
        };
        if signing.attempts.is_empty() {
            let members = self.keys.get(&signing.key).map(|known| known.members());
            let members = members.unwrap_or_default().iter().copied();
            return members.filter(|party| !self.is_up(*party, now)).filter(unheard).collect();
        }
        signing.attempts.keys().flat_map(|number| orders(Task::Sign(id, *number))).collect()
    }

    fn names(&self, parties: impl IntoIterator<Item = PartyId>) -> String {
        let name = |party| {
            let node = self.nodes.get(&party);
            node.map_or_else(|| format!("node {party}"), |node| node.name.clone())
        };
        parties.into_iter().map(name).collect::<Vec<_>>().join(", ")
    }
}
