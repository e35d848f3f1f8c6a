//! The store keeps the contract of `quorate-runner` on SQLite and on PostgreSQL, closed and opened again between its
//! operations, with its claims in a ledger that has seen what its database has released.
#![allow(
    missing_docs,
    clippy::unwrap_used,
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

use core::cell::Cell;

use databases::Databases;
use getrandom::SysRng;
use quorate::runner::store::{
    Arrival, ArrivalKind, BeginOutcome, Counts, NewRun, NewStep, OutgoingMessage, Place, PutOutcome,
};
use quorate::runner::testing::{conformance, conformance_at_once};
use quorate::runner::{Bounds, EndKind, Kind, MemoryTransport, MessageTable, RunTable, Transport};
use quorate::session::rand_core::UnwrapErr;
use quorate::session::{Sealed, SpentTable, TableEntry};
use quorate::{Parties, SessionId};
use quorate_custody::sql::{Address, Db, Error, Settings, Sql};
use quorate_custody::store::{Claim, Mark, OpenError, Runs, Standing};
use quorate_custody::values;
use toy::{Toy, job, new_run, party, runner, sealed, session};

#[test]
fn the_store_keeps_the_contract() {
    Databases::each(|databases| {
        let made = Cell::new(0);
        let make = || {
            made.set(made.get() + 1);
            databases.open(made.get())
        };
        let reopen = |store: Runs| {
            let mut store = store;
            assert_eq!(store.counts().unwrap(), counted(&databases.both(made.get()).0));
            drop(store);
            databases.open(made.get())
        };
        conformance(make, reopen).unwrap();
    });
}

/// Of several workers, each with connections of its own.
#[test]
fn the_store_keeps_the_contract_with_several_callers() {
    Databases::each(|databases| {
        let mut made = 100;
        let make = || {
            made += 1;
            let (runs, ledger) = databases.both(made);
            let open = move || Runs::open(&runs, &ledger, Settings::default()).unwrap();
            drop(open());
            open
        };
        conformance_at_once(make).unwrap();
    });
}

fn open(address: &Address) -> Db {
    Db::open(address, Settings::default()).unwrap()
}

/// The totals, by counting rows.
fn counted(address: &Address) -> Counts {
    let mut db = open(address);
    let mut count = |sql| db.one(sql, &[]).unwrap().number(0).unwrap();
    Counts {
        open: count("SELECT count(*) FROM runs WHERE ended = 0"),
        messages: count("SELECT count(*) FROM outbox"),
        outbox: count("SELECT CAST(coalesce(sum(length(sealed)), 0) AS BIGINT) FROM packets"),
        parked: count("SELECT CAST(coalesce(sum(cost), 0) AS BIGINT) FROM inbox WHERE parked = 1"),
    }
}

fn begin(databases: &Databases, number: u8) -> BeginOutcome {
    let sealed = sealed(number);
    databases.open(0).begin(&new_run(number, &sealed), &Bounds::new(10)).unwrap()
}

/// The ledger is a database of its own: one that is brought back has not forgotten what was spent.
#[test]
fn a_restored_database_has_not_forgotten_what_was_spent() {
    Databases::each(|databases| {
        let (runs, ledger) = databases.both(0);
        let open = |runs| Runs::open(runs, &ledger, Settings::default()).unwrap();
        assert_eq!(open(&runs).record(&[1; 32], &[2; 32]).unwrap(), TableEntry::New);
        let mut store = open(&databases.address("other"));
        assert_eq!(store.counts().unwrap(), Counts::default());
        assert_eq!(store.record(&[1; 32], &[3; 32]).unwrap(), TableEntry::Before([2; 32]));
    });
}

fn claim(id: u8, digest: u8) -> Claim {
    Claim { id: [id; 32], digest: [digest; 32] }
}

