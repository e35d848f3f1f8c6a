//! `custody status`: what the process of a folder says about itself.

use core::net::SocketAddr;
use core::time::Duration;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::folder::Folder;
use crate::settings::Settings;

/// The time for an answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The longest answer, in bytes.
const MAX: u64 = 16 << 20;

/// Prints the metrics of the process, and fails with the reason if it is not ready.
pub(crate) fn run(dir: &Path) -> Result<String> {
    let settings = Settings::read(&Folder::new(dir).path(Settings::FILE))?;
    let get = |path| get(settings.probes, path);
    let named = || format!("{}: no process answers", settings.probes);
    let (is_ready, state) = get("/readyz").with_context(named)?;
    let (_, metrics) = get("/metrics").with_context(named)?;
    let metrics = metrics.lines().filter(|line| line.starts_with("custody_"));
    let metrics: String = metrics.map(|line| format!("{line}\n")).collect();
    if is_ready {
        return Ok(format!("ready\n{metrics}"));
    }
    let state: serde_json::Value = serde_json::from_str(&state).context("/readyz")?;
    let why = state.get("why").and_then(|why| why.as_str()).unwrap_or("no reason");
    bail!("not ready: {why}\n{metrics}")
}

/// Reads a page. Returns whether its status is 200.
fn get(address: SocketAddr, path: &str) -> Result<(bool, String)> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n")?;
    let mut text = String::new();
    stream.take(MAX).read_to_string(&mut text)?;
    let (head, body) = text.split_once("\r\n\r\n").context("expected a head and a body")?;
    let status = head.split_ascii_whitespace().nth(1).context("expected a status")?;
    Ok((status == "200", body.to_owned()))
}
