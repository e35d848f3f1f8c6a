//! Compiles every block of Rust in the README and the book as a reader does: in a new project, with what the page's
//! `cargo add` lines add, and nothing else.

use core::error::Error;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

use quorate_book::{Page, pages, repository};

/// The place of the repository in the pages.
const CHECKOUT: &str = "../quorate/";

fn main() -> Result<(), Box<dyn Error>> {
    let root = repository().canonicalize()?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    // Outside of the repository, where a reader's project is as well.
    let all = env::temp_dir().join(format!("quorate-as-printed-{}", process::id()));
    for (at, (commands, pages)) in projects(pages()?)?.iter().enumerate() {
        let folder = all.join(at.to_string());
        write(&folder, &root, pages)?;
        for command in commands {
            let words = command.split_whitespace().skip(1);
            cargo(&folder, &target, words.map(|word| checkout(word, &root)).collect())?;
        }
        let check = ["check", "--quiet", "--examples", "--tests"];
        cargo(&folder, &target, check.map(str::to_owned).to_vec())?;
        println!("With `{}`:", commands.join("`, `"));
        for page in pages {
            let lines: Vec<_> = page.blocks.iter().map(|block| block.line.to_string()).collect();
            println!("  {}, lines {}", page.name, lines.join(", "));
        }
    }
    Ok(fs::remove_dir_all(all)?)
}

/// The pages by the commands that make their project.
fn projects(pages: Vec<Page>) -> Result<BTreeMap<Vec<String>, Vec<Page>>, String> {
    let first =
        pages.iter().find(|page| page.name == "first_signature").ok_or("no first chapter")?;
    let first = commands(&first.text);
    let mut projects: BTreeMap<_, Vec<Page>> = BTreeMap::new();
    for page in pages.into_iter().filter(|page| !page.blocks.is_empty()) {
        let own = commands(&page.text);
        let whole = own.iter().any(|command| command.contains("/crates/quorate "));
        if !whole && !page.text.contains("(first-signature.md") {
            return Err(format!("{} does not say in which project its programs run", page.name));
        }
        let before = if whole { Vec::new() } else { first.clone() };
        projects.entry([before, own].concat()).or_default().push(page);
    }
    Ok(projects)
}

/// The lines of a page's shell blocks that add a dependency.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("\n```sh\n").skip(1).filter_map(|rest| rest.split("\n```").next());
    blocks
        .flat_map(str::lines)
        .filter(|line| line.starts_with("cargo add "))
        .map(str::to_owned)
        .collect()
}

/// A word of a command, with the place of this repository.
fn checkout(word: &str, root: &Path) -> String {
    word.strip_prefix(CHECKOUT)
        .map_or_else(|| word.to_owned(), |rest| root.join(rest).display().to_string())
}

/// An empty project, and the blocks in it: programs, and code of a test or a module.
fn write(folder: &Path, root: &Path, pages: &[Page]) -> Result<(), Box<dyn Error>> {
    let manifest = "[package]\nname = \"first\"\nversion = \"0.0.0\"\nedition = \"2024\"\n";
    for (file, text) in [("Cargo.toml", manifest), ("src/lib.rs", "")] {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().ok_or("no folder")?)?;
        fs::write(path, text)?;
    }
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    for block in pages.iter().flat_map(|page| &page.blocks) {
        let place = folder.join(if block.is_program() { "examples" } else { "tests" });
        fs::create_dir_all(&place)?;
        fs::write(place.join(format!("{}.rs", block.name)), &block.code)?;
    }
    Ok(())
}

/// Runs cargo, first with what is on this machine.
fn cargo(folder: &Path, target: &Path, words: Vec<String>) -> Result<(), Box<dyn Error>> {
    let mut said = String::new();
    for offline in ["true", "false"] {
        let mut command = Command::new(env::var_os("CARGO").ok_or("run this by cargo")?);
        command.args(&words).current_dir(folder);
        command.env("CARGO_TARGET_DIR", target).env("CARGO_NET_OFFLINE", offline);
        let output = command.output()?;
        if output.status.success() {
            return Ok(());
        }
        said = String::from_utf8_lossy(&output.stderr).into_owned();
    }
    Err(format!("cargo {} in {}:\n{said}", words.join(" "), folder.display()).into())
}
