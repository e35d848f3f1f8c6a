//! Sound proofs, in places for which they were not made.

use quorate_curve::Curve;
use quorate_keys::derive::DeriveError;
use quorate_keys::{
    Backup, BackupError, BackupKey, Drill, HealthChallenge, HealthError, ShareHealth,
};

use crate::group::{Key, Of, id, rng};
use crate::shown::repetitions;
use crate::stored::{altered, body};

struct Case<C: Curve> {
    key: Key<C>,
    offline: BackupKey<Of<C>>,
    asked: HealthChallenge,
}

impl<C: Curve> Case<C> {
    fn new() -> Self {
        Self {
            key: Key::dealt(&[1, 2, 3], 2, 3),
            offline: BackupKey::generate(&mut rng(40)).unwrap(),
            asked: HealthChallenge::new(&mut rng(5)).unwrap(),
        }
    }

    /// A backup of party 2.
    fn seal(&self, label: &[u8]) -> Backup<Of<C>> {
        let (share, recipient) = (&self.key.shares[&2], self.offline.recipient());
        Backup::seal(share, &self.key.public, recipient, label, &mut rng(41)).unwrap()
    }

    fn drill(&self, backup: &Backup<Of<C>>) -> Vec<u8> {
        let drill = self.offline.drill(backup, &self.key.public, &self.asked, &mut rng(6));
        drill.unwrap().to_bytes()
    }

    fn drilled(&self, bytes: &[u8], backup: &Backup<Of<C>>) -> Result<(), HealthError> {
        let Ok(drill) = Drill::<Of<C>>::from_bytes(bytes) else { panic!("no drill") };
        drill.verify(backup, &self.key.public, &self.asked)
    }
}

/// The proof of a share in a drill does not show health, and neither does that of a key; nor the reverse.
fn a_drill_is_no_answer_about_health<C: Curve>() {
    let case = Case::<C>::new();
    let backup = case.seal(b"a");
    let drill = case.drill(&backup);
    let health = case.key.shares[&2].prove_health(&case.asked, &mut rng(6)).to_bytes();
    assert!(Drill::<Of<C>>::from_bytes(&health).is_err());
    assert!(ShareHealth::<Of<C>>::from_bytes(&drill).is_err());
    let proof = size_of::<C::PointBytes>() + size_of::<C::ScalarBytes>();
    for at in [66, 66 + proof] {
        let moved = altered::<C>(&health, 102, &body(&drill)[at..at + proof]);
        let moved = ShareHealth::<Of<C>>::from_bytes(&moved).unwrap();
        let verdict = moved.verify(&case.key.public, id(2), &case.asked);
        assert_eq!(verdict, Err(HealthError::Invalid));
        let moved = altered::<C>(&drill, at, &body(&health)[102..102 + proof]);
        assert_eq!(case.drilled(&moved, &backup), Err(HealthError::Invalid));
    }
}

/// A drill of one backup does not prove anything about another backup of the same share.
fn a_drill_is_of_one_backup<C: Curve>() {
    let case = Case::<C>::new();
    let (one, other) = (case.seal(b"a"), case.seal(b"b"));
    let (first, second) = (case.drill(&one), case.drill(&other));
    assert_eq!(case.drilled(&first, &other), Err(HealthError::OtherBackup));
    let renamed = altered::<C>(&first, 2, &body(&second)[2..34]);
    assert_eq!(case.drilled(&renamed, &other), Err(HealthError::Invalid));
    let at = 66 + size_of::<C::PointBytes>() + size_of::<C::ScalarBytes>();
    let mixed = altered::<C>(&first, at, &body(&second)[at..]);
    assert_eq!(case.drilled(&mixed, &one), Err(HealthError::Invalid));
}

/// A backup is moved under another label or into the name of a twin of the package, or has two of its parts
/// exchanged.
fn a_backup_is_of_one_statement<C: Curve>() {
    let case = Case::<C>::new();
    let bytes = case.seal(b"a").to_bytes();
    let (point, scalar) = (size_of::<C::PointBytes>(), size_of::<C::ScalarBytes>());
    let recipient = case.offline.recipient();
    let refused = |bytes: &[u8], public| {
        let found = Backup::<Of<C>>::from_bytes(bytes).unwrap();
        assert_eq!(found.verify(public, recipient), Err(BackupError::Invalid));
        case.offline.restore(&found, public).map(drop)
    };
    let labelled = altered::<C>(&bytes, 71 + point, b"b");
    assert_eq!(refused(&labelled, &case.key.public), Err(BackupError::Empty));
    let shifted = case.key.public.shift::<Of<C>>(&C::Scalar::default(), [3; 32]).unwrap();
    let twin = shifted.into_key();
    let mut name = Vec::new();
    twin.package_id().put(&mut name);
    assert_eq!(refused(&altered::<C>(&bytes, 2, &name), &twin), Err(BackupError::Empty));
    let hidden = repetitions::<C>(body(&bytes), 1).into_iter().filter(|(hidden, _)| *hidden);
    let places: Vec<usize> = hidden.map(|(_, at)| at).collect();
    let part = |at: usize| body(&bytes)[at..at + point + 2 * scalar].to_vec();
    let swapped = altered::<C>(&bytes, places[0], &part(places[1]));
    let swapped = altered::<C>(&swapped, places[1], &part(places[0]));
    // The other 62 open.
    assert_eq!(refused(&swapped, &case.key.public), Ok(()));
}

/// No shift makes the key or one of its shares neutral.
fn no_shift_makes_a_neutral_point<C: Curve>() {
    let key = Key::<C>::dealt(&[1, 2, 3], 2, 3);
    let secrets = key.shares.values().map(|share| *share.secret().expose());
    for value in secrets.chain([key.x]) {
        let found = key.public.shift::<Of<C>>(&-value, [1; 32]).map(drop);
        assert_eq!(found, Err(DeriveError::Identity));
    }
}

every_curve! {
    a_drill_is_no_answer_about_health a_drill_is_of_one_backup a_backup_is_of_one_statement
    no_shift_makes_a_neutral_point
}
