//! Derivation: the published vectors, texts of extended keys, and shares of descendants.

mod shares;
mod taproot;
mod vectors;
mod xpub;

use quorate_keys::derive::DerivationPath;

fn path(text: &str) -> DerivationPath {
    text.parse().unwrap()
}

/// The lines of a data file, in groups between empty lines. Each line is split at white space.
fn groups(text: &'static str) -> Vec<Vec<Vec<&'static str>>> {
    let line = |line: &'static str| line.split(' ').collect();
    text.split("\n\n")
        .map(|group| group.lines().filter(|one| !one.starts_with('#')).map(line).collect())
        .filter(|group: &Vec<_>| !group.is_empty())
        .collect()
}

/// The last index of a chain, and whether it is hardened.
fn last(chain: &str) -> (u32, bool) {
    let (_, last) = chain.rsplit_once('/').unwrap();
    let number = last.trim_end_matches('\'').parse().unwrap();
    (number, last.ends_with('\''))
}
