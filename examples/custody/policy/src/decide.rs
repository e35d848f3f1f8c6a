//! Decisions.

use cedar_policy::{Decision as CedarDecision, Effect, PolicyId, Response};

use crate::comparison::{Comparison, Operand};
use crate::context::{Context, Decision, Outcome, Policy};
use crate::facts::Seen;
use crate::holds::Holds;
use crate::input::Input;
use crate::policies::Policies;

impl Policy for Policies {
    fn decide(&self, context: &Context<'_>) -> Decision {
        let seen = Seen::new(context.facts, context.action);
        self.decided(context, &seen).unwrap_or_else(|why| {
            let why = format!("the request cannot be decided: {why}");
            Decision::refused(Outcome::Failed, Vec::new(), why)
        })
    }
}

impl Policies {
    /// The comparisons of the policies that concern the action.
    pub(crate) fn comparisons(
        &self,
        context: &Context<'_>,
    ) -> impl Iterator<Item = (&String, &Comparison)> {
        let action = context.action;
        let rules = self.rules.values().filter(move |rule| rule.concerns(action));
        rules.flat_map(|rule| &rule.comparisons)
    }

    fn decided(&self, context: &Context<'_>, seen: &Seen<'_>) -> Result<Decision, String> {
        let holds = Holds::new(self.comparisons(context), seen, context);
        let mut holds = holds.map_err(|error| error.to_string())?;
        let mut decision = self.answer(context, seen, &holds)?;
        if decision.outcome == Outcome::NotAllowed && holds.lacks_approvals {
            let approvals = self
                .comparisons(context)
                .filter(|(_, comparison)| matches!(comparison.operand, Operand::Approvals { .. }));
            holds.texts.extend(approvals.map(|(text, _)| &text[..]));
            let approved = self.answer(context, seen, &holds)?;
            if approved.is_allowed() {
                let why = format!("more approvals are needed by {}", approved.policies.join(", "));
                decision = Decision::refused(Outcome::ApprovalsMissing, approved.policies, why);
            }
        }
        if decision.is_allowed() {
            decision.counts = holds.counts;
        }
        Ok(decision)
    }

    /// The answer of Cedar, without increments.
    fn answer(
        &self,
        context: &Context<'_>,
        seen: &Seen<'_>,
        holds: &Holds<'_>,
    ) -> Result<Decision, String> {
        let Input { request, entities } = Input::new(context, seen, &holds.texts, &self.schema)?;
        let response = self.authorizer.is_authorized(&request, &self.set, &entities);
        // Cedar skips a policy that ends in an error, also one that forbids.
        if let Some(error) = response.diagnostics().errors().next() {
            return Err(error.to_string());
        }
        let mut policies = ids(&response);
        if response.decision() == CedarDecision::Allow && context.action.must_be_named() {
            let names =
                |id: &String| self.rules.get(id).is_some_and(|rule| rule.names(context.action));
            policies.retain(names);
        }
        Ok(self.decision(context, response.decision(), policies))
    }

    fn decision(
        &self,
        context: &Context<'_>,
        decision: CedarDecision,
        policies: Vec<String>,
    ) -> Decision {
        let names = policies.join(", ");
        match decision {
            CedarDecision::Deny if !policies.is_empty() => {
                let why = format!("forbidden by {names}");
                Decision::refused(Outcome::Forbidden, policies, why)
            }
            CedarDecision::Allow if !policies.is_empty() => {
                let why = format!("allowed by {names}");
                Decision { outcome: Outcome::Allowed, policies, why, counts: Vec::new() }
            }
            _ => Decision::refused(Outcome::NotAllowed, Vec::new(), self.unallowed(context)),
        }
    }

    /// Names the policies that could have allowed the action.
    fn unallowed(&self, context: &Context<'_>) -> String {
        let action = context.action;
        let rules = self.rules.iter().filter(|(_, rule)| {
            let concerns =
                if action.must_be_named() { rule.names(action) } else { rule.concerns(action) };
            rule.effect == Effect::Permit && concerns
        });
        let names: Vec<&str> = rules.map(|(id, _)| &id[..]).collect();
        if names.is_empty() {
            format!("no policy is about {}", action.name())
        } else {
            format!("none of the policies about {} allows it: {}", action.name(), names.join(", "))
        }
    }
}

/// The policies that decided, sorted.
fn ids(response: &Response) -> Vec<String> {
    let mut ids: Vec<String> = response.diagnostics().reason().map(PolicyId::to_string).collect();
    ids.sort();
    ids
}
