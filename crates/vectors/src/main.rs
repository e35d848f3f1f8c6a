//! Writes the test vectors, or replays them.

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str =
    "usage: quorate-vectors write FOLDER [NAME...]\n       quorate-vectors replay FOLDER [NAME...]";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (command, folder) = (arguments.next(), arguments.next().map(PathBuf::from));
    let names: Vec<String> = arguments.collect();
    let done = match (command.as_deref(), &folder) {
        (Some("write"), Some(folder)) => {
            quorate_vectors::write(folder, &names).map(|count| format!("{count} files are written"))
        }
        (Some("replay"), Some(folder)) => quorate_vectors::replay(folder, &names)
            .map(|count| format!("{count} files are as their seeds make them")),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
