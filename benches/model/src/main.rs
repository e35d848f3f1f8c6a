//! Prints the table of what was explored, or the shortest trace of a failure.

use std::time::Instant;

use quorate_model::agreement::{Case, cases, large, live, liveness, variants};
use quorate_model::{explore, shortest};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (first, second) = (arguments.next(), arguments.next());
    match first.as_deref() {
        Some("trace") => traces(&second.unwrap_or_default()),
        Some("large") => safety(&large()),
        None => {
            safety(&cases());
            ends();
        }
        Some(other) => eprintln!("expected `trace NAME`, `large` or nothing, got {other}"),
    }
}

/// The shortest failure of each variant whose name contains this.
fn traces(name: &str) {
    for (case, property) in variants() {
        let variant = format!("{:?}", case.variant);
        if variant.contains(name) {
            println!("{variant}, {}, {:?} restored: {property} fails", case.name, case.restore);
            let acts = shortest(&case, property);
            acts.unwrap_or_default().iter().for_each(|act| println!("    {act:?}"));
        }
    }
}

fn safety(cases: &[Case]) {
    for case in cases {
        let start = Instant::now();
        let found = explore(case, 2, None);
        let failures: Vec<&str> = found.failures.iter().map(|one| one.0).collect();
        let holds = if failures.is_empty() { "S1 S2 S3 M hold" } else { "FAILS" };
        row(case, found.states, start, &format!("{holds} {}", failures.join(" ")));
    }
}

fn ends() {
    for case in &live() {
        let start = Instant::now();
        let found = liveness(case);
        row(case, found.states, start, &format!("L: {} stuck", found.stuck));
    }
}

fn row(case: &Case, states: usize, start: Instant, end: &str) {
    let (name, restore) = (case.name, format!("{:?}", case.restore));
    let seconds = start.elapsed().as_secs_f32();
    println!("{name:42} {restore:18} {states:>8} states {seconds:>5.1} s  {end}");
}
