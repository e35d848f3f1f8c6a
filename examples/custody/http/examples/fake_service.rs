//! A service in memory with one caller of every role, for tests of generated clients: `fake_service PUBLIC_KEY.pem`.
//!
//! It prints its address, and ends with its standard input.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation
)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::{SystemTime, UNIX_EPOCH};

use custody_core::{Caller, CallerKey, Callers, Role};
use custody_http::Limits;

use common::{Plain, fake::Fake, serve};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let file = std::env::args()
        .nth(1)
        .unwrap_or_else(|| panic!("expected the file of a public key in PEM"));
    let key = CallerKey::from_pem(&std::fs::read_to_string(file).unwrap()).unwrap();
    let roles = vec![Role::Request, Role::Approve, Role::Administer];
    let callers =
        Callers::new(vec![Caller { name: "generated".to_owned(), roles, keys: vec![key] }])
            .unwrap()
            .of_cluster("acme");
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let server = serve(Fake::at(now, callers, Plain::default()), Limits::default()).await;
    println!("http://{}", server.address());
    tokio::task::spawn_blocking(|| std::io::stdin().lines().for_each(drop)).await.unwrap();
}