#[test]
fn claims_are_recorded_in_batches_with_their_shares() {
    Databases::each(|databases| {
        let (one, other) = (databases.open(0), databases.open(0));
        let first = [claim(1, 5), claim(2, 5), claim(1, 6)];
        let spent = one.ledger(|ledger| ledger.record_many(&first)).unwrap();
        // Of two claims of one name the first counts.
        assert_eq!(spent.get(&[1; 32]).unwrap().digest, [5; 32]);
        let next = [claim(3, 7), claim(2, 7), claim(1, 5)];
        let given = other.ledger(|ledger| {
            ledger.spend(&next, |claims| {
                let digest = |id| claims.get(&[id; 32]).map(|spent| spent.digest);
                assert_eq!([1, 2, 3].map(digest), [Some([5; 32]), Some([5; 32]), Some([7; 32])]);
                let before = claims.clone().record(&[3; 32], &[0; 32]);
                assert_eq!(before, Ok(TableEntry::Before([7; 32])));
                // Another claim of the name, looked at first, does not use up what is new to the one that is stored.
                let mut table = claims.clone();
                for (digest, entry) in [
                    (0, TableEntry::Before([7; 32])),
                    (7, TableEntry::New),
                    (7, TableEntry::Before([7; 32])),
                ] {
                    assert_eq!(table.record(&[3; 32], &[digest; 32]), Ok(entry));
                }
                claims.clone().record(&[4; 32], &[0; 32]).unwrap_err();
                let shares = vec![([3; 32], b"three".to_vec()), ([1; 32], b"one".to_vec())];
                Ok::<_, Error>((shares, "given"))
            })
        });
        assert_eq!(given.unwrap(), "given");
        // A share that is there stays.
        let again = one.ledger(|ledger| {
            ledger.spend(&[claim(3, 7)], |claims| {
                let there = claims.get(&[3; 32]).and_then(|spent| spent.share.clone());
                Ok::<_, Error>((vec![([3; 32], b"other".to_vec())], there))
            })
        });
        assert_eq!(again.unwrap(), Some(b"three".to_vec()));
        let found = one.ledger(|ledger| ledger.look_up(&[[1; 32], [3; 32], [9; 32]])).unwrap();
        let share = |id| found.get(&[id; 32]).and_then(|spent| spent.share.as_deref());
        assert_eq!((share(1), share(3), share(9)), (Some(&b"one"[..]), Some(&b"three"[..]), None));
        assert_eq!(one.ledger(|ledger| ledger.len()).unwrap(), 3);
    });
}

/// What fails leaves no claim, so that nothing is lost of what nobody has.
#[test]
fn shares_that_are_not_made_leave_no_claim() {
    Databases::each(|databases| {
        let store = databases.open(0);
        let failed: Result<(), Error> = store.ledger(|ledger| {
            ledger.spend(&[claim(1, 1)], |claims| {
                claims.record(&[2; 32], &[0; 32]).map(|_| (Vec::new(), ()))
            })
        });
        failed.unwrap_err();
        assert!(store.ledger(|ledger| ledger.is_empty()).unwrap());
    });
}

