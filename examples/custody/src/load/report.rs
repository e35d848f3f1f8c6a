//! What is printed of a load: a table, or JSON.

use core::time::Duration;

use quorate_examples::out::Out;
use quorate_examples::table::Table;
use serde_json::{Value, json};

use super::{Percentiles, Tally};
use crate::usage::Usage;

/// A process before and after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// What it had used before; nothing if it was another process.
    pub before: Option<Usage>,
    /// What it has used now.
    pub after: Usage,
}

impl Process {
    fn cpu(&self) -> Duration {
        self.after.cpu.saturating_sub(self.before.unwrap_or_default().cpu)
    }

    /// Bytes read from disk and written to it.
    fn disk(&self) -> [u64; 2] {
        let (before, after) = (self.before.unwrap_or_default(), self.after);
        [after.read.saturating_sub(before.read), after.written.saturating_sub(before.written)]
    }
}

/// The outcome of a load, and the resources that the processes used.
#[derive(Clone, Debug)]
pub struct Report {
    /// Signatures and refusals.
    pub tally: Tally,
    /// The processes.
    pub processes: Vec<Process>,
    /// The caller's own processor time.
    pub caller: Duration,
    /// Bytes that came in over all interfaces of the machine meanwhile, those of other programs too.
    pub network: Option<u64>,
    /// Bytes that all disks of the machine were given to write meanwhile, by other programs too.
    pub disks: Option<u64>,
}

impl Report {
    /// Prints tables.
    pub fn print(&self, out: &mut Out) {
        let Percentiles { half, ninety, ninety_nine, all } = self.tally.percentiles();
        let mut table = Table::new(&[
            "signatures",
            "seconds",
            "a second",
            "p50 ms",
            "p90 ms",
            "p99 ms",
            "max ms",
        ]);
        let seconds = format!("{:.1}", self.tally.elapsed.as_secs_f64());
        let mut row = vec![self.tally.signatures().to_string(), seconds];
        row.push(format!("{:.1}", self.tally.rate()));
        row.extend([half, ninety, ninety_nine, all].map(|time| format!("{:.1}", millis(time))));
        table.row(row);
        table.print(out);
        let refusals = self.tally.refusals();
        if !refusals.is_empty() {
            out.line("");
            let mut table = Table::new(&["without a signature", "reason"]);
            for (why, count) in refusals {
                table.row(vec![count.to_string(), why.chars().take(120).collect()]);
            }
            table.print(out);
        }
        out.line("");
        let mut table = Table::new(&[
            "process",
            "CPU s",
            "CPU ms a signature",
            "MB before",
            "MB after",
            "MB read",
            "MB written",
        ]);
        for process in &self.processes {
            let before =
                process.before.map_or_else(|| "new".to_owned(), |usage| megabytes(usage.resident));
            let cpu = process.cpu();
            table.row(vec![
                process.name.clone(),
                format!("{:.2}", cpu.as_secs_f64()),
                self.each(cpu).map_or_else(|| "–".to_owned(), |each| format!("{each:.3}")),
                before,
                megabytes(process.after.resident),
                megabytes(process.disk()[0]),
                megabytes(process.disk()[1]),
            ]);
        }
        table.print(out);
        if let Some(bytes) = self.network {
            out.line(format!("\n{} MB came in over all interfaces.", megabytes(bytes)));
        }
        if let Some(bytes) = self.disks {
            let each = bytes.checked_div(self.tally.signatures()).unwrap_or(0);
            let each = format!("{:.1} kB a signature", each as f64 / 1e3);
            let all = megabytes(bytes);
            out.line(format!("\n{all} MB were written to all disks, by whomever: {each}."));
        }
        out.line(format!("\nThe caller itself took {:.2} s of CPU.", self.caller.as_secs_f64()));
    }

    /// The same as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let Percentiles { half, ninety, ninety_nine, all } = self.tally.percentiles();
        let processes = self.processes.iter().map(|process| {
            json!({
                "name": process.name,
                "cpu_seconds": process.cpu().as_secs_f64(),
                "cpu_ms_each": self.each(process.cpu()),
                "resident_before": process.before.map(|usage| usage.resident),
                "resident_after": process.after.resident,
                "disk_read_bytes": process.disk()[0],
                "disk_written_bytes": process.disk()[1],
            })
        });
        json!({
            "signatures": self.tally.signatures(),
            "seconds": self.tally.elapsed.as_secs_f64(),
            "rate": self.tally.rate(),
            "p50_ms": millis(half), "p90_ms": millis(ninety),
            "p99_ms": millis(ninety_nine), "max_ms": millis(all),
            "refusals": self.tally.refusals(),
            "processes": processes.collect::<Vec<_>>(),
            "caller_cpu_seconds": self.caller.as_secs_f64(),
            "network_bytes": self.network,
            "disks_written_bytes": self.disks,
        })
    }

    /// Milliseconds for each signature.
    fn each(&self, cpu: Duration) -> Option<f64> {
        let signatures = self.tally.signatures();
        (signatures > 0).then(|| millis(cpu) / signatures as f64)
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_and_json_say_the_same() {
        let mut tally = Tally::default();
        tally.elapsed = Duration::from_secs(2);
        (0..100).for_each(|_| tally.signed(Duration::from_millis(7)));
        tally.refused("busy");
        let usage = |seconds, resident| Usage {
            cpu: Duration::from_secs(seconds),
            resident,
            read: 0,
            written: resident >> 1,
        };
        let process = |name: &str, before| Process {
            name: name.to_owned(),
            before,
            after: usage(5, 30_000_000),
        };
        let processes = vec![process("n1-1", Some(usage(3, 20_000_000))), process("n1-2", None)];
        let caller = Duration::from_millis(250);
        let (network, disks) = (Some(7_000_000), Some(4_200_000));
        let report = Report { tally, processes, caller, network, disks };
        let json = report.json();
        assert_eq!(json["rate"], 50.0);
        assert_eq!(json["p99_ms"], 7.0);
        assert_eq!(json["refusals"]["busy"], 1);
        assert_eq!(json["processes"][0]["cpu_ms_each"], 20.0);
        assert!(json["processes"][1]["resident_before"].is_null());
        assert_eq!(json["processes"][0]["disk_written_bytes"], 5_000_000);
        assert_eq!(json["processes"][1]["disk_written_bytes"], 15_000_000);
        assert_eq!(json["network_bytes"], 7_000_000);
        assert_eq!(json["disks_written_bytes"], 4_200_000);
        let mut out = Out::captured();
        report.print(&mut out);
        let text = out.into_text();
        for words in [
            "50.0", "7.0", "busy", "20.000", "new", "0.25 s", "15.0", "7.0 MB", "4.2 MB", "42.0 kB",
        ] {
            assert!(text.contains(words), "{words} in\n{text}");
        }
    }
}
