//! Backups: one that verifies opens, an altered one does not verify, and everything else is refused by name.

use quorate_curve::{Curve, Ed25519, Secp256k1};
use quorate_keys::{
    Backup, BackupError, BackupKey, BackupRecipient, DecodeError, Drill, HealthChallenge,
    HealthError, Mismatch, SecretShare, ShareState,
};
use quorate_testkit::Stuck;

use crate::group::{Key, Of, id, rng};
use crate::shown::repetitions;
use crate::stored::{STATE, altered, body, with_body};

struct Case<C: Curve> {
    key: Key<C>,
    offline: BackupKey<Of<C>>,
    backup: Backup<Of<C>>,
}

fn case<C: Curve>() -> Case<C> {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3);
    let offline = BackupKey::generate(&mut rng(40)).unwrap();
    let backup =
        Backup::seal(&key.shares[&2], &key.public, offline.recipient(), b"vault", &mut rng(41));
    Case { backup: backup.unwrap(), offline, key }
}

fn what_is_sealed_is_verified_restored_and_drilled<C: Curve>() {
    let Case { key, offline, backup } = case::<C>();
    let bytes = backup.to_bytes();
    let (point, scalar) = (size_of::<C::PointBytes>(), size_of::<C::ScalarBytes>());
    assert_eq!(bytes.len(), 6291 + 65 * point + 128 * scalar + 5);
    let backup = Backup::<Of<C>>::from_bytes(&bytes).unwrap();
    assert!(backup.to_bytes() == bytes);
    assert_eq!((backup.id(), backup.label()), (id(2), &b"vault"[..]));
    let recipient = BackupRecipient::from_bytes(&offline.recipient().to_bytes()).unwrap();
    assert_eq!(backup.verify(&key.public, &recipient), Ok(()));
    // The offline side, read from its store.
    let offline = BackupKey::<Of<C>>::from_bytes(&offline.to_bytes()).unwrap();
    let share = offline.restore(&backup, &key.public).unwrap();
    assert_eq!(*share.to_bytes(), *key.shares[&2].to_bytes());
    // The drill: the proof goes online, the share does not.
    let asked = HealthChallenge::new(&mut rng(5)).unwrap();
    let drill = offline.drill(&backup, &key.public, &asked, &mut rng(6)).unwrap();
    let drill = Drill::<Of<C>>::from_bytes(&drill.to_bytes()).unwrap();
    assert_eq!(drill.verify(&backup, &key.public, &asked), Ok(()));
    let later = HealthChallenge::new(&mut rng(7)).unwrap();
    assert_eq!(drill.verify(&backup, &key.public, &later), Err(HealthError::OtherChallenge));
}

fn what_belongs_elsewhere_is_refused_by_name<C: Curve>() {
    let Case { key, offline, backup } = case::<C>();
    let other = BackupKey::<Of<C>>::generate(&mut rng(50)).unwrap();
    let why = Err(BackupError::WrongRecipient);
    assert_eq!(backup.verify(&key.public, other.recipient()), why);
    assert_eq!(other.restore(&backup, &key.public).map(drop), why);
    let stranger = Key::<C>::dealt(&[1, 2, 3], 2, 4);
    let wrong_key = BackupError::Mismatch(Mismatch::WrongKey);
    assert_eq!(backup.verify(&stranger.public, offline.recipient()), Err(wrong_key));
    assert_eq!(offline.restore(&backup, &stranger.public).map(drop), Err(wrong_key));
    // After a refresh, both ways.
    let next = key.reshared(&[1, 2], &[1, 2, 3], 2, 5);
    let why = BackupError::Mismatch(Mismatch::WrongEpoch { expected: 1, got: 0 });
    assert_eq!(backup.verify(&next.public, offline.recipient()), Err(why));
    assert_eq!(offline.restore(&backup, &next.public).map(drop), Err(why));
    let seal = |share: &SecretShare<Of<C>>, label: &[u8]| {
        Backup::seal(share, &key.public, offline.recipient(), label, &mut rng(8)).map(drop)
    };
    let why = BackupError::Mismatch(Mismatch::WrongEpoch { expected: 0, got: 1 });
    assert_eq!(seal(&next.shares[&2], b""), Err(why));
    let why = BackupError::LabelTooLong { most: 255, got: 256 };
    assert_eq!(seal(&key.shares[&2], &[0; 256]), Err(why));
    let unconfirmed = altered::<C>(&key.shares[&2].to_bytes(), STATE, &[2]);
    let unconfirmed = SecretShare::from_bytes(&unconfirmed).unwrap();
    assert_eq!(seal(&unconfirmed, b""), Err(BackupError::Unconfirmed));
}

