//! One operation of an engine's kernel for one number, or for several side by side, many times, for tools that count instructions.
//!
//! ```sh
//! cargo run --release -p quorate-bignum --features counting --example repeat -- portable 2048 square 1000
//! ```

use core::error::Error;

use quorate_bignum::{Engine, Operation};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (engine, bits, operation, times, many) = match arguments.as_slice() {
        [engine, bits, operation, times] => (engine, bits, operation, times, false),
        [engine, bits, operation, times, many] if many == "many" => {
            (engine, bits, operation, times, true)
        }
        _ => return Err("arguments: ENGINE BITS multiply|square TIMES [many]".into()),
    };
    let engine = Engine::own().into_iter().find(|one| one.name() == engine);
    let engine = engine.ok_or("no engine of this name runs here")?;
    let square = operation == "square";
    let operation = Operation { bits: bits.parse()?, rooted: false, square };
    let mut repeated = engine.repeated(operation, many).ok_or("no such operation")?;
    if repeated.run(times.parse()?) { Ok(()) } else { Err("the kernel refused the numbers".into()) }
}
