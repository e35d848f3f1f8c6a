//! The files of a party's sessions.

use std::fs;

use getrandom::SysRng;
use quorate::frost::ed25519::{Dkg, DkgParams};
use quorate::session::{Outgoing, Step, rand_core::UnwrapErr};
use quorate::{Parties, PartyId, SealKey, Session, SessionId};
use quorate_examples::files::fresh_name;
use quorate_wallet::sessions::SessionFile;

fn key(byte: u8) -> SealKey {
    SealKey::new([byte; 32])
}

#[test]
fn only_what_follows_the_file_is_written_and_sent() {
    let root = std::env::temp_dir().join(fresh_name("sessions-"));
    let (folder, away) = (root.join("here"), root.join("away"));
    fs::create_dir_all(&folder).unwrap();
    let (me, parties) = (PartyId::new(1).unwrap(), Parties::numbered(2).unwrap());
    let (sid, rng) = (SessionId::new([1; 32]), &mut UnwrapErr(SysRng));
    let params = DkgParams::new(2);
    let Step { session, outgoing } = Session::<Dkg>::start(sid, me, &parties, params, rng).unwrap();
    let (sealed, end) = (session.seal(&key(3)), session.tombstone());
    let context = sealed.slot().session();
    let open = || SessionFile::open(&folder, me, context, key(3)).unwrap();
    let gives = |file: &SessionFile| {
        (file.session().cloned(), file.sent().to_vec(), file.record().map(<[u8]>::to_vec))
    };
    let last: [Outgoing; 1] = [outgoing[0].clone()];

    // What cannot be written is not sent either, and can be tried again.
    let mut first = open();
    fs::rename(&folder, &away).unwrap();
    first.write(sealed.clone(), &outgoing, b"").unwrap_err();
    assert!(gives(&first) == (None, Vec::new(), None));
    fs::rename(&away, &folder).unwrap();
    let mut late = open();
    first.write(sealed.clone(), &outgoing, b"").unwrap();
    assert!(gives(&first) == (Some(sealed.clone()), outgoing.clone(), None));
    assert!(gives(&first) == gives(&open()));

    // A process that began from the same point is too late.
    let why = late.write(sealed.clone(), &outgoing, b"").unwrap_err().to_string();
    assert!(why.contains("another one has gone on"), "{why}");
    let mut late = open();
    first.write(end.clone(), &last, b"result").unwrap();
    let all = [outgoing.as_slice(), &last].concat();
    assert!(gives(&open()) == (Some(end.clone()), all, Some(b"result".to_vec())));
    late.write(sealed, &[], b"").unwrap_err();
    assert!(gives(&first) == gives(&open()));

    // The file of another run, party or key.
    let path = fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
    let other = path.with_extension("party-2");
    fs::copy(&path, &other).unwrap();
    let two = PartyId::new(2).unwrap();
    assert!(SessionFile::open(&folder, two, context, key(3)).is_err());
    assert!(SessionFile::open(&folder, me, context, key(4)).is_err());
    fs::remove_dir_all(root).unwrap();
}
