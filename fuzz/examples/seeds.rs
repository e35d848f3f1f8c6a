//! Writes the seeds into the corpus: `cargo run --example seeds`, in the folder `fuzz`.

use std::fs;
use std::path::Path;

use quorate_fuzz::seeds;

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for seed in seeds::all() {
        let folder = corpus.join(seed.target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("seed_{}", seed.name)), &seed.bytes)?;
    }
    Ok(())
}
