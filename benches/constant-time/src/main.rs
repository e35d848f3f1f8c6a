//! Operations on secrets under valgrind, which reports every branch and every address that depends on a secret.
//!
//! The bytes of the secrets, and those of the generator, are marked as undefined; valgrind follows them through every
//! operation, and complains where a jump or an address is made of them. The library marks each value that becomes public
//! (`quorate-declassify`), and a build for this gate (`--cfg quorate_watch`) passes the marks on.
//!
//! `run.sh` builds it and runs it under valgrind: the portable engine, the one for x86-64 (valgrind knows BMI2, ADX and
//! AVX2, and nothing of AVX-512), and the controls, which must be reported.

mod cases;
mod memory;
mod random;

use std::process::ExitCode;

use quorate_bignum::Engine;

use quorate_paillier::Level;

use crate::cases::{Case, Run};

/// The cases to run, by the arguments.
fn chosen(arguments: &[String]) -> Option<(Run, Vec<&'static [Case]>)> {
    let engine = |name: &str| Engine::available().into_iter().find(|one| one.name() == name);
    let level =
        |bits: &str| Level::ALL.into_iter().find(|one| one.modulus_bits().to_string() == bits);
    let short = |engine| Run { engine, level: Level::Bits112 };
    match arguments {
        [what] if what == "curves" => Some((short(Engine::portable()), cases::CURVES.to_vec())),
        [what] if what == "keys" => Some((short(Engine::portable()), vec![cases::KEYS])),
        [what] if what == "lattices" => Some((short(Engine::portable()), vec![cases::LATTICES])),
        [what] if what == "two-keys" => Some((short(Engine::portable()), vec![cases::TWO_KEYS])),
        [what, name, bits] if what == "numbers" => {
            Some((Run { engine: engine(name)?, level: level(bits)? }, cases::NUMBERS.to_vec()))
        }
        [what, name, bits] if what == "proofs" => {
            Some((Run { engine: engine(name)?, level: level(bits)? }, vec![cases::PROOFS]))
        }
        [what, leak, name] if what == "leak" => {
            let one = cases::LEAKS.iter().find(|(name, _)| name == leak)?;
            Some((short(engine(name)?), vec![core::slice::from_ref(one)]))
        }
        _ => None,
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((run, groups)) = chosen(&arguments) else {
        eprintln!(
            "usage: constant-time curves | keys | two-keys | lattices | numbers ENGINE BITS | proofs ENGINE BITS | \
             leak NAME ENGINE"
        );
        return ExitCode::from(2);
    };
    if !memory::watched() {
        eprintln!("not under valgrind: results are compared, nothing is watched");
    }
    #[cfg(quorate_watch)]
    if !quorate_declassify::watch(memory::show_at) {
        return ExitCode::from(3);
    }
    for (name, case) in groups.into_iter().flatten() {
        let start = std::time::Instant::now();
        case(&run);
        println!("{}, {name}: {:.1} s", run.engine, start.elapsed().as_secs_f64());
    }
    ExitCode::SUCCESS
}
