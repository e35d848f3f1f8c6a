//! A signing service of three nodes, to copy. One command starts all of it:
//!
//! ```sh
//! cargo run -p quorate-service -- demo                     # seconds, with primes of 384 bits, which protect nothing
//! cargo run --release -p quorate-service -- demo --real    # primes of 1536 bits: seconds to minutes
//! ```

mod app;
mod demo;
mod net;
mod node;
mod policy;

use quorate::ecdsa::Level;

/// The time for which a key generation waits for nodes that are down, in milliseconds.
const YEAR: u64 = 365 * 24 * 3600 * 1000;

type Result<T, E = Box<dyn core::error::Error + Send + Sync>> = core::result::Result<T, E>;

#[tokio::main]
async fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let real = words.last().is_some_and(|word| word == "--real");
    let level = if real { Level::Bits128 } else { Level::Toy };
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["demo"] | ["demo", "--real"] => demo::run(level).await,
        ["node", number, root, ..] => node::serve(root.as_ref(), number, level).await,
        _ => Err("expected `demo`, or `demo --real`".into()),
    };
    done.map_err(|why| why.to_string())
}
