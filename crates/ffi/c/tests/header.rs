//! The header is the one that the sources give, and so is its copy in the module for Go. With `QUORATE_BLESS=1` the test writes both
//! instead.

use std::path::Path;
use std::{env, fs};

use cbindgen::{Builder, Config};

/// The sources in the order of the header.
const SOURCES: [&str; 17] = [
    "error",
    "values",
    "enums",
    "seal_key",
    "task",
    "session",
    "stepped",
    "lists",
    "outcome",
    "key_share",
    "public_key_package",
    "frost",
    "claim",
    "aux_info",
    "presignature",
    "ml_dsa",
    "verify",
];

#[test]
fn the_header_is_that_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = Config::from_file(root.join("cbindgen.toml")).unwrap();
    let source = |name: &str| root.join("src").join(name).with_extension("rs");
    let builder =
        SOURCES.iter().fold(Builder::new(), |builder, name| builder.with_src(source(name)));
    let mut generated = Vec::new();
    builder.with_config(config).generate().unwrap().write(&mut generated);
    let generated = String::from_utf8(generated).unwrap();
    // A source that is not in the list above would be left out.
    for source in fs::read_dir(root.join("src")).unwrap() {
        let source = fs::read_to_string(source.unwrap().path()).unwrap();
        for function in source.split("pub extern \"C\" fn ").skip(1) {
            let name = function.split('(').next().unwrap();
            assert!(generated.contains(&format!("{name}(")), "{name} is not in the header");
        }
    }
    for name in ["include/quorate.h", "../go/include/quorate.h"] {
        let header = root.join(name);
        if env::var_os("QUORATE_BLESS").is_some() {
            fs::create_dir_all(header.parent().unwrap()).unwrap();
            fs::write(&header, &generated).unwrap();
        }
        let stored = fs::read_to_string(&header).unwrap_or_default();
        assert!(stored == generated, "{name} differs: run this test with QUORATE_BLESS=1");
    }
}
