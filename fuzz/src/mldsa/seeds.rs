//! Valid inputs of the targets for threshold ML-DSA.

use quorate_mldsa::Level;
use quorate_mldsa::session::container::DIGEST;

use super::signatures::made;
use super::stored::forms;
use crate::seeds::Seed;

fn seed(target: &'static str, name: &str, bytes: &[&[u8]]) -> Seed {
    Seed { target, name: name.into(), bytes: bytes.concat() }
}

pub(crate) fn all() -> Vec<Seed> {
    let mut seeds = signatures();
    seeds.extend(stored());
    let lists = [("mldsa_sign", SIGN), ("mldsa_dkg", DKG), ("mldsa_evidence", EVIDENCE)];
    for (target, list) in lists {
        seeds.extend(list.iter().map(|(name, bytes)| seed(target, name, &[bytes])));
    }
    seeds
}

/// See `signatures.rs`: level, how; what that takes.
fn signatures() -> Vec<Seed> {
    let target = "mldsa_signature";
    let mut seeds = Vec::new();
    for (level, name) in Level::ALL.into_iter().zip(["44", "65", "87"]) {
        let at = [level as u8];
        seeds.push(seed(target, &format!("{name}_whole"), &[&at, &[0], &made(level).signature]));
        seeds.push(seed(target, &format!("{name}_key"), &[&at, &[1], &made(level).key]));
        // A bit of c̃, and of z, and of a key's t1.
        seeds.push(seed(target, &format!("{name}_challenge"), &[&at, &[5], &[0, 0, 3, 1]]));
        seeds.push(seed(target, &format!("{name}_response"), &[&at, &[5], &[0, 2, 3, 1]]));
        seeds.push(seed(target, &format!("{name}_key_altered"), &[&at, &[2], &[0, 2, 3, 1]]));
        // Another message, and contexts of 255 and of 256 bytes.
        seeds.push(seed(target, &format!("{name}_message"), &[&at, &[0x15], &[7, 2]]));
        seeds.push(seed(target, &format!("{name}_context"), &[&at, &[0x25], &[7, 0, 255]]));
        seeds.push(seed(target, &format!("{name}_long_context"), &[&at, &[0x25], &[7, 1, 0]]));
    }
    seeds
}

/// See `stored.rs`: which form, how.
fn stored() -> Vec<Seed> {
    let target = "mldsa_stored";
    let mut seeds = Vec::new();
    for (kind, name) in (0..).zip(["share", "package"]) {
        let form = &forms()[usize::from(kind)];
        let body = &form[..form.len() - DIGEST];
        seeds.push(seed(target, &format!("{name}_whole"), &[&[kind, 0], form]));
        seeds.push(seed(target, &format!("{name}_body"), &[&[kind, 1], body]));
        seeds.push(seed(target, &format!("{name}_same"), &[&[kind, 2]]));
    }
    // The value of the set that party 2 is not in, the second of three before two seeds: another key.
    let at = forms()[0].len() - DIGEST - 2 * 64 - 2 * 2944;
    let at = u16::try_from(at).expect("short").to_be_bytes();
    seeds.push(seed(target, "share_altered", &[&[0, 2], &at, &[1]]));
    seeds
}

/// See `rounds.rs`: receiver, edits. Frames are by sender, round; in an attempt three of each sender.
const SIGN: &[(&str, &[u8])] = &[
    ("honest", &[0]),
    // A byte of party 2's w, and of its z1.
    ("opening", &[0, 0, 1, 0, 90, 1]),
    ("response", &[0, 0, 2, 0, 90, 1]),
    // Its z1 are those of party 3, or its bitmap alone is left, or nothing at all.
    ("another", &[0, 6, 2, 5]),
    ("bitmap", &[0, 4, 2, 0, 72]),
    ("empty", &[0, 5, 2]),
    ("exchanged", &[0, 7, 2, 0, 1, 9, 0]),
    ("two", &[1, 0, 1, 0, 90, 1, 0, 4, 0, 90, 1]),
    ("commitment", &[2, 4, 0, 0, 100]),
];

/// See `rounds.rs`. Of each sender: in round 1 what is for one party, then the broadcasts of all rounds.
const DKG: &[(&str, &[u8])] = &[
    ("honest", &[2]),
    // Parties 2 and 3 hear party 1: K_S, r, e, t, the confirmation.
    ("key", &[1, 0, 0, 0, 75, 1]),
    ("reveal", &[2, 0, 2, 0, 75, 1]),
    ("value", &[2, 0, 4, 0, 200, 1]),
    ("confirmation", &[2, 0, 5, 0, 75, 1]),
    ("short", &[2, 4, 4, 1, 0]),
    ("exchanged", &[2, 7, 4, 0, 0, 11, 128]),
    // Party 3's complaints, and party 2's.
    ("complaint", &[0, 0, 8, 0, 103, 2]),
    ("no_member", &[2, 0, 2, 0, 103, 4]),
];

/// See `evidence.rs`: frames by round and sender, three of each.
const EVIDENCE: &[(&str, &[u8])] = &[
    ("honest", &[0]),
    ("cheated", &[1]),
    ("without", &[1, 2, 4]),
    ("opening", &[1, 0, 5, 0, 90, 1]),
    ("echo", &[1, 0, 7, 0, 45, 1]),
    ("relabelled", &[1, 3, 6, 1]),
    ("twice", &[0, 4, 4]),
    ("equivocation", &[0, 4 | 8 | 2, 4, 0, 90, 1]),
    ("body", &[0, 5, 7, 0, 3, 1, 2, 3]),
];
