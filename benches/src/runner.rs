//! Figures of a runner: its cost beside that of its protocol, the memory of open runs, and whether memory stays flat.

mod databases;
mod exchanges;
mod one_by_one;
mod presigning;
mod services;
mod signing;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::args::option;
use crate::{HeapMeter, Meter as _};
#[cfg(feature = "postgres")]
use databases::Schemas;
use databases::{Databases, Files};
use exchanges::Exchanges;
use one_by_one::Single;
use presigning::Presigning;
use signing::Signing;

/// The options of `timings runner`.
pub struct RunnerArgs {
    open: usize,
    ended: usize,
    presignings: usize,
    signatures: usize,
    #[cfg(feature = "postgres")]
    postgres: Option<String>,
}

impl RunnerArgs {
    /// The subcommand.
    #[must_use]
    pub fn command() -> Command {
        let command =
            Command::new("runner").about("Measure the loop around sessions: CPU and memory");
        #[cfg(feature = "postgres")]
        let command = command.arg(
            option("postgres", "ADDRESS").help("A PostgreSQL server, to measure its store too"),
        );
        command.args([
            runs("open").help("Runs of FROST that are open at once; 1000 unless given"),
            runs("ended").help("Runs of FROST, one after the other; 100000 unless given"),
            runs("presignings").help("Presignings of each kind; 9 unless given"),
            runs("signatures").help("FROST signatures of each kind; 500 unless given"),
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
            signatures: number("signatures", 500),
            #[cfg(feature = "postgres")]
            postgres: matches.get_one("postgres").cloned(),
        }
    }
}

fn runs(name: &'static str) -> Arg {
    option(name, "RUNS").value_parser(value_parser!(u32).range(1..))
}

/// Measures, and prints.
pub fn report(args: &RunnerArgs) {
    overhead(Files::new(), args.presignings);
    pieces();
    signatures(Files::new, args.signatures);
    #[cfg(feature = "postgres")]
    if let Some(address) = &args.postgres {
        println!("the server's own CPU time is not in the figures of PostgreSQL");
        overhead(Schemas::new(address), args.presignings);
        signatures(|| Schemas::new(address), args.signatures);
    }
    open(args.open);
    ended(args.ended);
}

/// CPU time of presignings by three sessions alone, by three runners with their stores, and through three services on a
/// database, in turns.
fn overhead<D: Databases>(databases: D, runs: usize) {
    let mut presigning = Presigning::new();
    let services = presigning.services(databases);
    let (mut alone, mut with, mut through) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..runs {
        alone.push(presigning.alone());
        with.push(presigning.with_runners());
        through.push(presigning.through(&services));
    }
    let alone = crate::median(alone);
    println!("presigning, 3 of 3, 3072 bits, CPU of all parties: {alone:.2} ms alone");
    let service = format!("through quorate-tokio on {}", D::NAME);
    for (name, time) in [("with runners", with), (&service, through)] {
        let time = crate::median(time);
        println!("  {name}: {time:.2} ms, {:+.2} %", (time / alone - 1.0) * 100.0);
    }
}

/// The longest time for which a party works without a break, in runs for many presignatures.
fn pieces() {
    let mut presigning = Presigning::new();
    for count in [32, 128] {
        let (longest, of_one) = presigning.pieces(count);
        println!(
            "{count} presignatures in a run, 3 of 3, 3072 bits: {of_one:.1} ms a party for each; the longest piece {longest:.0} ms"
        );
    }
}

/// CPU time of FROST signatures by sessions alone, and through services on a database: one after the other, and many at
/// once, with a store that commits what has gathered in one transaction and with one that commits each record.
fn signatures<D: Databases>(databases: impl Fn() -> D, runs: usize) {
    for workers in [0, 1] {
        let mut signing = Signing::new(databases(), workers);
        let mut one_by_one = Signing::new(Single(databases()), workers);
        let (mut alone, mut called) = (Vec::new(), Vec::new());
        let (mut single, mut many, mut apart) = (Vec::new(), Vec::new(), Vec::new());
        let part = runs.div_ceil(5);
        for _ in 0..5 {
            alone.push(signing.alone(part));
            called.push(signing.through_calls(part));
            single.push(signing.through_services(part, 1));
            many.push(signing.through_services(part, 64));
            apart.push(one_by_one.through_services(part, 64));
        }
        let [alone, called, single, many, apart] =
            [alone, called, single, many, apart].map(crate::median);
        println!(
            "FROST signature, Ed25519, 2 of 3, CPU a signer: {alone:.3} ms alone; through quorate-tokio on {} with \
             {workers} workers: {called:.3} ms by a coordinator's calls; as recorded runs, {single:.3} ms one after the \
             other, {many:.3} ms 64 at once, {apart:.3} ms ({:.2} times as much) 64 at once with a transaction for each record",
            D::NAME,
            apart / many
        );
    }
}

/// The memory of runs that wait for a share, all in memory and in a store in memory.
fn open(runs: usize) {
    let mut exchanges = Exchanges::new(runs);
    let jobs = exchanges.jobs(0, runs);
    let mut meter = HeapMeter::default();
    meter.measure(|| exchanges.start(&jobs));
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
