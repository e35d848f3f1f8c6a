//! The platform's own verifier.

use std::path::Path;
use std::process::Command;

use quorate_examples::files::{hex, shell_word};
use quorate_examples::{Out, Result, bail};

use super::commands::{Signed, Statement};
use super::home::PEM;

/// The first version of OpenSSL that has ML-DSA.
const FIRST: (u32, u32) = (3, 5);

/// Prints the command by which OpenSSL verifies a signature of ECDSA, and its result if OpenSSL is installed.
pub(crate) fn ecdsa(dir: &Path, signed: &Signed<'_>, out: &mut Out) -> Result {
    writeln!(out, "  and anywhere else:");
    run(dir, signed, "dgst -sha256 -verify PEM\n-signature SIG FILE", |_| None, out)
}

/// Prints the command for a signature of ML-DSA, and its result if OpenSSL is new enough.
pub(crate) fn ml_dsa(dir: &Path, signed: &Signed<'_>, out: &mut Out) -> Result {
    let Statement { context, message, .. } = signed.statement;
    // In hexadecimal digits, which no shell changes.
    let option = format!("-pkeyopt hexcontext-string:{}\n", hex(context));
    let option = if context.is_empty() { "" } else { &option };
    let command =
        format!("pkeyutl -verify -pubin -inkey PEM -rawin\n{option}-in FILE -sigfile SIG");
    let obstacle = |found: &str| {
        if !has_ml_dsa(found) {
            return Some(format!("this machine has {found}, which is too old"));
        }
        message.is_empty().then(|| "this command takes no empty file".to_owned())
    };
    writeln!(out, "  and anywhere else by FIPS 204, as with OpenSSL 3.5 or newer:");
    run(dir, signed, &command, obstacle, out)
}

/// Prints a command of OpenSSL in which `PEM`, `SIG` and `FILE` stand for files, then its output, or the reason why it is not run.
/// `obstacle` gives one for the version that is installed.
fn run(
    dir: &Path,
    signed: &Signed<'_>,
    command: &str,
    obstacle: impl FnOnce(&str) -> Option<String>,
    out: &mut Out,
) -> Result {
    let pem = dir.join(PEM);
    let word = |name| match name {
        "PEM" => &pem,
        "SIG" => signed.signature,
        "FILE" => signed.file,
        other => Path::new(other),
    };
    let lines = command.lines().map(|line| line.split(' ').map(|name| shell_word(word(name))));
    let lines: Vec<_> = lines.map(|words| words.collect::<Vec<_>>().join(" ")).collect();
    writeln!(out, "    openssl {}", lines.join(" \\\n      "));
    let none = || Some("there is no openssl on this machine".to_owned());
    if let Some(obstacle) = version().map_or_else(none, |found| obstacle(&found)) {
        writeln!(out, "    ({obstacle})");
        return Ok(());
    }
    let output = Command::new("openssl").args(command.split_whitespace().map(word)).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("OpenSSL does not verify the signature: {}", said.trim());
    }
    writeln!(out, "    {}", String::from_utf8_lossy(&output.stdout).trim());
    Ok(())
}

/// The output of `openssl version`, such as `OpenSSL 3.5.1 1 Jul 2025`.
fn version() -> Option<String> {
    let output = Command::new("openssl").arg("version").output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout);
    Some(said.lines().next()?.split(" (").next()?.trim().to_owned())
}

/// Returns whether the OpenSSL with this output has ML-DSA. A program that only has its name has not.
#[must_use]
pub fn has_ml_dsa(said: &str) -> bool {
    let version = || {
        let mut numbers = said.strip_prefix("OpenSSL ")?.split('.');
        Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
    };
    version() >= Some(FIRST)
}
