//! `docs/operations.md`: the commands, alerts, metrics and messages in it are those of the program. The commands of the other pages
//! about the service are checked with them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory as _;
use custody_cli::{Args, Role, Settings};
use custody_gateway::Metrics;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The pages with commands.
const PAGES: [&str; 5] = [
    "docs/operations.md",
    "docs/book/src/service.md",
    "examples/custody/README.md",
    "examples/custody/deploy/README.md",
    "examples/custody/policies/README.md",
];

fn page() -> String {
    // A `|` in a table.
    read(PAGES[0]).replace("\\|", "|")
}

/// The texts between backquotes, and the lines of blocks of code.
fn code(page: &str) -> Vec<String> {
    let (mut found, mut is_block) = (Vec::new(), false);
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            found.push(line.trim().to_owned());
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    found
}

/// Checks a command: its words, its options, and that none is missing that it needs. Gives the first mistake.
fn check(text: &str) -> Result<(), String> {
    let text = text.split(" #").next().unwrap();
    let text = text.replace("$CALLER", "--gateway G --roots R --secret S");
    let (mut command, mut words) = (Args::command(), text.split_whitespace().skip(1).peekable());
    while let Some(word) = words.next_if(|word| !word.starts_with('-')) {
        let Some(next) = command.find_subcommand(word) else {
            let takes = command.get_positionals().next().is_some();
            if takes { break } else { return Err(format!("no command {word}")) }
        };
        command = next.clone();
    }
    let options: BTreeSet<_> = words.filter_map(|word| word.strip_prefix("--")).collect();
    let known = |name: &str| command.get_arguments().any(|one| one.get_long() == Some(name));
    if let Some(unknown) = options.iter().find(|name| !known(name)) {
        return Err(format!("no option --{unknown}"));
    }
    let needed = command.get_arguments().filter(|one| one.is_required_set());
    let mut missing = needed.filter_map(|one| one.get_long()).filter(|one| !options.contains(one));
    // The name of a command alone is a mention of it.
    match missing.next().filter(|_| !options.is_empty()) {
        Some(name) => Err(format!("--{name} is missing")),
        None => Ok(()),
    }
}

#[test]
fn every_command_exists_with_its_options() {
    let pages = PAGES.map(read).join("\n").replace("\\|", "|");
    let commands: Vec<_> =
        code(&pages).into_iter().filter(|text| text.starts_with("custody ")).collect();
    assert!(commands.len() > 50, "{commands:?}");
    let mistakes: Vec<_> = commands
        .iter()
        .filter_map(|command| Some(format!("{command}: {}", check(command).err()?)))
        .collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert!(check("custody key burn").unwrap_err().contains("burn"));
    assert!(check("custody run --folder DIR").unwrap_err().contains("--folder"));
    assert!(check("custody key refresh $CALLER").unwrap_err().contains("--pin"));
}

/// The words of a text that begin like this.
fn words<'a>(text: &'a str, begin: &str) -> BTreeSet<&'a str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).filter(|word| word.starts_with(begin) && *word != begin).collect()
}

#[test]
fn every_alert_is_explained() {
    let (page, alerts) = (page(), read("examples/custody/deploy/prometheus/alerts.yml"));
    let named = alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: "));
    assert_eq!(words(&page, "Custody"), named.collect());
}

#[test]
fn every_metric_is_explained_and_exists() {
    let page = page();
    let explained = words(&page, "custody_");
    let used = ["prometheus/alerts.yml", "grafana/dashboard.json"]
        .map(|file| read(&format!("examples/custody/deploy/{file}")));
    let used = used.iter().flat_map(|text| words(text, "custody_"));
    let unexplained: Vec<_> = used.filter(|name| !explained.contains(name)).collect();
    assert!(unexplained.is_empty(), "{unexplained:?}");
    let gateway = Metrics::default().to_openmetrics();
    let families =
        gateway.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
    for family in families {
        assert!(explained.iter().any(|name| name.trim_end_matches("_total") == family), "{family}");
    }
    let others = ["cli/src/run/counters.rs", "cli/src/run/epochs.rs", "http/src/metrics.rs"]
        .map(|file| read(&format!("examples/custody/{file}")))
        .concat();
    for name in explained.iter().filter(|name| **name != "custody_gateway_node") {
        let short = name.trim_end_matches("_total").trim_end_matches("_bucket");
        let literal = short.trim_start_matches("custody_node_").trim_start_matches("custody_http_");
        let is_there = [short, literal].iter().any(|it| others.contains(&format!("\"{it}\"")));
        assert!(is_there || gateway.contains(&format!("# TYPE {short} ")), "{name} does not exist");
    }
}

/// The limits in a new machine's file, with their values. One in a comment has none.
fn first_limits(role: Role) -> Vec<(String, String)> {
    let text = Settings::first(role, "m1", &[]);
    let lines = text.lines().filter_map(|line| {
        let (name, value) = line.split_once(" = ")?;
        let is_set = !name.starts_with('#');
        let name = name.trim_start_matches("# ");
        let value = if is_set { value } else { "for ever" };
        is_limit(name).then(|| (name.to_owned(), value.to_owned()))
    });
    lines.collect()
}

fn is_limit(name: &str) -> bool {
    name.starts_with("node.") || name.starts_with("gateway.")
}

#[test]
fn every_limit_is_explained_with_its_value() {
    let page = page();
    let mut all: Vec<_> = [Role::Node, Role::Gateway].into_iter().flat_map(first_limits).collect();
    assert_eq!(all.len(), 12, "{all:?}");
    let rows = page.lines().filter_map(|line| {
        let (name, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        is_limit(name).then(|| (name.to_owned(), rest.split(" | ").next().unwrap().to_owned()))
    });
    let mut rows: Vec<_> = rows.collect();
    all.sort_unstable();
    rows.sort_unstable();
    assert_eq!(rows, all);
}

/// The texts of all sources below a folder, in one line each.
fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            sources(&entry, all);
        } else {
            let text = fs::read_to_string(&entry).unwrap().replace("\\\n", " ");
            all.push_str(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}

#[test]
fn every_message_is_printed_by_the_program() {
    let page = page();
    let symptoms = page.split("## Symptoms").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = symptoms.lines().filter(|line| line.starts_with("| `"));
    let firsts: Vec<_> = rows.flat_map(|row| code(row.split(" | ").next().unwrap())).collect();
    assert!(firsts.len() > 15, "{firsts:?}");
    let mut all = String::new();
    for folder in ["cli", "core", "gateway", "http", "nats", "node"] {
        sources(&root().join("examples/custody").join(folder).join("src"), &mut all);
    }
    for folder in ["envelope", "store"] {
        sources(&root().join("crates").join(folder).join("src"), &mut all);
    }
    let missing: Vec<_> = firsts.iter().filter(|text| !all.contains(text.as_str())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_link_within_the_page_has_its_heading() {
    let page = page();
    let anchor =
        |heading: &str| heading.trim_start_matches(['#', ' ']).to_lowercase().replace(' ', "-");
    let headings: BTreeSet<_> =
        page.lines().filter(|line| line.starts_with("##")).map(anchor).collect();
    let text = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let links: Vec<_> =
        text.split("](#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 10);
    let dead: Vec<_> = links.iter().filter(|link| !headings.contains(**link)).collect();
    assert!(dead.is_empty(), "{dead:?}");
}
