//! The tables of tss-ecdsa: primes and powers by engine, protocols by number of parties.

mod bignum;

use bignum::{PRIME_BITS, SIZES, best, power_plot, powers, primes};

use super::ecdsa_lanes::{Lanes, setup};
use super::figure::{Figure, OURS};
use super::floor;
use super::plot::{self, Mark, Series};
use super::published;
use super::run::{Peers, Piece, Run, Scale};
use super::section::{Drawing, Found, Grid, Headline, Shown};
use crate::ecdsa::EcdsaStep;

/// Steps in the order of the table, with their names there.
const STEPS: [(EcdsaStep, &str); 6] = [
    (EcdsaStep::Keygen, "keygen"),
    (EcdsaStep::AuxInfo, "aux-info"),
    (EcdsaStep::AuxInfoGivenPrimes, "aux-info, primes given"),
    (EcdsaStep::Presign, "presign"),
    (EcdsaStep::PresignMany, "presign in bulk, each"),
    (EcdsaStep::Sign, "sign"),
];

const PARTIES: [&[u16]; 3] = [&[3], &[3, 6, 9], &[3, 6, 9]];

/// Presignatures of a run in bulk.
const BULK: [u16; 3] = [2, 4, 32];

pub(super) fn pieces(scale: Scale, peers: &Peers) -> Vec<Piece<'_>> {
    let samples = scale.pick([3u16, 5, 21]);
    let power = |&bits: &u32| {
        let cost = f64::from(samples) * ((f64::from(bits) / 4096.0).powi(3) * 0.8 + 0.1);
        Piece::new(format!("powers of {bits} bits"), cost, move || powers(bits, samples.into()))
    };
    let (bits, count) = (scale.pick(PRIME_BITS), scale.pick([1u16, 2, 20]));
    let cost = f64::from(count) * (f64::from(bits) / 1024.0).powi(5) * 5.5;
    let search = move || primes(bits, count.into());
    let protocol = |&n: &u16| {
        let cost = seconds(scale, n, beside(scale, n) && !peers.ecdsa.is_empty());
        let label = format!("threshold ECDSA, {n} parties");
        Piece::new(label, cost, move || protocols(scale, peers, n))
    };
    let mut pieces: Vec<Piece<'_>> = scale.pick(SIZES).iter().map(power).collect();
    pieces.push(Piece::new(format!("safe primes of {bits} bits"), cost, search));
    pieces.extend(scale.pick(PARTIES).iter().map(protocol));
    pieces
}

/// Runs of a step among n parties.
fn runs(scale: Scale, step: EcdsaStep, n: u16) -> u16 {
    let by_parties = |few, some, many| match n {
        0..=3 => few,
        4..=6 => some,
        _ => many,
    };
    match step {
        EcdsaStep::Keygen | EcdsaStep::Sign => scale.pick([3, 11, 21]),
        // As many searches for each size: the more parties, the fewer runs.
        EcdsaStep::AuxInfo => scale.pick([1, 1, by_parties(20, 10, 7)]),
        // Each run is the mean of many parties, and of many results.
        EcdsaStep::AuxInfoGivenPrimes | EcdsaStep::PresignMany => {
            scale.pick([1, 1, by_parties(3, 1, 1)])
        }
        _ => scale.pick([1, by_parties(3, 3, 2), by_parties(11, 5, 3)]),
    }
}

/// Seconds for n parties: for each of them the work for each other one, and of auxiliary information the primes.
fn seconds(scale: Scale, n: u16, beside: bool) -> f64 {
    let (parties, k) = (f64::from(n), f64::from(scale.pick(BULK)));
    let runs = |step| f64::from(runs(scale, step, n));
    let (searched, given) = (runs(EcdsaStep::AuxInfo), runs(EcdsaStep::AuxInfoGivenPrimes));
    let (single, many) = (runs(EcdsaStep::Presign), runs(EcdsaStep::PresignMany));
    // Searches are counted as often as they are timed, everything else once.
    let ours = 2.0 * searched * (0.2 + 0.067 * parties) + (given + 1.0) * 0.075 * parties;
    let ours = ours + (single + 1.0) * 0.019 * parties + (many + 1.0) * k * 0.011 * parties;
    let peer = if beside { given * 1.5 + (single + many) * 0.3 } else { 0.0 };
    parties * (ours + peer * parties)
}

