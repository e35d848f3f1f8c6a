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
use quorate_custody::sql::{self, Db, Kind, Settings, Sql as _};
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
fn ask(url: &str, statement: &'static str) -> Result<String, sql::Error> {
    let settings = Settings { patience: Duration::from_secs(5), ..Settings::default() };
    let mut row = Db::open(&url.parse().unwrap(), settings)?.one(statement, &[])?;
    row.text(0)
}

#[test]
fn postgres_keeps_what_it_confirmed_and_each_role_to_its_database() {
    let mut place = Place::new();
    let Some(server) = postgres(&mut place) else { return };
    let (one, two) = (server.database("n1").unwrap(), server.database("n2").unwrap());
    assert_eq!(ask(&one, "SHOW synchronous_commit").unwrap(), "on");
    assert_eq!(ask(&one, "SHOW fsync").unwrap(), "on");
    assert_eq!(ask(&one, "SHOW listen_addresses").unwrap(), "127.0.0.1");
    Db::open(&one.parse().unwrap(), Settings::default())
        .unwrap()
        .execute("CREATE TABLE t AS SELECT 'kept'::text AS x", &[])
        .unwrap();

    let theirs = two.replace("dbname=n2", "dbname=n1");
    let refused = ask(&theirs, "SELECT x FROM t").unwrap_err();
    assert!(refused.to_string().contains("permission denied"), "{refused}");
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

/// Nothing goes to the server in the clear, and nothing to a server that the authority does not know.
#[test]
fn postgres_speaks_tls_alone_to_those_who_know_its_authority() {
    let (mut place, mut other) = (Place::new(), Place::new());
    let Some(server) = postgres(&mut place) else { return };
    let stranger = postgres(&mut other).unwrap();
    let url = server.database("n1").unwrap();
    let tls = "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    assert_eq!(ask(&url, tls).unwrap(), "TLSv1.3");

    let (start, _) = url.split_once(" sslrootcert=").unwrap();
    let clear = ask(&format!("{start} sslmode=disable"), "SELECT 'x'").unwrap_err();
    assert!(clear.to_string().contains("no encryption"), "{clear}");
    let (_, authority) = stranger
        .database("n1")
        .unwrap()
        .split_once(" sslrootcert=")
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    let began = std::time::Instant::now();
    let wrong = ask(&format!("{start} sslrootcert={authority}"), "SELECT 'x'").unwrap_err();
    assert!(wrong.to_string().contains("certificate"), "{wrong}");
    assert_eq!(wrong.kind(), Kind::Other, "it is not tried again: {:?}", began.elapsed());
    // The certificate is of this address, and of no other name.
    let named = start.replace("host=127.0.0.1", "host=elsewhere hostaddr=127.0.0.1");
    let (_, authority) = url.split_once(" sslrootcert=").unwrap();
    let named = ask(&format!("{named} sslrootcert={authority}"), "SELECT 'x'").unwrap_err();
    assert!(named.to_string().contains("certificate"), "{named}");

    // A server of an earlier release has none of this; it is there after the next start.
    fs::remove_file(place.0.join("data/server.crt")).unwrap();
    server.start().unwrap();
    assert_eq!(ask(&url, tls).unwrap(), "TLSv1.3");
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
