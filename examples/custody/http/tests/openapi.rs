//! The description that is checked in.
//!
//! After a change of the interface, run `QUORATE_BLESS=1 cargo test -p custody-http --test openapi`, and look at the difference.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation
)]

mod common;

use common::{Client, fake, serve};
use custody_http::{Limits, description};
use serde_json::Value;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi.json");

#[test]
fn description_in_the_repository_is_that_of_the_code() {
    if std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::write(FILE, description()).unwrap();
    }
    let checked_in = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        checked_in == description(),
        "openapi.json differs from the code: run QUORATE_BLESS=1 cargo test -p custody-http --test openapi"
    );
}

#[test]
fn description_is_openapi_3_1_and_every_operation_needs_a_signature() {
    let description: Value = serde_json::from_str(&description()).unwrap();
    assert!(description["openapi"].as_str().unwrap().starts_with("3.1."));
    assert_eq!(description["security"][0].as_object().unwrap().len(), 3);
    let operations: Vec<_> = description["paths"]
        .as_object()
        .unwrap()
        .values()
        .flat_map(|path| path.as_object().unwrap().values())
        .collect();
    assert_eq!(operations.len(), 16);
    for operation in operations {
        assert!(operation.get("security").is_none());
        for range in ["4XX", "5XX"] {
            let content = &operation["responses"][range]["content"]["application/problem+json"];
            assert_eq!(content["schema"]["$ref"], "#/components/schemas/Problem", "{operation}");
        }
    }
}

#[tokio::test]
async fn every_operation_of_the_description_is_served() {
    let (cast, service) = fake();
    let server = serve(service, Limits::default()).await;
    let mut client = Client::connect(server.address()).await;
    let description: Value = serde_json::from_str(&description()).unwrap();
    for (path, operations) in description["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let id = "ab".repeat(32);
            let target =
                path.replace("{key}", &id).replace("{request}", &id).replace("{node}", "1");
            let response =
                client.send(cast.administrator.sign(&method.to_uppercase(), &target, "")).await;
            if response.status.as_u16() >= 400 {
                let (status, reason) = response.problem();
                assert_ne!((status, reason.as_str()), (404, "malformed"), "{method} {path}");
                assert_ne!(status, 405, "{method} {path}");
            }
        }
    }
}
