//! Keys of other libraries in their stored forms: what `quorate_keys::migrate` reads, and its tests with it.

mod ecdsa;
mod frost;

use serde::Serialize;

pub use frost::key_generation;

/// The folder of the files, in the repository.
pub const FOLDER: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/keys/tests/migrate/fixtures");

/// The files by name, the same in every run. After a heading, each line is a name, a blank, and JSON or bytes in
/// hexadecimal digits.
#[must_use]
pub fn files() -> Vec<(&'static str, String)> {
    vec![
        ("frost-ed25519", frost::file::<frost_ed25519::Ed25519Sha512>()),
        ("frost-ristretto255", frost::file::<frost_ristretto255::Ristretto255Sha512>()),
        ("frost-secp256k1", frost::file::<frost_secp256k1::Secp256K1Sha256>()),
        ("frost-secp256k1-tr", frost::file::<frost_secp256k1_tr::Secp256K1Sha256TR>()),
        ("frost-p256", frost::file::<frost_p256::P256Sha256>()),
        ("frost-ed448", frost::file::<frost_ed448::Ed448Shake256>()),
        ("cggmp-secp256k1", ecdsa::secp256k1()),
        ("cggmp-p256", ecdsa::p256()),
    ]
}

/// The lines of a file.
struct Lines(String);

impl Lines {
    fn new(made_by: &str) -> Self {
        let again = "cargo run --manifest-path benches/peers/Cargo.toml --bin migration";
        Self(format!("# Keys for tests, made by {made_by}. Again: {again}\n"))
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        self.0 += &format!("{name} {hex}\n");
    }

    fn json(&mut self, name: &str, value: &impl Serialize) {
        let json = serde_json::to_string(value).expect("a key");
        self.0 += &format!("{name} {json}\n");
    }
}
