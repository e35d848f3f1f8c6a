//! A store that is opened under another key, by another party, or after a restart that is not vouched for.

use crate::common;

use common::{
    BOUNDS, DEADLINE, Shared, Worker, begin, done, exchange, id, job, sent, worker, worker_with,
};
use common::{Toy, three};
use quorate_runner::store::{NewStep, OutgoingMessage, RunRow};
use quorate_runner::{Continuity, EndKind, Error, MessageTable, RunTable, StartOutcome};
use quorate_session::{PartyId, SealKey, Session};
use quorate_testkit::Stuck;

fn open(
    me: PartyId,
    key: u8,
    store: &Shared,
    continuity: Continuity,
) -> Result<Worker, Error<common::Killed>> {
    worker_with((me, SealKey::new([key; 32])), store, BOUNDS, continuity)
}

fn context(job: &quorate_runner::Job) -> [u8; 32] {
    Session::<Toy>::context_of(job.sid, &job.parties, &job.body)
}

/// Under another key, as if a worker with an old key had stored it.
fn under_another_key(store: &Shared, job: &quorate_runner::Job, kind: quorate_runner::Stored) {
    let row = store.store.borrow_mut().run(&context(job)).unwrap().unwrap();
    let reseal = |bytes: &[u8]| kind.reseal(bytes, &SealKey::new([1; 32]), &SealKey::new([99; 32]));
    let row = match kind {
        quorate_runner::Stored::Job => RunRow { job: reseal(&row.job).unwrap(), ..row },
        _ => RunRow { sealed: reseal(&row.sealed).unwrap(), ..row },
    };
    store.rows.borrow_mut().insert(context(job), row);
}

#[test]
fn a_store_under_another_key_is_refused_and_keeps_its_runs() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
    // A worker with an old key opens the store long after the deadline. It ends nothing.
    let wrong = open(id(1), 99, &all[0].1, Continuity::StayedUp);
    assert_eq!(wrong.err(), Some(Error::OtherKey));
    assert_eq!(all[0].1.store.borrow_mut().counts().unwrap().open, 1);
    all[0].0 = worker(id(1), &all[0].1, BOUNDS).unwrap();
    assert_eq!(done(&exchange(&mut all, 1)), 3);
}

#[test]
fn a_run_under_another_key_is_an_error_at_every_step_and_never_ends() {
    for kind in [quorate_runner::Stored::Job, quorate_runner::Stored::Session] {
        let mut all = three();
        let (one, two) = (job(1, 3, DEADLINE), job(2, 3, DEADLINE));
        for job in [&one, &two] {
            all.iter_mut().for_each(|(worker, _)| begin(worker, job));
        }
        under_another_key(&all[0].1, &one, kind);
        let mut party = worker(id(1), &all[0].1, BOUNDS).unwrap();
        assert_eq!(party.work(1), Err(Error::OtherKey), "{kind:?}");
        // At its deadline, too. The other run ends at its own, and nothing spins.
        let mut ended = 0;
        let mut errors = 0;
        for _ in 0..10 {
            match party.work(DEADLINE) {
                Ok(runs) => ended += runs.len(),
                Err(error) => {
                    assert_eq!(error, Error::OtherKey);
                    errors += 1;
                }
            }
        }
        assert_eq!((ended, errors), (1, 1), "{kind:?}");
        assert_eq!(party.next_due(), Ok(Some(DEADLINE + BOUNDS.resend)));
        assert_eq!(party.work(DEADLINE + BOUNDS.resend), Err(Error::OtherKey));
        assert_eq!((party.metrics().other_key, party.metrics().damaged), (3, 0));
        assert_eq!(party.outcome(&one), Ok(None));
        // Under the right key the run continues.
        all[0].1.rows.borrow_mut().clear();
        all[0].0 = worker(id(1), &all[0].1, BOUNDS).unwrap();
        assert_eq!(done(&exchange(&mut all, 1)), 3, "{kind:?}");
    }
}

/// A worker with the old key, while the store is resealed under a new one: it stops, and stores nothing that the others
/// could not open.
#[test]
fn a_worker_with_the_old_key_stops_when_the_store_is_resealed() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
    let (_, packet) = sent(&mut all[1].0, 0).into_iter().find(|(to, _)| *to == id(1)).unwrap();
    under_another_key(&all[0].1, &one, quorate_runner::Stored::Session);
    let new = SealKey::new([99; 32]).seal_bytes("runner canary", &[0, 1]);
    *all[0].1.canary.borrow_mut() = Some(new);
    let old = &mut all[0].0;
    old.recover().unwrap();
    assert_eq!(old.work(1), Err(Error::OtherKey));
    assert_eq!(old.receive(id(2), &packet, 1), Err(Error::OtherKey));
    assert_eq!(old.outgoing(1, 9).err(), Some(Error::OtherKey));
    assert_eq!(old.start::<Toy>(&job(2, 3, DEADLINE), 1, &mut Stuck::at(1)), Err(Error::OtherKey));
    assert_eq!(old.work(2 * DEADLINE), Err(Error::OtherKey));
    let context = context(&one);
    assert!(all[0].1.store.borrow_mut().inbox(&context).unwrap().is_empty());
}

