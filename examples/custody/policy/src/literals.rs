//! The comparisons that a policy asks for, and literals that could never match.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::comparison::Comparison;

/// Collects the comparisons of a policy by their texts, from its syntax tree in JSON, whose depth is bounded.
///
/// `context.holds` may stand in `context.holds.contains("…")` alone: each comparison must be known when the policy is loaded.
pub(crate) fn comparisons(policy: &Json) -> Result<BTreeMap<String, Comparison>, String> {
    let mut found = BTreeMap::new();
    descend(policy.get("conditions").unwrap_or(&Json::Null), &mut found)?;
    Ok(found)
}

fn descend(json: &Json, found: &mut BTreeMap<String, Comparison>) -> Result<(), String> {
    if let Some(text) = contained(json) {
        let text = text.as_str().ok_or("`context.holds.contains` takes one text")?;
        let comparison = Comparison::parse(text).map_err(|error| format!("{text:?}: {error}"))?;
        found.insert(text.into(), comparison);
        return Ok(());
    }
    if is_holds(json) {
        return Err("`context.holds` stands in `context.holds.contains(\"…\")` alone".into());
    }
    if let Some(text) = json.get("Value").and_then(Json::as_str) {
        check_hex(text)?;
    }
    if let Some(pattern) = json.get("like").and_then(|like| like.get("pattern")?.as_array()) {
        let parts = pattern.iter().map(|part| part.get("Literal").and_then(Json::as_str));
        check_hex(&parts.map(|part| part.unwrap_or("*")).collect::<String>())?;
    }
    match json {
        Json::Object(fields) => fields.values().try_for_each(|json| descend(json, found)),
        Json::Array(values) => values.iter().try_for_each(|json| descend(json, found)),
        _ => Ok(()),
    }
}

/// The argument of `context.holds.contains`.
fn contained(json: &Json) -> Option<&Json> {
    let call = json.get("contains")?;
    let right = call.get("right")?;
    is_holds(call.get("left")?).then(|| right.get("Value").unwrap_or(right))
}

/// Returns whether this is an access to an attribute `holds`: of the context, or of a record that could be it.
fn is_holds(json: &Json) -> bool {
    let access = json.get(".").or_else(|| json.get("has"));
    access.and_then(|access| access.get("attr")).and_then(Json::as_str) == Some("holds")
}

/// Refuses upper-case hex digits. Facts are in lower case, so a prohibition with such a literal would not apply.
fn check_hex(text: &str) -> Result<(), String> {
    let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) else {
        return Ok(());
    };
    let is_hex = digits.chars().all(|digit| digit.is_ascii_hexdigit() || digit == '*');
    if is_hex
        && (text.starts_with("0X") || digits.contains(|digit: char| digit.is_ascii_uppercase()))
    {
        return Err(format!("{text:?} has upper-case digits: facts in hex are in lower case"));
    }
    Ok(())
}
