//! OpenSSL by its engine, which has digests of ECDSA signed; and by its provider, which has messages signed.

use std::path::{Path, PathBuf};

use super::{Trying, program, skipped, text};

/// The folder of engines or modules of this OpenSSL: the value of a line of `openssl version`.
async fn folder(trying: &Trying, openssl: &Path, flag: &str) -> PathBuf {
    let printed = trying.succeed(openssl, &["version", flag]).await;
    PathBuf::from(printed.split('"').nth(1).unwrap())
}

/// A request for a certificate by the engine, for a key.
async fn request(trying: &Trying, name: &str) -> Option<std::process::Output> {
    let openssl = program("openssl")?;
    let engine = folder(trying, &openssl, "-e").await.join("pkcs11.so");
    if !engine.is_file() {
        assert!(std::env::var_os("CI").is_none(), "{} is missing", engine.display());
        skipped(&engine.display().to_string());
        return None;
    }
    let mut command = trying.command(&openssl);
    command.env("PKCS11_MODULE_PATH", trying.module());
    let key = format!("pkcs11:token=quorate;object={name};type=private");
    command.args(["req", "-new", "-engine", "pkcs11", "-keyform", "engine", "-key", &key]);
    command.args(["-subj", "/CN=Quorate", "-sha256", "-out", "request.pem"]);
    Some(tokio::task::spawn_blocking(move || super::run(&mut command)).await.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn request_of_openssl_by_its_engine_verifies() {
    let (Some(openssl), Some(tool)) = (program("openssl"), program("pkcs11-tool")) else { return };
    // The engine (0.4.12) does not find keys of a token that has one of Ed25519.
    let trying = Trying::committee(None).await;
    let make = ["--keypairgen", "--key-type", "EC:prime256v1", "--usage-sign", "--label", "p256"];
    trying.succeed(&tool, &[&["--module", trying.module()], &make[..]].concat()).await;
    let Some(output) = request(&trying, "p256").await else { return };
    assert!(output.status.success(), "{}", text(&output));
    let verified =
        trying.succeed(&openssl, &["req", "-in", "request.pem", "-verify", "-noout"]).await;
    assert!(verified.contains("verify OK"), "{verified}");
}

/// Newer systems have it as `pkcs11-provider`.
#[tokio::test(flavor = "multi_thread")]
async fn request_of_openssl_by_its_provider_verifies() {
    let (Some(openssl), Some(tool)) = (program("openssl"), program("pkcs11-tool")) else { return };
    let trying = Trying::committee(None).await;
    let provider = folder(&trying, &openssl, "-m").await.join("pkcs11.so");
    if !provider.is_file() {
        return skipped(&provider.display().to_string());
    }
    let config = format!(
        "openssl_conf = init\n[init]\nproviders = providers\n[providers]\ndefault = default\npkcs11 = pkcs11\n[default]\n\
         activate = 1\n[pkcs11]\nmodule = {}\npkcs11-module-path = {}\nactivate = 1\n",
        provider.display(),
        trying.module(),
    );
    let config = trying.folder.write("openssl.cnf", config);
    for (name, kind) in [("ca", "EC:edwards25519"), ("p256", "EC:prime256v1")] {
        let make = ["--keypairgen", "--key-type", kind, "--usage-sign", "--label", name];
        trying.succeed(&tool, &[&["--module", trying.module()], &make[..]].concat()).await;
        let mut command = trying.command(&openssl);
        command.env("OPENSSL_CONF", &config);
        let key = format!("pkcs11:token=quorate;object={name};type=private");
        command.args(["req", "-new", "-key", &key, "-subj", "/CN=Quorate", "-out", "request.pem"]);
        let output = tokio::task::spawn_blocking(move || super::run(&mut command)).await.unwrap();
        assert!(output.status.success(), "{name}: {}", text(&output));
        let verify = ["req", "-in", "request.pem", "-verify", "-noout"];
        let verified = trying.succeed(&openssl, &verify).await;
        assert!(verified.contains("verify OK"), "{name}: {verified}");
    }
}