#[test]
fn frames_and_messages_under_another_key_are_errors_and_end_nothing() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
    // A worker with an old key takes in a frame, and posts a message.
    let mut old = Shared { store: all[0].1.store.clone(), ..Shared::default() };
    let foreign = SealKey::new([99; 32]);
    let (_, packet) = sent(&mut all[1].0, 0).into_iter().find(|(to, _)| *to == id(1)).unwrap();
    let frame = quorate_runner::store::Arrival {
        context: context(&one),
        place: quorate_runner::store::Place {
            from: id(2),
            round: 1,
            kind: quorate_runner::store::ArrivalKind::Broadcast,
        },
        id: quorate_runner::packet::id(&packet),
        sealed: &foreign.seal_bytes("runner inbox", &packet[1..]),
        opening: None,
        until: DEADLINE,
    };
    old.put(&frame, &BOUNDS).unwrap();
    let mut party = worker(id(1), &all[0].1, BOUNDS).unwrap();
    assert_eq!(party.work(1), Err(Error::OtherKey));
    assert_eq!(party.work(DEADLINE), Err(Error::OtherKey));
    assert_eq!(party.outcome(&one), Ok(None));
    // What can be sent is sent, after the error.
    let sealed = foreign.seal_bytes("runner outbox", b"message");
    let message = OutgoingMessage { to: vec![id(2)], id: [7; 32], sealed, due: 0, until: DEADLINE };
    let slot =
        quorate_session::Sealed::from_bytes(&old.run(&context(&one)).unwrap().unwrap().sealed)
            .unwrap();
    let step =
        NewStep { after: &slot, taken: &[], messages: &[message], outcome: None, until: DEADLINE };
    assert!(old.swap(slot.slot(), &step).unwrap());
    assert_eq!(party.outgoing(40, 10).err(), Some(Error::OtherKey));
    assert_eq!(sent(&mut party, 40).len(), 2);
    // That key is lost: the application gives the run up, and has its bytes.
    let ended = party.abandon(&one.sid, DEADLINE).unwrap().unwrap();
    assert_eq!(ended.outcome.kind, EndKind::Lost);
    let unopened = party.outcome(&one).unwrap().unwrap().unopened.unwrap();
    assert_eq!(unopened.session, slot.as_bytes());
    assert_eq!(party.abandon(&one.sid, DEADLINE), Ok(None));
    assert!(party.work(2 * DEADLINE).unwrap().is_empty());
}

#[test]
fn the_sealed_bytes_of_a_lost_run_stay_in_its_outcome() {
    let store = Shared::default();
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    let locked = quorate_runner::Job { body: b"unlocked".to_vec(), ..job(1, 3, 50) };
    begin(&mut party, &locked);
    let row = store.store.borrow_mut().run(&context(&locked)).unwrap().unwrap();
    // The bytes of the job are those of a job whose parameters are missing: the session is there, and is not opened.
    let other = quorate_runner::Job { body: b"locked".to_vec(), ..locked.clone() };
    let key = SealKey::new([1; 32]);
    let plain = key.open_bytes("runner job", &row.job).unwrap();
    let plain = [&plain[..plain.len() - b"unlocked".len()], b"locked"].concat();
    let sealed_job = key.seal_bytes("runner job", &plain);
    store
        .rows
        .borrow_mut()
        .insert(context(&locked), RunRow { job: sealed_job.clone(), ..row.clone() });
    let mut party = worker(id(1), &store, BOUNDS).unwrap();
    let ended = party.work(50).unwrap().remove(0);
    assert_eq!((ended.sid, ended.outcome.kind), (other.sid, EndKind::Lost));
    let unopened = ended.outcome.unopened.clone().unwrap();
    assert_eq!((&unopened.job, &unopened.session), (&sealed_job, &row.sealed));
    let sealed = quorate_session::Sealed::from_bytes(&unopened.session).unwrap();
    assert!(Session::<Toy>::open(&sealed, b"unlocked".to_vec(), &key).is_ok());
    // The application's record is forgotten, and the bytes are not.
    assert_eq!(party.forget_record(&locked), Ok(true));
    assert_eq!(party.outcome(&locked).unwrap().unwrap().unopened, Some(unopened));
}

