//! The command line of the signing service.

use std::process::ExitCode;

fn main() -> ExitCode {
    custody_cli::main(&custody_cli::Hooks::default())
}
