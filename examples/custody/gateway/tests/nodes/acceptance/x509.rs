//! A certificate authority: OpenSSL verifies its own certificate, and one that it has issued.

use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use custody_core::SignatureDescription;
use quorate_purpose::Kind;
use quorate_purpose::x509::X509Certificate;

use super::Service;

// The certificates of the decoder's own tests, of which each part can be another.
#[path = "../../../../../../crates/purpose/tests/common/mod.rs"]
mod common;

use common::certificates::{Tbs, der, extension, name, sequence_of, validity};

const ECDSA_SHA256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2];
const ED25519: &[u8] = &[0x2b, 0x65, 0x70];

fn pem(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<_> = text.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

fn der_of(pem: &str) -> Vec<u8> {
    let text: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    STANDARD.decode(text).unwrap()
}

/// The certificate of a key, for an authority or for a server of it.
fn tbs(algorithm: &[u8], spki: Vec<u8>, is_authority: bool) -> Tbs {
    let id = [4; 20];
    let (basic, usage) = match is_authority {
        true => (der(1, &[0xff]), [2, 4]),
        false => (vec![], [7, 0x80]),
    };
    let mut extensions = vec![
        extension(&[0x55, 0x1d, 14], None, &der(4, &id)),
        extension(&[0x55, 0x1d, 15], Some(0xff), &der(3, &usage)),
        extension(&[0x55, 0x1d, 19], Some(0xff), &sequence_of(&[basic])),
    ];
    if !is_authority {
        let names = sequence_of(&[der(0x82, b"pay.example.org")]);
        extensions.push(extension(&[0x55, 0x1d, 17], None, &names));
        extensions.push(extension(&[0x55, 0x1d, 35], None, &sequence_of(&[der(0x80, &id)])));
    }
    Tbs {
        version: der(0xa0, &der(2, &[2])),
        serial: der(2, &[if is_authority { 1 } else { 2 }]),
        algorithm: sequence_of(&[der(6, algorithm)]),
        issuer: name("Committee Root"),
        validity: validity("260101000000Z", "20500101000000Z"),
        subject: name(if is_authority { "Committee Root" } else { "pay.example.org" }),
        key: spki,
        extensions,
    }
}

/// The signature as a certificate has it: ECDSA's is two numbers in DER.
fn encoded(made: &SignatureDescription, is_ecdsa: bool) -> Vec<u8> {
    if !is_ecdsa {
        return made.signature.clone();
    }
    let number = |bytes: &[u8]| {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let sign: &[u8] = if bytes[zeros] < 0x80 { &[] } else { &[0] };
        der(2, &[sign, &bytes[zeros..]].concat())
    };
    sequence_of(&made.signature.chunks(32).map(number).collect::<Vec<_>>())
}

async fn issued(service: &Service, tbs: &Tbs, is_ecdsa: bool) -> String {
    let to_be_signed = X509Certificate::from_tbs_bytes(&tbs.bytes()).unwrap();
    let made = service.sign(to_be_signed, "m").await;
    let signature = der(3, &[&[0], &encoded(&made, is_ecdsa)[..]].concat());
    pem("CERTIFICATE", &sequence_of(&[tbs.bytes(), tbs.algorithm.clone(), signature]))
}

async fn openssl_verifies(scheme: &str, algorithm: &[u8]) {
    let service =
        Service::start(&format!("acceptance-x509-{scheme}"), scheme, Kind::X509Certificate).await;
    let spki = der_of(&service.describe("m").await.spki.unwrap());
    let is_ecdsa = scheme.starts_with("ecdsa");
    let root = issued(&service, &tbs(algorithm, spki.clone(), true), is_ecdsa).await;
    let leaf = issued(&service, &tbs(algorithm, spki, false), is_ecdsa).await;
    let folder = std::env::temp_dir().join(format!("custody-x509-{scheme}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let files = [("root.pem", root), ("leaf.pem", leaf)].map(|(name, pem)| {
        std::fs::write(folder.join(name), pem).unwrap();
        folder.join(name)
    });
    for file in &files {
        let mut command = Command::new("openssl");
        command
            .args(["verify", "-x509_strict", "-check_ss_sig", "-CAfile"])
            .args([&files[0], file]);
        match command.output() {
            Ok(output) => assert!(output.status.success(), "{output:?}"),
            Err(why) => eprintln!("openssl: {why}: {} is not verified", file.display()),
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn openssl_verifies_certificates_of_p256() {
    openssl_verifies("ecdsa-p256", ECDSA_SHA256).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn openssl_verifies_certificates_of_ed25519() {
    openssl_verifies("ed25519", ED25519).await;
}
