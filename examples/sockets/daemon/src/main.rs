//! `quorate-sockets`: software that exists signs with the keys of a committee.
//!
//! `try` has the committee in its own process, so that one command is enough to see a socket work. `run` uses the signing
//! service. A socket is a feature of the build: see `sockets.rs` for how one is added.

mod args;
mod config;
mod run;
mod sockets;
#[cfg(feature = "trial")]
mod trial;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser as _;

use crate::args::{Args, Command};

/// The lines of the log without `RUST_LOG`.
const OWN_LOGS: &str = "warn,quorate_sockets=info,sockets_agent=info,sockets_backend=info,sockets_kms=info,sockets_kubernetes=info,\
                        sockets_pkcs11=info,sockets_privval=info";

fn main() -> ExitCode {
    match start(Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            drop(writeln!(std::io::stderr(), "quorate-sockets: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn start(args: Args) -> Result<()> {
    logs();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match args.command {
            #[cfg(feature = "trial")]
            Command::Try(trial) => trial::serve(trial).await,
            Command::Run { config } => run::serve(&config).await,
        }
    })
}

/// Lines on standard error. `RUST_LOG` chooses them; without it they are those of the sockets.
fn logs() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env();
    let filter = filter.unwrap_or_else(|_| tracing_subscriber::EnvFilter::new(OWN_LOGS));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    logs.init();
}
