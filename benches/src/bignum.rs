//! Big numbers: every engine and other libraries on the same inputs, in turns.

mod args;
mod inputs;
mod op;
mod plain;
mod primes;

use std::io::Write as _;

pub use args::BignumArgs;
pub use inputs::Inputs;
pub use op::{Contender, Op, Work};
pub use primes::search_once;

use crate::{Meter as _, Stopwatch, median};

/// Runs of one piece of work that make a sample of at least 2 ms.
const SAMPLE_US: f64 = 2000.0;

/// A contender's samples, in microseconds for one product.
struct Lane<'a> {
    contender: Contender,
    work: Work<'a>,
    iterations: u32,
    samples: Vec<f64>,
}

impl Lane<'_> {
    fn time(&mut self, iterations: u32) -> f64 {
        let mut stopwatch = Stopwatch::default();
        stopwatch.start();
        for _ in 0..iterations {
            (self.work.run)();
        }
        stopwatch.stop();
        stopwatch.total().as_secs_f64() * 1e6 / f64::from(iterations)
    }

    fn warm_up(&mut self) {
        let first = self.time(1).max(1.0);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 1 and 2000"
        )]
        let iterations = (SAMPLE_US / first).clamp(1.0, 2000.0) as u32;
        self.iterations = iterations;
    }

    fn sample(&mut self) {
        let us = self.time(self.iterations) / f64::from(self.work.products);
        self.samples.push(us);
    }
}

/// One line of the report.
#[derive(Clone, Debug)]
pub struct BignumLine {
    /// Who.
    pub engine: &'static str,
    /// The operation.
    pub op: Op,
    /// Bits of the modulus.
    pub bits: u32,
    /// Bits of the longest exponent.
    pub exponent_bits: u32,
    /// Median, in microseconds for one product.
    pub us: f64,
    /// Median over the rounds of (GMP's time / this time), where GMP took part.
    pub ratio: Option<f64>,
    /// Samples.
    pub runs: usize,
    /// The samples, in microseconds for one product.
    pub samples: Vec<f64>,
}

/// Times one operation at one size with every contender, round by round.
#[must_use]
pub fn measure(op: Op, bits: u32, contenders: &[Contender], runs: usize) -> Vec<BignumLine> {
    let inputs = Inputs::new(bits);
    let mut lanes: Vec<Lane<'_>> = contenders
        .iter()
        .filter_map(|&contender| {
            let work = op.work(contender, &inputs)?;
            Some(Lane { contender, work, iterations: 1, samples: Vec::new() })
        })
        .collect();
    lanes.iter_mut().for_each(Lane::warm_up);
    for _ in 0..runs {
        lanes.iter_mut().for_each(Lane::sample);
    }
    let reference = lanes.iter().find(|l| l.contender.name() == "gmp").map(|l| l.samples.clone());
    lanes
        .iter()
        .map(|lane| BignumLine {
            engine: lane.contender.name(),
            op,
            bits,
            exponent_bits: op.exponent_bits(bits),
            us: median(lane.samples.clone()),
            ratio: reference
                .as_ref()
                .map(|gmp| median(gmp.iter().zip(&lane.samples).map(|(g, s)| g / s).collect())),
            runs,
            samples: lane.samples.clone(),
        })
        .collect()
}

/// Measures what the arguments ask for and prints it line by line.
pub fn report(args: &BignumArgs) {
    let mut out = std::io::stdout();
    for &op in &args.ops {
        for &bits in op.sizes(&args.bits).iter() {
            if op == Op::SafePrime {
                primes::report(args, bits);
                continue;
            }
            for line in measure(op, bits, &args.contenders, args.runs) {
                let printed = if args.json { line.json() } else { line.text() };
                writeln!(out, "{printed}").expect("standard output is open");
            }
        }
    }
}

impl BignumLine {
    fn json(&self) -> String {
        format!(
            r#"{{"engine":"{}","op":"{}","bits":{},"exponent_bits":{},"us":{:.2},"runs":{}}}"#,
            self.engine,
            self.op.name(),
            self.bits,
            self.exponent_bits,
            self.us,
            self.runs
        )
    }

    fn text(&self) -> String {
        let ratio = self.ratio.map_or(String::new(), |r| format!("{r:>8.2} x gmp"));
        format!(
            "{:<22}{:>6}{:>7}  {:<14}{:>14.1} us{ratio}",
            self.op.name(),
            self.bits,
            self.exponent_bits,
            self.engine,
            self.us
        )
    }
}
