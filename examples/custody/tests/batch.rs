//! Many calls of several runners in one transaction: nothing leaves the house before it is committed, whatever happens.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

#[path = "common/databases.rs"]
mod databases;
#[path = "common/postgres.rs"]
mod postgres;
#[path = "common/toy.rs"]
mod toy;

use std::process::Command;

use databases::Databases;
use getrandom::SysRng;
use quorate::SessionId;
use quorate::runner::{Bounds, Job, OutgoingPacket, RunTable};
use quorate::session::rand_core::UnwrapErr;
use quorate::session::{SpentTable, TableEntry};
use quorate_custody::sql::{Address, Db, Error, Kind, Settings, Sql};
use quorate_custody::store::{Claim, Outgoing, Runs};
use toy::{Toy, ToyRunner, job, party, runner};

const fn outgoing(now: u64) -> Outgoing {
    Outgoing { now, bounds: Bounds::new(10), most: 100 }
}

fn start(runner: &mut ToyRunner, number: u8) -> Result<(), Error> {
    runner.start::<Toy>(&job(number, 1000), 0, &mut UnwrapErr(SysRng)).unwrap();
    Ok(())
}

fn frames(packets: &[OutgoingPacket]) -> usize {
    packets.iter().filter(|packet| packet.bytes.first() == Some(&0)).count()
}

/// Runs and messages, as another connection sees them.
fn seen(address: &Address) -> (i64, i64) {
    let mut db = Db::open(address, Settings::default()).unwrap();
    let mut count = |sql| db.one(sql, &[]).unwrap().int(0).unwrap();
    (count("SELECT count(*) FROM runs"), count("SELECT count(*) FROM outbox"))
}

/// Two runners, a table of the caller's and a claim.
#[test]
fn a_batch_is_one_transaction_of_several_runners() {
    Databases::each(|databases| {
        let address = databases.both(0).0;
        let store = databases.open(0);
        store.schema("CREATE TABLE mine (one BIGINT)").unwrap();
        let (mut one, mut other) = (runner(1, store.clone()), runner(1, store.clone()));
        let given = store.batch(outgoing(1), || {
            start(&mut one, 1)?;
            start(&mut other, 2)?;
            store.work(|work| work.execute("INSERT INTO mine VALUES (7)", &[]))?;
            // The ledger is for itself: claims come before shares.
            assert_eq!(other.store().record(&[1; 32], &[2; 32])?, TableEntry::New);
            let there = store.read(|db| db.one("SELECT one FROM mine", &[])?.int(0))?;
            assert_eq!(one.store().counts()?.open, 2);
            Ok::<_, Error>(there)
        });
        assert_eq!((given, seen(&address)), (Ok(7), (2, 2)));
        // One mark for both.
        assert_eq!(store.head().unwrap().unwrap().number, 1);
        let sent = one.outgoing(1, 100).unwrap();
        assert_eq!((sent.len(), other.outgoing(1, 100).unwrap().len()), (2, 0));
        // It comes again when a batch selects it again, and not before.
        assert!(one.outgoing(1000, 100).unwrap().is_empty());
        store.batch(outgoing(1000), || Ok::<_, Error>(())).unwrap();
        assert_eq!(
            (one.outgoing(0, 1).unwrap().len(), other.outgoing(0, 9).unwrap().len()),
            (1, 1)
        );
    });
}

