//! The report with the smallest sizes: the page holds every table and every plot, and the files hold every figure.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use std::fs;
use std::path::Path;

use clap::Parser as _;
use quorate_benches::report::{Order, Peers, Scale, Stored, Wanted, compare, measure};
use quorate_benches::{CountingAllocator, report};
use quorate_bignum::Engine;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

const TABLES: [&str; 21] = [
    "table-summary",
    "table-tss-bignum",
    "table-tss-protocols",
    "table-tss-operations",
    "table-thorchain-keygen",
    "table-thorchain-sign",
    "table-thorchain-heap",
    "table-thorchain-growth",
    "table-thorchain-fits",
    "table-thorchain-network",
    "table-thorchain-regions",
    "table-frost-dealer-keygen",
    "table-frost-round1",
    "table-frost-round2",
    "table-frost-aggregate",
    "table-frost-ways",
    "table-frost-multiplications",
    "table-tendermint-keys",
    "table-tendermint-service",
    "table-tendermint-soak",
    "table-encoding",
];

const PLOTS: [&str; 17] = [
    "plot-tss-powers",
    "plot-tss-parties",
    "plot-thorchain-keygen",
    "plot-thorchain-sign",
    "plot-thorchain-published-keygen",
    "plot-thorchain-published-sign",
    "plot-thorchain-share-sign",
    "plot-thorchain-share-bulk",
    "plot-thorchain-share-frost-sign",
    "plot-frost-3",
    "plot-frost-10",
    "plot-frost-ed25519",
    "plot-frost-ristretto255",
    "plot-frost-secp256k1",
    "plot-frost-p256",
    "plot-frost-ed448",
    "plot-tendermint-rates",
];

/// Published figures that stand in the page as they were published.
const CITED: [&str; 8] = [
    "Ryzen 9 3900X",
    "Ryzen 9 5900X",
    "185 ms",
    "0.22 ms",
    "10.212 s",
    "R² = 0.9562",
    "i5-6500",
    "13261 /s",
];

fn wanted(folder: &Path, more: &[&str]) -> Wanted {
    let line = ["report", "tiny", "--quiet", "--out", folder.to_str().unwrap()];
    let line = line.iter().chain(more);
    let Order::Tiny(wanted) = Order::try_parse_from(line).unwrap() else {
        panic!("a run was asked for")
    };
    wanted
}

#[test]
fn the_page_holds_every_table_and_plot() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    let wanted = wanted(&folder, &[]);
    let written = measure(Scale::Tiny, &wanted, &Peers::default()).unwrap();
    let page = fs::read_to_string(&written.page).unwrap();
    for table in TABLES {
        let start = page
            .find(&format!("<table id=\"{table}\">"))
            .unwrap_or_else(|| panic!("{table} is missing"));
        let table = page[start..].split("</table>").next().unwrap();
        assert!(table.matches("<tr").count() >= 3 && !table.contains("NaN"), "{table}");
    }
    for plot in PLOTS {
        let start = page
            .find(&format!("<figure id=\"{plot}\">"))
            .unwrap_or_else(|| panic!("{plot} is missing"));
        let figure = page[start..].split("</figure>").next().unwrap();
        let shapes = figure.matches("<rect").count() + figure.matches("<circle").count();
        assert!(figure.contains("<svg") && shapes >= 3, "{plot} is empty");
    }
    assert_eq!(page.matches("<figure ").count(), PLOTS.len(), "a plot that is not in the list");
    assert_eq!(
        page.matches("<table ").count(),
        TABLES.len() + 1,
        "a table that is not in the list"
    );
    for cited in CITED {
        assert!(page.contains(cited), "{cited}");
    }
    // A committee by threshold ML-DSA stands among the keys, with a key and signatures of FIPS 204's sizes.
    let keys = page.split("<table id=\"table-tendermint-keys\">").nth(1).unwrap();
    let keys = keys.split("</table>").next().unwrap();
    let row = keys.split("<tr").find(|row| row.contains("quorate ml-dsa 44, 3 of 4")).unwrap();
    assert!(row.contains("2.42 kB") && row.contains("1.31 kB"), "{row}");
    // Self-contained, and without scripts.
    for outside in ["<script", "src=", "<link", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("prefers-color-scheme: dark"));
    floors(&page);
    files(&written.page);
    again(&folder, &written.page);
    documents(&written.page);
    // The last lines: one for each published table, then the path.
    assert_eq!(written.summary.lines().last().unwrap(), written.page.to_str().unwrap());
    let lines = written.summary.lines().count() - 1;
    assert_eq!(lines, page.split("</table>").next().unwrap().matches("<tr><td>").count());
    assert!(lines >= report::CHAPTERS);
}

