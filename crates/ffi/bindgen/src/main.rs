//! Writes the bindings for a language: `uniffi-bindgen generate --language python --out-dir OUT LIBRARY`.
//!
//! For Python a second step changes the module that UniFFI wrote ([`python`]). maturin runs this program too, so that a wheel has
//! the same module.

mod python;

use std::process::ExitCode;

fn main() -> ExitCode {
    uniffi::uniffi_bindgen_main();
    match python::finish(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