/// Changes every part of the body, inside a valid container.
fn every_field_of_a_backup_is_checked<C: Curve>() {
    let Case { key, offline, backup } = case::<C>();
    let bytes = backup.to_bytes();
    let judge = |bytes: &[u8]| {
        let backup = Backup::<Of<C>>::from_bytes(bytes).unwrap();
        backup.verify(&key.public, offline.recipient()).unwrap_err()
    };
    let with = |at: usize, to: &[u8]| altered::<C>(&bytes, at, to);
    let point = size_of::<C::PointBytes>();
    // In the name of another party, and in that of a stranger: one share cannot pass for another.
    assert_eq!(judge(&with(0, &[0, 1])), BackupError::Invalid);
    let stolen = Backup::from_bytes(&with(0, &[0, 1])).unwrap();
    assert_eq!(offline.restore(&stolen, &key.public).map(drop), Err(BackupError::Empty));
    assert_eq!(judge(&with(0, &[0, 9])), BackupError::NotAHolder(id(9)));
    assert_eq!(judge(&with(2, &[0; 32])), BackupError::Mismatch(Mismatch::WrongKey));
    assert!(matches!(judge(&with(34, &[1])), BackupError::Mismatch(Mismatch::WrongEpoch { .. })));
    assert!(matches!(
        judge(&with(38, &[0; 32])),
        BackupError::Mismatch(Mismatch::WrongPackage { .. })
    ));
    let generator = C::encode_point(&C::generator());
    assert_eq!(judge(&with(70, generator.as_ref())), BackupError::WrongRecipient);
    assert_eq!(judge(&with(71 + point, b"fault")), BackupError::Invalid);
    let refused = |bytes: &[u8]| Backup::<Of<C>>::from_bytes(bytes).unwrap_err();
    assert_eq!(refused(&with(0, &[0, 0])), DecodeError::BadOrder);
    assert_eq!(refused(&with(70, &vec![0xff; point])), DecodeError::BadPoint);
    // The label is one byte shorter or longer, so that all bytes behind it are read at another place.
    for length in [4, 6] {
        let moved = Backup::<Of<C>>::from_bytes(&with(70 + point, &[length]));
        assert!(moved.map(drop).is_err());
    }
    let body = body(&bytes);
    for body in [&body[..body.len() - 1], &[body, &[0]].concat()] {
        assert!(matches!(refused(&with_body::<C>(&bytes, body)), DecodeError::Body(_)));
    }
    // The proof: e chooses another set, so that the bytes get another meaning.
    let start = 71 + point + 5;
    let mut other = body[start..start + 32].to_vec();
    other[0] ^= 1;
    match Backup::<Of<C>>::from_bytes(&with(start, &other)) {
        Ok(backup) => {
            let why = backup.verify(&key.public, offline.recipient());
            assert_eq!(why, Err(BackupError::Invalid));
        }
        Err(why) => assert!(matches!(why, DecodeError::BadPoint | DecodeError::BadScalar)),
    }
    for (at, to, why) in changes::<C>(body) {
        let changed = with(at, &to);
        match why {
            Some(why) => assert_eq!(refused(&changed), why),
            None => assert_eq!(judge(&changed), BackupError::Invalid),
        }
    }
}

