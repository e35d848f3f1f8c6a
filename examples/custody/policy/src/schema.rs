//! The schema of Cedar, made from the vocabulary.

use core::fmt::Write as _;

use crate::vocabulary::{Type, actions, facts, open_prefix};

/// The attributes of every request.
pub(crate) const COMMON: [(&str, &str); 8] = [
    ("now", "Long"),
    ("deadline", "Long"),
    ("approvers", "Set<Caller>"),
    ("holds", "Set<String>"),
    ("on_behalf?", "String"),
    ("child?", "String"),
    ("merkle_root?", "String"),
    ("signature_context?", "String"),
];

/// The facts whose names the requester chooses: attribute, entity, and the type of a value.
pub(crate) const OPEN: [(&str, &str, Type); 7] = [
    ("texts", "Texts", Type::Text),
    ("numbers", "Numbers", Type::Wide),
    ("hex", "Hex", Type::Hex),
    ("flags", "Flags", Type::Flag),
    ("text_lists", "TextLists", Type::Texts),
    ("number_lists", "NumberLists", Type::Wides),
    ("hex_lists", "HexLists", Type::Hexes),
];

const HEAD: &str = "\
// Generated from the kinds of quorate-purpose and their facts. A test compares; do not edit.
// A fact with `?` is absent in some contents. Integers beyond 63 bits are texts in decimal: compare them through `holds`.

// A caller, by its name in the configuration of the cluster.
entity Caller { \"roles\": Set<String> };
// A key, by its identifier. Its labels are tags.
entity Key { \"scheme\": String, \"scope\": String, \"purposes\": Set<String> } tags String;

// Facts whose names the requester chooses, by their type.
";

/// The schema in Cedar's own syntax.
///
/// A copy is in `policies/schema.cedarschema`, for editors and for Cedar's command line.
#[must_use]
pub fn schema() -> String {
    let mut text = String::from(HEAD);
    // Writing into a text does not fail.
    write(&mut text).unwrap_or_default();
    text
}

fn write(to: &mut String) -> core::fmt::Result {
    for (_, entity, of) in OPEN {
        writeln!(to, "entity {entity} tags {};", of.cedar())?;
    }
    writeln!(to, "\naction \"sign\";\naction \"administer\";")?;
    for action in actions() {
        writeln!(
            to,
            "\naction \"{}\" in [Action::\"{}\"] appliesTo {{",
            action.name(),
            action.group()
        )?;
        writeln!(to, "  principal: Caller,\n  resource: Key,\n  context: {{")?;
        for (name, of) in COMMON {
            let (name, mark) = name.strip_suffix('?').map_or((name, ""), |name| (name, "?"));
            writeln!(to, "    \"{name}\"{mark}: {of},")?;
        }
        for fact in facts(action) {
            let mark = if fact.is_optional { "?" } else { "" };
            writeln!(to, "    \"{}\"{mark}: {},", fact.name, fact.of.cedar())?;
        }
        if open_prefix(action).is_some() {
            OPEN.iter()
                .try_for_each(|(name, entity, _)| writeln!(to, "    \"{name}\": {entity},"))?;
        }
        writeln!(to, "  }},\n}};")?;
    }
    Ok(())
}
