//! Two libraries of Python.

use std::path::PathBuf;
use std::process::Command;

use p256::ecdsa::signature::Verifier as _;
use serde_json::Value;

use super::{Trying, program, run};

pub(super) const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/client.py");

/// An interpreter that has both: the one of `SOCKETS_PKCS11_PYTHON`, or one that is made here.
pub(super) async fn python(trying: &Trying) -> Option<PathBuf> {
    if let Some(python) = std::env::var_os("SOCKETS_PKCS11_PYTHON").filter(|path| !path.is_empty())
    {
        return Some(python.into());
    }
    let python = program("python3")?;
    let folder = trying.folder.join("venv");
    let own = folder.join("bin/python");
    let mut make = Command::new(python);
    make.args(["-m", "venv"]).arg(&folder);
    let mut install = Command::new(&own);
    install.args(["-m", "pip", "-q", "install", "python-pkcs11", "PyKCS11"]);
    let installed = tokio::task::spawn_blocking(move || {
        run(&mut make).status.success() && run(&mut install).status.success()
    });
    if installed.await.unwrap() {
        return Some(own);
    }
    assert!(std::env::var_os("CI").is_none(), "python-pkcs11 and PyKCS11 could not be installed");
    eprintln!("skipped: python-pkcs11 and PyKCS11 could not be installed");
    None
}

pub(super) fn bytes(answers: &Value, name: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::prelude::BASE64_STANDARD.decode(answers[name].as_str().unwrap()).unwrap()
}

fn check_p256(answers: &Value) {
    // The point is in an OCTET STRING.
    let key = p256::ecdsa::VerifyingKey::from_sec1_bytes(&bytes(answers, "p256")[2..]).unwrap();
    let signature = p256::ecdsa::Signature::from_slice(&bytes(answers, "ecdsa")).unwrap();
    key.verify(&bytes(answers, "message"), &signature).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn libraries_of_python_make_keys_sign_and_fork() {
    let Some(tool) = program("pkcs11-tool") else { return };
    let trying = Trying::committee(Some(b"1234")).await;
    let Some(python) = python(&trying).await else { return };
    let login = ["--module", trying.module(), "--login", "--pin", "1234"];
    let make = ["--keypairgen", "--key-type", "EC:prime256v1", "--usage-sign", "--label", "p256"];
    trying.succeed(&tool, &[&login[..], &make].concat()).await;
    let printed =
        trying.succeed(&python, &[SCRIPT, "python-pkcs11", trying.module(), "1234"]).await;
    let answers: Value = serde_json::from_str(&printed).unwrap();
    check_p256(&answers);
    let key = bytes(&answers, "ed25519")[2..].try_into().unwrap();
    let signature = bytes(&answers, "eddsa").as_slice().try_into().unwrap();
    let key = ed25519_dalek::VerifyingKey::from_bytes(&key).unwrap();
    key.verify_strict(&bytes(&answers, "message"), &signature).unwrap();
    assert_eq!(
        (&answers["value"], &answers["digest"], &answers["zero"]),
        (&"sensitive".into(), &"signed".into(), &"DataInvalid".into())
    );
    let printed = trying.succeed(&python, &[SCRIPT, "pykcs11", trying.module(), "1234"]).await;
    let answers: Value = serde_json::from_str(&printed).unwrap();
    check_p256(&answers);
    assert_eq!(answers["children"], serde_json::json!([0, 0, 0, 0]));
}
