//! Writes the keys of other libraries that the tests of `quorate_keys::migrate` read.

use std::fs;
use std::path::Path;

use quorate_peers::migration::{FOLDER, files};

fn main() -> std::io::Result<()> {
    fs::create_dir_all(FOLDER)?;
    for (name, content) in files() {
        fs::write(Path::new(FOLDER).join(name).with_extension("txt"), content)?;
    }
    Ok(())
}
