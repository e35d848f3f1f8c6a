//! Greetings: each node says in clear how it is configured, for the operators of the others.
//!
//! What must be the same is compared by the sessions themselves, which say what differs, and not how.

use quorate::PartyId;

/// The longest greeting that is read, in characters.
const LONGEST: usize = 1024;

/// The lines of a peer's greeting that differ from ours: `party 3 uses threshold 3, expected 2`.
#[must_use]
pub fn differences(ours: &str, from: PartyId, theirs: &str) -> Vec<String> {
    let theirs: String = theirs.chars().take(LONGEST).collect();
    let differs = |line: &str| {
        let (name, expected) = line.split_once(' ')?;
        let found = theirs.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let found = found.unwrap_or("unknown");
        // A peer's text goes to a terminal.
        let shown: String = found.chars().take(40).flat_map(char::escape_default).collect();
        (found != expected)
            .then(|| format!("party {from} uses {name} {shown}, expected {expected}"))
    };
    ours.lines().filter_map(differs).collect()
}
