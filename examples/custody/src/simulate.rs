//! The service under a load, by simulation: virtual time, and for the runs of presigning real runners.
//!
//! What travels takes the latency of its link, what is computed the measured time of its step on one of the cores of its
//! role, and what is stored the time of a commit. So a minute of a thousand requests a second across four regions takes
//! seconds, and says which role is the first that is not enough.

mod agenda;
mod presigning;
mod scenario;
mod world;

use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use quorate_examples::table::Table;

use self::scenario::REGIONS;
pub use self::scenario::Scenario;
use self::world::{Seen, World};

/// A role is enough below this load.
const ENOUGH: f64 = 0.9;

/// Simulates, and prints what was seen.
///
/// # Errors
/// A [`Failure`] for a scenario that cannot be.
pub(crate) fn run(scenario: &Scenario, out: &mut Out) -> Result<(), Failure> {
    let parts = [scenario.ecdsa, scenario.loss].iter().all(|part| (0.0..=1.0).contains(part));
    let load = scenario.rate > 0.0 && scenario.rate * scenario.seconds <= 1e6;
    let costs = scenario.costs.presign_us.len() == presigning::ROUNDS;
    if scenario.threshold > scenario.nodes || !parts || !load || !costs || scenario.loss > 0.9 {
        return Err(Failure::usage(
            "a threshold up to the nodes, parts from 0 to 1 (of losses to 0.9), four costs of presigning, up to a million requests in all",
        ));
    }
    let world = World::new(scenario).ok_or_else(|| Failure::new("no such parties"))?;
    print(scenario, &world.run(), out);
    Ok(())
}

fn print(scenario: &Scenario, seen: &Seen, out: &mut Out) {
    let [came, signed] = seen.requests;
    let mut table = Table::new(&["figure", "simulated"]);
    let mut row = |name: &str, value: String| table.row(vec![name.to_owned(), value]);
    let regions: Vec<_> = REGIONS.into_iter().take(scenario.regions.into()).collect();
    row("regions", regions.join(", "));
    row("requests, signed", format!("{came}, {signed}"));
    for (name, part) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("longest", 1.0)] {
        row(&format!("latency, {name}"), format!("{:.0} ms", percentile(seen, part) * 1e3));
    }
    for (role, load) in ROLES.iter().zip(seen.loads) {
        row(&format!("load of the {role}"), format!("{:.0} %", load * 100.0));
    }
    let (runs, longest) = seen.runs;
    row("runs of 32 presignatures, longest", format!("{runs}, {longest:.2} s"));
    row("requests that waited for a presignature", seen.waited.to_string());
    let [packets, lost] = seen.packets;
    row("packets of presigning, lost", format!("{packets}, {lost}"));
    row("keys stored at a node", scenario.keys.to_string());
    row("what bounds it", bound(seen).to_owned());
    table.print(out);
}

const ROLES: [&str; 3] = ["signers", "presigners", "gateways"];

fn percentile(seen: &Seen, part: f64) -> f64 {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "an index below the length"
    )]
    let at = ((seen.latencies.len() as f64 * part).ceil() as usize).saturating_sub(1);
    seen.latencies.get(at).copied().unwrap_or_default()
}

/// The busiest role, if it is not enough.
fn bound(seen: &Seen) -> &'static str {
    let roles = ROLES.into_iter().zip(seen.loads);
    let most = roles.max_by(|one, other| one.1.total_cmp(&other.1));
    match most {
        Some((role, load)) if load >= ENOUGH => role,
        _ => "the network and the commits: every role has cores to spare",
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        scenario: Scenario,
    }

    fn seen(args: &str) -> Seen {
        let args = core::iter::once("simulate").chain(args.split_whitespace());
        let Cli { scenario } = Cli::parse_from(args);
        World::new(&scenario).unwrap().run()
    }

    #[test]
    fn every_request_is_signed_and_the_seed_determines_it() {
        let args = "--rate 200 --seconds 5 --loss 0.05 --regions 4 --nodes 4";
        let one = seen(args);
        let [came, signed] = one.requests;
        assert_eq!(came, signed);
        assert!((850..1150).contains(&came), "{came}");
        assert!(one.packets[1] > 0 && one.runs.0 > 0, "{one:?}");
        assert_eq!(seen(args), one);
        assert_ne!(seen(&format!("{args} --seed 2")), one);
    }

    #[test]
    fn loads_are_rates_times_costs() {
        // 300 a second, 500 µs each on one core.
        let one =
            seen("--rate 300 --seconds 20 --ecdsa 0 --frost-node-us 500 --frost-gateway-us 1000");
        let [signers, presigners, gateways] = one.loads;
        assert!((signers - 0.15).abs() < 0.01 && (gateways - 0.3).abs() < 0.02, "{one:?}");
        assert!(presigners.abs() < 1e-9);
        // 100 ECDSA a second, 2 ms of presigning each.
        let one = seen("--rate 100 --seconds 60 --ecdsa 1 --presign-us 500,500,500,500");
        assert!((one.loads[1] - 0.2).abs() < 0.03, "{one:?}");
    }

    #[test]
    fn a_request_takes_two_ways_three_commits_and_its_work() {
        let one = seen(
            "--rate 1 --seconds 30 --ecdsa 0 --threshold 2 --nodes 2 --regions 4 --commit-us 5000",
        );
        // The second node is 31 ms away, there and back, with a tenth of jitter; three commits of 5 ms.
        let p50 = percentile(&one, 0.5);
        assert!((0.077..0.085).contains(&p50), "{p50}");
    }

    #[test]
    fn presigners_that_are_not_enough_bound_it() {
        let one = seen("--rate 100 --seconds 20 --ecdsa 1 --presign-us 5000,5000,5000,5000");
        assert_eq!(bound(&one), "presigners");
        assert!(one.waited > 100, "{one:?}");
    }
}
