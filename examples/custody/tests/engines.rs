//! The servers: made, started, killed, started again, stopped. Skipped where they are not installed.
#![allow(
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking"
)]

use core::time::Duration;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use quorate_custody::engines::postgres::Postgres;
use quorate_custody::engines::{free_port, process};
use quorate_examples::files::fresh_name;

/// A folder with a server, which is stopped and removed in the end.
struct Place(PathBuf, Option<Postgres>);

impl Place {
    fn new() -> Self {
        Self(std::env::temp_dir().join(fresh_name("quorate-custody-engine-")), None)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(server) = &self.1 {
            server.stop().ok();
        }
        fs::remove_dir_all(&self.0).ok();
    }
}

/// A server that runs, or the reason why there is none.
fn postgres(place: &mut Place) -> Option<Postgres> {
    match Postgres::open(&place.0, free_port().unwrap()) {
        Ok(server) => {
            place.1 = Some(server.clone());
            server.start().unwrap();
            Some(server)
        }
        Err(missing) if missing.to_string().contains("apt-get install") => {
            eprintln!("skipped: {missing}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// What one statement gives, over a connection of its own.
fn ask(url: &str, statement: &str) -> Result<String, tokio_postgres::Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
        tokio::spawn(connection);
        let rows = client.query(statement, &[]).await?;
        Ok(rows.first().map(|row| row.get::<_, String>(0)).unwrap_or_default())
    })
}

#[test]
fn postgres_keeps_what_it_confirmed_and_each_role_to_its_database() {
    let mut place = Place::new();
    let Some(server) = postgres(&mut place) else { return };
    let (one, two) = (server.database("n1").unwrap(), server.database("n2").unwrap());
    assert_eq!(ask(&one, "SHOW synchronous_commit").unwrap(), "on");
    assert_eq!(ask(&one, "SHOW fsync").unwrap(), "on");
    assert_eq!(ask(&one, "SHOW listen_addresses").unwrap(), "127.0.0.1");
    ask(&one, "CREATE TABLE t AS SELECT 'kept'::text AS x").unwrap();

    let theirs = two.replace("dbname=n2", "dbname=n1");
    let refused = ask(&theirs, "SELECT x FROM t").unwrap_err();
    assert_eq!(refused.code(), Some(&tokio_postgres::error::SqlState::INSUFFICIENT_PRIVILEGE));
    let wrong = one.replace("password=", "password=0");
    assert!(ask(&wrong, "SELECT 'x'").is_err());

    // Killed, and found again by another process's eyes.
    let killed = server.pid().unwrap();
    assert!(Command::new("kill").args(["-9", &killed.to_string()]).status().unwrap().success());
    process::wait_until(Duration::from_secs(10), || Ok(server.pid().is_none())).unwrap();
    let again = Postgres::find(&place.0).unwrap().unwrap();
    assert_eq!(again.port(), server.port());
    again.start().unwrap();
    assert_ne!(again.pid(), Some(killed));
    assert_eq!(again.database("n1").unwrap(), one);
    assert_eq!(ask(&one, "SELECT x FROM t").unwrap(), "kept");
    again.start().unwrap();
    again.stop().unwrap();
    assert_eq!(again.pid(), None);
    again.stop().unwrap();
    assert!(Postgres::find(&place.0.join("none")).unwrap().is_none());
}

#[test]
fn postgres_names_are_checked_and_passwords_are_private() {
    let mut place = Place::new();
    let Some(server) = postgres(&mut place) else { return };
    for name in ["", "N1", "1n", "n 1", "n'1", "keeper", "n;drop", "ü"] {
        assert!(server.database(name).is_err(), "{name}");
    }
    let url = server.database("n1").unwrap();
    let password = fs::read_to_string(place.0.join("n1.password")).unwrap();
    assert!(password.len() == 48 && url.contains(&password));
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &fs::metadata(place.0.join("n1.password")).unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
    assert!(!place.0.join("initdb.pass").exists());
}

#[test]
fn a_program_that_fails_or_hangs_is_told_with_its_last_words() {
    let log = std::env::temp_dir().join(fresh_name("quorate-custody-log-"));
    let bounds = (log.as_path(), Duration::from_millis(300));
    let mut failing = Command::new("sh");
    let failed = process::run(failing.args(["-c", "echo 'no room' >&2; exit 3"]), "", bounds);
    assert!(failed.unwrap_err().to_string().contains("no room"));
    let hung = process::run(Command::new("sleep").arg("60"), "", bounds);
    assert!(hung.unwrap_err().to_string().contains("not done after"));
    process::run(&mut Command::new("cat"), "read", bounds).unwrap();
    assert_eq!(process::last_words(&log), "read");
    assert!(process::alive(std::process::id()));
    fs::remove_file(&log).unwrap();
}
