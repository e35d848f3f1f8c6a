//! `quorate-sockets`: software that exists signs with the keys of a committee.
//!
//! `try` has the committee in its own process, so that one command is enough to see a socket work. `run` uses the signing
//! service. A socket is a feature of the build: see `sockets.rs` for how one is added.

mod args;
mod config;
mod logs;
mod run;
mod sockets;
#[cfg(feature = "trial")]
mod trial;

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser as _;

use crate::args::{Args, Command};

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
    logs::start();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match args.command {
            #[cfg(feature = "trial")]
            Command::Try(trial) => trial::serve(trial).await,
            Command::Run { config } => run::serve(&config).await,
        }
    })
}
