//! The platform's own verifier.

use core::fmt::Write;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use crate::home::pem_path;
use quorate_examples::failure::Failure;
use quorate_examples::files::shell_word;
use quorate_examples::out::Out;

/// Prints the command by which OpenSSL verifies a signature, and what comes of it where OpenSSL is
/// installed.
pub(crate) fn verify(
    dir: &Path,
    file: &Path,
    signature: &Path,
    out: &mut Out,
) -> Result<(), Failure> {
    let pem = pem_path(dir);
    let [key, sig, signed] = [&pem, signature, file].map(shell_word);
    writeln!(out, "  and anywhere else:")?;
    writeln!(out, "    openssl dgst -sha256 -verify {key} \\")?;
    writeln!(out, "      -signature {sig} {signed}")?;
    let mut command = Command::new("openssl");
    command.args(["dgst", "-sha256", "-verify"]).arg(&pem).arg("-signature");
    match command.arg(signature).arg(file).output() {
        Ok(output) if output.status.success() => {
            let said = String::from_utf8_lossy(&output.stdout);
            Ok(writeln!(out, "    {}", said.trim())?)
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(Failure::new(format!("OpenSSL does not verify the signature: {}", said.trim())))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Ok(writeln!(out, "    (there is no openssl on this machine)")?)
        }
        Err(error) => Err(error.into()),
    }
}