/// One is added to `c_k` and `z_k` of each hidden repetition. The result opens to the share, but was never sealed
/// as a backup. A drill does not answer for it.
fn a_drill_answers_for_what_verifies<C: Curve>() {
    let Case { key, offline, backup } = case::<C>();
    let bytes = backup.to_bytes();
    let (point, scalar) = (size_of::<C::PointBytes>(), size_of::<C::ScalarBytes>());
    let mut changed = body(&bytes).to_vec();
    for (_, at) in repetitions::<C>(body(&bytes), 5).into_iter().filter(|one| one.0) {
        for at in [at + point, at + point + scalar] {
            let more = C::decode_scalar(&changed[at..at + scalar]).unwrap() + C::Scalar::from(1);
            changed[at..at + scalar].copy_from_slice(C::encode_scalar(&more).as_ref());
        }
    }
    let changed = Backup::<Of<C>>::from_bytes(&with_body::<C>(&bytes, &changed)).unwrap();
    assert_eq!(changed.verify(&key.public, offline.recipient()), Err(BackupError::Invalid));
    let asked = HealthChallenge::new(&mut rng(5)).unwrap();
    let drill = offline.drill(&changed, &key.public, &asked, &mut rng(6));
    assert_eq!(drill.map(drop), Err(BackupError::Invalid));
    // It still opens, for a case in which nothing else is left.
    let share = offline.restore(&changed, &key.public).unwrap();
    assert_eq!(*share.to_bytes(), *key.shares[&2].to_bytes());
}

/// A place in a body, the bytes to write there, and the decoder's error; `None` if the proof has to find the
/// change.
type Change = (usize, Vec<u8>, Option<DecodeError>);

/// Changes of a seed, and of each part of a hidden repetition: canonical values and others.
fn changes<C: Curve>(body: &[u8]) -> Vec<Change> {
    let (point, scalar) = (size_of::<C::PointBytes>(), size_of::<C::ScalarBytes>());
    let all = repetitions::<C>(body, 5);
    let first = |hidden| all.iter().find(|one| one.0 == hidden).unwrap().1;
    let at = first(true);
    let bytes = |point: C::Point| C::encode_point(&point).as_ref().to_vec();
    let mut changes: Vec<Change> = vec![
        (first(false), vec![0xa5; 32], None),
        (at, bytes(C::generator()), None),
        (at, vec![0xff; point], Some(DecodeError::BadPoint)),
        (at, bytes(C::identity()), Some(DecodeError::BadPoint)),
    ];
    for at in [at + point, at + point + scalar] {
        let seven = C::encode_scalar(&C::Scalar::from(7)).as_ref().to_vec();
        changes.push((at, seven, None));
        changes.push((at, vec![0xff; scalar], Some(DecodeError::BadScalar)));
    }
    changes
}

fn every_field_of_a_drill_is_checked<C: Curve>() {
    let Case { key, offline, backup } = case::<C>();
    let asked = HealthChallenge::new(&mut rng(5)).unwrap();
    let bytes = offline.drill(&backup, &key.public, &asked, &mut rng(6)).unwrap().to_bytes();
    let judge = |bytes: &[u8], backup: &Backup<Of<C>>| {
        Drill::<Of<C>>::from_bytes(bytes).unwrap().verify(backup, &key.public, &asked).unwrap_err()
    };
    let with = |at: usize, to: &[u8]| altered::<C>(&bytes, at, to);
    let (point, scalar) = (size_of::<C::PointBytes>(), size_of::<C::ScalarBytes>());
    let why = HealthError::OtherParty { expected: id(2), got: id(1) };
    assert_eq!(judge(&with(0, &[0, 1]), &backup), why);
    assert_eq!(judge(&with(2, &[0; 32]), &backup), HealthError::OtherBackup);
    assert_eq!(judge(&with(34, &[0; 32]), &backup), HealthError::OtherChallenge);
    let generator = C::encode_point(&C::generator());
    let one = C::encode_scalar(&C::Scalar::from(1));
    for start in [66, 66 + point + scalar] {
        assert_eq!(judge(&with(start, generator.as_ref()), &backup), HealthError::Invalid);
        assert_eq!(judge(&with(start + point, one.as_ref()), &backup), HealthError::Invalid);
    }
    // One proof in the place of the other.
    let swapped = [&body(&bytes)[66 + point + scalar..], &body(&bytes)[66..66 + point + scalar]];
    let swapped = [&body(&bytes)[..66], &swapped.concat()].concat();
    assert_eq!(judge(&with_body::<C>(&bytes, &swapped), &backup), HealthError::Invalid);
    // The drill of another backup of the same share.
    let second =
        Backup::seal(&key.shares[&2], &key.public, offline.recipient(), b"", &mut rng(9)).unwrap();
    assert_eq!(judge(&bytes, &second), HealthError::OtherBackup);
    // The share alone is not enough, because its owner's own offline key is another one.
    let own = BackupKey::<Of<C>>::generate(&mut rng(51)).unwrap();
    let to_own =
        Backup::seal(&key.shares[&2], &key.public, own.recipient(), b"", &mut rng(9)).unwrap();
    let alone = own.drill(&to_own, &key.public, &asked, &mut rng(6)).unwrap().to_bytes();
    let digest = &body(&bytes)[2..34];
    assert_eq!(judge(&altered::<C>(&alone, 2, digest), &backup), HealthError::Invalid);
}