/// Frames come in, a run ends, acknowledgements go out: with the commit.
#[test]
fn what_comes_in_is_acknowledged_after_the_commit() {
    Databases::each(|databases| {
        let (here, there) = (databases.open(0), databases.open(1));
        let (mut one, mut two) = (runner(1, here.clone()), runner(2, there.clone()));
        let step = |store: &Runs, runner: &mut ToyRunner, now, packets: &[OutgoingPacket]| {
            let from = party(3 - runner.id().get());
            let ended = store.batch(outgoing(now), || {
                if now == 1 {
                    start(runner, 1)?;
                }
                for packet in packets {
                    runner.receive(from, &packet.bytes, now).unwrap();
                }
                Ok::<_, Error>(runner.work(now).unwrap())
            });
            (ended.unwrap().len(), runner.outgoing(now, 100).unwrap())
        };
        let (_, first) = step(&here, &mut one, 1, &[]);
        let (ended, second) = step(&there, &mut two, 1, &first);
        // Its frame, and its acknowledgement.
        assert_eq!((ended, second.len(), frames(&second)), (1, 2, 1));
        let (ended, third) = step(&here, &mut one, 2, &second);
        assert_eq!((ended, third.len(), frames(&third)), (1, 1, 0));
        let (ended, last) = step(&there, &mut two, 2, &third);
        assert_eq!((ended, last.len()), (0, 0));
        assert_eq!(seen(&databases.both(0).0), (1, 0));
        assert_eq!(seen(&databases.both(1).0), (1, 0));
    });
}

/// Nothing that is called in a batch gets hold of a message, and who tries has no batch.
#[test]
fn messages_are_not_given_out_within_a_batch() {
    Databases::each(|databases| {
        let store = databases.open(0);
        let mut one = runner(1, store.clone());
        let refused = store.batch(outgoing(1), || {
            start(&mut one, 1)?;
            assert!(one.outgoing(1, 100).is_err());
            Ok::<_, Error>(())
        });
        assert!(refused.unwrap_err().to_string().contains("once the batch is committed"));
        assert_eq!(seen(&databases.both(0).0), (0, 0));
    });
}

/// What has failed: the batch as a whole, the runners that were in it, and nothing else.
fn check_nothing_happened(databases: &Databases, store: &Runs, mut stale: ToyRunner) {
    let address = databases.both(0).0;
    assert_eq!(seen(&address), (0, 0));
    assert!(store.is_stale() && store.head().is_err() && store.counts_of().is_err());
    let said = stale.outgoing(9, 100).err().map(|error| error.to_string());
    assert!(said.is_some_and(|said| said.contains("make it anew")));
    stale.work(9).unwrap_err();
    store.batch(outgoing(9), || Ok::<_, Error>(())).unwrap_err();
    // Made anew, on the same connections, it begins from what is there.
    let store = store.fresh();
    let mut one = runner(1, store.clone());
    assert_eq!((one.store().counts().unwrap().open, one.in_memory()), (0, 0));
    store.batch(outgoing(10), || start(&mut one, 1)).unwrap();
    assert_eq!((frames(&one.outgoing(10, 100).unwrap()), seen(&address)), (1, (1, 1)));
}

trait CountsOf {
    fn counts_of(&self) -> Result<(), Error>;
}

impl CountsOf for Runs {
    fn counts_of(&self) -> Result<(), Error> {
        self.clone().counts().map(drop)
    }
}

#[test]
fn a_batch_that_is_given_up_leaves_nothing() {
    Databases::each(|databases| {
        let store = databases.open(0);
        let mut one = runner(1, store.clone());
        let failed = store.batch(outgoing(1), || {
            start(&mut one, 1)?;
            Err::<(), _>(store.read(|db| db.one("SELECT 1 WHERE 1 = 0", &[])).unwrap_err())
        });
        failed.unwrap_err();
        check_nothing_happened(databases, &store, one);
    });
}

/// A call that fails takes the batch with it, whatever the caller makes of the error.
#[test]
fn a_batch_with_a_call_that_has_failed_is_not_committed() {
    Databases::each(|databases| {
        let store = databases.open(0);
        let mut one = runner(1, store.clone());
        let failed = store.batch(outgoing(1), || {
            start(&mut one, 1)?;
            let twice =
                "INSERT INTO jobs (sid, digest, context) SELECT sid, digest, context FROM jobs";
            store.work(|work| work.execute(twice, &[])).unwrap_err();
            Ok::<_, Error>(())
        });
        assert_eq!(failed.unwrap_err().kind(), Kind::Other);
        check_nothing_happened(databases, &store, one);
    });
}

