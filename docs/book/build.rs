//! Makes a module of each block of Rust in the README and the book, for `tests/blocks.rs`.
#![allow(clippy::expect_used, reason = "a build stops by panicking")]

#[path = "chapters.rs"]
#[allow(dead_code, unreachable_pub, reason = "the library, of which this needs a part")]
mod chapters;

use core::fmt::Write as _;
use std::{env, fs, path::Path};

/// The function that replaces the search for primes where a program is run: published primes, for tests alone.
const PRIMES: &str = "fn search() -> Result<AuxSecrets, Box<dyn std::error::Error>> {
    use core::sync::atomic::{AtomicUsize, Ordering};
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let index = NEXT.fetch_add(1, Ordering::Relaxed);
    let primes = quorate_testkit::fixtures::primes(Level::Bits112, index);
    Ok(AuxSecrets::from_primes(Level::Bits112, &primes, &mut UnwrapErr(SysRng))?)
}
";

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    println!("cargo::rerun-if-changed={}", folder.join("src").display());
    println!("cargo::rerun-if-changed={}", folder.join("tests").display());
    println!("cargo::rerun-if-changed={}", chapters::repository().join("README.md").display());
    for source in ["build.rs", "chapters.rs", "blocks.rs"] {
        println!("cargo::rerun-if-changed={}", folder.join(source).display());
    }
    let (mut modules, mut list) = (String::new(), String::new());
    for block in chapters::pages().expect("pages").into_iter().flat_map(|page| page.blocks) {
        let (name, code) = (&block.name, &block.code);
        let searches = code.find("\nfn search(").map(|at| at + 1);
        // The checks that look into a block: a file of its name.
        let inside = folder.join(format!("tests/inside/{name}.rs"));
        let inside = if inside.exists() {
            format!("#[path = {:?}]\nmod inside;\n", inside.display().to_string())
        } else {
            String::new()
        };
        writeln!(modules, "mod {name} {{\n{code}{inside}}}").expect("a string");
        let run = match searches {
            None => name.clone(),
            Some(start) => {
                let end = code[start..].find("\n}\n").expect("the end of a function") + start + 3;
                let (before, after) = (&code[..start], &code[end..]);
                writeln!(
                    modules,
                    "#[allow(unused_imports)]\nmod {name}_run {{\n{before}{PRIMES}{after}}}"
                )
                .expect("a string");
                format!("{name}_run")
            }
        };
        if block.is_program() {
            writeln!(list, "#[test]\nfn {run}_runs() {{ Ended::check({run}::main()) }}")
                .expect("a string");
        }
        writeln!(list, "// {name}: line {}", block.line).expect("a string");
    }
    // `main` of a block is private to its module: the tests stand beside it.
    let modules = modules.replace("\nfn main()", "\npub(crate) fn main()");
    let out = env::var("OUT_DIR").expect("set by cargo");
    fs::write(Path::new(&out).join("blocks.rs"), format!("{modules}{list}")).expect("blocks.rs");
}
