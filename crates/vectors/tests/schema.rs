//! Each file of `docs/spec/vectors` is as `schema.json` says, by a validator that is not ours: Python's `jsonschema`.
#![allow(clippy::unwrap_used, reason = "a test that fails stops")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/spec/vectors");

/// Validates files, and prints the name and the first problem of each that is not as the schema says.
const VALIDATE: &str = r#"
import json, pathlib, sys
from jsonschema import Draft202012Validator
schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
for name in sys.argv[2:]:
    path = pathlib.Path(name)
    for problem in validator.iter_errors(json.loads(path.read_text())):
        print(path.name, problem.json_path, problem.message[:200])
        break
"#;

fn python(arguments: &[&str]) -> Option<Output> {
    Command::new("python3").arg("-c").args(arguments).output().ok()
}

/// Returns whether the validator is there. `.ci/run vectors` installs it, so with `CI` set it has to be.
fn has_validator() -> bool {
    let found = python(&["from jsonschema import Draft202012Validator"]);
    let there = found.is_some_and(|output| output.status.success());
    if !there {
        assert!(std::env::var_os("CI").is_none(), "Python's jsonschema is missing");
        eprintln!("skipped: Python's jsonschema (4 or later) is missing");
    }
    there
}

fn validate(files: &[String]) -> String {
    let schema = format!("{FOLDER}/schema.json");
    let mut arguments = vec![VALIDATE, &schema];
    arguments.extend(files.iter().map(String::as_str));
    let output = python(&arguments).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_file_is_as_the_schema_says() {
    if has_validator() {
        let files: Vec<_> =
            quorate_vectors::names().iter().map(|name| format!("{FOLDER}/{name}.json")).collect();
        assert_eq!(validate(&files), "");
    }
}

/// Members that are missing, unknown or of another form.
#[test]
fn the_schema_refuses_other_files() {
    if !has_validator() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("quorate-schema-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let text = fs::read_to_string(Path::new(FOLDER).join("frost-ed25519-2-2.json")).unwrap();
    let changes = [
        ("\"kind\": \"session\"", "\"kind\": \"run\""),
        ("\"context\": \"", "\"context\": \"0"),
        ("\"tombstone\": \"", "\"tomb\": \""),
        ("\"end\": \"done\"", "\"end\": \"stopped\""),
        ("\"suite\": ", "\"suites\": "),
        ("\"valid\": true", "\"valid\": 1"),
    ];
    for (from, to) in changes {
        let path = folder.join("changed.json");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let said = validate(&[path.display().to_string()]);
        assert!(said.starts_with("changed.json"), "{to}");
    }
    fs::remove_dir_all(folder).unwrap();
}
