//! The command line of `timings bignum`.

use clap::{ArgMatches, Command, value_parser};

use super::{Contender, Op};
use crate::args::{all, count, json, one_of, options};

/// Big numbers: the operations to measure, and the form to print them in.
#[derive(Clone, Debug)]
pub struct BignumArgs {
    /// The operations.
    pub ops: Vec<Op>,
    /// Sizes of the modulus in bits; none for those of each operation.
    pub bits: Vec<u32>,
    /// Engines and other libraries.
    pub contenders: Vec<Contender>,
    /// Samples of each contender.
    pub runs: usize,
    /// Safe primes of each contender.
    pub primes: usize,
    /// One JSON object a line instead of a table.
    pub json: bool,
}

impl BignumArgs {
    /// The subcommand.
    #[must_use]
    pub fn command() -> Command {
        let contenders = Contender::all().into_iter().map(|one| (one.name(), one));
        Command::new("bignum").about("Time powers of big numbers").args([
            options("op", "OP")
                .value_parser(one_of(Op::ALL.map(|op| (op.name(), op))))
                .help("An operation; all but the search for safe primes unless given"),
            options("bits", "BITS")
                .value_parser(value_parser!(u32))
                .help("A size of the modulus; those of each operation unless given"),
            options("engine", "ENGINE")
                .value_parser(one_of(contenders))
                .help("An engine or another library; all of this build unless given"),
            count("runs", "SAMPLES").default_value("11").help("Samples of each contender"),
            count("primes", "COUNT").default_value("20").help("Safe primes of each contender"),
            json(),
        ])
    }

    /// Reads the arguments.
    #[must_use]
    pub fn new(matches: &ArgMatches) -> Self {
        let (mut ops, mut contenders) = (all(matches, "op"), all(matches, "engine"));
        if ops.is_empty() {
            ops = Op::ALL.into_iter().filter(|&op| op != Op::SafePrime).collect();
        }
        if contenders.is_empty() {
            contenders = Contender::all();
        }
        let number = |name| matches.get_one(name).map_or(1, |count: &u16| usize::from(*count));
        Self {
            ops,
            bits: all(matches, "bits"),
            contenders,
            runs: number("runs"),
            primes: number("primes"),
            json: matches.get_flag("json"),
        }
    }
}
