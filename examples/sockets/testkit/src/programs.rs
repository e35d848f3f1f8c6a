//! Programs of others.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Output};

/// The path of a program, in `PATH` or where servers are. Without it a test is skipped, and fails where `CI` is set.
#[must_use]
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = std::env::split_paths(&path).collect();
    folders.extend(["/usr/sbin", "/sbin", "/usr/local/go/bin"].map(PathBuf::from));
    let found = folders.into_iter().map(|folder| folder.join(name)).find(|path| path.is_file());
    if found.is_none() {
        assert!(std::env::var_os("CI").is_none(), "{name} is missing, and this test needs it");
        eprintln!("skipped: {name} is missing");
    }
    found
}

/// Runs a program to its end, without input.
pub fn run(command: &mut Command) -> Output {
    let name = command.get_program().to_owned();
    let output = command.stdin(std::process::Stdio::null()).output();
    output.unwrap_or_else(|why| panic!("{}: {why}", name.display()))
}

/// A port on which nobody listens at the moment.
#[must_use]
pub fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// A program that runs until the value is dropped.
#[derive(Debug)]
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}
