//! A load of the custody service, as `custody-load` wrote it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::figure::{Figure, Unit, digits};
use super::section::{Grid, Kind, or_dash};

/// The outcome of a load on the custody service, and the resources that its processes used.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Served {
    nodes: u64,
    threshold: u64,
    /// Requests a second; none for as many as the callers' window allows.
    rate_asked: f64,
    seconds: f64,
    signatures: f64,
    p50_ms: f64,
    p90_ms: f64,
    p99_ms: f64,
    max_ms: f64,
    refusals: BTreeMap<String, f64>,
    /// Bytes received over all interfaces.
    network_bytes: Option<f64>,
    processes: Vec<Process>,
}

/// The resources of a process.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Process {
    cpu_seconds: f64,
    resident_after: f64,
    disk_read_bytes: f64,
    disk_written_bytes: f64,
}

impl Served {
    fn who(&self) -> String {
        let asked = Some(self.rate_asked).filter(|rate| *rate > 0.0);
        let asked = asked.map_or_else(String::new, |rate| format!(", {rate} /s asked for"));
        format!("custody service, {} of {} nodes{asked}", self.threshold, self.nodes)
    }

    /// The resources that all processes used together.
    fn sum(&self, of: fn(&Process) -> f64) -> f64 {
        self.processes.iter().map(of).sum()
    }

    /// Microseconds of CPU for each signature.
    fn cpu(&self) -> f64 {
        self.sum(|one| one.cpu_seconds) * 1e6 / self.signatures
    }

    /// Bytes a second that were read from disk, written to it, and received.
    fn moved(&self) -> [Option<f64>; 3] {
        let disk = [self.sum(|one| one.disk_read_bytes), self.sum(|one| one.disk_written_bytes)];
        [Some(disk[0]), Some(disk[1]), self.network_bytes].map(|bytes| Some(bytes? / self.seconds))
    }

    /// The figures, each of one run.
    pub(super) fn figures(&self) -> Vec<Figure> {
        let [read, written, network] = self.moved();
        [
            ("rate", Unit::PerSecond, Some(self.signatures / self.seconds)),
            ("p50", Unit::Micros, Some(self.p50_ms * 1e3)),
            ("p99", Unit::Micros, Some(self.p99_ms * 1e3)),
            ("cpu", Unit::Micros, Some(self.cpu())),
            ("memory", Unit::Bytes, Some(self.sum(|one| one.resident_after))),
            ("read_a_second", Unit::Bytes, read),
            ("written_a_second", Unit::Bytes, written),
            ("network_a_second", Unit::Bytes, network),
        ]
        .into_iter()
        .filter_map(|(name, unit, value)| {
            let name = format!("tendermint/service/{name}");
            Some(Figure::new(name, unit, vec![value.filter(|value| value.is_finite())?]))
        })
        .map(|figure| figure.of(self.who()))
        .collect()
    }

    fn cells(&self) -> [String; 7] {
        let latency = [self.p50_ms, self.p90_ms, self.p99_ms, self.max_ms];
        let a_second = |bytes: f64| format!("{}/s", Unit::Bytes.show(bytes));
        let [read, written, network] = self.moved().map(|bytes| or_dash(bytes.map(a_second)));
        let cores = self.sum(|one| one.cpu_seconds) / self.seconds;
        let refused = self.refusals.values().fold(0.0, |sum, count| sum + count);
        [
            format!("{} /s", digits(self.signatures / self.seconds)),
            latency.map(|ms| Unit::Micros.show(ms * 1e3)).join(", "),
            format!("{} cores, {} a signature", digits(cores), Unit::Micros.show(self.cpu())),
            Unit::Bytes.show(self.sum(|one| one.resident_after)),
            format!("{read}, {written}"),
            network,
            format!("{} of {}", digits(refused), digits(refused + self.signatures)),
        ]
    }
}

/// The table of a service under load, with the published ones.
pub(super) fn table(all: &[Served]) -> Grid {
    let caption = "The custody service under load: all its processes, database and broker included";
    let head = [
        "signatures",
        "latency: half, 90, 99 of 100, all",
        "CPU",
        "memory",
        "disk read, written",
        "network",
        "refused",
    ];
    let mut grid = Grid::new(["table-tendermint-service", caption, "under load"], head);
    for one in all {
        grid.row(Kind::Ours, format!("{}, {:.0} s", one.who(), one.seconds), one.cells());
    }
    if all.is_empty() {
        let label = "custody service: give its loads with --service";
        grid.row(Kind::Ours, label, [const { None }; 7]);
    }
    grid.cite("");
    grid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::files::from_json;

    const LOAD: &str = r#"{"nodes": 4, "threshold": 3, "rate_asked": 0, "seconds": 10.0, "signatures": 500,
        "rate": 50.0, "p50_ms": 20.0, "p90_ms": 30.0, "p99_ms": 40.0, "max_ms": 50.5,
        "refusals": {"busy": 7}, "caller_cpu_seconds": 1.0, "network_bytes": 30000000, "processes": [
        {"name": "a", "cpu_seconds": 4.0, "resident_after": 1000000, "disk_read_bytes": 0, "disk_written_bytes": 5000000},
        {"name": "b", "cpu_seconds": 1.0, "resident_after": 2000000, "disk_read_bytes": 10, "disk_written_bytes": 5000000}]}"#;

    #[test]
    fn a_load_becomes_a_row() {
        let one: Served = from_json(LOAD).unwrap();
        let figures = one.figures();
        assert_eq!(figures.len(), 8);
        assert!(figures[0].name.ends_with("/rate") && (figures[0].middle() - 50.0).abs() < 1e-9);
        let grid = table(&[one]);
        assert_eq!(grid.rows[0].label, "custody service, 3 of 4 nodes, 10 s");
        assert_eq!(
            grid.rows[0].cells,
            [
                "50 /s",
                "20 ms, 30 ms, 40 ms, 50.5 ms",
                "0.500 cores, 10 ms a signature",
                "3 MB",
                "1 B/s, 1 MB/s",
                "3 MB/s",
                "7 of 507",
            ]
        );
        assert!(grid.rows.iter().all(|row| row.cells.len() + 1 == grid.head.len()));
        assert_eq!(table(&[]).rows.len(), 3);
    }

    #[test]
    fn what_is_no_load_is_refused() {
        for field in ["nodes", "p99_ms", "processes"] {
            let why = from_json::<Served>(&LOAD.replace(&format!("\"{field}\""), "\"x\""));
            let why = why.unwrap_err();
            assert!(why.contains(&format!("`{field}`")), "{why}");
        }
        assert!(from_json::<Served>("").is_err());
    }
}
