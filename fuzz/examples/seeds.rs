//! Writes the seeds into the corpus: `cargo run --example seeds`, in the folder `fuzz`.

use std::fs;
use std::path::Path;

use quorate_fuzz::seeds;

fn main() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for (kind, seeds) in [("seed", seeds::all()), ("refused", seeds::refused())] {
        for seed in seeds {
            let folder = corpus.join(seed.target);
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(format!("{kind}_{}", seed.name)), &seed.bytes)?;
        }
    }
    Ok(())
}
