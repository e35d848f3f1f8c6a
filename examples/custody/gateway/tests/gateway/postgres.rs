//! A gateway over PostgreSQL. Skipped where there is no server.

use custody_core::{Reason, RequestState, Scheme, Service as _};
use custody_gateway::{Database, Gateway};
use postgres::{Client, NoTls};

use crate::common::{World, until, verify_ed25519};
use crate::server;
use crate::signing::deal;

/// A gateway whose connections, once they are made, can be broken by their application's name.
fn gateway(world: &World, address: &str) -> Gateway {
    let address = format!("{address} application_name=gateway");
    let connect = move || Client::connect(&address, NoTls);
    world.gateway_over(Database::postgres("gateway".into(), connect))
}

/// The address of an empty database. The client blocks, so another thread has it.
async fn database() -> Option<String> {
    tokio::task::spawn_blocking(server::database).await.unwrap()
}

async fn execute(address: &str, sql: &'static str) {
    let address = address.to_owned();
    let execute = move || Client::connect(&address, NoTls).unwrap().batch_execute(sql).unwrap();
    tokio::task::spawn_blocking(execute).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_in_postgresql_outlive_the_process_and_broken_connections() {
    let Some(address) = database().await else { return };
    let world = World::new("postgres", 3);
    let key = deal(&world, Scheme::Ed25519);
    let first = gateway(&world, &address);
    until(&first, "a stock", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    let request = world.requester.sign_request(key, b"stored", 60);
    verify_ed25519(&world.end_of(&first, &request).await, b"stored");
    world.each_node(|node| node.keeps_shares = true);
    let open = world.requester.sign_request(key, b"open", 60);
    world.submit(&first, &open, 0).await.unwrap();
    let broken =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gateway'";
    execute(&address, broken).await;
    drop(first);
    world.each_node(|node| node.keeps_shares = false);
    let second = gateway(&world, &address);
    execute(&address, broken).await;
    until(&second, "it is back", |metrics| metrics.stock.get(&key).is_some_and(|n| *n > 0)).await;
    verify_ed25519(&second.request(world.id(&open), 20).await.unwrap(), b"open");
    let again = world.submit(&second, &request, 0).await.unwrap();
    assert_eq!(again.state, RequestState::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn gateway_that_lost_its_schema_to_another_one_refuses() {
    let Some(address) = database().await else { return };
    let world = World::new("postgres-two", 3);
    let key = deal(&world, Scheme::Ed25519);
    let first = gateway(&world, &address);
    until(&first, "a stock", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    let second = gateway(&world, &address);
    until(&second, "a stock", |metrics| metrics.stock.get(&key) == Some(&16)).await;
    let request = world.requester.sign_request(key, b"x", 60);
    assert_eq!(world.submit(&first, &request, 0).await.unwrap_err().reason, Reason::Internal);
}