#[test]
fn a_second_party_is_refused_by_the_store_of_the_first() {
    let store = Shared::default();
    let mut first = open(id(1), 1, &store, Continuity::NewStore).unwrap();
    let one = job(1, 3, DEADLINE);
    begin(&mut first, &one);
    assert_eq!(open(id(2), 1, &store, Continuity::StayedUp).err(), Some(Error::OtherParty(id(1))));
    assert_eq!(first.start::<Toy>(&one, 1, &mut Stuck::at(9)), Ok(StartOutcome::Running));
}

/// The row of a job of another party is not taken for the own one, even if both are under one key.
#[test]
fn the_job_of_another_party_is_another_job() {
    let digest = |me| {
        let store = Shared::default();
        let mut party = open(id(me), 1, &store, Continuity::NewStore).unwrap();
        begin(&mut party, &job(1, 3, DEADLINE));
        store.store.borrow_mut().job(&job(1, 3, 0).sid).unwrap().unwrap().digest
    };
    assert_ne!(digest(1), digest(2));
}

#[test]
fn a_new_store_is_one_that_nobody_has_used() {
    let store = Shared::default();
    drop(open(id(1), 1, &store, Continuity::NewStore).unwrap());
    assert_eq!(open(id(1), 1, &store, Continuity::NewStore).err(), Some(Error::NotNew));
    for continuity in [Continuity::Peers, Continuity::Counter, Continuity::Operator] {
        let again = open(id(1), 1, &store, continuity).unwrap();
        assert!(again.continuity() == continuity && continuity.keeps_stock());
    }
}

#[test]
fn open_runs_of_a_store_that_nobody_vouches_for_are_ended() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &one));
    let row = all[0].1.store.borrow_mut().run(&context(&one)).unwrap().unwrap();
    all[0].0 = open(id(1), 1, &all[0].1, Continuity::Unknown).unwrap();
    assert!(!all[0].0.continuity().keeps_stock());
    // Everything that the first round needs is there, and the run does not continue.
    for peer in [1, 2] {
        let me = all[peer].0.id();
        let packets = sent(&mut all[peer].0, 0);
        let (_, packet) = packets.into_iter().find(|(to, _)| *to == id(1)).unwrap();
        all[0].0.receive(me, &packet, 1).unwrap();
    }
    let ended = all[0].0.work(1).unwrap().remove(0);
    assert_eq!((ended.sid, ended.outcome.kind), (one.sid, EndKind::Discontinued));
    assert_eq!(ended.outcome.unopened.clone().unwrap().session, row.sealed);
    assert!(ended.outcome.record_bytes.starts_with(b"0 culprits: Discontinued"));
    assert_eq!((all[0].0.metrics().rounds, all[0].0.metrics().stopped), (0, 1));
    let again = all[0].0.start::<Toy>(&one, 2, &mut Stuck::at(1));
    assert_eq!(again, Ok(StartOutcome::Ended(ended.outcome)));
    // The others hear that it has stopped, and blame nobody.
    let ended = exchange(&mut all, 10);
    assert!(ended.len() == 2 && ended.iter().all(|run| run.outcome.kind == EndKind::Stopped));
    // Runs that begin from then on continue.
    let two = job(2, 3, DEADLINE);
    all.iter_mut().for_each(|(worker, _)| begin(worker, &two));
    assert_eq!(done(&exchange(&mut all, 11)), 3);
}

/// A store that was restored to an older copy, and said to be the latest: the party answers twice in one round, and each
/// peer that hears both has evidence against it.
#[test]
fn a_party_on_a_restored_store_is_convicted_by_its_own_messages() {
    let mut all = three();
    let one = job(1, 3, DEADLINE);
    begin(&mut all[1].0, &one);
    begin(&mut all[0].0, &one);
    let mut to_two: Vec<_> = sent(&mut all[0].0, 0);
    // The copy was made before the job came. It comes again, and the run begins with another seed.
    let copy = Shared::default();
    let mut restored = open(id(1), 1, &copy, Continuity::Operator).unwrap();
    assert_eq!(restored.start::<Toy>(&one, 1, &mut Stuck::at(9)), Ok(StartOutcome::Begun));
    to_two.extend(sent(&mut restored, 1));
    for (to, packet) in to_two {
        if to == id(2) {
            all[1].0.receive(id(1), &packet, 1).unwrap();
        }
    }
    let ended = all[1].0.work(1).unwrap().remove(0).outcome;
    let record = String::from_utf8_lossy(&ended.record_bytes).into_owned();
    assert!(record.starts_with("1 culprits") && record.contains("Equivocation"), "{record}");
    assert!(record.contains("party: 1"), "{record}");
}
