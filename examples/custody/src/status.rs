//! The status of a deployment as tables: its processes, keys and nodes.

use core::time::Duration;
use std::path::Path;

use quorate_examples::failure::Failure;
use quorate_examples::out::Out;
use quorate_examples::table::Table;
use serde_json::Value;
use tokio::runtime::Builder;

use crate::bus::nats::dead::{DeadLetters, dead_letters};
use crate::deployment::unit::{Unit, units};
use crate::deployment::{Deployment, servers};
use crate::http::client::Client;
use crate::usage;

/// A process answers within this.
const PATIENCE: Duration = Duration::from_secs(3);

/// Prints it.
pub(crate) fn run(dir: &Path, json: bool, out: &mut Out) -> Result<(), Failure> {
    let deployment = Deployment::open(dir)?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let status = runtime.block_on(async {
        let answer = Client::new(deployment.gateway(), PATIENCE).get("/v1/status").await;
        answer.and_then(|answer| answer.json::<Value>())
    });
    let dead = servers::dead_letters(&deployment);
    let dead = dead.and_then(|(access, seed)| runtime.block_on(dead_letters(&access, &seed)));
    let mut processes = Vec::new();
    for unit in units(&deployment) {
        processes.push((unit.name.clone(), unit.pid(), runtime.block_on(ready(&unit))));
    }
    for (name, pid) in servers::pids(&deployment) {
        processes.push((name, pid, if pid.is_some() { "running" } else { "down" }.to_owned()));
    }
    if json {
        let processes = processes.iter().map(
            |(name, pid, state)| serde_json::json!({ "name": name, "pid": pid, "state": state }),
        );
        let all = serde_json::json!({
            "processes": processes.collect::<Vec<_>>(),
            "gateway": status.unwrap_or(Value::Null),
            "dead_letters": dead.map_or(Value::Null, |dead| json_of(&dead)),
        });
        out.line(all);
        return Ok(());
    }
    table(&processes, out);
    match status {
        Ok(status) => gateway(&status, out),
        Err(why) => out.line(format!("\nThe gateway does not answer: {why}")),
    }
    match dead {
        Ok(dead) => letters(&dead, out),
        Err(why) => out.line(format!("\nDead letters: {why}")),
    }
    Ok(())
}

fn json_of(dead: &DeadLetters) -> Value {
    let senders = dead.senders.iter().map(|(sender, (count, why))| {
        serde_json::json!({ "sender": sender.to_string(), "count": count, "last": why })
    });
    serde_json::json!({ "total": dead.total, "senders": senders.collect::<Vec<_>>() })
}

fn letters(dead: &DeadLetters, out: &mut Out) {
    out.line("");
    if dead.total == 0 {
        return out.line("No dead letters.");
    }
    let mut table = Table::new(&["dead letters of", "number", "the last one"]);
    for (sender, (count, why)) in &dead.senders {
        table.row(vec![sender.to_string(), count.to_string(), shown(why)]);
    }
    table.row(vec!["all".to_owned(), dead.total.to_string(), String::new()]);
    table.print(out);
}

async fn ready(unit: &Unit) -> String {
    if unit.pid().is_none() {
        return "down".to_owned();
    }
    match Client::new(unit.probes, PATIENCE).get("/readyz").await {
        Ok(answer) => {
            let state: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            let text = |name| state.get(name).and_then(Value::as_str).map(shown);
            let why = text("why").map(|why| format!(": {why}")).unwrap_or_default();
            format!("{}{why}", text("state").unwrap_or_default())
        }
        Err(_) => "no answer".to_owned(),
    }
}

fn table(processes: &[(String, Option<u32>, String)], out: &mut Out) {
    let mut table = Table::new(&["process", "pid", "CPU s", "MB", "state"]);
    for (name, pid, state) in processes {
        let used = pid.map(usage::with_children).unwrap_or_default();
        table.row(vec![
            name.clone(),
            pid.map(|pid| pid.to_string()).unwrap_or_default(),
            format!("{:.1}", used.cpu.as_secs_f64()),
            format!("{:.1}", used.resident as f64 / 1e6),
            state.clone(),
        ]);
    }
    table.print(out);
}

fn gateway(status: &Value, out: &mut Out) {
    let number = |value: &Value, name: &str| match value.get(name) {
        Some(Value::Null) | None => "–".to_owned(),
        Some(value) => value.as_str().map_or_else(|| value.to_string(), shown),
    };
    let rows = |name: &str| status.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    out.line("");
    let columns = ["open", "taken", "refused", "not_taken", "orders_again"];
    let mut table =
        Table::new(&["ECDSA", "Ed25519", "open", "taken", "refused", "not taken", "orders again"]);
    let signed = status.get("signed").cloned().unwrap_or_default();
    let mut row = vec![number(&signed, "ecdsa"), number(&signed, "ed25519")];
    row.extend(columns.map(|name| number(status, name)));
    table.row(row);
    table.print(out);
    out.line("");
    let mut table = Table::new(&["key", "scheme", "epoch", "left", "high", "public key"]);
    for key in rows("keys") {
        table.row(
            ["id", "scheme", "epoch", "left", "high", "public_key"]
                .map(|name| number(&key, name))
                .into(),
        );
    }
    table.print(out);
    out.line("");
    let mut table =
        Table::new(&["node", "heard ms ago", "epoch", "head", "owes", "cheated", "refuses"]);
    for node in rows("nodes") {
        table.row(
            ["node", "heard_ms", "epoch", "head", "unanswered", "cheated", "refuses"]
                .map(|name| {
                    let text = number(&node, name);
                    if name == "head" { text.chars().take(8).collect() } else { text }
                })
                .into(),
        );
    }
    table.print(out);
    for notice in rows("notices") {
        out.line(format!("notice: {}", shown(notice.as_str().unwrap_or_default())));
    }
}

/// A text of another process for the terminal.
fn shown(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(200).collect()
}
