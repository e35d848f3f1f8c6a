//! The command line of the signing service.
//!
//! Each machine makes its own secrets. `custody init node` and `custody init gateway` write them into a folder that no other
//! machine reads, and print the path of a **public** file. `custody init cluster` makes one shared folder of these files: the
//! directory of members, and what the NATS server needs. Its operators compare the id of the directory, and each gives it to
//! `custody init join` on its machine.

mod args;
mod audit;
mod callers;
mod client;
mod folder;
mod init;
mod key;
mod log;
mod policy;
mod public_file;
mod run;
mod seal_keys;
mod settings;
mod transport_ca;

pub use args::{
    Args, Audit, CallerCommand, CallerOptions, Cluster, Command, Init, Join, KeyCommand, LogArgs,
    Member, PinnedOptions, PolicyCommand, Run, SignArgs,
};
pub use folder::Folder;
pub use public_file::PublicFile;
pub use seal_keys::SealKeyFolder;
pub use settings::{Database, Moduli, Postgres, Role, Settings, Tls};

use anyhow::Result;

/// Runs a command, and gives the text for standard output.
///
/// # Errors
/// The reason, with the file or the argument that it is about.
pub fn run(args: Args) -> Result<String> {
    match args.command {
        Command::Init(Init::Node(member)) => init::member(&member, Role::Node),
        Command::Init(Init::Gateway(member)) => init::member(&member, Role::Gateway),
        Command::Init(Init::Cluster(cluster)) => init::cluster(&cluster),
        Command::Init(Init::Join(join)) => init::join(&join),
        Command::Init(Init::Trust(trust)) => init::trust(&trust),
        Command::Caller(command) => callers::run(command),
        Command::Key(command) => key::run(&command),
        Command::Sign(request) => client::sign(&request),
        Command::Policy(command) => policy::run(command),
        Command::Log(log) => log::run(&log),
        Command::Audit(logs) => audit::run(&logs),
        Command::Run(machine) => run::run(&machine),
    }
}
