//! Sets our figures beside those of five published reports: `report quick`, `report full`, and `report compare A.json
//! B.json` for two runs. The same program in `benches/peers` has other libraries run beside.

use std::process::ExitCode;

use quorate_benches::CountingAllocator;
use quorate_benches::report::{Peers, main as report};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    report(&Peers::default())
}
