//! The platform's own verifier, if it is new enough.

use core::fmt::Write;
use std::path::Path;
use std::process::Command;

use quorate_examples::failure::Failure;
use quorate_examples::files::{hex, shell_word};
use quorate_examples::out::Out;

use crate::home::pem_path;

/// The first version of OpenSSL that has ML-DSA.
const FIRST: (u32, u32) = (3, 5);

/// Prints the command by which OpenSSL verifies a signature, and what comes of it where OpenSSL is installed and has
/// ML-DSA.
pub(crate) fn verify(
    dir: &Path,
    (file, message): (&Path, &[u8]),
    signature: &Path,
    context: &[u8],
    out: &mut Out,
) -> Result<(), Failure> {
    let pem = pem_path(dir);
    // In hexadecimal digits, which no shell changes.
    let option = format!("hexcontext-string:{}", hex(context));
    let options: &[&str] = if context.is_empty() { &[] } else { &["-pkeyopt", &option] };
    writeln!(out, "  and anywhere else by FIPS 204, as with OpenSSL 3.5 or newer:")?;
    writeln!(out, "    openssl pkeyutl -verify -pubin -inkey {} -rawin \\", shell_word(&pem))?;
    if let [name, value] = options {
        writeln!(out, "      {name} {value} \\")?;
    }
    writeln!(out, "      -in {} -sigfile {}", shell_word(file), shell_word(signature))?;
    match version() {
        None => return Ok(writeln!(out, "    (there is no openssl on this machine)")?),
        Some(found) if parse(&found) < Some(FIRST) => {
            return Ok(writeln!(out, "    (this machine has {found}, which is too old)")?);
        }
        Some(_) if message.is_empty() => {
            return Ok(writeln!(out, "    (this command takes no empty file)")?);
        }
        Some(_) => {}
    }
    let mut command = Command::new("openssl");
    command.args(["pkeyutl", "-verify", "-pubin", "-inkey"]).arg(&pem).arg("-rawin").args(options);
    let output = command.arg("-in").arg(file).arg("-sigfile").arg(signature).output()?;
    if output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout);
        return Ok(writeln!(out, "    {}", said.trim())?);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::new(format!("OpenSSL does not verify the signature: {}", said.trim())))
}

/// What `openssl version` says, such as `OpenSSL 3.5.1 1 Jul 2025`.
fn version() -> Option<String> {
    let output = Command::new("openssl").arg("version").output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout);
    Some(said.lines().next()?.split(" (").next()?.trim().to_owned())
}

/// The version of OpenSSL; none of a program that only has its name.
fn parse(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.strip_prefix("OpenSSL ")?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_with_ml_dsa() {
        for (said, has) in [
            ("OpenSSL 3.0.22 25 Aug 2026", false),
            ("OpenSSL 3.4.9 1 Jan 2027", false),
            ("OpenSSL 3.5.0 8 Apr 2025", true),
            ("OpenSSL 3.10.0 8 Apr 2029", true),
            ("OpenSSL 4.0.0 14 Apr 2026", true),
            ("OpenSSL 1.1.1w  11 Sep 2023", false),
            ("LibreSSL 4.3.1", false),
            ("", false),
        ] {
            assert_eq!(parse(said) >= Some(FIRST), has, "{said}");
        }
    }
}