/// A table of the page.
fn table<'a>(page: &'a str, id: &str) -> &'a str {
    let start = page.find(&format!("<table id=\"{id}\">")).unwrap();
    page[start..].split("</table>").next().unwrap()
}

/// Every step has its floor, with the distance, and none is below it.
fn floors(page: &str) {
    assert_eq!(page.matches("floor, multiplications alone").count(), 4 * 5);
    let engines = Engine::own().len();
    for (id, row, rows, cells) in [
        ("table-tss-bignum", "floor, products alone", engines, engines * 3),
        ("table-tss-protocols", "floor, products and points alone", 6, 6),
        // In some rounds nothing is computed.
        ("table-thorchain-keygen", "round", 10, 7),
        ("table-thorchain-sign", "round", 5, 5),
    ] {
        let table = table(page, id);
        assert!(table.matches(row).count() >= rows, "{id}: {row}");
        // What is divided by a floor ends with this sign, and so does a peer's ratio, of which there is none here.
        let ours = table.split("</tr>").filter(|row| row.contains("ours"));
        let ours: Vec<&str> = ours.flat_map(|row| row.split("</td>")).collect();
        let distances = ours.iter().filter_map(|cell| {
            let number = cell.trim_end_matches(')').strip_suffix(" ×")?;
            number.rsplit(['>', ' ']).next()?.parse::<f64>().ok()
        });
        let distances: Vec<f64> = distances.collect();
        assert!(distances.len() >= cells, "{id}: {distances:?}");
        // A price may have been taken in a moment that was slow for all of its samples.
        assert!(distances.iter().all(|distance| *distance > 0.9), "{id}: {distances:?}");
    }
    let operations = table(page, "table-tss-operations");
    for wanted in
        ["square modulo 1024 bits", "product modulo 2048 bits", "multiple of the generator"]
    {
        assert!(operations.contains(wanted), "{wanted}");
    }
}

/// A run that goes on from one that has ended measures nothing again, and has a chapter from it when asked for that alone.
fn again(folder: &Path, page: &Path) {
    let stored = |page: &Path| {
        Stored::read(&fs::read_to_string(page.with_extension("json")).unwrap()).unwrap().figures
    };
    let first = stored(page);
    let more = ["--resume", "--only", "frost", "--only", "thorchain"];
    let second =
        stored(&measure(Scale::Tiny, &wanted(folder, &more), &Peers::default()).unwrap().page);
    assert!(second.len() > 100);
    for figure in &second {
        assert!(first.contains(figure), "{figure:?}");
    }
    let third = measure(Scale::Tiny, &wanted(folder, &["--resume"]), &Peers::default()).unwrap();
    assert_eq!(stored(&third.page), first);
}

/// The documents' tables are all in a run, and are filled in from it.
fn documents(page: &Path) {
    let run = Stored::read(&fs::read_to_string(page.with_extension("json")).unwrap()).unwrap();
    let mut names = TABLES.to_vec();
    names.retain(|name| !run.names().contains(name));
    assert!(names.is_empty(), "{names:?}");
    for plot in PLOTS {
        assert!(run.plot(plot).unwrap().contains("<rect width=\"100%\""), "{plot}");
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for name in ["README.md", "docs/performance.md"] {
        let text = fs::read_to_string(docs.join(name)).unwrap();
        let filled = run.fill(&text, "").unwrap();
        assert_eq!(run.fill(&filled, "").unwrap(), filled, "{name}");
        assert!(text.contains("<!-- report: table-") && filled != text, "{name}");
    }
}

/// Every figure of the JSON is in the CSV and in the page, and the run does not differ from itself.
fn files(page: &Path) {
    let text = fs::read_to_string(page.with_extension("json")).unwrap();
    let stored = Stored::read(&text).unwrap();
    let csv = fs::read_to_string(page.with_extension("csv")).unwrap();
    let html = fs::read_to_string(page).unwrap();
    assert_eq!(csv.lines().count(), stored.figures.len() + 1);
    for figure in &stored.figures {
        assert!(csv.contains(&figure.name) && html.contains(&figure.name), "{}", figure.name);
        // Blocks that are older than a measurement and are freed in it belong to no crate.
        let nobody = figure.name.ends_with("/others");
        assert!((nobody || figure.middle() >= 0.0) && !figure.samples.is_empty(), "{figure:?}");
    }
    let same = compare(&stored, &stored);
    assert!(!same.contains('%') || !same.contains("+0."), "{same}");
    assert_eq!(same.matches(" ~ ").count(), stored.figures.len(), "{same}");
}
