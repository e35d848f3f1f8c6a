//! The performance post of the frost-* crates: five suites, four sizes, four steps, three ways of aggregating.

mod counts;
mod floor;

use quorate::frost::ed25519::Ed25519Sha512;
use quorate_bignum::Engine;

use super::figure::{Figure, OURS, real};
use super::plot::{self, Bars};
use super::published;
use super::run::{Peers, Piece, Run, Scale, in_turns};
use super::section::{Drawing, Found, Grid, Headline, Kind, Shown};
use crate::{Operation, Size, Suite};

/// The steps of the published tables, and the name of each there.
const STEPS: [(Operation, &str); 4] = [
    (Operation::DealerKeygen, "key generation with dealer"),
    (Operation::Round1, "round 1"),
    (Operation::Round2, "round 2"),
    (Operation::Aggregate, "aggregate"),
];

/// The ways of aggregating.
const WAYS: [(Operation, &str); 4] = [
    (Operation::AggregateEachShare, "every share checked"),
    (Operation::AggregateSession, "the sum checked"),
    (Operation::AggregateOneBad, "one cheater searched in batches"),
    (Operation::AggregateHalfBad, "half of them searched in batches"),
];

/// The suites of the published tables.
const SUITES: [&str; 5] = ["ed25519", "ristretto255", "secp256k1", "p256", "ed448"];

/// The sizes of the published tables.
const SIZES: [Size; 4] =
    [Size { t: 2, n: 3 }, Size { t: 7, n: 10 }, Size { t: 67, n: 100 }, Size { t: 667, n: 1000 }];

fn suites() -> impl Iterator<Item = Suite> {
    SUITES.into_iter().filter_map(Suite::from_name)
}

fn sizes(scale: Scale) -> &'static [Size] {
    &SIZES[..scale.pick([2, 4, 4])]
}

/// Seconds for a suite at a size: its setup signs for all signers, each of whom reads all commitments.
fn cost(suite: Suite, size: Size, scale: Scale, peers: &Peers) -> f64 {
    let each = match suite.name() {
        "ed448" => 33e-6,
        "p256" | "secp256k1" => 8e-6,
        _ => 5.5e-6,
    };
    let t = f64::from(size.t);
    let libraries = 1.0 + 2.0 * real(peers.frost.len());
    let runs = scale.pick([0.3, 1.0, if size.n > 100 { 1.6 } else { 2.0 }]);
    2.0 * each * t * t + libraries * runs * (0.5 + each * 1400.0 * t)
}

pub(super) fn pieces(scale: Scale, peers: &Peers) -> Vec<Piece<'_>> {
    // The setup of some takes as long as all the rest.
    let slow = |suite: Suite, size: Size| suite.name() == "ed448" && size.n > 100;
    let pairs = sizes(scale).iter().flat_map(|&size| suites().map(move |suite| (suite, size)));
    let pairs = pairs.filter(|&(suite, size)| scale == Scale::Full || !slow(suite, size));
    let piece = |(suite, size): (Suite, Size)| {
        let label = format!("FROST {} {size}", suite.name());
        let cost = cost(suite, size, scale, peers);
        Piece::new(label, cost, move || measure(suite, size, scale, peers))
    };
    pairs.map(piece).collect()
}

fn name(suite: &str, size: Size, step: Operation) -> String {
    format!("frost/{suite}/{size}/{}", step.name())
}

fn names(suite: &str, sizes: &[Size], step: Operation) -> Vec<String> {
    sizes.iter().map(|&size| name(suite, size, step)).collect()
}

/// The backend of our curves, as far as it is chosen at run time.
fn engine(suite: Suite, who: &str) -> &'static str {
    match suite.name() {
        _ if who != OURS => "",
        "ed25519" | "ristretto255" if Engine::ifma().is_some() => "AVX-512 IFMA for points",
        _ => "portable",
    }
}

fn measure(suite: Suite, size: Size, scale: Scale, peers: &Peers) -> Vec<Figure> {
    let many = size.n > 100;
    let runs = scale.pick([3, if many { 5 } else { 11 }, if many { 9 } else { 21 }]);
    let fixtures = peers.fixtures(suite, size);
    let mut figures = Vec::new();
    for (step, _) in STEPS.into_iter().chain(WAYS) {
        // A peer has one way of aggregating valid shares.
        let repeats = matches!(step, Operation::AggregateEachShare | Operation::AggregateSession);
        let timed = fixtures.iter().filter(|(who, _)| *who == OURS || !repeats);
        let timed = timed.map(|(who, fixture)| {
            let figure = Figure::time(name(suite.name(), size, step)).of(*who);
            (figure.with(engine(suite, who), ""), fixture.routine(step))
        });
        figures.extend(in_turns(timed, runs));
    }
    figures.extend(floor::measure(suite, size, runs));
    figures
}

