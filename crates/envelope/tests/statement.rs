//! Statements that members sign for whoever reads them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::*;
use quorate_testkit::golden;

const DOMAIN: &str = "test certificate";

#[test]
fn signed_statement_verifies_under_the_signers_public_keys() {
    let signer = identity("n1", 1);
    let signature = signer.sign_statement(DOMAIN, b"key 7 is ready");
    assert!(signer.public().verify_statement(DOMAIN, b"key 7 is ready", &signature));
    assert!(signer.public().verify_statement("", b"", &signer.sign_statement("", b"")));
}

#[test]
fn statement_with_another_signer_domain_or_content_is_refused() {
    let (signer, other) = (identity("n1", 1), identity("n1", 2));
    let signature = signer.sign_statement(DOMAIN, b"statement");
    assert!(!other.public().verify_statement(DOMAIN, b"statement", &signature));
    assert!(!signer.public().verify_statement("another", b"statement", &signature));
    assert!(!signer.public().verify_statement(DOMAIN, b"Statement", &signature));
    // Bytes do not move between domain and statement.
    assert!(!signer.public().verify_statement("test certificates", b"tatement", &signature));
    for place in 0..signature.len() {
        let mut altered = signature;
        altered[place] ^= 1;
        assert!(!signer.public().verify_statement(DOMAIN, b"statement", &altered), "{place}");
    }
}

#[test]
fn statement_has_its_frozen_signature() {
    let signature = identity("n1", 1).sign_statement(DOMAIN, b"statement");
    let file = golden::file(env!("CARGO_MANIFEST_DIR"), "statement", || signature.to_vec());
    assert_eq!(file, signature);
}
