//! Writes the bindings for a language: `uniffi-bindgen generate --language python --out-dir OUT LIBRARY`.

fn main() {
    uniffi::uniffi_bindgen_main();
}
