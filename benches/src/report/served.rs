//! A load of the custody service, as `custody load --json` wrote it.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

use super::figure::{Figure, Middle, Unit, digits};
use super::published;
use super::section::{Grid, Kind, Row};

/// The outcome of a load on the custody service, and the resources that its processes used.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    nodes: u64,
    threshold: u64,
    /// Requests a second; none for as many as the callers' window allows.
    asked: Option<f64>,
    seconds: f64,
    signatures: f64,
    refused: f64,
    /// Microseconds below which a half, nine tenths, 99 of 100 and all stay.
    latency: [f64; 4],
    /// Seconds of all processes, and of the callers.
    cpu: f64,
    /// Bytes of all processes in the end.
    memory: f64,
    /// Bytes read from disk, written to it, and received over all interfaces.
    moved: [f64; 3],
}

/// Reads a file.
///
/// # Errors
/// A sentence on what is wrong, with the path.
pub(super) fn served(path: &Path) -> io::Result<Served> {
    let named = |why: String| io::Error::other(format!("{}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|why| named(why.to_string()))?;
    Served::read(&text).map_err(named)
}

impl Served {
    /// Reads what `custody load --json` prints.
    ///
    /// # Errors
    /// A sentence on what is missing.
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|why| why.to_string())?;
        let number = |field: &str| value[field].as_f64().ok_or_else(|| format!("no {field}"));
        let whole = |field: &str| value[field].as_u64().ok_or_else(|| format!("no {field}"));
        let processes = value["processes"].as_array().ok_or("no processes")?;
        let sum =
            |field: &str| -> f64 { processes.iter().filter_map(|one| one[field].as_f64()).sum() };
        let refused = value["refusals"].as_object().ok_or("no refusals")?;
        let [half, ninety, last, all] =
            ["p50_ms", "p90_ms", "p99_ms", "max_ms"].map(|field| number(field).map(|ms| ms * 1e3));
        Ok(Self {
            nodes: whole("nodes")?,
            threshold: whole("threshold")?,
            asked: Some(number("rate_asked")?).filter(|rate| *rate > 0.0),
            seconds: number("seconds")?,
            signatures: number("signatures")?,
            // The sum of nothing is -0.
            refused: refused.values().filter_map(Value::as_f64).sum::<f64>() + 0.0,
            latency: [half?, ninety?, last?, all?],
            cpu: sum("cpu_seconds"),
            memory: sum("resident_after"),
            moved: [
                sum("disk_read_bytes"),
                sum("disk_written_bytes"),
                value["network_bytes"].as_f64().unwrap_or(f64::NAN),
            ],
        })
    }

    fn who(&self) -> String {
        let asked = self.asked.map_or_else(String::new, |rate| format!(", {rate} /s asked for"));
        format!("custody service, {} of {} nodes{asked}", self.threshold, self.nodes)
    }

    fn rate(&self) -> f64 {
        self.signatures / self.seconds
    }

    /// The figures, each of one run.
    pub(super) fn figures(&self) -> Vec<Figure> {
        let [half, _, last, _] = self.latency;
        let [read, written, network] = self.moved.map(|bytes| bytes / self.seconds);
        [
            ("rate", Unit::PerSecond, self.rate()),
            ("p50", Unit::Micros, half),
            ("p99", Unit::Micros, last),
            ("cpu", Unit::Micros, self.cpu * 1e6 / self.signatures),
            ("memory", Unit::Bytes, self.memory),
            ("read_a_second", Unit::Bytes, read),
            ("written_a_second", Unit::Bytes, written),
            ("network_a_second", Unit::Bytes, network),
        ]
        .into_iter()
        .filter(|(_, _, value)| value.is_finite())
        .map(|(name, unit, value)| Figure {
            name: format!("tendermint/service/{name}"),
            who: self.who(),
            engine: String::new(),
            level: String::new(),
            unit,
            by: Middle::Median,
            samples: vec![value],
        })
        .collect()
    }

    fn row(&self) -> Row {
        let [half, ninety, last, all] = self.latency.map(|us| Unit::Micros.show(us));
        let [read, written, network] = self.moved.map(|bytes| a_second(bytes / self.seconds));
        let cores = self.cpu / self.seconds;
        let cells = vec![
            format!("{} /s", digits(self.rate())),
            format!("{half}, {ninety}, {last}, {all}"),
            format!(
                "{} cores, {} a signature",
                digits(cores),
                Unit::Micros.show(self.cpu * 1e6 / self.signatures)
            ),
            Unit::Bytes.show(self.memory),
            format!("{read}, {written}"),
            network,
            format!("{} of {}", digits(self.refused), digits(self.refused + self.signatures)),
        ];
        Row::new(Kind::Ours, format!("{}, {:.0} s", self.who(), self.seconds), cells)
    }
}