#[test]
fn a_batch_that_panics_leaves_nothing() {
    Databases::each(|databases| {
        let store = databases.open(0);
        let mut one = runner(1, store.clone());
        let act = core::panic::AssertUnwindSafe(|| {
            store.batch::<(), Error>(outgoing(1), || {
                start(&mut one, 1)?;
                panic!("a test");
            })
        });
        std::panic::catch_unwind(act).unwrap_err();
        check_nothing_happened(databases, &store, one);
    });
}

/// Ends the connections of others to a database.
fn kill_others(address: &Address) {
    let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    Db::open(address, Settings::default()).unwrap().query(sql, &[]).unwrap();
}

/// Within it, so that a statement fails; and at its end, so that the commit fails.
#[test]
fn a_batch_whose_connection_is_lost_leaves_nothing() {
    if postgres::database().is_none() {
        return;
    }
    for at_its_end in [false, true] {
        let databases = Databases::new(true);
        let store = databases.open(0);
        let mut one = runner(1, store.clone());
        let lost = store.batch(outgoing(1), || {
            start(&mut one, 1)?;
            kill_others(&databases.both(0).0);
            if !at_its_end {
                one.start::<Toy>(&job(2, 1000), 0, &mut UnwrapErr(SysRng)).unwrap_err();
            }
            Ok::<_, Error>(())
        });
        assert_eq!(lost.unwrap_err().kind(), Kind::Lost);
        check_nothing_happened(&databases, &store, one);
    }
}

/// The ledger is gone when the batch has been committed: nothing is given out, and it goes out later.
#[test]
fn a_batch_that_the_ledger_does_not_hear_of_is_not_sent() {
    Databases::each(|databases| {
        let store = databases.open(0);
        let mut one = runner(1, store.clone());
        let mut ledger = Db::open(&databases.both(0).1, Settings::default()).unwrap();
        ledger.execute("ALTER TABLE witness RENAME TO away", &[]).unwrap();
        store.batch(outgoing(1), || start(&mut one, 1)).unwrap_err();
        one.outgoing(1, 100).err().unwrap();
        assert_eq!(seen(&databases.both(0).0), (1, 1));
        let store = store.fresh();
        let mut one = runner(1, store.clone());
        store.batch(outgoing(100), || Ok::<_, Error>(())).unwrap_err();
        ledger.execute("ALTER TABLE away RENAME TO witness", &[]).unwrap();
        assert!(one.outgoing(100, 100).is_err());
        let store = store.fresh();
        let mut one = runner(1, store.clone());
        store.batch(outgoing(200), || Ok::<_, Error>(())).unwrap();
        assert_eq!(frames(&one.outgoing(200, 100).unwrap()), 1);
        let row = ledger.one("SELECT number FROM witness", &[]).unwrap();
        assert_eq!(row.int(0), Ok(1));
    });
}

/// Two workers release at the same time: their marks are one chain, and neither waits for the other before its commit.
#[test]
fn batches_of_two_workers_go_side_by_side() {
    Databases::each(|databases| {
        if !matches!(databases.both(0).0, Address::Postgres(_)) {
            return;
        }
        let (here, there) = (databases.open(0), databases.open(0));
        let (mut one, mut other) = (runner(1, here.clone()), runner(1, there.clone()));
        here.batch(outgoing(1), || {
            start(&mut one, 1)?;
            there.batch(outgoing(1), || start(&mut other, 2))
        })
        .unwrap();
        assert_eq!(here.head().unwrap().unwrap().number, 2);
        let sent = [one.outgoing(1, 9).unwrap().len(), other.outgoing(1, 9).unwrap().len()];
        assert_eq!(sent, [1, 1]);
        assert_eq!(here.clone().counts().unwrap().messages, 2);
    });
}

