//! The store of a party's sessions, on real files.

use std::fs;
use std::sync::Arc;

use getrandom::SysRng;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::{Dkg, DkgParams};
use quorate::runner::store::{
    BeginOutcome, NewRun, NewStep, OutgoingMessage, PacketId, RunContext, RunRow,
};
use quorate::runner::{Bounds, Kind, MessageTable, RunTable};
use quorate::session::{Session, rand_core::UnwrapErr};
use quorate::{Parties, PartyId, SealKey, SessionId};
use quorate_examples::failure::Failure;
use quorate_examples::files::fresh_name;
use quorate_runner::testing::conformance;
use quorate_wallet::sessions::SessionStore;

#[test]
fn the_files_keep_the_contract_of_a_store() {
    let mut number = 0;
    let root = std::env::temp_dir().join(fresh_name("sessions-"));
    fs::create_dir(&root).unwrap();
    let make = || {
        number += 1;
        let folder = root.join(number.to_string());
        fs::create_dir(&folder).unwrap();
        let me = PartyId::new(1).unwrap();
        SessionStore::empty(folder, me, Arc::new(SealKey::new([3; 32])))
    };
    conformance(make, |store| store).unwrap();
    fs::remove_dir_all(root).unwrap();
}

/// The messages that a store sends, and its row of a run.
fn gives(store: &mut SessionStore, context: &RunContext) -> (Vec<PacketId>, Option<RunRow>) {
    let due = store.due(1, &Bounds::new(1), usize::MAX).unwrap();
    (due.into_iter().map(|due| due.id).collect(), store.run(context).unwrap())
}

#[test]
fn what_the_files_refuse_is_neither_sent_nor_gone_on_from() {
    let root = std::env::temp_dir().join(fresh_name("sessions-"));
    let (folder, away) = (root.join("here"), root.join("away"));
    fs::create_dir_all(&folder).unwrap();
    let [me, peer] = [1, 2].map(|number| PartyId::new(number).unwrap());
    let (key, parties) = (Arc::new(SealKey::new([3; 32])), Parties::numbered(2).unwrap());
    let (sid, rng) = (SessionId::new([1; 32]), &mut UnwrapErr(SysRng));
    let params = DkgParams::new(2);
    let session =
        Session::<Dkg<Ed25519Sha512>>::start(sid, me, &parties, params, rng).unwrap().session;
    let (sealed, end) = (session.seal(&key), session.tombstone());
    let context = sealed.slot().session();
    let open = || {
        let mut store = SessionStore::empty(folder.clone(), me, Arc::clone(&key));
        store.load(&context).unwrap();
        store
    };
    let message =
        |id| [OutgoingMessage { to: vec![peer], id: [id; 32], sealed: vec![id], due: 0, until: 9 }];
    let (first, last) = (message(1), message(2));
    let (kind, tag, digest, job) = (Kind::new([1; 32]), [1; 4], [7; 32], &b"job"[..]);
    let (sealed, deadline, longest) = (&sealed, 9, 1000);
    let run = NewRun { kind, sid, tag, digest, job, sealed, deadline, longest, messages: &first };
    let step =
        NewStep { after: &end, taken: &[], messages: &last, outcome: Some(b"end"), until: 9 };
    let begin = |store: &mut SessionStore| {
        store.begin(&run, &Bounds::new(1)).map(|outcome| outcome == BeginOutcome::Begun)
    };
    let swap = |store: &mut SessionStore| store.swap(sealed.slot(), &step);
    let abandon = |store: &mut SessionStore| store.abandon(&context, &step);
    let refused = |method: &dyn Fn(&mut SessionStore) -> Result<bool, Failure>| {
        let mut store = open();
        fs::rename(&folder, &away).unwrap();
        method(&mut store).unwrap_err();
        fs::rename(&away, &folder).unwrap();
        assert_eq!(gives(&mut store, &context), gives(&mut open(), &context));
        store
    };
    assert!(begin(&mut refused(&begin)).unwrap());
    assert_eq!(gives(&mut open(), &context).0, [[1; 32]]);
    refused(&abandon);
    assert!(swap(&mut refused(&swap)).unwrap());
    assert_eq!(gives(&mut open(), &context).0, [[1; 32], [2; 32]]);
    fs::remove_dir_all(root).unwrap();
}
