//! Prints the tables of what was explored, or the shortest trace of a failure.

use std::fmt::Debug;
use std::hash::Hash;
use std::time::Instant;

use quorate_model::{agreement, broadcast, explore, shortest, spent, votes};
use stateright::Model;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (first, second) = (arguments.next(), arguments.next());
    match first.as_deref() {
        Some("trace") => traces(&second.unwrap_or_default()),
        Some("large") => {
            agreement::large().iter().for_each(agreement_row);
            broadcast::large().iter().for_each(|case| row(case.name, case));
        }
        None => {
            agreement::cases().iter().for_each(agreement_row);
            ends();
            broadcast::cases().iter().for_each(|case| row(case.name, case));
            spent::cases().iter().for_each(|case| row(case.name, case));
            votes::cases().iter().for_each(|case| row(case.name, case));
        }
        Some(other) => eprintln!("expected `trace NAME`, `large` or nothing, got {other}"),
    }
}

/// The shortest failure of each variant whose name contains this, and of each restore that nobody notices.
fn traces(name: &str) {
    for (case, property) in agreement::variants() {
        let title = format!("{:?}, {}, {:?} restored", case.variant, case.name, case.restore);
        trace(name, &title, &case, property);
    }
    for (case, property) in broadcast::variants() {
        trace(name, &format!("{:?}, {}", case.without, case.name), &case, property);
    }
    for (case, property) in spent::variants() {
        trace(name, &format!("{:?}, {}", case.without, case.name), &case, property);
    }
    for (case, property) in votes::variants() {
        trace(name, &format!("{:?}, {}", case.without, case.name), &case, property);
    }
    for case in spent::unnoticed() {
        trace(name, &format!("Unnoticed, {}", case.name), &case, "once");
    }
}

fn trace<M>(name: &str, title: &str, model: &M, property: &str)
where
    M: Model,
    M::Action: Clone + Debug,
    M::State: Clone + Eq + Hash,
{
    if title.contains(name) {
        println!("{title}: {property} fails");
        let acts = shortest(model, property);
        acts.unwrap_or_default().iter().for_each(|act| println!("    {act:?}"));
    }
}

fn agreement_row(case: &agreement::Case) {
    row(&format!("{}, {:?} restored", case.name, case.restore), case);
}

fn row<M>(name: &str, model: &M)
where
    M: Model + Clone + Send + Sync + 'static,
    M::Action: Clone + PartialEq + Debug,
    M::State: Clone + PartialEq + Hash + Debug + Send + Sync + 'static,
{
    let start = Instant::now();
    let found = explore(model, 2, None);
    let failures: Vec<&str> = found.failures.iter().map(|one| one.0).collect();
    let properties: Vec<&str> = model.properties().iter().map(|one| one.name).collect();
    let end = if failures.is_empty() {
        format!("{} hold", properties.join(" "))
    } else {
        format!("{} FAIL", failures.join(" "))
    };
    line(name, found.states, start, &end);
}

fn ends() {
    for case in &agreement::live() {
        let start = Instant::now();
        let found = agreement::liveness(case);
        line(case.name, found.states, start, &format!("L: {} stuck", found.stuck));
    }
}

fn line(name: &str, states: usize, start: Instant, end: &str) {
    let seconds = start.elapsed().as_secs_f32();
    println!("{name:60} {states:>8} states {seconds:>5.1} s  {end}");
}
