//! The demonstration that the example prints.

use core::fmt::Write;
use core::time::Duration;
use std::path::Path;

use quorate::PartyId;
use quorate_paillier::Level;

use super::args::{Crash, Settings};
use super::node::spend_elsewhere;
use super::service::{Custody, check, fresh_dir};
use super::step;
use quorate_examples::failure::Failure;
use quorate_examples::files::{check_empty, hex};
use quorate_examples::out::Out;
use quorate_examples::table::{Table, time};

const MESSAGE: &[u8] = b"pay 1 to Alice";
const OTHER: &[u8] = b"pay 1000 to Mallory";

/// One run, with a crash or without.
pub(crate) fn once(crash: &Crash, settings: Settings, out: &mut Out) -> Result<(), Failure> {
    let (other_threshold, crash) = (crash.other_threshold, crash.planned()?);
    let Settings { level, dir } = settings;
    let dir = dir.unwrap_or_else(fresh_dir);
    check_empty(&dir)?;
    let mut custody = Custody::new(&dir, level, MESSAGE)?;
    if let Some(node) = other_threshold {
        custody.misconfigure(node, 3, Duration::from_secs(1));
    }
    let crash = crash.as_ref().map(|(node, step)| (*node, &**step));
    let report = custody.run(crash, true)?;
    let signature = check(&custody, &report)?;
    if let Some((node, step)) = crash {
        let node = node.get();
        match report.killed {
            0 => writeln!(out, "node {node} never comes to {step}: it does not sign")?,
            _ => writeln!(out, "node {node} was killed at {step}, and went on")?,
        }
    }
    writeln!(out, "{} letters, {}", report.letters, time(report.time))?;
    writeln!(out, "one signature, which verifies by k256: {}", hex(&signature.to_compact()))?;
    writeln!(out, "the databases are in {}", dir.display())?;
    Ok(())
}

/// A run with a crash at each step, then an attempt to spend twice.
pub(crate) fn every_step(settings: &Settings, out: &mut Out) -> Result<(), Failure> {
    let dir = settings.dir.clone().unwrap_or_else(fresh_dir);
    check_empty(&dir)?;
    writeln!(out, "Three nodes make a key; nodes 1 and 2 sign {:?}.", text(MESSAGE))?;
    writeln!(out, "Node 2 is killed at each step in turn, and started again:\n")?;
    let node = PartyId::try_from(2)?;
    let mut table = Table::new(&["killed at", "letters", "signature", "spent", "time"]);
    let mut progress = out.progress();
    let steps = core::iter::once(None).chain(step::ALL.iter().map(Some));
    for (done, step) in (0_u32..).zip(steps) {
        let name = *step.unwrap_or(&"nowhere");
        let all = f64::from(u32::try_from(step::ALL.len())?);
        progress.show(&format!("killed at {name}"), f64::from(done) / all);
        let dir = dir.join(name);
        let custody = Custody::new(&dir, settings.level, MESSAGE)?;
        let report = custody.run(step.map(|step| (node, *step)), true)?;
        let signature = check(&custody, &report)?;
        if report.killed != usize::from(step.is_some()) {
            return Err(Failure::new("a node was not killed where it should be"));
        }
        table.row(vec![
            name.to_owned(),
            report.letters.to_string(),
            format!("{}…, verifies", hex(signature.to_compact().get(..4).unwrap_or_default())),
            "once".to_owned(),
            time(report.time),
        ]);
    }
    drop(progress);
    table.print(out);
    writeln!(out, "\nLetters beyond those of the first line were sent again.")?;
    double_spend(&dir.join("double-spend"), settings.level, out)?;
    misconfigured(&dir.join("other-threshold"), settings.level, out)?;
    writeln!(out, "\nThe databases are in {}; look into them with sqlite3.", dir.display())?;
    Ok(())
}

/// All nodes stop when node 2 has stored its claim. Then somebody asks it to sign something else.
fn double_spend(dir: &Path, level: Level, out: &mut Out) -> Result<(), Failure> {
    let node = PartyId::try_from(2)?;
    let custody = Custody::new(dir, level, MESSAGE)?;
    custody.run(Some((node, "claim")), false)?;
    writeln!(out, "\nThe power fails when node 2 has claimed its presignature for this message.")?;
    writeln!(out, "Before it comes back, node 2 is asked to sign {:?}:", text(OTHER))?;
    let config = custody.node(node).ok_or_else(|| Failure::new("there is no node 2"))?;
    match spend_elsewhere(config, OTHER) {
        Ok(()) => return Err(Failure::new("a presignature was spent twice")),
        Err(refusal) => writeln!(out, "  {refusal}")?,
    }
    let report = custody.run(None, true)?;
    let signature = check(&custody, &report)?;
    let first = hex(signature.to_compact().get(..4).unwrap_or_default());
    writeln!(out, "Then all come back: one signature, {first}…, of what was agreed first.")?;
    Ok(())
}

/// Node 3 was started with another threshold. Its frames are not taken, and nobody is left to guess.
fn misconfigured(dir: &Path, level: Level, out: &mut Out) -> Result<(), Failure> {
    let mut custody = Custody::new(dir, level, MESSAGE)?;
    custody.misconfigure(PartyId::try_from(3)?, 3, Duration::from_secs(1));
    writeln!(out, "\nNode 3 is configured with another threshold. What the operators see:")?;
    match custody.run(None, true) {
        Ok(_) => Err(Failure::new("nobody has noticed")),
        Err(refusal) => Ok(writeln!(out, "  {refusal}")?),
    }
}

fn text(message: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(message)
}
