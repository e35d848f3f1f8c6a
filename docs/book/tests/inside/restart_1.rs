//! Stored keys open to the ones that were made, confirmed or not.

use quorate::session::sim::Delivery;

use super::*;

#[test]
fn stored_keys_open_to_what_was_made_confirmed_or_not() {
    let dir = env::temp_dir().join(format!("restart-test-{}", process::id()));
    let (seal, parties) = (SealKey::new([8; 32]), Parties::numbered(2).unwrap());
    // Party 2 never hears the confirmation of party 1.
    let silence = |one: Delivery| {
        let lost = one.round.get() == 3 && one.from == parties.as_slice()[0];
        if lost { vec![] } else { vec![one] }
    };
    let network = Network::new(4).tamper(silence);
    let made =
        network.run::<Dkg>(SessionId::new([6; 32]), &parties, |_| DkgParams::new(2)).unwrap();
    let confirmed = made.results.into_iter().filter_map(|(me, key)| Some((me, key.ok()?)));
    let mut states = Vec::new();
    for (me, key) in confirmed.chain(made.unconfirmed) {
        store(&folder(&dir, me), &seal, &key.public, &key.share).unwrap();
        let (public, share) = load(&folder(&dir, me), &seal).unwrap();
        assert_eq!((&public, &*share.to_bytes()), (&key.public, &*key.share.to_bytes()));
        states.push(share.state());
    }
    assert_eq!(states, [ShareState::Ready, ShareState::Unconfirmed]);
    fs::remove_dir_all(dir).unwrap();
}
