//! *How to add a proof* in `CONTRIBUTING.md`: its proof, and the lists that it names. A figure of the crate differs from
//! that proof only in its paths.

mod enc;
#[allow(unreachable_pub, reason = "as a figure of the crate")]
mod pi_enc;

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn contributing_prints_this_proof() {
    let figure = read("tests/zk/recipe/pi_enc.rs").replace("quorate_zk::sigma", "crate::sigma");
    let tests = read("tests/zk/recipe/enc.rs").replace("super::pi_enc", "quorate_zk::pi_enc");
    let recipe = read("../../CONTRIBUTING.md");
    for code in [figure, tests] {
        let indented: String = code
            .lines()
            .map(|line| if line.is_empty() { "\n".into() } else { format!("   {line}\n") })
            .collect();
        assert!(recipe.contains(&indented), "{code}");
    }
}

/// Figures that have no case under valgrind: of a party's moduli, made once, and of the red alert.
const UNWATCHED: [&str; 5] = ["pi_fac", "pi_mod", "pi_prm", "pi_aff_g_star", "pi_dec"];

/// The tests of figures, without known answers and without this example.
fn tests() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/zk");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let others = paths.filter(|path| {
        path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("known.rs")
            && !path.ends_with("recipe.rs")
    });
    others.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// Returns whether a text has this symbol of the paper: not as the beginning of a longer one.
fn mentions(text: &str, symbol: &str) -> bool {
    let longer = |next: char| next.is_alphanumeric() || next == '-' || next == '*';
    text.split(symbol).skip(1).any(|rest| !rest.starts_with(longer))
}

/// The lists of the recipe that lack a figure.
#[test]
fn every_figure_is_in_every_list_of_the_recipe() {
    let (figures, tests) = (read("src/figures.rs"), tests());
    let known = read("tests/known_answers.json");
    let [fuzz, watched, paper, book] = [
        "fuzz/src/zk/figures.rs",
        "benches/constant-time/src/cases/zk.rs",
        "docs/spec/arguments-ecdsa.md",
        "docs/book/src/auditors.md",
    ]
    .map(|path| read(&format!("../../{path}")));
    let modules = figures.lines().filter_map(|line| line.strip_prefix("pub mod "));
    for module in modules.map(|line| line.trim_end_matches(';')) {
        let (path, short) = (format!("{module}::"), module.trim_start_matches("pi_"));
        let label = short.replace("_folded", ", folded").replace("_star", "*").replace('_', "-");
        let head = read(&format!("src/figures/{module}.rs"));
        let symbol = head.split([' ', ':']).nth(1).unwrap();
        let lists = [
            ("the table of figures.rs", figures.contains(&format!("| [`{module}`] |"))),
            ("tests/zk", tests.contains(&path)),
            ("known_answers.json", known.contains(&format!("\"figure\": \"{label}\""))),
            ("fuzz", fuzz.contains(&format!("    \"{short}\",\n"))),
            ("constant-time", watched.contains(&path) || UNWATCHED.contains(&module)),
            ("docs/spec/arguments-ecdsa.md", mentions(&paper, symbol)),
            ("auditors.md", mentions(&book, symbol)),
        ];
        let lacking: Vec<_> = lists.iter().filter(|(_, has)| !has).map(|(list, _)| list).collect();
        assert!(lacking.is_empty(), "{module} is missing in {lacking:?}");
    }
}
