//! The command line of the signing service.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    match custody_cli::run(custody_cli::Args::parse()) {
        Ok(text) => match std::io::stdout().write_all(text.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(error) => {
            drop(writeln!(std::io::stderr(), "custody: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
