//! The demonstration that the example prints.

use quorate_examples::failure::Failure;
use quorate_examples::files::hex;
use quorate_examples::out::Out;
use quorate_examples::table::Table;

use crate::args::Settings;
use crate::gateway::MARKS;
use crate::service::{Custody, MAY, fresh_dir};

/// How long the others wait for a node that is configured otherwise, in milliseconds.
const PATIENCE: u64 = 5_000;

/// What is asked for: payments to Alice, and one that the policy of the nodes forbids.
#[must_use]
pub fn requests(count: u32) -> Vec<Vec<u8>> {
    let message = |number| match number {
        3 => "pay 1000 to Mallory".to_owned(),
        _ => format!("pay {number} to Alice"),
    };
    (1..=count).map(|number| message(number).into_bytes()).collect()
}

/// Runs it, or goes on with it.
pub(crate) fn run(settings: &Settings, out: &mut Out) -> Result<(), Failure> {
    if let Some(node) = settings.other_threshold.filter(|node| node.get() > 3) {
        return Err(Failure::usage(format!("node {node}: there are three nodes")));
    }
    let dir = settings.dir.clone().unwrap_or_else(fresh_dir);
    let (mut custody, there) = Custody::open(&dir, settings)?;
    if let Some(node) = settings.other_threshold {
        custody.misconfigure(node, 3, PATIENCE);
    }
    out.line(if there {
        "Going on in:"
    } else {
        "Three nodes make a key, of which two can sign, in:"
    });
    out.line(format!("  {}", dir.display()));
    let resolved = custody.run(&requests(settings.requests), out)?;
    let mut table = Table::new(&["request", "message", "outcome"]);
    for one in resolved {
        let signature = one.signature.map(|bytes| hex(bytes.get(..8).unwrap_or_default()));
        let unsure = one.refused.as_ref().is_some_and(|(_, certain)| !certain);
        let none = if unsure { MAY } else { "refused" };
        let outcome = signature.map_or_else(|| none.to_owned(), |start| format!("{start}…"));
        let message = String::from_utf8_lossy(&one.message).into_owned();
        table.row(vec![one.number.to_string(), message, outcome]);
    }
    out.line("");
    table.print(out);
    out.line(format!("\nThe stock is between {} and {} presignatures.", MARKS.low, MARKS.high));
    out.line(
        "Kill it next time, with kill -9 and whenever you like, and start it again with --dir:",
    );
    out.line(
        "what was agreed goes on, nothing is signed twice, and no presignature is spent twice.",
    );
    Ok(())
}
