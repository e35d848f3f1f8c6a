//! The cost of all slots that a key may try, compared with the table in `docs/mldsa.md`.

use std::fs;
use std::string::String;
use std::vec::Vec;

use super::*;
use crate::model::cost;

/// A line of the table: the shape, and the bits of the three levels, published and strict.
fn line(shape: Shape) -> String {
    let of = |(profile, level)| {
        let set = ParameterSet::of(level, profile, shape)?;
        Some(std::format!("{:.2}", cost(shape, &set)?.radii))
    };
    let pairs = Profile::ALL.into_iter().flat_map(|profile| Level::ALL.map(|l| (profile, l)));
    let cells = pairs.map(|pair| of(pair).unwrap_or_else(|| String::from("–")));
    let cells: Vec<String> = cells.collect();
    std::format!("| {} of {} | {} |", shape.threshold, shape.parties, cells.join(" | "))
}

/// The radii cost 0.42 to 2.52 bits.
#[test]
fn all_slots_of_a_key_cost_a_few_bits() {
    for (shape, set, _) in all() {
        let found = cost(shape, &set).unwrap();
        let name = std::format!("{} {} {shape:?}", set.level, set.profile);
        assert!((0.41..2.53).contains(&found.radii), "{name}: {}", found.radii);
        // The first term of the logarithm, if there are as many slots as 1/ε: p/(1 − p).
        let p = acceptance(&set);
        let most = p / (1.0 - p) / core::f64::consts::LN_2;
        assert!(found.radii <= most && found.radii > 0.92 * most, "{name}: {most}");
    }
}

/// Normal numbers that end too early cost more than the radii do. With 52 bits it is 1100 to 134 000 bits for a
/// strict key.
#[test]
fn the_sampler_costs_a_fraction_of_a_bit() {
    for (shape, set, _) in all() {
        let found = cost(shape, &set).unwrap().sampler;
        assert!(found < 0.04, "{} {} {shape:?}: {found}", set.level, set.profile);
    }
}

/// The published package does not contain the documents.
#[test]
fn the_document_has_the_cost_of_every_row() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/mldsa.md");
    let Ok(document) = fs::read_to_string(path) else { return };
    for parties in 2..=6 {
        for threshold in 2..=parties {
            let line = line(Shape { threshold, parties });
            assert!(document.lines().any(|other| other == line), "{line}");
        }
    }
}