/// The size of the summary's line: the third of the published ones if it was measured.
fn headline(found: Found<'_>, sizes: &[Size]) -> Headline {
    let key = |size| name("ed25519", size, Operation::Aggregate);
    let third = Size { t: 67, n: 100 };
    let measured = found.of(&key(third), OURS).is_some();
    let size = if measured { third } else { sizes[sizes.len() - 1] };
    let published = published::cell("table-frost-aggregate", "ed25519", &size.to_string());
    let (what, peer) = (format!("Ed25519, {size}, aggregate"), found.peer(&key(size), OURS, &[""]));
    Headline::new(what, [found.cell(&key(size), OURS), published], peer)
}

pub(super) fn shown(found: Found<'_>, run: &mut Run<'_>) -> Shown {
    let sizes = sizes(run.scale);
    let steps = STEPS.into_iter().map(|step| steps(found, sizes, step));
    let tables = steps.chain([ways(found, sizes), multiplications(sizes)]).collect();
    let headlines = vec![headline(found, sizes)];
    Shown { tables, plots: plots(found, sizes), headlines, ..Shown::default() }
}

fn columns(sizes: &[Size]) -> Vec<String> {
    sizes.iter().map(Size::to_string).collect()
}

/// One step: for each suite our row, that of each peer with its ratio, and the published one.
fn steps(found: Found<'_>, sizes: &[Size], (step, title): (Operation, &str)) -> Grid {
    let id = format!("table-frost-{}", step.name().replace('_', "-"));
    let mut grid = Grid::new([&id, title, title], columns(sizes));
    for suite in suites().map(Suite::name) {
        let rows = [&format!("{suite}: "), OURS, "multiplications"];
        grid.libraries(found, &names(suite, sizes, step), rows);
        grid.cite(suite);
    }
    grid
}

fn ways(found: Found<'_>, sizes: &[Size]) -> Grid {
    let caption = "Ways of aggregating, with a session that was kept where nothing is wrong";
    let mut grid = Grid::new(["table-frost-ways", caption, "suite and way"], columns(sizes));
    for suite in suites().map(Suite::name) {
        for (step, title) in WAYS {
            let cells = names(suite, sizes, step).into_iter().map(|name| found.cell(&name, OURS));
            grid.row(Kind::Ours, format!("{suite}: {title}"), cells);
        }
        grid.cite(suite);
    }
    grid
}

/// Counted, not measured: the curve is Ed25519's, and the counts are those of every suite.
fn multiplications(sizes: &[Size]) -> Grid {
    let sizes: Vec<Size> = sizes.iter().copied().filter(|size| size.n <= 100).collect();
    let fixtures: Vec<_> =
        sizes.iter().map(|&size| counts::fixture::<Ed25519Sha512>(size)).collect();
    let aggregations = [
        (Operation::AggregateOneBad, "aggregate, one cheater named"),
        (Operation::AggregateHalfBad, "aggregate, half of them named"),
        (Operation::AggregateEachShare, "aggregate, every share checked"),
    ];
    let caption = "Multiplications of the generator / of other points, terms of sums included";
    let mut grid = Grid::new(["table-frost-multiplications", caption, "step"], columns(&sizes));
    for (step, title) in STEPS.into_iter().chain(aggregations) {
        let ours = fixtures.iter().map(|fixture| counts::count(&**fixture, step).cell());
        grid.row(Kind::Counted, title, ours);
        grid.cite(title);
    }
    grid
}

fn plots(found: Found<'_>, sizes: &[Size]) -> Vec<Drawing> {
    let ms = |suite: Suite, size: Size, step| {
        found.middle(&name(suite.name(), size, step)).map_or(f64::NAN, |us| us / 1e3)
    };
    let drawing = |id: &str, what: &str, groups: &[String], bars: &[Bars]| {
        plot::bars([&format!("plot-frost-{id}"), &format!("{what}, ours"), "ms"], groups, bars)
    };
    let short = STEPS.map(|(_, title)| title.replace("key generation with dealer", "dealer"));
    let by_size = sizes.iter().map(|&size| {
        let of = |suite: Suite| {
            (suite.name().to_owned(), STEPS.map(|one| ms(suite, size, one.0)).into())
        };
        let bars: Vec<Bars> = suites().map(of).collect();
        drawing(&size.n.to_string(), &size.to_string(), &short, &bars)
    });
    let by_suite = suites().map(|suite| {
        let of = |(step, title): (_, &str)| {
            (title.to_owned(), sizes.iter().map(|&size| ms(suite, size, step)).collect())
        };
        drawing(suite.name(), suite.name(), &columns(sizes), &STEPS.map(of))
    });
    by_size.chain(by_suite).collect()
}