fn a_second(bytes: f64) -> String {
    if bytes.is_finite() { format!("{}/s", Unit::Bytes.show(bytes)) } else { "–".to_owned() }
}

/// Rows of the published table: latency (ms) and rate of a node and of four, CPU, memory, disk, network.
fn theirs() -> impl Iterator<Item = Row> {
    published::TENDERMINT_LOAD.into_iter().map(|(name, row)| {
        let [one, four, cpu, memory, read, written, network] = row;
        let rates = published::TENDERMINT_NODES.iter().find(|row| row.0 == name).map(|row| row.1);
        let rates = rates.map_or("–".to_owned(), |[one, four]| format!("{one} and {four} /s"));
        let cells = vec![
            rates,
            format!("{one} and {four} ms"),
            format!("{cpu} %"),
            format!("{memory} MB"),
            format!("{read} and {written} MB/s"),
            format!("{network} MB/s"),
            "–".to_owned(),
        ];
        let hardware = published::TENDERMINT.hardware;
        Row::new(Kind::Published, format!("published, {name}, 1 and 4 nodes ({hardware})"), cells)
    })
}

/// The table of a service under load.
pub(super) fn table(all: &[Served]) -> Grid {
    let mut rows: Vec<Row> = all.iter().map(Served::row).collect();
    if all.is_empty() {
        let label = "custody service: give its loads with --service";
        rows.push(Row::new(Kind::Ours, label, vec!["–".to_owned(); 7]));
    }
    rows.extend(theirs());
    let head = [
        "under load",
        "signatures",
        "latency: half, 90, 99 of 100, all",
        "CPU",
        "memory",
        "disk read, written",
        "network",
        "refused",
    ];
    Grid {
        id: "table-tendermint-service".to_owned(),
        caption: "The custody service under load: all its processes, database and broker included"
            .to_owned(),
        head: head.map(str::to_owned).into(),
        rows,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOAD: &str = r#"{"nodes": 4, "threshold": 3, "rate_asked": 0, "seconds": 10.0, "signatures": 500,
        "rate": 50.0, "p50_ms": 20.0, "p90_ms": 30.0, "p99_ms": 40.0, "max_ms": 50.5,
        "refusals": {"busy": 7}, "caller_cpu_seconds": 1.0, "network_bytes": 30000000, "processes": [
        {"name": "a", "cpu_seconds": 4.0, "resident_after": 1000000, "disk_read_bytes": 0, "disk_written_bytes": 5000000},
        {"name": "b", "cpu_seconds": 1.0, "resident_after": 2000000, "disk_read_bytes": 10, "disk_written_bytes": 5000000}]}"#;

    #[test]
    fn a_load_becomes_a_row() {
        let one = Served::read(LOAD).unwrap();
        let row = one.row();
        assert_eq!(row.label, "custody service, 3 of 4 nodes, 10 s");
        assert_eq!(
            row.cells,
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
        let figures = one.figures();
        assert_eq!(figures.len(), 8);
        assert!(figures[0].name.ends_with("/rate") && (figures[0].middle() - 50.0).abs() < 1e-9);
        let grid = table(&[one]);
        assert!(grid.rows.iter().all(|row| row.cells.len() + 1 == grid.head.len()));
        assert_eq!(table(&[]).rows.len(), 3);
    }

    #[test]
    fn what_is_no_load_is_refused() {
        for (field, why) in [
            ("\"nodes\"", "no nodes"),
            ("\"p99_ms\"", "no p99_ms"),
            ("\"processes\"", "no processes"),
        ] {
            assert_eq!(Served::read(&LOAD.replace(field, "\"x\"")).unwrap_err(), why);
        }
        assert!(Served::read("").is_err());
    }
}