const CHILD: &str = "QUORATE_TEST_BATCH";

/// Not a test of its own: what the process does that the next test kills.
#[test]
fn child() {
    let Ok(plan) = std::env::var(CHILD) else { return };
    let mut plan = plan.split('\n');
    let mut next = || plan.next().unwrap().to_owned();
    let (when, runs, ledger) = (next(), next().parse().unwrap(), next().parse().unwrap());
    let store = Runs::open(&runs, &ledger, Settings::default()).unwrap();
    let mut one = runner(1, store.clone());
    store
        .batch(outgoing(1), || {
            start(&mut one, 1)?;
            if when == "before" {
                std::process::abort();
            }
            Ok::<_, Error>(())
        })
        .unwrap();
    std::process::abort();
}

/// A process that dies before the commit has said nothing, and one that dies after it says the same as it would have.
#[test]
fn a_process_that_dies_in_a_batch_has_said_nothing() {
    Databases::each(|databases| {
        for (number, when) in ["before", "after"].into_iter().enumerate() {
            let (runs, ledger) = databases.both(number);
            let text = |address: &Address| match address {
                Address::Sqlite(path) => path.display().to_string(),
                Address::Postgres(url) => url.clone(),
            };
            let plan = [when.to_owned(), text(&runs), text(&ledger)].join("\n");
            let mut child = Command::new(std::env::current_exe().unwrap());
            let child = child.args(["--exact", "child"]).env(CHILD, plan).output().unwrap();
            assert!(!child.status.success());
            let there = i64::from(when == "after");
            let store = databases.open(number);
            assert_eq!(seen(&runs), (there, there), "{}", String::from_utf8_lossy(&child.stderr));
            let mut one = runner(1, store.clone());
            store.batch(outgoing(1000), || Ok::<_, Error>(())).unwrap();
            let sent = one.outgoing(1000, 100).unwrap();
            assert_eq!(i64::try_from(frames(&sent)), Ok(there));
        }
    });
}

/// A database that ends after the commit gives nothing else later than what was given out.
#[test]
fn what_is_said_again_is_the_same() {
    Databases::each(|databases| {
        let store = databases.open(0);
        let mut one = runner(1, store.clone());
        store.batch(outgoing(1), || start(&mut one, 1)).unwrap();
        let first = one.outgoing(1, 100).unwrap();
        store.batch(outgoing(2), || Err::<(), _>(lost())).unwrap_err();
        let store = store.fresh();
        let mut one = runner(1, store.clone());
        store.batch(outgoing(1000), || start(&mut one, 1)).unwrap();
        let again = one.outgoing(1000, 100).unwrap();
        assert_eq!((first.len(), again.len()), (1, 1));
        assert_eq!(first[0].bytes, again[0].bytes);
    });
}

fn lost() -> Error {
    let nowhere = Address::Postgres("host=127.0.0.1 port=1 user=u dbname=d".to_owned());
    let patience = core::time::Duration::ZERO;
    Db::open(&nowhere, Settings { patience, ..Settings::default() }).unwrap_err()
}

/// Seconds of processor time of this process, and of PostgreSQL's that serve it.
fn cpu() -> (f64, f64) {
    let ticks = |pid: &str| -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let field = |at: usize| fields.get(at).and_then(|one| one.parse().ok()).unwrap_or(0.0);
        (field(11) + field(12)) / 100.0
    };
    let mut server = 0.0;
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let pid = entry.file_name().to_string_lossy().into_owned();
        let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        if line.starts_with("postgres: ") {
            server += ticks(&pid);
        }
    }
    (ticks("self"), server)
}

fn measure(what: &str, per: usize, act: impl FnOnce()) {
    let (before, began) = (cpu(), std::time::Instant::now());
    act();
    let after = cpu();
    let per = f64::from(u32::try_from(per).unwrap());
    let (client, server) = ((after.0 - before.0) / per, (after.1 - before.1) / per);
    let wall = began.elapsed().as_secs_f64() / per;
    println!(
        "{what}: client {:.0} µs, server {:.0} µs, wall {:.0} µs",
        client * 1e6,
        server * 1e6,
        wall * 1e6
    );
}

