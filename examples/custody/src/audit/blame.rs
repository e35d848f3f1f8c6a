//! No honest party is blamed: neither by the answers of nodes and what the gateway has of them, nor by its log.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};

use quorate::PartyId;
use quorate_examples::failure::Failure;

use super::{Bounds, Check, Places, open};
use crate::sql::Sql;

pub(super) const NAME: &str = "no honest party is blamed";

/// What the gateway says of a node whose share of a signature does not verify.
const WRONG: &str = " has sent a wrong share";

pub(super) fn check(places: &Places, bounds: &Bounds) -> Result<Check, Failure> {
    let mut check = Check::new(NAME);
    each(places, &mut |whose, text| {
        check.looked();
        for party in blamed(text).difference(&bounds.culprits) {
            check.found(format!("{whose} blames node {party}: {}", shown(text)));
        }
    })?;
    Ok(check)
}

/// All who are blamed by anybody.
pub(crate) fn named(places: &Places) -> Result<BTreeSet<PartyId>, Failure> {
    let mut all = BTreeSet::new();
    each(places, &mut |_, text| all.extend(blamed(text)))?;
    Ok(all)
}

/// Shows everything that may blame somebody, with whose word it is.
fn each(places: &Places, look: &mut dyn FnMut(&str, &str)) -> Result<(), Failure> {
    for place in &places.nodes {
        for mut row in open(&place.database)?.query("SELECT answer FROM answers", &[])? {
            if let Some((1, why)) = row.bytes(0)?.split_first() {
                look(&format!("node {}", place.node), &String::from_utf8_lossy(why));
            }
        }
    }
    let mut gateway = open(&places.gateway)?;
    for mut row in gateway.query("SELECT node, answer FROM answers WHERE done = 0", &[])? {
        let whose = format!("node {}, to the gateway,", row.int(0)?);
        look(&whose, &String::from_utf8_lossy(&row.bytes(1)?));
    }
    for mut row in gateway.query("SELECT why FROM requests WHERE state > 2", &[])? {
        look("the gateway", &row.text_if(0)?.unwrap_or_default());
    }
    if let Some(path) = &places.log {
        let file = File::open(path).map_err(Failure::file("read", path))?;
        for line in BufReader::new(file).split(b'\n') {
            let line = line?;
            let text = String::from_utf8_lossy(&line);
            if text.contains(WRONG) {
                look("the gateway's log", &text);
            }
        }
    }
    Ok(())
}

/// Whom a reason blames: `aborted; party 3 in round 2: …`, as an abort is shown, or a wrong share of a signature.
pub(super) fn blamed(text: &str) -> BTreeSet<PartyId> {
    let mut all = BTreeSet::new();
    let number = |digits: &str| digits.parse().ok().and_then(PartyId::new);
    let aborted = text.split_once("aborted; ").map(|(_, rest)| rest);
    for part in aborted.into_iter().flat_map(|rest| rest.split("; ")) {
        let named = part.strip_prefix("party ").and_then(|rest| rest.split_once(" in round "));
        all.extend(named.and_then(|(party, _)| number(party)));
    }
    for (before, _) in text.match_indices(WRONG).filter_map(|(at, _)| text.split_at_checked(at)) {
        all.extend(before.rsplit(' ').next().and_then(number));
    }
    for part in text.split("; ").filter(|part| part.contains("share of the signature is wrong")) {
        let named = part.rsplit_once("node ").and_then(|(_, rest)| rest.split_once(':'));
        all.extend(named.and_then(|(party, _)| number(party)));
    }
    all
}

fn shown(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whom_reasons_blame() {
        let of = |text: &str| blamed(text).into_iter().map(PartyId::get).collect::<Vec<_>>();
        let two = "aborted; party 3 in round 2: proof does not verify; party 1 in round 2: x; party 2 had stopped";
        assert_eq!(of(two), [1, 3]);
        assert!(
            of("gave up in round 2, still waiting for party 3; 1 frame rejected from party 2: x")
                .is_empty()
        );
        assert!(of("aborted in round 2: the parties saw different broadcasts").is_empty());
        assert_eq!(of("{\"message\":\"node 2 has sent a wrong share: its share\"}"), [2]);
        assert_eq!(
            of(
                "node 3: its share of the signature is wrong; node 1: its share of the signature is wrong"
            ),
            [1, 3]
        );
        assert!(of("the deadline has passed; no answer of node 2").is_empty());
    }
}
