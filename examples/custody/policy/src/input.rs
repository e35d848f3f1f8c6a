//! A request and its entities, as Cedar takes them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use cedar_policy::{
    Context as CedarContext, Entities, Entity, EntityId, EntityTypeName, EntityUid, Request,
    RestrictedExpression as Expression, Schema,
};

use crate::approvals::is_same;
use crate::context::{Caller, Context, KeyFacts};
use crate::facts::Seen;
use crate::schema::OPEN;
use crate::values;
use crate::vocabulary::{facts, open_prefix};

type Pairs = Vec<(String, Expression)>;

/// A request and its entities, checked against the schema.
pub(crate) struct Input {
    pub(crate) request: Request,
    pub(crate) entities: Entities,
}

impl Input {
    /// The error says why the request is none that policies can look at.
    pub(crate) fn new(
        context: &Context<'_>,
        seen: &Seen<'_>,
        holds: &BTreeSet<&str>,
        schema: &Schema,
    ) -> Result<Self, String> {
        let mut entities = BTreeMap::new();
        for caller in context.approvers.iter().chain([&context.caller]) {
            entities.insert(caller.name, caller_entity(caller)?);
        }
        let mut entities: Vec<Entity> = entities.into_values().collect();
        entities.push(key_entity(&context.key)?);
        let mut pairs = common(context, holds)?;
        pairs.extend(fixed_facts(context, seen)?);
        if let Some(prefix) = open_prefix(context.action) {
            for (name, entity) in open_facts(prefix, seen)? {
                pairs.push((name.into(), Expression::new_entity_uid(entity.uid())));
                entities.push(entity);
            }
        }
        let pairs = CedarContext::from_pairs(pairs).map_err(text)?;
        let (principal, resource) =
            (uid("Caller", context.caller.name)?, uid("Key", context.key.id)?);
        let action = uid("Action", context.action.name())?;
        let request =
            Request::new(principal, action, resource, pairs, Some(schema)).map_err(text)?;
        Ok(Self {
            request,
            entities: Entities::from_entities(entities, Some(schema)).map_err(text)?,
        })
    }
}

pub(crate) fn text(error: impl core::fmt::Display) -> String {
    error.to_string()
}

/// The types of entities, which Cedar parses once.
static TYPES: LazyLock<BTreeMap<&str, EntityTypeName>> = LazyLock::new(|| {
    let open = OPEN.iter().map(|(_, entity, _)| *entity);
    let names = ["Action", "Caller", "Key"].into_iter().chain(open);
    names.filter_map(|name| Some((name, name.parse().ok()?))).collect()
});

pub(crate) fn uid(of: &str, id: &str) -> Result<EntityUid, String> {
    let of = TYPES.get(of).ok_or_else(|| format!("there are no entities of the type {of}"))?;
    Ok(EntityUid::from_type_name_and_id(of.clone(), EntityId::new(id)))
}

fn strings<'a>(values: impl IntoIterator<Item = &'a str>) -> Expression {
    Expression::new_set(values.into_iter().map(|value| Expression::new_string(value.into())))
}

fn entity(uid: EntityUid, attributes: Pairs, tags: Pairs) -> Result<Entity, String> {
    Entity::new_with_tags(uid, attributes, HashSet::new(), tags).map_err(text)
}

fn caller_entity(caller: &Caller<'_>) -> Result<Entity, String> {
    let roles = strings(caller.roles.iter().copied());
    entity(uid("Caller", caller.name)?, vec![("roles".into(), roles)], Vec::new())
}

fn key_entity(key: &KeyFacts<'_>) -> Result<Entity, String> {
    let string = |value: &str| Expression::new_string(value.into());
    let attributes = vec![
        ("scheme".into(), string(key.scheme)),
        ("scope".into(), string(key.scope)),
        ("purposes".into(), strings(key.purposes.iter().copied())),
    ];
    let labels = key.labels.iter().map(|(name, value)| (name.clone(), string(value))).collect();
    entity(uid("Key", key.id)?, attributes, labels)
}

fn common(context: &Context<'_>, holds: &BTreeSet<&str>) -> Result<Pairs, String> {
    let others = context.approvers.iter().filter(|one| !is_same(one, &context.caller));
    let approvers: Result<Vec<_>, String> =
        others.map(|one| Ok(Expression::new_entity_uid(uid("Caller", one.name)?))).collect();
    let mut pairs = vec![
        ("now".into(), Expression::new_long(context.now)),
        ("deadline".into(), Expression::new_long(context.deadline)),
        ("approvers".into(), Expression::new_set(approvers?)),
        ("holds".into(), strings(holds.iter().copied())),
    ];
    let bytes = Some(context.signature_context).filter(|bytes| !bytes.is_empty());
    let texts = [
        ("on_behalf", context.on_behalf.map(str::to_owned)),
        ("child", context.child.map(str::to_owned)),
        ("merkle_root", context.merkle_root.map(|root| values::hex(&root))),
        ("signature_context", bytes.map(values::hex)),
    ];
    for (name, text) in texts {
        pairs.extend(text.map(|text| (name.into(), Expression::new_string(text))));
    }
    Ok(pairs)
}

/// The facts that the schema names. A fact of another type or range ends the decision, and so does one that it does not name.
fn fixed_facts(context: &Context<'_>, seen: &Seen<'_>) -> Result<Pairs, String> {
    let known: BTreeMap<_, _> = facts(context.action).map(|fact| (fact.name, fact.of)).collect();
    let prefix = open_prefix(context.action);
    let named = seen.iter().filter(|(name, _)| !prefix.is_some_and(|it| name.starts_with(it)));
    let pair = |(name, value): (&str, _)| {
        let of =
            *known.get(name).ok_or_else(|| format!("the fact {name:?} is not in the schema"))?;
        let value = values::value(of, value).ok_or_else(|| {
            let shown: String = value.to_string().chars().take(80).collect();
            format!("the fact {name:?} is {shown}, which is out of the range of policies")
        })?;
        Ok((name.to_owned(), value))
    };
    named.map(pair).collect()
}

/// An entity for each type of the facts whose names the requester chose. An empty list is one of every type.
fn open_facts(prefix: &str, seen: &Seen<'_>) -> Result<Vec<(&'static str, Entity)>, String> {
    let mut tags = OPEN.map(|(attribute, entity, of)| (attribute, entity, of, Pairs::new()));
    for (name, value) in seen.iter().filter(|(name, _)| name.starts_with(prefix)) {
        let mut is_shown = false;
        for (_, _, of, tags) in &mut tags {
            if let Some(value) = values::value(*of, value) {
                tags.push((name.into(), value));
                is_shown = true;
            }
        }
        if !is_shown {
            return Err(format!("the fact {name:?} is a list that no policy can look at"));
        }
    }
    let entities = tags.into_iter().map(|(attribute, of, _, tags)| {
        Ok((attribute, entity(uid(of, "request")?, Vec::new(), tags)?))
    });
    entities.collect()
}
