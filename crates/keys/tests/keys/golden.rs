//! Files that version 1 wrote. They have to open for ever.
//!
//! See [`quorate_testkit::golden`].

use quorate_curve::{Curve, Ed25519, P256, Secp256k1};
use quorate_keys::{
    Backup, BackupKey, BackupRecipient, Drill, HealthChallenge, SecretShare, ShareHealth,
    ShareState, SharedKey,
};

use crate::group::{Key, Of, id, rng};

/// The bytes of a file. If the file is missing and may be written, the bytes that are made now.
pub fn golden<C: Curve>(object: &str, make: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    let object = format!("{}-{object}", C::NAME.to_lowercase());
    quorate_testkit::golden::file(env!("CARGO_MANIFEST_DIR"), &object, make)
}

/// The key of the files: parties 2, 5 and 300, threshold 2, refreshed once.
pub fn key<C: Curve>() -> Key<C> {
    Key::dealt(&[2, 5, 300], 2, 77).reshared(&[2, 300], &[2, 5, 300], 2, 78)
}

fn version_1_opens<C: Curve>() {
    let bytes = golden::<C>("shared-key", || key::<C>().public.to_bytes());
    let public = SharedKey::<Of<C>>::from_bytes(&bytes).unwrap();
    assert_eq!(public.to_bytes(), bytes);
    // Values that are known without the file. The key is the constant of the polynomial of this seed.
    let x = Key::<C>::dealt(&[2, 5, 300], 2, 77).x;
    assert!(*public.key() == C::mul_base(&x));
    assert_eq!((public.epoch(), public.threshold(), *public.extra()), (1, 2, [9; 32]));
    assert!(public.parties().iter().eq([2, 5, 300].map(id)));
    let mut shares = vec![];
    for party in [2, 300] {
        let make = || key::<C>().shares[&party].to_bytes().to_vec();
        let bytes = golden::<C>(&format!("share-{party}"), make);
        let share = SecretShare::<Of<C>>::from_bytes(&bytes).unwrap();
        assert_eq!(*share.to_bytes(), bytes);
        share.check_belongs_to(&public).unwrap();
        assert_eq!((share.id(), share.state()), (id(party), ShareState::Pending));
        shares.push(share);
    }
    assert!(crate::group::interpolated(&shares.iter().collect::<Vec<_>>()) == x);
    backups_open(&public, &shares[1]);
}

/// The backup of party 300's share, the key to which it is sealed, and the statements about them.
fn backups_open<C: Curve>(public: &SharedKey<Of<C>>, share: &SecretShare<Of<C>>) {
    let asked = HealthChallenge::from_bytes([6; 32]);
    let make = || BackupKey::<Of<C>>::generate(&mut rng(79)).unwrap();
    let bytes = golden::<C>("backup-key", || make().to_bytes().to_vec());
    let offline = BackupKey::<Of<C>>::from_bytes(&bytes).unwrap();
    assert_eq!(*offline.to_bytes(), bytes);
    let bytes = golden::<C>("backup-recipient", || offline.recipient().to_bytes());
    let recipient = BackupRecipient::<Of<C>>::from_bytes(&bytes).unwrap();
    assert!(recipient == *offline.recipient());
    let seal = || Backup::seal(share, public, &recipient, b"golden", &mut rng(80)).unwrap();
    let bytes = golden::<C>("backup", || seal().to_bytes());
    let backup = Backup::<Of<C>>::from_bytes(&bytes).unwrap();
    assert_eq!((backup.to_bytes() == bytes, backup.label()), (true, &b"golden"[..]));
    assert_eq!(backup.verify(public, &recipient), Ok(()));
    assert_eq!(*offline.restore(&backup, public).unwrap().to_bytes(), *share.to_bytes());
    let drill = || offline.drill(&backup, public, &asked, &mut rng(81)).unwrap();
    let bytes = golden::<C>("drill", || drill().to_bytes());
    let drill = Drill::<Of<C>>::from_bytes(&bytes).unwrap();
    assert_eq!(drill.verify(&backup, public, &asked), Ok(()));
    let bytes = golden::<C>("health", || share.prove_health(&asked, &mut rng(82)).to_bytes());
    let health = ShareHealth::<Of<C>>::from_bytes(&bytes).unwrap();
    assert_eq!(health.verify(public, share.id(), &asked), Ok(()));
}

#[test]
fn version_1_opens_for_ever() {
    version_1_opens::<Ed25519>();
    version_1_opens::<Secp256k1>();
    version_1_opens::<P256>();
}
