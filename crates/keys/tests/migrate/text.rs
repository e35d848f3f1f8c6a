//! JSON that is altered: members are moved, repeated, left out, renamed.

/// One replacement. The text to replace has to occur.
pub fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} in {text}");
    text.replacen(from, to, 1)
}

/// The digits of a member that is a string.
pub fn digits<'a>(json: &'a str, name: &str) -> &'a str {
    let from = format!("\"{name}\":\"");
    let at = json.find(&from).unwrap() + from.len();
    let length = json[at..].find('"').unwrap();
    &json[at..at + length]
}

/// The members of an object, as `"name":value`.
pub fn members(json: &str) -> Vec<&str> {
    let inside = json.strip_prefix('{').unwrap().strip_suffix('}').unwrap();
    let (mut members, mut from, mut depth) = (Vec::new(), 0, 0);
    for (at, character) in inside.char_indices() {
        match character {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                members.push(&inside[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    members.push(&inside[from..]);
    members
}

pub fn object(members: &[&str]) -> String {
    format!("{{{}}}", members.join(","))
}

/// The object as another writer would write it: members in the opposite order, with white space in every
/// permitted place.
pub fn rewritten(json: &str) -> String {
    let mut turned = members(json);
    turned.reverse();
    let spaced = object(&turned).replace(':', " :\t").replace(',', " ,\n  ");
    format!(
        "\n{}\r\n",
        spaced.replace('{', "{ ").replace('}', " }").replace('[', "[ ").replace(']', " ]")
    )
}

/// The objects that lack one member, and those that have one twice, each with the name of the member.
pub fn wrong_members(json: &str) -> Vec<(String, String, bool)> {
    let all = members(json);
    let name = |member: &str| member.split('"').nth(1).unwrap().to_owned();
    let less = (0..all.len()).map(|at| {
        let rest: Vec<_> = all.iter().enumerate().filter(|(place, _)| *place != at).collect();
        let rest: Vec<_> = rest.into_iter().map(|(_, member)| *member).collect();
        (name(all[at]), object(&rest), false)
    });
    let more = (0..all.len()).map(|at| {
        let mut twice = all.clone();
        twice.push(all[at]);
        (name(all[at]), object(&twice), true)
    });
    less.chain(more).collect()
}
