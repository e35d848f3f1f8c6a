//! Tendermint with post-quantum keys beside Tendermint: single keys, and keys that a committee holds.

mod keys;

use core::time::Duration;

use super::committee::quorum;
use super::figure::{Figure, OURS, Unit};
use super::plot;
use super::progress::Job;
use super::published;
use super::run::{Peers, Piece, Run, Scale};
use super::section::{Drawing, Found, Grid, Headline, Kind, Shown};
use super::served::{self, Served};
use super::soak::Soaked;
use crate::mldsa::Level;

const DALEK: &str = "ed25519-dalek";
const DILITHIUM: [&str; 2] = ["ml-dsa 44", "ml-dsa 65"];

/// Columns of the table of keys: their names in figures and in the table, and their units.
const COLUMNS: [(&str, &str, Unit); 6] = [
    ("keygen", "key generation", Unit::Micros),
    ("signature", "signature", Unit::Bytes),
    ("key", "public key", Unit::Bytes),
    ("sign", "signing", Unit::PerSecond),
    ("verify", "verifying", Unit::PerSecond),
    ("sustained", "sustained", Unit::PerSecond),
];

const COMMITTEES: [&[u16]; 3] = [&[4], &[4, 7, 100], &[4, 7, 100]];

/// Committees by threshold ML-DSA.
const LATTICES: [(Level, u16); 4] =
    [(Level::MlDsa44, 4), (Level::MlDsa44, 5), (Level::MlDsa65, 4), (Level::MlDsa65, 5)];

fn who_of(level: Level, n: u16) -> String {
    let number = level.name().trim_start_matches("ML-DSA-");
    format!("{OURS} ml-dsa {number}, {} of {n}", quorum(n))
}

fn who(n: u16) -> String {
    format!("{OURS} {n} nodes")
}

fn name(column: &str) -> String {
    format!("tendermint/{column}")
}

/// Key generations of a committee: each is the mean of its nodes, and a hundred of them take ten seconds.
fn keygens(scale: Scale, n: u16) -> u16 {
    let many = n > 10;
    scale.pick([1, if many { 1 } else { 3 }, if many { 3 } else { 11 }])
}

pub(super) fn pieces(scale: Scale, _peers: &Peers) -> Vec<Piece<'_>> {
    let cost = scale.pick([1.0, 6.0, 106.0]);
    let mut all =
        vec![Piece::new("single keys: Ed25519, ML-DSA", cost, move || keys::singles(scale))];
    for &n in scale.pick(COMMITTEES) {
        let cost = scale.pick([1.0, 2.0, 35.0])
            + f64::from(n) * f64::from(n) * 2.3e-3 * f64::from(keygens(scale, n));
        let label = format!("Ed25519 by a committee of {n}");
        all.push(Piece::new(label, cost, move || keys::committee(n, scale)));
    }
    for (level, n) in LATTICES.into_iter().take(scale.pick([1, 4, 4])) {
        let label = format!("{level} by {} of {n}", quorum(n));
        let work = move || keys::lattice_committee(level, n, scale);
        all.push(Piece::new(label, scale.pick([0.5, 3.0, 30.0]), work));
    }
    all.push(Piece::later(soak_job(scale)));
    all
}

fn soak_job(scale: Scale) -> Job {
    let cost = scale.pick([0.2, 8.0, 135.0]);
    Job { label: "soak and stress of a committee of 4".to_owned(), cost }
}

/// The soak that the run was given, or a short one.
fn soaked(run: &mut Run<'_>) -> Soaked {
    let job = soak_job(run.scale);
    if let Some(soaked) = run.soaked {
        run.progress.had(&job);
        return soaked.clone();
    }
    run.progress.begin(&job);
    let length = Duration::from_millis(run.scale.pick([100, 3000, 60_000]));
    let soaked = Soaked::run(length, 20, |_, _| ());
    run.progress.end(&job);
    soaked
}

fn headline(found: Found<'_>) -> Headline {
    let (ours, name) = (who(4), name("sustained"));
    // Of rates the larger is the better: the peer takes as many times as long as our rate is larger.
    let rate = |who: &str| found.of(&name, who).map(Figure::middle);
    let ratio = rate(&ours).zip(rate(DILITHIUM[0])).map(|(own, peer)| own / peer);
    let what =
        "signatures a second of a node: ours of a committee of 4, theirs of one Dilithium key";
    let published = published::cell("table-tendermint-keys", "", "signing");
    let ratio = ratio.map(|ratio| (DILITHIUM[0].to_owned(), ratio));
    Headline::new(what, [found.cell(&name, &ours), published], ratio)
}

/// The schemes of which keys were measured.
fn schemes<'a>(found: Found<'a>) -> Vec<&'a str> {
    let has = |who: &&str| found.of(&name("verify"), who).is_some();
    found.libraries().into_iter().filter(has).collect()
}

/// Every key that was measured, and the published ones.
fn table(found: Found<'_>, scale: Scale) -> Grid {
    let signers = scale.pick(COMMITTEES).iter().map(|n| format!("{} of {n}", quorum(*n)));
    let caption = format!(
        "Keys: of one holder, and of a committee by threshold Ed25519 ({}) and threshold ML-DSA",
        signers.collect::<Vec<_>>().join(", ")
    );
    let mut grid = Grid::new(["table-tendermint-keys", &caption, "key"], COLUMNS.map(|one| one.1));
    for who in schemes(found) {
        let cells = COLUMNS.map(|(column, ..)| found.cell(&name(column), who));
        grid.row(Kind::of(who), found.conditions(&[name("verify")], who), cells);
    }
    grid.cite("");
    grid
}

fn plot(found: Found<'_>) -> Drawing {
    let schemes = schemes(found);
    let series = ["sign", "verify", "sustained"].map(|column| {
        let rate = |who: &&str| found.of(&name(column), who).map_or(f64::NAN, Figure::middle);
        (column.to_owned(), schemes.iter().map(rate).collect())
    });
    let short = |who: &&str| who.trim_start_matches("quorate ").to_owned();
    let groups: Vec<String> = schemes.iter().map(short).collect();
    plot::bars(["plot-tendermint-rates", "Rates", "a second"], &groups, &series)
}

pub(super) fn shown(found: Found<'_>, run: &mut Run<'_>) -> Shown {
    Shown {
        tables: vec![table(found, run.scale), served::table(run.served), soaked(run).table()],
        plots: vec![plot(found)],
        headlines: vec![headline(found)],
        given: run.served.iter().flat_map(Served::figures).collect(),
    }
}