every_curve! {
    what_is_sealed_is_verified_restored_and_drilled what_belongs_elsewhere_is_refused_by_name
    every_field_of_a_backup_is_checked every_field_of_a_drill_is_checked
    a_drill_answers_for_what_verifies
}

/// A restored share is pending, because the backup does not know that all had acknowledged the epoch.
#[test]
fn a_restored_share_is_pending_until_it_is_acknowledged() {
    let key = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 3).reshared(&[1, 2], &[1, 2, 3], 2, 5);
    let mut ready = altered::<Ed25519>(&key.shares[&2].to_bytes(), STATE, &[0]);
    let settled = SecretShare::<Of<Ed25519>>::from_bytes(&ready).unwrap();
    assert_eq!(settled.state(), ShareState::Ready);
    let offline = BackupKey::generate(&mut rng(40)).unwrap();
    let backup =
        Backup::seal(&settled, &key.public, offline.recipient(), b"", &mut rng(1)).unwrap();
    let share = offline.restore(&backup, &key.public).unwrap();
    assert_eq!(share.state(), ShareState::Pending);
    ready = altered::<Ed25519>(&ready, STATE, &[1]);
    assert_eq!(*share.to_bytes(), ready);
}

/// The fields are as random as their generator, and a broken generator is refused.
#[test]
fn a_generator_of_zeros_is_refused() {
    let Case { key, offline, .. } = case::<Secp256k1>();
    let sealed =
        Backup::seal(&key.shares[&2], &key.public, offline.recipient(), b"", &mut Stuck::at(0))
            .map(drop);
    assert_eq!(sealed, Err(BackupError::Randomness));
    assert!(BackupKey::<Of<Secp256k1>>::generate(&mut Stuck::at(0)).is_err());
    assert!(HealthChallenge::new(&mut Stuck::at(0)).is_err());
}

/// A secret key that is zero or not canonical, and a neutral recipient, are not keys.
#[test]
fn keys_are_read_strictly() {
    let offline = BackupKey::<Of<Ed25519>>::generate(&mut rng(40)).unwrap();
    let open = |bytes: &[u8]| BackupKey::<Of<Ed25519>>::from_bytes(bytes).map(drop);
    for wrong in [[0; 32], [0xff; 32]] {
        let bytes = altered::<Ed25519>(&offline.to_bytes(), 0, &wrong);
        assert_eq!(open(&bytes), Err(DecodeError::BadScalar));
    }
    let public = offline.recipient().to_bytes();
    let neutral = altered::<Ed25519>(&public, 0, &Ed25519::encode_point(&Ed25519::identity()));
    let refused = BackupRecipient::<Of<Ed25519>>::from_bytes(&neutral).unwrap_err();
    assert_eq!(refused, DecodeError::BadPoint);
    assert!(open(&public).is_err());
    let printed = format!("{offline:?}");
    let hex: String = body(&offline.to_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(
        !printed.contains(&hex) && !printed.contains(&format!("{:?}", body(&offline.to_bytes())))
    );
}
