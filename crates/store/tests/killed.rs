//! Processes that are killed, meet at one file, fill the disk, or may not write.
#![cfg(all(feature = "sqlite", unix))]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod common;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use common::{Folder, begin, begin_all, party, sid};
use quorate_runner::store::{BeginOutcome, NewRun, NewStep, Swap};
use quorate_runner::{
    Bounds, Continuity, Error as RunnerError, MessageTable as _, RunTable as _, Runner,
};
use quorate_session::{SealKey, SpentTable as _, TableEntry};
use quorate_store::{Error, SqliteStore};

/// The folder of a child process, and its number.
const FOLDER: &str = "QUORATE_STORE_CHILD";

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").unwrap();
    out.flush().unwrap();
}

fn id(number: u32) -> [u8; 32] {
    *sid(number).as_bytes()
}

/// Begins runs and claims names until something stops it, and says what was acknowledged.
#[test]
fn child() {
    let Some(given) = std::env::var_os(FOLDER) else { return };
    let given = given.into_string().unwrap();
    let (folder, mine) = given.rsplit_once(',').unwrap();
    let (folder, mine) = (Path::new(folder), mine.parse::<u8>().unwrap());
    let options = SqliteStore::options().spent(folder.join("spent.db"));
    let mut store = match options.open(folder.join("node.db")) {
        Ok(store) => store,
        Err(error) => return say(&format!("\ncannot open: {error:?}")),
    };
    say("\nopen");
    for number in 0.. {
        // Of a batch that was acknowledged all are there.
        let batch = [number, number + (1 << 20), number + (1 << 21)];
        for (number, begun) in batch.iter().zip(begin_all(&mut store, &batch)) {
            if let Err(error) = begun {
                return say(&format!("stopped: {error:?}"));
            }
            say(&format!("run {number}"));
        }
        match store.record(&id(number), &[mine; 32]) {
            Err(error) => return say(&format!("stopped: {error:?}")),
            Ok(TableEntry::New) => say(&format!("new {number}")),
            Ok(TableEntry::Before(_)) => say(&format!("before {number}")),
        }
    }
}

fn start(mut command: Command, folder: &Folder, number: u8) -> Child {
    let given = format!("{},{number}", folder.path().display());
    command.args(["--exact", "child", "--nocapture"]).env(FOLDER, given);
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn this() -> Command {
    Command::new(std::env::current_exe().unwrap())
}

/// The lines that a child writes.
fn said(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok)
}

fn number(line: &str, word: &str) -> Option<u32> {
    line.strip_prefix(word)?.strip_prefix(' ')?.parse().ok()
}

/// Checks that every run and claim that a child was told of is there, and that nothing is torn.
fn is_whole(folder: &Folder, lines: &[String]) {
    let mut store = folder.pair().unwrap();
    for line in lines {
        if let Some(run) = number(line, "run") {
            assert!(store.job(&sid(run)).unwrap().is_some(), "{line}");
        }
        if let Some(claim) = number(line, "new") {
            assert_ne!(store.record(&id(claim), &[0; 32]), Ok(TableEntry::New), "{line}");
        }
    }
    // Each run came with one message, in a batch of three.
    let counts = store.counts().unwrap();
    assert_eq!(counts.open, counts.messages);
    assert!(counts.open.is_multiple_of(3), "a batch in one transaction is not torn");
}

#[test]
fn whatever_was_acknowledged_before_a_kill_is_there_afterwards() {
    for most in [1, 30, 155] {
        let folder = Folder::new();
        let mut child = start(this(), &folder, 1);
        let mut lines: Vec<String> = Vec::new();
        for line in said(&mut child) {
            lines.push(line);
            if lines.iter().filter(|line| number(line, "new").is_some()).count() == most {
                child.kill().unwrap();
            }
        }
        child.wait().unwrap();
        assert!(lines.len() >= most);
        is_whole(&folder, &lines);
    }
}