/// Returns whether the peers take part. With many parties they take minutes.
fn beside(scale: Scale, n: u16) -> bool {
    n == 3 || scale == Scale::Full
}

fn protocols(scale: Scale, peers: &Peers, n: u16) -> Vec<Figure> {
    let mut lanes = Lanes::new(setup(n, scale.pick(BULK)), beside(scale, n).then_some(peers));
    let step = |(step, _)| {
        let (name, runs) = (step_name(n, step), runs(scale, step, n).into());
        let mut figures = lanes.run(&name, step, runs);
        let ours = figures.iter().find(|one| one.who == OURS);
        figures.extend(ours.map(|ours| lanes.floor(ours, step)).into_iter().flatten());
        figures
    };
    STEPS.into_iter().flat_map(step).collect()
}

fn headlines(found: Found<'_>, scale: Scale) -> Vec<Headline> {
    let bits = scale.pick(SIZES).last().copied().unwrap_or(0);
    let (power, presign) = (format!("tss/modexp/{bits}"), step_name(3, EcdsaStep::Presign));
    vec![
        Headline::new(
            format!("one power of {bits} bits"),
            [found.cell(&power, &best()), published::report("tss-ecdsa").headline.clone()],
            found.peer(&power, &best(), &["gmp", "num-bigint"]),
        ),
        Headline::new(
            "presign per party, 3 parties, 2048 bits",
            [
                found.cell(&presign, OURS),
                published::cell("table-tss-protocols", "presign", "3 parties"),
            ],
            found.peer(&presign, OURS, &["cggmp24", "cggmp21"]),
        ),
    ]
}

fn step_name(n: u16, step: EcdsaStep) -> String {
    format!("tss/{n}-of-{n}/{}", step.name())
}

pub(super) fn shown(found: Found<'_>, run: &mut Run<'_>) -> Shown {
    let scale = run.scale;
    Shown {
        tables: vec![
            bignum::table(found, scale),
            protocol_table(found, scale),
            operation_table(found, scale),
        ],
        plots: vec![power_plot(found, scale), party_plot(found, scale)],
        headlines: headlines(found, scale),
        ..Shown::default()
    }
}

fn protocol_table(found: Found<'_>, scale: Scale) -> Grid {
    let head = scale.pick(PARTIES).iter().map(|n| format!("{n} parties"));
    let caption = "Protocols, per party, moduli of 2048 bits";
    let mut grid = Grid::new(["table-tss-protocols", caption, "per party"], head);
    for (step, title) in STEPS {
        let names: Vec<String> = scale.pick(PARTIES).iter().map(|&n| step_name(n, step)).collect();
        grid.libraries(found, &names, [&format!("{title}: "), OURS, "products and points"]);
        grid.cite(title);
    }
    grid
}

/// The operations of each step with the fewest parties.
fn operation_table(found: Found<'_>, scale: Scale) -> Grid {
    let n = scale.pick(PARTIES)[0];
    let steps = STEPS.map(|(step, title)| (title, step_name(n, step)));
    let caption =
        format!("Operations of one of {n} parties, for one result, and the time of one at best");
    floor::table(found, "table-tss-operations", &caption, &steps)
}

fn party_plot(found: Found<'_>, scale: Scale) -> Drawing {
    let series = STEPS.map(|(step, title)| {
        let point = |&n: &u16| Some((f64::from(n), found.middle(&step_name(n, step))? / 1e3));
        Series::new(title, Mark::Line, scale.pick(PARTIES).iter().filter_map(point).collect())
    });
    plot::lines(["plot-tss-parties", "Per party, ours", "parties", "ms"], true, &series)
}
