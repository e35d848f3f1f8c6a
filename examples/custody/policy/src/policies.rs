//! Policies in Cedar, loaded and validated.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

use cedar_policy::{
    Authorizer, Policy as CedarPolicy, PolicyId, PolicySet, Schema, ValidationMode, Validator,
};
use sha2::{Digest as _, Sha256};

use crate::comparison::Operand;
use crate::input::text;
use crate::nesting;
use crate::rule::Rule;
use crate::schema::schema;

/// The longest text of policies, in bytes.
const LENGTH: usize = 1 << 18;
/// The highest number of different windows: each is counted for every key.
const WINDOWS: usize = 64;

/// Policies in Cedar that decide together: one of them must allow a request, and none may forbid it.
pub struct Policies {
    pub(crate) authorizer: Authorizer,
    pub(crate) schema: Schema,
    pub(crate) set: PolicySet,
    pub(crate) rules: BTreeMap<String, Rule>,
    digest: [u8; 32],
}

impl fmt::Debug for Policies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.rules.keys()).finish()
    }
}

/// A text is none of policies, or of a request, that this crate takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    /// The name of the text, or nothing if it is about all of them.
    pub source: Option<String>,
    /// The mistake, and the policy that has it.
    pub detail: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(source) => write!(f, "{source}: {}", self.detail),
            None => f.write_str(&self.detail),
        }
    }
}

impl core::error::Error for LoadError {}

impl Policies {
    /// Loads texts of policies, each with a name for errors, such as its file's.
    ///
    /// Every policy has an identifier of its own: `@id("small-payments")`. Refusals name it.
    ///
    /// # Errors
    /// If a text is not Cedar or longer than 256 KiB, has a template, or a policy without an identifier, if a policy does not
    /// fit the [`schema`](fn@schema) or can never apply, or if there are more than 64 windows.
    pub fn load<'a>(
        sources: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, LoadError> {
        let (mut set, mut rules) = (PolicySet::new(), BTreeMap::new());
        let mut hash = Sha256::new();
        for (source, text) in sources {
            let wrong = |detail| LoadError { source: Some(source.into()), detail };
            hash.update(Sha256::digest(text.as_bytes()));
            for policy in parse(text).map_err(wrong)? {
                let (id, rule) = (policy.id().to_string(), rule(&policy).map_err(wrong)?);
                set.add(policy).map_err(|error| wrong(error.to_string()))?;
                rules.insert(id, rule);
            }
        }
        let wrong = |detail| LoadError { source: None, detail };
        let (schema, _) =
            Schema::from_cedarschema_str(&schema()).map_err(|error| wrong(text(error)))?;
        check_count(&rules).map_err(wrong)?;
        validate(&schema, &set).map_err(wrong)?;
        let digest = hash.finalize().into();
        Ok(Self { authorizer: Authorizer::new(), schema, set, rules, digest })
    }

    /// The identifiers of the policies, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.rules.keys().map(AsRef::as_ref)
    }

    /// A digest of the texts in their order: nodes with the same digest decide by the same policies.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }
}

/// The policies of a text, under their own identifiers.
fn parse(source: &str) -> Result<Vec<CedarPolicy>, String> {
    if source.len() > LENGTH {
        return Err(format!("{} bytes: a text has at most {LENGTH}; split it", source.len()));
    }
    nesting::check(source)?;
    let set: PolicySet = source.parse().map_err(text)?;
    if set.num_of_templates() > 0 {
        return Err("it has a template: replace ?principal and ?resource by entities".into());
    }
    set.policies().map(named).collect()
}

fn named(policy: &CedarPolicy) -> Result<CedarPolicy, String> {
    let id = policy.annotation("id").ok_or_else(|| {
        format!("{} has no identifier: write @id(\"some-name\") before it", policy.id())
    })?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if !(1..=64).contains(&id.len()) || !id.bytes().all(is_plain) {
        return Err(format!("{id:?}: an identifier has 1 to 64 letters, digits, '-', '_' and '.'"));
    }
    Ok(policy.new_id(PolicyId::new(id)))
}

fn rule(policy: &CedarPolicy) -> Result<Rule, String> {
    Rule::new(policy).map_err(|error| format!("policy {}: {error}", policy.id()))
}

fn check_count(rules: &BTreeMap<String, Rule>) -> Result<(), String> {
    let comparisons = rules.values().flat_map(|rule| &rule.comparisons);
    let windows = comparisons.filter(|(_, it)| matches!(it.operand, Operand::Window(_)));
    let count = windows.map(|(text, _)| text).collect::<BTreeSet<_>>().len();
    if count > WINDOWS {
        Err(format!("{count} windows: at most {WINDOWS} are taken"))
    } else {
        Ok(())
    }
}

/// Warnings count as errors: Cedar warns of a policy that never applies.
fn validate(schema: &Schema, set: &PolicySet) -> Result<(), String> {
    let result = Validator::new(schema.clone()).validate(set, ValidationMode::Strict);
    let errors = result.validation_errors().map(text);
    let all: Vec<String> = errors.chain(result.validation_warnings().map(text)).collect();
    if all.is_empty() { Ok(()) } else { Err(all.join("; ")) }
}