/// Of many workers that claim the same names at the same time, one gets each, and all are told the same.
#[test]
fn workers_that_race_for_claims_are_told_the_same() {
    Databases::each(|databases| {
        let (runs, ledger) = databases.both(0);
        databases.open(0);
        let race = |worker: u8| {
            let store = Runs::open(&runs, &ledger, Settings::default()).unwrap();
            let mut told = Vec::new();
            for round in 0..20_u8 {
                // In another order each.
                let mut ids: Vec<u8> = (0..8).map(|at| round.wrapping_mul(8) + at).collect();
                ids.rotate_left(usize::from(worker));
                let claims: Vec<_> = ids.iter().map(|id| claim(*id, worker)).collect();
                let spent = store.ledger(|ledger| ledger.record_many(&claims)).unwrap();
                let digest = |id: u8| spent.get(&[id; 32]).unwrap().digest;
                told.extend((0..8).map(|at| digest(round.wrapping_mul(8) + at)));
            }
            told
        };
        let told: Vec<_> = std::thread::scope(|scope| {
            let workers = [1, 2, 3].map(|worker| scope.spawn(move || race(worker)));
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        assert!(told.iter().all(|one| *one == told[0]) && told[0].len() == 160);
    });
}

/// SE-21: what a database that is not what its ledger has seen is refused with, and one that lost its ledger.
#[test]
fn a_database_that_was_put_back_is_refused() {
    Databases::each(|databases| {
        let (runs, ledger) = databases.both(0);
        assert_eq!(begin(databases, 1), BeginOutcome::Begun);
        let first = databases.open(0).head().unwrap().unwrap();
        assert_eq!(begin(databases, 1), BeginOutcome::Exists);
        assert_eq!(databases.open(0).head().unwrap(), Some(first));
        assert_eq!(begin(databases, 2), BeginOutcome::Begun);
        let second = databases.open(0).head().unwrap().unwrap();
        assert_eq!((first.number, second.number, second.epoch), (1, 2, 1));
        // Back to the first mark.
        let mut db = open(&runs);
        db.execute("DELETE FROM marks WHERE number = 2", &[]).unwrap();
        let reopen = |ledger: &Address| Runs::open(&runs, ledger, Settings::default());
        let refused = reopen(&ledger).unwrap_err();
        assert!(matches!(refused, OpenError::PutBack { at: 1, seen: 2, .. }), "{refused}");
        assert!(refused.to_string().contains("was put back from a backup"), "{refused}");
        assert!(refused.to_string().contains("Put back the current database, or"), "{refused}");
        // Nor one that went on by itself, with another ledger, and has come as far.
        let elsewhere = databases.address("elsewhere");
        let refused = reopen(&elsewhere).unwrap_err();
        assert!(matches!(refused, OpenError::NoLedger { at: 1, .. }), "{refused}");
        db.execute("DELETE FROM confirmed", &[]).unwrap();
        let mut store = reopen(&elsewhere).unwrap();
        let tombstone = session(1).tombstone();
        let end = NewStep {
            after: &tombstone,
            taken: &[],
            messages: &[],
            outcome: Some(b"end"),
            until: 99,
        };
        store.abandon(&session(1).slot().session(), &end).unwrap();
        let other = store.head().unwrap().unwrap();
        assert_eq!(store.standing(&second).unwrap(), Standing::Unknown);
        assert_eq!(store.standing(&first).unwrap(), Standing::Known);
        assert_eq!(store.standing(&Mark { number: 9, ..second }).unwrap(), Standing::Unknown);
        assert_eq!(store.standing(&Mark { number: 0, ..second }).unwrap(), Standing::Older);
        drop(store);
        assert!(other.number == 2 && other.head != second.head);
        let refused = reopen(&ledger).unwrap_err();
        assert!(matches!(refused, OpenError::PutBack { at: 2, seen: 2, .. }), "{refused}");
        // A new database beside a ledger that has seen another, and the other way round.
        let refused = Runs::open(&databases.address("new"), &ledger, Settings::default());
        let refused = refused.unwrap_err();
        assert!(matches!(refused, OpenError::PutBack { at: 0, seen: 2, .. }), "{refused}");
        let refused = reopen(&databases.address("new ledger")).unwrap_err();
        assert!(matches!(refused, OpenError::NoLedger { at: 2, .. }), "{refused}");
        assert!(reopen(&elsewhere).is_ok());
    });
}

/// Its rows have no kind, and its sessions are under other codes.
#[test]
fn a_database_of_an_older_release_is_refused() {
    Databases::each(|databases| {
        let (runs, ledger) = databases.both(0);
        let older = "CREATE TABLE runs (context BYTEA PRIMARY KEY, protocol BIGINT NOT NULL)";
        open(&runs).schema(older).unwrap();
        let refused = Runs::open(&runs, &ledger, Settings::default()).unwrap_err();
        assert!(refused.to_string().contains("made by an older release"), "{refused}");
    });
}

/// A run whose kind is another worker's is begun and kept, and not even ended at its deadline.
#[test]
fn a_run_of_a_kind_that_is_not_shown_is_not_worked_on() {
    Databases::each(|databases| {
        let store = databases.open(0);
        let mut one = runner(1, store.clone());
        store.show(vec![Kind::new([1; 32])]).unwrap();
        one.start::<Toy>(&job(1, 50), 0, &mut UnwrapErr(SysRng)).unwrap();
        assert!(one.work(60).unwrap().is_empty());
        one.recover().unwrap();
        assert!(one.next_work(60).unwrap().is_none());
        assert_eq!(one.store().counts().unwrap().open, 1);
        store.show(vec![Kind::new([1; 32]), Kind::of::<Toy>()]).unwrap();
        assert_eq!(one.work(60).unwrap().len(), 1);
    });
}

/// A ledger that alone is put back, a replica that lags or a dump of the night before, is refused, whatever it had forgotten.
#[test]
fn a_ledger_that_was_put_back_is_refused() {
    Databases::each(|databases| {
        let (runs, ledger) = databases.both(0);
        let release = |store: &Runs| {
            store.work(|work| {
                work.release(b"something");
                Ok(())
            })
        };
        let store = databases.open(0);
        let claims = [claim(1, 1), claim(2, 1), claim(3, 1), claim(4, 1)];
        let mut marks = Vec::new();
        for one in &claims {
            store.ledger(|ledger| ledger.record_many(core::slice::from_ref(one))).unwrap();
            release(&store).unwrap();
            marks.push(store.head().unwrap().unwrap());
        }
        let put_back = |mark: &Mark| {
            let mut ledger = open(&ledger);
            ledger.execute("DELETE FROM spent", &[]).unwrap();
            let sql = "UPDATE witness SET number = $1, epoch = $2, head = $3";
            ledger.execute(sql, &values![mark.number, mark.epoch, &mark.head]).unwrap();
        };
        for mark in &marks[..2] {
            put_back(mark);
            // By who is up, and by who begins.
            let refused = release(&store).unwrap_err().to_string();
            assert!(refused.contains("the ledger was put back"), "{refused}");
            let refused = Runs::open(&runs, &ledger, Settings::default()).unwrap_err();
            let at = mark.number;
            let is = |of: &OpenError| matches!(of, OpenError::LedgerPutBack { at: it, confirmed: 4, .. } if *it == at);
            assert!(is(&refused), "{refused}");
            assert!(refused.to_string().contains("or is a replica that lags"), "{refused}");
        }
        // The current one is taken.
        put_back(&marks[3]);
        drop(Runs::open(&runs, &ledger, Settings::default()).unwrap());
    });
}

/// A node whose database was put back begins a new epoch: its runs are lost, its tombstones stay, and its marks go on after
/// all that anybody has seen.
#[test]
fn a_database_that_was_put_back_begins_a_new_epoch() {
    Databases::each(|databases| {
        let (runs, ledger) = databases.both(0);
        let mut one = runner(1, databases.open(0));
        for number in [1, 2] {
            one.start::<Toy>(&job(number, 1000), 0, &mut UnwrapErr(SysRng)).unwrap();
        }
        assert_eq!(one.store().record(&[1; 32], &[2; 32]).unwrap(), TableEntry::New);
        drop(one);
        open(&runs).execute("DELETE FROM marks WHERE number = 2", &[]).unwrap();
        Runs::open(&runs, &ledger, Settings::default()).unwrap_err();
        let kept = Mark { epoch: 4, number: 77, head: [1; 32] };
        let both = (&runs, &ledger);
        let store = Runs::rejoin(both, Settings::default(), (&[kept], 1), |db| {
            db.execute("CREATE TABLE dropped (one BIGINT)", &[]).map(drop)
        });
        let mark = store.unwrap().head().unwrap().unwrap();
        assert_eq!((mark.epoch, mark.number), (5, 78));
        open(&runs).query("SELECT one FROM dropped", &[]).unwrap();
        let mut one = runner(1, databases.open(0));
        let before = one.store().record(&[1; 32], &[3; 32]).unwrap();
        assert_eq!(before, TableEntry::Before([2; 32]));
        let ended = one.work(1).unwrap();
        assert!(ended.iter().all(|run| run.outcome.kind == EndKind::Lost) && ended.len() == 2);
        let known = one.start::<Toy>(&job(1, 1000), 1, &mut UnwrapErr(SysRng));
        assert!(matches!(known, Ok(quorate::runner::StartOutcome::Ended(_))));
        assert_eq!(one.store().counts().unwrap(), counted(&runs));
    });
}

/// A process that dies between the two commits leaves a database that is a step ahead: it is taken, and the ledger is told.
#[test]
fn a_database_that_is_ahead_of_its_ledger_is_taken() {
    Databases::each(|databases| {
        let (runs, ledger) = databases.both(0);
        (1..=3).for_each(|number| assert_eq!(begin(databases, number), BeginOutcome::Begun));
        let mut db = open(&runs);
        let row = db.one("SELECT head FROM marks WHERE number = 2", &[]).unwrap();
        let mut ledger = open(&ledger);
        let sql = "UPDATE witness SET number = 2, head = $1";
        let head: [u8; 32] = row.array(0).unwrap();
        ledger.execute(sql, &values![&head]).unwrap();
        drop(databases.open(0));
        let row = ledger.one("SELECT number FROM witness", &[]).unwrap();
        assert_eq!(row.int(0), Ok(3));
    });
}

/// A database that is exchanged for an older copy under a process that stays up: nothing more leaves it, and it does not say
/// that it goes on.
#[test]
fn a_database_that_is_put_back_under_a_process_lets_nothing_out() {
    Databases::each(|databases| {
        let store = databases.open(0);
        let release = || {
            store.work(|work| {
                work.release(b"something");
                Ok(())
            })
        };
        (0..3).for_each(|_| release().unwrap());
        assert!(store.goes_on().unwrap());
        open(&databases.both(0).0).execute("DELETE FROM marks WHERE number = 3", &[]).unwrap();
        assert!(!store.goes_on().unwrap());
        let refused = release().unwrap_err();
        assert!(refused.to_string().contains("put back while this process was up"), "{refused}");
    });
}

/// What the ledger cannot be told of is not sent; once it can be told, it is.
#[test]
fn nothing_leaves_that_the_ledger_has_not_seen() {
    Databases::each(|databases| {
        let mut ends = MemoryTransport::network(&Parties::numbered(2).unwrap()).into_iter();
        let (mut one, mut two) = (ends.next().unwrap(), ends.next().unwrap());
        let mut runner = runner(1, databases.open(0));
        let mut ledger = open(&databases.both(0).1);
        ledger.execute("ALTER TABLE witness RENAME TO away", &[]).unwrap();
        runner.start::<Toy>(&job(1, 1000), 0, &mut UnwrapErr(SysRng)).unwrap_err();
        runner.turn(&mut one, 1).ok();
        assert!(two.receive().unwrap().is_none());
        ledger.execute("ALTER TABLE away RENAME TO witness", &[]).unwrap();
        runner.turn(&mut one, 100).unwrap();
        assert!(two.receive().unwrap().is_some());
    });
}

/// A run of which the disk has kept something else than was stored is closed at its deadline, alone.
#[test]
fn a_damaged_run_is_closed_at_its_deadline() {
    Databases::each(|databases| {
        let tombstone = session(1).tombstone();
        let theirs = "UPDATE runs SET sealed = (SELECT sealed FROM runs WHERE deadline = 1000)
            WHERE sid = $1 AND job <> $2";
        let changes = [
            ("UPDATE runs SET sealed = $2 WHERE sid = $1", &[1, 2][..], 1),
            ("UPDATE runs SET job = $2 WHERE sid = $1", &[1, 2], 0),
            ("UPDATE runs SET sealed = $2 WHERE sid = $1", tombstone.as_bytes(), 1),
            (theirs, &[1], 1),
            ("UPDATE runs SET slot = slot + 1 WHERE sid = $1 AND job <> $2", &[1], 1),
        ];
        for (number, (change, bytes, record)) in changes.into_iter().enumerate() {
            let mut first = runner(1, databases.open(number));
            for job in [job(1, 50), job(2, 1000)] {
                first.start::<Toy>(&job, 0, &mut UnwrapErr(SysRng)).unwrap();
            }
            drop(first);
            let mut db = open(&databases.both(number).0);
            let sid = SessionId::new([1; 32]);
            assert_eq!(db.execute(change, &values![&sid, bytes]).unwrap(), 1);
            let mut again = runner(1, databases.open(number));
            assert!(again.work(49).unwrap().is_empty());
            let mut ended = Vec::new();
            // A bound: it would never come to rest.
            for _ in 0..20 {
                let Some(work) = again.next_work(50).unwrap() else { break };
                ended.extend(again.finish(work.run()).unwrap());
            }
            assert_eq!((ended.len(), ended[0].sid), (1, sid), "{change}");
            assert_eq!(ended[0].outcome.kind, EndKind::Lost);
            assert_eq!(ended[0].outcome.record_bytes.len(), record);
            assert_eq!(again.store().counts().unwrap().open, 1);
            assert!(again.next_work(50).unwrap().is_none(), "it comes to rest");
        }
    });
}

/// What is parked may be dropped, so a copy of it is not told as stored.
#[test]
fn a_copy_of_what_is_parked_is_parked() {
    Databases::each(|databases| {
        let mut store = databases.open(0);
        let place = Place { from: party(2), round: 1, kind: ArrivalKind::Broadcast };
        let (sealed, context) = (b"sealed", session(1).slot().session());
        let arrival = Arrival { context, place, id: [1; 32], sealed, opening: None, until: 5 };
        for _ in 0..2 {
            assert_eq!(store.put(&arrival, &Bounds::new(10)).unwrap(), PutOutcome::Parked);
        }
        let counts = store.counts().unwrap();
        store.prune(5).unwrap();
        assert!(counts.parked > 0 && store.counts().unwrap().parked == 0);
    });
}

/// What a worker does to each run, and how often it did it: begin it, store a frame, send, forget a message, end it.
fn race(worker: u8, mut store: Runs, sealed: &[Sealed], tombstones: &[Sealed]) -> [u32; 5] {
    let (mut did, bounds) = ([0_u32; 5], Bounds::new(10));
    for (number, sealed) in (0_u8..).zip(sealed) {
        let to = [party(2), party(3)].into();
        let messages =
            [OutgoingMessage { to, id: [number; 32], sealed: vec![9; 40], due: 1, until: 99 }];
        let place = Place { from: party(2), round: 1, kind: ArrivalKind::Broadcast };
        let context = sealed.slot().session();
        let arrival = |id| Arrival {
            context,
            place,
            id: [id; 32],
            sealed: b"frame",
            opening: None,
            until: 99,
        };
        // Before, while and after it begins.
        store.put(&arrival(worker), &bounds).unwrap();
        let run = NewRun { messages: &messages, ..new_run(number, sealed) };
        let begun = store.begin(&run, &bounds).unwrap();
        did[0] += u32::from(begun == BeginOutcome::Begun);
        for id in [worker, 1, 2, 3] {
            let put = store.put(&arrival(id), &bounds).unwrap();
            did[1] += u32::from(matches!(put, PutOutcome::Stored(_)));
            assert!(put != PutOutcome::Parked, "it has begun");
        }
        did[2] += u32::try_from(store.due(1, &bounds, 1).unwrap().len()).unwrap();
        let known = store.acknowledge(party(2), &[[number; 32]]).unwrap();
        did[3] += u32::try_from(known).unwrap();
        if number < 6 {
            let after = &tombstones[usize::from(number)];
            let end =
                NewStep { after, taken: &[], messages: &[], outcome: Some(b"end"), until: 99 };
            did[4] += u32::from(store.swap(sealed.slot(), &end).unwrap());
        }
    }
    did
}

/// Two workers, each with connections of its own, on the same runs at the same time: each run begins once and goes on once,
/// each frame is stored once, each message is forgotten once, and the totals are right.
#[test]
fn workers_that_race_do_not_mix() {
    Databases::each(|databases| {
        let (runs, ledger) = databases.both(0);
        databases.open(0);
        let sealed: Vec<_> = (0..12).map(sealed).collect();
        let tombstones: Vec<_> = (0..12).map(|number| session(number).tombstone()).collect();
        let race = |worker| {
            let store = Runs::open(&runs, &ledger, Settings::default()).unwrap();
            race(worker, store, &sealed, &tombstones)
        };
        let did: Vec<[u32; 5]> = std::thread::scope(|scope| {
            let workers = [1, 2].map(|worker| scope.spawn(move || race(worker)));
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        let sum = |at: usize| did.iter().map(|one| one[at]).sum::<u32>();
        assert_eq!((sum(0), sum(3), sum(4)), (12, 12, 6), "{did:?}");
        assert!(sum(1) <= 24 && sum(2) <= 24, "{did:?}");
        let mut db = open(&runs);
        let sql = "SELECT count(*) FROM inbox JOIN runs USING (context) WHERE ended = 1";
        assert_eq!(db.one(sql, &[]).unwrap().int(0), Ok(0), "an end is the end");
        let sql = "SELECT count(*) FROM inbox WHERE parked = 1";
        assert_eq!(db.one(sql, &[]).unwrap().int(0), Ok(0), "what was parked is its run's");
        let sql = "SELECT max(n) FROM (SELECT count(*) AS n FROM inbox GROUP BY context) AS counts";
        assert_eq!(db.one(sql, &[]).unwrap().int(0), Ok(2), "two of each place");
        assert_eq!(databases.open(0).counts().unwrap(), counted(&runs));
        let marks = db.one("SELECT max(number), count(*) FROM marks", &[]).unwrap();
        assert_eq!(marks.int(0), marks.int(1), "the chain has no gap");
    });
}