#[test]
fn of_two_processes_that_claim_one_name_one_is_the_first() {
    let folder = Folder::new();
    let mut children = [1, 2].map(|number| start(this(), &folder, number));
    let mut new = BTreeMap::<u32, u32>::new();
    std::thread::scope(|scope| {
        let readers = children.each_mut().map(|child| {
            let lines = said(child);
            // They stop at 60.
            scope.spawn(move || lines.take_while(|line| number(line, "run") != Some(60)).collect())
        });
        for reader in readers {
            let lines: Vec<String> = reader.join().unwrap();
            for claim in lines.iter().filter_map(|line| number(line, "new")) {
                *new.entry(claim).or_default() += 1;
            }
        }
    });
    for child in &mut children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!((0..60).all(|claim| new.get(&claim) == Some(&1)), "{new:?}");
}

#[test]
fn a_full_disk_stops_with_an_error_and_loses_nothing() {
    let folder = Folder::new();
    drop(folder.pair().unwrap());
    // No file beyond 300 KiB; the signal that says so is ignored.
    let mut limited = Command::new("bash");
    limited.args(["-c", r#"trap '' XFSZ; ulimit -f 300; exec "$0" "$@""#]);
    limited.arg(std::env::current_exe().unwrap());
    let mut child = start(limited, &folder, 1);
    let lines: Vec<String> = said(&mut child).collect();
    child.wait().unwrap();
    let error = lines.iter().find(|line| line.starts_with("stopped: "));
    let error = error.unwrap_or_else(|| panic!("{lines:?}"));
    assert!(error.contains("Full(") || error.contains("Disk("), "{error}");
    is_whole(&folder, &lines);
    // With room again it goes on.
    begin(&mut folder.pair().unwrap(), 1_000_000).unwrap();
}

#[test]
fn a_file_that_may_not_be_written_is_refused_when_it_is_opened() {
    let folder = Folder::new();
    drop(folder.pair().unwrap());
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    // Root writes everything; another account stands for one without the right.
    let command = if is_root {
        if Command::new("setpriv").arg("--version").output().is_err() {
            eprintln!("skipped: setpriv is missing");
            return;
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
        command.arg(std::env::current_exe().unwrap());
        command
    } else {
        for name in ["node.db", "spent.db"] {
            let mut rights = std::fs::metadata(folder.file(name)).unwrap().permissions();
            rights.set_readonly(true);
            std::fs::set_permissions(folder.file(name), rights).unwrap();
        }
        this()
    };
    let mut child = start(command, &folder, 1);
    let lines: Vec<String> = said(&mut child).collect();
    child.wait().unwrap();
    let refused = |line: &String| line.starts_with("cannot open: ReadOnly(");
    assert!(lines.iter().any(refused), "{lines:?}");
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let folder = Folder::new();
    std::fs::write(folder.file("node.db"), [7; 5000]).unwrap();
    let error = SqliteStore::open(folder.file("node.db")).map(drop);
    assert!(matches!(error, Err(Error::Damaged(_))), "{error:?}");
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = Folder::new();
    let error = SqliteStore::open(folder.file("missing/node.db")).map(drop).unwrap_err();
    assert!(error.to_string().contains("missing/node.db"), "{error}");
}

#[test]
fn another_key_and_another_party_are_refused_and_change_nothing() {
    let folder = Folder::new();
    let open = |me, key: u8, continuity| {
        let key = Arc::new(SealKey::new([key; 32]));
        let runner = Runner::builder::<()>(party(me), key, continuity);
        runner.open(folder.pair().unwrap(), ()).map(drop)
    };
    assert_eq!(open(1, 1, Continuity::NewStore), Ok(()));
    assert!(matches!(open(1, 2, Continuity::Operator), Err(RunnerError::OtherKey)));
    assert!(matches!(open(2, 1, Continuity::Operator), Err(RunnerError::OtherParty(_))));
    assert!(matches!(open(1, 1, Continuity::NewStore), Err(RunnerError::NotNew)));
    assert_eq!(open(1, 1, Continuity::Operator), Ok(()));
}

#[test]
fn times_that_no_database_holds_are_refused_by_name_and_change_nothing() {
    let mut store = SqliteStore::in_memory().unwrap();
    let (sealed, tombstone) = common::session(1);
    let new = |deadline, messages| NewRun {
        kind: common::KIND,
        sid: sid(1),
        tag: Default::default(),
        digest: [7; 32],
        job: b"job",
        sealed: &sealed,
        deadline,
        longest: usize::MAX,
        messages,
    };
    let error = Err(Error::Time(1 << 63));
    assert_eq!(store.begin(&new(1 << 63, &[]), &Bounds::new(1)), error);
    let mut message = common::message(1);
    message.due = 1 << 63;
    let messages = [message];
    assert_eq!(store.begin(&new(5, &messages), &Bounds::new(1)), error);
    assert!(store.job(&sid(1)).unwrap().is_none());
    let latest = (1 << 63) - 1;
    let messages = [common::message(1)];
    store.begin(&new(latest, &messages), &Bounds::new(1)).unwrap();
    assert!(store.expired(&[common::KIND], latest - 1, 9).unwrap().is_empty());
    assert_eq!(store.expired(&[common::KIND], u64::MAX, 9).unwrap().len(), 1);
    assert_eq!(store.due(u64::MAX, &Bounds::new(1), 9).unwrap().len(), 1);
    let end = NewStep {
        after: &tombstone,
        taken: &[],
        messages: &[],
        outcome: Some(b""),
        until: u64::MAX,
    };
    assert_eq!(store.swap(sealed.slot(), &end), Ok(true));
    store.prune(u64::MAX).unwrap();
    assert_eq!(store.counts().unwrap().messages, 0);
}

/// The second record fails, and not because of the database.
#[test]
fn of_a_batch_in_which_one_record_fails_the_others_are_stored() {
    let mut store = SqliteStore::in_memory().unwrap();
    let seals = [1, 2, 3].map(common::session);
    let messages = [1, 2, 3].map(|number| [common::message(number)]);
    let new = |at: usize, deadline| NewRun {
        kind: common::KIND,
        sid: sid(u32::try_from(at + 1).unwrap()),
        tag: Default::default(),
        digest: [7; 32],
        job: b"job",
        sealed: &seals[at].0,
        deadline,
        longest: usize::MAX,
        messages: &messages[at],
    };
    let begun = store.begin_all(&[new(0, 5), new(1, 1 << 63), new(2, 5)], &Bounds::new(1));
    let done = Ok(BeginOutcome::Begun { parked: false });
    assert_eq!(begun, [done.clone(), Err(Error::Time(1 << 63)), done]);
    let counts = store.counts().unwrap();
    assert_eq!((counts.open, counts.messages), (2, 2));
    assert!(store.job(&sid(2)).unwrap().is_none());
    // One mark for each transaction, and each transaction that begins a run has one.
    assert_eq!(store.head().unwrap().unwrap().step, 2);
    let end = |at: usize, until| {
        let (sealed, tombstone) = &seals[at];
        let mut late = common::message(9);
        late.until = until;
        (sealed.slot(), tombstone, [late])
    };
    let ends = [end(0, 1 << 63), end(2, 5)];
    let swaps = ends.each_ref().map(|(before, after, messages)| Swap {
        before: *before,
        step: NewStep { after, taken: &[], messages, outcome: Some(b"outcome"), until: u64::MAX },
    });
    assert_eq!(store.swap_all(&swaps), [Err(Error::Time(1 << 63)), Ok(true)]);
    assert_eq!(store.counts().unwrap().open, 1);
    assert!(store.job(&sid(1)).unwrap().unwrap().outcome.is_none());
}

#[test]
fn a_batch_leaves_one_mark() {
    let folder = Folder::new();
    let mut store = folder.pair().unwrap();
    let before = store.head().unwrap().map_or(0, |head| head.step);
    let runs: Vec<u32> = (0..50).collect();
    assert!(begin_all(&mut store, &runs).iter().all(Result::is_ok));
    assert_eq!(store.head().unwrap().unwrap().step, before + 1);
    drop(store);
    assert_eq!(folder.pair().unwrap().counts().unwrap().open, 50);
}
