//! The platform's own verifier.

use std::path::Path;
use std::process::Command;

use quorate_examples::files::{hex, shell_word};
use quorate_examples::{Out, Result, bail};

use super::commands::Signed;
use super::home::PEM;

/// The first version of OpenSSL that has ML-DSA.
const FIRST: (u32, u32) = (3, 5);
const NONE: &str = "there is no openssl on this machine";

/// Prints the command by which OpenSSL verifies a signature of ECDSA, and its result if OpenSSL is installed.
pub(crate) fn ecdsa(dir: &Path, signed: &Signed<'_>, out: &mut Out) -> Result {
    let Signed { file, signature, .. } = *signed;
    let pem = dir.join(PEM);
    let [key, sig, text] = [&pem, signature, file].map(shell_word);
    writeln!(out, "  and anywhere else:");
    writeln!(out, "    openssl dgst -sha256 -verify {key} \\");
    writeln!(out, "      -signature {sig} {text}");
    let mut command = Command::new("openssl");
    command.args(["dgst", "-sha256", "-verify"]).arg(&pem).arg("-signature");
    command.arg(signature).arg(file);
    let obstacle = version().is_none().then(|| NONE.to_owned());
    run(&mut command, obstacle, out)
}

/// Prints the command for a signature of ML-DSA, and its result if OpenSSL is new enough.
pub(crate) fn ml_dsa(dir: &Path, signed: &Signed<'_>, out: &mut Out) -> Result {
    let Signed { file, statement, signature } = *signed;
    let pem = dir.join(PEM);
    // In hexadecimal digits, which no shell changes.
    let option = format!("hexcontext-string:{}", hex(statement.context));
    let options = ["-pkeyopt", &option];
    let options = if statement.context.is_empty() { &[][..] } else { &options };
    writeln!(out, "  and anywhere else by FIPS 204, as with OpenSSL 3.5 or newer:");
    writeln!(out, "    openssl pkeyutl -verify -pubin -inkey {} -rawin \\", shell_word(&pem));
    if let [name, value] = options {
        writeln!(out, "      {name} {value} \\");
    }
    writeln!(out, "      -in {} -sigfile {}", shell_word(file), shell_word(signature));
    let obstacle = match version() {
        None => Some(NONE.to_owned()),
        Some(found) if !has_ml_dsa(&found) => {
            Some(format!("this machine has {found}, which is too old"))
        }
        Some(_) => {
            statement.message.is_empty().then(|| "this command takes no empty file".to_owned())
        }
    };
    let mut command = Command::new("openssl");
    command.args(["pkeyutl", "-verify", "-pubin", "-inkey"]).arg(&pem).arg("-rawin").args(options);
    run(command.arg("-in").arg(file).arg("-sigfile").arg(signature), obstacle, out)
}

/// Prints what OpenSSL says, or the reason why it is not asked.
fn run(command: &mut Command, obstacle: Option<String>, out: &mut Out) -> Result {
    if let Some(obstacle) = obstacle {
        writeln!(out, "    ({obstacle})");
        return Ok(());
    }
    let output = command.output()?;
    if output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout);
        writeln!(out, "    {}", said.trim());
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    bail!("OpenSSL does not verify the signature: {}", said.trim())
}

/// The output of `openssl version`, such as `OpenSSL 3.5.1 1 Jul 2025`.
fn version() -> Option<String> {
    let output = Command::new("openssl").arg("version").output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout);
    Some(said.lines().next()?.split(" (").next()?.trim().to_owned())
}

/// Returns whether the OpenSSL with this output has ML-DSA.
#[must_use]
pub fn has_ml_dsa(said: &str) -> bool {
    parse(said) >= Some(FIRST)
}

/// The version of OpenSSL; none of a program that only has its name.
fn parse(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.strip_prefix("OpenSSL ")?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}