fn named(number: u32) -> Job {
    let mut sid = [0; 32];
    sid[..4].copy_from_slice(&number.to_be_bytes());
    Job { sid: SessionId::new(sid), ..job(1, 1_000_000) }
}

fn begin(runner: &mut ToyRunner, number: u32) {
    runner.start::<Toy>(&named(number), 0, &mut UnwrapErr(SysRng)).unwrap();
}

fn take(runner: &mut ToyRunner, packets: &[OutgoingPacket]) {
    let from = party(3 - runner.id().get());
    for packet in packets {
        runner.receive(from, &packet.bytes, 1).unwrap();
    }
    runner.work(1).unwrap();
}

/// Runs of one round of two parties from the first frame to the last acknowledgement, each step in one batch, or each call
/// alone.
fn exchange(
    (here, one): (&Runs, &mut ToyRunner),
    (there, two): (&Runs, &mut ToyRunner),
    numbers: &[u32],
    batched: bool,
) {
    let on = |store: &Runs, act: &mut dyn FnMut()| {
        if !batched {
            return act();
        }
        let outgoing = Outgoing { most: 1024, ..outgoing(1) };
        let done = store.batch(outgoing, || {
            act();
            Ok::<_, Error>(())
        });
        done.unwrap();
    };
    on(here, &mut || numbers.iter().for_each(|number| begin(one, *number)));
    let sent = one.outgoing(1, 1024).unwrap();
    on(there, &mut || {
        numbers.iter().for_each(|number| begin(two, *number));
        take(two, &sent);
    });
    let sent = two.outgoing(1, 1024).unwrap();
    on(here, &mut || take(one, &sent));
    let sent = one.outgoing(1, 1024).unwrap();
    on(there, &mut || take(two, &sent));
}

fn claim_many(store: &Runs, first: u32, size: u32) {
    let claims = (first..first + size).map(|number| {
        let mut id = [9; 32];
        id[..4].copy_from_slice(&number.to_be_bytes());
        Claim { id, digest: [7; 32] }
    });
    let claims: Vec<_> = claims.collect();
    let shares = || claims.iter().map(|claim| (claim.id, vec![5; 64])).collect();
    let spent = store.ledger(|ledger| ledger.spend(&claims, |_| Ok::<_, Error>((shares(), ()))));
    spent.unwrap();
}

/// What a run and a claim cost, alone and in batches. Run it when nothing else runs, in release:
/// `cargo test --release --test batch -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn figures() {
    Databases::each(|databases| {
        println!("{:?}", databases.both(0).0);
        let (here, there) = (databases.open(0), databases.open(1));
        let (mut one, mut two) = (runner(1, here.clone()), runner(2, there.clone()));
        measure("a run of one round at both parties, call by call", 100, || {
            for number in 0..100 {
                exchange((&here, &mut one), (&there, &mut two), &[number], false);
            }
        });
        for size in [1, 32, 256] {
            let rounds = 1024_u32.div_euclid(size).min(128);
            let runs = usize::try_from(rounds * size).unwrap();
            measure(&format!("… in batches of {size}"), runs, || {
                for round in 0..rounds {
                    let first = size * 10_000 + round * size;
                    let numbers: Vec<u32> = (first..first + size).collect();
                    exchange((&here, &mut one), (&there, &mut two), &numbers, true);
                }
            });
        }
        for size in [1, 32, 256] {
            let rounds = 2048_u32.div_euclid(size).min(256);
            let what = format!("a claim with its share, in batches of {size}");
            measure(&what, usize::try_from(rounds * size).unwrap(), || {
                (0..rounds)
                    .for_each(|round| claim_many(&here, size * 100_000 + round * size, size));
            });
        }
    });
}
