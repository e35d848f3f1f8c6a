//! Figures of a runner: its cost beside that of its protocol, the memory of open runs, and whether memory stays flat.

mod exchanges;
mod presigning;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::args::option;
use crate::{HeapMeter, Meter as _};
use exchanges::Exchanges;
use presigning::Presigning;

/// The options of `timings runner`.
pub struct RunnerArgs {
    open: usize,
    ended: usize,
    presignings: usize,
}

impl RunnerArgs {
    /// The subcommand.
    #[must_use]
    pub fn command() -> Command {
        Command::new("runner").about("Measure the loop around sessions: CPU and memory").args([
            runs("open").help("Runs of FROST that are open at once; 1000 unless given"),
            runs("ended").help("Runs of FROST, one after the other; 100000 unless given"),
            runs("presignings").help("Presignings of each kind; 9 unless given"),
        ])
    }

    /// Reads the arguments.
    #[must_use]
    pub fn new(matches: &ArgMatches) -> Self {
        let number = |name, default| {
            let given = matches.get_one::<u32>(name);
            given.map_or(default, |runs| usize::try_from(*runs).unwrap_or(usize::MAX))
        };
        Self {
            open: number("open", 1_000),
            ended: number("ended", 100_000),
            presignings: number("presignings", 9),
        }
    }
}

fn runs(name: &'static str) -> Arg {
    option(name, "RUNS").value_parser(value_parser!(u32).range(1..))
}

/// Measures, and prints.
pub fn report(args: &RunnerArgs) {
    overhead(args.presignings);
    open(args.open);
    ended(args.ended);
}

/// CPU time of presignings by three sessions alone, and by three runners with their stores, in turns.
fn overhead(runs: usize) {
    let mut presigning = Presigning::new();
    let (mut alone, mut with) = (Vec::new(), Vec::new());
    for _ in 0..runs {
        alone.push(presigning.alone());
        with.push(presigning.with_runners());
    }
    let (alone, with) = (crate::median(alone), crate::median(with));
    let more = (with / alone - 1.0) * 100.0;
    println!(
        "presigning, 3 of 3, 3072 bits, all parties: {alone:.2} ms alone, {with:.2} ms with runners, {more:+.2} %"
    );
}

/// The memory of runs that wait for a share, all in memory and in a store in memory.
fn open(runs: usize) {
    let mut exchanges = Exchanges::new(runs);
    let jobs = exchanges.jobs(0, runs);
    let mut meter = HeapMeter::default();
    meter.start();
    exchanges.start(&jobs);
    meter.stop();
    let whole = meter.left.unsigned_abs();
    let store = exchanges.store_of_first();
    println!(
        "{runs} FROST runs open at once, Ed25519, 2 of 3: {} KB, of which {} KB are the store's; {} bytes a run",
        whole >> 10,
        store >> 10,
        whole.checked_div(runs).unwrap_or_default(),
    );
}

/// The memory of a party after many runs.
fn ended(runs: usize) {
    let mut exchanges = Exchanges::new(64);
    let mut meter = HeapMeter::default();
    meter.start();
    let (mut done, mut next) = (0, 1_000);
    while done < runs {
        let batch = next.min(runs);
        exchanges.finish(done, batch);
        (done, next) = (batch, next.saturating_mul(10));
        println!("after {done} runs: {} KB live", HeapMeter::live() >> 10);
    }
    let live = HeapMeter::live();
    let stores = exchanges.drop_stores();
    meter.stop();
    let per_run = stores.checked_div(runs).unwrap_or_default();
    println!(
        "of {} KB, {} KB are tombstones and outcomes in the two stores: {per_run} bytes a run",
        live >> 10,
        stores >> 10
    );
}
