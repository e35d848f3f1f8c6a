//! The bare loop goes on whatever arrives, and keeps every key that was made, both parts of it.

use quorate::frost::ShareState;
use quorate::frost::ed25519::{Coordinator, KeyShare, PublicKeyPackage};

use super::*;

/// Both parts, stored and opened again: the same as those that were kept.
fn opened(key: &DkgOutput) -> (PublicKeyPackage, KeyShare) {
    let public = PublicKeyPackage::from_bytes(&key.public.to_bytes()).unwrap();
    let share = KeyShare::from_bytes(&key.share.to_bytes(), &public).unwrap();
    assert_eq!((&public, &*share.to_bytes()), (&key.public, &*key.share.to_bytes()));
    (public, share)
}

/// The key was made for both: their shares sign for the public package that each has kept.
fn check(keys: &[DkgOutput]) {
    let [(public, one), (same, two)] = [opened(&keys[0]), opened(&keys[1])];
    assert_eq!(public, same);
    assert_eq!([one.state(), two.state()], [ShareState::Ready; 2]);
    let mut rng = UnwrapErr(SysRng);
    let (mine, from_one) = one.commit(&mut rng);
    let (theirs, from_two) = two.commit(&mut rng);
    let coordinator = Coordinator::new(public);
    let sent = [(one.id(), from_one.to_bytes()), (two.id(), from_two.to_bytes())];
    let mut session = coordinator.start(sent, b"kept").unwrap();
    for (share, nonces) in [(one, mine), (two, theirs)] {
        let signed = share.sign(session.package(), nonces).unwrap();
        session.receive(share.id(), &signed.to_bytes()).unwrap();
    }
    let signature = coordinator.aggregate(session).unwrap();
    same.verifying_key().verify(b"kept", &signature).unwrap();
}

#[test]
fn keys_that_the_bare_loop_kept_sign() {
    let keys = make_keys(SessionId::new([9; 32]), Mail::default()).unwrap();
    assert_eq!(keys.len(), 2);
    check(&keys);
}

#[test]
fn bad_frames_in_the_mail_do_not_end_the_session() {
    let parties = Parties::numbered(2).unwrap();
    let [one, two] = [parties.as_slice()[0], parties.as_slice()[1]];
    let junk = || vec![b"no frame".to_vec(), Vec::new(), vec![0; 100]];
    let mail = [(two, junk()), (one, junk())];
    let mail =
        mail.map(|(from, packets)| packets.into_iter().map(|packet| (from, packet)).collect());
    let keys = make_keys(SessionId::new([8; 32]), mail).unwrap();
    assert_eq!(keys.len(), 2);
    check(&keys);
}

#[test]
fn an_unconfirmed_key_survives_the_question_mark_of_the_bare_loop() {
    let parties = Parties::numbered(2).unwrap();
    let (mut mail, mut keys) = (Mail::default(), Vec::new());
    let [mut one, mut two] = [0, 1].map(|at| {
        let (sid, me) = (SessionId::new([7; 32]), parties.as_slice()[at]);
        let rng = &mut UnwrapErr(SysRng);
        enter(Session::<Dkg>::start(sid, me, &parties, DkgParams::new(2), rng).unwrap(), &mut mail)
    });
    for _ in 0..2 {
        one = go_on(one, &mut mail, &mut keys).unwrap().unwrap();
        two = go_on(two, &mut mail, &mut keys).unwrap().unwrap();
    }
    // The confirmation of party 2 is altered on the way.
    assert_eq!((one.round().get(), mail[0].len(), keys.len()), (3, 1, 0));
    *mail[0][0].1.last_mut().unwrap() ^= 1;
    assert!(go_on(one, &mut mail, &mut keys).unwrap().is_none());
    assert!(go_on(two, &mut mail, &mut keys).unwrap().is_none());
    let [kept, confirmed] = &keys[..] else { panic!("{} keys", keys.len()) };
    let (public, share) = opened(kept);
    assert_eq!(share.state(), ShareState::Unconfirmed);
    assert_eq!(confirmed.share.state(), ShareState::Ready);
    assert_eq!(public, confirmed.public);
}
