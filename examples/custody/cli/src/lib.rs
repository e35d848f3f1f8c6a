//! The command line of the signing service.
//!
//! Each machine makes its own secrets. `custody init node` and `custody init gateway` write them into a folder that no other
//! machine reads, and print the path of a **public** file. `custody init cluster` makes one shared folder of these files: the
//! directory of members, and what the NATS server needs. Its operators compare the id of the directory, and each gives it to
//! `custody init join` on its machine.

mod approve;
mod args;
mod audit;
mod backup;
mod callers;
mod client;
mod connect;
mod folder;
mod hooks;
mod init;
mod key;
mod log;
mod policy;
mod public_file;
mod reseal;
mod run;
mod seal_keys;
mod settings;
mod signers;
mod status;
mod transport_ca;

pub use args::{
    Approve, Args, Audit, Backup, CallerCommand, CallerOptions, ChildOptions, Cluster,
    ClusterOptions, Command, Drill, Init, Join, KeyCommand, LogArgs, Member, PinnedOptions,
    PolicyCommand, Reseal, Restore, Run, SignArgs, SignersArgs, Status,
};
pub use folder::Folder;
pub use hooks::{Alter, Hooks};
pub use public_file::PublicFile;
pub use seal_keys::SealKeyFolder;
pub use settings::{
    Database, GatewayLimits, Marks, Moduli, NodeLimits, Postgres, Role, Settings, Tls,
};

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser as _;

/// The program: runs the command of its arguments, with no hooks but those of a laboratory.
#[must_use]
pub fn main(hooks: &Hooks) -> ExitCode {
    match run_with(Args::parse(), hooks) {
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

/// Runs a command, and gives the text for standard output.
///
/// # Errors
/// The reason, with the file or the argument that it is about.
pub fn run(args: Args) -> Result<String> {
    run_with(args, &Hooks::default())
}

fn run_with(args: Args, hooks: &Hooks) -> Result<String> {
    match args.command {
        Command::Init(Init::Node(member)) => init::member(&member, Role::Node),
        Command::Init(Init::Gateway(member)) => init::member(&member, Role::Gateway),
        Command::Init(Init::BackupKey { out }) => backup::make_key(&out),
        Command::Init(Init::Cluster(cluster)) => init::cluster(&cluster),
        Command::Init(Init::Join(join)) => init::join(&join),
        Command::Init(Init::Trust(trust)) => init::trust(&trust),
        Command::Caller(command) => callers::run(command),
        Command::Key(command) => key::run(&command),
        Command::Sign(request) => client::sign(&request),
        Command::Approve(approval) => approve::run(&approval),
        Command::Policy(command) => policy::run(command),
        Command::Log(log) => log::run(&log),
        Command::Signers(args) => signers::run(&args),
        Command::Audit(logs) => audit::run(&logs),
        Command::Backup(args) => backup::make(&args),
        Command::Drill(args) => backup::drill(&args),
        Command::Restore(args) => backup::restore(&args),
        Command::Reseal(args) => reseal::run(&args),
        Command::Status(machine) => status::run(&machine.dir),
        Command::Run(machine) => run::run(&machine, hooks),
    }
}
