//! One policy, with what this crate knows about it beside Cedar.

use std::collections::BTreeMap;

use cedar_policy::{ActionConstraint, Effect, EntityUid, Policy};

use crate::action::Action;
use crate::comparison::{Comparison, Operand};
use crate::facts::is_argument;
use crate::literals;
use crate::vocabulary::{actions, facts, open_prefix};

/// The head of a policy, and the comparisons in its conditions.
pub(crate) struct Rule {
    pub(crate) effect: Effect,
    head: ActionConstraint,
    pub(crate) comparisons: BTreeMap<String, Comparison>,
}

impl Rule {
    /// The error says what is wrong with the policy.
    pub(crate) fn new(policy: &Policy) -> Result<Self, String> {
        let tree = policy.to_json().map_err(|error| error.to_string())?;
        let comparisons = literals::comparisons(&tree)?;
        let rule = Self { effect: policy.effect(), head: policy.action_constraint(), comparisons };
        rule.check_facts()?;
        Ok(rule)
    }

    /// Returns whether the head names this action, or a group of it, or leaves the action open.
    pub(crate) fn concerns(&self, action: Action) -> bool {
        self.names(action) || self.has(|uid| is_action(uid, action.group())) || self.is_open()
    }

    /// Returns whether the head names this very action.
    pub(crate) fn names(&self, action: Action) -> bool {
        self.has(|uid| is_action(uid, action.name()))
    }

    const fn is_open(&self) -> bool {
        matches!(self.head, ActionConstraint::Any)
    }

    fn has(&self, is_it: impl Fn(&EntityUid) -> bool) -> bool {
        match &self.head {
            ActionConstraint::Any => false,
            ActionConstraint::Eq(uid) => is_it(uid),
            ActionConstraint::In(uids) => uids.iter().any(is_it),
        }
    }

    /// Refuses a comparison of a fact that no action of the head has: it would never hold.
    fn check_facts(&self) -> Result<(), String> {
        for (text, comparison) in &self.comparisons {
            let by = match &comparison.operand {
                Operand::Window(window) => &window.by[..],
                _ => &[],
            };
            for name in comparison.facts() {
                let is_number = !by.contains(name);
                if !actions().any(|action| self.concerns(action) && has(action, name, is_number)) {
                    let what = if is_number { "number" } else { "fact" };
                    return Err(format!(
                        "{text:?}: no action of this policy has the {what} {name:?}"
                    ));
                }
            }
        }
        Ok(())
    }
}

fn is_action(uid: &EntityUid, name: &str) -> bool {
    uid.type_name().to_string() == "Action" && uid.id().unescaped() == name
}

fn has(action: Action, name: &str, is_number: bool) -> bool {
    let is_open = open_prefix(action).is_some_and(|prefix| name.starts_with(prefix));
    let mut fixed = facts(action).filter(|fact| fact.name == name);
    is_open || fixed.any(|fact| !is_number || fact.of.is_number() || is_argument(name))
}
