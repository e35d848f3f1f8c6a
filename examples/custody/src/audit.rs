//! An audit after a run: what every node and the gateway have written down themselves, held against each other.
//!
//! It reads databases, ledgers and records of frames, of either fitting, and changes nothing. Let everything rest before:
//! what is under way may look like a difference.

pub(crate) mod blame;
mod claims;
mod frames;
mod ledgers;
pub mod places;
mod requests;
mod runs;
mod stocks;

use std::collections::BTreeSet;
use std::path::Path;

use quorate::PartyId;
use quorate::runner::Time;
use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use quorate_examples::table::Table;
use serde_json::json;

pub use self::places::{NodePlace, Places};
use crate::node::now;
use crate::sql::{Address, Db, Settings};

/// The findings of a check that are kept.
const SHOWN: usize = 20;

/// What a run is held against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The moment that deadlines are compared with.
    pub now: Time,
    /// A request may end so many milliseconds after its deadline: its gateway waits for answers that are under way, and may
    /// have been down.
    pub slack: Time,
    /// The nodes that are known to have misbehaved: to blame them is no finding.
    pub culprits: BTreeSet<PartyId>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { now: now(), slack: 20_000, culprits: BTreeSet::new() }
    }
}

/// A check, and what it has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Check {
    /// What has to hold.
    pub name: &'static str,
    /// How many things it has looked at.
    pub looked: u64,
    /// How often it does not hold.
    pub found: u64,
    /// The first findings.
    pub findings: Vec<String>,
}

impl Check {
    const fn new(name: &'static str) -> Self {
        Self { name, looked: 0, found: 0, findings: Vec::new() }
    }

    const fn looked(&mut self) {
        self.looked = self.looked.saturating_add(1);
    }

    fn found(&mut self, finding: String) {
        self.found = self.found.saturating_add(1);
        if self.findings.len() < SHOWN {
            self.findings.push(finding);
        }
    }
}

/// All checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Audit {
    /// In the order in which they were made.
    pub checks: Vec<Check>,
}

impl Audit {
    /// Makes all checks.
    ///
    /// # Errors
    /// A [`Failure`] if something cannot be read.
    pub fn of(places: &Places, bounds: &Bounds) -> Result<Self, Failure> {
        let mut checks = vec![frames::check(places)?];
        checks.extend(claims::check(places)?);
        checks.push(ledgers::check(places)?);
        checks.push(stocks::check(places)?);
        checks.extend(requests::check(places, bounds)?);
        checks.push(runs::check(places, bounds)?);
        checks.push(blame::check(places, bounds)?);
        Ok(Self { checks })
    }

    /// Whether everything holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.checks.iter().all(|check| check.found == 0)
    }

    /// The check of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Check> {
        self.checks.iter().find(|check| check.name == name)
    }

    /// Prints a table, and the findings below.
    pub fn print(&self, out: &mut Out) {
        let mut table = Table::new(&["audit", "looked at", "findings"]);
        for check in &self.checks {
            let row =
                vec![check.name.to_owned(), check.looked.to_string(), check.found.to_string()];
            table.row(row);
        }
        table.print(out);
        for check in &self.checks {
            for finding in &check.findings {
                out.line(format!("  {}: {finding}", check.name));
            }
        }
    }

    /// The same as JSON.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        let check = |check: &Check| {
            json!({
                "name": check.name, "looked": check.looked, "found": check.found,
                "findings": check.findings,
            })
        };
        json!({ "holds": self.holds(), "checks": self.checks.iter().map(check).collect::<Vec<_>>() })
    }
}

/// Audits a folder, and prints what comes of it.
///
/// # Errors
/// A [`Failure`] if something is found, or cannot be read.
pub fn run(
    dir: &Path,
    record: Option<&Path>,
    json: bool,
    bounds: &Bounds,
    out: &mut Out,
) -> Result<(), Failure> {
    let audit = Audit::of(&Places::find(dir, record)?, bounds)?;
    if json {
        out.line(audit.json());
    } else {
        audit.print(out);
    }
    if audit.holds() { Ok(()) } else { Err(Failure::new("the audit has findings")) }
}

/// Opens a database that is there.
fn open(address: &Address) -> Result<Db, Failure> {
    if let Address::Sqlite(path) = address
        && !path.is_file()
    {
        return Err(Failure::new(format!("{} is not there", path.display())));
    }
    Ok(Db::open(address, Settings::default())?)
}
