//! The command line of `timings bignum`.

use super::{Contender, Op};

/// What to measure and how to print it.
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
    /// How the program is called.
    pub const USAGE: &str = "usage: timings bignum [--op NAME]... [--bits N]... [--engine NAME]... [--runs SAMPLES] \
                             [--primes COUNT] [--json]";

    /// Reads the arguments after the word `bignum`.
    ///
    /// # Errors
    /// What is wrong with them, in words for the user.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut out = Self {
            ops: vec![],
            bits: vec![],
            contenders: vec![],
            runs: 11,
            primes: 20,
            json: false,
        };
        let mut arguments = arguments.into_iter();
        while let Some(flag) = arguments.next() {
            if flag == "--json" {
                out.json = true;
                continue;
            }
            let value = arguments.next().ok_or(format!("{flag} wants a value"))?;
            match flag.as_str() {
                "--op" => out.ops.push(Op::of(&value).ok_or(format!("no operation {value}"))?),
                "--bits" => out.bits.push(number(&value)?),
                "--engine" => {
                    let contender = Contender::all().into_iter().find(|c| c.name() == value);
                    out.contenders
                        .push(contender.ok_or(format!("no engine {value} in this build"))?);
                }
                "--runs" => out.runs = number(&value)?.max(1) as usize,
                "--primes" => out.primes = number(&value)?.max(1) as usize,
                _ => return Err(format!("unknown option {flag}")),
            }
        }
        if out.ops.is_empty() {
            out.ops = Op::ALL.into_iter().filter(|&op| op != Op::SafePrime).collect();
        }
        if out.contenders.is_empty() {
            out.contenders = Contender::all();
        }
        Ok(out)
    }
}

fn number(value: &str) -> Result<u32, String> {
    value.parse().map_err(|_| format!("{value} is no number"))
}
